# SPDX-License-Identifier: GPL-2.0-only
"""Effective throughput over the error rate, and what it costs."""

from lfn.figures.jrm import FINE, RATE, share_complete, transmissions
from lfn.figures.published import band, level
from lfn.models import jrm as model
from lfn.style import BLUE, GREEN, ORANGE, PURPLE, new_figure

# series, packets, requests, colour, marker, line of the law
SHOWN = [
    ("one-10", 1, 10, GREEN, "^", (0, (1, 1))),
    ("ten-10", 10, 10, BLUE, "o", (0, (6, 2))),
    ("one-3", 1, 3, ORANGE, "s", (0, (3, 1, 1, 1))),
    ("ten-3", 10, 3, PURPLE, "D", "-"),
]
# Claim, error rates in per cent that it is about, place of its words.
WORDS = [
    ("flat-until-15", (0, 15), (0.5, 30.6)),
    ("nearly-flat-at-20", (17.5, 22.5), None),
    ("observable-from-25", (23.5, 31), (8.5, 27.4)),
]


def draw(results):
    figure, (left, right) = new_figure(9.2, 4.6, ncols=2)
    tables = []
    for series, packets, attempts, colour, marker, line in SHOWN:
        words = "a packet" if packets == 1 else f"{packets} packets"
        label = f"messages of {words}, {attempts} requests"
        law = [model.effective_rate(loss, packets, attempts) for loss in FINE]
        left.plot(100 * FINE, law, color=colour, linestyle=line)
        table = share_complete(results, series)
        losses, half = 100 * table["loss"], RATE * (table["high"] - table["mean"])
        look = {"color": colour, "marker": marker}
        hollow = {**look, "markerfacecolor": "white"}
        marks = {**hollow, "linestyle": "none", "capsize": 2, "label": label}
        left.errorbar(losses, RATE * table["mean"], yerr=half, **marks)
        tables.append(table.assign(series=series, quantity="share complete"))
        if attempts == 3:
            cost = transmissions(results, series)
            more, less = 100 * (cost["mean"] / (RATE * packets) - 1), 100 * (1 - table["mean"])
            right.plot(losses, more, linestyle=line, label=f"more transmissions, {words}", **hollow)
            right.plot(losses, less, linestyle=line, label=f"less throughput, {words}", **look)
            tables.append(cost.assign(series=series, quantity="transmissions per second"))
    left.set(
        ylabel="complete messages per second\n(axis begins at 25)", ylim=(25, 30.9), xlim=(-1, 31)
    )
    level(left, results, "all-without-errors", label="_")
    for name, over, at in WORDS:
        words = 'paper: "{}"' if at else ""
        band(left, results, name, lambda part: part * RATE, over, text=words, at=at)
    left.set_title("Lines: exact law of the retry cap")
    right.set(ylabel="change from no errors (%)", title="Messages given up after 3 requests")
    left.legend(loc="lower left")
    right.legend(loc="upper left")
    for axes in (left, right):
        axes.set_xlabel("error rate (%)")
    return figure, tables
