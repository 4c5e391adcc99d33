# SPDX-License-Identifier: GPL-2.0-only
"""Claims about three XCP flows that join ten TCP flows; one function per claim."""

from lfn.average import over_runs
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.xcp import (
    SETTLED,
    classes,
    measured_share,
    shares,
    sred_enough,
    sred_excess,
)
from lfn.models.xcp import fair_share
from lfn.results import MissingDataError

__all__ = ["sred_enough"]

STARTS = (10.0, 30.0, 50.0)
"""When XCP's flows start, s."""
FROM = 20.0
"""Beginning of the first 10 s that are judged: the first flow's own ones are left out."""
ON = ("on-20", "on-100")


def fair_share_20(results):
    """XCP's share minus its fair share, by bin."""
    table = classes(results, "on-20")
    parts = {}
    for start, bins in table[table["start"] >= FROM].groupby("start"):
        flows = sum(start >= one for one in STARTS)
        name = f"{start:g} s, {flows} of {flows + 10}"
        parts[name] = bins["share"] - float(fair_share(flows, 10))
    if not parts:
        raise MissingDataError(f"no {FROM:g} s")
    return over_runs(parts, results.runs("on-20"))


mean_20 = claim(measured_share, "on-20", SETTLED)  # XCP's share at 20 ms
more_than_needed_100 = claim(measured_share, "on-100", SETTLED)  # XCP's share at 100 ms
control_20 = claim(measured_share, "none-20", SETTLED)  # XCP's share without the mechanism at 20 ms
# XCP's share without the mechanism at 100 ms.
control_100 = claim(measured_share, "none-100", SETTLED)
sred_counts = claim(sred_excess, ON)  # Distance of the mean counts from SRED's range


def newcomer_gets_some_100(results):
    """Rise of XCP's share about each start."""
    table = classes(results, "on-100").set_index("start")
    parts = {}
    for start in STARTS:
        if {start - 10.0, start + 10.0} <= set(table.index):
            ends = (table.loc[[at]].set_index("run")["share"] for at in (start + 10, start - 10))
            parts[f"{start:g} s"] = next(ends) - next(ends)
    if not parts:
        raise MissingDataError("no start with 20 s after it")
    return over_runs(parts, results.runs("on-100"))


def fairer_than_two_tcp_100(results):
    """XCP's excess with ten TCP flows less that with two."""
    excess = [
        shares(results, series, SETTLED) - float(fair_share(*flows))
        for series, flows in (("on-100", (3, 10)), ("two-tcp-100", (1, 2)))
    ]
    found = (excess[0] - excess[1]).dropna()
    return over_runs(found, 2 * len(found))


def factor_of_aggressiveness(_):
    """Growth of TCP's windows in a time at 20 ms over that of both figures at 100 ms."""
    faster = 0.1 / 0.02
    return Measured({"Fig. 2b": 10 / 2 * faster, "Fig. 3b": faster})
