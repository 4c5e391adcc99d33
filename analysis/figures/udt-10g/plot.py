# SPDX-License-Identifier: GPL-2.0-only
"""Goodput over time at three rates, with the period rounded up and exact."""

import pandas as pd

from lfn.figures.published import level
from lfn.figures.udt_control import GBPS, goodput_over_time, look
from lfn.style import new_figure

PANELS = (
    ("1 Gb/s", 1, ("1-1500",)),
    ("10 Gb/s", 10, ("10-1500", "10-9000")),
    ("100 Gb/s", 100, ("100-9000",)),
)
PERIODS = ((1e-6, "whole us"), (0.0, "exact"))


def draw(results):
    figure, panels = new_figure(9.6, 4.6, ncols=3)
    there = set(results.table["series"])
    tables = []
    for axes, (title, most, names) in zip(panels, PANELS, strict=True):
        for series in (name for name in names if name in there):
            size = series.partition("-")[2]
            for index, (period, word) in enumerate(PERIODS):
                times, rates = goodput_over_time(results, series, period)
                looks = look(index + 2 * (size == "9000"), f"{size} B, {word}", lines=True)
                axes.plot(times, rates / GBPS, **looks)
                table = pd.DataFrame({"time_s": times, "goodput_bps": rates})
                tables.append(table.assign(series=series, granularity_s=period))
        axes.set(title=title, xlim=(0, None), xlabel="time (s)")
        held = [line.get_ydata().max() for line in axes.lines]
        axes.set_ylim(0, 1.05 * max([most, *held]))
        if most == 10:
            both = "record-of-2003", "record-of-2003-jumbo"
            for name in both:
                label = "one transfer of 2003: 6.8" if name == both[0] else "_"
                level(axes, results, name, label=label)
        if axes.lines:
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=1)
        else:
            axes.set_axis_off()
    panels[0].set_ylabel("goodput (Gb/s)")
    return figure, pd.concat(tables, ignore_index=True)
