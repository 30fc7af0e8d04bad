"""The client."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable, Iterable
from urllib.parse import quote

import requests

from . import matching
from .errors import BencaoError
from .pages import Pages, Record
from .transport import Transport, Value, nap


class Client:
    """Asks one server.

    server    its address, above ``/api/v1``; default: ``$BENCAO_SERVER``
    key       the key; or key_file, a file that holds it; default: ``$BENCAO_API_KEY``
    timeout   seconds to wait for an answer
    tries     how often a request is sent that meets the limit or a busy server.
              Between two the client waits as long as the server says, and the
              logger "bencao" says so at the level info.
    kept      answers that are kept; asked again, the server says in a few bytes
              whether one still holds

    Filters are the parameters of the API under the same names: see the server's
    ``/openapi/v1.json``. ``None`` leaves one out.
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
            server, key, timeout=timeout, tries=max(tries, 1), kept=kept, session=session, sleep=sleep
        )

    def get(self, path: str, **params: Value) -> Any:
        """What a path below /api/v1 answers, as it is."""
        return self._transport.get(path.lstrip("/"), params).json()

    def pages(self, path: str, **params: Value) -> Pages:
        """All records of a path below /api/v1 that answers in pages."""
        return Pages(self._transport, path.lstrip("/"), {"pageSize": 100, **params})

    def species(self, q: str | None = None, **filters: Value) -> Pages:
        """Species by Chinese name, pinyin, scientific name or synonym; all of them without q."""
        return self.pages("species", q=q, **filters)

    def formulas(self, q: str | None = None, **filters: Value) -> Pages:
        """Formulas by name and filters; needs the scope prescriptions."""
        return self.pages("formulas", q=q, **filters)

    def herbs(self, q: str | None = None, **filters: Value) -> Pages:
        """Herbs (drugs) by any of their names; needs the scope prescriptions."""
        return self.pages("herbs", q=q, **filters)

    def patterns(self, of: str, q: str | None = None, **filters: Value) -> Pages:
        """Drugs, pairs, sets or formulas with their drugs: of is herbs, pairs, sets or formulas."""
        return self.pages(below("patterns", of), q=q, **{"pageSize": 1000, **filters})

    def transactions(self, q: str | None = None, **filters: Value) -> dict[str, list[str]]:
        """The names of the drugs of each formula, by guid."""
        return {f["guid"]: [d["name"] for d in f["drugs"]] for f in self.patterns("formulas", q, **filters)}

    def papers(self, q: str | None = None, **filters: Value) -> Pages:
        """Papers by words of their title, authors, DOI or PubMed id."""
        return self.pages("papers", q=q, **filters)

    def one_species(self, guid: str) -> Record:
        """Everything known of a species but its lists."""
        return self._record("species", guid)

    def flora(self, guid: str) -> list[Record]:
        """A species' entries in floras."""
        return self._record("species", guid, "flora")

    def uses(self, guid: str) -> list[Record]:
        """A species' recorded uses; needs the scope plant_uses."""
        return self._record("species", guid, "uses")

    def species_papers(self, guid: str) -> list[Record]:
        """A species' papers."""
        return self._record("species", guid, "papers")

    def species_formulas(self, guid: str) -> Pages:
        """The formulas that use a species; needs the scope species_prescriptions."""
        return self.pages(below("species", guid, "formulas"))

    def formula(self, guid: str) -> Record:
        """One formula. What the key's scopes do not open in it is None."""
        return self._record("formulas", guid)

    def herb(self, id: str) -> Record:
        """One herb."""
        return self._record("herbs", id)

    def herb_formulas(self, id: str) -> Pages:
        """The formulas that have a herb; needs two scopes, prescriptions and prescription_composition."""
        return self.pages(below("herbs", id, "formulas"))

    def paper(self, id: str) -> Record:
        """One paper and the species that it is about."""
        return self.get("papers/detail", id=id)

    def facets(self, of: str, by: Iterable[str] | str, **filters: Value) -> list[Record]:
        """How many of the ``of`` (species, formulas, papers) have each value of some fields."""
        return self.get(f"{of}/facets", by=by if isinstance(by, str) else ",".join(by), **filters)["facets"]

    def suggest(self, q: str) -> list[Record]:
        """Ten lines for what has been typed so far."""
        return self.get("suggest", q=q)["items"]

    def stats(self) -> Record:
        """How much there is of everything."""
        return self.get("stats")

    def version(self) -> Record:
        """Which version of the data answers, from which sources, and how to cite it."""
        return self.get("version")

    def changes(self, since: str) -> Pages:
        """What became of the records since a version of the data, such as ``Pages.version``."""
        return self.pages("changes", since=since)

    def key(self) -> Record:
        """What the key may do, and how much of its limit is left."""
        return self.get("key")

    def match_name(self, name: str, **hints: Value) -> Record:
        """What one name means: canonicalName, matchedVia, and results, the best first."""
        return self.get("names/match", name=name, **hints)

    def match_names(
        self,
        names: Iterable[str],
        *,
        authors: Iterable[str | None] | None = None,
        families: Iterable[str | None] | None = None,
        chinese_names: Iterable[str | None] | None = None,
        **hints: Value,
    ) -> list[Record | None]:
        """What many names mean, in their order: of each what match_name says of it.

        An empty name, and one that the server cannot read, is None.
        """
        return matching.responses(self._transport, names, authors, families, chinese_names, hints)

    def match(
        self,
        names: Any,
        *,
        name: str = "name",
        author: str | None = None,
        family: str | None = None,
        chinese_name: str | None = None,
        **hints: Value,
    ) -> Any:
        """A table with a row for each name: its best candidate.

        names is a list, a Series, or a DataFrame whose column ``name`` has them,
        ``author`` their authors, ``family`` their families in Latin or Chinese, and
        ``chinese_name`` the Chinese names beside them. A DataFrame comes back with
        all its columns and its index, followed by those of the candidate. Accept a
        score of 0.9 or more, check 0.7 to 0.9, and look at the flag ``ambiguous``
        in any case.
        """
        return matching.table(self._transport, names, name, author, family, chinese_name, hints)

    def _record(self, *parts: str) -> Any:
        return self._transport.get(below(*parts), {}).json()


def below(*parts: str) -> str:
    """A path of which the parts may hold anything."""
    return "/".join(quote(part, safe="") for part in parts)
