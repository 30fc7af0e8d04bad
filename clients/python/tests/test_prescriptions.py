"""Tests the reader of the results of "bencao prescriptions"."""

from __future__ import annotations

from pathlib import Path

from bencao import prescriptions
from bencao.prescriptions import TABLES


def test_ids_and_doses_stay_texts(tmp_path: Path) -> None:
    for table in TABLES:
        (tmp_path / f"{table}.csv").write_text("\ufeffprescription,dose,drug\n001,10,麻黄\n002,,桂枝\n", encoding="utf-8")
    result = prescriptions(tmp_path)
    assert set(result) == set(TABLES)
    assert list(result["drugs"]["prescription"]) == ["001", "002"]
    assert result["drugs"]["dose"][0] == "10" and result["drugs"]["dose"].isna()[1]
