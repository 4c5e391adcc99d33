# SPDX-License-Identifier: GPL-2.0-only
"""Estimates and true numbers of flows over time, for XCP, TCP, and TCP of unequal rates."""

import numpy as np
import pandas as pd

from lfn.models import xcp as model
from lfn.results import MissingDataError
from lfn.style import BLACK, BLUE, GREEN, ORANGE, new_figure
from lfn.xcp_beyond import effective, metric

ESTIMATORS = [("sred", ORANGE, "-"), ("bloom", BLUE, (0, (4, 1))), ("exact", GREEN, (0, (1, 1)))]
NAMES = {"sred": "SRED's table", "bloom": "Bloom filter", "exact": "exact set"}


def _lines(axes, results, series, name, top):
    tables = []
    for estimator, colour, line in ESTIMATORS:
        times, values = metric(results, series, f"{name}_estimated", estimator=estimator)
        shown = np.minimum(values, 2 * top)
        axes.plot(times, shown, color=colour, linestyle=line, lw=1.3, label=NAMES[estimator])
        table = pd.DataFrame({"time_s": times, "value": values})
        tables.append(table.assign(series=series, metric=name, estimator=estimator))
    times, values = metric(results, series, f"{name}_exact", estimator="sred")
    axes.step(times, values, where="post", color=BLACK, lw=1, label="running")
    axes.set_ylim(0, 1.35 * top)
    axes.set_xlabel("time (s)")
    return tables


def _law(axes, results):
    """SRED's average by its law, with the packets that XCP's flows sent."""
    times, rates = metric(results, "steps", "xcp_rate_bps", estimator="sred")
    sent = np.cumsum(rates) * (times[1] - times[0]) / 8000
    for begin, end, before, after in ((12, 24, 3, 10), (24, times[-1], 10, 3)):
        chosen = (times > begin) & (times <= end)
        if chosen.any():
            packets = np.maximum(0, sent[chosen] - sent[times <= begin][-1]).astype(int)
            law = 1 / np.array([model.sred_step(before, after, int(n)) for n in packets])
            label = "law of SRED's table" if begin == 12 else None
            axes.plot(times[chosen], law, color=BLACK, ls=(0, (5, 3)), lw=1, label=label)


def draw(results):
    """Return {"xcp-estimators": (figure, plotted numbers)}."""
    figure, (left, middle, right) = new_figure(13.5, 4.8, ncols=3)
    tables = _lines(left, results, "steps", "xcp_flows", 10)
    tables += _lines(middle, results, "steps", "tcp_flows", 8)
    _law(left, results)
    try:
        tables += _lines(right, results, "unequal", "tcp_flows", 4)
        wanted = effective(results, "unequal", range(2, 6), 15, 45, estimator="sred")
        right.axhline(wanted, color=BLACK, ls=(0, (5, 3)), lw=1, label="effective number")
        right.legend(loc="lower right")
    except MissingDataError:
        pass
    left.set_title("XCP flows")
    middle.set_title("TCP flows")
    right.set_title("TCP flows of 10, 20, 40 and 80 ms")
    left.set_ylabel("flows")
    left.legend(loc="upper right", fontsize=8)
    return {"xcp-estimators": (figure, pd.concat(tables, ignore_index=True))}
