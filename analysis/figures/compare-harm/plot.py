# SPDX-License-Identifier: GPL-2.0-only
"""How much longer web-like flows take alongside each transport, by size and over their load."""

import numpy as np
import pandas as pd

from lfn.figures import harm
from lfn.figures.compare import CONFIGURED, KEYS
from lfn.results import MissingDataError
from lfn.style import BLACK, BLUE, GREEN, ORANGE, PALE, PURPLE, STYLES, new_figure, plot_band

ORDER = ("xcp", "tcp-bbr", "tcp-reno", "tcp-cubic", "atou", "parallel-reno-8", *CONFIGURED)
LOOKS = ((BLUE, "o"), (GREEN, "s"), (ORANGE, "^"), (PURPLE, "D"))
TICKS = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
REST = ", with what is left"
"""Of a transport that is configured with the rate that the web-like traffic leaves."""


def _line(results, series, key, size, load):
    """One row of the table; None where the preset lacks the runs, or a run the flows."""
    try:
        found = harm.slowdown(results, series, key, size, load)
    except MissingDataError:
        return None
    if np.isnan(found.value):
        return None
    half = 0.0 if np.isnan(found.half) else found.half
    label = STYLES[key][0] + (REST if series == "configured-rest" else "")
    bounds = (found.value - half, found.value + half)
    return (series, key, label, size, load, found.value, *bounds, len(found.runs))


def _table(results):
    keys = {KEYS[text] for text in results.table["--transport"].unique()}
    loads = sorted(results.table["--background.Load"].unique())
    lines = [
        _line(results, series, key, size, load)
        for series in ("default", "configured-rest")
        for key in ORDER
        if key in keys
        for size in harm.SIZES
        for load in loads
    ]
    names = ["series", "transport", "label", "size_class", "load", "mean", "low", "high", "runs"]
    return pd.DataFrame([line for line in lines if line], columns=names)


def _by_size(axes, table):
    half = table[table["load"] == harm.HALF]
    labels = list(dict.fromkeys(half["label"]))
    for k, (size, name) in enumerate(zip(harm.SIZES, harm.NAMES, strict=True)):
        part = half[half["size_class"] == size]
        places = np.array([labels.index(label) for label in part["label"]]) + 0.18 * (k - 1.5)
        colour, marker = LOOKS[k]
        bars = [part["mean"] - part["low"].clip(lower=0.01), part["high"] - part["mean"]]
        look = {"color": colour, "marker": marker, "linestyle": "none", "label": name}
        axes.errorbar(part["mean"], places, xerr=bars, capsize=2, elinewidth=1, ms=5, **look)
    for place in np.arange(len(labels) - 1) + 0.5:
        axes.axhline(place, color=PALE, linewidth=0.5, zorder=0)
    axes.axvline(1, color=BLACK, linewidth=0.8)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    low = min(0.7, 0.9 * half["low"].clip(lower=0.1).min())
    high = max(4.5, 1.15 * half["high"].max())
    axes.set_xlim(low, high)  # after the ticks, which move it
    axes.minorticks_off()
    axes.grid(False, axis="y")
    axes.set_xlabel("median completion time, relative")
    axes.set_title("web-like traffic at half of the link's rate", fontsize=10.5)
    axes.legend(loc="upper left", bbox_to_anchor=(-0.5, -0.12), ncols=2)


def _over_load(axes, table):
    part = table[(table["size_class"] == harm.SIZES[1]) & (table["series"] == "default")]
    for key in ORDER:
        line = part[part["transport"] == key].sort_values("load")
        if len(line) and key not in ("fec-udp", "jrm"):
            plot_band(axes, 100 * line["load"], line, key)
    axes.axhline(1, color=BLACK, linewidth=0.8)
    axes.set_yscale("log")
    axes.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])
    axes.set_ylim(0.8, max(3, 1.15 * part["high"].max()))
    loads = sorted(100 * part["load"].unique())
    axes.set_xticks(loads, [f"{load:g}" for load in loads])
    axes.minorticks_off()
    axes.set_xlabel("load of the web-like traffic alone (%)")
    axes.set_ylabel("median completion time, relative")
    axes.set_title("flows of 10 to 100 kB", fontsize=10.5)
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, -0.12), ncols=2)


def draw(results):
    table = _table(results)
    figure, (left, right) = new_figure(11.0, 7.2, ncols=2, width_ratios=(1.25, 1))
    _by_size(left, table)
    _over_load(right, table)
    figure.suptitle("Harm to short flows: 100 Mb/s, 50 ms, queue of one bandwidth-delay product")
    return figure, table
