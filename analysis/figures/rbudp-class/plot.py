# SPDX-License-Identifier: GPL-2.0-only
"""TCP's share of the link, RBUDP's goodput and its losses over the rate that RBUDP sends at."""

import numpy as np
import pandas as pd

from lfn.figures.rbudp_class import (
    LINK,
    SHARE,
    at_rates,
    law,
    rbudp_goodput,
    rbudp_lost,
    tcp_alone,
    tcp_share,
)
from lfn.style import BLACK, BLUE, GREEN, ORANGE, new_figure

MBPS = 1e6
SERIES = {
    "fifo": ("one FIFO", ORANGE, "o", "-"),
    "class": ("class of 60 %", BLUE, "s", (0, (4, 1))),
    "circuit": ("circuit of 60 Mb/s", GREEN, "^", (0, (6, 1, 1, 1))),
}
"""Label, colour, marker and line by series."""


def _table(results):
    rows = []
    for series in SERIES:
        for rate in at_rates(results, series, lambda _: True):
            goodput = rbudp_goodput(results, series, rate)
            row = {
                "series": series,
                "rate_mbps": rate * LINK / MBPS,
                "rbudp_goodput_mbps": goodput.value / MBPS,
                "rbudp_half_mbps": goodput.half / MBPS,
                "rbudp_lost_percent": 100.0 * rbudp_lost(results, series, rate).value,
            }
            if series != "circuit":
                share = tcp_share(results, series, rate)
                row |= {"tcp_share_mbps": share.value / MBPS, "tcp_half_mbps": share.half / MBPS}
            rows.append(row)
    return pd.DataFrame(rows)


def _lines(axes, table, column, half):
    for series, (label, colour, marker, line) in SERIES.items():
        part = table[table["series"] == series].dropna(subset=column)
        if len(part):
            look = {"color": colour, "marker": marker, "linestyle": line}
            look |= {"markerfacecolor": "white", "label": label, "capsize": 3}
            error = part[half].fillna(0.0) if half else None
            axes.errorbar(part["rate_mbps"], part[column], error, **look)


def draw(results):
    table = _table(results)
    figure, (left, middle, right) = new_figure(10.6, 5.6, ncols=3)
    grid = np.linspace(0, table["rate_mbps"].max(), 200)
    whole, share = LINK / MBPS, SHARE * LINK / MBPS
    exact = {"color": BLACK, "linewidth": 1.2}

    _lines(left, table, "tcp_share_mbps", "tcp_half_mbps")
    left.axhline(
        tcp_alone(results).value / MBPS,
        color=GREEN,
        linestyle=(0, (6, 1, 1, 1)),
        label="circuit of 40 Mb/s",
    )
    rest = np.maximum(whole - grid, whole - share)
    left.plot(grid, rest, linestyle=(0, (5, 4)), label="calculated", **exact)
    left.plot(
        grid, np.maximum(whole - grid, 0), linestyle=(0, (1, 1)), label="link less rate", **exact
    )
    left.set(ylabel="TCP's share of the link (Mb/s)", title="CUBIC during\nRBUDP's first blast")

    _lines(middle, table, "rbudp_goodput_mbps", "rbudp_half_mbps")
    below = np.linspace(1, share, 100)
    times = [law(results, rate / whole) / MBPS for rate in below]
    middle.plot(below, times, linestyle=(0, (5, 4)), label="calculated", **exact)
    middle.set(ylabel="goodput (Mb/s)", title="RBUDP's goodput")

    _lines(right, table, "rbudp_lost_percent", None)
    lost = 100.0 * np.maximum(0.0, 1.0 - share / grid[1:])
    right.plot(grid[1:], lost, linestyle=(0, (5, 4)), label="calculated", **exact)
    right.set(ylabel="lost datagrams (% of all sent)", title="RBUDP's losses")

    shown = {}
    for axes in (left, middle, right):
        axes.axvline(share, color="#999999", linewidth=0.8)
        axes.set_xlabel("rate of RBUDP,\nall headers (Mb/s)")
        axes.set_ylim(bottom=0)
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            shown.setdefault(label, handle)
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=4)
    figure.suptitle("RBUDP and TCP (CUBIC) on 100 Mb/s, 50 ms: one FIFO, a class, circuits")
    return figure, table
