"""Requests: sending the key, waiting for the limit, and caching answers."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from typing import Any, Callable, Mapping, Sequence, Union

import requests

from .errors import BencaoError, Problem, retry_after

log = logging.getLogger("bencao")

Value = Union[str, int, float, bool, None, Sequence[str]]

#: Statuses after which a request is repeated: the limit is used up, the server is
#: busy, or a proxy cannot reach it.
PASSING = (429, 502, 503, 504)

#: Errors after which a request is repeated: no connection, or one that ended in the
#: middle of the answer.
BROKEN = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
    requests.exceptions.JSONDecodeError,
)


class Transport:
    """Sends requests to one server. It caches answers and asks the server whether they are valid."""

    def __init__(
        self,
        server: str,
        key: str,
        *,
        timeout: float,
        tries: int,
        kept: int,
        version: str | None,
        session: requests.Session | None,
        sleep: Callable[[float], None],
    ) -> None:
        self.base = server.rstrip("/") + "/api/v1/"
        self.timeout = timeout
        self.tries = tries
        self.kept = kept
        self.version = version
        self.session = session or requests.Session()
        self.session.headers.update({"X-Api-Key": key, "Accept": "application/json"})
        self._sleep = sleep
        self._description: Any = None
        self._answers: OrderedDict[str, requests.Response] = OrderedDict()

    def get(
        self, path: str, params: Mapping[str, Value], *, at_limit: int | None = None, version: str | None = None
    ) -> requests.Response:
        """Return the answer to a request. Any status other than 200 raises an error.

        If the limit is used up, the request is sent at most at_limit times. If version
        is given, the request asks for that version of the data.
        """
        query = {name: written(value) for name, value in params.items() if value is not None}
        address = requests.Request("GET", self.base + path, params=query).prepare().url
        assert address is not None
        held = self._answers.get(address)
        headers = {"If-None-Match": held.headers["ETag"]} if held is not None else {}
        version = version or self.version
        if version is not None:
            headers["X-Data-Version"] = version
        response = self._patiently(address, headers, at_limit or self.tries)
        if response.status_code == 304 and held is not None:
            self._answers.move_to_end(address)
            return held
        if response.status_code != 200:
            raise Problem.of(response)
        if self.kept and "ETag" in response.headers:
            self._answers[address] = response
            if len(self._answers) > self.kept:
                self._answers.popitem(last=False)
        return response

    def description(self) -> Any:
        """Return the OpenAPI document with plain numbers."""
        if self._description is None:
            address = self.base.removesuffix("api/v1/") + "openapi/v1.json?numbers=plain"
            response = self._patiently(address, {}, self.tries)
            if response.status_code != 200:
                raise Problem.of(response)
            self._description = response.json()
        return self._description

    def _patiently(self, address: str, headers: Mapping[str, str], at_limit: int) -> requests.Response:
        for sent in range(1, self.tries + 1):
            try:
                # A redirect would send the key to another host.
                response = self.session.get(address, headers=headers, timeout=self.timeout, allow_redirects=False)
                if response.status_code == 200:
                    response.json()  # half an answer is none, and must not be cached
            except BROKEN as error:
                if sent == self.tries:
                    raise BencaoError(f"{self.base} cannot be reached, or sent half an answer: {error}") from error
                wait = 1
            else:
                most = at_limit if response.status_code == 429 else self.tries
                if response.status_code not in PASSING or sent >= most:
                    return response
                wait = retry_after(response) or 1
                log.info("%s; waiting %d s", Problem.of(response).detail, wait)
            self._sleep(wait)
        raise AssertionError("unreachable")


def written(value: Value) -> Any:
    """Return a value in the form that the API reads."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def nap(seconds: float) -> None:
    """Sleep. time.sleep is looked up at each call, so that a test can replace it."""
    time.sleep(seconds)
