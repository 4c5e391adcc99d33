# SPDX-License-Identifier: GPL-2.0-only
"""Tolerance, residual loss, round trip and frame time over the load."""

import pandas as pd

from lfn.figures.vrp import over
from lfn.models import vrp as model
from lfn.style import new_figure, plot_band

SERIES = [
    ("low", "vrp-reliable", "no loss accepted"),
    ("high", "vrp", "25 % accepted"),
    ("adaptive", "vrp-adaptive", "interval, 0 to 25 %"),
]
PANELS = [
    ("mean_loss_rate", 100.0, "tolerance told (%)"),
    ("residual_loss", 100.0, "residual loss (%)"),
    ("mean_rtt_s", 1e3, "round trip, mean of estimates (ms)"),
    ("mean_frame_s", 1e3, "time of a frame (ms)"),
]


def draw(results):
    """Return {"vrp-adaptive": (figure, plotted numbers)}."""
    figure, axes = new_figure(10.4, 7.4, nrows=2, ncols=2)
    link = results.rows("low")["--linkRate"].iloc[0]
    first = results.rows("low").iloc[0]
    busy = model.frame_time(first["--frameSize"], link, 0.0, framing=model.PPP)
    tables = []
    for panel, (column, scale, label) in zip(axes.flat, PANELS, strict=True):
        for series, key, name in SERIES:
            table = over(results, series, "frameInterval", column)
            load = 100.0 * busy / table["frameInterval"]
            plot_band(panel, load, scale * table[["mean", "low", "high"]], key, label=name)
            tables.append(table.assign(series=series, quantity=column, load_percent=load))
        panel.set_xlabel("load (% of what the path carries)")
        panel.set_ylabel(label)
        if column == "mean_frame_s":
            panel.set_yscale("log")
        else:
            panel.set_ylim(bottom=0)
    axes[0, 0].legend(loc="best")
    figure.suptitle("Frames of 8 kB at regular times over 10 Mb/s, 60 ms, 5 % loss")
    return {"vrp-adaptive": (figure, pd.concat(tables, ignore_index=True))}
