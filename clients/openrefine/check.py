"""Reconciles 500 names in a real OpenRefine and compares the results.

The script starts OpenRefine and "bencao reconcile" on free ports. The latter uses
the server that ../with-server starts.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any

try:
    import requests
except ModuleNotFoundError:
    print("SKIPPED, NOT PASSED: OpenRefine was not tried: Python has no module requests (Debian: apt install python3-requests)")
    sys.exit(1 if os.environ.get("CI") else 0)

ENGINE = {"facets": [], "mode": "row-based"}

#: The fetched properties with the columns that OpenRefine makes from them.
PROPERTIES = {"chineseName": "Chinese name", "wcvpId": "WCVP id", "wfoId": "World Flora Online id", "taxonStatus": "Status"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until_answered(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait for a server to answer."""
    while process.poll() is None:
        try:
            requests.get(address, timeout=120)
            return
        except requests.ConnectionError:
            time.sleep(0.2)
    raise SystemExit(f"{address} ended before it answered")


class Refine:
    """The HTTP interface of OpenRefine."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.session = requests.Session()

    def command(self, name: str, **data: Any) -> requests.Response:
        token = self.session.get(self.address + "/command/core/get-csrf-token", timeout=60).json()["token"]
        files = data.pop("files", None)
        response = self.session.post(
            f"{self.address}/command/core/{name}", params={"csrf_token": token, **data.pop("params", {})},
            data=data, files=files, timeout=300,
        )  # fmt: skip
        response.raise_for_status()
        return response

    def project(self, name: str, table: str) -> str:
        options = json.dumps({"separator": ",", "headerLines": 1, "encoding": "UTF-8", "guessCellValueTypes": False})
        made = self.command(
            "create-project-from-upload", files={"project-file": ("names.csv", table.encode(), "text/csv")},
            params={"options": options}, **{"project-name": name, "format": "text/line-based/*sv"},
        )  # fmt: skip
        found = re.search(r"project=(\d+)", made.url)
        if not found:
            raise SystemExit(f"no project was made: {made.url}: {made.text[:500]}")
        return found[1]

    def apply(self, project: str, operation: dict[str, Any]) -> None:
        """Do one operation and wait for its end."""
        answer = self.command("apply-operations", project=project, operations=json.dumps([operation])).json()
        if answer["code"] == "error":
            raise SystemExit(f"{operation['op']}: {answer}")
        while True:
            state = self.session.get(
                self.address + "/command/core/get-processes", params={"project": project}, timeout=60
            ).json()
            if state.get("exceptions"):
                raise SystemExit(f"{operation['op']}: {state['exceptions']}")
            if not state["processes"]:
                return
            time.sleep(0.2)

    def export(self, project: str) -> list[dict[str, str]]:
        answer = self.command("export-rows", project=project, engine=json.dumps(ENGINE), format="tsv")
        return list(csv.DictReader(io.StringIO(answer.content.decode()), delimiter="\t"))


def names(server: str, key: str) -> list[tuple[str, str]]:
    """Return 500 names as users write them, each with the guid of its species."""
    headers = {"X-Api-Key": key}
    listed = []
    for page in (1, 2, 3):
        answer = requests.get(f"{server}/api/v1/species?pageSize=100&page={page}", headers=headers, timeout=30)
        listed += answer.json()["items"]
    rows = []
    for species in listed:
        rows.append((f"{species['scientificName']} {species['author'] or ''}".strip(), species["guid"]))
    for species in listed:
        if species["chineseName"]:
            rows.append((species["chineseName"], species["guid"]))
    return rows[:500]


def main() -> None:
    server, key = os.environ["BENCAO_SERVER"], os.environ["BENCAO_API_KEY"]
    work = tempfile.mkdtemp()
    service, refine = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
    host = service.removeprefix("http://")
    log = open(os.path.join(work, "log"), "wb")
    processes = [
        subprocess.Popen([os.environ["BENCAO"], "reconcile", "--server", server, "--listen", host], stderr=log, start_new_session=True),
        subprocess.Popen(
            ["openrefine", "-i", "127.0.0.1", "-p", refine.rsplit(":", 1)[1], "-d", work, "-x", "refine.headless=true"],
            stdout=log, stderr=log, start_new_session=True,
        ),
    ]  # fmt: skip
    try:
        until_answered(service, processes[0])
        until_answered(refine, processes[1])
        check(Refine(refine), service, names(server, key))
    except BaseException:
        log.flush()
        sys.stderr.write(open(log.name, encoding="utf-8", errors="replace").read()[-4000:])
        raise
    finally:
        for process in processes:
            os.killpg(process.pid, signal.SIGTERM)  # the group, since OpenRefine is a shell script that starts Java
        for process in processes:
            process.wait()
        log.close()
        shutil.rmtree(work, ignore_errors=True)


def check(refine: Refine, service: str, rows: list[tuple[str, str]]) -> None:
    table = io.StringIO()
    csv.writer(table).writerows([("name", "expected"), *rows])
    began = time.monotonic()
    project = refine.project("names", table.getvalue())
    manifest = requests.get(service, timeout=30).json()
    refine.apply(project, {
        "op": "core/recon", "engineConfig": ENGINE, "columnName": "name",
        "config": {
            "mode": "standard-service", "service": service + "/", "identifierSpace": manifest["identifierSpace"],
            "schemaSpace": manifest["schemaSpace"], "type": None, "autoMatch": True, "columnDetails": [], "limit": 0,
        },
    })  # fmt: skip
    refine.apply(project, {"op": "core/recon-match-best-candidates", "engineConfig": ENGINE, "columnName": "name"})
    refine.apply(project, {
        "op": "core/extend-reconciled-data", "engineConfig": ENGINE, "baseColumnName": "name", "columnInsertIndex": 1,
        "endpoint": service + "/", "identifierSpace": manifest["identifierSpace"], "schemaSpace": manifest["schemaSpace"],
        "extension": {"properties": [{"id": one, "name": one} for one in PROPERTIES]},
    })  # fmt: skip
    refine.apply(project, {
        "op": "core/column-addition", "engineConfig": ENGINE, "baseColumnName": "name", "newColumnName": "guid",
        "columnInsertIndex": 1, "expression": "grel:cell.recon.match.id", "onError": "set-to-blank",
    })  # fmt: skip
    out = refine.export(project)
    print(f"{len(out)} rows in {time.monotonic() - began:.0f} s; the first:", out[0])
    wrong = [row for row in out if row["guid"] != row["expected"]]
    for row in wrong[:20]:
        print("not as expected:", row)
    if len(out) != len(rows) or len(rows) != 500:
        raise SystemExit(f"{len(rows)} names went in and {len(out)} rows came out, want 500")
    if len(wrong) > 0.02 * len(out):
        raise SystemExit(f"{len(wrong)} of {len(out)} names lead to another species, want at most 2 in 100")
    for label in PROPERTIES.values():
        column = next((header for header in out[0] if header.startswith(label)), None)
        filled = sum(bool(column and row[column]) for row in out)
        print(f"{column}: {filled} of {len(out)}")
        if filled < 0.8 * len(out):
            raise SystemExit(f"{label} was fetched for {filled} rows of {len(out)}, want at least 4 in 5")


main()
