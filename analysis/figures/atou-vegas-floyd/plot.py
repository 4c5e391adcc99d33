# SPDX-License-Identifier: GPL-2.0-only
"""Windows and average rates of the transfers from PSC to ORNL."""

import pandas as pd

from lfn.figures.atou_paths import MBPS, look, running_average, trace, windows
from lfn.figures.published import band, note, printed, stars
from lfn.style import PRINTED, new_figure, style


def _pair(results, names, claims, title, **flags):
    figure, (left, right) = new_figure(9.6, 4.4, ncols=2)
    figure.suptitle(title)
    tables = []
    for index, (series, label) in names:
        window = windows(results, series, **flags)
        rates = trace(results, series, "send_rate_bps", **flags)
        mean = running_average(rates)
        left.plot(window["time_s"], window["value"], **look(index, label, lines=True))
        right.plot(rates["time_s"], mean / MBPS, **look(index, label, lines=True))
        key = "_" if index else "printed"
        row = stars(right, results, "rate", claims, 10, series=series, label=key).iloc[0]
        words, place = f"{label}: {row['value']:g}", {"va": "center", "color": PRINTED}
        right.text(10.4, row["value"], words, fontsize=9, **place)
        tables.append(window.assign(series=series, average_bps=mean.to_numpy()))
    left.set(xlabel="time (s)", ylabel="congestion window (segments)")
    right.set(xlabel="time (s)", ylabel="average sending rate (Mb/s)", ylim=(0, None))
    right.legend(loc="best")
    return figure, left, pd.concat(tables, ignore_index=True)


def draw(results):
    """Return both plots and their numbers."""
    names = (
        (0, ("standard-vegas", "standard exit")),
        (1, ("floyd-exit", "Floyd's exit")),
    )
    claims = ("standard-vegas", "floyd-exit")
    title = "Two uses of Vegas' gamma: 599 Mb/s, 77 ms, window 2000"
    first, axes, numbers = _pair(results, names, claims, title)
    note(first.axes[1], results, "factor-of-eight", 0.98, 0.5, "paper: x {}", ha="right")
    at = printed(results, "gamma-time"), printed(results, "gamma-window")
    axes.plot(*at, **style("published", "gamma exceeded, published"))
    low, high = (results.claims["gamma-window"].low, results.claims["gamma-window"].high)
    band(axes, results, "gamma-time", along="x", over=(low, high))
    low, high = (results.claims["gamma-time"].low, results.claims["gamma-time"].high)
    band(axes, results, "gamma-window", over=(low, high))
    axes.legend(loc="center right")
    names = (
        (0, ("drops", "standard")),
        (1, ("gamma-2", "gamma 2")),
        (2, ("gamma-60", "gamma 60")),
    )
    title = "A path that drops in slow start: 599 Mb/s, 77 ms, queue of 520 packets"
    second, axes, more = _pair(results, names, ("order-of-gammas",), title, queue=520)
    axes.legend(loc="lower right")
    return {"atou-vegas-floyd": (first, numbers), "atou-vegas-gamma": (second, more)}
