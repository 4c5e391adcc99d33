# SPDX-License-Identifier: GPL-2.0-only
"""Residual loss over the network's loss of the transports that may lose."""

import numpy as np

from lfn.figures.compare import FEC_BLOCK, curves, plot_curves
from lfn.models import quanta
from lfn.style import new_figure, style

LEAST = 1e-4
"""Where the vertical axis begins, in percent; what is below is drawn there."""

KEYS = ("udp", "fec-udp", "vrp-lossy", "jrm")


def draw(results):
    figure, axes = new_figure(7.4, 5.6)
    table = curves(
        results,
        "path",
        "lossRate",
        lambda rows: 100 * (1 - rows["delivered_bytes"] / rows["offered_bytes"]),
    )
    columns = ("mean", "low", "high")
    shown = table.assign(**{c: table[c].clip(lower=LEAST) for c in columns})
    shown["lossRate"] = 100 * shown["lossRate"]
    plot_curves(axes, shown, "lossRate", KEYS)
    grid = np.geomspace(0.001, table["lossRate"].max(), 60)
    axes.plot(100 * grid, 100 * grid, **style("bound", "nothing made good", linewidth=1.1))
    law = 100 * quanta.residual_loss(grid, FEC_BLOCK)
    axes.plot(100 * grid, law, **style("exact", "FEC, exact law"))
    axes.axhline(LEAST, color="#999999", linewidth=0.8, linestyle=(0, (2, 3)))
    axes.set(xscale="log", yscale="log")
    ticks = [t for t in (0.1, 0.3, 1, 3, 10, 20) if t <= 100 * grid[-1] * 1.001]
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.minorticks_off()
    axes.set(xlabel="packets lost at random (%)", ylabel="not delivered (%); dotted: none")
    axes.set_title("What stays lost: 40 MB over 100 Mb/s, 100 ms")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=3)
    return figure, table
