# SPDX-License-Identifier: GPL-2.0-only
"""Throughput over the threshold on the cable; rate and reordering over time from LBNL."""

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from lfn.figures.atou_paths import MBPS, look, over_option, rate, running_average, trace
from lfn.figures.published import note, stars, tag
from lfn.style import BLACK, GREY, SKY, new_figure, plot_band, style

LBNL = (("lbnl-low", 3), ("lbnl-high", 19))
GAP = 7
"""Segments that an early packet of LBNL's skips."""


def _cable(results):
    figure, (left, right) = new_figure(9.6, 4.2, ncols=2)
    figure.suptitle("Into a home by cable modem: 6.5 Mb/s, 60 % of the packets out of order")
    rates = over_option(results, "cable", "dup_thresh")
    again = over_option(results, "cable", "dup_thresh", "retransmitted_packets")
    in_mbps = rates[["mean", "low", "high"]] / MBPS
    plot_band(left, rates["x"], in_mbps, "atou")
    tcp = rate(results, "cable-tcp")[0] / MBPS
    left.axhline(tcp, color=GREY, linestyle=(0, (5, 2)), label="ns-3's TCP")
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


def _text(threshold):
    return f"rcvrwin 2000; sack 1; fack 1; rampdown 1; dup_thresh {threshold}"


def _averages(results, series, threshold):
    """{run: average sending rate (bit/s) at the end} of a threshold, ascending by rate."""
    runs = sorted(results.rows(series, options=_text(threshold))["run"])
    found = {
        run: trace(results, series, "send_rate_bps", run=run, options=_text(threshold))["value"]
        for run in runs
    }
    return dict(sorted(((run, float(v.mean())) for run, v in found.items()), key=lambda x: x[1]))


def _rates(axes, results, averages):
    """The median run over time, and where the averages of all runs end."""
    tables = []
    for index, (series, threshold) in enumerate(LBNL):
        found = averages[threshold]
        run = list(found)[len(found) // 2]
        text = _text(threshold)
        samples = trace(results, series, "send_rate_bps", run=run, options=text)
        mean = running_average(samples)
        name = f"dup_thresh {threshold}"
        thin = {**look(index, f"{name}, each RTT", lines=True), "linewidth": 0.8}
        axes.plot(samples["time_s"], samples["value"] / MBPS, **{**thin, "alpha": 0.6})
        bold = look(index, f"{name}, average", lines=True)
        axes.plot(samples["time_s"], mean / MBPS, **bold)
        ends = np.array(list(found.values())) / MBPS
        dots = {**look(index, "_"), "linestyle": "none", "markersize": 5, "alpha": 0.7}
        axes.plot(np.full(len(ends), 10.9), ends, **dots)
        tables.append(samples.assign(dup_thresh=threshold, run=run, average=mean))
        ends = pd.DataFrame({"run": list(found), "average": list(found.values())})
        tables.append(ends.assign(dup_thresh=threshold, time_s=samples["time_s"].max()))
    names = ("lbnl-low-rate", "lbnl-high-rate")
    stars(axes, results, "lbnl", names, x=10.9, label="averages, printed")
    look_ = {"transform": axes.transData, "ha": "right"}
    note(axes, results, "lbnl-gain", 10.6, 55, "paper: x {}", **look_)
    axes.text(10.9, 600, "all runs", ha="center", fontsize=9)
    axes.set(ylabel="sending rate (Mb/s)", yscale="log", ylim=(0.1, 1000))
    axes.set(xlim=(0, 11.4), xticks=range(0, 11, 2))
    axes.set_title("From LBNL to ORNL, 599 Mb/s, 80 ms; lines: the median run")
    axes.legend(loc="lower right", ncols=2, fontsize=8)
    return tables


def _events(panels, results, averages):
    """Reordering events in each RTT and the rate, as the page's figures have them."""
    tables = []
    for axes, index, (series, threshold) in zip(panels, (0, 1), LBNL, strict=True):
        found = averages[threshold]
        run, text = list(found)[len(found) // 2], _text(threshold)
        samples = trace(results, series, "send_rate_bps", run=run, options=text)
        late = trace(results, series, "server_late", run=run, options=text)["value"].to_numpy()
        events = np.diff(late, prepend=0.0) / GAP
        row = results.rows(series, options=text).set_index("run").loc[run]
        counted = late[-1] / GAP
        share = 100 * counted / row["data_packets"]
        other = axes.twinx()
        look_ = {"color": SKY, "edgecolor": BLACK, "linewidth": 0.3, "width": 0.08}
        other.bar(samples["time_s"] - 0.04, events, label="reordering events", **look_)
        other.set(ylabel="reordering events", ylim=(0, 3 * max(1.0, events.max())))
        other.grid(visible=False)
        other.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        line = look(index, "sending rate", lines=True)
        axes.plot(samples["time_s"], samples["value"] / MBPS, **line)
        most = samples["value"].max() / MBPS
        axes.set(ylabel="sending rate (Mb/s), each RTT", ylim=(0, 1.25 * most))
        words = f"dup_thresh {threshold}: {counted:.0f} events, {share:.2g} % of the packets"
        axes.set_title(f"{words}, median run", fontsize=10.5)
        name = f"lbnl-late-at-{threshold}"
        note(axes, results, name, 0.02, 0.91, "paper: {} events", fontsize=9)
        handles = [*axes.get_lines(), *other.containers]
        axes.legend(handles=handles, loc="upper right")
        tables.append(samples.assign(dup_thresh=threshold, run=run, events=events))
    panels[1].set_xlabel("time (s)")
    return tables


def _lbnl(results):
    averages = {threshold: _averages(results, series, threshold) for series, threshold in LBNL}
    figure, (above, *below) = new_figure(7.6, 9.4, nrows=3, sharex=True, height_ratios=[1.5, 1, 1])
    tables = _rates(above, results, averages) + _events(below, results, averages)
    return figure, pd.concat(tables, ignore_index=True)


def draw(results):
    """Return both plots and their numbers."""
    return {"atou-reordering-cable": _cable(results), "atou-reordering-lbnl": _lbnl(results)}
