# SPDX-License-Identifier: GPL-2.0-only
"""Throughput over send rate into the slow computer."""

import numpy as np
import pandas as pd

from lfn.figures.published import stars
from lfn.figures.rbudp import MBPS, PACKET, highest_receiver_rate, over_send_rate
from lfn.models import rbudp as model
from lfn.results import MissingDataError
from lfn.style import new_figure, plot_band, style

CURVES = [
    ("fake", "rbudp-fake", "fake RBUDP"),
    ("real", "rbudp", "real RBUDP, livelock host"),
    ("real-constant", "rbudp-second", "real RBUDP, constant host"),
    ("scatter-gather", "rbudp-scatter-gather", "scatter/gather, livelock host"),
    ("real-tcp", "rbudp-tcp-control", "real RBUDP, livelock host, TCP control"),
]
LINES = [
    ("iperf", "iperf", "iperf, livelock host"),
    ("app-perf-constant", "app-perf", "app_perf, constant host"),
]
HOSTS = [
    {"interrupt": 4.01e-6, "service": 14.77e-6, "buffer": 128 * 1024},
    {"interrupt": 0.0, "service": 18.04e-6, "buffer": 8 * 1024 * 1024},
]
"""Costs of the livelock and of the constant host (README), for their fluid law."""


def _with_fine(results, table):
    """The table of fake RBUDP with its rates between the steps, where the preset has them."""
    try:
        fine = over_send_rate(results, "fake-fine")
    except MissingDataError:
        return table
    return pd.concat([table, fine], ignore_index=True).sort_values("send_rate")


def draw(results):
    figure, axes = new_figure(7.0, 6.2)
    tables = []
    first = results.rows("real")
    payload, rtt = first["--bytes"].iloc[0], first["--rtt"].iloc[0]
    rates = np.linspace(80, 920, 200) * MBPS
    best = model.best_bandwidth(payload, rates, rtt)
    axes.plot(rates / MBPS, best / MBPS, **style("model", "B_best, equation (4)"))
    for host in HOSTS:
        law = [model.host_bandwidth(payload, rate, rtt, PACKET, **host) for rate in rates]
        label = "fluid law of either host" if host is HOSTS[0] else "_"
        axes.plot(rates / MBPS, np.array(law) / MBPS, **style("fluid", label))
    for series, key, label in CURVES:
        table = over_send_rate(results, series)
        if series == "fake":
            table = _with_fine(results, table)
        plot_band(axes, table["send_rate"] / MBPS, table / MBPS, key, label=label)
        tables.append(table.assign(series=series))
    for series, key, label in LINES:
        height = highest_receiver_rate(results, series) / MBPS
        axes.axhline(height, **style(key, f"{label}: {height:.0f} Mb/s"))
        tables.append(pd.DataFrame({"series": [series], "mean": [height * MBPS], "runs": [1]}))
    printed = stars(axes, results, "line", ("iperf-line", "app-perf-line", "real-plateau"), 905)
    for value in printed["value"]:
        axes.text(905, value + 14, f"{value:g}", ha="center", va="bottom", fontsize=9)
    axes.set(xlabel="send rate of the payload (Mb/s)", ylabel="throughput (Mb/s)")
    axes.set_title(f"RBUDP, {payload / 1e6:g} MB, RTT {rtt * 1e3:g} ms: bottleneck in the receiver")
    axes.set(xlim=(60, 930), ylim=(0, 950))
    figure.legend(loc="outside lower center", ncols=2)
    return figure, tables
