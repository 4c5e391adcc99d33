# SPDX-License-Identifier: GPL-2.0-only
"""Delay of objects over RTT and loss, and shares of those that are late or lost."""

import pandas as pd

from lfn.figures.published import note
from lfn.figures.quanta import OBJECTS, object_rows
from lfn.results import means
from lfn.style import new_figure, plot_band, style

RTT = 0.1
LOSS = 0.01
LABELS = {"fec-3": "FEC over UDP, k = 3"}


def _curve(results, key, x, value, **flags):
    table = means(object_rows(results, key, **flags), f"--{x}", value)
    return table.rename(columns={f"--{x}": x}).assign(transport=key, quantity=value)


def draw(results):
    figure, (left, middle, right) = new_figure(10.2, 4.8, ncols=3)
    tables = []
    for key in OBJECTS:
        label = LABELS.get(key)
        for axes, x, factor, flags, value in (
            (left, "rtt", 1000, {"lossRate": LOSS}, "object_delay_p99_s"),
            (middle, "lossRate", 100, {"rtt": RTT}, "object_delay_p99_s"),
            (right, "lossRate", 100, {"rtt": RTT}, "late"),
        ):
            table = _curve(results, key, x, value, **flags)
            scale = 1000 if value.endswith("_s") else 100
            look = {"linestyle": "-", "linewidth": 2.4} if key == "fec-3" else {}
            scaled = scale * table[["mean", "low", "high"]]
            plot_band(axes, factor * table[x], scaled, key, label, **look)
            tables.append(table)
    lost = _curve(results, "fec-3", "lossRate", "lost", rtt=RTT)
    look = {"linestyle": (0, (1, 1)), "marker": "*", "markersize": 10}
    plot_band(
        right,
        100 * lost["lossRate"],
        100 * lost[["mean", "low", "high"]].clip(lower=1e-3 / 100),
        "fec-3",
        "FEC, lost for good",
        **look,
    )
    tables.append(lost)
    table = pd.concat(tables, ignore_index=True)
    rtts = sorted(table["rtt"].dropna().unique())
    least = [500 * rtt for rtt in rtts]
    left.plot([1000 * rtt for rtt in rtts], least, **style("bound", "half the RTT"))
    for axes in (left, middle):
        axes.set(xscale="log", yscale="log")
    right.set(xscale="log", yscale="log", ylim=(8e-4, 150))
    left.set(xlabel="RTT (ms)", ylabel="99th percentile of the delay (ms)")
    left.set_title(f"{100 * LOSS:g} % of the datagrams lost")
    left.set_xticks([10, 30, 100, 300], ["10", "30", "100", "300"])
    left.minorticks_off()
    for axes in (middle, right):
        axes.set_xlabel("datagrams lost (%)")
        axes.set_title(f"RTT {1000 * RTT:g} ms")
        axes.set_xticks([0.1, 1, 5], ["0.1", "1", "5"])
        axes.minorticks_off()
    middle.set_ylabel("99th percentile of the delay (ms)")
    right.set_ylabel("objects that are late (%)")
    handles = {}
    for axes in (left, right):
        handles.update(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    figure.legend(handles.values(), handles, loc="outside lower center", ncol=4)
    note(
        left,
        results,
        "less-latency",
        0.02,
        0.98,
        "paper: less latency\nand jitter with FEC",
        va="top",
    )
    return figure, table
