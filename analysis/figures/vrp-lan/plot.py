# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of VRP and TCP over the LAN's RTT."""

import numpy as np

from lfn.figures.published import HATCHED, tag
from lfn.figures.vrp import FRAME, MBPS, over
from lfn.models import vrp as model
from lfn.style import new_figure, plot_band, style


def draw(results):
    figure, axes = new_figure()
    link = results.rows("vrp")["--linkRate"].iloc[0]
    vrp, tcp = (over(results, series, "rtt") for series in ("vrp", "tcp"))
    rtts = np.linspace(0, 1.1 * vrp["rtt"].max(), 100)
    law = model.blocking_rate(FRAME, link, rtts, framing=model.PPP)
    axes.plot(1e3 * rtts, law / MBPS, **style("bound", "2 RTT + transmission (law)"))
    slower = np.interp(rtts, tcp["rtt"], tcp["mean"]) / MBPS
    claim = results.claims["five-per-cent-slower"]
    low, high = ((1 - edge / 100) * slower for edge in (claim.high, claim.low))
    words = f"our reading: {claim.low:g} to {claim.high:g} % below TCP; printed: {claim.published}"
    area = axes.fill_between(1e3 * rtts, low, high, label=words, **HATCHED)
    tag(area, results, claim.id)
    for table, key in ((tcp, "tcp"), (vrp, "vrp")):
        label = "VRP, frames of 100 kB" if key == "vrp" else None
        plot_band(axes, 1e3 * table["rtt"], table / MBPS, key, label=label)
    axes.set_xlabel("RTT (ms)")
    axes.set(ylabel="throughput (Mb/s)", ylim=(0, 105), title="VRP and TCP on a LAN of 100 Mb/s")
    axes.legend(loc="lower left")
    tables = [vrp.assign(series="vrp"), tcp.assign(series="tcp")]
    return figure, tables
