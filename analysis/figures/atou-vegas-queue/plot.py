# SPDX-License-Identifier: GPL-2.0-only
"""Window, RTT and Vegas' delta over time."""

from lfn.figures import three_panels
from lfn.figures.atou_paths import look, trace, windows
from lfn.figures.published import band, note, printed
from lfn.style import GREY

NAMES = (
    ("standard", "standard"),
    ("vegas-eighth", "Vegas, exit by an eighth (vss 0)"),
    ("vegas-delta", "Vegas, exit by delta (vss 2)"),
)


def draw(results):
    figure, left, middle, right = three_panels()
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
    left.text(9.9, 640, "bandwidth-delay product, 660", fontsize=9, ha="right", va="top")
    middle.axhline(77, color=GREY, linewidth=0.8)
    for height, name in ((400, "gamma"), (80, "beta"), (50, "alpha")):
        right.axhline(height, color=GREY, linewidth=0.8)
        right.text(10, height, name, fontsize=9, ha="right", va="bottom" if height != 50 else "top")
    left.set_ylabel("congestion window (segments)")
    middle.set_ylabel("RTT (ms)")
    right.set_ylabel("delta (segments)")
    for axes in (left, middle, right):
        axes.set(xlabel="time (s)", ylim=(0, None))
    least = printed(results, "vegas-rtt")
    over = (max(0, middle.get_xlim()[1] - 4), middle.get_xlim()[1])
    band(middle, results, "vegas-rtt", lambda part: part * least, over)
    words, place = 'hatched: our reading of "{}"', {"ha": "right", "va": "top", "fontsize": 9}
    at = middle.get_xlim()[1], 0.95 * least
    note(middle, results, "vegas-rtt", *at, words, transform=middle.transData, **place)
    left.legend(loc="lower right", fontsize=9)
    figure.suptitle("Vegas in a large queue: 100 Mb/s, 77 ms, window 1500, gamma 400")
    return figure, tables
