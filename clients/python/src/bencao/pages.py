"""Lists that come in pages."""

from __future__ import annotations

import re
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

        records = list(self)
        if records:
            return pandas.DataFrame.from_records(records)
        return pandas.DataFrame({name: pandas.Series(dtype=kind) for name, kind in self._columns().items()})

    def _columns(self) -> dict[str, str]:
        """The fields of a record, with their types in pandas, as the server describes them."""
        description = self._transport.description()
        schemas = description["components"]["schemas"]

        def named(schema: Record) -> Record:
            return schemas[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema

        for template, operation in description["paths"].items():
            if not re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", template), "/api/v1/" + self._path):
                continue
            answer = named(operation["get"]["responses"]["200"]["content"]["application/json"]["schema"])
            row = answer.get("properties", {}).get("items", {}).get("items")
            if row is not None:
                row = named(row)
                return {name: dtype(row["properties"][name]) for name in row["required"]}
        return {}

    def _first(self) -> requests.Response:
        return self._transport.get(self._path, self._params)


def dtype(schema: Record) -> str:
    """The type of a column in pandas. A number that may be missing is a float, as in pandas."""
    kind = schema.get("type")
    if kind == "integer":
        return "int64"
    if kind == "boolean":
        return "bool"
    if kind == "number" or isinstance(kind, list) and {"integer", "number"} & set(kind):
        return "float64"
    return "object"


def following(response: requests.Response) -> dict[str, Value] | None:
    """The parameters of the next page, None after the last.

    The path is ours: the server may stand behind one that it does not know.
    """
    link = response.links.get("next")
    return dict(parse_qsl(urlsplit(link["url"]).query)) if link else None
