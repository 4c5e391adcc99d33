# SPDX-License-Identifier: GPL-2.0-only
"""XCP and TCP in one queue: goodput and shares in 10 s bins."""

from lfn.figures.published import band
from lfn.figures.xcp import (
    BIN,
    class_legend,
    class_panels,
    classes,
    draw_classes,
    on_link,
    over_bins,
)
from lfn.results import MissingDataError
from lfn.style import plot_band

# Only in the full preset: series, column, look, label.
MORE = [
    ("sack-20", 0, "control", "XCP, TCP with SACK"),
    ("bdp2-100", 1, "control-tcp", "XCP, buffer of 2 BDP"),
]


def draw(results):
    figure, axes = class_panels()
    tables = []
    for index, series in enumerate(("none-20", "none-100")):
        tables += draw_classes(axes[:, index], results, series)
    for series, index, look, label in MORE:
        try:
            table = over_bins(classes(results, series), "xcp_link")
        except MissingDataError:
            continue
        plot_band(axes[1][index], table["start"] + BIN / 2, table, look, label)
        tables.append(table.assign(series=series, quantity="xcp_link"))
        if series == "bdp2-100":
            band(axes[1][index], results, "two-bdp", on_link("xcp"), (100, 120))
    for panel, name, begin in zip(axes[1], ("starves-20", "starves-100"), (20, 90), strict=True):
        end = max(panel.get_xlim()[1], begin)
        words = 'paper:\n"{}"'
        band(panel, results, name, on_link("xcp"), (begin, end), text=words, at=(27, 0.5))
    class_legend(figure)
    return figure, tables
