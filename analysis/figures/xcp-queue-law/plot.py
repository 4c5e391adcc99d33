# SPDX-License-Identifier: GPL-2.0-only
"""Mean queues over TCP's share, with the law; below, their ratio."""

import numpy as np

from lfn.figures.xcp import queue_law
from lfn.models import xcp as model
from lfn.style import BLACK, BLUE, GREEN, ORANGE, PURPLE, new_figure, style

LOOKS = {
    "fig1": ("1 XCP, 2 TCP", BLUE, "o"),
    "fig2": ("1 XCP, 2 TCP", GREEN, "^"),
    "fig3": ("3 XCP, 10 TCP", ORANGE, "s"),
    "fig4": ("10 XCP, 3 TCP", PURPLE, "D"),
}
VARIANTS = {
    "on": ("", None, None),
    "exact": (", exact counts", None, BLACK),
    "none": (", no mechanism", None, None),
    "bdp2": (", no mechanism, 2 products", "P", None),
    "sack": (", no mechanism, SACK", "X", None),
}
"""What is added to the label, marker and colour of its edge where they differ."""


def _draw(axes, results, rtt):
    tables = []
    for series in dict.fromkeys(results.table["series"]):
        if not series.endswith(f"-{rtt}"):
            continue
        figure, mechanism, _ = series.split("-")
        label, colour, marker = LOOKS[figure]
        words, other, edge = VARIANTS[mechanism]
        look = style("xcp", label + words, color=colour, marker=other or marker, linestyle="none")
        look["markerfacecolor"] = colour if mechanism in ("on", "exact") else "white"
        look["markeredgecolor"] = edge or colour
        table = queue_law(results, series)
        bdp = table["law"] / model.standing_queue(table["e2e_share"], 8.0, 1.0)
        axes[0].plot(table["e2e_share"], table["queue"] / bdp, **look)
        axes[1].plot(table["e2e_share"], table["ratio"], **look)
        tables.append(table.assign(series=series))
    shares = np.linspace(0.0, 1.0, 101)
    law = model.standing_queue(shares, 8.0, 1.0)
    axes[0].plot(shares, law, **style("model", "law: Q* = k / (1 - k), k = 0.442 s"))
    axes[1].axhspan(0.92, 1.08, color="#EEEEEE", zorder=0)
    axes[1].axhline(1.0, **style("model", "_"))
    axes[0].set(title=f"RTT {rtt} ms", ylim=(0, None))
    axes[1].set_ylim(0, 2)
    axes[0].set_ylabel("mean queue over C RTT")
    axes[1].set(ylabel="mean queue over Q*", xlabel="TCP's share s of the bytes")
    axes[0].set_xlim(0, 1)
    return tables


def draw(results):
    figure, axes = new_figure(
        9.2, 7.4, nrows=2, ncols=2, sharex=True, gridspec_kw={"height_ratios": [1.6, 1.0]}
    )
    tables = [table for i, rtt in enumerate((20, 100)) for table in _draw(axes[:, i], results, rtt)]
    shown = {}
    for one in axes[0]:
        for handle, label in zip(*one.get_legend_handles_labels(), strict=True):
            shown.setdefault(label, handle)
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=2)
    return figure, tables
