"""The client."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Iterable
from urllib.parse import quote

import requests

from . import matching
from .errors import BencaoError
from .pages import Pages, Record
from .transport import Transport, Value, nap


def labels(sets: list[list[Record]]) -> list[list[str]]:
    """Return the names of drugs. If several drugs have the same name, add their ids."""
    known = {(drug["id"], drug["name"]) for drugs in sets for drug in drugs}
    count = Counter(name for _, name in known)
    return [[d["name"] if count[d["name"]] == 1 else f"{d['name']} [{d['id']}]" for d in drugs] for drugs in sets]


class Client:
    """A client of one server.

    server    address of the server, without ``/api/v1``; default: ``$BENCAO_SERVER``
    key       the key, or key_file, a file that contains it; default: ``$BENCAO_API_KEY``
    timeout   seconds to wait for an answer
    tries     how often a request is sent if the limit is used up or the server is
              busy. Before it repeats a request, the client waits as long as the
              server says, and logs that to the logger "bencao" at the level info.
    kept      number of cached answers. Before it uses a cached answer, the client
              asks the server whether it is still valid, which takes a few bytes.
    version   the version of the data to ask, such as one that a paper cites; default:
              the current one. If the server does not keep it, the client raises a
              Problem with the status 410.

    Filters have the names of the parameters of the API: see the server's
    ``/openapi/v1.json``. A filter with the value ``None`` is left out.
    """

    def __init__(
        self,
        server: str | None = None,
        *,
        key: str | None = None,
        key_file: str | os.PathLike[str] | None = None,
        timeout: float = 30,
        tries: int = 6,
        kept: int = 100,
        version: str | None = None,
        session: requests.Session | None = None,
        sleep: Callable[[float], None] = nap,
    ) -> None:
        server = server or os.environ.get("BENCAO_SERVER")
        if not server:
            raise BencaoError("no server; give its address, or set BENCAO_SERVER")
        if key_file is not None:
            key = Path(key_file).read_text(encoding="ascii")
        key = (key or os.environ.get("BENCAO_API_KEY") or "").strip()
        if not key:
            raise BencaoError("no key; give key or key_file, or set BENCAO_API_KEY")
        self._transport = Transport(
            server, key, timeout=timeout, tries=max(tries, 1), kept=kept, version=version, session=session, sleep=sleep
        )

    def get(self, path: str, **params: Value) -> Any:
        """Return the answer to a path below /api/v1, unchanged."""
        return self._transport.get(path.lstrip("/"), params).json()

    def pages(self, path: str, **params: Value) -> Pages:
        """Return all records of a list below /api/v1 that comes in pages."""
        return Pages(self._transport, path.lstrip("/"), {"pageSize": 100, **params})

    def species(self, q: str | None = None, **filters: Value) -> Pages:
        """Return species by Chinese name, pinyin, scientific name or synonym; without q, all species."""
        return self.pages("species", q=q, **filters)

    def formulas(self, q: str | None = None, **filters: Value) -> Pages:
        """Return formulas by name and filters; needs the scope prescriptions."""
        return self.pages("formulas", q=q, **filters)

    def ingredients(self, q: str | None = None, **filters: Value) -> Pages:
        """Return the ingredients of the formulas that ``formulas`` finds, a record for each.

        Needs the scopes prescriptions and prescription_composition.
        """
        return self.pages("formulas/ingredients", q=q, **{"pageSize": 1000, **filters})

    def herbs(self, q: str | None = None, **filters: Value) -> Pages:
        """Return herbs (drugs) by any of their names; needs the scope prescriptions."""
        return self.pages("herbs", q=q, **filters)

    def patterns(self, of: str, q: str | None = None, **filters: Value) -> Pages:
        """Return drugs, pairs or sets of drugs, or formulas with their drugs.

        ``of`` is herbs, pairs, sets or formulas.
        """
        return self.pages(below("patterns", of), q=q, **{"pageSize": 1000, **filters})

    def transactions(self, q: str | None = None, **filters: Value) -> dict[str, list[str]]:
        """Return the names of the drugs of each formula, by the formula's guid.

        If several drugs have the same name, the names are followed by the ids.
        """
        formulas = list(self.patterns("formulas", q, **filters))
        return {f["guid"]: drugs for f, drugs in zip(formulas, labels([f["drugs"] for f in formulas]))}

    def papers(self, q: str | None = None, **filters: Value) -> Pages:
        """Return papers by words of their title, authors, DOI or PubMed id."""
        return self.pages("papers", q=q, **filters)

    def one_species(self, guid: str) -> Record:
        """Return the details of a species without its lists."""
        return self._record("species", guid)

    def flora(self, guid: str) -> list[Record]:
        """Return the entries of a species in floras."""
        return self._record("species", guid, "flora")

    def uses(self, guid: str) -> list[Record]:
        """Return the recorded uses of a species; needs the scope plant_uses."""
        return self._record("species", guid, "uses")

    def species_papers(self, guid: str) -> list[Record]:
        """Return the papers about a species."""
        return self._record("species", guid, "papers")

    def species_formulas(self, guid: str) -> Pages:
        """Return the formulas that use a species; needs the scope species_prescriptions."""
        return self.pages(below("species", guid, "formulas"))

    def formula(self, guid: str) -> Record:
        """Return one formula. Parts for which the key lacks a scope are None."""
        return self._record("formulas", guid)

    def herb(self, id: str) -> Record:
        """Return one herb."""
        return self._record("herbs", id)

    def herb_formulas(self, id: str) -> Pages:
        """Return the formulas with a herb; needs the scopes prescriptions and prescription_composition."""
        return self.pages(below("herbs", id, "formulas"))

    def paper(self, id: str) -> Record:
        """Return one paper with the species that it is about."""
        return self.get("papers/detail", id=id)

    def facets(self, of: str, by: Iterable[str] | str, **filters: Value) -> list[Record]:
        """Count the ``of`` (species, formulas, herbs or papers) by the values of some fields."""
        return self.get(f"{of}/facets", by=by if isinstance(by, str) else ",".join(by), **filters)["facets"]

    def suggest(self, q: str) -> list[Record]:
        """Return up to ten suggestions for the text typed so far."""
        return self.get("suggest", q=q)["items"]

    def stats(self) -> Record:
        """Return the numbers of records."""
        return self.get("stats")

    def version(self) -> Record:
        """Return the version of the data, its sources and how to cite it."""
        return self.get("version")

    def changes(self, since: str) -> Pages:
        """Return the changes of records since a version of the data, such as ``Pages.version``."""
        return self.pages("changes", since=since)

    def key(self) -> Record:
        """Return the rights of the key and the rest of its limit."""
        return self.get("key")

    def match_name(self, name: str, **hints: Value) -> Record:
        """Match one name: return canonicalName, matchedVia, and results, the best first."""
        return self.get("names/match", name=name, **hints)

    def match_names(
        self,
        names: Iterable[str],
        *,
        authors: Iterable[str | None] | None = None,
        families: Iterable[str | None] | None = None,
        chinese_names: Iterable[str | None] | None = None,
        kingdoms: Iterable[str | None] | None = None,
        **hints: Value,
    ) -> list[Record | None]:
        """Match many names: return, in order, the answer of match_name for each.

        The answer is None for an empty name and for one that the server cannot read.
        """
        return matching.responses(self._transport, names, authors, families, chinese_names, kingdoms, hints)

    def match(
        self,
        names: Any,
        *,
        name: str = "name",
        author: str | None = None,
        family: str | None = None,
        chinese_name: str | None = None,
        kingdom: str | None = None,
        **hints: Value,
    ) -> Any:
        """Match many names: return a table with the best candidate of each.

        names is a list, a Series or a DataFrame. In a DataFrame the column ``name``
        has the names, ``author`` their authors, ``family`` their families in Latin or
        Chinese, ``chinese_name`` their Chinese names, and ``kingdom`` their kingdoms.
        The result has the index and all columns of the DataFrame, followed by those of
        the candidate. Accept a score of 0.9 or more, check 0.7 to 0.9, and always check
        names with the flag ``ambiguous``.
        """
        return matching.table(self._transport, names, name, author, family, chinese_name, kingdom, hints)

    def _record(self, *parts: str) -> Any:
        return self._transport.get(below(*parts), {}).json()


def below(*parts: str) -> str:
    """Return the path with these parts, which may contain any characters."""
    return "/".join(quote(part, safe="") for part in parts)
