# SPDX-License-Identifier: GPL-2.0-only
"""Window, round trip and Vegas' delta over time."""

from lfn.figures.atou_paths import look, trace, windows
from lfn.figures.published import band, printed
from lfn.style import GREY, new_figure

NAMES = (
    ("standard", "standard"),
    ("vegas-eighth", "Vegas, exit by an eighth (vss 0)"),
    ("vegas-delta", "Vegas, exit by delta (vss 2)"),
)


def draw(results):
    figure, (left, middle, right) = new_figure(13.2, 4.3, ncols=3)
    tables = []
    for index, (series, label) in enumerate(NAMES):
        window = windows(results, series)
        rtt = trace(results, series, "rtt_s")
        delta = trace(results, series, "vegas_delta_segments")
        line = look(index, label, lines=True)
        left.plot(window["time_s"], window["value"], **line)
        known = rtt[rtt["value"] > 0]
        middle.plot(known["time_s"], 1e3 * known["value"], **line)
        if index:
            right.plot(delta["time_s"], delta["value"], **line)
        numbers = window.rename(columns={"value": "cwnd_segments"}).assign(
            series=series, rtt_s=rtt["value"].to_numpy(), delta_segments=delta["value"].to_numpy()
        )
        tables.append(numbers)
    left.axhline(660, color=GREY, linewidth=0.8)
    left.text(0.1, 675, "bandwidth-delay product, 660", fontsize=8)
    middle.axhline(77, color=GREY, linewidth=0.8)
    for height, name in ((400, "gamma"), (80, "beta"), (50, "alpha")):
        right.axhline(height, color=GREY, linewidth=0.8)
        right.text(10, height, name, fontsize=8, ha="right", va="bottom" if height != 50 else "top")
    left.set_ylabel("congestion window (segments)")
    middle.set_ylabel("round trip (ms)")
    right.set_ylabel("delta (segments)")
    for axes in (left, middle, right):
        axes.set(xlabel="time (s)", ylim=(0, None))
    least = printed(results, "vegas-rtt")
    words = "paper: Vegas {}"
    over = (max(0, middle.get_xlim()[1] - 4), middle.get_xlim()[1])
    at = (over[0], 0.8 * least)
    band(middle, results, "vegas-rtt", lambda part: part * least, over, text=words, at=at)
    left.legend(loc="lower right", fontsize=8)
    return figure, tables
