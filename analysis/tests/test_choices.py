# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts that depend on what the source does not say."""

import pandas as pd
import pytest

import toy
from lfn.choices import decided
from lfn.spec import SpecError, load_figures

BLOCK = """\
[sensitivity.factor]
value = 1
others = [1.05, 2, 3]
why = "Chosen."
[claims."""
VALUES = ("1", "1.05", "2", "3")
R, P, N, U = "reproduced", "partly", "not reproduced", "undecided"


@pytest.fixture(name="figure")
def toy_figure(tmp_path):
    toy.write_figure(tmp_path, more="factor = 1", figure=toy.FIGURE.replace("[claims.", BLOCK))
    return load_figures(tmp_path)["toy"]


def table(*verdicts):
    """The sensitivity table of the toy's claim with these verdicts, the used one first."""
    rows = [
        ("factor", "factor", value, value == "1", verdict)
        for value, verdict in zip(VALUES, verdicts, strict=True)
    ]
    return pd.DataFrame(rows, columns=["parameter", "claim", "value", "used", "verdict"])


def row(verdict, **more):
    return {"claim": "factor", "verdict": verdict, **more}


@pytest.mark.parametrize(
    ("as_run", "verdicts", "words"),
    [
        (R, (R, R, N, P), "factor: reproduced with 1 or 1.05, not with 2 or 3"),
        (N, (N, N, N, R), "factor: reproduced with 3, not with 1, 1.05 or 2"),
        (P, (P, R, U, P), "factor: reproduced with 1.05, not with 1 or 3"),
        (U, (U, R, U, N), "factor: reproduced with 1.05, not with 3"),
        (R, (U, U, U, N), "factor: reproduced with 1, not with 3"),
        (R, (R, R, R, U), ""),
        (R, (R, R, R, R), ""),
        (N, (N, P, N, U), ""),
        (U, (U, R, U, R), ""),
    ],
)
def test_both_outcomes_make_a_verdict_depend(figure, as_run, verdicts, words):
    """The used value has the verdict of the figure itself, which has more runs."""
    (found,) = decided(figure, [row(as_run)], table(*verdicts))
    assert found["depends_on"] == words
    assert found["verdict"] == ("depends" if words else as_run)
    assert found["as_run"] == as_run
    assert decided(figure, [found], table(*verdicts)) == [found], "it is decided once"


@pytest.mark.parametrize("verdict", ["refuted", "needs --full", "not run"])
def test_what_no_run_decides_depends_on_nothing(figure, verdict):
    (found,) = decided(figure, [row(verdict)], table(R, R, N, N))
    assert (found["verdict"], found["depends_on"]) == (verdict, "")


def test_without_other_values_a_verdict_stands(figure):
    (found,) = decided(figure, [row(R)])
    assert (found["verdict"], found["as_run"], found["depends_on"]) == (R, R, "")


def test_factors_are_named_as_such(tmp_path):
    block = BLOCK.replace("value = 1\nothers = [1.05, 2, 3]", "factors = [1.05, 2, 3]")
    toy.write_figure(tmp_path, more="factor = 1", figure=toy.FIGURE.replace("[claims.", block))
    (found,) = decided(load_figures(tmp_path)["toy"], [row(R)], table(R, R, N, U))
    assert found["depends_on"] == (
        "factor: reproduced with the used one or 1.05 of the used one, not with 2 of the used one"
    )


def test_a_value_that_the_source_prints_is_no_choice(tmp_path):
    block = BLOCK.replace("value = 1", "printed = true\nvalue = 1")
    toy.write_figure(tmp_path, more="factor = 1", figure=toy.FIGURE.replace("[claims.", block))
    (found,) = decided(load_figures(tmp_path)["toy"], [row(R)], table(R, R, N, N))
    assert (found["verdict"], found["depends_on"]) == (R, "")


VARIANT = """
[claims.longer]
statement = "The same."
variant_of = "factor"
choice = "a longer queue"
low = 1
"""


def figure_with(tmp_path, text):
    toy.write_figure(tmp_path, figure=toy.FIGURE + text)
    return load_figures(tmp_path)["toy"]


@pytest.mark.parametrize(
    ("mine", "other", "words"),
    [
        (N, R, "reproduced with a longer queue, not with the values as run"),
        (R, P, "reproduced with the values as run, not with a longer queue"),
        (R, R, ""),
        (R, U, ""),
    ],
)
def test_a_variant_decides_the_claim_that_it_varies(tmp_path, mine, other, words):
    figure = figure_with(tmp_path, VARIANT)
    rows = [row(mine), {"claim": "longer", "verdict": other}]
    first, second = decided(figure, rows)
    assert first["depends_on"] == words
    assert first["verdict"] == ("depends" if words else mine)
    assert second["verdict"] == other, "the variant itself stays as it is"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('choice = "a longer queue"\n', "", "variant_of and choice need each other"),
        ('variant_of = "factor"\n', "", "variant_of and choice need each other"),
        ('"factor"', '"none"', "longer.variant_of: 'none' is no other claim"),
        ('"factor"', '"longer"', "longer.variant_of: 'longer' is no other claim"),
    ],
)
def test_mistakes_about_variants_are_one_line(tmp_path, old, new, message):
    with pytest.raises(SpecError, match=message):
        figure_with(tmp_path, VARIANT.replace(old, new))
