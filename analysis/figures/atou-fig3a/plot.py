# SPDX-License-Identifier: GPL-2.0-only
"""Rates and windows of two recoveries from one loss."""

from lfn.figures.atou import MSS, draw_rates, samples
from lfn.figures.published import band, level, slope, stars
from lfn.style import new_figure, style

RTT = 0.08
WINDOW = 2000
SERIES = (
    ("standard", "atou-standard", "standard: half, + 1 per RTT"),
    ("aggressive", "atou-tuned", "aggressive: 0.9, + 10 per RTT"),
)


def _draw_paper(axes, results):
    """The window after the loss, and what it grows by from 4 s on, as the page has them."""
    for index in (0, 1):
        level(axes, results, "cuts", index, lambda part: part * WINDOW)
    table = samples(results, "standard", "cwnd_bytes")
    late = table[table["time_s"] >= 4.0]
    if len(late):
        first = late.iloc[0]
        begin = (first["time_s"], first["value"] / MSS)
        words = "paper: {} per RTT"
        slope(axes, results, "one-segment-per-rtt", begin, 5, lambda v: v / RTT, words)


def draw(results):
    figure, (left, right) = new_figure(11.0, 4.4, ncols=2)
    tables = []
    for series, key, name in SERIES:
        tables.append(draw_rates(left, results, series, style(key), name.split(":")[0]))
        window = samples(results, series, "cwnd_bytes")
        right.plot(window["time_s"], window["value"] / MSS, **style(key, name, marker=None))
        tables.append(window.assign(series=f"{series}, cwnd_bytes"))
    names = ("aggressive-is-faster", "aggressive-average")
    stars(left, results, "average", names, label="read from the report's figure")
    for name in ("standard-average", "aggressive-average"):
        band(left, results, name, over=(9.5, 10.3))
    left.set_ylabel("rate of datagrams (Mb/s), bins of an RTT")
    left.legend(loc="lower right")
    right.set(xlabel="time (s)", ylabel="cwnd (segments)", ylim=(0, None))
    right.legend(loc="lower right")
    _draw_paper(right, results)
    figure.suptitle("One loss, 80 ms, window 2000, 193 Mb/s of datagrams")
    return figure, tables
