# SPDX-License-Identifier: GPL-2.0-only
"""Claims about XCP alongside TCP without a mechanism; one function per claim."""

from lfn.average import over_runs
from lfn.figures import claim
from lfn.figures.xcp import (
    SETTLED,
    binned,
    both_shares,
    classes,
    measured_bins,
    measured_share,
    queue_law,
)
from lfn.results import MissingDataError

# XCP's share before TCP starts, both RTTs: the same in all runs.
alone = claim(both_shares, "none", 0.0, 10.0)


starves_20 = claim(measured_bins, "none-20", "share", 20.0)  # XCP's share by bin, 20 ms
starves_20_sack = claim(measured_share, "sack-20", 20.0)  # XCP's share from 20 s on, TCP with SACK


def full_link(results):
    """Least utilisation of a run's 10 s bins, mean of the runs, by series."""
    there = set(results.table["series"])
    parts = {}
    for series in ("none-20", "none-100", "bdp2-100"):
        if series not in there:  # only in the full preset
            continue
        table = binned(results, series, "utilisation")
        table = table[table["start"] >= 20.0]
        if table.empty:
            raise MissingDataError("no 20 s")
        parts[series] = table.groupby("run")["value"].min()
    return over_runs(parts)


def standing_queue(results):
    """Mean queue over the law's."""
    return over_runs(queue_law(results, "none-20")["ratio"])


def falls_100(results):
    """Largest rise of a run's share between neighbouring bins, mean of the runs."""
    table = classes(results, "none-100")
    table = table[(table["start"] >= 20.0) & (table["start"] < 100.0)]
    if table["start"].nunique() < 2:
        raise MissingDataError("no two bins after 20 s")
    shares = table.pivot(index="run", columns="start", values="share")
    return over_runs(shares.diff(axis=1).max(axis=1))


# XCP's share by bin at the end, 100 ms.
starves_100 = claim(measured_bins, "none-100", "share", 90.0)
# The same with twice the buffer.
two_bdp = claim(measured_bins, "bdp2-100", "share", SETTLED + 40.0)
