# SPDX-License-Identifier: GPL-2.0-only
"""Claims about parallel TCP; one function per claim."""

import numpy as np

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.quanta import LINK, MOST_WINDOWS, by_streams, over_time, scatter, windows_law
from lfn.results import MissingDataError, mean_interval


def one_window_does_not_fill(results):
    """Goodput of one connection."""
    table = by_streams(results, "long-queue")
    return Measured.one(100 * table["goodput_bps"][1] / LINK, 1)


def windows_add_up(results):
    """Goodput over the law, while the link is not full."""
    table = by_streams(results, "long-queue")
    parts = {
        f"{n} connections": value / windows_law(n)
        for n, value in table["goodput_bps"].items()
        if n <= MOST_WINDOWS
    }
    return Measured(parts, len(parts))


def _best(results, series):
    best = by_streams(results, series)["goodput_bps"].max()
    return Measured.one(100 * best / LINK, results.runs(series))


# Best goodput.
as_high_as_80 = claim(_best, "long-queue")
as_high_as_80_short_queue = claim(_best, "short-queue")


def _many_over_some(results, column):
    table = by_streams(results, "short-queue")[column]
    for streams in (16, 64):
        if streams not in table:
            raise MissingDataError(f"no {streams} connections")
    return Measured.one(table[64] / table[16], 2)


# Goodput of 64 connections over that of 16.
too_many_bring_nothing = claim(_many_over_some, "goodput_bps")
# Segments retransmitted by 64 connections over those of 16.
too_many_cost = claim(_many_over_some, "retransmitted_packets")


def _many_over_few(results, series, **flags):
    """Scatter of the goodput over time, of 16 and of 64 connections."""
    found = over_time(results, series, **flags)
    return scatter(found[16]), scatter(found[64])


def _by_start(results):
    """Quotient of many connections over few alongside others, half width, scatters; by the
    starts."""
    rows = results.rows("alongside-others")
    pairs = [_many_over_few(results, "alongside-others", start=t) for t in rows["--start"].unique()]
    return *mean_interval([many / few for few, many in pairs]), np.mean(pairs, axis=0)


def too_many_are_unstable(results):
    """Scatter of the goodput over time of 64 connections over that of 16."""
    parts, errors, notes = {}, {}, []
    for name, series in (("CUBIC", "over-time"), ("Reno, partitioned", "of-2003")):
        few, many = _many_over_few(results, series)
        parts[name] = many / few
        notes.append(f"{name}: {few:.3g} and {many:.3g}")
    name = "Reno, alongside others"
    parts[name], errors[name], (few, many) = _by_start(results)
    notes.append(f"{name}: {few:.3g} and {many:.3g}, means of all starts")
    series = ("over-time", "of-2003", "alongside-others")
    runs = sum(results.runs(one) for one in series)
    return Measured(parts, runs, errors, "; ".join(notes))
