# SPDX-License-Identifier: GPL-2.0-only
"""Claims about one XCP and two TCP flows with the mechanism; one function per claim."""

from lfn.average import over_runs
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.xcp import (
    SETTLED,
    binned,
    bins_measured,
    classes,
    into_bins,
    measured_bins,
    measured_share,
    path,
    shares,
    sred_enough,
    sred_excess,
)
from lfn.models.xcp import LEAST_PROBABILITY, fair_share
from lfn.results import MissingDataError

__all__ = ["sred_enough"]

START = (10.0, 20.0)


regains_20 = claim(measured_bins, "on-20", "share", 20.0)  # XCP's share by bin, 20 ms


def tcp_under_fair_share_20(results):
    """TCP's share of the link in a run's largest bin, mean of the runs."""
    table = classes(results, "on-20")
    part = table[table["start"] >= 20.0]
    if part.empty:
        raise MissingDataError("no 20 s")
    return over_runs(part.groupby("run")["tcp_link"].max())


def helps_20(results):
    """Share with the mechanism over that without, paired by run."""
    ours, theirs = (shares(results, series, START[1]) for series in ("on-20", "none-20"))
    ratios = (ours / theirs).dropna()
    return over_runs(ratios, 2 * len(ratios))


def heavy_loss_100(results):
    """Tail drops from 10 to 20 s that must be TCP's: all but as many as XCP has in a whole run."""
    table = binned(results, "on-100", "drops_tail", how="sum")
    found = table[table["start"] == START[0]].set_index("run")["value"]
    rows = results.rows("on-100")
    xcp = rows[rows["protocol"] == "xcp"].groupby("run")["drops_tail"].sum()
    return over_runs((found - xcp).dropna())


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


FAIR_SHARE = float(fair_share(1, 2))


def penalised_100(results):
    """XCP's share of the link from 10 to 20 s."""
    table = classes(results, "on-100")
    part = table[table["start"] == START[0]]
    if part.empty:
        raise MissingDataError("no 10 s")
    return over_runs(part["xcp_link"])


def _dropped(results, series):
    """Packets that the mechanism dropped from 20 s on, by run."""
    table = path(results, series, "drops_fairness")
    late = table[table["time_s"] > START[1]]
    if late.empty:
        raise MissingDataError("no 20 s")
    return over_runs(late.groupby("run")["value"].sum())


no_drops_100 = claim(_dropped, "on-100")
no_drops_100_gated = claim(_dropped, "gated-100")
tcp_slow_100_gated = claim(measured_bins, "gated-100", "tcp_share", START[1])


def _excess(results, ours, theirs, begin):
    """XCP's excess over its fair share in one series over that in another, paired by run."""
    both = [shares(results, series, begin) - FAIR_SHARE for series in (ours, theirs)]
    ratios = (both[0] / both[1]).dropna()
    return over_runs(ratios, 2 * len(ratios))


slow_recovery_100 = claim(_excess, "gated-100", "on-100", START[1])
faster_fall_100 = claim(_excess, "fall-100", "on-100", SETTLED)
faster_fall_20 = claim(measured_share, "fall-20", SETTLED)


def sixty_per_cent(_):
    """TCP's fair share by equation (2), per cent."""
    return Measured.one(100.0 * (1.0 - FAIR_SHARE))
