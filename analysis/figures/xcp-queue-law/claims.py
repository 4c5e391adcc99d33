# SPDX-License-Identifier: GPL-2.0-only
"""The standing queue against its law."""

from lfn.claims import Measured
from lfn.figures.xcp import queue_law
from lfn.results import MissingDataError

SERIES = [
    f"{figure}-{mechanism}-{rtt}"
    for figure, mechanisms in (
        ("fig1", ("none",)),
        ("fig2", ("on",)),
        ("fig3", ("on", "none")),
        ("fig4", ("on", "none")),
    )
    for mechanism in mechanisms
    for rtt in (20, 100)
]


FULL = ["fig1-bdp2-100", "fig1-sack-20"] + [
    f"fig{number}-exact-{rtt}" for number in (2, 3, 4) for rtt in (20, 100)
]
"""Runs that only the full preset has."""


def law(results):
    """Mean queue over Q* in the run of each series that is farthest from it.

    An extreme over the runs, which has no interval.
    """
    parts, runs = {}, 0
    for series in SERIES + FULL:
        try:
            ratios = queue_law(results, series)["ratio"]
        except MissingDataError:
            if series in FULL:
                continue
            raise
        parts[series] = ratios[(ratios - 1.0).abs().idxmax()]
        runs += len(ratios)
    return Measured(parts, runs, basis="every run")
