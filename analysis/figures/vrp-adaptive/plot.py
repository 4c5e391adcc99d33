# SPDX-License-Identifier: GPL-2.0-only
"""Tolerance, residual loss, RTT and frame time over the load."""

from lfn.figures.published import level
from lfn.figures.vrp import over, with_rate
from lfn.models import vrp as model
from lfn.style import new_figure, style

SERIES = [
    ("low", "vrp-reliable", "no loss accepted"),
    ("high", "vrp", "25 % accepted"),
    ("adaptive", "vrp-adaptive", "interval, 0 to 25 %"),
]
PANELS = [
    ("mean_loss_rate", 100.0, "tolerance given to the receiver (%)"),
    ("residual_loss", 100.0, "residual loss (%)"),
    ("mean_rtt_s", 1e3, "RTT, mean of estimates (ms)"),
    ("mean_frame_s", 1e3, "time of a frame (ms)"),
]


def draw(results):
    # Near a load of 100 % a run is on either side of the queue's growth: an interval of the mean
    # would reach to 0, so the runs themselves are drawn.
    figure, axes = new_figure(10.4, 7.4, nrows=2, ncols=2)
    link = results.rows("low")["--linkRate"].iloc[0]
    first = results.rows("low").iloc[0]
    busy = model.frame_time(first["--frameSize"], link, 0.0, framing=model.PPP)
    tables = []
    for panel, (column, scale, label) in zip(axes.flat, PANELS, strict=True):
        for series, key, name in SERIES:
            table = over(results, series, "frameInterval", column)
            load = 100.0 * busy / table["frameInterval"]
            panel.plot(load, scale * table["mean"], **style(key, name))
            rows = with_rate(results.rows(series))
            places = 100.0 * busy / rows["--frameInterval"]
            dots = style(key, "_", linestyle="none", markersize=3, alpha=0.5)
            panel.plot(places, scale * rows[column], **dots)
            tables.append(table.assign(series=series, quantity=column, load_percent=load))
        panel.set(xlabel="load (% of what the path carries)", ylabel=label)
        if column == "mean_frame_s":
            panel.set_yscale("log")
        else:
            panel.set_ylim(bottom=0)
    words = f"paper: {results.claims['within-interval'].published}"
    level(axes[0, 0], results, "within-interval", 1, label=words)
    axes[0, 0].legend(loc="best")
    figure.suptitle("Frames of 8 kB at regular times over 10 Mb/s, 60 ms, 5 % loss; small: runs")
    return figure, tables
