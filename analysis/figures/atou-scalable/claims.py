# SPDX-License-Identifier: GPL-2.0-only
"""Claims about large windows; one function per claim."""

import numpy as np

from lfn.average import Average, measured
from lfn.claims import Measured
from lfn.figures.atou_paths import RTT_80, limited, lost_share, recoveries, responses
from lfn.models import atou as model
from lfn.results import MissingDataError

BEFORE = 25
"""RTTs that are enough for slow start and the RTTs until the loss."""


def _over_law(found, law):
    return {f"{x:g}": value / law(x) for x, value in found.items()}


def order_of_recovery(results):
    """Recovery time over that of the next slower law at 1500 segments."""
    names = ("kelly", "high-speed", "kelly-halving", "standard")
    times = {name: recoveries(results, name).get(1500) for name in names}
    if None in times.values():
        raise MissingDataError("no runs at 1500 segments")
    if np.isinf(times["standard"]):  # not back when the run ended: at least so long
        times["standard"] = results.rows("standard")["--duration"].max() / RTT_80 - BEFORE
    pairs = zip(names, names[1:], strict=False)
    parts = {f"{fast} over {slow}": times[fast] / times[slow] for fast, slow in pairs}
    return Measured(parts, 4)


def constant_recovery(results):
    """RTTs at each window."""
    found = recoveries(results, "kelly")
    return Measured({f"W = {w}": value for w, value in found.items()}, len(found))


def high_speed_recovery(results):
    """RTTs over the law's."""
    found = recoveries(results, "high-speed")
    return Measured(_over_law(found, model.high_speed_recovery), len(found))


def standard_recovery(results):
    """RTTs over the law's, of the windows that the law has back before the run ends."""
    longest = results.rows("standard")["--duration"].max() / RTT_80 - BEFORE
    found = recoveries(results, "standard")
    found = {w: value for w, value in found.items() if model.standard_recovery(w) < longest}
    if not found:
        raise MissingDataError("no run as long as the law")
    return Measured(_over_law(found, model.standard_recovery), len(found))


def response_function(results):
    """Mean window over the printed one."""
    printed = results.printed("response").set_index("x")["value"]
    found = responses(results)
    parts = {f"p = {p:g}": w / printed[p] for p, w in found.items() if p in printed.index}
    return Measured(parts, len(parts))


def limited_slow_start(results):
    """RTTs from the smallest window to the others over the law's.

    The first part of the law, log2, is left out: a burst of ACKs at the beginning of an RTT
    makes its time a whole number.
    """
    found = limited(results)
    if len(found) < 2:
        raise MissingDataError("one window only")
    first = min(found)
    parts = {}
    for window, rounds in found.items():
        if window > first:
            law = model.limited_slow_start(window) - model.limited_slow_start(first)
            parts[f"W = {window:g}"] = (rounds - found[first]) / law
    return Measured(parts, len(found))


def parallel_streams(results):
    """What four streams lose over what one loses."""
    return Measured.one(lost_share(results, "four-streams") / lost_share(results, "one-stream"), 2)


def _together(results, series):
    """Goodput of the streams of each run together."""
    rows = results.rows(series)
    runs = rows.groupby(["point", "run"], as_index=False)["goodput_bps"].sum()
    return Average.of(runs, runs["goodput_bps"])


def parallel_streams_random(results):
    """Goodput of four streams over that of one, losses at random."""
    four, one = (_together(results, f"{name}-random") for name in ("four-streams", "one-stream"))
    return measured(four / one)
