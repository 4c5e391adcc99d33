# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the residual loss; one function a claim."""

from lfn.claims import Measured
from lfn.models import vrp as model
from lfn.vrp import over, residual_model

PACKETS = {"50-packets": 50, "1000-packets": 1000}
LONG = ("1000-packets", "1000-packets-window-64")


def follows_the_rules(results):
    """Simulated residual loss less the Monte Carlo's, in percentage points."""
    parts, runs = {}, 0
    for series, packets in PACKETS.items():
        table = over(results, series, "lossRate", "residual_loss")
        for loss, value in zip(table["lossRate"], table["mean"], strict=True):
            second = residual_model(packets, loss)[0]
            parts[f"{packets} packets, {100 * loss:g} %"] = 100.0 * (value - second)
        runs += int(table["runs"].sum())
    return Measured(parts, runs)


def limit_holds(results):
    """Residual loss of frames of 1000 packets."""
    parts, runs = {}, 0
    for series in LONG:
        table = over(results, series, "lossRate", "residual_loss")
        for loss, value in zip(table["lossRate"], table["mean"], strict=True):
            parts[f"{series} at {100 * loss:g} %"] = 100.0 * value
        runs += int(table["runs"].sum())
    return Measured(parts, runs)


def burst_holds(results):
    """Longest burst that any frame lost."""
    parts, runs = {}, 0
    for series in PACKETS:
        rows = results.rows(series)
        parts[series] = float(rows["longest_burst_bytes"].max())
        runs += len(rows)
    return Measured(parts, runs)


def percentage_of_short_frames(results):
    """Packets that the rules let a frame of 50 lose, and the most that the simulation lost."""
    allowed = 100.0 * model.max_losses(0.25, 64) / 50
    most = over(results, "50-packets", "lossRate", "residual_loss")["mean"].max()
    note = f"simulated, mean of frames at the highest loss: {100 * most:.1f} %"
    return Measured.one(allowed, results.runs("50-packets"), note=note)
