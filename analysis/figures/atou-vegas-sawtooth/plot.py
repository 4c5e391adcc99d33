# SPDX-License-Identifier: GPL-2.0-only
"""Windows of Reno and Vegas over time, and the share of the link over the router's queue."""

import numpy as np
import pandas as pd

from lfn.figures.atou_paths import look, over_queue, windows
from lfn.figures.published import band, note
from lfn.models import atou as model
from lfn.style import GREY, new_figure, style

NAMES = (
    ("tcp-reno", "ns-3's TCP Reno"),
    ("tcp-vegas", "ns-3's Vegas"),
    ("tcp-vegas-every", "ns-3's Vegas, every segment ACKed"),
    ("atou-reno", "atou, Reno"),
    ("atou-vegas", "atou, Vegas"),
    ("atou-vegas-sink", "atou, Vegas, ACKs delayed as by ns's sink"),
    ("atou-vegas-every", "atou, Vegas, every segment ACKed"),
)
BDP = 1.6e6 * 0.1 / 8 / 1002


def _windows(results):
    figure, panels = new_figure(10.4, 4.4, ncols=2, sharey=True)
    tables = []
    for index, (series, label) in enumerate(NAMES):
        panel = int(series.startswith("atou"))
        axes = panels[panel]
        samples = windows(results, series, mss=972, queue=4)
        axes.plot(samples["time_s"], samples["value"], **look(index - 3 * panel, label, lines=True))
        tables.append(samples.assign(series=series))
    for axes in panels:
        axes.axhline(BDP, color=GREY, linewidth=0.8)
        axes.set(ylim=(0, 45), xlabel="time (s)")
        axes.legend(loc="upper right", fontsize=8)
    panels[0].set_ylabel("congestion window (segments)")
    figure.suptitle("Windows at a queue of 4 packets, 1.6 Mb/s, 100 ms; thin: what the path holds")
    return figure, pd.concat(tables, ignore_index=True)


def _sweep(results):
    figure, axes = new_figure(7.2, 5.6)
    queues = np.linspace(0, 20, 100)
    axes.plot(queues, model.sawtooth_share(queues / BDP), **style("bound", "sawtooth, law"))
    tables = []
    for index, (series, label) in enumerate(NAMES):
        table = over_queue(results, series)
        axes.plot(table["queue"], table["share"], **look(index, label))
        tables.append(table.assign(series=series))
    axes.set(xlabel="router's queue (packets)", ylabel="share of the link", ylim=(0, 1.05))
    near = (3.4, 4.6)
    band(axes, results, "reno-sawtooth", over=near, text="paper: Reno {}", at=(4.8, 0.66))
    words = "paper: Vegas {}"
    band(axes, results, "vegas-fills-the-link", over=near, text=words, at=(-0.6, 1.02))
    note(axes, results, "vegas-above-reno", 0.98, 0.02, "paper, Vegas and Reno: {}", ha="right")
    axes.set_title("Reno and Vegas, each alone: 1.6 Mb/s, 100 ms")
    figure.legend(loc="outside lower center", ncols=2, fontsize=8)
    return figure, pd.concat(tables, ignore_index=True)


def draw(results):
    """Return both plots and their numbers."""
    return {"atou-vegas-sawtooth": _windows(results), "atou-vegas-queue-sweep": _sweep(results)}
