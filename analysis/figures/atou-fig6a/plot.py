# SPDX-License-Identifier: GPL-2.0-only
"""Rates with the default and a virtual MSS, and with segments that are really ten times larger."""

from lfn.figures.atou import MBPS, draw_rates, rates
from lfn.figures.published import band, stars
from lfn.style import new_figure, style


def draw(results):
    figure, axes = new_figure(8.0, 4.8)
    tables = [
        draw_rates(axes, results, "default", style("atou-standard"), "default"),
        draw_rates(axes, results, "virtual", style("atou-tuned"), "virtual MSS of 10"),
    ]
    real = rates(results, "real")
    look = style("atou-third", "segments of 14720 B, average", marker=None)
    axes.plot(real["time_s"], real["average"] / MBPS, **look)
    tables.append(real.assign(series="real"))
    label = "average, read from the report's figure"
    stars(axes, results, "average", ("default-average", "virtual-average"), label=label)
    axes.set(ylabel="rate of datagrams (Mb/s), bins of an RTT", ylim=(None, 235))
    axes.set_yticks(range(0, 161, 20))
    axes.legend(loc="upper right", ncols=2, fontsize=8.5)
    words = "paper: at the plateau again, {}"
    band(axes, results, "back-at-the-plateau", along="x", text=words, at=(4.4, 150))
    axes.set_title("Two losses, 80 ms, window 1000, 136 Mb/s of datagrams")
    return figure, tables
