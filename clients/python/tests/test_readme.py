"""Runs the code in the README."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib
import pytest

README = Path(__file__).parent.parent / "README.md"


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(README), "exec"), scope)
    said = capsys.readouterr().out
    for expected in ("人参 Panax ginseng", "forgiven; how=sameSound", "Reynoutria multiflora", "400 /problems/bad-parameter"):
        assert expected in said
    assert len(scope["sure"]) == 4  # type: ignore[arg-type]
    assert (tmp_path / "renshen.png").read_bytes().startswith(b"\x89PNG")
