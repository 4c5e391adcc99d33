# SPDX-License-Identifier: GPL-2.0-only
"""atou over ns-3's TCP: by path with scripted losses, by run with random ones."""

import numpy as np
import pandas as pd

from lfn.figures.atou_tcp import law_ratio, pairs, path_ratios, paths
from lfn.style import BLUE, GREEN, ORANGE, RED, new_figure, style
from lfn.units import path_name

TCP = ("grid", {"protocol": "tcp", "ackDelay": 0.2})
# atou's runs, TCP's runs, name, colour, marker
COMPARED = [
    (
        ("grid", {"protocol": "atou", "ackDelay": 0.0}),
        ("grid", {"protocol": "tcp", "ackDelay": 0.0}),
        "no delayed ACKs",
        BLUE,
        "o",
    ),
    (("grid", {"protocol": "atou", "ackDelay": 0.2}), TCP, "delayed ACKs", RED, "v"),
    (
        ("grid", {"protocol": "atou", "ackDelay": 0.2}),
        ("newreno", {}),
        "delayed ACKs, TcpNewReno",
        ORANGE,
        "s",
    ),
    (("doubled", {}), TCP, "delayed ACKs, atou grows twice as fast", GREEN, "^"),
    (
        ("heartbeat", {"protocol": "atou"}),
        ("heartbeat", {"protocol": "tcp"}),
        "the same, heartbeat of 20 ms",
        GREEN,
        "x",
    ),
]


def _draw_grid(axes, results, column):
    names = [path_name(*path) for path in paths(results, "grid")]
    tables = []
    axes.axhspan(0.9, 1.1, color="#EEEEEE", zorder=0)
    for ours, theirs, name, colour, marker in COMPARED:
        ratios = {
            path: ratio.value for path, ratio in path_ratios(results, ours, theirs, column).items()
        }
        look = style("atou", name, color=colour, marker=marker, linestyle="none")
        axes.plot([names.index(path) for path in ratios], list(ratios.values()), **look)
        tables.append(
            pd.DataFrame({"compared": name, "quantity": column, "x": ratios, "value": ratios})
            .assign(x=list(ratios))
            .reset_index(drop=True)
        )
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=8.5)
    axes.set_ylim(0, 1.3)
    return tables


def _draw_random(above, below, results):
    tables = []
    off = pairs(results, "random-atou", "random-tcp")
    on = pairs(results, "sack-atou", "sack-tcp")
    faults = pairs(results, "random-atou", "faults-tcp")
    for table, name, key, shift in ((off, "no SACK", "atou", 0.94), (on, "SACK", "rbudp", 1.06)):
        look = style(key, f"{name}, by run", linestyle="none")
        above.plot(table["loss"] * shift, table["ratio"], **look)
        tables.append(
            table.rename(columns={"loss": "x", "ratio": "value"})[["x", "value"]].assign(
                compared=name, quantity="goodput"
            )
        )
    losses = np.geomspace(off["loss"].min(), off["loss"].max(), 30)
    law = style("model", "law: TCP 2 segments ahead")
    above.plot(losses, [law_ratio(loss) for loss in losses], **law)
    shares = (
        (off, "repeats", "atou, no SACK", "atou", 0.9),
        (on, "repeats", "atou, SACK", "rbudp", 0.97),
        (off, "theirs_repeats", "TCP, no SACK", "xcp", 1.03),
        (on, "theirs_repeats", "TCP, SACK", "tcp", 1.1),
        (faults, "theirs_repeats", "TCP, no SACK, ns-3's bugs", "vrp", 1.17),
    )
    for table, column, name, key, shift in shares:
        below.plot(table["loss"] * shift, table[column], **style(key, name, linestyle="none"))
        tables.append(
            table.rename(columns={"loss": "x", column: "value"})[["x", "value"]].assign(
                compared=name, quantity="retransmitted"
            )
        )
    below.plot(losses, losses, **style("model", "what was lost"))
    return tables


def draw(results):
    figure, axes = new_figure(9.6, 9.4, nrows=2, ncols=2, sharex="col")
    figure.suptitle("atou compared with ns-3's TCP, by path and by random loss")
    tables = _draw_grid(axes[0][0], results, "mbs") + _draw_grid(axes[1][0], results, "mean_cwnd")
    tables += _draw_random(axes[0][1], axes[1][1], results)
    axes[0][0].set_ylabel("goodput, atou over TcpLinuxReno")
    axes[1][0].set_ylabel("mean window, atou over TcpLinuxReno")
    axes[0][1].set(ylabel="goodput, atou over TcpLinuxReno", ylim=(0, 1.1))
    axes[1][1].set(ylabel="share of data packets retransmitted", yscale="log")
    axes[1][1].set(xscale="log", xlabel="loss rate")
    axes[0][0].set_title("scripted losses", fontsize=10.5)
    axes[0][1].set_title("random losses", fontsize=10.5)
    axes[0][0].legend(loc="lower left", fontsize=8)
    axes[0][1].legend(loc="lower left")
    axes[1][1].legend(loc="upper center", bbox_to_anchor=(0.45, -0.15), ncols=2, fontsize=8)
    return figure, tables
