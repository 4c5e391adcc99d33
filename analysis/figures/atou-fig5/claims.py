# SPDX-License-Identifier: GPL-2.0-only
"""Claims about figure 5; one function per claim."""

from lfn.claims import Measured
from lfn.figures.atou_paths import MBPS, average_until, rate, trace

WHO = ("tcp", "atou")


def _averages(results, time):
    """{(who, size): average sending rate up to a time, Mb/s}."""
    return {
        (who, size): average_until(trace(results, f"{who}-{size}", "send_rate_bps"), time) / MBPS
        for who in WHO
        for size in ("small", "large")
    }


def larger_is_faster(results):
    """Average with large segments over that with small ones, at two times."""
    parts = {}
    for time in (1.7, 9.9):
        found = _averages(results, time)
        for who in WHO:
            parts[f"{who}, {time} s"] = found[who, "large"] / found[who, "small"]
    return Measured(parts, 4)


def gain(results):
    """The same at 9.9 s."""
    found = _averages(results, 9.9)
    return Measured({who: found[who, "large"] / found[who, "small"] for who in WHO}, 4)


def averages(results):
    """Averages over the published ones."""
    parts = {}
    for row in results.printed("average").itertuples():
        size, time = row.series, float(row.x)
        found = _averages(results, time)
        for who in WHO:
            parts[f"{who}, {size}, {time:g} s"] = found[who, size] / row.value
    return Measured(parts, 4)


def hippi(results):
    """Rate of the user bytes."""
    return Measured.one(rate(results, "hippi")[0] / MBPS, 1)
