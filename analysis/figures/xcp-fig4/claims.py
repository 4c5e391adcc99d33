# SPDX-License-Identifier: GPL-2.0-only
"""Claims about three TCP flows that join ten XCP flows; one function a claim."""

from lfn.claims import Measured
from lfn.results import MissingDataError, mean_interval
from lfn.xcp import (
    SETTLED,
    measured_bins,
    measured_share,
    rtt_of,
    share,
    sred_enough,
    sred_excess,
)

__all__ = ["sred_enough"]

ON = ("on-20", "on-100")


def grabs_20(results):
    """A new TCP flow's share of goodput in its first 10 s over its due, 20 ms, by its start."""
    rows = results.rows("on-20")
    flows = rows[rows["run"] == 1].set_index("flow")
    starts = flows["start_s"]
    joins = starts[flows["protocol"] == "tcp"]
    table = results.extra("on-20", "series")
    table = table[(table["flow"] >= 0) & (table["metric"] == "goodput_bps")]
    parts, errors = {}, {}
    for flow, start in joins.items():
        first = table[table["time_s"].between(start + 1e-6, start + 10 + 1e-6)]
        if first.empty:
            continue
        rates = first.pivot_table(index="run", columns="flow", values="value", aggfunc="sum")
        due = 1.0 / (starts <= start).sum()
        name = f"{start:.0f} s"
        parts[name], errors[name] = mean_interval(rates[flow] / rates.sum(axis=1) / due)
    if not parts:
        raise MissingDataError("no flow that joins")
    return Measured(parts, table["run"].nunique(), errors)


def below_due_20(results):
    """TCP's share by bin, 60 to 80 s."""
    return measured_bins(results, "on-20", "tcp_share", SETTLED, 80.0)


def grabs_100(results):
    """TCP's share in the first 10 s, 100 ms."""
    return measured_share(results, "on-100", 10.0, 20.0, "tcp")


def small_100(results):
    """TCP's share in the next 10 s."""
    return measured_share(results, "on-100", 20.0, 30.0, "tcp")


def slow_100(results):
    """TCP's share by bin, 60 to 110 s."""
    return measured_bins(results, "on-100", "tcp_share", SETTLED, 110.0)


def control(results):
    """TCP's share without the mechanism."""
    parts, errors, runs = {}, {}, 0
    for series in ("none-20", "none-100"):
        mean, half, number = share(results, series, SETTLED, SETTLED + 10.0, "tcp")
        parts[rtt_of(series)], errors[rtt_of(series)] = mean, half
        runs += number
    return Measured(parts, runs, errors)


def sred_counts(results):
    """Distance of the mean counts from SRED's range."""
    return sred_excess(results, ON)
