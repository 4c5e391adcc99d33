# SPDX-License-Identifier: GPL-2.0-only
"""One XCP and two TCP flows with the mechanism, and its drop probability."""

import pandas as pd

from lfn.figures.published import band, numbers
from lfn.figures.xcp import (
    MBPS,
    PAYLOAD,
    PPP,
    TCP_PACKET,
    class_legend,
    class_panels,
    draw_classes,
    draw_probability,
    on_link,
    queue_law,
    rate_of_link,
)
from lfn.models.xcp import LEAST_PROBABILITY, fair_share, floor_rate, loaded_rtt, probability_for
from lfn.style import BLACK

TCP_FLOWS = 2
FAIR_SHARE = 1.0 - float(fair_share(1, TCP_FLOWS))
LAW = {"color": BLACK, "linestyle": (0, (5, 1, 1, 1)), "linewidth": 1.2}


def _draw_floor(column, results, rtt):
    """What TCP gets while p rests at its floor, and the p that its fair share would need.

    Both with XCP's standing queue in the RTT: at TCP's measured share, and at its fair share.
    Returns the numbers.
    """
    series = f"on-{rtt}"
    share = queue_law(results, series)["e2e_share"].mean()
    rate = TCP_FLOWS * float(floor_rate(loaded_rtt(share, rtt / 1e3), PAYLOAD))
    fair_rtt = loaded_rtt(FAIR_SHARE, rtt / 1e3)
    link = rate_of_link(results, series)
    needed = float(probability_for(link, TCP_FLOWS, FAIR_SHARE, fair_rtt, TCP_PACKET + PPP))
    look = {**LAW, "label": "law: TCP at the floor of p; p for TCP's fair share"}
    column[0].axhline(rate / MBPS, **look)
    column[2].axhline(needed, **look)
    column[2].set_ylim(bottom=min(3e-5, needed / 2))
    found = {"tcp at the floor": rate, "drop probability for tcp's fair share": needed}
    return pd.DataFrame({"quantity": found.keys(), "mean": found.values(), "series": series})


def _draw_paper(axes, results):
    """What the report says from 20 s on, as the claims judge it."""
    over = (20, axes[0][0].get_xlim()[1])
    near, far = axes[1]
    most = numbers(results.claims["tcp-under-fair-share-20"])[0] / 100
    name, words = "tcp-under-fair-share-20", 'paper: TCP "{}"'
    band(near, results, name, over=over, edges=(0, most), text=words, at=(45, 0.52))
    band(near, results, "regains-20", on_link("xcp"), over, text='paper: XCP "{}"', at=(45, 0.24))
    band(far, results, "tcp-slow-100", on_link("tcp"), over, text='paper: TCP "{}"', at=(45, 0.07))
    band(
        axes[2][1],
        results,
        "floor-100",
        lambda value: value * LEAST_PROBABILITY,
        over,
        text="paper: {}",
        at=(over[0], 0.7 * LEAST_PROBABILITY),
    )


def draw(results):
    figure, axes = class_panels(3)
    tables = []
    for index, rtt in enumerate((20, 100)):
        column = axes[:, index]
        tables += draw_classes(column, results, f"on-{rtt}", f"none-{rtt}")
        tables.append(draw_probability(column[2], results, f"on-{rtt}"))
        tables.append(_draw_floor(column, results, rtt))
    _draw_paper(axes, results)
    class_legend(figure)
    return figure, tables
