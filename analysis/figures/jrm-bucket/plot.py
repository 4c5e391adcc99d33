# SPDX-License-Identifier: GPL-2.0-only
"""Packets a second behind the bucket, and the time until messages are complete."""

from lfn.figures.jrm import FINE, RATE, over_rate
from lfn.figures.published import band, note
from lfn.models import jrm as model
from lfn.style import BLUE, ORANGE, PURPLE, RED, new_figure, style

PACKETS = 10
# series, quantity, label, colour, marker, line
LEFT = [
    ("free", "all", "all data packets, bucket free for repairs", PURPLE, "D", "none"),
    ("free", "new", "new packets, bucket free for repairs", BLUE, "o", "-"),
    ("counted", "all", "all data packets, repairs counted", RED, "v", (0, (6, 2))),
    ("counted", "new", "new packets, repairs counted", ORANGE, "s", (0, (6, 2))),
]
RIGHT = [
    ("fast", "100 Mb/s, nackTimeout 200 ms", BLUE, "o", "-"),
    ("slow", "4.05 Mb/s, nackTimeout 200 ms", PURPLE, "D", (0, (1, 1))),
    ("impatient", "4.05 Mb/s, nackTimeout 20 ms", RED, "v", (0, (6, 2))),
]


def _plot(axes, table, label, colour, marker, line):
    axes.errorbar(
        100 * table["loss"],
        table["mean"],
        yerr=table["high"] - table["mean"],
        label=label,
        color=colour,
        marker=marker,
        linestyle=line,
        markerfacecolor="white",
        capsize=2,
    )


def _rate(rows, quantity):
    packets = rows["msg_packets"] + (rows["nack_responses"] if quantity == "all" else 0)
    return packets / rows["finish_s"]


def draw(results):
    figure, (left, right) = new_figure(9.2, 4.8, ncols=2)
    law = [RATE * model.expected_packets(loss, PACKETS) for loss in FINE]
    left.plot(100 * FINE, law, **style("exact", "exact law, n / (1 - e)"))
    tables = []
    for series, quantity, *look in LEFT:
        table = over_rate(results, series, lambda rows, what=quantity: _rate(rows, what))
        _plot(left, table, *look)
        tables.append(table.assign(series=series, quantity=f"{quantity} packets a second"))
    for series, *look in RIGHT:
        table = over_rate(
            results, series, lambda rows: 1e3 * rows["mean_latency_s"], "receiverErrorRate"
        )
        _plot(right, table, *look)
        tables.append(table.assign(series=series, quantity="mean time to completion, ms"))
    left.set_ylabel("packets a second")
    left.set(ylim=(0, None), title="A leaky bucket of 300 packets per second")
    band(left, results, "new-messages", lambda messages: messages * PACKETS)
    place = {"transform": left.transData, "va": "top"}
    note(left, results, "new-messages", 1, 205, "paper: {}, so 300 packets", **place)
    right.set_ylabel("mean time to completion (ms)")
    right.set(yscale="log", title="A link that must carry the repairs")
    for axes in (left, right):
        axes.set_xlabel("error rate (%)")
    left.legend(loc="lower left")
    right.legend(loc="upper left")
    return figure, tables
