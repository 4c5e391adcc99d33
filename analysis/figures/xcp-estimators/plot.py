# SPDX-License-Identifier: GPL-2.0-only
"""Estimates and true numbers of flows over time, for XCP, TCP, and TCP of unequal rates.

All lines are those of the first run: means over runs would hide how much an estimate wavers.
"""

import numpy as np
import pandas as pd

from lfn.figures.xcp_beyond import alive, effective, metric, samples, spans
from lfn.models import xcp as model
from lfn.results import MissingDataError
from lfn.style import BLACK, BLUE, GREEN, GREY, ORANGE, new_figure

ESTIMATORS = [("sred", ORANGE, "-"), ("bloom", BLUE, (0, (4, 1))), ("exact", GREEN, (0, (1, 1)))]
NAMES = {"sred": "SRED's table", "bloom": "Bloom filter", "exact": "exact set"}
LAW = {"color": BLACK, "linestyle": (0, (5, 3)), "linewidth": 1, "label": "SRED's law"}
WITHIN_90 = 1.645
"""Standard deviations to either side that hold 90 % of a normal distribution."""


def _first_run(results, series, estimator="sred"):
    table = samples(results, series, estimator=estimator)
    return table[table["run"] == 1]


def _lines(axes, results, series, name, flows):
    """Draw the estimates and the true number; returns the tables, times and numbers."""
    top = len(flows)
    tables = []
    for estimator, colour, line in ESTIMATORS:
        run = _first_run(results, series, estimator)
        times, values = metric(run, f"{name}_estimated")
        shown = np.minimum(values, 2 * top)
        axes.plot(times, shown, color=colour, linestyle=line, lw=1.3, label=NAMES[estimator])
        table = pd.DataFrame({"time_s": times, "value": values})
        tables.append(table.assign(series=series, metric=name, estimator=estimator))
    number = alive(times, spans(_first_run(results, series), flows))
    axes.step(times, number, where="post", color=BLACK, lw=1, label="flows that deliver")
    axes.set(ylim=(0, 1.25 * top), xlabel="time (s)")
    return tables, times, number


def _law(axes, run):
    """SRED's average by its law, with the packets that XCP's flows sent, and how it wavers."""
    times, rates = metric(run, "xcp_rate_bps")
    sent = np.cumsum(rates) * (times[1] - times[0]) / 8000
    found = spans(run, range(3, 10)).values()
    begun, ended = max(first for first, _ in found), max(last for _, last in found)
    for begin, end, before, after in ((begun, ended, 3, 10), (ended, times[-1], 10, 3)):
        chosen = (times >= begin) & (times <= end)
        packets = np.maximum(0, sent[chosen] - sent[times <= begin][-1]).astype(int)
        law = 1 / np.array([float(model.sred_step(before, after, int(n))) for n in packets])
        axes.plot(times[chosen], law, **LAW)
    for begin, end, flows in ((times[0], begun, 3), (begun, ended, 10), (ended, times[-1], 3)):
        mean, deviation = model.sred_moments(flows)
        edges = mean + WITHIN_90 * deviation * np.array([-1, 1])
        look = {"color": GREY, "alpha": 0.25, "lw": 0, "label": "its 90 % range"}
        axes.fill_between((begin, end), *edges, **look)


def draw(results):
    figure, (left, middle, right) = new_figure(10.6, 4.8, ncols=3)
    tables, _, _ = _lines(left, results, "steps", "xcp_flows", range(10))
    _law(left, _first_run(results, "steps"))
    more, times, number = _lines(middle, results, "steps", "tcp_flows", range(10, 18))
    tables += more
    varied = model.varied_count(np.maximum(number, 1), model.reno_variation())
    middle.step(times, varied, where="post", **LAW)
    try:
        more, _, _ = _lines(right, results, "unequal", "tcp_flows", range(2, 6))
        wanted = effective(_first_run(results, "unequal"), range(2, 6), 15, 45)
        tables += more
        right.axhline(wanted, **LAW)
    except MissingDataError:
        right.set_axis_off()
    left.set_title("XCP flows\nlaw: moving average,\nequal rates")
    middle.set_title("TCP flows\nlaw: independent\nsaw-teeth")
    right.set_title("TCP flows of 10, 20,\n40 and 80 ms\nlaw: effective number")
    left.set_ylabel("flows")
    handles, labels = left.get_legend_handles_labels()
    shown = dict(zip(labels, handles, strict=True))
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=3)
    return figure, tables
