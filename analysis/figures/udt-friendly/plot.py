# SPDX-License-Identifier: GPL-2.0-only
"""Short TCP flows over the number of UDT flows, and long ones over the round-trip time."""

import pandas as pd

from lfn.figures.published import band, stars, tag
from lfn.figures.udt_friendly import friendliness, printed, short_flows
from lfn.figures.udt_sharing import as_table
from lfn.results import MissingDataError
from lfn.style import BLACK, BLUE, ORANGE, new_figure, style

SHORT = "short-flows-keep-their-rate"
FALLS = "less-friendly-from-10-on"
LOOKS = {
    "udt4": {"color": BLUE, "marker": "o", "linestyle": "-", "label": "UDT4"},
    "udt3": {"color": ORANGE, "marker": "^", "linestyle": (0, (4, 1)), "label": "UDT3"},
}
TICKS = (0.01, 0.1, 1, 10, 100, 1000)


def _errors(axes, table, scale=1.0, **look):
    errors = scale * (table["high"] - table["low"]) / 2
    axes.errorbar(table["x"], scale * table["mean"], yerr=errors, capsize=3, **look)


def _draw_short(axes, results):
    table = as_table(short_flows(results), quantity="short")
    _errors(axes, table, 100, **LOOKS["udt4"])
    rows = printed(results)
    look = style("published", label="published")
    tag(axes.plot(rows["x"], 100 * rows["value"], **look)[0], results, SHORT)
    axes.set(xlim=(-0.5, 10.5), ylim=(0, 115), xlabel="UDT flows")
    axes.set(ylabel="rate of TCP flows of 1 MB (% of alone)", title="short flows, 1 Gb/s, 110 ms")
    band(axes, results, SHORT, over=(9.5, 10.5))
    axes.legend(fontsize=8.5, loc="lower left")
    return table


def draw(results):
    figure, (left, right) = new_figure(9.6, 4.8, ncols=2)
    tables = [_draw_short(left, results)]
    for series, look in LOOKS.items():
        try:
            table = as_table(friendliness(results, series), series=series, quantity="friendliness")
        except MissingDataError:
            continue
        _errors(right, table, **look)
        tables.append(table)
    right.set_xscale("log")
    right.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    right.minorticks_off()
    right.axhline(1.0, color=BLACK, linewidth=0.8)
    top = 1.1 * max(1.35, *(table["high"].max() for table in tables[1:]))
    right.set(xlim=(0.006, 1700), ylim=(0, top), xlabel="round-trip time of propagation (ms)")
    right.set(ylabel="TCP alongside UDT over alongside TCP", title="ten long flows, 100 Mb/s")
    stars(right, results, "friendliness", FALLS, series="from-10", label="published")
    rows = results.printed("friendliness")
    rows = rows[rows["series"] == "other"]
    right.plot(rows["x"], rows["value"], **style("published", label="_published, below 10 ms"))
    band(right, results, "friendly-at-50", over=(40, 62))
    band(right, results, "friendly-at-100", over=(80, 125))
    right.legend(fontsize=8.5)
    return figure, pd.concat(tables)
