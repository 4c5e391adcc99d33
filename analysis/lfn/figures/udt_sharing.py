# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of UDT flows that share a link measure: Jain's index and stability, from series.

Goodputs are in bit/s, of the intervals of series.csv. A start that differs counts as another run.
"""

import numpy as np
import pandas as pd

from lfn.average import Average
from lfn.results import MissingDataError

MBPS = 1e6
EARLIER = 1e-6
"""Times of samples are rounded to less than this, in s."""

LONG = 4.0
"""Longer samples than the 1 s of series.csv, in s: no source gives the interval."""

PAPER = 1456 / 1502
"""User bytes per byte on the link: packets of 1500 B, and 2 B of PPP."""


def jain(values):
    """Jain's index of rates: (sum x)^2 / (n sum x^2)."""
    values = np.asarray(values, dtype=float)
    squares = len(values) * np.square(values).sum()
    return float(values.sum() ** 2 / squares) if squares else 0.0


def stability(flows):
    """Mean over the rows of steady() of deviation over mean; 0 is constant."""
    return float((flows["deviation"] / flows["mean"]).mean())


def steady(samples, begin, end, interval=None):
    """Mean and standard deviation of each flow's samples that end after ``begin``, up to ``end``.

    ``samples`` are rows of series.csv with point, run, flow, time_s and value. Returns a table of
    point, run, flow, mean and deviation; raises MissingDataError where there are none.
    ``interval``: the deviation is that of means over as many seconds, from ``begin`` on, without
    what is left at the end.
    """
    late = samples["time_s"] > begin + EARLIER
    chosen = samples[late & (samples["time_s"] <= end + EARLIER)]
    if chosen.empty:
        raise MissingDataError(f"no samples from {begin:g} to {end:g} s")
    flow = ["point", "run", "flow"]
    groups = chosen.groupby(flow)["value"]
    table = groups.agg(mean="mean", deviation="std")
    if interval is not None:
        number = np.ceil((chosen["time_s"] - begin) / interval - EARLIER).astype(int)
        whole = number <= (end - begin) / interval + EARLIER
        means = chosen[whole].groupby([*flow, number[whole].rename("number")])["value"].mean()
        table["deviation"] = means.groupby(flow).std()
    return table.reset_index()


def settled(results, series, share, interval=None, **flags):
    """steady() of a series from ``share`` of --duration on, with the flags of its points.

    Where --start is swept, each start is a run of its own.
    """
    rows = results.rows(series, **flags)
    samples = results.samples(series, "goodput_bps", **flags)
    parts = []
    for point, mine in rows.groupby("point"):
        end = float(mine["--duration"].iloc[0])
        part = steady(samples[samples["point"] == point], share * end, end, interval)
        about = mine.drop_duplicates("point").filter(like="--").iloc[0]
        parts.append(part.assign(**about.to_dict()))
    table = pd.concat(parts, ignore_index=True)
    if "--start" in table and table["--start"].nunique() > 1:
        table["run"] = table["--start"].map(str) + " " + table["run"].map(str)
    return table


def each_run(flows, measure, random=True):
    """Average over the runs of ``measure``(rows of a run) of a table as steady() has it."""
    groups = list(flows.groupby(["point", "run"], sort=False))
    runs = pd.DataFrame([key for key, _ in groups], columns=["point", "run"])
    return Average.of(runs, [measure(rows) for _, rows in groups], random)


def by_value(flows, column, measure, random=True):
    """{value of ``column``: each_run()}, ascending."""
    groups = flows.groupby(column)
    return {value: each_run(part, measure, random) for value, part in groups}


def as_table(found, **about):
    """A table of the plot: x, mean, low, high of {x: Average}, and columns that are the same."""
    rows = [
        (x, one.value, one.value - half, one.value + half)
        for x, one in found.items()
        for half in [0.0 if np.isnan(one.half) else one.half]
    ]
    return pd.DataFrame(rows, columns=["x", "mean", "low", "high"]).assign(**about)
