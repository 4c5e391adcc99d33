# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the start of a transfer; one function per claim."""

from lfn.average import measured
from lfn.claims import Measured
from lfn.figures.atou import average_at, column, rates, trace
from lfn.results import MissingDataError


def plateau(results, series):
    """Rate of the bottleneck as the curve shows it: its median (bit/s)."""
    return rates(results, series)["rate"].median()


def _first(table, column_, value):
    reached = table[table[column_] >= value]
    if reached.empty:
        raise MissingDataError("no curve that reaches the plateau")
    return float(reached["time_s"].iloc[0])


def averages(results):
    """Averages over the published ones."""
    parts = {
        f"{row['x']:g} s": average_at(results, "undelayed", row["x"]) / 1e6 / row["value"]
        for _, row in results.printed("average").iterrows()
    }
    return Measured(parts, 1)


def within_a_second(results):
    """When the rate is first within 5 % of the plateau."""
    table = rates(results, "undelayed")
    return Measured.one(_first(table, "rate", 0.95 * plateau(results, "undelayed")), 1)


def many_seconds(results):
    """When the average is first within 10 % of the plateau."""
    table = rates(results, "undelayed")
    return Measured.one(_first(table, "average", 0.9 * plateau(results, "undelayed")), 1)


def rounds(results):
    """Segments sent in each RTT of the start, full ones only."""
    sent, acks = trace(results.text("start", "client.trace"))
    trip = acks["rtt_s"].iloc[0]
    counts = (sent["time_s"] // trip).astype(int).value_counts().sort_index()
    return counts[counts.cumsum() < 1000].tolist()


def doubles_per_rtt(results):
    """Quotients of one RTT and the one before."""
    counts = rounds(results)
    parts = {f"{n + 1}": b / a for n, (a, b) in enumerate(zip(counts, counts[1:], strict=False))}
    return Measured(parts, 1)


def delayed_factor_two(_results):
    """Growth of the window per RTT: a segment per ACK, of each segment or every second."""
    return Measured.one((2.0 - 1.0) / (1.5 - 1.0))


def delayed_law(results):
    """Time to the full window, delayed over not."""
    late = column(results, "delayed-start", "full_window_s")
    soon = column(results, "undelayed", "full_window_s", random=False)
    return measured(late / soon)
