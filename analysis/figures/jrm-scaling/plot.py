# SPDX-License-Identifier: GPL-2.0-only
"""Data sends and requests per message over the number of receivers."""

import numpy as np

from lfn.figures.jrm import many_data_sends, over_receivers
from lfn.models import jrm as model
from lfn.style import new_figure, style

LOSS = 0.1
SHOWN = [("literal", "jrm"), ("aggregated", "jrm-aggregated"), ("suppressed", "jrm-suppressed")]


def draw(results):
    figure, (left, right) = new_figure(9.2, 5.2, ncols=2)
    tables = []
    for series, key in SHOWN:
        look = style(key, "JRM as published" if series == "literal" else None, linestyle="none")
        for axes, column, first in ((left, "nack_responses", 1.0), (right, "nack_requests", 0.0)):
            table = over_receivers(results, series, column)
            values = first + table["mean"]
            errors = table["high"] - table["mean"]
            axes.errorbar(table["receivers"], values, yerr=errors, capsize=2, **look)
            tables.append(table.assign(series=series, quantity=column))
    most = int(max(table["receivers"].max() for table in tables))
    counts = sorted({*np.geomspace(1, most, 24).astype(int)})
    gaps = [model.multicast_by_gaps(LOSS, count) for count in counts]
    gathered = [model.multicast_by_gaps(LOSS, count, aggregated=True) for count in counts]
    steps = [model.multicast(LOSS, count) for count in counts]
    unluckiest = [model.sends_to_receivers(LOSS, count) for count in counts]
    left.plot(counts, [law.data for law in gaps], **style("model", "law, as published"))
    left.plot(counts, unluckiest, **style("exact", "law, requests gathered"))
    together = style("exact-safe", "law, if all noticed a loss at once")
    left.plot(counts, [law.data for law in steps], **together)
    right.plot(counts, [law.nacks for law in gaps], **style("model", "law, as published"))
    right.plot(counts, [law.nacks for law in gathered], **style("exact", "law, requests gathered"))
    right.plot(counts, [law.nacks for law in steps], **together)
    base = over_receivers(results, "suppressed", "nack_requests").iloc[-3:]
    root = base["mean"].iloc[0] * np.sqrt(base["receivers"] / base["receivers"].iloc[0])
    right.plot(base["receivers"], root, **style("bound", "growth as the root of the receivers"))
    many, others = many_data_sends(results)
    left.plot(
        [others], [many.value], **style("jrm-many", f"{others + 1} participants, all sending")
    )
    left.set_ylabel("data sends a message")
    right.set(ylabel="NACK requests per message", yscale="log")
    right.set_yticks([0.1, 0.2, 0.5, 1, 2, 5])
    right.yaxis.set_major_formatter("{x:g}")
    for axes in (left, right):
        axes.set(xscale="log", xlabel="receivers")
        axes.set_xticks([1, 2, 5, 10, 20, 50][: 6 if most > 5 else 3])
        axes.xaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.legend(loc="upper left")
    return figure, tables
