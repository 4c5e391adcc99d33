# SPDX-License-Identifier: GPL-2.0-only
"""Jain's index and stability of ten flows over the round-trip time."""

import pandas as pd

from lfn.figures.published import band, stars
from lfn.figures.udt_sharing import as_table, stability
from lfn.figures.udt_ten_flows import fairness, over_rtts
from lfn.results import MissingDataError
from lfn.style import BLUE, GREY, ORANGE, new_figure

LOOKS = {
    "udt4": {"color": BLUE, "marker": "o", "linestyle": "-", "label": "UDT4"},
    "udt3": {"color": ORANGE, "marker": "^", "linestyle": (0, (4, 1)), "label": "UDT3"},
    "tcp": {"color": GREY, "marker": "x", "linestyle": (0, (1, 1)), "label": "TCP Reno"},
}
TICKS = (0.01, 0.1, 1, 10, 100, 1000)


def _draw(axes, results, measure, quantity, names):
    tables = []
    for series, look in LOOKS.items():
        try:
            table = as_table(over_rtts(results, series, measure), series=series, quantity=quantity)
        except MissingDataError:
            continue
        errors = (table["high"] - table["low"]) / 2
        axes.errorbar(table["x"], table["mean"], yerr=errors, capsize=2, elinewidth=0.8, **look)
        tables.append(table)
    axes.set_xscale("log")
    axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    axes.minorticks_off()
    axes.set_xlabel("round-trip time of propagation (ms)")
    udt, tcp = names
    stars(axes, results, quantity, udt, series="udt", label="published, UDT")
    look = {"marker": "D", "markersize": 5, "label": "published, TCP"}
    stars(axes, results, quantity, tcp, series="tcp", **look)
    return tables


def draw(results):
    figure, (left, right) = new_figure(9.6, 4.8, ncols=2)
    names = ("udt-is-fair", "udt-is-fairer-than-tcp")
    tables = _draw(left, results, fairness, "jain", names)
    left.set(xlim=(0.006, 1700), ylim=(0.4, 1.03), ylabel="Jain's index", title="fairness")
    band(left, results, "udt-is-fair")
    left.legend(fontsize=8.5, loc="lower left")
    names = ("udt-is-stable", "udt-is-stabler-than-tcp")
    tables += _draw(right, results, stability, "stability", names)
    right.set(xlim=(0.006, 1700), ylabel="deviation over mean", title="stability")
    right.set_ylim(bottom=0)
    band(right, results, "udt-is-stable")
    figure.suptitle("Ten flows on 100 Mb/s")
    return figure, pd.concat(tables)
