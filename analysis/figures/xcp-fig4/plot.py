# SPDX-License-Identifier: GPL-2.0-only
"""Three TCP flows among ten XCP flows, with the mechanism and without."""

from lfn.figures.published import band
from lfn.figures.xcp import class_legend, class_panels, draw_classes, on_link

# Claim, column, from and until when, where its words are.
PAPER = [
    ("below-fair-share-20", 0, (60, 80), (42, 0.36)),
    ("small-100", 1, (20, 30), (31, 0.07)),
    ("slow-100", 1, (60, 110), (45, 0.31)),
]


def draw(results):
    figure, axes = class_panels()
    tables = []
    for index, rtt in enumerate((20, 100)):
        tables += draw_classes(axes[:, index], results, f"on-{rtt}", f"none-{rtt}", "tcp")
    for name, index, over, at in PAPER:
        if axes[1][index].get_xlim()[1] > over[0]:
            words = 'paper: TCP "{}"'
            band(axes[1][index], results, name, on_link("tcp"), over, text=words, at=at)
    class_legend(figure)
    return figure, tables
