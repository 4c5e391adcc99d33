# SPDX-License-Identifier: GPL-2.0-only
"""Throughput over the threshold on the cable; rate over time from LBNL at two thresholds."""

import pandas as pd

from lfn.figures.atou_paths import MBPS, look, over_option, rate, running_average, trace
from lfn.figures.published import note, stars, tag
from lfn.style import GREY, new_figure, plot_band, style


def _cable(results):
    figure, (left, right) = new_figure(11.0, 4.3, ncols=2)
    rates = over_option(results, "cable", "dup_thresh")
    again = over_option(results, "cable", "dup_thresh", "retransmitted_packets")
    in_mbps = rates[["mean", "low", "high"]] / MBPS
    plot_band(left, rates["x"], in_mbps, "atou")
    tcp = rate(results, "cable-tcp")[0] / MBPS
    left.axhline(tcp, color=GREY, linestyle=":", label="ns-3's TCP")
    printed = results.printed("cable")
    marks = left.plot(printed["x"], printed["value"], **style("published"))[0]
    tag(marks, results, "cable-gain")
    last = printed.iloc[-1]
    look_ = {"transform": left.transData, "ha": "right"}
    note(left, results, "cable-gain", last["x"] - 0.2, last["value"], "paper: x {}", **look_)
    left.set(xlabel="dup_thresh", ylabel="throughput (Mb/s)", ylim=(0, None))
    left.legend(loc="upper left")
    plot_band(right, again["x"], again, "atou", "atou, all spurious")
    right.set(xlabel="dup_thresh", ylabel="segments retransmitted", ylim=(0, None))
    right.legend(loc="upper right")
    numbers = rates.assign(again=again["mean"], tcp_bps=tcp * MBPS)
    return figure, numbers


def _lbnl(results):
    figure, axes = new_figure(7.6, 4.5)
    tables = []
    for index, (series, threshold) in enumerate((("lbnl-low", 3), ("lbnl-high", 19))):
        text = f"rcvrwin 2000; sack 1; fack 1; rampdown 1; dup_thresh {threshold}"
        samples = trace(results, series, "send_rate_bps", options=text)
        mean = running_average(samples)
        thin = {
            **look(index, f"dup_thresh {threshold}, each round trip", lines=True),
            "linewidth": 0.8,
        }
        axes.plot(samples["time_s"], samples["value"] / MBPS, **{**thin, "alpha": 0.6})
        name = f"dup_thresh {threshold}, average"
        axes.plot(samples["time_s"], mean / MBPS, **look(index, name, lines=True))
        tables.append(samples.assign(dup_thresh=threshold, average=mean))
    names = ("lbnl-low-rate", "lbnl-high-rate")
    stars(axes, results, "lbnl", names, x=10, label="averages, published")
    look_ = {"transform": axes.transData, "ha": "right"}
    note(axes, results, "lbnl-gain", 9.9, 60, "paper: x {}", **look_)
    axes.set(xlabel="time (s)", ylabel="sending rate (Mb/s)", yscale="log", ylim=(0.1, 1000))
    axes.legend(loc="lower right", ncols=2, fontsize=8)
    return figure, pd.concat(tables, ignore_index=True)


def draw(results):
    """Return both plots and their numbers."""
    return {"atou-reordering-cable": _cable(results), "atou-reordering-lbnl": _lbnl(results)}
