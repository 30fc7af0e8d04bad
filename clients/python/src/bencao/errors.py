"""The errors of the package."""

from __future__ import annotations

import requests


class BencaoError(Exception):
    """The base class of the errors of this package, except errors in the arguments of a call."""


class DataChanged(BencaoError):
    """The server changed to new data between two pages; read the list again."""


class Problem(BencaoError):
    """The server refused a request. The texts come from the server.

    ``type`` is for programs, such as ``/problems/scope-missing``. ``detail`` is
    for people. ``instance`` is the id of the request in the server's log.
    """

    def __init__(self, status: int, type: str, detail: str, instance: str | None, retry_after: int | None) -> None:
        super().__init__(f"{status}: {detail}" + (f" (request {instance})" if instance else ""))
        self.status = status
        self.type = type
        self.detail = detail
        self.instance = instance
        #: Seconds after which the same request succeeds; None if the server does not say.
        self.retry_after = retry_after

    @classmethod
    def of(cls, response: requests.Response) -> Problem:
        """Return the error in an answer of the server or of a proxy in front of it."""
        try:
            body = response.json()
        except ValueError:
            body = None
        if not isinstance(body, dict):  # an error page of a proxy
            body = {}
        return cls(
            response.status_code,
            body.get("type", "about:blank"),
            body.get("detail", response.reason),
            body.get("instance", response.headers.get("X-Request-Id")),
            retry_after(response),
        )


def retry_after(response: requests.Response) -> int | None:
    """Return the wait that an answer asks for, in whole seconds, or None."""
    value = response.headers.get("Retry-After", "")
    return int(value) if value.isascii() and value.isdigit() else None
