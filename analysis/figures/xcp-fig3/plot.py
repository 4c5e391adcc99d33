# SPDX-License-Identifier: GPL-2.0-only
"""Three XCP flows among ten TCP flows, with the mechanism and without."""

from lfn.figures.published import band
from lfn.figures.xcp import SETTLED, class_legend, class_panels, draw_classes, on_link
from lfn.models.xcp import fair_share

TCP_FLOWS = 10


def draw(results):
    figure, axes = class_panels()
    tables = []
    for index, rtt in enumerate((20, 100)):
        tables += draw_classes(axes[:, index], results, f"on-{rtt}", f"none-{rtt}")
    near, far = axes[1]
    end = near.get_xlim()[1]
    link = on_link("xcp")
    for begin, until, flows in ((20, 30, 1), (30, 50, 2), (50, end, 3)):
        if begin >= end:
            break
        fair = float(fair_share(flows, TCP_FLOWS))
        words = 'paper: "{}"' if flows == 1 else ""
        over = (begin, until)
        at = (begin, 0.55)
        band(
            near,
            results,
            "fair-share-20",
            lambda d, fair=fair: link(fair + d),
            over,
            text=words,
            at=at,
        )
    over = (SETTLED, max(SETTLED, end))
    band(near, results, "mean-20", link, over, text="equation (2): 3/13", at=(SETTLED, 0.36))
    words = 'paper: XCP "{}"'
    band(far, results, "more-than-needed-100", link, over, text=words, at=(SETTLED, 0.47))
    class_legend(figure)
    return figure, tables
