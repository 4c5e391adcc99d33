# SPDX-License-Identifier: GPL-2.0-only
"""Rates of three sizes of datagram, with and without the host's costs."""

import pandas as pd

from lfn.figures.atou import MBPS, draw_rates, option
from lfn.figures.published import stars
from lfn.style import new_figure, style

SERIES = (
    (1472, "atou-standard"),
    (2944, "atou-third"),
    (5888, "atou-tuned"),
)


def draw(results):
    figure, (left, right) = new_figure(9.6, 5.2, ncols=2, width_ratios=[1.5, 1])
    tables = [
        draw_rates(left, results, f"mss-{size}", style(key), f"{size} B") for size, key in SERIES
    ]
    label = "printed (right), or read from the report's figure"
    stars(left, results, "average", "durations", check="x", label=label)
    left.set_ylim(top=80)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    rows = results.rows("free")
    free = pd.DataFrame({"mss": option(rows, "mss"), "packets": rows["data_packets"]})
    free["rate"] = 8e-6 * free["mss"] * free["packets"] / rows["secs"]
    free = free.sort_values("mss")
    ours = []
    for size, _ in SERIES:
        row = results.rows(f"mss-{size}").iloc[0]
        ours.append(8 * size * row["data_packets"] / row["secs"] / MBPS)
    sizes = [size for size, _ in SERIES]
    right.plot(sizes, ours, **style("atou", "host: 43 us + 175 us an IP packet"))
    right.plot(sizes, free["rate"], **style("atou-fourth", "host without costs"))
    names = [f"rate-{size}" for size in sizes]
    stars(right, results, "rate", names, label="_")
    right.set(xlabel="datagram (bytes)", ylabel="rate of datagrams (Mb/s)", ylim=(0, 85))
    right.set_xticks(sizes)
    right.legend(loc="lower right")
    figure.suptitle("Same bytes, same window: 60.3 ms, 622 Mb/s")
    tables.append(free.assign(series="free"))
    return figure, tables
