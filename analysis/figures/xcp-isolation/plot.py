# SPDX-License-Identifier: GPL-2.0-only
"""First flow's share, queueing delay and utilisation, by queue disc and RTT."""

import numpy as np
import pandas as pd

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
LOOKS = ((BLUE, ""), (ORANGE, "//"), (GREEN, ".."))


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


def _draw_law(axes, table, rtts, width):
    """What the standing-queue law says of the XCP runs, with their own shares."""
    label = "law of XCP's standing queue"
    for rtt, shift in rtts:
        rows = table[(table["rtt"] == rtt) & table["series"].isin(("persistent", "adaptive"))]
        for _, row in rows.iterrows():
            law = 8e3 * model.standing_queue(1 - row["share"], row["rate"], rtt) / row["rate"]
            at = row["index"] + shift
            axes.plot(
                [at - width / 2, at + width / 2], [law, law], color=BLACK, lw=1.6, label=label
            )
            label = None


def draw(results):
    """Return {"xcp-isolation": (figure, plotted numbers)}."""
    figure, panels = new_figure(14.5, 4.6, ncols=3)
    table = _table(results)
    times = sorted(table["rtt"].unique())
    width = 0.8 / max(len(times), 2)
    shifts = width * (np.arange(len(times)) - (len(times) - 1) / 2)
    rtts = list(zip(times, shifts, strict=True))
    for axes, (column, _, label) in zip(panels, COLUMNS, strict=True):
        for (rtt, shift), (colour, hatch) in zip(rtts, LOOKS, strict=False):
            rows = table[table["rtt"] == rtt]
            axes.bar(
                rows["index"] + shift,
                rows[column],
                0.95 * width,
                yerr=rows[f"{column}_half"],
                color=colour,
                hatch=hatch,
                edgecolor="white",
                capsize=2,
                label=f"RTT {1e3 * rtt:g} ms",
            )
        axes.set_xticks(range(len(SHOWN)), [name for _, name in SHOWN], fontsize=8)
        axes.set_ylabel(label)
        axes.grid(axis="x", visible=False)
    share, delay, used = panels
    share.set_ylim(top=1.3 * share.get_ylim()[1])  # room for the legend
    share.axhline(1 / 3, color=BLACK, ls=(0, (5, 5)), lw=1, label="a third")
    _draw_law(delay, table, rtts, width)
    delay.set_yscale("log")
    delay.set_ylim(top=12 * table["delay"].max())  # likewise
    used.set_ylim(max(0, table["utilisation"].min() - 0.05), 1.0)
    share.legend(loc="upper right", fontsize=8)
    delay.legend(loc="upper left", fontsize=8)
    return {"xcp-isolation": (figure, table)}
