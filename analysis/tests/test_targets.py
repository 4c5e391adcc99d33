# SPDX-License-Identifier: GPL-2.0-only
"""Runs added until intervals are narrow, and budgets: on the toy program, and as functions."""

import json
import math
import os
import re
import shutil

import pandas as pd
import pytest

import toy
from conftest import claim_of
from draw_figure import day_of_last_run, describe_runs
from lfn.budget import Need, choose, parse_budget, wall_seconds, widths
from lfn.campaign import Plan, fingerprints_of, make_plan, runs_there
from lfn.claims import Measured, judge
from lfn.results import Results, mean_interval
from lfn.runner import run_point
from lfn.spec import SpecError, load_figure, load_figures
from lfn.targets import grown, nearness, needed, next_runs
from test_campaign import Campaign

NOISY = """\
from lfn.claims import Measured
from lfn.results import mean_interval


def factor(results):
    rows = results.rows("line")
    mean, half = mean_interval(1 + (rows["run"] % 2 - 0.5) * 0.2)
    return Measured.one(mean, len(rows), half)
"""


def aim(campaign, half_width, most_runs=100, more=""):
    """Give the toy's claim a noise of 0.1 and a half width to reach."""
    toy.write_figure(campaign.figures, more=more)
    path = campaign.figures / "toy" / "figure.toml"
    text = path.read_text() + f"half_width = {half_width}\nmost_runs = {most_runs}\n"
    path.write_text(text)
    (campaign.figures / "toy" / "claims.py").write_text(NOISY)


def test_how_many_runs_come_next():
    assert next_runs(10, 0.1, 0.1, 100) == 10
    assert next_runs(1, 0.0, 0.1, 100) == 2
    assert next_runs(10, 0.12, 0.1, 100) == 16
    assert next_runs(10, 9.9, 0.1, 100) == 40
    assert next_runs(10, 9.9, 0.1, 25) == 25
    assert next_runs(30, 9.9, 0.1, 25) == 30
    for unknown in (math.nan, math.inf):
        assert next_runs(10, unknown, 0.1, 100) == 40
        assert next_runs(10, unknown, 0.1, 25) == 25
    assert next_runs(10, 1e300, 1e-300, 100) == 40


def stated(low, high):
    return claim_of(origin="paper", published="p", band="paper", low=low, high=high)


@pytest.mark.parametrize(
    ("value", "half", "low", "high", "first", "runs"),
    [
        (1.039, 0.032, -math.inf, 1.05, 15, 60),  # undecided at an only edge
        (6.55, 0.904, 7.0, 11.0, 20, 80),
        (1.039, 0.032, 1.0, math.inf, 15, 45),  # decided, but not by an interval twice as wide
        (1.039, 0.032, 0.9, 1.2, 15, 15),
        (1.039, 0.019, 1.0, math.inf, 15, 15),
        (1.0, 0.1, 1.0, 2.0, 10, 40),  # on the edge
        (1.0, 0.0, 1.0, 2.0, 10, 10),  # nothing is random
        (1.0, math.nan, 1.0, 2.0, 1, 2),
        (1.0, math.nan, -math.inf, math.inf, 2, 8),
        (math.inf, math.nan, 1.0, 2.0, 10, 10),  # more runs do not help
        (math.nan, math.nan, 1.0, 2.0, 10, 10),
        (1.039, 0.032, -math.inf, 1.05, 30, 100),  # most_runs
        (1.039, 0.032, -math.inf, 1.05, 300, 300),
    ],
)
def test_a_statement_near_an_edge_gets_more_runs(value, half, low, high, first, runs):
    found = Measured.one(value, first, half)
    assert needed(stated(low, high), found, first, first) == runs


def test_the_part_nearest_to_an_edge_asks_for_runs():
    parts, errors = {"a": 5.0, "b": 1.5, "c": 9.9}, {"a": 1.0, "b": 1.0}
    assert nearness(stated(1.0, 10.0), Measured(parts, 9, errors)) == 2.0
    assert nearness(stated(1.0, 10.0), Measured(parts, 9)) == 0.0
    tried = [needed(stated(1.0, 10.0), Measured(parts, 9, errors), n, 5) for n in (5, 12, 20, 30)]
    assert tried == [20, 20, 20, 30], "four times the planned 5 are all"


@pytest.mark.parametrize(("most", "first", "runs"), [(100, 5, 80), (40, 5, 40), (100, 90, 90)])
def test_what_single_runs_judge_gets_a_fixed_number(most, first, runs):
    """Of any verdict: to add some only where it is open would be a second chance to err."""
    keys = {"origin": "paper", "published": "p", "band": "paper", "low": 0.0, "high": 1.0}
    one = claim_of(**keys, published_runs=1, published_value=0.5, most_runs=most)
    for singles in ([0.5] * first, [7.0] * first):
        found = Measured({"": singles[0]}, first, {"": 0.01}, singles={"": singles})
        assert needed(one, found, first, first) == runs


def test_runs_are_added_until_the_interval_is_narrow(tmp_path):
    campaign = Campaign(tmp_path)
    aim(campaign, 0.05)
    text, runs = campaign.run()
    assert "3 points get more runs" in text
    made = len(runs)
    assert made == len(set(runs)) > 6, "a run that was there is not made again"
    manifests = [json.loads((p / "manifest.json").read_text()) for p in campaign.results()]
    count = manifests[0]["runs"]
    assert [m["runs"] for m in manifests] == [count] * 3
    assert made == 3 * count
    rows = pd.read_csv(campaign.results()[0] / "summary.csv")
    assert list(rows["run"]) == list(range(1, count + 1))
    verdicts = pd.read_csv(campaign.build / "figures" / "verdicts.csv", keep_default_na=False)
    assert list(verdicts["runs"]) == [made]
    assert "half width" not in verdicts["reason"][0]
    # The same again has nothing to do; from nothing it comes to the same bytes.
    text, runs = campaign.run()
    assert runs == []
    assert "nothing to run" in text
    before = (campaign.results()[0] / "summary.csv").read_bytes()
    shutil.rmtree(campaign.build / "results")
    _, runs = campaign.run()
    assert len(runs) == made
    assert (campaign.results()[0] / "summary.csv").read_bytes() == before
    # Without the aim, the runs that are too many stay and are not shown.
    toy.write_figure(campaign.figures)
    text, runs = campaign.run()
    assert runs == []
    table = pd.read_csv(campaign.build / "figures" / "toy" / "toy.csv")
    assert list(table["runs"]) == [2, 2, 2]


def test_what_is_not_reached_is_said(tmp_path):
    campaign = Campaign(tmp_path)
    aim(campaign, 0.001, most_runs=3)
    _, runs = campaign.run()
    assert len(runs) == 9
    verdicts = pd.read_csv(campaign.build / "figures" / "verdicts.csv")
    assert re.search(r"95 % half width 0\.\d+ above the wanted 0\.001", verdicts["reason"][0])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("half_width = -1", "half_width: must be greater than 0"),
        ("half_width = nan", "half_width: must be a finite number"),
        ("half_width = { full = inf }", "half_width.full: must be a finite number"),
        ("series = [['line']]", r"claims.factor.series\[1\]: must be a text"),
        ("half_width = { huge = 1 }", "half_width.huge: 'huge' must be 'tiny'"),
        ("half_width = 1\nmost_runs = 0", "most_runs: must be greater than 0"),
        ("series = ['other']", "claims: factor.series: 'other' is no series"),
    ],
)
def test_mistakes_in_figure_toml(tmp_path, line, message):
    toy.write_figure(tmp_path)
    path = tmp_path / "toy" / "figure.toml"
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(SpecError, match=message):
        load_figure(tmp_path / "toy")


def test_budget_takes_the_important_then_the_long():
    figures = {"a": [("s", "1")], "b": [("s", "2")], "c": [("s", "3")], "d": [("s", "4")]}
    plan = Plan("quick", figures, {}, {})
    importance = {"a": 0, "b": 0, "c": 1, "d": 0}
    needs = {"1": Need(50.0), "2": Need(40.0), "3": Need(30.0)}
    chosen, rest = choose(plan, importance, needs, 1, 75.0)
    assert chosen == ["b", "c", "d"]  # c first, a does not fit then, b does, d needs no run
    assert rest == {"a": 50.0}
    assert choose(plan, importance, needs, 2, 75.0)[0] == ["a", "b", "c", "d"]
    shared = {"a": [("s", "1")], "b": [("s", "1"), ("s", "2")]}
    plan = Plan("quick", shared, {}, {})
    assert choose(plan, {"a": 0, "b": 0}, {"1": Need(50.0), "2": Need(10.0)}, 1, 60.0)[1] == {}
    assert parse_budget("30min") == 1800
    assert parse_budget("2h") == 7200
    # Sums do not depend on the order of points.
    tiny = {"1": Need(1e16), "2": Need(1.0), "3": Need(-1e16), "4": Need(1.0)}
    assert wall_seconds("1234", tiny, 1) == wall_seconds("1324", tiny, 1)
    for text in ("30", "0s", "10MB", "soon", "1e999s"):
        with pytest.raises(ValueError, match="no"):
            parse_budget(text)


def test_a_point_that_would_outlast_all_others_runs_several_at_a_time():
    needs = {"long": Need(600.0, 10), "two": Need(600.0, 2), "short": Need(10.0, 20)}
    assert widths(needs, 1) == {"long": 1, "two": 1, "short": 1}
    assert widths(needs, 2) == {"long": 1, "two": 1, "short": 1}  # 605 s for all
    assert widths(needs, 4) == {"long": 2, "two": 2, "short": 1}  # 302.5 s
    assert widths(needs, 100) == {"long": 10, "two": 2, "short": 1}
    assert widths({"long": Need(600.0, 10)}, 3) == {"long": 3}
    assert widths({}, 2) == {}
    assert widths({"done": Need(0.0, 3)}, 2) == {"done": 1}
    # None is over before its longest run, however many there are at a time.
    assert wall_seconds(needs, needs, 2) == 605.0
    assert wall_seconds(needs, needs, 100) == 300.0


def test_what_does_not_fit_is_reported(tmp_path):
    campaign = Campaign(tmp_path)
    other = tmp_path / "figures" / "other"
    shutil.copytree(tmp_path / "figures" / "toy", other)
    text = (other / "figure.toml").read_text()
    text = text.replace('id = "toy"', 'id = "other"').replace('["toy"]', '["other"]')
    text = text.replace("seconds = 0.1", "seconds = 1000").replace("[1, 2, 3]", "[4, 5]")
    (other / "figure.toml").write_text(text)
    text, runs = campaign.run("--budget", "60s")
    assert runs == sorted(f"{size} {run}" for size in (1, 2, 3) for run in (1, 2))
    assert "not run, over the budget of 60s: other (33 min 20 s)" in text
    verdicts = pd.read_csv(campaign.build / "figures" / "verdicts.csv")
    assert list(verdicts["verdict"]) == ["reproduced", "not run"]
    page = (campaign.build / "report" / "index.html").read_text()
    assert "Not run, for lack of time: other." in page
    # The same again does the same; another budget is reported though nothing is run.
    text, runs = campaign.run("--budget", "61s")
    assert runs == []
    assert "the budget of 61s" in (campaign.build / "figures" / "verdicts.csv").read_text()
    text, _ = campaign.run("--budget", "soon", status=1)
    assert text == "figures: --budget=soon: give a time, such as 30min or 2h\n"
    text, _ = campaign.run("--budget", "1s", "--only", "other", status=1)
    assert text == "figures: --budget=1s: no figure fits; other takes 33 min 20 s\n"


class Made:
    """Figures whose points are run here and now, without a campaign."""

    def __init__(self, folder):
        self.build = folder / "build"
        self.figures = folder / "figures"
        toy.write_program(self.build)
        aim(self, 0.03)

    def copy(self, name, *changes):
        """Add the toy figure under another name, with other lines."""
        shutil.copytree(self.figures / "toy", self.figures / name)
        path = self.figures / name / "figure.toml"
        text = path.read_text().replace('id = "toy"', f'id = "{name}"', 1)
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)

    def plan(self, *only, preset="quick"):
        figures = load_figures(self.figures)
        return figures, make_plan(figures, only or list(figures), preset)

    def run(self, plan):
        prints = fingerprints_of(self.build, plan)
        for name, point in plan.points.items():
            program = self.build / "bin" / point.program
            run_point(program, point, self.build / "results" / name, prints[point.program])

    def grow(self, figures, plan, **more):
        prints = fingerprints_of(self.build, plan)

        def there(name):
            return runs_there(self.build, name, plan.points[name], prints)

        return grown(plan, figures, self.build, there, **more)


@pytest.fixture(name="made")
def made_here(tmp_path):
    return Made(tmp_path)


def test_growth_does_not_depend_on_the_selection(made):
    """A point that two figures share shows in each as many runs as its own claims ask for."""
    made.copy("other", ("half_width = 0.03", "half_width = 0.09"))
    figures, plan = made.plan()
    made.run(plan)
    for _ in range(3):
        plan, _ = made.grow(figures, plan)
        made.run(plan)
    for name in ("toy", "other"):
        alone = made.plan(name)[1]
        alone, _ = made.grow(figures, alone)
        assert alone.limits[name] == plan.limits[name]
    toy_runs, other_runs = (set(plan.limits[name].values()) for name in ("toy", "other"))
    assert min(toy_runs) > max(other_runs) > 2
    assert {point.runs for point in plan.points.values()} == toy_runs


@pytest.mark.parametrize(
    ("preset", "old", "new", "runs"),
    [
        ("full", "", "", 8),
        ("full", "high = 1.1", "high = 9.0", 2),
        ("full", "high = 1.1", "high = inf", 8),
        ("full", 'origin = "paper"', 'origin = "derived"', 8),
        ("full", 'origin = "paper"', 'origin = "literature"', 2),
        ("full", "low = 0.9", 'low = 0.9\ncalibration = "fit"', 2),
        ("quick", "", "", 2),
    ],
)
def test_an_undecided_statement_of_a_paper_gets_more_runs(made, preset, old, new, runs):
    """Without a half_width: in full, up to four times the planned runs, by the nearest edge."""
    path = made.figures / "toy" / "figure.toml"
    text = path.read_text().replace("half_width = 0.03\n", "")
    if "high = 9" in new:  # 1.0 is far inside of -9 to 9
        text = text.replace("low = 0.9", "low = -9.0")
    path.write_text(text.replace(old, new))
    figures, plan = made.plan(preset=preset)
    made.run(plan)
    for _ in range(3):
        plan, _ = made.grow(figures, plan)
        made.run(plan)
    assert set(plan.limits["toy"].values()) == {runs}


@pytest.mark.parametrize("asks", ["", "half_width = 0.03\n"])
def test_what_is_exact_or_not_looked_at_gets_no_more_runs(made, asks):
    path = made.figures / "toy" / "figure.toml"
    text = path.read_text().replace("half_width = 0.03\n", asks)
    more = """
[[points]]
series = "{name}"
program = "toy-transfer"
runs = 2
random = {random}
args = {{ size = {size} }}
"""
    exact = more.format(name="exact", random="false", size=8)
    unseen = more.format(name="unseen", random="true", size=9)
    path.write_text(text.replace("[claims.", f"{exact}{unseen}[claims."))
    claims = made.figures / "toy" / "claims.py"
    looks = 'def factor(results):\n    results.rows("exact")\n'
    claims.write_text(NOISY.replace("def factor(results):\n", looks))
    figures, plan = made.plan("toy", preset="full")
    made.run(plan)
    wider, _ = made.grow(figures, plan)
    grew = {series for series, point in wider.figures["toy"] if wider.limits["toy"][point] > 2}
    assert grew == {"line"}


@pytest.mark.parametrize(
    "text", ["import nothing_of_the_kind", "def factor(results):\n    1 / 0", "x"]
)
def test_a_mistake_in_claims_stops_its_own_figure_only(made, text):
    made.copy("other")
    (made.figures / "other" / "claims.py").write_text(text + "\n")
    figures, plan = made.plan()
    made.run(plan)
    wider, refused = made.grow(figures, plan)
    assert refused == {}
    assert wider.limits["other"] == plan.limits["other"]
    assert max(wider.limits["toy"].values()) > 2


@pytest.mark.parametrize("error", ["float('nan')", "float('inf')"])
def test_a_half_width_that_is_no_number_is_too_wide(made, error):
    claims = NOISY.replace("len(rows), half", f"len(rows), {error}")
    (made.figures / "toy" / "claims.py").write_text(claims)
    figures, plan = made.plan()
    made.run(plan)
    wider, _ = made.grow(figures, plan)
    assert set(wider.limits["toy"].values()) == {8}


def test_growth_that_does_not_fit_is_refused_figure_by_figure(made):
    made.copy("other", ("half_width = 0.03", "half_width = 0.02"), ("[1, 2, 3]", "[4, 5]"))
    figures, plan = made.plan()
    made.run(plan)
    asked = []

    def fits(wider):
        asked.append(wider.runs)
        return wider.limits["toy"] == plan.limits["toy"]

    wider, refused = made.grow(figures, plan, fits=fits, ranked=["toy", "other"])
    assert wider.limits["toy"] == plan.limits["toy"]
    assert max(wider.limits["other"].values()) == 8
    assert refused == {"toy": 18}
    assert len(asked) == 2


def test_half_widths_must_be_measured(made):
    figure = load_figure(made.figures / "toy")
    claim = figure.claims[0]
    results = Results("quick", None, None, {}, None)

    def judged(measured):
        return judge("toy", claim, lambda _: measured, results)

    assert "half width" not in judged(Measured.one(1.0, 2, 0.0))["reason"]
    _, unknown = mean_interval([1.0])
    assert "no 95 % interval" in judged(Measured.one(1.0, 1, unknown))["reason"]
    with pytest.raises(SpecError, match="toy/claims.py: factor: returns no errors"):
        judged(Measured.one(1.0, 2))


def test_growth_beyond_the_budget_is_not_what_must_fit(tmp_path):
    campaign = Campaign(tmp_path)
    campaign.run()
    aim(campaign, 0.03)
    for path in (campaign.build / "benchmarks").glob("*.json"):
        path.write_text(json.dumps({"runs": 1, "wall_s": 100}))
    for _ in range(2):
        text, runs = campaign.run("--budget", "20s")
        assert runs == []
        assert "not run, over the budget of 20s: 18 more runs of toy" in text
        assert "no figure fits" not in text
    verdicts = pd.read_csv(campaign.build / "figures" / "verdicts.csv")
    assert "above the wanted 0.03" in verdicts["reason"][0]


def test_an_added_run_that_fails_prints_its_command(tmp_path):
    campaign = Campaign(tmp_path)
    aim(campaign, 0.03, more="failFrom = 3")
    text, runs = campaign.run(status=1)
    assert len(runs) == 6
    assert "repeat it with: " in text
    assert "--RngRun=3" in text
    assert "as asked" in text


def test_a_figure_has_the_day_of_its_last_run(tmp_path):
    for point, seconds in (("a", 1_000_000_000), ("b", 1_100_000_000), ("other", 1_200_000_000)):
        path = tmp_path / "results" / point / "manifest.json"
        path.parent.mkdir(parents=True)
        path.touch()
        os.utime(path, (seconds, seconds))
    assert day_of_last_run(tmp_path, ["a", "b"]) == "2004-11-09"


def test_runs_of_a_series_are_a_range():
    assert describe_runs([3, 3]) == "3"
    assert describe_runs([8, 2, 5]) == "2 to 8"
