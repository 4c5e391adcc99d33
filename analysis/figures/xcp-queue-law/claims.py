# SPDX-License-Identifier: GPL-2.0-only
"""The standing queue against its law."""

from lfn.claims import Measured
from lfn.results import mean_interval
from lfn.xcp import queue_law

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


def law(results):
    """Mean queue over Q*, mean of the runs of each series."""
    parts, errors, runs = {}, {}, 0
    for series in SERIES:
        table = queue_law(results, series)
        parts[series], errors[series] = mean_interval(table["ratio"])
        runs += len(table)
    return Measured(parts, runs, errors)
