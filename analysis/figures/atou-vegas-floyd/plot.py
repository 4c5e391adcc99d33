# SPDX-License-Identifier: GPL-2.0-only
"""Windows and average rates of the transfers from PSC to ORNL."""

import pandas as pd

from lfn.figures.atou_paths import MBPS, look, running_average, trace, windows
from lfn.figures.published import band, note, printed, stars
from lfn.style import new_figure, style


def _pair(results, names, claims, **flags):
    figure, (left, right) = new_figure(12.0, 4.4, ncols=2)
    tables = []
    for index, (series, label) in names:
        window = windows(results, series, **flags)
        rates = trace(results, series, "send_rate_bps", **flags)
        mean = running_average(rates)
        left.plot(window["time_s"], window["value"], **look(index, label, lines=True))
        right.plot(rates["time_s"], mean / MBPS, **look(index, label, lines=True))
        key = None if index else "printed, its number in the line's colour"
        row = stars(right, results, "rate", claims, 10, series=series, label=key or "_").iloc[0]
        colour = look(index, label)["color"]
        place = {"ha": "right", "va": "center", "color": colour, "fontsize": 9}
        right.text(9.7, row["value"], f"{row['value']:g}", **place)
        tables.append(window.assign(series=series, average_bps=mean.to_numpy()))
    left.set(xlabel="time (s)", ylabel="congestion window (segments)")
    right.set(xlabel="time (s)", ylabel="average sending rate (Mb/s)", ylim=(0, None))
    right.legend(loc="best", fontsize=8)
    return figure, left, pd.concat(tables, ignore_index=True)


def draw(results):
    """Return both plots and their numbers."""
    names = (
        (0, ("standard-vegas", "gamma ends slow start")),
        (1, ("floyd-exit", "gamma begins Floyd's slow start")),
    )
    claims = ("standard-vegas", "floyd-exit")
    first, axes, numbers = _pair(results, names, claims)
    note(first.axes[1], results, "factor-of-eight", 0.98, 0.5, "paper: x {}", ha="right")
    at = printed(results, "gamma-time"), printed(results, "gamma-window")
    axes.plot(*at, **style("published", "gamma exceeded, published"))
    low, high = (results.claims["gamma-window"].low, results.claims["gamma-window"].high)
    band(axes, results, "gamma-time", along="x", over=(low, high))
    low, high = (results.claims["gamma-time"].low, results.claims["gamma-time"].high)
    band(axes, results, "gamma-window", over=(low, high))
    axes.legend(loc="lower right", fontsize=8)
    names = (
        (0, ("drops", "standard slow start")),
        (1, ("gamma-2", "gamma 2")),
        (2, ("gamma-60", "gamma 60")),
    )
    second, axes, more = _pair(results, names, ("order-of-gammas",), queue=520)
    axes.legend(loc="lower right", fontsize=8)
    return {"atou-vegas-floyd": (first, numbers), "atou-vegas-gamma": (second, more)}
