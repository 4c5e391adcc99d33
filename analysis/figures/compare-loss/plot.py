# SPDX-License-Identifier: GPL-2.0-only
"""Goodput over random loss: transports that are configured with their rate, and those that find
it."""

import numpy as np

from lfn.figures.compare import (
    CONFIGURED,
    FINDING,
    LINK,
    NO_LOSS,
    PACKET,
    RTT,
    curves,
    goodput,
    goodput_axes,
    legend_below,
    loss_axis,
    plot_curves,
    rbudp_whole,
    two_panels,
    with_zero,
)
from lfn.models import tcp
from lfn.style import style

MBPS = 1e6


def draw(results):
    figure, left, right = two_panels(sharey=False)
    table = curves(results, "path", "lossRate", goodput)
    shown = table.assign(lossRate=with_zero(table["lossRate"]))
    plot_curves(left, shown, "lossRate", CONFIGURED, MBPS)
    plot_curves(right, shown, "lossRate", FINDING, MBPS)
    most = table["lossRate"].max()
    grid = np.geomspace(1e-5, most, 60)
    size = results.table["--bytes"].iloc[0]
    law = [rbudp_whole(size, loss=p) / MBPS for p in grid]
    left.plot(grid, law, **style("exact", "RBUDP's exact law"))
    for model, key, name in (
        (tcp.mathis(grid, RTT, PACKET), "model", "Mathis' law"),
        (tcp.padhye(grid, RTT, RTT + 0.2, PACKET), "bound", "Padhye's law, delayed ACKs"),
        (tcp.cubic(grid, RTT, PACKET), "exact", "CUBIC's law, RFC 9438"),
    ):
        below = model < LINK
        right.plot(grid[below], model[below] / MBPS, **style(key, name, linewidth=1.1))
    for axes in (left, right):
        loss_axis(axes, most)
        axes.set_xlim(NO_LOSS / 1.5, most * 1.5)
        axes.minorticks_off()
        legend_below(axes)
    goodput_axes(left, right)
    figure.suptitle("A transfer over 100 Mb/s, 100 ms, queue of one bandwidth-delay product")
    return figure, table
