# SPDX-License-Identifier: GPL-2.0-only
"""Block time over send rate, and the blocks that wait over time."""

import numpy as np

from lfn.figures.published import level, stars
from lfn.figures.rbudp import MBPS
from lfn.models import rbudp as model
from lfn.results import means
from lfn.style import GREY, look, new_figure, plot_band, style


def _block_time(axes, results):
    rows = results.rows("stream")
    table = means(rows, "--sendRate", "mean_block_time_s")
    first = rows.iloc[0]
    rates = np.linspace(rows["--sendRate"].min() - 5e6, rows["--sendRate"].max() + 5e6, 100)
    law = model.block_time(
        first["--objectSize"], first["--objectRate"], first["--maxDelay"], rates, first["--rtt"]
    )
    axes.plot(rates / MBPS, 1e3 * law, **style("model", "equation (11)"))
    axes.axhline(1e3 * first["--maxDelay"], color=GREY, linestyle=(0, (6, 2)), label="period D")
    level(axes, results, "extra-delay", 0, lambda s: 1e3 * s, label="paper: 0.5 s of delay")
    plot_band(
        axes, table["--sendRate"] / MBPS, table * 1e3, "rbudp", label="simulated", linestyle="none"
    )
    names = ("equation-11", "least-rate")
    stars(axes, results, "least-rate", names, check="x", label="printed: 288 Mb/s")
    axes.set(xlabel="send rate (Mb/s)", ylabel="time to deliver a block (ms)")
    axes.legend(loc="upper right")
    return table.assign(part="block time")


def _backlog(axes, results):
    series = results.samples("stream", "backlog_blocks")
    rates = results.rows("stream").set_index("point")["--sendRate"]
    series = series.assign(send_rate=series["point"].map(rates) / MBPS)
    shown = [rate for rate in (270, 280, 284, 288, 300) if rate in set(series["send_rate"])]
    for number, rate in enumerate(shown):
        part = series[series["send_rate"] == rate]
        line = look(number, marker=None, drawstyle="steps-post")
        axes.plot(part["time_s"], part["value"], label=f"{rate:g} Mb/s", **line)
    axes.set(xlabel="time (s)", ylabel="full blocks that wait\nor are on their way", ylim=(0, None))
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(loc="upper left", title="send rate")
    return series.assign(part="backlog")


def draw(results):
    figure, (left, right) = new_figure(9.2, 4.4, ncols=2)
    tables = [_block_time(left, results), _backlog(right, results)]
    figure.suptitle("20 objects/s of 1.44 MB in blocks of 0.5 s, RTT 100 ms")
    return figure, tables
