# SPDX-License-Identifier: GPL-2.0-only
"""TCP's share alongside VRP, and what all deliver, over the number of VRP flows."""

from lfn.figures.vrp import MBPS, sums
from lfn.results import means
from lfn.style import new_figure, plot_band, style

SHOWN = [
    ("fixed", "vrp", "fixed window, frames of 100 kB"),
    ("fixed-long-frames", "vrp-lossy-wan", "fixed window, 1 MB"),
    ("tfrc", "vrp-adaptive", "TFRC, frames of 100 kB"),
    ("tfrc-long-frames", "vrp-reliable", "TFRC, 1 MB"),
    ("tfrc-one-fragment", "vrp-combined", "TFRC, 1 MB, packets of one fragment"),
]


def draw(results):
    figure, (left, right) = new_figure(9.6, 5.2, ncols=2)
    tables = []
    for series, key, label in SHOWN:
        runs = sums(results, series)
        every = runs["tcp_bps"] + runs["goodput_bps"]
        runs = runs.assign(share=runs["tcp_bps"] * (runs["flows"] + 1) / every, every=every)
        for axes, column, scale in ((left, "share", 1), (right, "every", MBPS)):
            table = means(runs, "flows", column)
            plot_band(
                axes, table["flows"], table[["mean", "low", "high"]] / scale, key, label=label
            )
            tables.append(table.assign(series=series, column=column))
    left.axhline(1, **style("bound", "fair share (left), bottleneck (right)"))
    left.set_ylabel("TCP's goodput over its fair share")
    right.axhline(10, **style("bound", "_"))
    right.set_ylabel("goodput of all (Mb/s)")
    flows = sorted(set(tables[0]["flows"]))
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_xticks(flows, [f"{n:g}" for n in flows])
        axes.minorticks_off()
        axes.set(xlabel="VRP flows alongside one TCP flow", ylim=(0, None))
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.suptitle("VRP alongside TCP: 10 Mb/s, 60 ms, queue of 64 KiB")
    return figure, tables
