# SPDX-License-Identifier: GPL-2.0-only
"""Three TCP flows among ten XCP flows, with the mechanism and without."""

import pandas as pd

from lfn.figures.xcp import class_panels, draw_classes


def draw(results):
    """Return {"xcp-fig4": (figure, plotted numbers)}."""
    figure, axes = class_panels()
    tables = []
    for index, rtt in enumerate((20, 100)):
        tables += draw_classes(axes[:, index], results, f"on-{rtt}", f"none-{rtt}", "tcp")
        axes[1][index].legend(loc="best", ncols=2)
    return {"xcp-fig4": (figure, pd.concat(tables, ignore_index=True))}
