# SPDX-License-Identifier: GPL-2.0-only
"""Residual loss over the network's loss, simulated and by Monte Carlo."""

import numpy as np

from lfn.figures.published import printed, tag
from lfn.figures.vrp import over, residual_model
from lfn.results import MissingDataError
from lfn.style import new_figure, plot_band, style

SERIES = [
    ("50-packets", 50, "vrp", "frames of 50 packets"),
    ("1000-packets", 1000, "vrp-lan", "frames of 1000 packets"),
    ("1000-packets-window-64", None, "vrp-lossy-wan", "1000 packets, sender's window 64"),
]


def draw(results):
    figure, axes = new_figure(7.6, 5.2)
    tables = []
    highest = 100.0 * results.rows("50-packets")["--lossRate"].max()
    axes.plot([0, highest], [0, highest], **style("exact", "all losses accepted"))
    limit = printed(results, "limit-holds")
    look = {"marker": None, "linestyle": (0, (5, 5))}
    line = axes.axhline(limit, **style("published", f"limit, printed: {limit:g} %", **look))
    tag(line, results, "limit-holds", "percentage-of-short-frames")
    axes.axhline(32, color="#AAAAAA", linestyle=":", label="16 of 50 packets: 32 %")
    labelled = False
    for series, packets, key, label in SERIES:
        try:
            table = over(results, series, "lossRate", "residual_loss")
        except MissingDataError:
            continue
        x = 100.0 * table["lossRate"]
        look = {"linestyle": "none", "marker": "v"} if packets is None else {}
        plot_band(axes, x, 100.0 * table[["mean", "low", "high"]], key, label=label, **look)
        if packets:
            second = [residual_model(packets, loss) for loss in table["lossRate"]]
            table["monte_carlo"], table["monte_carlo_error"] = np.transpose(second)
            label = "_" if labelled else "the report's rules, Monte Carlo"
            axes.plot(x, 100.0 * table["monte_carlo"], **style("monte-carlo", label, markersize=12))
            labelled = True
        tables.append(table.assign(series=series))
    axes.set_xlabel("packets lost in the network (%)")
    axes.set(ylabel="residual loss (% of a frame)", xlim=(0, highest + 2))
    axes.set(ylim=(0, 36), title="Residual loss of VRP: at most 25 % and two packets in a row")
    axes.legend(loc="upper left")
    return figure, tables
