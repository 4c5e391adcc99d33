# SPDX-License-Identifier: GPL-2.0-only
"""Windows and average rates of the transfers from PSC to ORNL."""

import pandas as pd

from lfn.figures.atou_paths import MBPS, look, running_average, trace, windows
from lfn.style import PURPLE, new_figure, style


def _pair(results, names, **flags):
    figure, (left, right) = new_figure(12.0, 4.4, ncols=2)
    tables = []
    printed = results.printed("rate").set_index("series")["value"]
    for index, (series, label) in names:
        window = windows(results, series, **flags)
        rates = trace(results, series, "send_rate_bps", **flags)
        mean = running_average(rates)
        left.plot(window["time_s"], window["value"], **look(index, label, lines=True))
        right.plot(rates["time_s"], mean / MBPS, **look(index, label, lines=True))
        face = look(index, label)["color"]
        right.plot(10, printed[series], **style("published", "_", color=face, markerfacecolor=face))
        tables.append(window.assign(series=series, average_bps=mean.to_numpy()))
    right.plot([], [], **style("published", color=PURPLE))
    left.set(xlabel="time (s)", ylabel="congestion window (segments)")
    right.set(xlabel="time (s)", ylabel="average sending rate (Mb/s)")
    right.set_ylim(bottom=0)
    right.legend(loc="best", fontsize=8)
    return figure, left, pd.concat(tables, ignore_index=True)


def draw(results):
    """Return both plots and their numbers."""
    names = (
        (0, ("standard-vegas", "gamma ends slow start")),
        (1, ("floyd-exit", "gamma begins Floyd's slow start")),
    )
    first, axes, numbers = _pair(results, names)
    axes.plot(0.5, 120, **style("published", "gamma exceeded, published"))
    axes.legend(loc="lower right", fontsize=8)
    names = (
        (0, ("drops", "standard slow start")),
        (1, ("gamma-2", "gamma 2")),
        (2, ("gamma-60", "gamma 60")),
    )
    second, axes, more = _pair(results, names, queue=520)
    axes.legend(loc="lower right", fontsize=8)
    return {"atou-vegas-floyd": (first, numbers), "atou-vegas-gamma": (second, more)}
