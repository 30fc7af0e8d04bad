"""What can go wrong."""

from __future__ import annotations

import requests


class BencaoError(Exception):
    """Any error of this package that is not a mistake in calling it."""


class DataChanged(BencaoError):
    """The server took up new data between two pages; read the list anew."""


class Problem(BencaoError):
    """The server refused a request. Its words are those of the server.

    ``type`` is for programs, such as ``/problems/scope-missing``; ``detail`` is
    for people; ``instance`` is the id of the request in the server's log.
    """

    def __init__(self, status: int, type: str, detail: str, instance: str | None, retry_after: int | None) -> None:
        super().__init__(f"{status}: {detail}" + (f" (request {instance})" if instance else ""))
        self.status = status
        self.type = type
        self.detail = detail
        self.instance = instance
        #: Seconds after which the same request succeeds, where the server says so.
        self.retry_after = retry_after

    @classmethod
    def of(cls, response: requests.Response) -> Problem:
        """Read the error that an answer is, whoever on the way gave it."""
        try:
            body = response.json()
        except ValueError:
            body = None
        if not isinstance(body, dict):  # a page of a proxy
            body = {}
        return cls(
            response.status_code,
            body.get("type", "about:blank"),
            body.get("detail", response.reason),
            body.get("instance", response.headers.get("X-Request-Id")),
            retry_after(response),
        )


def retry_after(response: requests.Response) -> int | None:
    """The whole seconds that an answer asks to wait, None if it does not."""
    value = response.headers.get("Retry-After", "")
    return int(value) if value.isascii() and value.isdigit() else None
