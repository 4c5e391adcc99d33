# SPDX-License-Identifier: GPL-2.0-only
"""What the XCP figures share: helpers on small tables, and runs that they have in common."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.figures import xcp
from lfn.models.xcp import standing_queue
from lfn.results import MissingDataError
from lfn.spec import load_figure, load_module

FIGURES = ANALYSIS / "figures"


def _results(tmp_path, samples, rows=({},)):
    """One point of a series "on-20": samples (run, time, flow, metric, value)."""
    (tmp_path / "p").mkdir()
    table = pd.DataFrame(samples, columns=["run", "time_s", "flow", "metric", "value"])
    table.to_csv(tmp_path / "p" / "series.csv", index=False)
    row = {"series": "on-20", "point": "p", "run": 1, "--bottleneckRate": 100e6, "--rtt": 0.02}
    return results_of([{**row, **r} for r in rows], tmp_path)


def _class_samples(run=1, xcp_rates=(20e6, 20e6, 40e6), tcp_rates=(0.0, 60e6, 40e6), flows=2):
    samples = []
    for i, (ours, theirs) in enumerate(zip(xcp_rates, tcp_rates, strict=True)):
        time = 5.0 * (i + 1)
        samples += [
            (run, time, -1, "xcp_rate_bps", ours),
            (run, time, -1, "tcp_rate_bps", theirs),
            (run, time, -1, "xcp_flows_exact", 1),
            (run, time, -1, "tcp_flows_exact", flows),
        ]
    return samples


def test_bins_hold_what_ends_in_them(tmp_path):
    table = xcp.classes(_results(tmp_path, _class_samples()), "on-20")
    assert table["start"].tolist() == [0.0, 10.0]
    assert table["xcp"].tolist() == [20e6, 40e6]
    assert table["tcp"].tolist() == [30e6, 40e6]
    assert table["share"].tolist() == pytest.approx([0.4, 0.5])
    assert table["fair"].tolist() == pytest.approx([1 / 3, 1 / 3])
    assert table["tcp_link"].tolist() == pytest.approx([0.3 * 1.042, 0.4 * 1.042])
    assert table["xcp_link"].tolist() == pytest.approx([0.2 * 1.062, 0.4 * 1.062])


def test_shares_of_windows_by_run(tmp_path):
    samples = _class_samples() + _class_samples(2, (40e6,) * 3, (40e6,) * 3)
    results = _results(tmp_path, samples, [{}, {"run": 2}])
    assert xcp.shares(results, "on-20", 0.0).tolist() == pytest.approx([60 / 130, 0.5])
    found = xcp.measured_share(results, "on-20", 10.0, who="tcp")
    assert (found.parts, found.errors, found.runs) == ({"": pytest.approx(0.5)}, {"": 0.0}, 2)
    measured = xcp.measured_bins(results, "on-20", "share", 0.0, 10.0)
    assert measured.parts == {"0 s": pytest.approx(0.45)}
    assert measured.errors == {"0 s": pytest.approx(12.706205 * 0.05)}  # of 0.4 and 0.5
    with pytest.raises(MissingDataError):
        xcp.measured_share(results, "on-20", 60.0)
    with pytest.raises(MissingDataError):
        xcp.path(results, "on-20", "drop_probability")


def test_a_single_run_has_no_interval(tmp_path, monkeypatch):
    results = _results(tmp_path, _class_samples())
    claims = load_module(FIGURES / "xcp-fig3" / "claims.py")
    monkeypatch.setattr(claims, "FROM", 0.0)  # the samples end earlier
    for measured in (
        xcp.measured_bins(results, "on-20", "share", 0.0),
        xcp.measured_share(results, "on-20", 0.0),
        claims.fair_share_20(results),
    ):
        assert measured.parts.keys() == measured.errors.keys()
        assert np.isnan(list(measured.errors.values())).all()


def test_extremes_of_runs_are_averaged(tmp_path):
    claims = load_module(FIGURES / "xcp-fig1" / "claims.py")
    samples = []
    for run, shares in ((1, (50, 20, 60)), (2, (50, 20, 80))):
        for time, ours in zip((25.0, 35.0, 45.0), shares, strict=True):
            samples += [
                (run, time, -1, "xcp_rate_bps", ours),
                (run, time, -1, "tcp_rate_bps", 100 - ours),
                (run, time, -1, "xcp_flows_exact", 1),
                (run, time, -1, "tcp_flows_exact", 2),
            ]
    rows = [{"series": "none-100", "run": run} for run in (1, 2)]
    results = _results(tmp_path, samples, rows)
    measured = claims.falls_100(results)
    assert measured.parts == {"": pytest.approx((0.4 + 0.6) / 2)}
    assert measured.errors == {"": pytest.approx(12.706205 * 0.1)}
    assert measured.runs == 2


def test_a_share_that_all_runs_have_is_exact(tmp_path):
    """The claim about XCP alone is decided, though starts are drawn."""
    claims = load_module(FIGURES / "xcp-fig1" / "claims.py")
    samples = [
        (run, 5.0, -1, metric, value)
        for run in (1, 2)
        for metric, value in (
            ("xcp_rate_bps", 90e6 + run),
            ("tcp_rate_bps", 0),
            ("xcp_flows_exact", 1),
            ("tcp_flows_exact", 0),
        )
    ]
    names = ("none-20", "none-100")
    rows = [{"series": series, "run": run} for series in names for run in (1, 2)]
    measured = claims.alone(_results(tmp_path, samples, rows))
    assert measured.parts == dict.fromkeys(("20 ms", "100 ms"), 1.0)
    assert measured.errors == dict.fromkeys(("20 ms", "100 ms"), 0.0)
    assert measured.runs == 4


def test_notes_tell_the_range_of_single_runs(tmp_path):
    rates = [(20e6, 20e6, 40e6), (20e6, 20e6, 20e6)]
    samples = [s for n, xcp_rates in enumerate(rates, 1) for s in _class_samples(n, xcp_rates)]
    results = _results(tmp_path, samples, [{}, {"run": 2}])
    # From 10 s on 40 and 20 Mb/s alongside TCP's 40; before, both 20 alongside 30.
    found = xcp.measured_share(results, "on-20", 10.0)
    assert found.note == "In single runs 0.333 to 0.5"
    assert found.parts[""] == pytest.approx((1 / 2 + 1 / 3) / 2)
    bins = xcp.measured_bins(results, "on-20", "share", 0.0)
    assert bins.note == "In single runs 0.333 to 0.5"
    assert xcp.in_runs({"20 ms": [0.1, 0.2], "100 ms": [0.1]}) == "In single runs 20 ms: 0.1 to 0.2"
    (tmp_path / "single").mkdir()
    single = _results(tmp_path / "single", _class_samples())
    assert xcp.measured_share(single, "on-20", 10.0).note == ""


def test_half_is_compared_where_it_was_run(monkeypatch):
    """The quick preset has one RTT; a bin's difference is the mean of the pairs."""
    claims = load_module(FIGURES / "xcp-fig5" / "claims.py")
    full = pd.DataFrame({"run": [1, 2, 3], "start": 60.0, "share": [0.2, 0.3, 0.4]})
    half = full.assign(share=full["share"] + 0.1)

    class Stub:
        table = pd.DataFrame({"series": ["half3-20", "full3-20"]})

    def shares(results, series, begin):
        return (half if series.startswith("half") else full).set_index("run")["share"]

    monkeypatch.setattr(xcp, "shares", shares)
    measured = claims.means(Stub)
    assert measured.parts == {"20 ms": pytest.approx(0.1)}
    assert measured.errors == {"20 ms": pytest.approx(0.0)}  # paired: the same in every run
    with pytest.raises(MissingDataError):
        claims.means_ten_xcp(Stub)
    claims.classes = lambda results, series: half if series.startswith("half") else full
    bins = claims.bins(Stub)
    assert list(bins.parts.values()) == pytest.approx([0.1] * 4)
    assert list(bins.errors.values()) == pytest.approx([0.0] * 4)  # every seed says the same
    half.loc[0, "share"] = 0.6
    bins = claims.bins(Stub)
    assert list(bins.parts.values()) == pytest.approx([0.2] * 4)
    # Of three seeds' differences 0.4, 0.1 and 0.1 all or none may be the first: 0.1 to 0.4.
    assert list(bins.errors.values()) == pytest.approx([0.2] * 4)


@pytest.mark.parametrize("columns", [1, 2, 4])
def test_panels_are_rows_and_columns(columns):
    figure, axes = xcp.class_panels(3, columns)
    assert axes.shape == (3, columns)
    plt.close(figure)


def test_distance_from_the_range_of_sred(tmp_path):
    samples = []
    for metric, value in (
        ("xcp_flows_estimated", 1.2),
        ("xcp_flows_exact", 1),
        ("tcp_flows_estimated", 2.0),
        ("tcp_flows_exact", 2),
    ):
        samples += [(1, 60.0, -1, metric, 99.0), (1, 61.0, -1, metric, value)]
        samples += [(2, 61.0, -1, metric, value + 0.1 * (metric == "tcp_flows_estimated"))]
    measured = xcp.sred_excess(_results(tmp_path, samples), ["on-20"])
    assert measured.parts == {
        "on-20, 1 XCP": pytest.approx(0.2),
        "on-20, 2 TCP": pytest.approx((2.05 - 2.08) / 2),
    }
    assert measured.errors["on-20, 2 TCP"] == pytest.approx(12.706205 * 0.05 / 2)
    assert "2 TCP: 2.05" in measured.note


def test_the_law_counts_headers(tmp_path):
    rows = [
        {"protocol": "xcp", "window_goodput_bps": 1040.0, "mean_queue_bytes": 1e5},
        {"protocol": "tcp", "window_goodput_bps": 1060.0, "mean_queue_bytes": 1e5},
    ]
    row = xcp.queue_law(_results(tmp_path, [], rows), "on-20").iloc[0]
    assert row["e2e_share"] == pytest.approx(0.5)
    assert row["law"] == pytest.approx(standing_queue(0.5, 100e6 * 1050 / 1052, 0.02))
    assert row["ratio"] == pytest.approx(1e5 / row["law"])


def test_rates_of_flows(tmp_path):
    samples = [(1, t, f, "goodput_bps", v) for t, f, v in ((1, 0, 2.0), (2, 0, 4.0), (2, 1, 6.0))]
    results = _results(tmp_path, samples)
    assert xcp.flow_rates(results, "on-20", 1.0, 2.0).tolist() == [4.0, 6.0]
    with pytest.raises(MissingDataError):
        xcp.flow_rates(results, "on-20", 2.0, 3.0)


@pytest.mark.parametrize("preset", ["tiny", "quick", "full"])
def test_figures_share_their_runs(preset):
    def keys(figure, prefix=""):
        points = load_figure(FIGURES / figure).points(preset)
        return {point.id for series, point in points if series.startswith(prefix)}

    law = keys("xcp-queue-law")
    for figure in ("xcp-fig1", "xcp-fig2", "xcp-fig3", "xcp-fig4"):
        assert keys(figure, "none-20") | keys(figure, "none-100") <= law
        assert keys(figure, "on-") <= law
    assert keys("xcp-fig2", "none") <= keys("xcp-fig1", "none")
    assert keys("xcp-fig5", "full3") <= keys("xcp-fig3", "on")
    assert keys("xcp-fig5", "full4") <= keys("xcp-fig4", "on")
    exact = {"xcp-fig2", "xcp-fig3", "xcp-fig4"} if preset == "full" else set()
    assert all(keys(figure, "exact") < law for figure in exact)
    assert len(keys("xcp-fig5")) == (8 if preset == "full" else 2)
    assert len(law) == (20 if preset == "full" else 12)
