# SPDX-License-Identifier: GPL-2.0-only
"""Estimates and true numbers of flows over time, for XCP, TCP, and TCP of unequal rates."""

import numpy as np
import pandas as pd

from lfn.models import xcp as model
from lfn.results import MissingDataError
from lfn.style import BLACK, BLUE, GREEN, ORANGE, new_figure
from lfn.xcp_beyond import alive, effective, metric, spans

ESTIMATORS = [("sred", ORANGE, "-"), ("bloom", BLUE, (0, (4, 1))), ("exact", GREEN, (0, (1, 1)))]
NAMES = {"sred": "SRED's table", "bloom": "Bloom filter", "exact": "exact set"}


def _lines(axes, results, series, name, flows):
    top = len(flows)
    tables = []
    for estimator, colour, line in ESTIMATORS:
        times, values = metric(results, series, f"{name}_estimated", estimator=estimator)
        shown = np.minimum(values, 2 * top)
        axes.plot(times, shown, color=colour, linestyle=line, lw=1.3, label=NAMES[estimator])
        table = pd.DataFrame({"time_s": times, "value": values})
        tables.append(table.assign(series=series, metric=name, estimator=estimator))
    number = alive(times, spans(results, series, flows, estimator="sred"))
    axes.step(times, number, where="post", color=BLACK, lw=1, label="deliver")
    axes.set_ylim(0, 1.35 * top)
    axes.set_xlabel("time (s)")
    return tables


def _law(axes, results):
    """SRED's average by its law, with the packets that XCP's flows sent."""
    times, rates = metric(results, "steps", "xcp_rate_bps", estimator="sred")
    sent = np.cumsum(rates) * (times[1] - times[0]) / 8000
    found = spans(results, "steps", range(3, 10), estimator="sred").values()
    begun, ended = max(first for first, _ in found), max(last for _, last in found)
    for begin, end, before, after in ((begun, ended, 3, 10), (ended, times[-1], 10, 3)):
        chosen = (times >= begin) & (times <= end)
        packets = np.maximum(0, sent[chosen] - sent[times <= begin][-1]).astype(int)
        law = 1 / np.array([float(model.sred_step(before, after, int(n))) for n in packets])
        label = "law of SRED's table" if after == 10 else None
        axes.plot(times[chosen], law, color=BLACK, ls=(0, (5, 3)), lw=1, label=label)


def draw(results):
    """Return {"xcp-estimators": (figure, plotted numbers)}."""
    figure, (left, middle, right) = new_figure(13.5, 4.8, ncols=3)
    tables = _lines(left, results, "steps", "xcp_flows", range(10))
    tables += _lines(middle, results, "steps", "tcp_flows", range(10, 18))
    _law(left, results)
    try:
        tables += _lines(right, results, "unequal", "tcp_flows", range(2, 6))
        wanted = effective(results, "unequal", range(2, 6), 15, 45, estimator="sred")
        right.axhline(wanted, color=BLACK, ls=(0, (5, 3)), lw=1, label="effective number")
        right.legend(loc="lower right")
    except MissingDataError:
        pass
    left.set_title("XCP flows")
    middle.set_title("TCP flows")
    right.set_title("TCP flows of 10, 20, 40 and 80 ms")
    left.set_ylabel("flows")
    left.legend(loc="lower center", fontsize=8)
    return {"xcp-estimators": (figure, pd.concat(tables, ignore_index=True))}
