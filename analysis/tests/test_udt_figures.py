# SPDX-License-Identifier: GPL-2.0-only
"""What the figures about UDT's rate control read out of runs, on made-up ones."""

import numpy as np
import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.columns import functions
from lfn.figures import udt_control
from lfn.models import udt as model
from lfn.results import MissingDataError
from lfn.spec import load_figure

MBPS = 1e6


def series(folder, point, rows):
    """Write series.csv of a point, of (run, time, flow, metric, value)."""
    (folder / point).mkdir(exist_ok=True)
    table = pd.DataFrame(rows, columns=["run", "time_s", "flow", "metric", "value"])
    table.to_csv(folder / point / "series.csv", index=False)


def judge(figure, claim, results):
    """Return the parts of a claim."""
    return functions(load_figure(ANALYSIS / "figures" / figure))[claim](results).parts


def test_a_crossing_is_interpolated():
    times, values = np.array([1.0, 2.0, 3.0]), np.array([0.0, 10.0, 20.0])
    assert udt_control.crossing(times, values, 15.0) == pytest.approx(2.5)
    assert udt_control.crossing(times, values, 0.0) == 1.0
    assert udt_control.crossing(times, values, 30.0) == np.inf


def test_a_loss_is_the_last_step_of_the_period():
    times = np.arange(1.0, 9.0)
    periods = np.array([1.0, 140.0, 130.0, 120.0, 135.0, 130.0, 125.0, 115.0])
    loss = udt_control.one_loss_of(times, periods)
    assert (loss.time, loss.before) == (5.0, 120.0)
    assert loss.back == pytest.approx(7.5)
    with pytest.raises(MissingDataError, match="no decrease"):
        udt_control.one_loss_of(times[:4], periods[:4])


def test_the_time_after_one_loss_is_judged_by_the_rules(tmp_path):
    packets = model.capacity(100 * MBPS)
    law = model.recovery(125.0, packets)
    after = model.decreased(125.0)
    samples = [(0.9, 125.0), (1.0, after), (1.0 + 1.05 * law, 125.0)]
    series(tmp_path, "p", [(1, time, 0, "period_us", value) for time, value in samples])
    rows = [{"series": "one-loss-100", "point": "p", "run": 1, "flow": 0, "protocol": "udt"}]
    parts = judge("udt-start", "one-loss", results_of(rows, tmp_path))
    assert parts == pytest.approx({"100 Mb/s": 1.05})
    series(tmp_path, "p", [(1, 0.9, 0, "period_us", 125.0), (1, 1.0, 0, "period_us", after)])
    with pytest.raises(MissingDataError, match="ends before"):
        judge("udt-start", "one-loss", results_of(rows, tmp_path))


def test_the_rise_is_extended_to_nothing(tmp_path):
    whole = model.user_rate(model.capacity(100 * MBPS))
    samples = [(0.05, 1e10), (3.0, 0.1 * whole), (3.0 + 6.9, 0.9 * whole)]
    series(tmp_path, "p", [(1, time, 0, "send_rate_bps", value) for time, value in samples])
    row = {"series": "rise", "point": "p", "run": 1, "flow": 0, "--linkRate": 100 * MBPS}
    parts = judge("udt-start", "rises-in-750-syn", results_of([row], tmp_path))
    assert parts["100 Mb/s"] == pytest.approx(6.9 * 9 / 8, rel=0.01)


def test_goodput_counts_after_a_fifth_of_the_run(tmp_path):
    values = [5.0, 100.0, 200.0, 300.0, 400.0]
    rows = [(1, 3.0 * (k + 1), 2, "goodput_bps", v) for k, v in enumerate(values)]
    series(tmp_path, "p", rows)
    flows = [{"series": "udt", "point": "p", "run": 1, "flow": flow} for flow in range(5)]
    results = results_of(flows, tmp_path)
    assert udt_control.goodput_of_flow(results, "udt", 2).value == 250.0


def test_the_set_up_counts_in_the_law():
    link, rtt, loss = 100 * MBPS, 0.1, 1e-3
    size = 1e6
    alone = model.goodput(size, model.capacity(link), rtt, loss)
    whole = udt_control.law_goodput(size, link, rtt, loss, np.inf)
    assert 8 * size / whole - 8 * size / alone == pytest.approx(0.2)


def test_the_law_judges_rare_losses_alone():
    rows = [
        {
            "series": "udt4",
            "point": f"{rtt}-{loss}",
            "run": run,
            "flow": 0,
            "goodput_bps": 30e6 + run,
            "--rtt": rtt,
            "--lossRate": loss,
            "--bytes": 1e8,
            "--window": 1400,
        }
        for rtt in (0.01, 0.3)
        for loss in (1e-5, 1e-4, 1e-3, 1e-2)
        for run in (1, 2)
    ]
    parts = judge("udt-loss", "follows-the-law", results_of(rows))
    assert set(parts) == {"10 ms, 0.01 %", "10 ms, 0.1 %", "10 ms, 1 %", "300 ms, 0.01 %"}
