# SPDX-License-Identifier: GPL-2.0-only
"""What the figures beyond the XCP-TCP report share, on small tables."""

import numpy as np
import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.average import over_runs
from lfn.figures import xcp_beyond
from lfn.models import xcp as model
from lfn.results import MissingDataError
from lfn.spec import load_figure, load_module

FIGURES = ANALYSIS / "figures"


def _row(protocol, flow, share, run=1, **changes):
    row = {
        "series": "a",
        "point": "p",
        "run": run,
        "flow": flow,
        "protocol": protocol,
        "share": share,
        "utilisation": 0.99,
        "mean_queue_packets": 60.0,
        "mean_queue_bytes": 62500.0,
        "--bottleneckRate": 1e8,
        "--rtt": 0.1,
    }
    return {**row, **changes}


def test_shares_and_queues_by_run():
    rows = [_row("xcp", 0, 0.2), _row("xcp", 1, 0.1), _row("tcp", 2, 0.3), _row("tcp", 3, 0.4)]
    table = xcp_beyond.runs_of(results_of(rows), "a")
    assert len(table) == 1
    found = table.iloc[0]
    assert found["share"] == pytest.approx(0.3)
    assert found["error"] == pytest.approx(-0.2)
    assert found["delay"] == pytest.approx(0.005)


def test_without_xcp_the_first_flow_stands_for_it():
    rows = [_row("tcp", 0, 0.4), _row("tcp", 1, 0.3), _row("tcp", 2, 0.3)]
    assert xcp_beyond.runs_of(results_of(rows), "a")["error"].iloc[0] == pytest.approx(0.4 - 1 / 3)


def test_paths_are_chosen_by_their_product():
    rows = [
        _row("xcp", 0, 0.5),
        _row("tcp", 1, 0.5),
        _row("xcp", 0, 0.3, 2),
        _row("tcp", 1, 0.7, 2),
    ]
    found = over_runs(xcp_beyond.by_path(results_of(rows), "a", "error", xcp_beyond.within))
    assert found.parts == {"100 Mb/s, 100 ms": pytest.approx(-0.1)}
    assert found.errors["100 Mb/s, 100 ms"] > 0
    assert found.runs == 2
    with pytest.raises(MissingDataError):
        xcp_beyond.by_path(results_of(rows), "a", "error", xcp_beyond.beyond)
    assert xcp_beyond.product(1e8, 0.1) == pytest.approx(1202, abs=1)


def test_queue_discs_are_compared_run_by_run():
    claims = load_module(FIGURES / "xcp-isolation" / "claims.py")
    rows = []
    for run, ours, theirs in ((1, 50e3, 10e3), (2, 60e3, 20e3)):
        queues = (("adaptive", "xcp", ours), ("fq-codel", "tcp", theirs))
        for series, protocol, queue in queues:
            changes = {"series": series, "point": series, "mean_queue_bytes": queue}
            rows += [_row(protocol, 0, 0.4, run, **changes), _row("tcp", 1, 0.6, run, **changes)]
    measured = claims.delay(results_of(rows))
    path = "100 Mb/s, 100 ms"
    assert measured.parts == {path: pytest.approx((50 / 10 + 60 / 20) / 2)}
    assert measured.errors == {path: pytest.approx(12.706205)}  # of 5 and 3
    assert measured.runs == 4
    law = model.standing_queue(0.6, 1e8, 0.1)
    found = claims.queue_law(results_of(rows))
    assert found.parts == {path: pytest.approx(55e3 / law)}
    assert found.errors == {path: pytest.approx(12.706205 * 5e3 / law)}


def test_effective_number_and_metrics_of_a_run(tmp_path):
    (tmp_path / "p").mkdir()
    lines = [(t, f, "goodput_bps", v) for t in (1.0, 2.0) for f, v in ((2, 7.0), (3, 3.0))]
    lines += [(t, -1, "tcp_flows_estimated", 2.0 * t) for t in (1.0, 2.0)]
    table = pd.DataFrame(lines, columns=["time_s", "flow", "metric", "value"]).assign(run=1)
    pd.concat([table, table.assign(run=2)]).to_csv(tmp_path / "p" / "series.csv", index=False)
    both = xcp_beyond.samples(results_of([_row("xcp", 0, 1.0)], tmp_path), "a")
    assert len(both) == 2 * len(table)
    run = both[both["run"] == 2]
    assert xcp_beyond.effective(run, (2, 3), 0, 2) == pytest.approx(1 / 0.58)
    times, values = xcp_beyond.metric(run, "tcp_flows_estimated")
    assert xcp_beyond.mean_between(times, values, 1, 2) == 4.0
    found = xcp_beyond.spans(run, (2, 3))
    assert found == {2: (1.0, 2.0), 3: (1.0, 2.0)}
    assert xcp_beyond.alive([0.5, 1.5], found).tolist() == [0, 2]
    for name in ("nothing", "xcp_rate_bps"):
        with pytest.raises(MissingDataError):
            xcp_beyond.metric(run, name)
    with pytest.raises(MissingDataError):
        xcp_beyond.spans(run, (2, 4))
    with pytest.raises(MissingDataError):
        xcp_beyond.effective(run, (2, 3), 2, 3)


def test_estimators_are_judged_by_all_their_runs(tmp_path):
    """Counts of 1 and 5 at 10 true flows; the share with SRED is 0.1 and 0.3 off."""
    claims = load_module(FIGURES / "xcp-estimators" / "claims.py")
    rows = []
    for name, offsets in (("exact", (0.0, 0.0)), ("sred", (0.1, 0.3)), ("bloom", (0.0, 0.0))):
        (tmp_path / name).mkdir()
        lines = []
        for run, offset in enumerate(offsets, 1):
            for metric, value in (
                ("xcp_flows_estimated", 20 * offset - 1),
                ("xcp_rate_bps", 0.4 + offset),
                ("tcp_rate_bps", 0.6 - offset),
            ):
                lines += [(run, 0.2 * i, -1, metric, value) for i in range(181)]
            changes = {"series": "steps", "point": name, "--estimator": name}
            rows.append(_row("xcp", 0, 0.4 + offset, run, **changes))
        table = pd.DataFrame(lines, columns=["run", "time_s", "flow", "metric", "value"])
        table.to_csv(tmp_path / name / "series.csv", index=False)
    results = results_of(rows, tmp_path)
    found = claims.sred(results)
    assert found.runs == 2
    assert found.parts["10 flows"] == pytest.approx((8.95 - 3) / 10)
    assert found.errors["10 flows"] == pytest.approx(12.706205 * 2 / 10)
    found = claims.same_share(results)
    assert found.runs == 6
    assert found.parts == {"sred": pytest.approx(0.2), "bloom": 0.0}
    assert found.errors == {"sred": pytest.approx(12.706205 * 0.1), "bloom": 0.0}


def test_packets_until_an_estimate_has_gone_its_way():
    times = np.arange(0.0, 60.0)
    packets = np.full(60, 500.0)
    sent = np.maximum(0.0, np.cumsum(packets) - packets[:11].sum())
    values = 1 / np.array([float(model.sred_step(3, 10, int(n))) for n in sent])
    found = xcp_beyond.packets_until(times, values, packets, 10, 59, 10)
    assert found == pytest.approx(model.sred_time(3, 10), abs=500)
    assert np.isnan(xcp_beyond.packets_until(times, values, packets, 10, 11, 10))


@pytest.mark.parametrize("name", ["xcp-adaptive", "xcp-estimators", "xcp-isolation"])
def test_quick_has_what_its_claims_need(name):
    figure = load_figure(FIGURES / name)
    used = {series for series, _ in figure.points("quick")}
    assert used == {series for series, _ in figure.points("full")}


@pytest.mark.parametrize("series", ["adaptive", "sack", "cubic"])
def test_long_paths_get_three_saw_teeth(series):
    """A saw-tooth of mean W takes 2W/3 RTTs; both grow by XCP's standing queue."""
    loaded = 1 + float(model.standing_queue(2 / 3, 8.0, 1.0))
    for name, point in load_figure(FIGURES / "xcp-adaptive").points("full"):
        flags = dict(point.args)
        rate = 1e6 * float(flags["bottleneckRate"].removesuffix("Mbps"))
        rtt = 1e-3 * float(flags["rtt"].removesuffix("ms"))
        window = loaded * xcp_beyond.product(rate, rtt) / 3
        tooth = 2 * window / 3 * loaded * rtt
        begin, end = (float(flags[f].removesuffix("s")) for f in ("statsFrom", "duration"))
        if name == series:
            assert end - begin >= 3 * tooth, (rate, rtt)


def test_the_grid_of_the_adaptive_law_is_whole():
    paths = {
        (dict(point.args)["bottleneckRate"], dict(point.args)["rtt"])
        for series, point in load_figure(FIGURES / "xcp-adaptive").points("full")
        if series == "adaptive"
    }
    for rate in (30, 100, 300):
        for rtt in (10, 20, 50, 100, 200):
            if xcp_beyond.within(xcp_beyond.product(1e6 * rate, 1e-3 * rtt)):
                assert (f"{rate}Mbps", f"{rtt}ms") in paths
