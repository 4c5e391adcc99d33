# SPDX-License-Identifier: GPL-2.0-only
"""Claims about XCP beside TCP without a mechanism; one function a claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.xcp import (
    SETTLED,
    binned,
    classes,
    measured_bins,
    measured_share,
    queue_law,
    rtt_of,
    share,
)
from lfn.results import MissingDataError, mean_interval


def alone(results):
    """XCP's share before TCP starts, both round trips: the same in all runs."""
    parts, errors, runs = {}, {}, 0
    for series in ("none-20", "none-100"):
        mean, half, number = share(results, series, 0.0, 10.0)
        parts[rtt_of(series)], errors[rtt_of(series)] = mean, half
        runs += number
    return Measured(parts, runs, errors)


starves_20 = claim(measured_bins, "none-20", "share", 20.0)  # XCP's share by bin, 20 ms
starves_20_sack = claim(measured_share, "sack-20", 20.0)  # XCP's share from 20 s on, TCP with SACK


def full_link(results):
    """Least utilisation of a run's 10 s bins, mean of the runs."""
    table = binned(results, "none-20", "utilisation")
    table = table[table["start"] >= 20.0]
    if table.empty:
        raise MissingDataError("no 20 s")
    least = table.groupby("run")["value"].min()
    mean, half = mean_interval(least)
    return Measured.one(mean, len(least), half)


def standing_queue(results):
    """Mean queue over the law's."""
    table = queue_law(results, "none-20")
    mean, half = mean_interval(table["ratio"])
    return Measured.one(mean, len(table), half)


def falls_100(results):
    """Largest rise of a run's share between neighbouring bins, mean of the runs."""
    table = classes(results, "none-100")
    table = table[(table["start"] >= 20.0) & (table["start"] < 100.0)]
    if table["start"].nunique() < 2:
        raise MissingDataError("no two bins after 20 s")
    rises = table.pivot(index="run", columns="start", values="share").diff(axis=1).max(axis=1)
    mean, half = mean_interval(rises)
    return Measured.one(mean, len(rises), half)


# XCP's share by bin at the end, 100 ms.
starves_100 = claim(measured_bins, "none-100", "share", 90.0)
# The same with twice the buffer.
two_bdp = claim(measured_bins, "bdp2-100", "share", SETTLED + 40.0)
