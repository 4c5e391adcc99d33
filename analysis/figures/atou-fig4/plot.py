# SPDX-License-Identifier: GPL-2.0-only
"""Rates with and without delayed ACKs; and over the burst limit."""

import pandas as pd

from lfn.figures.atou import MBPS, draw_rates, option, star
from lfn.style import new_figure, style


def draw(results):
    """Return {"atou-fig4": ..., "atou-fig4-burst": (figure, plotted numbers)}."""
    figure, axes = new_figure()
    tables = [
        draw_rates(axes, results, "delayed", style("atou-tuned"), "delayed ACKs"),
        draw_rates(axes, results, "undelayed", style("atou-standard"), "no delayed ACKs"),
    ]
    look = style("published", "end of the average, read from the report's figure", zorder=5)
    star(axes, results.printed("average"), look)
    axes.set_ylim(top=44)
    axes.legend(loc="upper right", ncols=2, fontsize=8)
    axes.set_title("12,000 segments, two lost, 61 ms, window 200, 30 Mb/s of datagrams")

    second, panel = new_figure(6.2, 4.0)
    rows = results.rows("burst")
    burst = pd.DataFrame({"limit": option(rows, "burst_limit"), "mbps": rows["goodput_bps"] / MBPS})
    burst = burst.sort_values("limit")
    panel.plot(burst["limit"], burst["mbps"], **style("atou"))
    free = results.rows("unlimited")["goodput_bps"].iloc[0] / MBPS
    panel.axhline(free, **style("bound", "no limit, no slow start after recovery"))
    panel.set_xlabel("burst limit (segments)")
    panel.set_ylabel("goodput (Mb/s)")
    panel.set_ylim(bottom=0)
    panel.set_xlim(left=0)
    panel.legend(loc="lower right")
    panel.set_title("Burst limit, two losses, no delayed ACKs")
    return {
        "atou-fig4": (figure, pd.concat(tables, ignore_index=True)),
        "atou-fig4-burst": (second, burst),
    }
