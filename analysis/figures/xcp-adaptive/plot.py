# SPDX-License-Identifier: GPL-2.0-only
"""Share error and utilisation over the bandwidth-delay product, by drop law and TCP."""

import pandas as pd

from lfn.figures.xcp_beyond import LIMIT, product, runs_of
from lfn.results import MissingDataError, mean_interval
from lfn.style import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, new_figure
from lfn.units import path_name

# series, flags, label, colour, marker, filled
SHOWN = [
    ("report", {"mechanism": "persistent"}, "the report's law, persistent", ORANGE, "s"),
    ("report", {"mechanism": "gated"}, "the report's law, gated", PURPLE, "D"),
    ("adaptive", {}, "adaptive law", BLUE, "o"),
    ("sack", {}, "adaptive law, TCP with SACK", GREEN, "^"),
    ("cubic", {}, "adaptive law, TCP CUBIC", RED, "v"),
]
MOST_NAMES = 8
"""Paths of which the names are written; of more, these would cover each other."""


def _points(results, series, flags):
    table = runs_of(results, series, **flags)
    found = []
    for (rate, rtt), group in table.groupby(["rate", "rtt"]):
        row = {"rate": rate, "rtt": rtt, "packets": product(rate, rtt), "runs": len(group)}
        for column in ("error", "utilisation", "delay"):
            row[column], row[f"{column}_half"] = mean_interval(group[column])
        found.append(row)
    return pd.DataFrame(found).sort_values("packets")


def _name_paths(axes, tables):
    """Write the paths alongside the marks where they are few."""
    paths = pd.concat(tables)[["packets", "rate", "rtt"]].drop_duplicates()
    if len(paths) > MOST_NAMES:
        return
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.35 * (high - low), high)
    for _, path in paths.iterrows():
        look = {"rotation": 90, "fontsize": 8.5, "ha": "center", "va": "bottom"}
        axes.text(
            path["packets"], low - 0.33 * (high - low), path_name(path["rate"], path["rtt"]), **look
        )


def draw(results):
    figure, (left, right) = new_figure(9.2, 5.0, ncols=2)
    tables = []
    left.axhspan(-0.05, 0.05, color="#EEEEEE", zorder=0)
    right.axhspan(0.95, 1.0, color="#EEEEEE", zorder=0)
    for series, flags, label, colour, marker in SHOWN:
        try:
            table = _points(results, series, flags)
        except MissingDataError:
            continue
        for axes, column in ((left, "error"), (right, "utilisation")):
            marks = {"color": colour, "marker": marker, "markerfacecolor": "white", "label": label}
            bars = {"yerr": table[f"{column}_half"], "linestyle": "none", "capsize": 2}
            axes.errorbar(table["packets"], table[column], **bars, **marks)
        tables.append(table.assign(series=label))
    for axes in (left, right):
        axes.axvline(LIMIT, color=BLACK, linestyle=(0, (5, 5)), linewidth=1)
        axes.set(xscale="log", xlabel="bandwidth-delay product (packets)")
    _name_paths(left, tables)
    left.set_ylabel("XCP's share of goodput\nless its fair share")
    right.set_ylabel("utilisation of the bottleneck")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure, tables
