# SPDX-License-Identifier: GPL-2.0-only
"""Goodput and cost by the configured rate, and of several flows that are configured with the rate
of the link."""

import numpy as np
import pandas as pd

from lfn.figures import three_panels
from lfn.figures.compare import (
    CONFIGURED,
    LINK,
    curves,
    goodput,
    plot_curves,
    rbudp_overload,
    sent_for_each,
    together,
    user_rate,
)
from lfn.results import MissingDataError
from lfn.style import style

MBPS = 1e6
QUEUE = 1.25e6
"""Bytes of the router's queue."""


def _several(results):
    """What several flows get together and send, by their number; empty where there are none."""
    try:
        rows = results.rows("several")
    except MissingDataError:
        return pd.DataFrame(columns=["flows", "together", "sent", "jain"])
    rows = rows.assign(together=together(rows), sent=sent_for_each(rows))
    table = rows.groupby("--flows")[["together", "sent", "jain_index"]].mean().reset_index()
    return table.rename(columns={"--flows": "flows", "jain_index": "jain"})


def draw(results):
    figure, left, middle, right = three_panels(9.4, 8.2)
    got = curves(results, "path", "sendRate", goodput)
    sent = curves(results, "path", "sendRate", sent_for_each)
    for table in (got, sent):
        table["times"] = table["sendRate"] / user_rate()
    plot_curves(left, got, "times", CONFIGURED, MBPS)
    plot_curves(middle, sent, "times", CONFIGURED)
    grid = np.geomspace(0.5, 3.0, 40)
    size = results.rows("path")["--bytes"].iloc[0]
    law = [rbudp_overload(size, x * user_rate(), QUEUE) for x in grid]
    words = "RBUDP, blasts that overflow the queue"
    left.plot(grid, [8 * size / time / MBPS for time, _ in law], **style("exact", words))
    middle.plot(grid, [packets for _, packets in law], **style("exact", words))
    for axes in (left, middle):
        axes.set_xscale("log")
        ticks = [0.5, 0.75, 1, 1.5, 2, 3]
        axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
        axes.minorticks_off()
        axes.set_xlabel("configured rate (of nine tenths of the link)")
        axes.axvline(1.0, color="#999999", linewidth=0.8, linestyle=(0, (2, 3)))
    left.set(ylim=(0, 100), ylabel="goodput (Mb/s)")
    middle.set(ylim=(0, None), ylabel="packets sent for each that is needed")
    several = _several(results)
    all_flows = style("rbudp", "goodput of all (%)", marker="D", linestyle=(0, (4, 1)))
    right.plot(several["flows"], several["together"], **all_flows)
    costs = right.twinx()
    costs.plot(
        several["flows"], several["sent"], **style("rbudp-lossy", "sent for each needed (right)")
    )
    costs.set_ylim(0, None)
    costs.grid(False)
    right.set(
        ylim=(0, 100), xlabel="RBUDP flows that are each configured with the rate of the link"
    )
    right.set_ylabel("goodput of all (% of the link)")
    lines = [*right.get_lines(), *costs.get_lines()]
    right.legend(lines, [line.get_label() for line in lines], loc="lower right")
    right.set_title("several RBUDP flows")
    left.set_title("one flow: goodput")
    middle.set_title("one flow: packets sent")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.suptitle(
        f"Configured with a wrong rate: {LINK / MBPS:g} Mb/s, 100 ms, queue of one product"
    )
    parts = [got.assign(panel="goodput"), sent.assign(panel="sent"), several.assign(panel="flows")]
    return figure, parts
