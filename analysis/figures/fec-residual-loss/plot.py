# SPDX-License-Identifier: GPL-2.0-only
"""Residual loss over the network's loss for three block sizes, and the law."""

import numpy as np

from lfn.figures.published import tag
from lfn.models import quanta as model
from lfn.results import MissingDataError, means
from lfn.style import new_figure, plot_band, style

SERIES = [(1, "fec-1"), (2, "fec-2"), (3, "fec-3")]


BURSTS = {("bursts", 2): "fec-2-bursts", ("bursts", 3): "fec-3-bursts"}
"""What is drawn of losses in bursts; those that were fitted lie on what is printed."""


def _bursts(axes, results):
    """Draw losses in bursts and return the tables of both series, none where there are none."""
    tables = []
    for series in ("bursts", "fitted"):
        try:
            rows = results.rows(series)
        except MissingDataError:
            continue
        rows = rows.assign(residual=rows["lost_bytes"] / rows["offered_bytes"])
        for block in (1, 2, 3):
            part = rows[rows["--transport"] == f"fec-udp[BlockPackets={block}]"]
            if part.empty:
                continue
            table = means(part, "--lossRate", "residual").rename(columns={"--lossRate": "loss"})
            burst = part.groupby("--lossRate")["--lossBurst"].first()
            table["burst"] = table["loss"].map(burst)
            table["law"] = [
                model.residual_loss_bursts(p, block, b)
                for p, b in zip(table["loss"], table["burst"], strict=True)
            ]
            if (series, block) in BURSTS:
                percent = 100 * table[["mean", "low", "high"]]
                plot_band(axes, 100 * table["loss"], percent, BURSTS[series, block])
            tables.append(table.assign(series=f"{series}, k = {block}"))
    return tables


def draw(results):
    figure, axes = new_figure(7.4, 5.0)
    tables = []
    grid = np.geomspace(0.004, 0.35, 60)
    axes.plot(100 * grid, 100 * grid, **style("bound", "nothing made good"))
    for block, key in SERIES:
        rows = results.rows(f"k-{block}")
        rows = rows.assign(residual=rows["lost_bytes"] / rows["offered_bytes"])
        table = means(rows, "--lossRate", "residual").rename(columns={"--lossRate": "loss"})
        table["law"] = model.residual_loss(table["loss"], block)
        label = "exact law" if block == 1 else "_"
        law = 100 * model.residual_loss(grid, block)
        axes.plot(100 * grid, law, **style("exact", label))
        percent = 100 * table[["mean", "low", "high"]]
        plot_band(axes, 100 * table["loss"], percent, key, linestyle="none")
        tables.append(table.assign(series=f"k-{block}"))
    tables.extend(_bursts(axes, results))
    printed = results.printed("residual")
    marks = axes.plot(printed["x"], printed["value"], **style("published", "reported, k unknown"))
    tag(marks[0], results, "light-loss", "heavy-loss")
    axes.set_xscale("log")
    axes.set(yscale="log", ylim=(1e-3, 50), xlabel="datagrams lost in the network (%)")
    axes.set(ylabel="residual loss (%)", title="FEC over UDP: one parity datagram a block of k")
    axes.legend(loc="upper left")
    return figure, tables
