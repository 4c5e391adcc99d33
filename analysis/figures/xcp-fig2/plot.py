# SPDX-License-Identifier: GPL-2.0-only
"""One XCP and two TCP flows with the mechanism, and its drop probability."""

import pandas as pd

from lfn.xcp import class_panels, draw_classes, draw_probability


def draw(results):
    """Return {"xcp-fig2": (figure, plotted numbers)}."""
    figure, axes = class_panels(3)
    tables = []
    for index, rtt in enumerate((20, 100)):
        column = axes[:, index]
        tables += draw_classes(column, results, f"on-{rtt}", f"none-{rtt}")
        tables.append(draw_probability(column[2], results, f"on-{rtt}"))
        column[1].legend(loc="best", ncols=2)
        column[2].legend(loc="lower right", ncols=2)
    return {"xcp-fig2": (figure, pd.concat(tables, ignore_index=True))}
