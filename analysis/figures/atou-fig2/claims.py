# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the start of a transfer; one function per claim."""

from lfn.average import Average, measured
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou import average_at, column, rates, trace
from lfn.results import MissingDataError

WINDOW, FIRST = 1000, 2
"""Full and first window, segments."""


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


def _near_the_plateau(results, what):
    """When a column of the curve is first within 10 % of the plateau."""
    table = rates(results, "undelayed")
    return Measured.one(_first(table, what, 0.9 * plateau(results, "undelayed")), 1)


many_seconds = claim(_near_the_plateau, "average")
many_seconds_rate = claim(_near_the_plateau, "rate")


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


def _growth(results, series, random):
    """Share of the window that slow start adds per RTT, from the time to the full window."""
    rows = results.rows(series)
    trips = rows["full_window_s"] / rows["--rtt"]
    return Average.of(rows, (WINDOW / FIRST) ** (1 / trips) - 1, random)


def delayed_factor_two(results):
    """Growth of the window per RTT, not delayed over delayed."""
    soon = _growth(results, "undelayed", random=False)
    return measured(soon / _growth(results, "delayed-start", random=True))


def delayed_law(results):
    """Time to the full window, delayed over not."""
    late = column(results, "delayed-start", "full_window_s")
    soon = column(results, "undelayed", "full_window_s", random=False)
    return measured(late / soon)


delayed_factor_two_time = delayed_law
