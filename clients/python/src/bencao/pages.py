"""Lists that come in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

import requests

from .errors import DataChanged, Problem
from .transport import Transport, Value

if TYPE_CHECKING:
    import pandas

Record = dict[str, Any]


class Pages:
    """All records of a list, read page by page while one goes through them.

    Going through it twice asks twice. ``len()`` and ``found`` ask for the first
    page alone.
    """

    def __init__(self, transport: Transport, path: str, params: Mapping[str, Value]) -> None:
        self._transport = transport
        self._path = path
        self._params = dict(params)

    def __iter__(self) -> Iterator[Record]:
        for page in self.pages():
            yield from page["items"]

    def __len__(self) -> int:
        return int(self._first().json()["total"])

    @property
    def found(self) -> str | None:
        """How the first records have what was asked for.

        ``exact``, ``part; …``, or what was forgiven, as ``forgiven;
        how=sameSound``; None of a list that is no search.
        """
        return self._first().headers.get("X-Search")

    @property
    def version(self) -> str:
        """The version of the data that answers."""
        return self._first().headers["X-Data-Version"]

    def pages(self) -> Iterator[Record]:
        """The pages as they are: page, pageSize, total, items."""
        params: Mapping[str, Value] | None = self._params
        version = None
        while params is not None:
            try:
                response = self._transport.get(self._path, params, version=version)
            except Problem as problem:
                if problem.status == 410:
                    raise DataChanged(str(problem)) from problem
                raise
            if version not in (None, response.headers["X-Data-Version"]):
                raise DataChanged(f"the data changed from {version} to {response.headers['X-Data-Version']}")
            version = response.headers["X-Data-Version"]
            yield response.json()
            params = following(response)

    def to_frame(self) -> pandas.DataFrame:
        """All records as a table of pandas."""
        import pandas

        return pandas.DataFrame.from_records(list(self))

    def _first(self) -> requests.Response:
        return self._transport.get(self._path, self._params)


def following(response: requests.Response) -> dict[str, Value] | None:
    """The parameters of the next page, None after the last.

    The path is ours: the server may stand behind one that it does not know.
    """
    link = response.links.get("next")
    return dict(parse_qsl(urlsplit(link["url"]).query)) if link else None
