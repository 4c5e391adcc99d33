# SPDX-License-Identifier: GPL-2.0-only
"""Half of the packets inspected compared with all of them, the same seeds."""

from lfn.figures.published import band
from lfn.figures.xcp import SETTLED, class_legend, draw_classes, on_link, rtt_of, shares
from lfn.results import MissingDataError
from lfn.style import new_figure

# The class that joins, all flows; ten XCP flows are only in the full preset.
KINDS = {3: ("xcp", "3 XCP, 10 TCP"), 4: ("tcp", "10 XCP, 3 TCP")}


def _draw_paper(axes, results, full, who):
    """What is not significantly more or less than where all packets are inspected."""
    try:
        mean = shares(results, full, SETTLED).mean()
    except MissingDataError:
        return
    name = "means" if who == "xcp" else "means-ten-xcp"
    over = (SETTLED, axes.get_xlim()[1])
    words = 'paper: "{}"'
    at = (SETTLED - 20, mean + 0.13)
    band(axes, results, name, lambda d: on_link("xcp")(mean + d), over, text=words, at=at)


def draw(results):
    there = set(results.table["series"])
    pairs = [(f"half{k}-{rtt}", f"full{k}-{rtt}", KINDS[k]) for k in KINDS for rtt in (20, 100)]
    pairs = [pair for pair in pairs if pair[0] in there]
    rows, columns = -(-len(pairs) // 2), min(len(pairs), 2)
    figure, panels = new_figure(
        max(7.0, 4.6 * columns), 3.0 * rows + 0.6, nrows=rows, ncols=columns, squeeze=False
    )
    tables = []
    for axes, (half, full, (who, flows)) in zip(panels.flat, pairs, strict=False):
        tables += draw_classes((None, axes), results, half, full, who, "all inspected")
        axes.set_title(f"{flows}, RTT {rtt_of(half)}")
        _draw_paper(axes, results, full, who)
    for axes in panels.flat[len(pairs) :]:
        axes.set_axis_off()
    figure.suptitle("Half of the packets inspected")
    class_legend(figure)
    return figure, tables
