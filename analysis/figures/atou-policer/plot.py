# SPDX-License-Identifier: GPL-2.0-only
"""A flood over time, and atou's rate and retransmitted segments over its window."""

import numpy as np

from lfn.figures.atou_paths import MBPS, look, over_option, trace
from lfn.figures.published import band, level, stars
from lfn.style import new_figure, style


def draw(results):
    figure, (left, right) = new_figure(11.0, 4.3, ncols=2)
    flood = trace(results, "flood", "goodput_bps")
    left.step(
        1e3 * flood["time_s"], flood["value"] / MBPS, where="pre", **style("udp", marker=None)
    )
    left.axhline(50, **style("bound", "policer"))
    left.set(xlabel="time (ms)", ylabel="goodput (Mb/s)")
    left.set(title="a flood of 97 Mb/s, each 5 ms", ylim=(0, 130))
    for index in (0, 1):
        look_ = {"label": "paper: first 100, then 50 Mb/s" if index == 0 else "_"}
        level(left, results, "flood", index, **look_)
    left.legend(loc="upper right")
    table = over_option(results, "windows", "rcvrwin")
    again = over_option(results, "windows", "rcvrwin", "retransmitted_packets")
    windows = np.linspace(1, table["x"].max(), 200)
    limit = np.minimum(windows * 1460 * 8 / 0.00442, 50e6 * 1460 / 1500)
    right.plot(windows, limit / MBPS, **style("bound", "window and policer"))
    right.plot(table["x"], table["mean"] / MBPS, **style("atou"))
    stars(right, results, "rate", "window-of-22-kb")
    right.set(xlabel="window (segments)", ylabel="throughput (Mb/s)", ylim=(0, 60))
    other = right.twinx()
    other.grid(visible=False)
    other.plot(again["x"], again["mean"], **look(5, "retransmitted (right)"))
    other.set(ylabel="segments retransmitted in 10 s", ylim=(0, None))
    band(other, results, "no-loss", over=(0, 15))
    right.set_title("a window of the sender's choice")
    figure.suptitle("A path with a policer of 50 Mb/s")
    lines = right.get_lines() + other.get_lines()
    lines = [line for line in lines if not line.get_label().startswith("_")]
    right.legend(handles=lines, loc="lower right", fontsize=8)
    numbers = [flood.assign(series="flood"), table.assign(series="windows", again=again["mean"])]
    return figure, numbers
