# SPDX-License-Identifier: GPL-2.0-only
"""Goodput over random loss for four RTTs, by the rules of UDT4 and of UDT3."""

import numpy as np
import pandas as pd

from lfn.figures.compare import legend_below
from lfn.figures.udt_control import MBPS, law_goodput, look
from lfn.models import udt as model
from lfn.results import means
from lfn.style import new_figure, plot_band, style

LINK = 100 * MBPS
STARS = {"20": "original, 20 ms", "100": "original, 100 ms"}


def _curves(axes, results, series):
    rows = results.rows(series).assign(mbps=results.rows(series)["goodput_bps"] / MBPS)
    tables = []
    for index, (rtt, part) in enumerate(rows.groupby("--rtt")):
        table = means(part, "--lossRate", "mbps")
        looks = look(index, f"{1e3 * rtt:g} ms")
        plot_band(axes, 100 * table["--lossRate"], table, "udt", **looks)
        tables.append(table.assign(series=series, rtt_s=rtt))
    return pd.concat(tables, ignore_index=True)


def _laws(axes, results):
    rows = results.rows("udt4")
    grid = np.geomspace(rows["--lossRate"].min(), rows["--lossRate"].max(), 40)
    for index, (rtt, part) in enumerate(rows.groupby("--rtt")):
        first = part.iloc[0]
        law = [law_goodput(first["--bytes"], LINK, rtt, p, first["--window"]) for p in grid]
        looks = look(index, "fluid with pauses" if index == 0 else "_", lines=True)
        axes.plot(100 * grid, np.array(law) / MBPS, **{**looks, "linewidth": 0.9, "color": "black"})
    step = model.increase(model.capacity(LINK) / model.SHARE)
    law = np.array([model.user_rate(model.loss_law(p, step)) for p in grid]) / MBPS
    below = law < model.user_rate(model.capacity(LINK)) / MBPS
    axes.plot(100 * grid[below], law[below], **style("bound", r"$300\,\sqrt{inc/p}$, no RTT"))


def _originals(axes, results, series):
    for rtt, label in STARS.items():
        rows = results.printed("original")
        rows = rows[rows["series"] == f"{series}-{rtt}"]
        if len(rows):
            marks = {"color": "black", "marker": "*" if rtt == "100" else "P", "zorder": 5}
            looks = style("published", label, **{**marks, "markerfacecolor": "black"})
            axes.plot(rows["x"], rows["value"], **looks)


def draw(results):
    figure, (left, right) = new_figure(9.6, 5.0, ncols=2, sharey=True)
    tables = []
    for axes, series, title in ((left, "udt4", "UDT4"), (right, "udt3", "UDT3, host of 116 us")):
        tables.append(_curves(axes, results, series))
        if series == "udt4":
            _laws(axes, results)
        _originals(axes, results, series)
        axes.set(xscale="log", yscale="log", ylim=(1, 120), title=title)
        axes.set_xlabel("packets lost at random (%)")
        axes.set_yticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"])
        axes.minorticks_off()
        ticks = [t for t in (1e-3, 1e-2, 0.1, 1) if t >= 99 * results.table["--lossRate"].min()]
        axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
        legend_below(axes)
    left.set_ylabel("goodput (Mb/s)")
    return figure, pd.concat(tables, ignore_index=True)
