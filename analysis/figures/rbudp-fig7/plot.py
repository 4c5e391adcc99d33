# SPDX-License-Identifier: GPL-2.0-only
"""Throughput and number of retransmissions over the payload."""

import numpy as np
import pandas as pd

from lfn.figures.published import band, level
from lfn.figures.rbudp import MB, MBPS, PACKET, over_payload
from lfn.models import rbudp as model
from lfn.results import means
from lfn.style import new_figure, plot_band, style

CURVES = [
    ("lossless", "rbudp", "611 Mb/s, no loss"),
    ("lossless-tcp", "rbudp-tcp-control", "611 Mb/s, no loss, TCP control"),
    ("host", "rbudp-host-loss", "682 Mb/s into the livelock host"),
    ("lossy", "rbudp-lossy", "682 Mb/s, 12 % independent loss"),
]
LOSS = 0.12
RATE = 611 * MBPS
LOSSY_RATE = 682 * MBPS


def _payload_axis(axes, payloads):
    ticks = [value for value in (1, 2, 5, 10, 20, 50, 100, 200, 450) if value * MB <= max(payloads)]
    axes.set_xscale("log")
    axes.set_xticks(ticks, [str(value) for value in ticks])
    axes.minorticks_off()
    axes.set_xlabel("payload (MB)")


def _throughput(results, rtt):
    figure, axes = new_figure(7.0, 5.2)
    tables = []
    payloads = results.rows("lossless")["--bytes"]
    sizes = np.geomspace(payloads.min(), payloads.max(), 300)
    best = model.best_bandwidth(sizes, RATE, rtt)
    lossy = [model.bandwidth_with_loss(size, LOSSY_RATE, rtt, LOSS) for size in sizes]
    exact = [model.exact_bandwidth(size, LOSSY_RATE, rtt, LOSS, PACKET) for size in sizes]
    axes.plot(sizes / MB, best / MBPS, **style("model", "equation (3), no loss"))
    look = style("second-model", "equations (3), (6), (7), 12 % loss")
    axes.plot(sizes / MB, np.array(lossy) / MBPS, **look)
    axes.plot(sizes / MB, np.array(exact) / MBPS, **style("exact", "exact law, 12 % loss"))
    for series, key, label in CURVES:
        table = over_payload(results, series)
        line = style(key)["linestyle"] if series == "host" else "none"
        plot_band(axes, table["--bytes"] / MB, table / MBPS, key, label=label, linestyle=line)
        tables.append(table.assign(series=series))
    _payload_axis(axes, payloads)
    axes.set_ylabel("throughput (Mb/s)")
    axes.set(ylim=(0, 760), title=f"RBUDP throughput over payload, RTT {rtt * 1e3:g} ms")
    label = "paper: 90 % of 600 Mb/s from 67.5 MB on"
    level(axes, results, "sixty-seven-equation", along="x", label=label)
    band(axes, results, "sixty-seven", along="x")
    axes.legend(loc="upper left")
    return figure, pd.concat(tables, ignore_index=True)


def _resends(results):
    figure, axes = new_figure(7.0, 4.2)
    tables = []
    payloads = results.rows("lossless")["--bytes"]
    sizes = np.geomspace(payloads.min(), payloads.max(), 300)
    equation = [model.resends(size, LOSS) for size in sizes]
    exact = [model.expected_resends(LOSS, model.packets(size, PACKET)) for size in sizes]
    axes.plot(sizes / MB, equation, **style("second-model", "equation (6)"))
    axes.plot(sizes / MB, exact, **style("exact", "exact law"))
    for series, key, label in CURVES[2:]:
        rows = results.rows(series)
        table = means(rows.assign(resends=rows["blasts"] - 1.0), "--bytes", "resends")
        plot_band(axes, table["--bytes"] / MB, table, key, label=label)
        tables.append(table.assign(series=series))
    _payload_axis(axes, payloads)
    axes.set(ylabel="retransmission rounds", ylim=(0, 7))
    axes.set_title("Retransmissions until the bitmap is full, 12 % loss of the first blast")
    axes.legend(loc="lower right")
    return figure, pd.concat(tables, ignore_index=True)


def draw(results):
    """Return both plots: {name: (figure, plotted numbers)}."""
    rtt = float(results.rows("lossless")["--rtt"].iloc[0])
    return {"rbudp-fig7": _throughput(results, rtt), "rbudp-fig7-resends": _resends(results)}
