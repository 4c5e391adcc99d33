# SPDX-License-Identifier: GPL-2.0-only
"""One flow on three paths, three flows of one host, and pairs of flows of different RTT."""

import pandas as pd

from lfn.figures.published import band, stars
from lfn.figures.udt_paths import ALONE, alone, pairs, together
from lfn.figures.udt_sharing import MBPS, as_table
from lfn.style import BLACK, BLUE, ORANGE, new_figure

WIDTH = 0.36
LINKS = {"near": 1000, "oc-12": 622, "far": 1000}
"""Rate in Mb/s by series."""


def _mean_of(flow):
    return lambda rows: float(rows.loc[rows["flow"] == flow, "mean"].iloc[0])


def _draw_bars(axes, results):
    shifts = {"alone": -WIDTH / 2, "together": WIDTH / 2}
    found = {
        "alone": {x: alone(results, series) for x, series in enumerate(ALONE)},
        "together": {x: together(results, _mean_of(x)) for x in range(len(ALONE))},
    }
    looks = {
        "alone": {"color": BLUE, "label": "alone"},
        "together": {"color": ORANGE, "label": "three flows of one host", "hatch": "//"},
    }
    tables = []
    for name, values in found.items():
        table = as_table(values, quantity=name)
        error = (table["high"] - table["mean"]) / MBPS
        places = table["x"] + shifts[name]
        look = {"width": WIDTH, "edgecolor": BLACK, "linewidth": 0.6, "capsize": 3, **looks[name]}
        axes.bar(places, table["mean"] / MBPS, yerr=error, alpha=0.75, **look)
        tables.append(table)
    for place, rate in enumerate(LINKS.values()):
        ends = (place - 0.45, place + 0.45)
        label = "link" if place == 0 else None
        axes.plot(ends, (rate, rate), color=BLACK, linestyle=(0, (5, 3)), linewidth=1, label=label)
    for name, claim in (("alone", "fills-each-path"), ("together", "shares-one-host")):
        for place, series in enumerate(ALONE):
            label = "published" if (name, place) == ("alone", 0) else "_"
            where = {"x": place + shifts[name], "series": series, "label": label}
            stars(axes, results, name, claim, **where)
    words = [f"{rate} Mb/s\n{ALONE[name]}" for name, rate in LINKS.items()]
    axes.set_xticks(range(len(ALONE)), words)
    axes.set(ylim=(0, 1350), ylabel="goodput (Mb/s)", title="paths of different RTT")
    axes.legend(fontsize=8.5, ncol=2, loc="upper center")
    return tables


def draw(results):
    figure, (left, right) = new_figure(9.6, 4.8, ncols=2)
    tables = _draw_bars(left, results)
    table = as_table(pairs(results), quantity="ratio")
    error = table["high"] - table["mean"]
    right.errorbar(
        table["x"], table["mean"], yerr=error, color=BLUE, marker="o", capsize=3, label="UDT"
    )
    right.set_xscale("log")
    ticks = [1, 2, 10, 20, 50, 100, 200, 500, 1000]
    right.set_xticks(ticks, [str(tick) for tick in ticks], fontsize=9)
    right.minorticks_off()
    top = max(1.3, 1.05 * float(table["high"].max()))
    right.set(xlim=(0.8, 1300), ylim=(0, top), title="two flows on 100 Mb/s")
    right.set(xlabel="RTT of the second flow (ms)", ylabel="goodput over that of a flow of 1 ms")
    stars(right, results, "ratio", "independent-of-the-rtt", label="published")
    band(right, results, "independent-of-the-rtt")
    right.legend(fontsize=8.5, loc="lower left")
    return figure, pd.concat([*tables, table])
