# SPDX-License-Identifier: GPL-2.0-only
"""Throughput over packet size on a LAN and on two WANs; packets lost."""

from lfn.figures import three_panels
from lfn.figures.published import band, level, note
from lfn.figures.vrp import KB, MBPS, lost, over
from lfn.style import plot_band, style

LANS = [
    ("lan", "vrp-lan", "50 us"),
    ("lan-fast-hosts", "vrp-combined", "nothing"),
    ("lan-slow-hosts", "vrp-lossy-wan", "150 us"),
]
WANS = [("wan", "vrp-wan", "1 % loss"), ("lossy-wan", "vrp-lossy-wan", "5 % loss")]


def _size_axis(axes, sizes):
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
    axes.minorticks_off()
    axes.set_xlabel("packet size (kB)")


def draw(results):
    figure, left, middle, right = three_panels()
    tables, more = [], []
    for series, key, label in LANS:
        table = over(results, series, "packetSize")
        sizes = table["packetSize"] / KB
        plot_band(left, sizes, table / MBPS, key, label=label)
        tables.append(table.assign(series=series))
    left.set_title("LAN: 100 Mb/s, 0.3 ms")
    left.legend(loc="best", title="a packet costs a host")
    for series, key, label in WANS:
        table = over(results, series, "packetSize")
        rows = results.rows(series)
        shares = lost(rows).groupby(rows["--packetSize"]).mean()
        plot_band(middle, table["packetSize"] / KB, table / MBPS, key, label=label)
        right.plot(shares.index / KB, shares, **style(key, label))
        tables.append(table.assign(series=series, lost_percent=shares.to_numpy()))
        base = shares.get(2 * KB)
        if series == "wan" and shares.index.max() >= 3 * KB:
            span = (2.9, shares.index.max() / KB)
            right.set_ylim(bottom=0)
            more.append((base, span))
    middle.set_title("WAN: 10 Mb/s, 70 ms, 64 KiB queue")
    right.set_title("WAN: losses")
    for axes in (left, middle):
        axes.set(ylabel="throughput (Mb/s)", ylim=(0, None))
    right.set(ylabel="packets lost (% of packets sent)", ylim=(0, None))
    for axes in (left, middle, right):
        _size_axis(axes, sizes)
    level(middle, results, "wan-peak", along="x", label="_")
    note(middle, results, "wan-peak", 0.55, 0.94, "paper: most at {}")
    for base, span in more:
        text, at = 'our reading, 1 %: "{}"', (span[0], 1.4 * base)
        band(
            right,
            results,
            "more-loss-from-three",
            lambda times, base=base: times * base,
            span,
            text=text,
            at=at,
        )
    for axes in (middle, right):
        axes.legend(loc="best", title="of IP packets")
    figure.suptitle("VRP, window of 64 packets, no loss accepted")
    return figure, tables
