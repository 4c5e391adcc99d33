# SPDX-License-Identifier: GPL-2.0-only
"""Half of the packets inspected compared with all of them, the same seeds."""

from lfn.figures.published import band
from lfn.figures.xcp import SETTLED, class_legend, class_panels, draw_classes, on_link, shares
from lfn.results import MissingDataError

# Flows, the class that joins; ten XCP flows are only in the full preset.
KINDS = {3: "xcp", 4: "tcp"}


def _draw_paper(axes, results, full, who):
    """What is not significantly more or less than where all packets are inspected."""
    try:
        mean = shares(results, full, SETTLED).mean()
    except MissingDataError:
        return
    name = "means" if who == "xcp" else "means-ten-xcp"
    over = (SETTLED, axes.get_xlim()[1])
    words = 'paper: "{}" altered'
    at = (SETTLED, mean + 0.1)
    band(axes, results, name, lambda d: on_link("xcp")(mean + d), over, text=words, at=at)


def draw(results):
    there = set(results.table["series"])
    pairs = [(f"half{k}-{rtt}", f"full{k}-{rtt}", KINDS[k]) for k in KINDS for rtt in (20, 100)]
    pairs = [pair for pair in pairs if pair[0] in there]
    figure, axes = class_panels(columns=len(pairs))
    tables = []
    for column, (half, full, who) in zip(axes.T, pairs, strict=True):
        tables += draw_classes(column, results, half, full, who, "all inspected")
        _draw_paper(column[1], results, full, who)
    class_legend(figure)
    return figure, tables
