# SPDX-License-Identifier: GPL-2.0-only
"""Goodput of five flows over their delay, of UDT4 and of TCP CUBIC, with the printed numbers."""

import pandas as pd

from lfn.figures.published import stars
from lfn.figures.udt_control import DELAYS, MBPS, goodput_of_flow
from lfn.style import new_figure, plot_band, style

PANELS = (("udt", "udt", "UDT4"), ("tcp", "tcp-cubic", "TCP CUBIC"))


def _table(results, series):
    averages = [goodput_of_flow(results, series, flow) for flow in range(len(DELAYS))]
    rows = []
    for delay, average in zip(DELAYS, averages, strict=True):
        half = average.half if average.half == average.half else 0.0
        mean = average.value / MBPS
        rows.append((series, delay, mean, max(0.0, mean - half / MBPS), mean + half / MBPS))
    return pd.DataFrame(rows, columns=["series", "delay_ms", "mean", "low", "high"])


def draw(results):
    figure, panels = new_figure(9.0, 4.4, ncols=2, sharey=True)
    tables = []
    for axes, (series, key, title) in zip(panels, PANELS, strict=True):
        table = _table(results, series)
        plot_band(axes, table["delay_ms"], table, key, "simulated", linestyle="none")
        if series == "udt":
            names = ["longest-over-shortest", "ordered-by-delay"]
            stars(axes, results, "goodput", names, label="printed in the note")
        else:
            rows = results.printed("tcp")
            axes.plot(rows["x"], rows["value"], **style("published", "printed in the note"))
        axes.axhline(200, color="black", linewidth=0.8)
        axes.set(title=title, xlabel="delay (ms)", xlim=(-2, 54))
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=2)
        tables.append(table)
    most = max(table["mean"].max() for table in tables)
    panels[0].set(ylabel="goodput (Mb/s)", ylim=(0, max(400.0, 1.1 * most)))
    return figure, pd.concat(tables, ignore_index=True)
