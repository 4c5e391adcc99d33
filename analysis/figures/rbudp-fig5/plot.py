# SPDX-License-Identifier: GPL-2.0-only
"""Throughput over send rate into the slow computer."""

import numpy as np
import pandas as pd

from lfn.models import rbudp as model
from lfn.rbudp import MBPS, highest_receiver_rate, over_send_rate
from lfn.style import new_figure, plot_band, style

CURVES = [
    ("fake", "rbudp-fake", "fake RBUDP"),
    ("real", "rbudp", "real RBUDP, livelock host"),
    ("real-constant", "rbudp-second", "real RBUDP, constant host"),
    ("scatter-gather", "rbudp-scatter-gather", "scatter/gather, livelock host"),
    ("real-tcp", "rbudp-tcp-control", "real RBUDP, livelock host, TCP control"),
]
LINES = [("iperf", "iperf", "iperf"), ("app-perf-constant", "app-perf", "app_perf, constant host")]


def draw(results):
    """Return {"rbudp-fig5": (figure, plotted numbers)}."""
    figure, axes = new_figure(7.6, 5.4)
    tables = []
    first = results.rows("real")
    payload, rtt = first["--bytes"].iloc[0], first["--rtt"].iloc[0]
    rates = np.linspace(80, 920, 200) * MBPS
    best = model.best_bandwidth(payload, rates, rtt)
    axes.plot(rates / MBPS, best / MBPS, **style("model", "B_best, equation (4)"))
    for series, key, label in CURVES:
        table = over_send_rate(results, series)
        plot_band(axes, table["send_rate"] / MBPS, table / MBPS, key, label=label)
        tables.append(table.assign(series=series))
    for series, key, label in LINES:
        height = highest_receiver_rate(results, series) / MBPS
        axes.axhline(height, **style(key, f"{label}: {height:.0f} Mb/s"))
        tables.append(pd.DataFrame({"series": [series], "mean": [height * MBPS], "runs": [1]}))
    printed = results.printed("line")
    axes.plot([905] * len(printed), printed["value"], clip_on=False, **style("published"))
    axes.set_xlabel("send rate of the payload (Mb/s)")
    axes.set_ylabel("throughput (Mb/s)")
    axes.set_title(f"RBUDP, {payload / 1e6:g} MB, RTT {rtt * 1e3:g} ms: bottleneck in the receiver")
    axes.set_xlim(60, 930)
    axes.set_ylim(0, 950)
    axes.legend(loc="lower right")
    return {"rbudp-fig5": (figure, pd.concat(tables, ignore_index=True))}
