# SPDX-License-Identifier: GPL-2.0-only
"""Claims about delayed ACKs; one function per claim."""

import numpy as np

from lfn.average import Average, measured
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou import MBPS, column, events, option, over_runs, rates, samples, slope

RANDOM = {"delayed": True, "undelayed": False}
"""Where the delayed ACK's clock stands when a transfer starts is drawn; nothing else is."""


def _rate(results, series):
    rows = results.rows(series)
    rate = 8e-6 * 1472 * rows["data_packets"] / rows["secs"]
    return measured(Average.of(rows, rate, RANDOM[series]))


undelayed_rate = claim(_rate, "undelayed")  # Datagrams sent over the time
delayed_rate = claim(_rate, "delayed")  # Datagrams sent over the time


def _duration(results, series):
    return measured(column(results, series, "secs", RANDOM[series]))


undelayed_duration = claim(_duration, "undelayed")  # Seconds
delayed_duration = claim(_duration, "delayed")  # Seconds


def _slope(results, series):
    """Average slope of the rate, in Mb/s a second, from a second after the window's last fall."""

    def one(run):
        window = samples(results, series, "cwnd_bytes", run)
        begin = window["time_s"][window["value"].diff() < 0].max() + 1.0
        table = rates(results, series, run)
        return slope(table, begin, table["time_s"].iloc[-1] - 0.25) / MBPS

    return over_runs(results, series, one, RANDOM[series])


undelayed_slope = claim(_slope, "undelayed")  # From a second after the last loss to the end
delayed_slope = claim(_slope, "delayed")  # From a second after the last loss to the end


def starts_faster(results):
    """Time to the full window, delayed over not."""
    late, soon = (
        column(results, series, "full_window_s", RANDOM[series])
        for series in ("delayed", "undelayed")
    )
    return measured(late / soon)


def recovers_faster(results):
    """Slope without delayed ACKs over that with."""
    return measured(_slope(results, "undelayed") / _slope(results, "delayed"))


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
