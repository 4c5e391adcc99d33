# SPDX-License-Identifier: GPL-2.0-only
"""Average and instantaneous rate of a start without loss, without and with delayed ACKs."""

from lfn.figures.atou import draw_rates
from lfn.figures.published import band, stars
from lfn.style import new_figure, style


def draw(results):
    figure, axes = new_figure()
    tables = [
        draw_rates(axes, results, "delayed", style("atou-tuned"), "delayed ACKs"),
        draw_rates(axes, results, "undelayed", style("atou-standard"), "no delayed ACKs"),
    ]
    label = "average, read from the report's figure"
    stars(axes, results, "average", "averages", label=label)
    words = "paper: full rate in {}"
    band(axes, results, "within-a-second", along="x", text=words, at=(0.02, 100))
    axes.legend(loc="lower right")
    axes.set_title("No loss, 80 ms, window 1000, 136 Mb/s of datagrams")
    return figure, tables
