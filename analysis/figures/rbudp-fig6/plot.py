# SPDX-License-Identifier: GPL-2.0-only
"""Throughput over send rate out of the slow computer."""

import numpy as np
import pandas as pd

from lfn.figures.published import printed, tag
from lfn.figures.rbudp import MBPS, highest_receiver_rate, over_send_rate
from lfn.models import rbudp as model
from lfn.style import new_figure, plot_band, style


def draw(results):
    figure, axes = new_figure(7.0, 5.6)
    first = results.rows("real")
    payload, rtt = first["--bytes"].iloc[0], first["--rtt"].iloc[0]
    limit = printed(results, "sending-limit")
    rates = np.linspace(80, 920, 200) * MBPS
    best = model.best_bandwidth(payload, np.minimum(rates, limit * MBPS), rtt)
    label = f"B_best, equation (4), at most {limit:.0f} Mb/s sent"
    axes.plot(rates / MBPS, best / MBPS, **style("model", label))
    tables = []
    for series, key in (("real", "rbudp"), ("fake", "rbudp-fake")):
        table = over_send_rate(results, series)
        label = {"real": "real RBUDP", "fake": "fake RBUDP"}[series]
        # The two lie upon each other: large open triangles around the circles.
        changes = (
            {"linestyle": "none", "markersize": 11, "markerfacecolor": "none"}
            if series == "fake"
            else {}
        )
        plot_band(axes, table["send_rate"] / MBPS, table / MBPS, key, label=label, **changes)
        tables.append(table.assign(series=series))
    for series, key, label in (("iperf", "iperf", "iperf"), ("app-perf", "app-perf", "app_perf")):
        height = highest_receiver_rate(results, series) / MBPS
        axes.axhline(height, **style(key, f"{label}: {height:.0f} Mb/s"))
        tables.append(pd.DataFrame({"series": [series], "mean": [height * MBPS], "runs": [1]}))
    star = axes.plot([limit], [limit], **style("published", f"printed limit: {limit:.0f} Mb/s"))[0]
    tag(star, results, "sending-limit")
    axes.set(xlabel="send rate of the payload asked for (Mb/s)", ylabel="throughput (Mb/s)")
    axes.set_title(f"RBUDP, {payload / 1e6:g} MB, RTT {rtt * 1e3:g} ms: bottleneck in the sender")
    axes.set(xlim=(60, 930), ylim=(0, 850))
    figure.legend(loc="outside lower center", ncols=2)
    return figure, tables
