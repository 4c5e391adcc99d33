# SPDX-License-Identifier: GPL-2.0-only
"""Rates with and without delayed ACKs; and over the burst limit."""

import pandas as pd

from lfn.figures.atou import MBPS, draw_rates, option, samples
from lfn.figures.published import band, slope, stars
from lfn.style import new_figure, style


def _bursts(results):
    """Goodput and largest burst over the burst limit, and without a limit."""
    figure, (left, right) = new_figure(10.4, 4.0, ncols=2)
    rows, free = results.rows("burst"), results.rows("unlimited").iloc[0]
    table = pd.DataFrame({"limit": option(rows, "burst_limit"), "mbps": rows["goodput_bps"] / MBPS})
    table = table.assign(largest_burst=rows["maxburst"]).sort_values("limit")
    bound = "no limit, no slow start after recovery"
    for axes, column, value in (
        (left, "mbps", free["goodput_bps"] / MBPS),
        (right, "largest_burst", free["maxburst"]),
    ):
        axes.plot(table["limit"], table[column], **style("atou"))
        axes.axhline(value, **style("bound", bound))
        axes.set(xlabel="burst limit (segments)", xlim=(0, None))
    best = table["mbps"].max()
    left.set(ylabel="goodput (Mb/s)", ylim=(0.9 * best, 1.06 * best))
    words, at = 'paper: "{}"; accepted: 95 % of the best on', (1, 0.96 * best)
    part = "burst-limit-matters-little"
    band(left, results, part, lambda share: share * best, text=words, at=at)
    left.legend(loc="lower right")
    right.plot(table["limit"], table["limit"], **style("exact", "the limit"))
    right.set(ylabel="largest burst (segments)", yscale="log", ylim=(1, 200))
    right.legend(loc="lower right")
    figure.suptitle(
        "Two losses, no delayed ACKs: slow start after recovery leaves no burst to limit"
    )
    return figure, table


def draw(results):
    figure, axes = new_figure()
    tables = [
        draw_rates(axes, results, "delayed", style("atou-tuned"), "delayed ACKs"),
        draw_rates(axes, results, "undelayed", style("atou-standard"), "no delayed ACKs"),
    ]
    label = "end of the average, read from the report's figure"
    names = ("undelayed-rate", "delayed-rate", "undelayed-duration", "delayed-duration")
    stars(axes, results, "average", names, label=label)
    axes.set(ylabel="rate of datagrams (Mb/s), bins of an RTT", ylim=(None, 44))
    for series, table in zip(("delayed", "undelayed"), tables, strict=True):
        window = samples(results, series, "cwnd_bytes")
        begin = window["time_s"][window["value"].diff() < 0].max() + 1.0
        last = table["time_s"].iloc[-1] - 0.25
        rate = table.loc[table["time_s"].between(begin, begin + 1), "rate"].mean() / MBPS
        if last > begin + 1:
            slope(axes, results, f"{series}-slope", (begin + 0.5, rate), last - begin - 0.5)
    axes.legend(loc="upper right", ncols=2, fontsize=8)
    axes.set_title("12,000 segments, two lost, 61 ms, window 200, 30 Mb/s of datagrams")

    second, burst = _bursts(results)
    return {"atou-fig4": (figure, tables), "atou-fig4-burst": (second, burst)}
