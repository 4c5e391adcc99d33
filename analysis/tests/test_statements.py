# SPDX-License-Identifier: GPL-2.0-only
"""What papers state: each statement counts once, and none is forgotten."""

import pytest

from conftest import ANALYSIS
from lfn.spec import SpecError, load_figures
from lfn.statements import alongside, as_csv, is_sound, judged, read, verdict_of

FIGURES = load_figures(ANALYSIS / "figures")
STATEMENTS = read(ANALYSIS / "figures")
R, P, N, D, U = "reproduced", "partly", "not reproduced", "depends", "undecided"


def named(*origins):
    """The claims of these origins, with the paper of their figure."""
    return {
        f"{figure.id}.{claim.id}": figure.paper
        for figure in FIGURES.values()
        for claim in figure.claims
        if claim.origin in origins
    }


def test_every_claim_of_a_paper_belongs_to_a_statement():
    listed = {claim for one in STATEMENTS for claim in one.claims}
    assert sorted(named("paper").keys() - listed) == []


def test_statements_name_claims_of_their_paper():
    papers = named("paper", "derived")
    wrong = [c for one in STATEMENTS for c in one.claims if papers.get(c) != one.paper]
    assert wrong == []


def test_the_csv_file_is_made_of_the_list():
    text = (ANALYSIS / "statements.csv").read_text(encoding="utf-8")
    assert text == as_csv(STATEMENTS), "python -m lfn statements > analysis/statements.csv"


def test_statements_stand_alongside_the_figures(tmp_path):
    assert alongside(FIGURES) == STATEMENTS
    assert read(tmp_path) == ()
    assert alongside({}) == ()


ONE = '[[statement]]\nid = "1"\npaper = "P"\nplace = "s"\ntext = "t"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ONE, "1: give claims, or in none why there are none"),
        (ONE + 'claims = ["f.a"]\nnone = "no"\n', "1: give claims, or in none why there are none"),
        (2 * (ONE + 'none = "no"\n'), "statement 1 stands twice"),
        (
            ONE + 'claims = ["f.a"]\n' + ONE.replace('"1"', '"2"') + 'claims = ["f.a"]\n',
            "claim f.a stands twice",
        ),
        (ONE + 'none = "no"\nclaim = 1\n', "claim: is not a known key"),
    ],
)
def test_mistakes_are_one_line(tmp_path, text, message):
    (tmp_path / "statements.toml").write_text(text)
    with pytest.raises(SpecError, match=message):
        read(tmp_path)


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ([R, R], R),
        ([N, N], N),
        ([R, N], P),
        ([R, P], P),
        ([N, P], P),
        ([N, U], N),
        ([P, U], P),
        ([D, N], P),
        ([R, D], D),
        ([D, U], D),
        ([R, U], U),
        (["refuted", "refuted"], "refuted"),
        (["refuted", R], P),
        ([R, "needs --full"], "needs --full"),
    ],
)
def test_a_statement_has_the_verdict_of_its_claims(verdicts, whole):
    assert verdict_of(verdicts) == verdict_of(verdicts[::-1]) == whole


def row(figure, claim, verdict=R, **more):
    return {
        "figure": figure,
        "claim": claim,
        "verdict": verdict,
        "paper": "P",
        "place": "s",
        "statement": "t",
        "kind": "number",
        "published": "18 Mb/s",
        "fitted_to": "",
        "band": "chosen before",
        **more,
    }


def test_claims_of_a_statement_are_counted_once(tmp_path):
    (tmp_path / "statements.toml").write_text(ONE + 'claims = ["a.x", "b.y"]\n')
    rows = [row("a", "x"), row("c", "z", N), row("b", "y", D)]
    first, second = judged(rows, read(tmp_path))
    assert (first.statement.id, first.verdict, len(first.rows)) == ("1", D, 2)
    assert (second.statement.id, second.verdict, second.sound) == ("c.z", N, False)


@pytest.mark.parametrize(
    ("changes", "sound"),
    [
        ({}, True),
        ({"band": "paper"}, True),
        ({"band": "chosen after"}, False),
        ({"fitted_to": "Table 1"}, False),
        ({"published": "very close"}, False),
        ({"kind": "order"}, False),
    ],
)
def test_a_sound_claim_is_about_a_printed_number(changes, sound):
    assert is_sound(row("a", "x", **changes)) == sound
    (one,) = judged([row("a", "x", **changes)], ())
    assert one.sound == sound
