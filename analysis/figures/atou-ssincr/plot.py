# SPDX-License-Identifier: GPL-2.0-only
"""Length of slow start over its options, two transfers of 10 s, and a first ssthresh."""

import numpy as np
import pandas as pd

from lfn.figures import three_panels
from lfn.figures.atou import MBPS, option, rates
from lfn.figures.published import note, tag
from lfn.style import new_figure, style


def _times(results, series, keyword, trip):
    rows = results.rows(series)
    table = pd.DataFrame({keyword: option(rows, keyword), "trips": rows["full_window_s"] / trip})
    return table.sort_values(keyword)


def _rate(results, text):
    rows = results.rows("thresh")
    point = rows[rows["--options"].str.endswith(text)]["point"].iloc[0]
    table = results.samples("thresh", "send_rate_bps")
    return table[table["point"] == point].sort_values("time_s", kind="stable")


def draw(results):
    figure, left, middle, right = three_panels()
    first = _times(results, "initsegs", "initsegs", 0.08)
    left.plot(first["initsegs"], np.log2(1000 / first["initsegs"]), **style("bound", "log2(W/I)"))
    left.plot(first["initsegs"], first["trips"], **style("atou"))
    left.set_xscale("log", base=2)
    left.set_xlabel("initsegs (I), window 1000")
    growth = _times(results, "ssincr", "ssincr", 0.2)
    smooth = np.geomspace(1, 100, 200)
    exact = np.log(1000) / np.log(1 + smooth)
    middle.plot(smooth, exact, **style("bound", "log(W/2) / log(1 + K)"))
    page = smooth[smooth > 1.6]
    factor = np.log2(page)
    words = f"the page's factor, {results.claims['ssincr-factor-at-one'].published}"
    look = style("published", words, marker=None, linestyle="-.")
    tag(middle.plot(page, np.log2(1000) / factor, **look)[0], results, "ssincr-factor-at-one")
    words = "paper: {} RTT less each doubling"
    note(left, results, "initsegs-saves-an-rtt", 0.03, 0.04, words)
    middle.plot(growth["ssincr"], growth["trips"], **style("atou"))
    middle.set(xscale="log", xlabel="ssincr (K), window 2000")
    for axes in (left, middle):
        axes.set(ylabel="RTTs to the full window", ylim=(0, 13))
        axes.legend(loc="upper right")
    tables = []
    for series, key, name in (
        ("standard", "atou-standard", "ssincr 1, average"),
        ("fast", "atou-tuned", "ssincr 100, average"),
    ):
        table = rates(results, series)
        right.plot(table["time_s"], table["average"] / MBPS, **style(key, name, marker=None))
        tables.append(table.assign(series=series))
    right.set(xlabel="time (s)", ylabel="rate of datagrams (Mb/s)", ylim=(0, None), xlim=(0, None))
    right.set_title("rates with the extremes of ssincr: 200 ms, window 2000", fontsize=10.5)
    left.set_title("80 ms", fontsize=10.5)
    middle.set_title("200 ms", fontsize=10.5)
    figure.suptitle("Slow start: first window and growth")
    right.legend(loc="lower right")

    second, panel = new_figure(7.2, 4.2)
    parts = []
    for text, key in (("thresh_init 1", "atou-standard"), ("thresh_init 0.5", "atou-tuned")):
        table = _rate(results, text)
        panel.plot(table["time_s"], table["value"] / MBPS, **style(key, text, marker=None))
        parts.append(table.assign(series=text))
    panel.set(xlabel="time (s)", ylabel="rate of datagrams (Mb/s)", ylim=(0, None), xlim=(0, None))
    panel.legend(loc="lower right")
    panel.set_title(
        "First ssthresh: 599 Mb/s, 77 ms, queue of 500 packets, window 2000", fontsize=10.5
    )
    tables += [first.assign(series="initsegs"), growth.assign(series="ssincr")]
    return {"atou-ssincr": (figure, tables), "atou-ssincr-thresh": (second, parts)}
