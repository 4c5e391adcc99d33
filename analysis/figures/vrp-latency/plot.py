# SPDX-License-Identifier: GPL-2.0-only
"""Latency over the size of a frame; small frames alongside a big one."""

import pandas as pd

from lfn.figures.vrp import frame_latency, tcp_latency
from lfn.style import ORANGE, SKY, new_figure, style


def _alongside(axes, results):
    row = results.rows("alongside-bulk").iloc[0]
    names = ["small frame,\nmean", "small frame,\nlongest", "the big frame"]
    values = [row["mean_probe_s"], row["max_probe_s"], row["max_frame_s"]]
    bars = axes.bar(names, [1e3 * value for value in values], color=[SKY, SKY, ORANGE], width=0.6)
    axes.bar_label(bars, [f"{1e3 * value:.0f} ms" for value in values])
    axes.axhline(3e3 * row["--rtt"], **style("bound", "3 RTT"))
    axes.set(yscale="log", ylim=(10, 3e4), ylabel="time until acknowledged (ms)")
    axes.set_title(
        f"{row['probes']:.0f} frames of 1 kB alongside one of {row['--bytes'] / 1e6:g} MB"
    )
    axes.legend(loc="upper left")
    axes.grid(axis="x", visible=False)
    return pd.DataFrame({"series": names, "latency": values})


def draw(results):
    figure, (left, right) = new_figure(10.4, 4.4, ncols=2)
    tables = []
    for series, key in (("vrp", "vrp"), ("combined", "vrp-combined"), ("tcp", "tcp")):
        table = tcp_latency(results, series) if key == "tcp" else frame_latency(results, series)
        label = "TCP with its connection" if key == "tcp" else None
        left.plot(table["bytes"], 1e3 * table["latency"], **style(key, label))
        tables.append(table.assign(series=series))
    rtt = 1e3 * results.rows("vrp")["--rtt"].iloc[0]
    for trips in (0.5, 1.5):
        left.axhline(trips * rtt, color="#AAAAAA", linestyle=":", linewidth=1)
        left.text(
            1.2, trips * rtt + 1, f"{trips:g} RTT", fontsize=8.5, color="#555555", va="bottom"
        )
    left.set_xscale("log", base=2)
    left.set_xticks([1, 8, 64, 512, 2048], ["1", "8", "64", "512", "2048"])
    left.minorticks_off()
    left.set(xlabel="size of the frame (bytes)", ylabel="time until it has arrived (ms)")
    left.set(ylim=(0, 2.2 * rtt), title="10 Mb/s, RTT 60 ms")
    left.legend(loc="upper left")
    tables.append(_alongside(right, results))
    return figure, tables
