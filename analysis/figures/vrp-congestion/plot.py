# SPDX-License-Identifier: GPL-2.0-only
"""Goodput and timeout over the number of VRP flows; shares alongside TCP."""

from lfn.figures import three_panels
from lfn.figures.vrp import MBPS, sums
from lfn.results import MissingDataError
from lfn.style import GREY, style


def _flows_axis(axes, flows):
    axes.set_xscale("log", base=2)
    axes.set_xticks(flows, [f"{n:g}" for n in flows])
    axes.minorticks_off()
    axes.set(xlabel="VRP flows", ylim=(0, None))


def draw(results):
    figure, left, middle, right = three_panels()
    alone, alongside = (
        sums(results, series).drop(columns=["point", "run"]).groupby("flows", as_index=False).mean()
        for series in ("vrp", "with-tcp")
    )
    left.axhline(10, **style("bound", "bottleneck"))
    left.plot(alone["flows"], alone["goodput_bps"] / MBPS, **style("vrp", "VRP, all flows"))
    left.set(ylabel="goodput (Mb/s)", title="VRP alone")
    left.legend(loc="lower right")
    middle.plot(alone["flows"], 1e3 * alone["rto_s"], **style("timeout", marker="v"))
    middle.plot(alone["flows"], 1e3 * alone["rtt_s"], **style("rtt", marker="o"))
    middle.set_ylabel("time (ms)")
    second = middle.twinx()
    second.plot(alone["flows"], alone["loss_percent"], **style("loss", "lost, % (right)"))
    second.set_ylim(0, 100)
    second.grid(visible=False)
    lines = middle.get_lines() + second.get_lines()
    middle.legend(handles=lines, loc="upper left", fontsize=8)
    figure.suptitle("Flows of VRP through a bottleneck of 10 Mb/s")
    middle.set_title("VRP alone")
    right.plot(
        alongside["flows"],
        alongside["goodput_bps"] / alongside["flows"] / MBPS,
        **style("vrp", "a VRP flow"),
    )
    right.plot(alongside["flows"], alongside["tcp_bps"] / MBPS, **style("tcp", "the TCP flow"))
    fair = (alongside["tcp_bps"] + alongside["goodput_bps"]) / (alongside["flows"] + 1) / MBPS
    right.plot(alongside["flows"], fair, **style("bound", "fair share"))
    try:
        rows = results.rows("tcp")
        height = rows["goodput_bps"].mean() / MBPS
        right.axhline(height, color=GREY, linestyle=(0, (1, 1)), label="TCP alongside one TCP")
    except MissingDataError:
        pass
    right.set(ylabel="goodput (Mb/s)", title="VRP alongside one TCP flow")
    right.legend(loc="upper right")
    for axes, table in ((left, alone), (middle, alone), (right, alongside)):
        _flows_axis(axes, table["flows"])
    tables = [alone.assign(series="vrp"), alongside.assign(series="with-tcp")]
    return figure, tables
