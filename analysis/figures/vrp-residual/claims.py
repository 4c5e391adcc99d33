# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the residual loss; one function per claim."""

from lfn.average import Average, measured
from lfn.claims import Measured
from lfn.figures.vrp import each, residual_model
from lfn.models import vrp as model

PACKETS = {"50-packets": 50, "1000-packets": 1000}
LONG = ("1000-packets", "1000-packets-window-64")


def _residual(results, series):
    """{network's loss: Average of the residual loss}."""
    return each(results, series, "lossRate", "residual_loss")


def follows_the_rules(results):
    """Simulated residual loss less the Monte Carlo's, in percentage points."""
    parts = {}
    for series, packets in PACKETS.items():
        for loss, left in _residual(results, series).items():
            mean, error = residual_model(packets, loss)
            name = f"{packets} packets, {100 * loss:g} %"
            parts[name] = 100.0 * (left - Average(mean, 1.96 * error))
    return measured(parts)


def limit_holds(results):
    """Residual loss of frames of 1000 packets."""
    return measured(
        {
            f"{series} at {100 * loss:g} %": 100.0 * left
            for series in LONG
            for loss, left in _residual(results, series).items()
        }
    )


def burst_holds(results):
    """Longest burst that any frame of any run lost: a largest value has no interval."""
    parts, runs = {}, 0
    for series in PACKETS:
        rows = results.rows(series)
        parts[series] = float(rows["longest_burst_bytes"].max())
        runs += len(rows)
    return Measured(parts, runs, basis="every run")


def percentage_of_short_frames(results):
    """Packets that the rules let a frame of 50 lose, and the most that the simulation lost."""
    allowed = 100.0 * model.max_losses(0.25, 64) / 50
    most = max(left.value for left in _residual(results, "50-packets").values())
    note = f"simulated, mean of frames at the highest loss: {100 * most:.1f} %"
    return Measured.one(allowed, results.runs("50-packets"), note=note)
