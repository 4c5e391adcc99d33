# SPDX-License-Identifier: GPL-2.0-only
"""Time to complete over the size of a transfer."""

import numpy as np

from lfn.figures.compare import (
    CONFIGURED,
    FINDING,
    LINK,
    PACKET,
    RBUDP_CONNECTS,
    RTT,
    curves,
    legend_below,
    plot_curves,
    seconds,
    two_panels,
    user_rate,
)
from lfn.models import tcp
from lfn.style import style


def draw(results):
    figure, left, right = two_panels()
    table = curves(results, "path", "bytes", seconds)
    plot_curves(left, table, "bytes", CONFIGURED)
    for line in left.lines:
        if line.get_label() == "UDP":
            line.set_zorder(3)  # as fast as JRM, which would hide it
    plot_curves(right, table, "bytes", FINDING)
    grid = np.geomspace(100e3, table["bytes"].max(), 60)
    law = 8 * grid / user_rate() + (1 + RBUDP_CONNECTS) * RTT
    left.plot(grid, law, **style("exact", "RBUDP, connection and equation (2)"))
    rate = LINK * PACKET / (PACKET + 54)
    law = [tcp.slow_start_time(size, rate, RTT, PACKET) for size in grid]
    right.plot(grid, law, **style("exact", "slow start, then the link"))
    for axes in (left, right):
        axes.plot(grid, 8 * grid / LINK + RTT, **style("bound", "link's rate", linewidth=1.1))
        axes.set(xscale="log", yscale="log")
        ticks = [t for t in (1e5, 1e6, 1e7, 1e8) if t <= grid[-1] * 1.001]
        axes.set_xticks(ticks, ["100 kB", "1 MB", "10 MB", "100 MB"][: len(ticks)])
        ticks = [0.03, 0.1, 0.3, 1, 3, 10]
        axes.set_yticks(ticks, [f"{t:g}" for t in ticks])
        axes.minorticks_off()
        axes.set_xlabel("size of the transfer")
        legend_below(axes)
    left.set_ylabel("time to complete (s)")
    figure.suptitle("A transfer over 100 Mb/s, 100 ms, no random loss")
    return figure, table
