# SPDX-License-Identifier: GPL-2.0-only
"""Window, RTT and rate of the sample run, and its summary compared with the printed one."""

from lfn.figures.atou import MBPS, draw_rates, trace
from lfn.figures.published import level, tag
from lfn.style import new_figure, style

ROWS = (
    ("Mb/s", "mbs", 1.0),
    ("secs", "secs", 1.0),
    ("out", "data_packets", 1.0),
    ("rxmts", "retransmitted_packets", 1.0),
    ("maxack", "maxack", 1.0),
    ("maxburst", "maxburst", 1.0),
    ("minrtt", "minrtt_s", 1.0),
    ("maxrtt", "maxrtt_s", 1.0),
    ("avrgrtt", "avrgrtt_s", 1.0),
    ("snd_una", "snd_una", 1.0),
    ("snd_cwnd", "cwnd", 1.0),
    ("ssthresh", "ssthresh", 1.0),
)


def _table(axes, results):
    printed = results.printed("summary").set_index("series")["value"]
    row = results.rows("run").iloc[0]
    ours = {name: scale * row[column] for name, column, scale in ROWS}
    ours["Mb/s"] = 8.0 * 12000 * 1460 / row["secs"] / MBPS
    cells = [[name, f"{printed[name]:.6g}", f"{ours[name]:.6g}"] for name, _, _ in ROWS]
    axes.axis("off")
    table = axes.table(cells, colLabels=["summary", "page", "here"], loc="center")
    tag(table, results, "counters", "largest-ack")
    table.auto_set_font_size(False)
    table.set_fontsize(9)
    table.scale(1, 1.25)


def draw(results):
    figure, axes = new_figure(10.4, 7.2, nrows=2, ncols=2)
    _, acks = trace(results.text("run", "client.trace"))
    window, trips, speed, summary = axes.flat
    look = style("atou", marker=None)
    window.plot(acks["time_s"], acks["cwnd"], **{**look, "label": "cwnd"})
    window.plot(acks["time_s"], acks["ssthresh"], **style("bound", "ssthresh = window"))
    window.set_ylabel("segments")
    window.legend(loc="lower right")
    trips.plot(acks["time_s"], 1e3 * acks["rtt_s"], **{**look, "label": "RTT"})
    printed = results.printed("summary").set_index("series")["value"]
    look_ = style("published", "minrtt, printed", marker=None, linestyle=(0, (1, 2)))
    trips.axhline(1e3 * printed["minrtt"], **{**look_, "linewidth": 1.2})
    for name, what, dash in (
        ("mean-rtt", "avrgrtt", (0, (5, 3))),
        ("largest-rtt", "maxrtt", "-."),
    ):
        level(trips, results, name, label=f"{what}, printed", linestyle=dash)
    trips.set(ylabel="ms", ylim=(60, 105))
    trips.legend(loc="lower right")
    for panel in (window, trips):
        panel.set(xlabel="time (s)", xlim=(0, None))
    table = draw_rates(speed, results, "run", style("atou"), "atou")
    end = results.printed("summary").set_index("series")["value"]
    mark = speed.plot([end["secs"]], [end["Mb/s"]], **style("published", "printed on the page"))[0]
    tag(mark, results, "throughput", "duration")
    speed.legend(loc="lower right")
    _table(summary, results)
    figure.suptitle("atou's sample run: 11,999 segments, window 300, 65 ms, T3 line")
    thin = acks.iloc[::10].assign(series="ack")
    return figure, [table, thin]
