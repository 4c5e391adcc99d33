# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a virtual MSS; one function per claim."""

from lfn.average import measured
from lfn.claims import Measured
from lfn.figures.atou import average_at, column, rates
from lfn.results import MissingDataError

RTT = 0.08


def default_average(results):
    """Mb/s after 10 s."""
    return Measured.one(average_at(results, "default", 10.0) / 1e6, 1)


def virtual_average(results):
    """Mb/s after 10 s."""
    return Measured.one(average_at(results, "virtual", 10.0) / 1e6, 1)


def back_at_the_plateau(results):
    """When the rate is within 5 % of the plateau again after both losses."""
    table = rates(results, "virtual")
    # What the link carries, as the curve shows it: its highest bins, but for slow start's peaks.
    plateau = table["rate"].quantile(0.95)
    low = table[(table["rate"] < 0.95 * plateau) & (table["time_s"] < 10.0)]
    if table["time_s"].iloc[-1] < 9.9:
        raise MissingDataError("no 10 s of series virtual")
    later = table[table["time_s"] > low["time_s"].iloc[-1]]
    return Measured.one(later["time_s"].iloc[0], 1)


def starts_faster(results):
    """Full window earlier by, in RTTs."""
    slow, fast = (column(results, s, "full_window_s", random=False) for s in ("default", "virtual"))
    return measured((slow - fast) / RTT)


def same_effect(results):
    """Averages of the virtual and the real one."""
    return Measured.one(average_at(results, "virtual", 10.0) / average_at(results, "real", 10.0), 2)
