# SPDX-License-Identifier: GPL-2.0-only
"""XCP and TCP in one queue: goodput and shares in 10 s bins."""

import pandas as pd

from lfn.figures.xcp import BIN, class_panels, classes, draw_classes, over_bins
from lfn.results import MissingDataError
from lfn.style import plot_band

# Only in the full preset: series, column, label.
MORE = [("sack-20", 0, "XCP, TCP with SACK"), ("bdp2-100", 1, "XCP, buffer of 2 BDP")]


def draw(results):
    """Return {"xcp-fig1": (figure, plotted numbers)}."""
    figure, axes = class_panels()
    tables = []
    for index, series in enumerate(("none-20", "none-100")):
        tables += draw_classes(axes[:, index], results, series)
    for series, index, label in MORE:
        try:
            table = over_bins(classes(results, series), "xcp_link")
        except MissingDataError:
            continue
        plot_band(axes[1][index], table["start"] + BIN / 2, table, "control", label)
        tables.append(table.assign(series=series, quantity="xcp_link"))
    for panel in axes[1]:
        panel.legend(loc="best", ncols=2)
    return {"xcp-fig1": (figure, pd.concat(tables, ignore_index=True))}
