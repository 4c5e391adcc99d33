# SPDX-License-Identifier: GPL-2.0-only
"""Claims about streaming over RBUDP; one function per claim."""

import numpy as np

from lfn.claims import Measured
from lfn.figures.rbudp import MBPS
from lfn.models import rbudp as model
from lfn.results import MissingDataError

OBJECT = 800 * 600 * 3
TOLERANCE = 1.001
"""A block period is met when exceeded by less than 0.1 %: one bitmap and one datagram."""


def equation_11(_results):
    """Equation (11) for the paper's example."""
    return Measured.one(model.stream_send_rate(OBJECT, 20, 0.5, 0.1) / MBPS)


def ten_frames(results):
    """Equation (9), and what the program put into a block."""
    rows = results.rows("stream")
    parts = {"equation (9)": model.objects_per_block(20, 0.5)}
    parts["simulated"] = float(rows["objects_per_block"].mean())
    return Measured(parts, len(rows))


def least_rate(results):
    """Lowest send rate whose blocks take at most D."""
    rows = results.rows("stream").sort_values("--sendRate")
    held = rows["mean_block_time_s"] <= rows["--maxDelay"] * TOLERANCE
    if held.all() or not held.any():
        raise MissingDataError("no send rate on either side of the limit")
    return Measured.one(rows[held]["--sendRate"].min() / MBPS, len(rows))


def sustained(results):
    """Objects delivered a second at 288 Mb/s, from the time between two blocks' deliveries."""
    row = results.rows("stream", sendRate=288 * MBPS).iloc[0]
    return Measured.one(
        row["objects_per_block"] / (row["block_period_s"] + row["latency_growth_s"]), 1
    )


def falls_behind(results):
    """Mean block time at 280 Mb/s in ms."""
    rows = results.rows("stream", sendRate=280 * MBPS)
    return Measured.one(1e3 * rows["mean_block_time_s"].mean(), len(rows))


def extra_delay(results):
    """Longest time from an object's creation to its delivery at the rates that keep up."""
    rows = results.rows("stream")
    held = rows[rows["mean_block_time_s"] <= rows["--maxDelay"] * TOLERANCE]
    if held.empty:
        raise MissingDataError("no sustained stream")
    return Measured.one(float(np.max(held["max_object_latency_s"])), len(held))
