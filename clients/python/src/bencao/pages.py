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
    """All records of a list. Each page is requested when iteration reaches it.

    A second iteration sends the requests again. ``len()`` and ``found`` request only
    the first page.
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
        """How the first records match the query.

        ``exact``, ``part; …``, or the accepted deviation, such as ``forgiven;
        how=sameSound``; None if the list is not a search.
        """
        return self._first().headers.get("X-Search")

    @property
    def version(self) -> str:
        """The version of the data that the list comes from."""
        return self._first().headers["X-Data-Version"]

    def pages(self) -> Iterator[Record]:
        """Yield the pages as the server sends them: page, pageSize, total, items."""
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
        """Return all records as a DataFrame.

        The fields x and y of a pair become the columns x.id, x.name, y.id and y.name.
        """
        import pandas

        records = list(self)
        nested: set[str] = set()
        if not records or any(isinstance(value, dict) for value in records[0].values()):
            columns = self._columns()
            if not records:
                return pandas.DataFrame({name: pandas.Series(dtype=kind) for name, kind in columns.items()})
            nested = {name.partition(".")[0] for name in columns if "." in name}
        return pandas.DataFrame.from_records([flat(record, nested) for record in records])

    def _columns(self) -> dict[str, str]:
        """Return the columns of a table with their pandas types, from the server's description."""
        description = self._transport.description()
        schemas = description["components"]["schemas"]

        def named(schema: Record) -> Record:
            return schemas[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema

        for template, operation in description["paths"].items():
            if not re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", template), "/api/v1/" + self._path):
                continue
            answer = named(operation["get"]["responses"]["200"]["content"]["application/json"]["schema"])
            row = answer.get("properties", {}).get("items", {}).get("items")
            if row is None:
                continue
            row = named(row)
            columns = {}
            for name in row["required"]:
                field = named(row["properties"][name])
                if field.get("type") == "object":
                    columns.update({f"{name}.{part}": dtype(field["properties"][part]) for part in field["required"]})
                else:
                    columns[name] = dtype(field)
            return columns
        return {}

    def _first(self) -> requests.Response:
        return self._transport.get(self._path, self._params)


def flat(record: Record, nested: set[str]) -> Record:
    """Return a record in which the fields of the nested objects have names such as x.id."""
    out: Record = {}
    for name, value in record.items():
        out.update({f"{name}.{part}": one for part, one in value.items()} if name in nested else {name: value})
    return out


def dtype(schema: Record) -> str:
    """Return the pandas type of a column. A number that may be missing is a float, as in pandas."""
    kind = schema.get("type")
    if kind == "integer":
        return "int64"
    if kind == "boolean":
        return "bool"
    if kind == "number" or isinstance(kind, list) and {"integer", "number"} & set(kind):
        return "float64"
    return "object"


def following(response: requests.Response) -> dict[str, Value] | None:
    """Return the parameters of the next page, or None after the last page.

    The path of the link is not used, because a proxy may serve the API under a path
    that the server does not know.
    """
    link = response.links.get("next")
    return dict(parse_qsl(urlsplit(link["url"]).query)) if link else None
