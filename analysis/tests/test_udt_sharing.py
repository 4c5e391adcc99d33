# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of UDT flows that share a link measure."""

import pandas as pd
import pytest

from conftest import ANALYSIS
from lfn.figures import udt_friendly
from lfn.figures.udt_grids import over_rtt, queue
from lfn.figures.udt_phases import active, each_phase, original
from lfn.figures.udt_sharing import as_table, each_run, jain, stability, steady
from lfn.results import MissingDataError, Results


def samples(values, point="p", run=1, **more):
    """Rows of series.csv of {flow: goodput of each second}."""
    rows = [
        {"point": point, "run": run, "flow": flow, "time_s": second + 1.0, "value": value}
        for flow, rates in values.items()
        for second, value in enumerate(rates)
    ]
    return pd.DataFrame(rows).assign(metric="goodput_bps", **more)


def test_jains_index():
    assert jain([3, 3, 3]) == pytest.approx(1)
    assert jain([1, 0, 0, 0]) == pytest.approx(0.25)
    assert jain([1, 3]) == pytest.approx(0.8)
    assert jain([0, 0]) == 0


def test_samples_belong_to_the_interval_in_which_they_end():
    table = steady(samples({0: [100, 2, 4, 100], 1: [100, 3, 3, 100]}), 1.0, 3.0)
    assert list(table["mean"]) == [3, 3]
    assert list(table["deviation"]) == pytest.approx([2**0.5, 0])
    assert stability(table) == pytest.approx(2**0.5 / 3 / 2)
    with pytest.raises(MissingDataError, match="no samples from 4 to 9 s"):
        steady(samples({0: [1, 2, 3, 4]}), 4.0, 9.0)


def test_longer_samples_begin_where_counting_begins():
    """Of 9, 1, 3, 5, 7, 4 after the first: means of 2 and 6, and a 4 that is left over."""
    (row,) = steady(samples({0: [9, 1, 3, 5, 7, 4]}), 1.0, 6.0, interval=2.0).to_dict("records")
    assert row["mean"] == 4
    assert row["deviation"] == pytest.approx(8**0.5)


def test_runs_are_averaged_and_flows_are_not():
    table = pd.concat(
        [
            steady(samples({0: [1, 1], 1: [3, 3]}, run=run), 0.0, 2.0).assign(scale=scale)
            for run, scale in ((1, 1), (2, 3))
        ]
    )
    found = each_run(table, lambda rows: float((rows["mean"] * rows["scale"]).sum()))
    assert (found.value, len(found.runs)) == (8, 2)
    assert found.half == pytest.approx(12.706 * 4, rel=1e-3)
    (row,) = as_table({10: found}, series="s").to_dict("records")
    assert (row["x"], row["mean"], row["series"]) == (10, 8, "s")
    assert row["high"] - row["mean"] == pytest.approx(found.half)


def test_phases_have_one_flow_more_then_one_fewer():
    assert [len(active(phase)) for phase in range(7)] == [1, 2, 3, 4, 3, 2, 1]


class _Made(Results):
    """Results of one run that has just these samples."""

    def extra(self, series, name, **flags):
        return self.made


def test_each_phase_counts_the_flows_that_send(monkeypatch):
    rates = {0: [6e8] * 35, 1: [2e8] * 35, 2: [1e8] * 35, 3: [1e8] * 35}
    table = pd.DataFrame([{"series": "s", "point": "p", "run": 1, "--duration": 35.0}])
    results = _Made("quick", table, pd.DataFrame(), {}, ANALYSIS)
    results.made = samples(rates)
    found = each_phase(results, "s")
    assert list(found["sum"] / 1e8) == pytest.approx([6, 8, 9, 10, 9, 8, 6])
    assert found["jain"][1] == pytest.approx(jain([6, 2]))
    assert found["flow 4"].notna().sum() == 1


def test_the_measured_original_has_the_sums_that_were_noted():
    """Sums of the phases in Mb/s, and stability, as they were computed when it was measured."""
    table = original(ANALYSIS / "originals" / "udt.csv", "udt4")
    assert list(table["sum"] / 1e6) == pytest.approx([819, 845, 828, 909, 909, 897, 839], abs=1)
    assert table["jain"].min() == pytest.approx(0.95, abs=0.006)
    assert table["stability"].max() == pytest.approx(0.23, abs=0.006)


def test_queues_hold_a_product_and_a_thousand_packets():
    assert [queue(ms) for ms in (0.01, 100, 120, 1000)] == ["1000p", "1000p", "1000p", "8333p"]


def test_points_over_the_rtt():
    made = over_rtt("s", "udt", {"quick": [1, 10]}, {"quick": ["0s"]}, args={"flows": 2}, runs=1)
    first, second = made
    assert first["args"]["ns3::lfn::DumbbellTopology::Rtt"] == "1ms"
    assert second["args"]["flows"] == 2
    assert (second["presets"], second["sweep"], second["runs"]) == (["quick"], {"start": ["0s"]}, 1)


def test_friendliness_is_of_the_first_ten_flows(monkeypatch):
    flows = pd.DataFrame(
        [
            {"point": name, "run": 1, "flow": flow, "mean": rate, "ms": 0.01}
            for name, tcp in (("tcp", 4.0), ("udt4", 1.0))
            for flow, rate in enumerate([tcp] * 10 + [50.0] * 5)
        ]
    )
    key = f"--{udt_friendly.DUMBBELL}Rtt"
    monkeypatch.setattr(
        udt_friendly,
        "settled",
        lambda results, series, share: flows[flows["point"] == series].assign(**{key: 0.05}),
    )
    found = udt_friendly.friendliness(None, "udt4")
    assert found[50].value == pytest.approx(0.25)
