# SPDX-License-Identifier: GPL-2.0-only
"""Runs added until intervals are narrow, and budgets: on the toy program, and as functions."""

import json
import re
import shutil

import pandas as pd
import pytest

import toy
from lfn.budget import choose, parse_budget
from lfn.campaign import Plan
from lfn.spec import SpecError, load_figure
from lfn.targets import next_runs
from test_campaign import Campaign

NOISY = """\
from lfn.claims import Measured
from lfn.results import mean_interval


def factor(results):
    rows = results.rows("line")
    mean, half = mean_interval(1 + (rows["run"] % 2 - 0.5) * 0.2)
    return Measured.one(mean, len(rows), half)
"""


def aim(campaign, half_width, most_runs=100):
    """Give the toy's claim a noise of 0.1 and a half width to reach."""
    toy.write_figure(campaign.figures)
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


def test_runs_are_added_until_the_interval_is_narrow(tmp_path):
    campaign = Campaign(tmp_path)
    aim(campaign, 0.03)
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
        ("half_width = -1", "half_width: must be a number above 0"),
        ("half_width = { huge = 1 }", "half_width.huge: is none of"),
        ("half_width = 1\nmost_runs = 0", "most_runs: must be a whole number above 0"),
        ("series = ['other']", "claims.factor.series: 'other' is no series"),
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
    seconds = {"1": 50.0, "2": 40.0, "3": 30.0}
    chosen, rest = choose(plan, importance, seconds, 1, 75.0)
    assert chosen == ["b", "c", "d"]  # c first, a does not fit then, b does, d needs no run
    assert rest == {"a": 50.0}
    assert choose(plan, importance, seconds, 2, 75.0)[0] == ["a", "b", "c", "d"]
    shared = {"a": [("s", "1")], "b": [("s", "1"), ("s", "2")]}
    plan = Plan("quick", shared, {}, {})
    assert choose(plan, {"a": 0, "b": 0}, {"1": 50.0, "2": 10.0}, 1, 60.0)[1] == {}
    assert parse_budget("30min") == 1800
    for text in ("30", "0s", "10MB", "soon"):
        with pytest.raises(ValueError, match="no"):
            parse_budget(text)


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
    text, _ = campaign.run("--budget", "soon", status=1)
    assert text == "figures: --budget=soon: give a time, such as 30min\n"
    text, _ = campaign.run("--budget", "1s", "--only", "other", status=1)
    assert text == "figures: --budget=1s: no figure fits; other takes 33 min 20 s\n"
