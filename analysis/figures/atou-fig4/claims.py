# SPDX-License-Identifier: GPL-2.0-only
"""Claims about delayed ACKs; one function a claim."""

import numpy as np

from lfn.atou import MBPS, column, events, measured_mean, option, rates, slope
from lfn.claims import Measured
from lfn.vrp import ratio

RANDOM = {"delayed": True, "undelayed": False}
"""Where the delayed ACK's clock stands when a transfer starts is drawn; nothing else is."""


def _rate(results, series):
    def one(run):
        rows = results.rows(series)
        row = rows[rows["run"] == run].iloc[0]
        return 8e-6 * 1472 * row["data_packets"] / row["secs"]

    return measured_mean(results, series, one, random=RANDOM[series])


def undelayed_rate(results):
    """Datagrams sent over the time."""
    return _rate(results, "undelayed")


def delayed_rate(results):
    """Datagrams sent over the time."""
    return _rate(results, "delayed")


def _duration(results, series):
    mean, half, runs = column(results, series, "secs", RANDOM[series])
    return Measured.one(mean, runs, half or None)


def undelayed_duration(results):
    """Seconds."""
    return _duration(results, "undelayed")


def delayed_duration(results):
    """Seconds."""
    return _duration(results, "delayed")


def _slope(results, series):
    def one(run):
        table = rates(results, series, run)
        log = events(results.text(series, "client.events"))
        begin = max(e["time"] for e in log if e["kind"] == "3duprxmit") + 1.0
        return slope(table, begin, table["time_s"].iloc[-1] - 0.25) / MBPS

    return measured_mean(results, series, one, random=RANDOM[series])


def undelayed_slope(results):
    """From a second after the last loss to the end."""
    return _slope(results, "undelayed")


def delayed_slope(results):
    """From a second after the last loss to the end."""
    return _slope(results, "delayed")


def starts_faster(results):
    """Time to the full window, delayed over not."""
    late, soon = (
        column(results, series, "full_window_s", RANDOM[series])
        for series in ("delayed", "undelayed")
    )
    value, error = ratio(late, soon)
    return Measured.one(value, late[2] + soon[2], error)


def recovers_faster(results):
    """Slope without delayed ACKs over that with."""
    fast, slow = undelayed_slope(results), delayed_slope(results)
    return Measured.one(fast.parts[""] / slow.parts[""], fast.runs + slow.runs)


def burst_limit_matters_little(results):
    """Rates over the largest."""
    rows = results.rows("burst")
    limits = option(rows, "burst_limit")
    best = rows["goodput_bps"].max()
    parts = {f"{n:g}": r / best for n, r in zip(limits, rows["goodput_bps"], strict=True)}
    return Measured(parts, len(rows))


def largest_burst(text, begin):
    """Most transmissions between two ACKs after a time (s) of a trace's text."""
    most = burst = 0
    for line in text.splitlines():
        words = line.split(None, 3)
        burst = burst + 1 if words[2] == "xmt" and float(words[0]) > begin else 0
        most = max(most, burst)
    return most


def bursts_after_loss(results, series):
    """Largest burst after the first loss was noticed."""
    log = events(results.text(series, "client.events"))
    begin = min(e["time"] for e in log if e["kind"] == "3duprxmit")
    return largest_burst(results.text(series, "client.trace"), begin)


def slow_start_reduces_bursts(results):
    """Largest burst after a loss, with the exit by slow start over without."""
    with_, without = (bursts_after_loss(results, s) for s in ("undelayed", "unlimited"))
    return Measured.one(np.divide(with_, without), 2)
