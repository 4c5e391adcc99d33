# SPDX-License-Identifier: GPL-2.0-only
"""Tidy tables, units and statistics."""

import re

import numpy as np
import pandas as pd
import pytest

import toy
from conftest import ANALYSIS, results_of
from lfn.figures.rbudp import each_payload, first_blast_loss, receiver_rate, with_send_rate
from lfn.files import to_json
from lfn.results import MissingDataError, Results, mean_interval, means, throughput
from lfn.spec import SpecError, load_figure
from lfn.units import UNITS, number_or_text, to_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("450MB", 450e6), ("100ms", 0.1), ("16us", 16e-6), ("1.5Gbps", 1.5e9)],
        *[("0.12", 0.12), ("10000p", 1e4), ("2KiB", 2048), ("1e9", 1e9), (12, 12)],
        *[("600Mb/s", 6e8), ("75MBps", 6e8), ("1TB", 1e12), ("2kp", 2000), ("100ps", 1e-10)],
    ],
)
def test_units(text, value):
    assert to_number(text) == pytest.approx(value)


KIBI = 1024
FACTORS = {"KIBI": KIBI, "MEBI": KIBI**2, "GIBI": KIBI**3}
VALUES = ANALYSIS.parent / "helper" / "command-line" / "lfn-values.cc"


def vocabulary():
    """The units of the programs: {base unit: {unit: scale}}, from their source."""
    bases = {"BYTE": "bytes", "RATE": "bps", "TIME": "s"}
    found = {}
    for name, table in re.findall(
        r"auto (\w+)_UNITS = .*?\(\{(.*?)\}\);", VALUES.read_text(), re.S
    ):
        rows = {}
        for unit, factor in re.findall(r'\{"([^"]+)", ([^}]+)\}', table):
            numbers = eval(f"({factor},)", FACTORS)  # noqa: S307 - of our own source
            rows[unit] = numbers[0] / (numbers[1] if len(numbers) > 1 else 1)
        found[bases.get(name, name)] = rows
    return found


def test_units_are_those_of_the_programs():
    programs = vocabulary()
    queue = programs.pop("QUEUE")
    programs["packets"] = {unit: scale for unit, scale in queue.items() if unit.endswith("p")}
    assert queue.items() <= {**programs["bytes"], **programs["packets"]}.items()
    assert programs == {base: UNITS[base] for base in programs}
    assert len(programs) == len(UNITS) - 1, "all but the plain number"


@pytest.mark.parametrize("text", ["naive", "1 2", "5mb", "", "ns3::TcpCubic", "3,4"])
def test_text_is_no_number(text):
    with pytest.raises(ValueError, match="not a number"):
        to_number(text)
    assert number_or_text(text) == text


def test_interval_is_students():
    mean, half = mean_interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert half == pytest.approx(4.302653 / np.sqrt(3))
    mean, half = mean_interval([5.0])
    assert mean == 5.0
    assert np.isnan(half), "one value reports nothing of its spread"


def test_interval_covers_the_mean_19_times_in_20():
    random = np.random.default_rng(3)
    hits = 0
    for _ in range(2000):
        mean, half = mean_interval(random.normal(10.0, 2.0, 8))
        hits += abs(mean - 10.0) < half
    assert 0.93 < hits / 2000 < 0.97


ROWS = pd.DataFrame(
    {
        "series": ["a", "a", "a", "b"],
        "point": ["p", "p", "q", "r"],
        "run": [1, 2, 1, 1],
        "start_s": [1.0, 1.0, 1.0, 0.0],
        "finish_s": [2.0, 4.0, 2.0, 1.0],
        "completed": [1, 1, 1, 0],
        "delivered_bytes": [100, 100, 200, 10],
        "--rate": [1e6, 1e6, 2e6, 3e6],
        "--host": ["x", "x", "x", "y"],
    }
)


def test_throughput_is_bytes_over_mean_duration():
    table = throughput(ROWS[ROWS["series"] == "a"], "--rate")
    assert list(table["mean"]) == [400.0, 1600.0]
    assert table["low"].iloc[0] < 400.0 < table["high"].iloc[0]
    assert list(table["runs"]) == [2, 1]
    assert throughput(ROWS[ROWS["series"] == "b"], "--rate")["mean"].iloc[0] == 0.0


def test_throughput_of_each_payload_knows_its_interval():
    rows = ROWS.assign(**{"--bytes": [100.0, 100.0, 200.0, 10.0]})
    results = results_of(rows)
    found = each_payload(results, "a", random=True)
    assert {size: one.value for size, one in found.items()} == {100.0: 400.0, 200.0: 1600.0}
    assert found[100.0].half == pytest.approx(400.0 * 12.706205 / 2.0, rel=1e-3)
    assert np.isnan(found[200.0].half)
    assert each_payload(results, "a", random=False)[200.0].half == 0.0
    assert each_payload(results, "b", random=False)[10.0].value == 0.0


def test_an_interval_does_not_reach_below_what_cannot_be_negative():
    """Four runs of which one loses: the mean is .25, Student's half width .8."""
    rows = pd.DataFrame({"--rate": [1, 1, 1, 1], "lost": [0.0, 0, 0, 1], "signed": [-1.0, 0, 0, 1]})
    table = means(rows, "--rate", "lost")
    assert (table["low"][0], table["mean"][0]) == (0.0, 0.25)
    assert table["high"][0] == pytest.approx(1.046, abs=1e-3)
    assert means(rows, "--rate", "signed")["low"][0] < -1


def test_means():
    table = means(ROWS, "--rate", "finish_s")
    assert list(table["mean"]) == [3.0, 2.0, 1.0]
    assert list(table["low"])[1:] == [2.0, 1.0]


def test_selection():
    results = results_of(ROWS)
    assert len(results.rows("a", rate=1e6)) == 2
    assert len(results.rows("a", host="x")) == 3
    assert results.runs("a") == 3
    for wrong in ({"rate": 5e6}, {"host": "z"}, {"nothing": 1}):
        with pytest.raises(MissingDataError):
            results.rows("a", **wrong)
    with pytest.raises(MissingDataError, match="no runs of series c"):
        results.rows("c")


def loaded(folder, seconds, more=""):
    """Results of the toy's points, whose run k took seconds[k - 1], showing one of them."""
    toy.write_figure(folder, figure=toy.FIGURE.replace("runs = 2", f"runs = 1\n{more}"))
    figure = load_figure(folder / "toy")
    members = [(series, point.id) for series, point in figure.points("quick")]
    rows = "".join(f"{run},0,{found}\n" for run, found in enumerate(seconds, start=1))
    for _, point in figure.points("quick"):
        target = folder / "results" / point.id
        target.mkdir(parents=True)
        (target / "summary.csv").write_text(f"run,flow,finish_s\n{rows}")
        manifest = {"args": dict(point.args), "runs": len(seconds), "wall_s": [1.0] * len(seconds)}
        (target / "manifest.json").write_text(to_json(manifest))
    return Results.load(figure, folder, "quick", members, {point: 1 for _, point in members})


@pytest.mark.parametrize(
    ("seconds", "more", "random"),
    [
        ([1.0], "", [None, None, None]),
        ([1.0, 1.0], "", [False, False, False]),
        ([1.0, 2.0], "", [True, True, True]),
        ([1.0], "random = false", [False, False, False]),
        ([1.0], "random = {{ size = [2, 3.0] }}", [False, None, None]),
        ([1.0], "random = true", [None, None, None]),
    ],
)
def test_whether_a_point_is_random(tmp_path, seconds, more, random):
    results = loaded(tmp_path, seconds, more)
    assert list(results.random.values()) == random
    assert len(results.table) == 3


def test_runs_that_differ_refute_what_figure_toml_says(tmp_path):
    with pytest.raises(SpecError, match="toy/figure.toml: line: random says .* leave it away"):
        loaded(tmp_path, [1.0, 2.0], "random = false")


def test_what_the_rbudp_figures_share():
    rows = pd.DataFrame(
        {
            "--sendRate": [828.5e6, 600e6],
            "--pacingQuantum": [1e-6, np.nan],
            "--rtt": [0.1, 0.1],
            "start_s": [1.0, 1.0],
            "last_delivery_s": [2.05, 3.05],
            "delivered_bytes": [1e6, 1e6],
            "residual_packets_first_blast": [0, 33],
            "first_blast_packets": [100, 100],
        }
    )
    assert list(with_send_rate(rows)["send_rate"]) == pytest.approx([11600 / 14e-6, 600e6])
    assert list(receiver_rate(rows)) == pytest.approx([8e6, 4e6])
    assert list(first_blast_loss(rows)) == [0.0, 0.33]
