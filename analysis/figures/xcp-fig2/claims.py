# SPDX-License-Identifier: GPL-2.0-only
"""Claims about one XCP and two TCP flows with the mechanism; one function per claim."""

from lfn.average import over_runs
from lfn.figures import claim
from lfn.figures.xcp import (
    binned,
    bins_measured,
    classes,
    into_bins,
    measured_bins,
    path,
    shares,
    sred_enough,
    sred_excess,
)
from lfn.models.xcp import LEAST_PROBABILITY
from lfn.results import MissingDataError

__all__ = ["sred_enough"]

START = (10.0, 20.0)


regains_20 = claim(measured_bins, "on-20", "share", 20.0)  # XCP's share by bin, 20 ms


def tcp_under_due_20(results):
    """Part of a run's bins in which TCP has less than 0.6 of the link, mean of the runs."""
    table = classes(results, "on-20")
    part = table[table["start"] >= 20.0]
    if part.empty:
        raise MissingDataError("no 20 s")
    return over_runs((part["tcp_link"] < 0.6).groupby(part["run"]).mean())


def helps_20(results):
    """Share with the mechanism over that without, paired by run."""
    ours, theirs = (shares(results, series, START[1]) for series in ("on-20", "none-20"))
    ratios = (ours / theirs).dropna()
    return over_runs(ratios, 2 * len(ratios))


def _start(results, metric, how):
    table = binned(results, "on-100", metric, how=how)
    return over_runs(table.loc[table["start"] == START[0], "value"])


heavy_loss_100 = claim(_start, "drops_tail", "sum")  # Tail drops from 10 to 20 s


def low_use_100(results):
    """Utilisation of a run's least used second from 10 to 20 s, mean of the runs."""
    table = binned(results, "on-100", "utilisation", width=1.0)
    least = table[table["start"].between(START[0], START[1] - 1.0)].groupby("run")["value"].min()
    if least.empty:
        raise MissingDataError("no 10 s")
    return over_runs(least)


def floor_100(results):
    """Drop probability in 1e-4 by bin, while applied."""
    table = path(results, "on-100", "drop_probability")
    table = into_bins(table[(table["time_s"] > START[1]) & (table["value"] > 0.0)])
    if table.empty:
        raise MissingDataError("no drop probability above 0 after 20 s")
    table["value"] /= LEAST_PROBABILITY
    return bins_measured(table, "value", 0.0)


tcp_slow_100 = claim(measured_bins, "on-100", "tcp_share", START[1])  # TCP's share by bin, 100 ms
# Distance of the mean counts from SRED's range.
sred_counts = claim(sred_excess, ("on-20", "on-100"))
