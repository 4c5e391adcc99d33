# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts that the repository keeps, and what differs from them."""

import csv

import pytest

import store_verdicts
from conftest import ANALYSIS
from lfn.spec import PRESETS, load_figures
from lfn.stored import FOLDER, differences, read_verdicts, store

HEADER = "figure,claim,verdict,measured,low\n"


def write(build, *rows):
    (build / "figures").mkdir(parents=True, exist_ok=True)
    (build / "figures" / "verdicts.csv").write_text(HEADER + "".join(f"{row}\n" for row in rows))


def test_what_is_stored_does_not_differ(tmp_path):
    write(tmp_path, "a,one,reproduced,1.00000000001,0", 'b,two,not reproduced,"1; 2",0')
    store(tmp_path, "tiny", {"commit": "abc"}, tmp_path / "kept")
    assert differences(tmp_path, "tiny", ["a", "b"], tmp_path / "kept") == []
    assert differences(tmp_path, "quick", ["a", "b"], tmp_path / "kept") == []


def test_a_verdict_and_a_number_are_named(tmp_path):
    write(tmp_path, "a,one,reproduced,1,0", "a,two,reproduced,2,0", "b,gone,partly,3,0")
    store(tmp_path, "tiny", {}, tmp_path / "kept")
    write(tmp_path, "a,one,not reproduced,1,0", "a,two,reproduced,2.1,0", "a,new,partly,3,0")
    assert differences(tmp_path, "tiny", ["a"], tmp_path / "kept") == [
        "a new: partly, 3; was none",
        "a one: not reproduced, 1; was reproduced, 1",
        "a two: reproduced, 2.1; was reproduced, 2",
    ]
    assert "b gone: none; was partly, 3" in differences(
        tmp_path, "tiny", ["a", "b"], tmp_path / "kept"
    )


def test_without_a_campaign_there_is_one_line(tmp_path, capsys):
    assert store_verdicts.main(["--build", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_what_the_repository_keeps_is_of_claims_that_there_are(path):
    assert path.stem in PRESETS
    figures = load_figures(ANALYSIS / "figures")
    claims = {(figure.id, claim.id) for figure in figures.values() for claim in figure.claims}
    assert set(read_verdicts(path)) == claims
    with path.open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[1:] == sorted(rows[1:], key=lambda row: row[:2])
