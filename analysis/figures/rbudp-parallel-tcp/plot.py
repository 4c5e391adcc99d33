# SPDX-License-Identifier: GPL-2.0-only
"""Goodput and segments retransmitted over the number of connections; goodput over time."""

import numpy as np
import pandas as pd

from lfn.figures.published import band, level
from lfn.figures.quanta import LINK, by_streams, over_time, windows_law
from lfn.style import look, new_figure, style

MBPS = 1e6
SERIES = [
    ("long-queue", "parallel-tcp", "queue of 10000 packets"),
    ("short-queue", "parallel-tcp-short-queue", "queue of 50 packets"),
]
OVER_TIME = [
    ("over-time", "CUBIC in turns, alone,\nqueue of 50 packets"),
    ("alongside-others", "Reno, partitioned, alongside four others,\nthe same queue"),
]
"""Series and title of what is drawn over time, at the first start that there is."""


def _percent(part):
    """Mb/s of a percentage of the link."""
    return part / 100 * LINK / MBPS


def draw(results):
    figure, ((left, right), lower) = new_figure(9.2, 7.6, nrows=2, ncols=2)
    tables = []
    for series, key, label in SERIES:
        table = by_streams(results, series)
        left.plot(table.index, table["goodput_bps"] / MBPS, **style(key, label))
        right.plot(table.index, table["retransmitted_packets"], **style(key, label))
        tables.append(table.reset_index().assign(series=series, law=windows_law(table.index)))
    grid = np.geomspace(1, tables[0]["streams"].max(), 60)
    left.plot(grid, windows_law(grid) / MBPS, **style("exact", "N windows per RTT"))
    level(left, results, "as-high-as-80", 0, _percent, label="paper: 80 % of the link")
    left.set(ylabel="goodput (Mb/s)", ylim=(0, LINK / MBPS + 5))
    left.legend(loc="center left", bbox_to_anchor=(0.0, 0.58))
    right.set(ylabel="segments retransmitted", ylim=(0, None))
    right.legend(loc="upper left")
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        ticks = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= grid[-1]]
        axes.set_xticks(ticks, [str(n) for n in ticks])
        axes.minorticks_off()
        axes.set_xlabel("connections")
    band(left, results, "as-high-as-80", _percent)  # once the axis has its scale
    for axes, (series, title) in zip(lower, OVER_TIME, strict=True):
        axes.set_title(title, fontsize=10)
        if series not in set(results.table["series"]):  # the smallest preset has no others
            axes.set_axis_off()
            continue
        starts = results.rows(series).get("--start", pd.Series()).dropna()
        found = over_time(results, series, **({"start": starts.min()} if len(starts) else {}))
        for number, (n, samples) in enumerate(found.items()):
            line = look(number, marker=None)
            axes.step(samples.index, samples / MBPS, label=f"{n} connections", **line)
            times = {"streams": n, "time_s": samples.index, "goodput_bps": samples.to_numpy()}
            tables.append(pd.DataFrame(times).assign(series=series))
        axes.set_xlabel("time (s)")
        axes.set(ylabel="goodput (Mb/s)", ylim=(0, LINK / MBPS + 5), xlim=(0, None))
        axes.legend(loc="lower center")
    figure.suptitle("Parallel TCP, windows of 64 KiB, 100 Mb/s, 110 ms")
    return figure, tables
