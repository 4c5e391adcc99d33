# SPDX-License-Identifier: GPL-2.0-only
"""Throughput over the rate of the reverse path, compared with the ceilings of the ACK clock."""

import numpy as np
import pandas as pd

from lfn.figures.atou_paths import MBPS, ack_ceiling, look, steady_rate
from lfn.style import GREY, new_figure

NAMES = (
    ("tcp", "ns-3's TCP, delayed ACKs"),
    ("padded", "atou, empty SACK blocks"),
    ("trimmed", "atou, trimmed"),
    ("delayed", "atou, trimmed, delayed ACKs"),
)


def draw(results):
    figure, axes = new_figure()
    tables = []
    link = results.rows("tcp")["--linkRate"].iloc[0]
    backs = np.linspace(20e3, 1.1 * results.rows("tcp")["--reverseRate"].max(), 200)
    for index, (series, label) in enumerate(NAMES):
        rates = sorted(results.rows(series)["--reverseRate"].unique())
        found = [steady_rate(results, series, reverseRate=back).value for back in rates]
        marks = {**look(index, label), "linestyle": "none"}
        axes.plot(np.array(rates) / 1e3, np.array(found) / MBPS, **marks)
        line = {**look(index, "_", lines=True), "linewidth": 1.0}
        axes.plot(backs / 1e3, ack_ceiling(series, backs, link) / MBPS, **line)
        tables.append(pd.DataFrame({"series": series, "ack_rate_bps": rates, "rate_bps": found}))
    axes.axvline(128, color=GREY, linewidth=0.8)
    axes.text(131, 0.1, "128 kb/s", fontsize=8.5, color=GREY)
    axes.set(xlabel="rate of the reverse path (kb/s)", ylabel="throughput (Mb/s)")
    axes.set(
        title="Throughput over the reverse path's rate; lines: ACK clock and link", ylim=(0, None)
    )
    axes.legend(loc="lower right")
    return figure, tables
