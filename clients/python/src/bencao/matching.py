"""Matching of many names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

from .errors import BencaoError, Problem
from .pages import Record
from .transport import Transport, Value

if TYPE_CHECKING:
    import pandas

#: The largest number of names in a request, and of bytes in all its texts.
MOST_NAMES, MOST_BYTES = 100, 3000

#: The columns of a table of matches: first COLUMNS, then CANDIDATE for the best candidate.
COLUMNS = ("canonicalName", "matchedVia", "candidates")
CANDIDATE = (
    "matchType", "score", "flags", "guid", "chineseName", "matchedName", "matchedAuthor", "rank", "taxonStatus",
    "acceptedName", "acceptedAuthor", "acceptedFamily", "wcvpId", "ipniId", "wfoId", "matchSource", "url",
)  # fmt: skip

#: The further columns with distribution=True. Codes of areas are joined by "; ".
DISTRIBUTION = (
    "native", "introduced", "extinct", "doubtful", "area", "lifeForm", "publication", "published", "release",
)  # fmt: skip

Row = tuple[str, str, str, str, str]  # name, author, family, Chinese name, kingdom


def responses(
    transport: Transport,
    names: Iterable[str | None],
    authors: Iterable[str | None] | None,
    families: Iterable[str | None] | None,
    chinese: Iterable[str | None] | None,
    kingdoms: Iterable[str | None] | None,
    hints: Mapping[str, Value],
) -> list[Record | None]:
    """Return the answer for each name; None if the name is empty or cannot be read."""
    rows = rowed(names, authors, families, chinese, kingdoms)
    answers: dict[Row, Record | None] = {}
    for batch in batches([row for row in dict.fromkeys(rows) if row[0]]):
        answers.update(zip(batch, asked(transport, batch, hints)))
    return [answers.get(row) for row in rows]


def rowed(
    names: Iterable[str | None],
    authors: Iterable[str | None] | None,
    families: Iterable[str | None] | None,
    chinese: Iterable[str | None] | None,
    kingdoms: Iterable[str | None] | None,
) -> list[Row]:
    """Return the columns as rows of text."""
    column = [text(name) for name in names]
    rows = []
    given_hints = (("authors", authors), ("families", families), ("Chinese names", chinese), ("kingdoms", kingdoms))
    for what, given in given_hints:
        rows.append([""] * len(column) if given is None else [text(value) for value in given])
        if len(rows[-1]) != len(column):
            raise ValueError(f"{len(column)} names have {len(rows[-1])} {what}; give one for each")
    return list(zip(column, *rows))


def text(value: Any) -> str:
    """Return a cell as text; a missing value of any kind is empty."""
    return value.strip() if isinstance(value, str) else ""


def batches(rows: Sequence[Row]) -> Iterable[list[Row]]:
    """Split the rows into batches that fit into an address.

    A Chinese character takes three bytes in a text and nine in an address.
    """
    batch: list[Row] = []
    size = 0
    for row in rows:
        length = sum(len(part.encode()) for part in row)
        if batch and (len(batch) == MOST_NAMES or size + length > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += length
    if batch:
        yield batch


def asked(transport: Transport, batch: list[Row], hints: Mapping[str, Value]) -> list[Record | None]:
    """Return the answers for a batch.

    If the server refuses one of several names, or so many at once, asked requests
    each half separately.
    """
    names, *columns = zip(*batch)
    params: dict[str, Value] = {**hints, "name": names}
    for what, column in zip(("author", "family", "chineseName", "kingdom"), columns):
        if any(column):
            params[what] = column
    several = len(batch) > 1
    try:
        found = transport.get("names/matches", params, at_limit=2 if several else None).json()
    except Problem as problem:
        if problem.status not in (400, 429):
            raise
        if several:
            half = len(batch) // 2
            return asked(transport, batch[:half], hints) + asked(transport, batch[half:], hints)
        if problem.status == 429:
            raise
        transport.get("names/matches", {**hints, "name": ["Poa"]})  # raises if the hints are invalid, not the name
        return [None]
    if len(found) != len(batch):
        raise BencaoError(f"{len(found)} answers for {len(batch)} names")
    return list(found)


def table(
    transport: Transport,
    names: Any,
    name: str,
    author: str | None,
    family: str | None,
    chinese: str | None,
    kingdom: str | None,
    hints: Mapping[str, Value],
) -> pandas.DataFrame:
    """Return a table with the best candidate of each name."""
    import pandas

    if isinstance(names, pandas.DataFrame):
        given = names
    elif isinstance(names, pandas.Series):
        given = names.rename(name).to_frame()
    else:
        given = pandas.DataFrame({name: list(names)}, dtype=object)
    for column in (name, author, family, chinese, kingdom):
        if column is not None and column not in given.columns:
            raise KeyError(f"there is no column {column!r}; there are {', '.join(map(str, given.columns))}")
    found = responses(
        transport,
        given[name],
        given[author] if author is not None else None,
        given[family] if family is not None else None,
        given[chinese] if chinese is not None else None,
        given[kingdom] if kingdom is not None else None,
        hints,
    )
    further = DISTRIBUTION if any(one and any("distribution" in r for r in one["results"]) for one in found) else ()
    columns = [*COLUMNS, *CANDIDATE, *further]
    candidates = pandas.DataFrame([best(one) for one in found], index=given.index, columns=columns)
    return given.join(candidates, rsuffix="_match")


def best(response: Record | None) -> Record:
    """Return a row of the table: the best candidate of a name."""
    if response is None:
        return {"matchedVia": "none", "candidates": 0}
    results = response["results"]
    row = {"canonicalName": response["canonicalName"], "matchedVia": response["matchedVia"], "candidates": len(results)}
    if results:
        row.update({column: results[0][column] for column in CANDIDATE})
        row["flags"] = "; ".join(results[0]["flags"])
        for column, value in results[0].get("distribution", {}).items():
            row[column] = "; ".join(value) if isinstance(value, list) else value
    return row
