# SPDX-License-Identifier: GPL-2.0-only
"""Goodput over the RTT: transports that are configured with their rate, and those that find it."""

import numpy as np

from lfn.figures.compare import (
    CONFIGURED,
    FINDING,
    LINK,
    PACKET,
    curves,
    goodput,
    goodput_axes,
    legend_below,
    plot_curves,
    rbudp_whole,
    two_panels,
    vrp_bound,
)
from lfn.models import tcp
from lfn.style import style

MBPS = 1e6
SERIES = [(f"rtt-{ms}ms", ms) for ms in (10, 30, 100, 200, 400)]
LOSS = 0.001


def draw(results):
    figure, left, right = two_panels(sharey=False)
    table = curves(results, SERIES, "rtt_ms", goodput)
    plot_curves(left, table, "rtt_ms", CONFIGURED, MBPS)
    plot_curves(right, table, "rtt_ms", FINDING, MBPS)
    grid = np.geomspace(10, 400, 60)
    size = results.table["--bytes"].iloc[0]
    law = [rbudp_whole(size, rtt=ms / 1000, loss=LOSS) / MBPS for ms in grid]
    left.plot(grid, law, **style("exact", "RBUDP's exact law"))
    law = [vrp_bound(rtt=ms / 1000) / MBPS for ms in grid]
    left.plot(grid, law, **style("bound", "two VRP frames of 1 MB", linewidth=1.1))
    for model, key, name in (
        (tcp.mathis(LOSS, grid / 1000, PACKET), "model", "Mathis' law"),
        (tcp.cubic(LOSS, grid / 1000, PACKET), "exact", "CUBIC's law, RFC 9438"),
    ):
        right.plot(grid, np.minimum(model, LINK) / MBPS, **style(key, name, linewidth=1.1))
    for axes in (left, right):
        axes.set_xscale("log")
        ticks = [10, 30, 100, 200, 400]
        axes.set_xticks(ticks, [str(t) for t in ticks])
        axes.minorticks_off()
        axes.set_xlabel("round-trip time of propagation (ms)")
        legend_below(axes)
    goodput_axes(left, right)
    figure.suptitle("A transfer over 100 Mb/s with 0.1 % of random loss")
    return figure, table
