# SPDX-License-Identifier: GPL-2.0-only
"""Rates and windows of two recoveries from one loss."""

import pandas as pd

from lfn.figures.atou import MSS, draw_rates, samples, star
from lfn.style import new_figure, style

SERIES = (
    ("standard", "atou-standard", "standard: half, + 1 a round trip"),
    ("aggressive", "atou-tuned", "aggressive: 0.9, + 10 a round trip"),
)


def draw(results):
    """Return {"atou-fig3a": (figure, plotted numbers)}."""
    figure, (left, right) = new_figure(11.0, 4.4, ncols=2)
    tables = []
    for series, key, name in SERIES:
        tables.append(draw_rates(left, results, series, style(key), name.split(":")[0]))
        window = samples(results, series, "cwnd_bytes")
        right.plot(window["time_s"], window["value"] / MSS, **style(key, name, marker=None))
        tables.append(window.assign(series=f"{series}, cwnd_bytes"))
    star(left, results.printed("average"), style("published", "read from the report's figure"))
    left.legend(loc="lower right")
    right.set_xlabel("time (s)")
    right.set_ylabel("cwnd (segments)")
    right.set_ylim(bottom=0)
    right.legend(loc="lower right")
    figure.suptitle("One loss, 80 ms, window 2000, 193 Mb/s of datagrams")
    return {"atou-fig3a": (figure, pd.concat(tables, ignore_index=True))}
