# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the interval of tolerance; one function a claim."""

from lfn.claims import Measured
from lfn.models import vrp as model
from lfn.vrp import over

HIGH = 0.25


def _tolerance(results):
    """Mean tolerance told over the interval's length, from the highest load to the lowest."""
    table = over(results, "adaptive", "frameInterval", "mean_loss_rate")
    return table.set_index("frameInterval")["mean"] / HIGH


def lowest_at_low_load(results):
    """Tolerance at the lowest load."""
    return Measured.one(_tolerance(results).iloc[-1], results.runs("adaptive"))


def highest_at_high_load(results):
    """Tolerance at the highest load."""
    return Measured.one(_tolerance(results).iloc[0], results.runs("adaptive"))


def rises_with_load(results):
    """Smallest rise of the tolerance from one load to the next higher one."""
    tolerance = _tolerance(results)
    return Measured.one((-tolerance.diff().dropna()).min(), results.runs("adaptive"))


def relieves_congestion(results):
    """Growth of the round trip over the smallest one, adaptive over low, at loads from 90 %."""
    growth = {}
    for series in ("adaptive", "low"):
        table = over(results, series, "frameInterval", "mean_rtt_s").set_index("frameInterval")
        growth[series] = table["mean"] - results.rows(series)["min_rtt_s"].min()
    busy = model.frame_time(8192, results.rows("low")["--linkRate"].iloc[0], 0.0, framing=model.PPP)
    ratios = growth["adaptive"] / growth["low"]
    parts = {
        f"{100 * busy / interval:.0f} %": value
        for interval, value in ratios.items()
        if interval < 1.12 * busy
    }
    return Measured(parts, 2 * results.runs("low"))


def within_interval(results):
    """Residual loss at every load."""
    table = over(results, "adaptive", "frameInterval", "residual_loss")
    parts = {
        f"{1e3 * interval:g} ms": 100.0 * loss
        for interval, loss in zip(table["frameInterval"], table["mean"], strict=True)
    }
    return Measured(parts, int(table["runs"].sum()))
