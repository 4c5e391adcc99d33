# SPDX-License-Identifier: GPL-2.0-only
"""Goodput of UDT and RBUDP at 10 Gb/s over random loss, with RBUDP's exact law."""

import numpy as np
import pandas as pd

from lfn.figures.compare import rbudp_whole
from lfn.figures.udt_control import GBPS
from lfn.results import means
from lfn.style import BLACK, new_figure, plot_band, style

LINK = 10 * GBPS


def draw(results):
    figure, panels = new_figure(9.0, 4.6, ncols=2, sharey=True)
    size = results.table["--bytes"].iloc[0]
    losses = results.table["--lossRate"]
    grid = np.geomspace(losses.min(), losses.max(), 30)
    tables = []
    for axes, rtt in zip(panels, (0.1, 0.4), strict=True):
        for key in ("rbudp", "udt"):
            rows = results.rows(key, rtt=rtt)
            rows = rows.assign(mbps=rows["goodput_bps"] / 1e6)
            table = means(rows, "--lossRate", "mbps")
            plot_band(axes, 100 * table["--lossRate"], table, key)
            tables.append(table.assign(series=key, rtt_s=rtt))
        law = np.array([rbudp_whole(size, LINK, rtt, p) for p in grid]) / 1e6
        axes.plot(100 * grid, law, **style("exact", "RBUDP's exact law", color=BLACK))
        axes.set(xscale="log", yscale="log", ylim=(10, 1e4))
        axes.set(xlabel="packets lost at random (%)", title=f"10 Gb/s, {1e3 * rtt:g} ms")
        ticks = [t for t in (0.01, 0.1, 1) if t >= 99 * losses.min()]
        axes.set_xticks([*ticks, 2], [*(f"{t:g}" for t in ticks), "2"])
        axes.minorticks_off()
    panels[0].set_ylabel("goodput (Mb/s)")
    panels[1].legend(loc="lower left")
    return figure, pd.concat(tables, ignore_index=True)
