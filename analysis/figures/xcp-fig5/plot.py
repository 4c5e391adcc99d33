# SPDX-License-Identifier: GPL-2.0-only
"""Half of the packets inspected beside all of them, the same seeds."""

import pandas as pd

from lfn.figures.xcp import class_panels, draw_classes

# Flows, the class that joins; ten XCP flows are only in the full preset.
KINDS = {3: "xcp", 4: "tcp"}


def draw(results):
    """Return {"xcp-fig5": (figure, plotted numbers)}."""
    there = set(results.table["series"])
    pairs = [(f"half{k}-{rtt}", f"full{k}-{rtt}", KINDS[k]) for k in KINDS for rtt in (20, 100)]
    pairs = [pair for pair in pairs if pair[0] in there]
    figure, axes = class_panels(columns=len(pairs))
    tables = []
    for column, (half, full, who) in zip(axes.T, pairs, strict=True):
        tables += draw_classes(column, results, half, full, who, "all inspected")
        column[1].legend(loc="best", ncols=2)
    return {"xcp-fig5": (figure, pd.concat(tables, ignore_index=True))}
