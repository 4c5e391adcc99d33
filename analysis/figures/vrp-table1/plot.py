# SPDX-License-Identifier: GPL-2.0-only
"""Rates of VRP and TCP on the paths of Table 1, and the residual loss."""

import numpy as np

from lfn.figures.published import band, level, note, tag
from lfn.figures.vrp import FRAME, MBPS, over_paths, table1_paths
from lfn.models import vrp as model
from lfn.style import BLACK, GREY, new_figure, style

# series, key, place, hatch
SHOWN = [
    ("tcp", "tcp", -0.22, ""),
    ("one-frame", "vrp-one-frame", 0.0, "////"),
    ("vrp", "vrp", 0.22, "...."),
]


def draw(results):
    figure, (left, right) = new_figure(9.6, 7.6, ncols=2, sharey=True, width_ratios=(5, 3))
    paths = table1_paths(results)
    places = np.arange(len(paths))
    tables = []
    for series, key, shift, hatch in SHOWN:
        look = style(key)
        rates = over_paths(results, series, paths)
        mean = np.array([rate.value for rate in rates]) / MBPS
        half = np.array([rate.half for rate in rates]) / MBPS
        label = "VRP, four frames under way" if series == "vrp" else look["label"]
        bars = {"color": look["color"], "hatch": hatch, "edgecolor": BLACK, "lw": 0.4}
        left.barh(places + shift, mean, 0.2, label=label, **bars)
        left.errorbar(mean, places + shift, xerr=half, fmt="none", ecolor=BLACK, elinewidth=0.8)
        tables.append(paths.assign(series=series, mean=MBPS * mean, half_width=MBPS * half))
    for column, shift in (("tcp", -0.22), ("vrp", 0.22)):
        label = "printed in the paper" if column == "vrp" else "_"
        marks = left.plot(paths[column] / MBPS, places + shift, **style("published", label))[0]
        names = ("vrp-rates", "one-frame-not-enough") if column == "vrp" else ("tcp-matched",)
        tag(marks, results, *names)
    ratio = (paths["vrp"] / paths["tcp"]).to_numpy()
    for name, at in (("every-ratio", ratio.argmin()), ("largest-ratio", ratio.argmax())):
        x = paths["vrp"].iloc[at] / MBPS + 0.2
        place = {"transform": left.transData, "va": "center"}
        note(left, results, name, x, places[at] + 0.22, "paper: x {}", **place)
    links = paths["link"]
    rtts = [results.rows("vrp", linkRate=link)["--rtt"].iloc[0] for link in links]
    bound = [
        model.blocking_rate(FRAME, link, rtt, framing=model.PPP)
        for link, rtt in zip(links, rtts, strict=True)
    ]
    drawn_as = {"marker": "|", "markersize": 11, "linestyle": "none", "color": BLACK}
    left.plot(
        np.array(bound) / MBPS, places, label="one frame at a time, no loss (law)", **drawn_as
    )
    left.set_yticks(places, paths["path"])
    left.invert_yaxis()
    left.set_xlabel("throughput (Mb/s)")
    left.legend(loc="upper center", bbox_to_anchor=(0.42, -0.09), ncols=2)
    path_loss = [results.rows("vrp", linkRate=link)["--lossRate"].iloc[0] for link in links]
    for series, key, shift, label, hatch in (
        ("vrp", "vrp", 0.12, "VRP", "...."),
        ("flooding", "vrp-lossy-wan", -0.12, "VRP, bottleneck behind 10 Mb/s", ""),
    ):
        losses = [results.rows(series, linkRate=link)["residual_loss"].mean() for link in links]
        loss = [100.0 * one for one in losses]
        bars = {"color": style(key)["color"], "hatch": hatch, "edgecolor": BLACK, "lw": 0.4}
        right.barh(places + shift, loss, 0.22, label=label, **bars)
        tables.append(paths.assign(series=f"{series}: residual loss in %", mean=loss))
    raw = 100.0 * model.packet_loss(path_loss, 2 * model.KB)
    right.plot(raw, places, marker="x", linestyle="none", color=GREY, label="the path's own loss")
    line = level(right, results, "residual-loss", along="x", label="printed: 10 %")
    tag(line, results, "residual-loss", "residual-loss-behind-ten")
    band(right, results, "measured-loss", along="x")
    right.set_xlabel("residual loss (% of packets of 2 kB)")
    right.legend(loc="upper center", bbox_to_anchor=(0.4, -0.09), fontsize=8)
    figure.suptitle("VRP and TCP on the paths of Table 1")
    return figure, tables
