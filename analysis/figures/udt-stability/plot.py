# SPDX-License-Identifier: GPL-2.0-only
"""Goodput of each flow over time, and what the phases have: sum, fairness, stability."""

from pathlib import Path

import pandas as pd

from lfn.figures.published import band, stars
from lfn.figures.udt_phases import ORIGINAL, PHASES, each_phase, length, original
from lfn.figures.udt_sharing import MBPS
from lfn.results import MissingDataError
from lfn.style import BLACK, BLUE, GREEN, GREY, ORANGE, PRINTED, new_figure

ORIGINALS = Path(__file__).parents[2] / "originals" / "udt.csv"
FLOWS = ((BLUE, "-"), (ORANGE, (0, (5, 1))), (GREEN, (0, (2, 1))), (BLACK, (0, (1, 1))))
"""Colour and line of each flow."""

PANELS = (
    ("sum", "keeps-the-link-busy", 1 / MBPS, "sum (Mb/s)", (600, 1000)),
    ("jain", "shares-alike", 1, "Jain's index", (0.8, 1.005)),
    ("stability", "is-stable", 1, "stability", (0, 0.45)),
)
"""Column, claim, factor, label and limits of a panel, which are wider where values are beyond."""


def _tables(results):
    """Tables of the phases by name: ours, and the original's where phases are as long."""
    tables = {}
    for series in ("udt4", "udt3"):
        try:
            tables[series] = each_phase(results, series)
        except MissingDataError:
            continue
    if length(results, "udt4") == ORIGINAL:
        tables["original"] = original(ORIGINALS, "udt4").assign(run=1)
    return tables


def _draw_flows(axes, results):
    samples = results.samples("udt4", "goodput_bps", run=1)
    whole = length(results, "udt4")
    for flow, (colour, line) in enumerate(FLOWS):
        mine = samples[samples["flow"] == flow]
        look = {"color": colour, "linestyle": line, "linewidth": 1.2, "label": f"flow {flow + 1}"}
        axes.plot(mine["time_s"], mine["value"] / MBPS, **look)
    for row in results.printed("flow").itertuples():
        ends = ((row.x - 1) * whole, row.x * whole)
        axes.plot(ends, (row.value, row.value), color=PRINTED, linewidth=3, alpha=0.45)
    axes.plot([], [], color=PRINTED, linewidth=3, alpha=0.45, label="published, each phase")
    for phase in range(1, PHASES):
        axes.axvline(phase * whole, color=GREY, linewidth=0.6)
    most = max(1150.0, 1.02 * samples["value"].max() / MBPS)
    axes.set(xlim=(0, PHASES * whole), ylim=(0, most), xlabel="time (s)", ylabel="goodput (Mb/s)")
    axes.legend(ncol=5, loc="lower center", bbox_to_anchor=(0.5, 1.0))


def _draw_phases(axes, results, tables, column, name, factor, label, limits):
    looks = {
        "udt4": {"color": BLUE, "marker": "o", "label": "UDT4"},
        "udt3": {"color": ORANGE, "marker": "^", "label": "UDT3"},
        "original": {"color": BLACK, "marker": "s", "label": "original UDT4"},
    }
    places = {"udt4": -0.12, "udt3": 0.12, "original": 0.3}
    low, high = limits
    for key, table in tables.items():
        low = min(low, 0.98 * factor * table[column].min())
        high = max(high, 1.02 * factor * table[column].max())
        look = {"linestyle": "none", "markerfacecolor": "white", "markersize": 5, **looks[key]}
        axes.plot(table["phase"] + 1 + places[key], factor * table[column], **look)
    axes.set(xlim=(0.4, PHASES + 0.6), ylim=(low, high), xlabel="phase", ylabel=label)
    axes.set_xticks(range(1, PHASES + 1), ["1", "2", "3", "4", "3", "2", "1"])
    axes.set_xlabel("flows in the phase")
    stars(axes, results, column, name, markersize=8, label="published")
    band(axes, results, name, to=lambda value: value * (10 if column == "sum" else 1))


def draw(results):
    tables = _tables(results)
    figure, axes = new_figure(9.6, 7.2, nrows=2, ncols=3, height_ratios=(1.25, 1))
    grid = axes[0][0].get_gridspec()
    for one in axes[0]:
        one.remove()
    _draw_flows(figure.add_subplot(grid[0, :]), results)
    for one, panel in zip(axes[1], PANELS, strict=True):
        _draw_phases(one, results, tables, *panel)
    axes[1][0].legend(loc="lower left")
    figure.suptitle("UDT flows that come and go on 1 Gb/s, 106 ms")
    return figure, pd.concat([table.assign(of=key) for key, table in tables.items()])
