# SPDX-License-Identifier: GPL-2.0-only
"""First flow's share, queueing delay and utilisation, by queue disc and RTT."""

import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator

from lfn.figures.xcp_beyond import runs_of
from lfn.models import xcp as model
from lfn.results import mean_interval
from lfn.style import BLACK, BLUE, GREEN, ORANGE, new_figure

SHOWN = [
    ("none", "XCP, no\nmechanism"),
    ("persistent", "XCP,\npersistent"),
    ("adaptive", "XCP,\nadaptive"),
    ("fq-codel", "TCP,\nFQ-CoDel"),
    ("pie", "TCP,\nPIE"),
    ("fifo", "TCP,\nFIFO"),
]
COLUMNS = (
    ("share", 1, "first flow's share of goodput"),
    ("delay", 1e3, "queueing delay (ms)"),
    ("utilisation", 1, "utilisation"),
)
LOOKS = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "^"))


def _table(results):
    found = []
    for index, (series, _) in enumerate(SHOWN):
        runs = runs_of(results, series)
        for (rate, rtt), group in runs.groupby(["rate", "rtt"]):
            row = {"series": series, "index": index, "rate": rate, "rtt": rtt, "runs": len(group)}
            for column, factor, _ in COLUMNS:
                mean, half = mean_interval(factor * group[column])
                row.update({column: mean, f"{column}_half": half})
            found.append(row)
    return pd.DataFrame(found)


def _draw_law(axes, table, rtts, height):
    """What the standing-queue law says of the XCP runs, with their own shares."""
    label = "law of XCP's standing queue"
    for rtt, shift in rtts:
        rows = table[(table["rtt"] == rtt) & table["series"].isin(("persistent", "adaptive"))]
        for _, row in rows.iterrows():
            law = 8e3 * model.standing_queue(1 - row["share"], row["rate"], rtt) / row["rate"]
            at = row["index"] + shift
            ends = [at - height / 2, at + height / 2]
            axes.plot([law, law], ends, color=BLACK, lw=1.6, label=label)
            label = "_"


def draw(results):
    figure, panels = new_figure(9.2, 5.0, ncols=3, sharey=True)
    table = _table(results)
    times = sorted(table["rtt"].unique())
    height = 0.7 / max(len(times), 2)
    shifts = height * (np.arange(len(times)) - (len(times) - 1) / 2)
    rtts = list(zip(times, shifts, strict=True))
    for axes, (column, _, label) in zip(panels, COLUMNS, strict=True):
        for (rtt, shift), (colour, marker) in zip(rtts, LOOKS, strict=False):
            rows = table[table["rtt"] == rtt]
            axes.errorbar(
                rows[column],
                rows["index"] + shift,
                xerr=rows[f"{column}_half"],
                color=colour,
                marker=marker,
                markersize=7,
                linestyle="none",
                capsize=3,
                label=f"RTT {1e3 * rtt:g} ms",
            )
        axes.set_xlabel(label)
    share, delay, used = panels
    share.set_yticks(range(len(SHOWN)), [name for _, name in SHOWN])
    share.invert_yaxis()
    # Intervals are shown whole; a single run has none.
    farthest = (table["share"] + table["share_half"].fillna(0)).max()
    share.set_xlim(0, max(0.5, 1.05 * farthest))
    share.axvline(1 / 3, color=BLACK, ls=(0, (5, 5)), lw=1, label="a third")
    _draw_law(delay, table, rtts, height)
    delay.set_xscale("log")
    delay.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    delay.xaxis.set_major_formatter("{x:g}")
    delay.xaxis.set_minor_formatter("")
    least = (table["utilisation"] - table["utilisation_half"].fillna(0)).min()
    used.set_xlim(max(0, min(least - 0.01, 0.9)), 1.005)
    lines, labels = share.get_legend_handles_labels()
    more = delay.get_legend_handles_labels()
    for line, label in zip(*more, strict=True):
        if label not in labels:
            lines.append(line)
            labels.append(label)
    figure.legend(lines, labels, loc="outside lower center", ncols=3)
    return figure, table
