# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the interval of tolerance; one function per claim."""

from lfn.average import extreme, measured
from lfn.figures.vrp import each
from lfn.models import vrp as model

HIGH = 0.25


def _tolerance(results):
    """Averages of the tolerance reported over the interval's length, from the highest load down."""
    reported = each(results, "adaptive", "frameInterval", "mean_loss_rate")
    return [one / HIGH for one in reported.values()]


def lowest_at_low_load(results):
    """Tolerance at the lowest load."""
    return measured(_tolerance(results)[-1])


def highest_at_high_load(results):
    """Tolerance at the highest load."""
    return measured(_tolerance(results)[0])


def rises_with_load(results):
    """Smallest rise of the tolerance from one load to the next higher one."""
    tolerance = _tolerance(results)
    rises = [high - low for high, low in zip(tolerance, tolerance[1:], strict=False)]
    return measured(extreme(min, dict(enumerate(rises)))[1])


def relieves_congestion(results):
    """Growth of the RTT over the smallest one, adaptive over low, at loads from 90 %."""
    growth = {}
    for series in ("adaptive", "low"):
        shortest = extreme(min, each(results, series, "frameInterval", "min_rtt_s"))[1]
        trips = each(results, series, "frameInterval", "mean_rtt_s")
        growth[series] = {interval: trip - shortest for interval, trip in trips.items()}
    busy = model.frame_time(8192, results.rows("low")["--linkRate"].iloc[0], 0.0, framing=model.PPP)
    return measured(
        {
            f"{100 * busy / interval:.0f} %": growth["adaptive"][interval] / low
            for interval, low in growth["low"].items()
            if interval < 1.12 * busy
        }
    )


def within_interval(results):
    """Residual loss at every load."""
    losses = each(results, "adaptive", "frameInterval", "residual_loss")
    return measured({f"{1e3 * time:g} ms": 100.0 * loss for time, loss in losses.items()})
