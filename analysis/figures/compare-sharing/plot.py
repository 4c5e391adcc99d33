# SPDX-License-Identifier: GPL-2.0-only
"""What flows of one transport get alongside each other, through one bottleneck and over three."""

import pandas as pd

from lfn.figures.compare import CONFIGURED, FINDING, among, flows_of
from lfn.figures.published import band
from lfn.results import MissingDataError
from lfn.style import BLACK, PALE, STYLES, new_figure

LINK = 10e6


def _table(results, series, keys):
    rows = []
    for key in keys:
        try:
            flows = flows_of(results, series, key)
        except MissingDataError:
            continue
        long, others = 100 * flows["first"].mean() / LINK, 100 * flows["others"].mean() / LINK
        share = among(results, series, key, "share")
        rows.append(
            (series, key, STYLES[key][0], long, others, 100 * share.value, 100 * share.half)
        )
    names = ["series", "transport", "label", "first", "others", "share", "half_width"]
    return pd.DataFrame(rows, columns=names)


def _bars(axes, table, words):
    places = range(len(table))
    colours = [STYLES[key][1] for key in table["transport"]]
    axes.barh(places, table["first"], color=colours, edgecolor="#444444", linewidth=0.5)
    look = {"color": "white", "edgecolor": PALE, "hatch": "///", "linewidth": 0.5}
    axes.barh(places, table["others"], left=table["first"], **look)
    for place, share in zip(places, table["share"], strict=True):
        axes.text(1.5, place, f"{share:.0f} %", va="center", fontsize=8, bbox=BOX)
    axes.set_yticks(places, table["label"])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"goodput (% of the link): {words}", fontsize=9)
    axes.grid(False, axis="y")


BOX = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.8}


def draw(results):
    left_table = _table(results, "itself", (*FINDING, *CONFIGURED))
    right_table = _table(results, "parking-lot", FINDING)
    figure, (left, right) = new_figure(12.6, 5.4, ncols=2)
    _bars(left, left_table, "colour the first, hatched the second")
    _bars(right, right_table, "colour the long flow, hatched a hop's")
    left.set_title("two flows through one bottleneck", fontsize=10.5)
    right.set_title("one flow over three hops, one across each", fontsize=10.5)
    right.axvline(50, color=BLACK, linestyle=(0, (5, 4)), linewidth=1.2, label="max-min fair")
    right.axvline(
        25, color=BLACK, linestyle=(0, (1, 1)), linewidth=1.2, label="proportionally fair"
    )
    place = list(right_table["transport"]).index("xcp")
    over = (place - 0.5, place + 0.5)
    name = "xcp-over-hops-fills"
    area = band(right, results, name, along="x", over=over)
    area.set_label(f"published: {results.claims[name].published}")
    right.legend(loc="upper center", bbox_to_anchor=(0.4, -0.13), ncols=3, fontsize=8)
    figure.suptitle("With their like: 10 Mb/s, 50 ms, queues of one bandwidth-delay product")
    table = pd.concat([left_table, right_table], ignore_index=True)
    return figure, table
