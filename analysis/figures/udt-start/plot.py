# SPDX-License-Identifier: GPL-2.0-only
"""Sending rates over time: from nothing, and after one loss with the rules' rate."""

import numpy as np
import pandas as pd

from lfn.figures.compare import legend_below
from lfn.figures.published import level
from lfn.figures.udt_control import LOSS_SERIES, curve, look, one_loss_of, rise
from lfn.models import udt as model
from lfn.style import new_figure, style


def _share(values, link):
    return values / model.user_rate(model.capacity(link))


def _rise(results):
    figure, axes = new_figure(7.2, 4.4)
    tables = []
    for index, link in enumerate(sorted(results.rows("rise")["--linkRate"].unique())):
        times, values = rise(results, link)
        share = _share(values, link)
        axes.plot(times, share, **look(index, f"{link / 1e6:g} Mb/s", lines=True))
        tables.append(pd.DataFrame({"link_bps": link, "time_s": times, "share": share}))
    axes.axhline(0.9, color="black", linewidth=0.8)
    axes.text(0.1, 0.91, "nine tenths", fontsize=8, va="bottom")
    level(axes, results, "rises-in-750-syn", along="x", label="talk: 750 SYN = 7.5 s")
    most = max(1.0, *(table["share"].max() for table in tables))
    axes.set(xlim=(0, None), ylim=(0, 1.05 * most), xlabel="time (s)")
    axes.set(ylabel="sending rate (parts of the link)", title="No loss, slow start ends at once")
    legend_below(axes)
    return figure, pd.concat(tables, ignore_index=True)


def _one_loss(results):
    figure, axes = new_figure(7.2, 4.4)
    tables = []
    for index, (series, link) in enumerate(LOSS_SERIES.items()):
        if series not in set(results.table["series"]):
            continue
        times, values = curve(results, series, "send_rate_bps")
        loss = one_loss_of(*curve(results, series, "period_us"))
        since, share = times - loss.time, _share(values, link)
        seen = since > -1
        looks = look(index, f"{link / 1e6:g} Mb/s", lines=True)
        axes.plot(since[seen], share[seen], **looks)
        packets = model.capacity(link)
        rate, law = 1e6 / model.decreased(loss.before), []
        grid = np.arange(0.0, since[-1], model.SYN)
        for _ in grid:
            law.append(rate / packets)
            capped = 1e6 / rate > loss.before
            rate += model.SYN * model.growth(rate, packets, capped=capped)
        label = "rules of the control" if index == 0 else "_"
        axes.plot(grid, law, **style("bound", label, linewidth=1.0))
        tables.append(pd.DataFrame({"series": series, "time_s": since, "share": share}))
    axes.set(xlabel="time since the NAK (s)", ylabel="sending rate (parts of the link)")
    axes.set(xlim=(-1, None), title="One packet lost, RTT 20 ms")
    legend_below(axes)
    return figure, pd.concat(tables, ignore_index=True)


def draw(results):
    return {"udt-start": _rise(results), "udt-one-loss": _one_loss(results)}
