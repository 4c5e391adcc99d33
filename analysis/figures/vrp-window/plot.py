# SPDX-License-Identifier: GPL-2.0-only
"""Throughput and losses over the window."""

import numpy as np

from lfn.figures.published import band, note
from lfn.figures.vrp import MBPS, lost, over
from lfn.models import vrp as model
from lfn.style import new_figure, plot_band, style

BUFFERS = [
    ("small-buffer", "vrp-lossy-wan", "the same, 32 KiB"),
    ("large-buffer", "vrp-lan", "the same, 256 KiB"),
]
HOST = 8 * 2048 / 1.64e-3
"""What the receiving host can take (bit/s)."""


def _draw_paper(left, right, results, table):
    """What the report says of a window, alongside the one before it."""
    rates = dict(zip(table["windowSize"], table["mean"] / MBPS, strict=True))
    lost_ = dict(zip(table["windowSize"], table["lost_percent"], strict=True))
    for axes, name, window, values, before, at in (
        (left, "rises-to-64", 64, rates, 32, (46, 0.2)),
        (left, "no-gain-at-128", 128, rates, 64, (92, 0.06)),
        (right, "loss-jumps-at-128", 128, lost_, 64, (92, 0.82)),
        (right, "none-at-64", 64, None, None, (38, 0.4)),
    ):
        base = 1.0 if values is None else values.get(before)
        if base is None or window not in rates:
            continue
        over = (window / 1.3, window * 1.3)
        band(axes, results, name, lambda v, base=base: v * base, over)
        words, place = f'our reading, {window}:\n"{{}}"', {"transform": axes.transData}
        height = at[1] * axes.get_ylim()[1]
        note(axes, results, name, at[0], height, words, ha="right", va="center", **place)


def draw(results):
    figure, (left, right) = new_figure(9.6, 5.4, ncols=2)
    rows = results.rows("window")
    table = over(results, "window", "windowSize")
    windows = table["windowSize"].to_numpy()
    bound = model.pipelined_bound(windows, 2048, rows["--rtt"].iloc[0])
    left.plot(
        windows, np.minimum(bound, HOST) / MBPS, **style("bound", "window / RTT, and the host")
    )
    plot_band(left, windows, table / MBPS, "vrp")
    left.set_ylabel("throughput (Mb/s)")
    by_window = rows["--windowSize"]
    table["lost_percent"] = lost(rows).groupby(by_window).mean().to_numpy()
    full = 100.0 * rows["host_drops"] / rows["data_packets"]
    table["host_drops_percent"] = full.groupby(by_window).mean().to_numpy()
    right.plot(windows, table["lost_percent"], **style("vrp", "lost"))
    right.plot(
        windows, table["host_drops_percent"], **style("loss", "found the receiver's buffer full")
    )
    for series, key, label in BUFFERS:
        more = results.rows(series)
        full = 100.0 * more["host_drops"] / more["data_packets"]
        shares = full.groupby(more["--windowSize"]).mean()
        right.plot(shares.index, shares, **style(key, label))
        table[f"host_drops_percent_{series}"] = shares.to_numpy()
    right.set_ylabel("% of the packets sent")
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_xticks(windows, [f"{n:g}" for n in windows])
        axes.minorticks_off()
        axes.set(xlabel="window (packets of 2 kB)", ylim=(0, None))
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17))
    _draw_paper(left, right, results, table)
    figure.suptitle("VRP, 70 ms, receiver: 10 Mb/s and 128 KiB of buffer, 1 % loss of IP packets")
    return figure, table
