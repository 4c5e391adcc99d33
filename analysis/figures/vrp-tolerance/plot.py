# SPDX-License-Identifier: GPL-2.0-only
"""VRP with and without accepted loss over TCP, and the one over the other."""

import numpy as np

from lfn.figures.published import band, level, numbers, tag
from lfn.figures.vrp import over_paths, table1_paths
from lfn.style import BLACK, new_figure, style

LEAST = ("worst-case", "worst-ratio")
"""Claims of the smallest ratio that the report prints."""


def _ratios(results, over, under, paths):
    pairs = zip(over_paths(results, over, paths), over_paths(results, under, paths), strict=True)
    return np.array([(one.value, one.half) for one in (a / b for a, b in pairs)])


def draw(results):
    figure, (left, right) = new_figure(9.6, 5.6, ncols=2, sharey=True)
    paths = table1_paths(results)
    places = np.arange(len(paths))
    tables = []
    shown = (("accepting", "vrp", -0.18, "...."), ("reliable", "vrp-reliable", 0.18, ""))
    for series, key, shift, hatch in shown:
        look = style(key)
        label = "VRP, 25 % accepted" if series == "accepting" else look["label"]
        values = _ratios(results, series, "tcp", paths)
        bars = {"color": look["color"], "hatch": hatch, "edgecolor": BLACK, "lw": 0.4}
        left.barh(places + shift, values[:, 0], 0.34, label=label, **bars)
        marks = {"xerr": values[:, 1], "fmt": "none", "ecolor": BLACK, "elinewidth": 0.8}
        left.errorbar(values[:, 0], places + shift, **marks)
        tables.append(
            paths.assign(series=f"{series} over tcp", mean=values[:, 0], half_width=values[:, 1])
        )
    printed = paths["vrp"] / paths["tcp"]
    left.plot(printed, places - 0.18, **style("published", "printed, 25 % accepted"))
    words = "printed, none accepted: up to 8, at least 1.5"
    level(left, results, "up-to-eight", along="x", label=words)
    tag(level(left, results, "worst-case", along="x", label="_"), results, *LEAST)
    left.set_xlabel("throughput over TCP's")
    left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, fontsize=8)
    values = _ratios(results, "reliable", "accepting", paths)
    right.errorbar(
        values[:, 0],
        places,
        xerr=values[:, 1],
        **style("vrp-reliable", "measured", linestyle="none"),
    )
    right.set(xlabel="throughput with no loss accepted over 25 %", xlim=(0, 1.15))
    name = "equal-to-thirty-slower"
    look = band(right, results, name, along="x", edges=numbers(results.claims[name]))
    look.set_label(f"printed: {results.claims[name].published}")
    right.legend(loc="lower left")
    left.set_yticks(places, paths["path"])
    left.invert_yaxis()
    tables.append(
        paths.assign(series="reliable over accepting", mean=values[:, 0], half_width=values[:, 1])
    )
    figure.suptitle("VRP that accepts no loss, on the paths of Table 1")
    return figure, tables
