"""Tests the client with a real server, which ../../with-server starts."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pandas
import pytest
import requests

from bencao import BencaoError, Client, Problem
from bencao.client import labels

GINSENG = "af3292fc-12d3-59b2-83b2-9deda4bc842a"


@pytest.fixture(scope="module")
def bencao() -> Client:
    return Client()


def test_a_search_goes_through_all_pages(bencao: Client) -> None:
    species = bencao.species(pageSize=50)
    all_of_them = list(species)
    assert len(all_of_them) == len(species) == bencao.stats()["plantTaxa"]
    assert len({one["guid"] for one in all_of_them}) == len(all_of_them)
    assert [page["page"] for page in species.pages()] == list(range(1, 7))


def test_a_version_is_asked_by_its_name(bencao: Client) -> None:
    now = bencao.species().version
    assert Client(version=now).stats() == bencao.stats()
    with pytest.raises(Problem) as gone:
        Client(version="20200101T000000Z-abcdef").stats()
    assert gone.value.status == 410


def test_a_search_asks_for_no_more_than_is_read(bencao: Client) -> None:
    asked: list[str] = []
    session = requests.Session()
    session.hooks["response"].append(lambda answer, **_: asked.append(answer.url))
    first = next(iter(Client(session=session).species(pageSize=10)))
    assert first["guid"]
    assert len(asked) == 1


def test_filters_and_what_was_forgiven(bencao: Client) -> None:
    assert bencao.species("仁参").found == "forgiven; how=sameSound"
    assert {one["family"] for one in bencao.species(family="五加科", hasFormulas=True)} == {"Araliaceae"}
    names = [one["name"] for one in bencao.formulas("桂枝汤", dynasty="汉", distinct="name")]
    assert names[0] == "桂枝汤"
    assert bencao.species_formulas(GINSENG).found is None


def test_patterns(bencao: Client) -> None:
    pair = next(iter(bencao.patterns("pairs", minFormulas=2)))
    drugs = list(bencao.transactions().values())
    x, y = pair["x"]["name"], pair["y"]["name"]
    assert sum(x in one and y in one for one in drugs) == pair["formulas"]
    assert pair["lift"] == pytest.approx(len(drugs) * pair["formulas"] / (pair["formulasX"] * pair["formulasY"]))
    table = bencao.patterns("herbs", dynasty="东汉").to_frame()
    assert table["formulas"].max() == table["formulas"].iloc[0]


def test_a_table_of_pairs_has_the_rows_of_the_csv(bencao: Client) -> None:
    answer = requests.get(
        os.environ["BENCAO_SERVER"] + "/api/v1/patterns/pairs?minFormulas=10&pageSize=1000&format=csv",
        headers={"X-Api-Key": os.environ["BENCAO_API_KEY"]},
        timeout=300,
    )
    csv = pandas.read_csv(io.StringIO(answer.text))
    table = bencao.patterns("pairs", minFormulas=10).to_frame()
    names = {"x.id": "xId", "x.name": "xName", "y.id": "yId", "y.name": "yName"}
    pandas.testing.assert_frame_equal(table.rename(columns=names), csv, check_dtype=False)


def test_drugs_of_the_same_name() -> None:
    peach, other, plum = {"id": "a", "name": "peach"}, {"id": "c", "name": "peach"}, {"id": "b", "name": "plum"}
    assert labels([[peach, plum], [], [other]]) == [["peach [a]", "plum"], [], ["peach [c]"]]
    assert labels([[plum], [plum]]) == [["plum"], ["plum"]]


def test_a_list_as_a_table(bencao: Client) -> None:
    panax = bencao.species("Panax").to_frame()
    assert list(panax["scientificName"])[:1] == ["Panax ginseng"]
    assert panax.shape[0] == len(bencao.species("Panax"))


def test_a_table_without_rows_has_its_columns(bencao: Client) -> None:
    for some, none in (
        (bencao.species(), bencao.species("no such plant at all")),
        (bencao.formulas(), bencao.formulas("zzqxjk")),
        (bencao.herbs(), bencao.herbs("zzqxjk")),
        (bencao.papers(), bencao.papers("zzqxjk")),
        (bencao.patterns("pairs", minFormulas=5), bencao.patterns("pairs", dynasty="南北朝")),
    ):
        table = none.to_frame()
        assert table.shape[0] == 0
        assert list(table.columns) == list(some.to_frame().columns)
    empty, species = bencao.species("no such plant at all").to_frame(), bencao.species(pageSize=100).to_frame()
    assert empty[empty["family"] == "Araliaceae"].shape[0] == 0
    assert pandas.concat([empty, species])["entryId"].dtype == species["entryId"].dtype
    assert list(bencao.changes(bencao.version()["dataVersion"]).to_frame().columns)[:3] == ["kind", "guid", "change"]


def test_version_and_changes(bencao: Client) -> None:
    version = bencao.version()
    assert version["dataVersion"] == bencao.species().version
    assert list(bencao.changes(version["dataVersion"])) == []
    with pytest.raises(Problem) as refused:
        list(bencao.changes("20000101T000000Z-000000"))
    assert refused.value.type == "/problems/unknown-version"


def test_the_key_is_told_of_itself(bencao: Client) -> None:
    first, second = bencao.key(), bencao.key()
    assert "prescriptions" in first["scopes"] and not first["anonymous"]
    assert 0 < second["remaining"] < second["limit"] and 0 < second["reset"] <= 60


def test_records(bencao: Client) -> None:
    ginseng = bencao.one_species(GINSENG)
    assert ginseng["chineseName"] == "人参"
    assert len(bencao.flora(GINSENG)) == ginseng["floraTreatments"]
    assert len(bencao.uses(GINSENG)) == ginseng["useRecords"]
    assert len(bencao.species_papers(GINSENG)) == ginseng["papers"]
    assert len(bencao.species_formulas(GINSENG)) == ginseng["formulas"]
    formula = next(iter(bencao.formulas("桂枝汤")))
    ingredients = bencao.formula(formula["guid"])["ingredients"]
    assert [one["herb"] for one in ingredients][:2] == ["桂枝", "芍药"]
    rows = bencao.ingredients("桂枝汤", source=formula["originalSource"])
    assert [{**one, "formula": formula} for one in ingredients] == list(rows)[: len(ingredients)]
    assert ingredients[0]["dose"] == "三两" and ingredients[0]["grams"] == 41.4
    herb = next(iter(bencao.herbs("甘草")))
    assert len(bencao.herb_formulas(herb["id"])) == bencao.herb(herb["id"])["formulas"]
    paper = next(iter(bencao.papers("ginseng")))
    assert bencao.paper(paper["id"])["title"] == paper["title"]
    assert bencao.suggest("rensh")[0]["text"] == "人参"
    family = bencao.facets("species", ["family", "genus"], limit=3)[0]
    assert family["by"] == "family" and len(family["counts"]) == 3


def test_one_name(bencao: Client) -> None:
    answer = bencao.match_name("Panax ginsen", fuzzy=True)
    assert answer["results"][0]["acceptedName"] == "Panax ginseng"
    assert answer["results"][0]["matchType"] == "fuzzy"


def test_many_names_keep_their_order(bencao: Client) -> None:
    names = [one["scientificName"] for one in bencao.species()]
    shuffled = names[::-1] + ["", "Panax ginsen", names[0], "Nullius nusquam", "人参", "x" * 300]
    answers = bencao.match_names(shuffled)
    assert len(answers) == len(shuffled)
    found = [one and one["results"] and one["results"][0]["chineseName"] for one in answers[-6:]]
    assert found == [None, "人参", found[2], [], "人参", None]
    assert answers[len(names) - 1] == answers[-4]
    assert sum(one is not None and bool(one["results"]) for one in answers[: len(names)]) == len(names)


def test_a_table_of_names(bencao: Client) -> None:
    herbarium = pandas.DataFrame(
        {"taxon": ["Panax ginsen", None, "Salvia miltiorhiza"], "by": ["C.A.Mey.", None, "Bge."], "score": [1, 2, 3]},
        index=["a", "b", "c"],
    )
    hinted = pandas.DataFrame(
        {
            "taxon": ["Panax ginseng", "Xyzia nihil", "Mentha arvensis"],
            "family": ["五加科", "-", ""],
            "zh": ["人参", "丹参", None],
            "kingdom": ["Plantae", None, "Animalia"],
        }
    )
    matched = bencao.match(hinted, name="taxon", family="family", chinese_name="zh", kingdom="kingdom")
    assert list(matched["acceptedName"].fillna("")) == ["Panax ginseng", "Salvia miltiorrhiza", ""]
    assert matched["flags"][0] == "familyHint" and matched["score"][0] == 1
    assert bencao.match_names(["Panax ginseng"], kingdoms=["Animalia"])[0]["results"] == []

    matched = bencao.match(herbarium, name="taxon", author="by")
    assert list(matched.index) == ["a", "b", "c"]
    assert list(matched["score"]) == [1, 2, 3]
    assert list(matched["chineseName"].fillna("")) == ["人参", "", "丹参"]
    assert list(matched["candidates"]) == [1, 0, 1]
    assert matched["score_match"]["c"] == pytest.approx(0.97)
    assert matched["flags"]["c"] == "orthography"
    assert list(bencao.match(["甘草", "Mentha"])["name"]) == ["甘草", "Mentha"]
    assert bencao.match(pandas.Series(["甘草"], index=[7]))["acceptedName"][7] == "Glycyrrhiza uralensis"
    assert bencao.match([]).empty


def test_wrong_calls(bencao: Client) -> None:
    with pytest.raises(KeyError, match="there is no column 'name'; there are taxon"):
        bencao.match(pandas.DataFrame({"taxon": ["Poa"]}))
    with pytest.raises(ValueError, match="2 names have 1 authors"):
        bencao.match_names(["Poa annua", "Poa"], authors=["L."])
    with pytest.raises(Problem, match="limit"):
        bencao.match_names(["Poa annua", "Poa"], limit=99)


def test_errors_say_what_the_server_says(bencao: Client) -> None:
    with pytest.raises(Problem) as refused:
        list(bencao.species(pageSize=101))
    assert refused.value.status == 400
    assert refused.value.type == "/problems/bad-parameter"
    assert "pageSize" in str(refused.value)
    assert refused.value.instance
    with pytest.raises(Problem, match="404"):
        bencao.one_species("nobody/../..?x=#")
    with pytest.raises(Problem, match="403.*prescriptions"):
        list(Client(key=os.environ["OPEN_KEY"]).formulas())
    with pytest.raises(Problem, match="401"):
        Client(key="wrong").stats()


def test_a_key_may_be_in_a_file(tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch) -> None:
    file = os.path.join(tmp_path, "lab.key")
    with open(file, "w", encoding="ascii") as out:
        out.write(os.environ["BENCAO_API_KEY"] + "\n")
    monkeypatch.delenv("BENCAO_API_KEY")
    assert Client(key_file=file).stats()["plantTaxa"] > 0
    with pytest.raises(BencaoError, match="no key"):
        Client()
    monkeypatch.delenv("BENCAO_SERVER")
    with pytest.raises(BencaoError, match="no server"):
        Client(key_file=file)


def test_what_still_holds_is_not_sent_again() -> None:
    statuses: list[int] = []
    session = requests.Session()
    session.hooks["response"].append(lambda answer, **_: statuses.append(answer.status_code))
    bencao = Client(session=session)
    assert bencao.stats() == bencao.stats()
    assert statuses == [200, 304]


def test_a_server_that_is_not_there() -> None:
    naps: list[float] = []
    with pytest.raises(BencaoError, match="cannot be reached"):
        Client("http://127.0.0.1:9", key="any", tries=3, sleep=naps.append).stats()
    assert naps == [1, 1]


def test_half_an_answer_is_none() -> None:
    """A proxy that ends the first connection in the middle of the answer of the real server."""
    served: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            key = {"X-Api-Key": self.headers["X-Api-Key"]}
            answer = requests.get(os.environ["BENCAO_SERVER"] + self.path, headers=key, timeout=300)
            served.append(self.path)
            self.send_response(answer.status_code)
            for name in ("Content-Type", "ETag", "X-Data-Version"):
                self.send_header(name, answer.headers[name])
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content[: len(answer.content) // 2] if len(served) == 1 else answer.content)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Proxy) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{proxy.server_port}"
            with pytest.raises(BencaoError, match="half an answer"):
                Client(address, tries=1).stats()
            served.clear()
            naps: list[float] = []
            patient = Client(address, sleep=naps.append)
            assert patient.stats() == Client().stats() == patient.stats()
            assert naps == [1] and len(served) == 3
        finally:
            proxy.shutdown()
            thread.join()


def let_through(requests_a_minute: int) -> None:
    """Change the limit of the slow key and wait until the server uses it."""
    change = ["keys", "edit", "slow", "--access", os.environ["BENCAO_ACCESS"], "--rate", str(requests_a_minute)]
    subprocess.run([os.environ["BENCAO"], *change], check=True, capture_output=True)
    headers = {"X-Api-Key": os.environ["SLOW_KEY"]}
    while True:
        answer = requests.get(os.environ["BENCAO_SERVER"] + "/api/v1/stats", headers=headers, timeout=300)
        if answer.headers["X-RateLimit-Limit"] == str(requests_a_minute):
            return


def test_the_limit_is_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bencao")
    naps: list[float] = []
    slow = Client(key=os.environ["SLOW_KEY"], tries=2, sleep=naps.append)
    with pytest.raises(Problem) as refused:
        for _ in range(4):
            slow.stats()
    assert refused.value.status == 429
    assert len(naps) == 1 and 0 < naps[0] <= 60
    assert f"waiting {naps[0]} s" in caplog.text
    assert refused.value.retry_after is not None and refused.value.retry_after <= naps[0]


def test_after_the_wait_it_goes_on() -> None:
    patient = Client(key=os.environ["SLOW_KEY"], sleep=lambda seconds: let_through(6000))
    try:
        answers = patient.match_names(["人参"] + [f"Panax {n}" for n in range(99)])
    finally:
        let_through(3)
    assert len(answers) == 100 and answers[0] is not None
