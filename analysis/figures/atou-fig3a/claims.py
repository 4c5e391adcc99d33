# SPDX-License-Identifier: GPL-2.0-only
"""Claims about recovery from one loss; one function per claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou import MSS, average_at, samples, slope

WINDOW = 2000
SETTINGS = {"standard": 0.5, "aggressive": 0.9}


def aggressive_is_faster(results):
    """Averages at 9.9 s."""
    return Measured.one(
        average_at(results, "aggressive", 9.9) / average_at(results, "standard", 9.9), 2
    )


def _average(results, series):
    """Average at 9.9 s."""
    return Measured.one(average_at(results, series, 9.9) / 1e6, 1)


standard_average = claim(_average, "standard")
aggressive_average = claim(_average, "aggressive")


def _window(results, series):
    table = samples(results, series, "cwnd_bytes")
    return table.assign(cwnd=table["value"] / MSS)


def one_segment_per_rtt(results):
    """Growth of cwnd after the loss, in segments per RTT."""
    table = _window(results, "standard")
    trips = samples(results, "standard", "rtt_s")
    late = trips[(trips["time_s"] > 4.0) & (trips["time_s"] < 9.9)]
    return Measured.one(slope(table, 4.0, 9.9, "cwnd") * late["value"].mean(), 1)


def cuts(results):
    """Window that ssthresh shows after the loss over the prescribed one."""
    parts = {}
    for series, multiplier in SETTINGS.items():
        threshold = samples(results, series, "ssthresh_bytes")["value"].iloc[-1] / MSS
        parts[series] = threshold / (multiplier * WINDOW)
    return Measured(parts, 2)
