# SPDX-License-Identifier: GPL-2.0-only
"""What the atou figures have in common: rates as the page plots them, and the original's files."""

import re

import numpy as np
import pandas as pd

from lfn.average import Average
from lfn.results import MissingDataError

MBPS = 1e6
MSS = 1472
"""The datagram's bytes above UDP, atou's header included (the page counts them as payload)."""

EVENTS = {
    "3duprxmit": ("time", "pkt", "nxt", "max", "cwnd", "thresh", "recover"),
    "packrxmit": ("pkt", "nxt", "max", "cwnd", "thresh", "recover", "una"),
    "timerxmit": ("time", "pkt", "nxt", "max", "cwnd", "thresh"),
    "badack": ("pkt", "max", "nxt", "una"),
    "CAexit": ("time", "pkt"),
}
"""Fields of an event's line in the original's order."""


def options(text):
    """Return "keyword value; keyword value", or a file in atou's format, as a dictionary."""
    reported = ";".join(line.partition("#")[0] for line in text.splitlines())
    found = [one.split() for one in reported.split(";")]
    return {words[0]: " ".join(words[1:]) for words in found if words}


def option(rows, keyword):
    """Return one option of each row, a number."""
    return rows["--options"].map(lambda text: float(options(text)[keyword]))


def samples(results, series, metric, run=1):
    """Samples of one metric of flow 0 in one run of a series of one point: time_s, value."""
    table = results.samples(series, metric, 0, run)
    return table.sort_values("time_s", kind="stable")[["time_s", "value"]].reset_index(drop=True)


def rates(results, series, run=1):
    """Rate of a series as the page plots it: columns time_s, rate, average (bit/s).

    Datagrams sent, repetitions included, in the intervals of the run, and all since the start.
    """
    table = samples(results, series, "send_rate_bps", run).rename(columns={"value": "rate"})
    spans = np.diff(table["time_s"], prepend=0.0)
    return table.assign(average=np.cumsum(table["rate"] * spans) / table["time_s"])


def over_runs(results, series, measure, random=True):
    """Average of ``measure``(run) over the runs of a series of one point, as Average.of()."""
    rows = results.rows(series)
    return Average.of(rows, [measure(run) for run in rows["run"]], random)


def average_at(results, series, time):
    """Average rate (bit/s) of the first run from the start to ``time`` (s)."""
    table = rates(results, series)
    if table["time_s"].iloc[-1] < time - 1e-6:
        raise MissingDataError(f"no {time:g} s of series {series}")
    return float(table.loc[(table["time_s"] - time).abs().idxmin(), "average"])


def column(results, series, name, random=True):
    """Average of a column of a series, as Average.of(); no empty fields."""
    rows = results.rows(series)
    if rows[name].isna().any():
        raise MissingDataError(f"no {name} in every run of series {series}")
    return Average.of(rows, rows[name], random)


def slope(table, begin, end, value="rate"):
    """Slope of a column of ``table`` over time_s between two times, by least squares."""
    part = table[(table["time_s"] >= begin) & (table["time_s"] <= end)]
    if len(part) < 2:
        raise MissingDataError(f"no samples from {begin:g} to {end:g} s")
    return float(np.polyfit(part["time_s"], part[value], 1)[0])


def events(text):
    """Events of a client: a list of dictionaries with kind and the fields of EVENTS.

    Labels are dropped, so that the page's excerpts and our logs read alike.
    """
    found = []
    for line in text.splitlines():
        kind, *words = line.split()
        if kind in EVENTS:
            numbers = [float(word) for word in words if re.fullmatch(r"-?\d+(\.\d+)?", word)]
            names = EVENTS[kind]
            if "time" in names and len(numbers) < len(names):
                names = names[1:]  # the first versions reported no times
            found.append({"kind": kind, **dict(zip(names, numbers, strict=False))})
    return found


def trace(text):
    """Packet trace of a client (debug 4) as two tables.

    Transmissions: time_s, segment. ACKs: time_s, segment (the next one expected, or the last
    good one with SACK), rtt_s, cwnd, ssthresh (before the ACK).
    """
    sent, acks = [], []
    for line in text.splitlines():
        words = line.split()
        if words[2] == "xmt":
            sent.append((float(words[0]), int(words[1])))
        else:
            acks.append((float(words[0]), int(words[1]), *map(float, words[2:5])))
    return (
        pd.DataFrame(sent, columns=["time_s", "segment"]),
        pd.DataFrame(acks, columns=["time_s", "segment", "rtt_s", "cwnd", "ssthresh"]),
    )


def differences(ours, page, fields):
    """By how many of ``fields`` two events differ; all, when ours is missing."""
    if ours is None:
        return len(fields)
    return sum(ours.get(field) != page[field] for field in fields)


def draw_rates(axes, results, series, look, name):
    """Draw the rate in intervals, thin, and its average, bold; return the table."""
    table = rates(results, series)
    bins = f"each {table['time_s'].iloc[0]:g} s"
    axes.plot(
        table["time_s"],
        table["rate"] / MBPS,
        **{**look, "marker": None, "linewidth": 0.8, "alpha": 0.75, "label": f"{name}, {bins}"},
    )
    axes.plot(
        table["time_s"],
        table["average"] / MBPS,
        **{**look, "marker": None, "linewidth": 2.0, "label": f"{name}, average"},
    )
    axes.set(xlabel="time (s)", ylabel="rate of datagrams (Mb/s)", ylim=(0, None), xlim=(0, None))
    return table.assign(series=series)
