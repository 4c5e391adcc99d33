# SPDX-License-Identifier: GPL-2.0-only
"""Claims about three TCP flows that join ten XCP flows; one function per claim."""

from lfn.average import over_runs
from lfn.figures import claim
from lfn.figures.xcp import (
    SETTLED,
    both_shares,
    measured_bins,
    measured_share,
    share_differences,
    sred_enough,
    sred_excess,
)
from lfn.results import MissingDataError

__all__ = ["sred_enough"]

ON = ("on-20", "on-100")


def grabs_20(results):
    """A new TCP flow's share of goodput in its first 10 s over its fair share, 20 ms, by its
    start."""
    table = results.samples("on-20", "goodput_bps")
    table = table[table["flow"] >= 0]
    found = {}
    for run, flows in results.rows("on-20").set_index("flow").groupby("run"):
        for flow, start in flows.loc[flows["protocol"] == "tcp", "start_s"].items():
            first = table[(table["run"] == run) & table["time_s"].between(start, start + 10.0)]
            if not first.empty:
                rates = first.groupby("flow")["value"].sum()
                fair = 1.0 / (flows["start_s"] <= start).sum()
                name = f"{10 * round(start / 10)} s"
                found.setdefault(name, []).append(rates[flow] / rates.sum() / fair)
    if not found:
        raise MissingDataError("no flow that joins")
    return over_runs(found, table["run"].nunique())


# TCP's share by bin, 60 to 80 s.
below_fair_share_20 = claim(measured_bins, "on-20", "tcp_share", SETTLED, 80.0)
# TCP's share in the first 10 s, 100 ms.
grabs_100 = claim(measured_share, "on-100", 10.0, 20.0, "tcp")
small_100 = claim(measured_share, "on-100", 20.0, 30.0, "tcp")  # TCP's share in the next 10 s
# TCP's share by bin, 60 to 110 s.
slow_100 = claim(measured_bins, "on-100", "tcp_share", SETTLED, 110.0)


# TCP's share without the mechanism.
control = claim(both_shares, "none", SETTLED, SETTLED + 10.0, "tcp")


sred_counts = claim(sred_excess, ON)  # Distance of the mean counts from SRED's range
# XCP's share with SRED less that with the true counts, over a slower link.
sred_enough_10mbps = claim(share_differences, {"20 ms": ("sred-20-10mbps", "true-20-10mbps")})
