# SPDX-License-Identifier: GPL-2.0-only
"""Share of the link over its bandwidth-delay product."""

import numpy as np

from lfn.figures.compare import (
    CONFIGURED,
    FINDING,
    RTT,
    curves,
    goodput,
    legend_below,
    plot_curves,
    rbudp_whole,
    two_panels,
    vrp_bound,
)
from lfn.style import style

RATES = {"10mbps": 10e6, "30mbps": 30e6, "100mbps": 100e6, "300mbps": 300e6, "1gbps": 1e9}
PRODUCTS = 20
"""Bandwidth-delay products a transfer."""

QUEUE = 250 * 1472 / 1e6
"""Bytes of the router's queue, in MB."""


def _product(rate):
    """Bandwidth-delay product in MB."""
    return rate * RTT / 8e6


def draw(results):
    figure, left, right = two_panels()
    series = [(f"rate-{name}", _product(rate)) for name, rate in RATES.items()]

    def percent(rows):
        return 100 * goodput(rows) / rows["--linkRate"]

    table = curves(results, series, "bdp_MB", percent)
    plot_curves(left, table, "bdp_MB", CONFIGURED)
    plot_curves(right, table, "bdp_MB", FINDING)
    grid = np.geomspace(10e6, 1e9, 60)
    law = [100 * rbudp_whole(PRODUCTS * r * RTT / 8, r) / r for r in grid]
    left.plot(_product(grid), law, **style("exact", "RBUDP, equation (4)"))
    law = [100 * vrp_bound(r) / r for r in grid]
    left.plot(_product(grid), law, **style("bound", "two VRP frames of 1 MB", linewidth=1.1))
    for axes in (left, right):
        axes.axvline(QUEUE, color="#999999", linewidth=0.8, linestyle=(0, (2, 3)))
        axes.set_xscale("log")
        axes.set_xticks(
            [_product(r) for r in RATES.values()], ["0.125", "0.375", "1.25", "3.75", "12.5"]
        )
        axes.minorticks_off()
        axes.set(ylim=(0, 100), xlabel="bandwidth-delay product (MB); dotted: the queue")
        legend_below(axes)
    left.set_ylabel("goodput (% of the link)")
    figure.suptitle(
        "Transfers of 20 bandwidth-delay products, 100 ms, queue of 250 packets, no random loss"
    )
    return figure, table
