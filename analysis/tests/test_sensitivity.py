# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts at other values of a parameter that was fitted or chosen."""

import re
from pathlib import Path

import pandas as pd
import pytest

import toy
from lfn.campaign import make_plan
from lfn.sensitivity import _range as range_of
from lfn.sensitivity import shown, variations
from lfn.spec import SpecError, load_figures
from lfn.toml_types import PRESETS
from lfn.units import scaled
from test_campaign import Campaign

FIGURES = Path(__file__).parents[1] / "figures"
BLOCK = """\
[sensitivity.factor]
value = 1
others = [1.05, 2, 3]
why = "Chosen."
[claims."""
FIGURE = toy.FIGURE.replace("runs = 2", "runs = {{ tiny = 1, quick = 2, full = 5 }}").replace(
    "[claims.", BLOCK
)
MORE = "factor = 1"


@pytest.fixture
def figures(tmp_path):
    toy.write_figure(tmp_path, more=MORE, figure=FIGURE)
    return load_figures(tmp_path)


def test_the_points_of_quick_with_other_values(figures):
    found = variations(figures["toy"])
    assert [one.value for one in found] == [1, 1.05, 2, 3]
    for one in found:
        args = [dict(point.args) for _, point in one.members]
        assert [(a["factor"], a["size"]) for a in args] == [
            (str(one.value), size) for size in "123"
        ]
        assert set(one.limits.values()) == {2}
        assert one.moved == set(one.limits)


def test_points_that_differ_are_varied_by_factors(tmp_path):
    """Each point has a multiple of its own value, and the used one as it stands in the file."""
    block = BLOCK.replace("value = 1\nothers = [1.05, 2, 3]", "factors = [0.5, 1.1]")
    block = block.replace(".factor]", ".size]", 1)
    figure = FIGURE.replace(BLOCK, block).replace("[1, 2, 3]", '["1kB", "2kB", "0.5MB"]')
    toy.write_figure(tmp_path, more=MORE, figure=figure)
    figure = load_figures(tmp_path)["toy"]
    sizes = {
        one.name: [dict(point.args)["size"] for _, point in one.members]
        for one in variations(figure)
    }
    assert sizes == {
        "0=1": ["1kB", "2kB", "0.5MB"],
        "0=0.5": ["0.5kB", "1kB", "0.25MB"],
        "0=1.1": ["1.1kB", "2.2kB", "0.55MB"],
    }
    toy.write_figure(
        tmp_path, more=MORE, figure=FIGURE.replace(BLOCK, block).replace("[1, 2, 3]", '["x"]')
    )
    with pytest.raises(SpecError, match="'x' is not a number with a unit"):
        load_figures(tmp_path)


def test_flags_that_a_value_needs(tmp_path):
    block = BLOCK.replace("others", 'also = {{ host = "custom" }}\nothers')
    toy.write_figure(tmp_path, more=MORE, figure=FIGURE.replace(BLOCK, block))
    for one in variations(load_figures(tmp_path)["toy"]):
        assert {dict(point.args)["host"] for _, point in one.members} == {"custom"}
        assert one.moved == set(one.limits)


def test_more_runs_than_the_quick_preset_has(tmp_path):
    block = BLOCK.replace("others", "runs = 4\nothers")
    toy.write_figure(tmp_path, more=MORE, figure=FIGURE.replace(BLOCK, block))
    figures = load_figures(tmp_path)
    for one in variations(figures["toy"]):
        assert set(one.limits.values()) == {4}
    assert len(make_plan(figures, ["toy"], "quick").points) == 3
    wished = make_plan(figures, ["toy"], "quick", True)
    assert [point.runs for point in wished.points.values()] == 12 * [4]


@pytest.mark.parametrize(
    ("text", "factor", "wanted"),
    [
        ("8333p", 0.1, "833p"),
        ("8333p", 4, "33332p"),
        ("4p", 0.1, "1p"),
        ("1500B", 0.75, "1125B"),
        ("65535B", 0.5, "32768B"),
        ("1500B", 1, "1500B"),
        ("1.5kB", 0.5, "0.75kB"),
        ("25ms", 0.1, "2.5ms"),
        ("5", 0.1, "0.5"),
    ],
)
def test_packets_and_bytes_stay_whole(text, factor, wanted):
    assert scaled(text, factor) == wanted


def test_all_points_of_all_figures_have_whole_packets_and_bytes():
    """A program refuses a queue of 833.3 packets, hours after the campaign began."""
    for figure in load_figures(FIGURES).values():
        pairs = [(one, preset) for one in figure.series for preset in PRESETS]
        points = [point for one, preset in pairs for point in one.points(preset)]
        points += [point for one in variations(figure) for _, point in one.members]
        for point in points:
            for name, value in point.args:
                assert not re.fullmatch(r"\d*\.\d+[pB]", value), (figure.id, name, value)


def test_only_the_full_preset_or_a_wish_varies(figures):
    assert len(make_plan(figures, ["toy"], "quick").points) == 3
    assert len(make_plan(figures, ["toy"], "full", False).points) == 3
    full = make_plan(figures, ["toy"], "full")
    assert sorted(point.runs for point in full.points.values()) == 9 * [2] + 3 * [5]
    assert full.only(["toy"]).points == full.points
    assert full.with_limits("toy", full.limits["toy"]).points == full.points
    assert len(full.points_of("toy")) == 12
    assert full.only([]).points == {}


def test_the_range_ends_where_the_verdict_changes():
    assert range_of([4, 1, 2, 8], ["a", "b", "a", "a"]) == [2, 8]
    assert range_of(["4ms", "1ms", "20ms"], ["a", "a", "b"]) == ["1ms", "4ms"]
    assert range_of(["x", "y", "z"], ["a", "b", "a"]) == ["x", "z"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('why = "Chosen."', "", r"sensitivity.factor.why: is missing"),
        ("value = 1\n", "value = 7\n", "factor: no point of quick has 7"),
        ("[1.05, 2, 3]", "[1]", "factor: others has the used value 1"),
        ("[1.05, 2, 3]", "[]", r"sensitivity.factor.others: must not be empty"),
        ("value = 1\nothers = [1.05, 2, 3]", "factors = [0]", "must be greater than 0"),
        ("value = 1\nothers = [1.05, 2, 3]", "factors = [1]", "factors has the used value 1"),
        ("value = 1\n", "", "factor: give value and others, or factors alone"),
        ("value = 1\n", "factors = [2]\n", "factor: give value and others, or factors alone"),
        ('why = "', 'claims = ["none"]\nwhy = "', "factor: claims has no 'none'"),
    ],
)
def test_mistakes_are_one_line(tmp_path, old, new, message):
    toy.write_figure(tmp_path, more=MORE, figure=FIGURE.replace(old, new))
    with pytest.raises(SpecError, match=message):
        load_figures(tmp_path)


def test_a_campaign_tells_where_a_verdict_ends(tmp_path):
    """The toy takes ``factor`` seconds a byte: its claim holds up to 1.1."""
    campaign = Campaign(tmp_path)
    program = campaign.build / "bin" / "toy-transfer"
    program.write_text(
        program.read_text().replace("(1 * float", '(float(flags.get("factor", 1)) * float')
    )
    toy.write_figure(tmp_path / "figures", more=MORE, figure=FIGURE)
    campaign.run("--sensitivity")
    table = pd.read_csv(campaign.build / "figures" / "toy" / "sensitivity.csv")
    assert list(table["verdict"]) == 2 * ["reproduced"] + 2 * ["not reproduced"]
    assert list(table["used"]) == [True, False, False, False]
    assert set(table["range"]) == {"1 to 1.05"}
    assert not table["survives"].any()
    (row,) = pd.read_csv(campaign.build / "figures" / "verdicts.csv").to_dict("records")
    assert (row["verdict"], row["as_run"]) == ("depends", "reproduced")
    assert row["depends_on"] == "factor: reproduced with 1 or 1.05, not with 2 or 3"
    report = campaign.build / "report"
    page = (report / "figure-toy.html").read_text()
    assert "<h3>Sensitivity</h3>" in page
    assert "--only=toy --sensitivity</code>" in page
    assert "<td>1 to 1.05</td>" in page
    assert "source does not say. factor: reproduced with 1 or 1.05, not with 2 or 3." in page
    assert (report / "data" / "toy" / "sensitivity.csv").is_file()
    assert "0 of 1 verdicts that rest on" in (report / "index.html").read_text()
    campaign.run()
    assert "<h3>Sensitivity</h3>" not in (report / "figure-toy.html").read_text()


def test_what_the_report_shows(tmp_path):
    """The values in ascending order; the table has the used one first."""
    block = BLOCK.replace("value = 1\n", "value = 2\n").replace("[1.05, 2, 3]", "[3, 1.05, 1]")
    figure = FIGURE.replace(BLOCK, block)
    toy.write_figure(tmp_path, more="factor = 2", figure=figure)
    figures = load_figures(tmp_path)
    values = [("2", True, 2.0), ("3", False, 3.0), ("1.05", False, 1.05), ("1", False, 1.0)]
    rows = [
        ("factor", claim, *value, verdict, survives, "")
        for claim, verdict, survives in (("other", "undecided", ""), ("factor", "reproduced", True))
        for value in values
    ]
    names = ("parameter", "claim", "value", "used", "measured", "verdict", "survives", "range")
    (block,) = shown(figures["toy"], pd.DataFrame(rows, columns=names))
    assert (block["value"], block["columns"]) == ("2", ["1", "1.05", "2 (used)", "3"])
    assert [(one["counts"], one["survives"]) for one in block["claims"]] == [
        (False, False),
        (True, True),
    ]
    assert [one["measured"] for one in block["claims"][1]["found"]] == [1.0, 1.05, 2.0, 3.0]
