# SPDX-License-Identifier: GPL-2.0-only
"""Rate in intervals of 0.1 s and its running average, for two sizes of segments."""

from lfn.figures.atou_paths import MBPS, look, running_average, trace
from lfn.figures.published import note, stars
from lfn.style import new_figure


def draw(results):
    figure, panels = new_figure(11.5, 4.4, ncols=2, sharey=True)
    tables = []
    for axes, (who, name) in zip(
        panels, (("tcp", "ns-3's TCP, Reno"), ("atou", "atou")), strict=True
    ):
        for index, (size, label) in enumerate((("small", "1.5 kB"), ("large", "9 kB"))):
            samples = trace(results, f"{who}-{size}", "send_rate_bps")
            whole = samples["time_s"].iloc[0]
            mean = running_average(samples)
            thick = look(index, f"{label}, average", lines=True)
            bins = f"{label}, each {1e3 * whole:.0f} ms"
            thin = {**look(index, bins, lines=True), "linewidth": 0.8}
            axes.plot(samples["time_s"], samples["value"] / MBPS, **{**thin, "alpha": 0.6})
            axes.plot(samples["time_s"], mean / MBPS, **thick)
            tables.append(samples.assign(series=f"{who}-{size}", average=mean))
            look_ = {"label": f"published, {label}", "marker": "*" if index else "P"}
            names = ("averages", "larger-is-faster")
            rows = stars(axes, results, "average", names, series=size, **look_)
        end = rows.iloc[-1]
        place = {"transform": axes.transData, "ha": "right"}
        note(axes, results, "gain", end["x"], end["value"] + 3, "paper: {}", **place)
        axes.set(title=name, xlabel="time (s)", ylim=(0, 105))
    figure.suptitle("Two losses, 78 ms: segments of 1.5 and of 9 kB, windows of equal bytes")
    panels[0].set_ylabel("sending rate (Mb/s), bins of an RTT")
    panels[1].legend(loc="upper right", ncols=2, fontsize=8)
    return figure, tables
