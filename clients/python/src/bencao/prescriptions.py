"""Reads the results of "bencao prescriptions"."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

#: The tables that the command writes.
TABLES = ("drugs", "names", "transactions", "matrix", "herbs", "pairs", "sets", "nearest")

#: Columns that stay texts: an id may be 001.
TEXTS = ("prescription", "written", "dose", "note", "id", "guid")


def prescriptions(folder: str | Path) -> dict[str, pandas.DataFrame]:
    """Return the tables in the folder of the option --out, by name. It asks no server.

    >>> result = prescriptions("result")  # doctest: +SKIP
    >>> result["herbs"].head()  # doctest: +SKIP
    """
    import pandas

    return {
        table: pandas.read_csv(
            Path(folder) / f"{table}.csv",
            encoding="utf-8-sig",
            dtype={column: "string" for column in TEXTS},
            keep_default_na=False,
            na_values=[""],
        )
        for table in TABLES
    }
