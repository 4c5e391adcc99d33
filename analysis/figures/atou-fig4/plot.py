# SPDX-License-Identifier: GPL-2.0-only
"""Rates with and without delayed ACKs; and over the burst limit."""

import pandas as pd

from lfn.figures.atou import MBPS, draw_rates, option, samples
from lfn.figures.published import band, slope, stars
from lfn.style import new_figure, style


def draw(results):
    """Return {"atou-fig4": ..., "atou-fig4-burst": (figure, plotted numbers)}."""
    figure, axes = new_figure()
    tables = [
        draw_rates(axes, results, "delayed", style("atou-tuned"), "delayed ACKs"),
        draw_rates(axes, results, "undelayed", style("atou-standard"), "no delayed ACKs"),
    ]
    label = "end of the average, read from the report's figure"
    names = ("undelayed-rate", "delayed-rate", "undelayed-duration", "delayed-duration")
    stars(axes, results, "average", names, label=label)
    axes.set_ylim(top=44)
    for series, table in zip(("delayed", "undelayed"), tables, strict=True):
        window = samples(results, series, "cwnd_bytes")
        begin = window["time_s"][window["value"].diff() < 0].max() + 1.0
        last = table["time_s"].iloc[-1] - 0.25
        rate = table.loc[table["time_s"].between(begin, begin + 1), "rate"].mean() / MBPS
        if last > begin + 1:
            slope(axes, results, f"{series}-slope", (begin + 0.5, rate), last - begin - 0.5)
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
    best = burst["mbps"].max()
    panel.set_ylim(0.9 * best, 1.06 * best)
    panel.set_xlim(left=0)
    name, words = "burst-limit-matters-little", 'paper: "{}"; accepted: 95 % of the best on'
    at = (1, 0.96 * best)
    band(panel, results, name, lambda part: part * best, text=words, at=at)
    panel.legend(loc="lower right")
    panel.set_title("Burst limit, two losses, no delayed ACKs")
    return {
        "atou-fig4": (figure, pd.concat(tables, ignore_index=True)),
        "atou-fig4-burst": (second, burst),
    }
