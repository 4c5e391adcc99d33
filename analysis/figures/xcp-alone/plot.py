# SPDX-License-Identifier: GPL-2.0-only
"""XCP without TCP: rates of the flows above, queue and utilisation below."""

import numpy as np

from lfn.figures.xcp import MBPS, flow_samples, path
from lfn.style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, new_figure

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, RED)
LINES = ("-", (0, (6, 2)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 1, 2, 1)))
TITLES = {
    "five": "five flows, 20 Mb/s, 80 ms",
    "rtts": "five flows, five RTTs",
    "fast": "five flows, 45 Mb/s, 40 ms",
    "one": "one flow, 100 Mb/s, 100 ms",
}


def draw(results):
    # Two series side by side, each with its queue below.
    figure, grid = new_figure(
        9.2, 8.6, nrows=4, ncols=2, gridspec_kw={"height_ratios": [1.5, 1.0] * 2}
    )
    axes = np.hstack([grid[:2], grid[2:]])
    tables = []
    for index, (series, title) in enumerate(TITLES.items()):
        above, below = axes[:, index]
        rows = results.rows(series)
        rtts = str(rows["--rtt"].iloc[0]).split(",")
        table = flow_samples(results, series)
        for flow, part in table.groupby("flow"):
            label = f"RTT {rtts[flow]}" if len(rtts) > 1 else f"flow {flow + 1}"
            look = {"color": COLOURS[flow], "linestyle": LINES[flow], "linewidth": 1.4}
            above.plot(part["time_s"], part["value"] / MBPS, label=label, **look)
        queue = path(results, series, "queue_peak_packets")
        below.plot(queue["time_s"], queue["value"], color=GREY, linewidth=1.2, label="not paced")
        above.set(title=title, ylim=(0, None))
        below.set(ylim=(0, None), xlim=(0, None), xlabel="time (s)")
        above.sharex(below)
        above.tick_params(labelbottom=False)
        if table["flow"].nunique() > 1:
            above.legend(loc="upper right")
        tables.append(table.assign(series=series, quantity="goodput_bps"))
        tables.append(queue.assign(series=series, quantity="queue_peak_packets"))
    paced = path(results, "paced", "queue_peak_packets")
    look = {"label": "paced", "color": BLUE, "linewidth": 1.2, "linestyle": LINES[1]}
    axes[1][-1].plot(paced["time_s"], paced["value"], **look)
    axes[1][-1].legend(loc="upper right")
    tables.append(paced.assign(series="paced", quantity="queue_peak_packets"))
    for row in (0, 2):
        grid[row][0].set_ylabel("goodput (Mb/s)")
        grid[row + 1][0].set_ylabel("longest queue\n(packets)")
    return figure, tables
