# SPDX-License-Identifier: GPL-2.0-only
"""Mean queueing delay by transport, for two lengths of the queue."""

import pandas as pd

from lfn.figures.compare import CONFIGURED, FINDING, KEYS
from lfn.models import tcp
from lfn.results import MissingDataError
from lfn.style import BLUE, GREY, RED, STYLES, new_figure

RTT_MS = 50
LEAST = 0.1
"""Shortest queue that the axis shows, in ms."""

SERIES = [("one-product", 1, BLUE, "o"), ("four-products", 4, RED, "s")]


def draw(results):
    figure, axes = new_figure(8.6, 5.6)
    tables = []
    for series, products, _, _ in SERIES:
        rows = results.rows(series)
        keys = rows["--transport"].map(KEYS).rename("transport")
        table = (1000 * rows.groupby(keys)["mean_queue_s"].mean()).rename("queue_ms")
        tables.append(table.reset_index().assign(products=products))
    table = pd.concat(tables, ignore_index=True)
    if table.empty:
        raise MissingDataError("no queue")
    order = [key for key in (*FINDING, *CONFIGURED) if key in set(table["transport"])]
    for _, products, colour, marker in SERIES:
        part = table[table["products"] == products].set_index("transport").loc[order]
        axes.plot(
            part["queue_ms"].clip(lower=LEAST),
            [place + (-0.13 if products == 1 else 0.13) for place in range(len(order))],
            color=colour,
            marker=marker,
            linestyle="none",
            markerfacecolor=colour if products == 1 else "white",
            markersize=8,
            label=f"queue of {products * RTT_MS} ms",
        )
        law = RTT_MS * float(tcp.sawtooth_queue(products))
        axes.axvline(law, color=colour, linewidth=1, linestyle=(0, (4, 3)))
    axes.plot(
        [], [], color=GREY, linewidth=1, linestyle=(0, (4, 3)), label="NewReno's sawtooth, law"
    )
    axes.set_yticks(range(len(order)), [STYLES[key][0] for key in order])
    axes.invert_yaxis()
    axes.set(xscale="log", xlim=(LEAST / 1.3, 300))
    ticks = [0.1, 1, 10, 100]
    axes.set_xticks(ticks, ["0.1 or less", "1", "10", "100"])
    axes.set_xlabel("mean queueing delay (ms)")
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.12), ncol=3)
    axes.set_title("A flow alone: what others would wait, 10 Mb/s, 50 ms")
    return figure, table
