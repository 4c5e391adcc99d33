# SPDX-License-Identifier: GPL-2.0-only
"""The findings of the front page rest on sound claims."""

import csv
import re

import pytest

from conftest import ANALYSIS
from lfn.spec import Findings, check, load_figures, read_toml

FIGURES = load_figures(ANALYSIS / "figures")
FILE = ANALYSIS / "figures" / "findings.toml"
PAPERS = check(Findings, read_toml(FILE, FILE.name), FILE.name).paper
CLAIMS = [
    (paper.name, *pair.split())
    for paper in PAPERS
    for pair in re.findall(r"\{([^{}]*)\}", paper.finding)
]


def _is_sound(claim):
    """Check whether a finding may rest on a claim: nothing is fitted or chosen to the result."""
    return (
        (claim.origin, claim.evidence, claim.calibration) == ("paper", "simulation", "")
        and (claim.fitted_to, claim.variant_of) == ((), "")
        and claim.band in ("paper", "derived", "chosen before")
    )


@pytest.mark.parametrize(("paper", "figure", "name"), CLAIMS)
def test_a_finding_rests_on_what_the_paper_says(paper, figure, name):
    """Of that paper, judged by simulation."""
    assert FIGURES[figure].paper == paper
    assert _is_sound(FIGURES[figure].claims_by_id[name])


def test_what_a_finding_rests_on_is_kept_as_reproduced():
    """Unless nothing of the paper's that is sound is: then its page says what does not hold."""
    with (ANALYSIS / "stored" / "full" / "verdicts.csv").open(newline="") as stream:
        kept = {(row["figure"], row["claim"]): row["verdict"] for row in csv.DictReader(stream)}
    held = {
        FIGURES[figure].paper
        for (figure, name), verdict in kept.items()
        if verdict == "reproduced" and _is_sound(FIGURES[figure].claims_by_id[name])
    }
    assert {kept[figure, name] for paper, figure, name in CLAIMS if paper in held} == {"reproduced"}
    assert {paper.name for paper in PAPERS} - held <= {"UDT (Computer Networks 2007)"}


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_questions_are_answered_by_claims_of_the_paper_that_count(paper):
    assert paper.question
    for question in paper.question:
        assert question.text.endswith("?")
        for figure, name in map(str.split, question.claims):
            claim = FIGURES[figure].claims_by_id[name]
            assert FIGURES[figure].paper == paper.name
            assert (claim.origin, claim.calibration) == ("paper", "")
