# SPDX-License-Identifier: GPL-2.0-only
"""Claims about parallel TCP; one function a claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.quanta import LINK, MOST_WINDOWS, by_streams, over_time, scatter, windows_law
from lfn.results import MissingDataError


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


def as_high_as_80(results):
    """Best goodput."""
    best = by_streams(results, "long-queue")["goodput_bps"].max()
    return Measured.one(100 * best / LINK, results.runs("long-queue"))


def _many_over_some(results, column):
    table = by_streams(results, "short-queue")[column]
    for streams in (16, 64):
        if streams not in table:
            raise MissingDataError(f"no {streams} connections")
    return Measured.one(table[64] / table[16], 2)


# Goodput of 64 connections over that of 16.
too_many_bring_nothing = claim(_many_over_some, "goodput_bps")
# Segments sent again by 64 connections over those of 16.
too_many_cost = claim(_many_over_some, "retransmitted_packets")


def too_many_are_unstable(results):
    """Scatter of the goodput over time of 64 connections over that of 16."""
    found = {n: scatter(samples) for n, samples in over_time(results, "over-time").items()}
    note = "; ".join(f"{n} connections: {value:.3g}" for n, value in found.items())
    return Measured.one(found[64] / found[16], 2, note=note)
