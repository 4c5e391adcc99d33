# SPDX-License-Identifier: GPL-2.0-only
"""Data sends a packet over the number of receivers, with parities and without."""

import numpy as np

from lfn.figures.jrm import PARITY_SERIES, a_packet, sends_law
from lfn.results import means
from lfn.style import new_figure, style


def draw(results):
    figure, both = new_figure(9.2, 4.8, ncols=2, sharey=True)
    tables = []
    for axes, loss in zip(both, (0.05, 0.01), strict=True):
        most = 1
        for series, (rate, block, key) in PARITY_SERIES.items():
            if rate != loss:
                continue
            table = means(a_packet(results, series), "receivers", "value")
            label = f"parities, blocks of {block}" if block > 1 else "packets retransmitted"
            most = max(most, int(table["receivers"].max()))
            counts = sorted({*np.geomspace(1, most, 24).astype(int)})
            look = style(key, label, linestyle="none")
            line = style(key, f"law, {label}", marker="")
            line["linestyle"] = {1: "-", 7: (0, (4, 1))}.get(block, (0, (1, 1)))
            axes.plot(counts, [sends_law(loss, count, block) for count in counts], **line)
            errors = table["high"] - table["mean"]
            axes.errorbar(table["receivers"], table["mean"], yerr=errors, capsize=2, **look)
            tables.append(table.assign(series=series, loss=loss, block=block))
        axes.set(title=f"each receiver loses {100 * loss:g} %", xscale="log", xlabel="receivers")
        axes.set_xticks([1, 2, 5, 10, 20, 50][: 6 if most > 5 else 3])
        axes.xaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.legend(loc="upper left")
    both[0].set_ylabel("data sends a packet")
    return figure, tables
