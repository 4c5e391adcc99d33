# SPDX-License-Identifier: GPL-2.0-only
"""What each transport and the TCP alongside it get, and the harm that it does."""

import pandas as pd

from lfn.figures.compare import CONFIGURED, FINDING, TRANSPORTS, alongside
from lfn.results import MissingDataError
from lfn.style import PALE, STYLES, new_figure

LINK = 10e6
SERIES = {
    "default": ", configured with 9/20",
    "near-link": ", configured with 9/10",
    "each-acknowledged": ", TCP without delayed ACKs",
}


def _table(results):
    rows = []
    for key in (*FINDING, *CONFIGURED):
        for series, words in SERIES.items():
            try:
                both = alongside(results, series, key)
            except MissingDataError:
                continue
            plain = series == "default" and key in FINDING  # without a configured rate
            label = STYLES[key][0] + ("" if plain else words)
            own, other = both["own"].mean(), both["other"].mean()
            rows.append((key, series, label, own / LINK, other / LINK))
    table = pd.DataFrame(rows, columns=["transport", "series", "label", "own", "tcp"])
    base = table.loc[table["transport"] == "tcp-reno", "tcp"].mean()
    table["harm"] = 1 - table["tcp"] / base
    table["flags"] = table["transport"].map(TRANSPORTS)
    return table


def draw(results):
    table = _table(results)
    figure, (left, right) = new_figure(11.0, 5.8, ncols=2, sharey=True)
    places = range(len(table))
    colours = [STYLES[key][1] for key in table["transport"]]
    own = 100 * table["own"]
    left.barh(places, own, color=colours, edgecolor="#444444", linewidth=0.5, label="the transport")
    look = {"color": "white", "edgecolor": PALE, "hatch": "///", "linewidth": 0.5}
    left.barh(places, 100 * table["tcp"], left=own, label="Reno alongside it", **look)
    left.set_yticks(places, table["label"])
    left.invert_yaxis()
    left.set(xlim=(0, 100), xlabel="goodput (% of the link): colour the transport, hatched Reno")
    right.barh(places, table["harm"], color=colours, edgecolor="#444444", linewidth=0.5)
    right.axvline(0, color="black", linewidth=0.8)
    right.set_xlim(min(-0.2, table["harm"].min() - 0.05), 1)
    right.set_xlabel("harm: part of its goodput that Reno loses")
    for axes in (left, right):
        axes.grid(False, axis="y")
    figure.suptitle("Alongside one TCP Reno: 10 Mb/s, 50 ms, queue of one bandwidth-delay product")
    return figure, table
