# SPDX-License-Identifier: GPL-2.0-only
"""Failing frames and throughput over the loss in both directions."""

from lfn.figures.vrp import MBPS, failing, over
from lfn.results import means
from lfn.style import new_figure, plot_band, style

FAILING = [
    ("small-frames", "vrp", "frames of 1 kB"),
    ("small-frames-max-rto", "vrp-lossy-wan", "1 kB, doublings up to MaxRto"),
    ("big-frames", "vrp-lan", "frames of 1 MB"),
]
RATES = [
    ("big-frames-one-way", "vrp-combined", "data are lost"),
    ("big-frames", "vrp-lan", "data and answers are lost"),
]


def draw(results):
    figure, (left, right) = new_figure(9.6, 4.2, ncols=2)
    tables = []
    for series, key, label in FAILING:
        table = means(failing(results, series), "--lossRate", "failing")
        loss = 100.0 * table["--lossRate"]
        left.plot(loss, table["mean"], **style(key, label))
        tables.append(table.rename(columns={"--lossRate": "lossRate"}).assign(series=series))
    left.axhline(1, **style("bound", "1 in 1000", marker=None))
    left.set_yscale("symlog", linthresh=1)
    left.set(ylim=(-0.05, None), ylabel="frames of a thousand that fail")
    for series, key, label in RATES:
        table = over(results, series, "lossRate")
        loss = 100.0 * table["lossRate"]
        plot_band(right, loss, table[["mean", "low", "high"]] / MBPS, key, label=label)
        tables.append(table.assign(series=f"{series}: throughput in bit/s"))
    right.set(ylabel="throughput (Mb/s)", ylim=(0, None))
    for axes in (left, right):
        axes.set_xlabel("IP packets lost (%)")
        axes.legend(loc="best")
    left.set_title("Loss both ways")
    right.set_title("Frames of 1 MB")
    figure.suptitle("VRP where answers are lost as well: 10 Mb/s, 60 ms, no loss accepted")
    return figure, tables
