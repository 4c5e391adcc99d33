# SPDX-License-Identifier: GPL-2.0-only
"""One XCP and two TCP flows with the mechanism, and its drop probability."""

import pandas as pd

from lfn.figures.xcp import (
    MBPS,
    PAYLOAD,
    PPP,
    TCP_PACKET,
    class_panels,
    draw_classes,
    draw_probability,
    queue_law,
    rate_of_link,
)
from lfn.models.xcp import fair_share, floor_rate, loaded_rtt, probability_for
from lfn.style import BLACK

TCP_FLOWS = 2
DUE = 1.0 - float(fair_share(1, TCP_FLOWS))
LAW = {"color": BLACK, "linestyle": (0, (5, 1, 1, 1)), "linewidth": 1.2}


def _draw_floor(column, results, rtt):
    """What TCP gets while p rests at its floor, and the p that its due would need.

    Both with XCP's standing queue in the RTT: at TCP's measured share, and at its due. Returns the
    numbers.
    """
    series = f"on-{rtt}"
    share = queue_law(results, series)["e2e_share"].mean()
    rate = TCP_FLOWS * float(floor_rate(loaded_rtt(share, rtt / 1e3), PAYLOAD))
    due_rtt = loaded_rtt(DUE, rtt / 1e3)
    link = rate_of_link(results, series)
    needed = float(probability_for(link, TCP_FLOWS, DUE, due_rtt, TCP_PACKET + PPP))
    line = column[0].axhline(rate / MBPS, **LAW, label="law: TCP at the floor of p")
    column[0].legend(handles=[line], loc="upper right")
    column[2].axhline(needed, **LAW, label="law: p for TCP's due")
    column[2].set_ylim(bottom=min(3e-5, needed / 2))
    found = {"tcp at the floor": rate, "drop probability for tcp's due": needed}
    return pd.DataFrame({"quantity": found.keys(), "mean": found.values(), "series": series})


def draw(results):
    """Return {"xcp-fig2": (figure, plotted numbers)}."""
    figure, axes = class_panels(3)
    tables = []
    for index, rtt in enumerate((20, 100)):
        column = axes[:, index]
        tables += draw_classes(column, results, f"on-{rtt}", f"none-{rtt}")
        tables.append(draw_probability(column[2], results, f"on-{rtt}"))
        tables.append(_draw_floor(column, results, rtt))
        column[1].legend(loc="best", ncols=2)
        column[2].legend(loc="upper right", ncols=3)
    return {"xcp-fig2": (figure, pd.concat(tables, ignore_index=True))}
