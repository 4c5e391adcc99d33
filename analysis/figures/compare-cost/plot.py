# SPDX-License-Identifier: GPL-2.0-only
"""Control bytes and packets retransmitted, a delivered megabyte, over random loss."""

import numpy as np

from lfn.figures.compare import (
    CONFIGURED,
    FINDING,
    MB,
    NO_LOSS,
    PACKET,
    curves,
    loss_axis,
    plot_curves,
    with_zero,
)
from lfn.style import new_figure, style

KEYS = (*CONFIGURED, *(key for key in FINDING if key != "atou-cubic"))
LEAST = {"control": 0.01, "again": 0.01}
"""Where the vertical axes begin; what is below is drawn there."""


def _delivered(rows):
    return rows["delivered_bytes"] / MB


def draw(results):
    figure, (left, right) = new_figure(11.0, 5.8, ncols=2)
    control = curves(
        results, "path", "lossRate", lambda r: r["device_control_bytes"] / 1000 / _delivered(r)
    )
    again = curves(
        results, "path", "lossRate", lambda r: r["retransmitted_packets"] / _delivered(r)
    )
    most = control["lossRate"].max()
    for axes, table, what in ((left, control, "control"), (right, again, "again")):
        shown = table.assign(
            lossRate=with_zero(table["lossRate"]),
            **{c: table[c].clip(lower=LEAST[what]) for c in ("mean", "low", "high")},
        )
        keys = KEYS if what == "control" else [k for k in KEYS if k not in ("udp", "fec-udp")]
        plot_curves(axes, shown, "lossRate", keys)
        axes.set_yscale("log")
        loss_axis(axes, most)
        axes.set_xlim(NO_LOSS / 1.5, most * 1.5)
    left.axhline(LEAST["control"], color="#999999", linewidth=0.8, linestyle=(0, (2, 3)))
    right.axhline(LEAST["again"], color="#999999", linewidth=0.8, linestyle=(0, (2, 3)))
    grid = np.geomspace(1e-5, most, 60)
    law = grid / (1 - grid) * MB / PACKET
    right.plot(grid, law, **style("exact", "p / (1 - p) of the packets"))
    left.set_ylabel("control (kB a delivered MB); dotted: this or less")
    right.set_ylabel("packets retransmitted a delivered MB; dotted: this or less")
    handles, labels = left.get_legend_handles_labels()
    more = list(zip(*right.get_legend_handles_labels(), strict=True))
    handles += [handle for handle, label in more if label not in labels]
    labels += [label for _, label in more if label not in labels]
    figure.legend(handles, labels, loc="outside lower center", ncol=6)
    figure.suptitle("What a delivered megabyte costs over 100 Mb/s, 100 ms")
    both = [control.assign(quantity="control_kB_per_MB"), again.assign(quantity="again_per_MB")]
    return figure, both
