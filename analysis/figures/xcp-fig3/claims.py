# SPDX-License-Identifier: GPL-2.0-only
"""Claims about three XCP flows that join ten TCP flows; one function per claim."""

from lfn.average import over_runs
from lfn.figures import claim
from lfn.figures.xcp import SETTLED, classes, measured_share, sred_enough, sred_excess
from lfn.models.xcp import fair_share

__all__ = ["sred_enough"]

# The last full 10 s before the next flow or the end (None): beginning, XCP flows.
LAST = [(20.0, 1), (40.0, 2), (None, 3)]
ON = ("on-20", "on-100")


def due_20(results):
    """XCP's share minus what it is due."""
    table = classes(results, "on-20")
    parts = {}
    for begin, flows in LAST:
        start = table["start"].max() if begin is None else begin
        found = table.loc[table["start"] == start, "share"]
        if not found.empty:
            parts[f"{start:g} s, {flows} of {flows + 10}"] = found - float(fair_share(flows, 10))
    return over_runs(parts, results.runs("on-20"))


mean_20 = claim(measured_share, "on-20", SETTLED)  # XCP's share at 20 ms
more_than_needed_100 = claim(measured_share, "on-100", SETTLED)  # XCP's share at 100 ms
control_20 = claim(measured_share, "none-20", SETTLED)  # XCP's share without the mechanism at 20 ms
# XCP's share without the mechanism at 100 ms.
control_100 = claim(measured_share, "none-100", SETTLED)
sred_counts = claim(sred_excess, ON)  # Distance of the mean counts from SRED's range
