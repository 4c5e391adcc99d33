# SPDX-License-Identifier: GPL-2.0-only
"""RTT and timeout over packets sent, on a WAN and on a LAN; the two PINGs."""

import pandas as pd

from lfn.figures.published import HATCHED, band, note, tag
from lfn.figures.vrp import flow_series
from lfn.models import vrp as model
from lfn.style import BLUE, GREY, ORANGE, new_figure, style

SETTLED = 300
"""Packets from which the timeout on the LAN is judged."""


def _course(results, series):
    """RTT and timeout (s) of the first run over data packets sent."""
    table = {}
    for metric in ("data_packets", "rtt_s", "rto_s"):
        samples = flow_series(results, series, metric)
        table[metric] = samples[samples["run"] == 1].set_index("time_s")["value"]
    course = pd.DataFrame(table).reset_index()
    return course.dropna()


def _lines(axes, course, title, scale=1e3):
    axes.plot(course["data_packets"], scale * course["rto_s"], **style("timeout"))
    dashed = style("rtt", linestyle=(0, (4, 1)))
    axes.plot(course["data_packets"], scale * course["rtt_s"], **dashed)
    axes.set(title=title, xlabel="data packets sent", ylabel="time (ms)", ylim=(0, None))
    axes.legend(loc="best")


def _pings(axes, results):
    rows = results.rows("ping")
    real = model.packet_round_trip(2048, rows["--linkRate"].iloc[0], rows["--rtt"].iloc[0])
    axes.axhline(1e3 * real, **style("bound", "real RTT of a data packet"))
    tables = []
    for padded, colour, label in (("true", ORANGE, "padded PING"), ("false", BLUE, "bare PING")):
        point = set(results.rows("ping", padPing=padded)["point"])
        course = flow_series(results, "ping", "rto_s")
        course = course[course["point"].isin(point)]
        duplicates = int(results.rows("ping", padPing=padded)["duplicates"].sum())
        axes.plot(
            course["time_s"],
            1e3 * course["value"],
            color=colour,
            linestyle="-" if padded == "true" else (0, (6, 2)),
            label=f"timeout after a {label}; duplicates: {duplicates}",
        )
        tables.append(course.assign(series=label))
    axes.set(xlim=(0, 1.0), xlabel="time (s)", ylabel="timeout (ms)")
    axes.set(ylim=(0, None), title="Frames of one packet over 1 Mb/s, propagation 2 ms")
    axes.legend(loc="best")
    axes.tick_params(color=GREY)
    for name, words, height in (
        ("padded-ping", "padded PING", 2.6),
        ("bare-ping", "bare PING", 0.5),
    ):
        text, at = f'paper: {words} "{{}}"', (0.105, 1e3 * height * real)
        band(axes, results, name, lambda part: 1e3 * part * real, (0, 0.1), text=text, at=at)
    return pd.concat(tables)


def _lan(axes, results):
    """The LAN by the report's rule, which is judged, and the default's timeout alongside it."""
    lan, burst = _course(results, "lan-bare"), _course(results, "burst-lan-bare")
    usual = _course(results, "lan")
    _lines(axes, lan, "LAN: 100 Mb/s, 0.3 ms, by the report's rule")
    look = {"color": ORANGE, "linewidth": 1.2}
    axes.plot(
        burst["data_packets"],
        1e3 * burst["rto_s"],
        ls="-.",
        label="timeout, frames at once",
        **look,
    )
    label = "timeout by the default rule"
    axes.plot(usual["data_packets"], 1e3 * usual["rto_s"], color=GREY, ls=":", label=label)
    axes.set_yscale("log")
    axes.autoscale(axis="y")
    axes.legend(loc="best", ncols=2)
    part = results.claims["flat-on-lan"].high
    for course, text in ((lan, 'our reading: "{}"'), (burst, "")):
        settled = course[course["data_packets"] > SETTLED]
        if settled.empty:
            continue
        mean = 1e3 * settled["rto_s"].mean()
        edges = (mean * (1 - part / 2), mean * (1 + part / 2))
        over = (SETTLED, course["data_packets"].max())
        at = (SETTLED, 0.8 * mean)
        area = band(axes, results, "flat-on-lan", over=over, text=text, at=at, edges=edges)
        area.set(**HATCHED)  # what is flat is not printed
    return [
        course.assign(series=name)
        for name, course in (("lan-bare", lan), ("burst-lan-bare", burst), ("lan", usual))
    ]


def draw(results):
    figure, axes = new_figure(8.6, 9.6, nrows=3)
    wan = _course(results, "wan")
    _lines(axes[0], wan, "WAN: 60 ms, jitter of 4 ms each way, 1 % loss, a step of 20 ms")
    lans = _lan(axes[1], results)
    pings = _pings(axes[2], results)
    words = note(axes[0], results, "spurious", 0.02, 0.9, "paper: {} retransmitted needlessly")
    tag(words, results, "spurious", "spurious-by-default")
    figure.suptitle("Estimates of VRP's RTT and timeout")
    tables = [wan.assign(series="wan"), *lans, pings]
    return figure, tables
