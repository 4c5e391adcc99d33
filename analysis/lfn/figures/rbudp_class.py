# SPDX-License-Identifier: GPL-2.0-only
"""What the figure of RBUDP in a class of service shares between its plot and its claims."""

from lfn.average import Average
from lfn.figures.compare import PACKET, RBUDP_CONNECTS, RBUDP_FRAME, by_start, goodput
from lfn.models import rbudp
from lfn.results import MissingDataError

LINK = 100e6
"""Rate of the link, in bit/s."""

SHARE = 0.6
"""RBUDP's share of the link."""

RTT = 0.05
"""Round-trip time of propagation, in s."""

TCP_FRAME = PACKET + 32 + 20 + 2
"""Bytes of a TCP segment on the link: TCP's header with timestamps, IP's, PPP's."""

BUFFER = 261
"""Datagrams that RBUDP's class holds: its share of the queue."""

SETTLED = 2.0
"""TCP has recovered from the losses when RBUDP starts, in s."""

RBUDP, TCP = 0, 1
"""Numbers of the flows."""


def user_rate(rate):
    """--sendRate in bit/s of user data for a ``rate`` as a fraction of the link with headers."""
    return rate * LINK * PACKET / RBUDP_FRAME


def at_rates(results, series, wanted):
    """Rates of RBUDP in a series, fractions of the link, of which ``wanted`` is true; in order."""
    rates = results.rows(series)["--sendRate"].unique() / user_rate(1.0)
    found = [rate for rate in sorted(round(float(rate), 3) for rate in rates) if wanted(rate)]
    if not found:
        raise MissingDataError(f"no such rate in series {series}")
    return found


def _rows(results, series, rate):
    """Rows of the RBUDP flow at a rate, each start as a run of its own."""
    table = results.rows(series)
    chosen = (table["--sendRate"] / user_rate(1.0)).round(3) == round(rate, 3)
    rows = table[chosen & (table["flow"] == RBUDP)]
    if rows.empty:
        raise MissingDataError(f"no rate {rate:g} in series {series}")
    return by_start(rows)


def _average(rows, values):
    """Mean over the starts; of a single one exact, since nothing else differs."""
    return Average.of(rows, values, random=len(rows) > 1)


def _busy(samples, begin, end, series):
    """Mean goodput in bit/s from ``begin`` to ``end``."""
    chosen = samples[(samples["time_s"] > begin) & (samples["time_s"] <= end)]["value"]
    if chosen.empty:
        raise MissingDataError(f"no samples of the first blast in series {series}")
    return float(chosen.mean()) * TCP_FRAME / PACKET


def _blast_end(row):
    """When RBUDP has sent its payload once, in s."""
    return row["start_s"] + 8.0 * row["--bytes"] / row["--sendRate"]


def tcp_share(results, series, rate):
    """What TCP has of the link during RBUDP's first blast, an Average in bit/s with all headers.

    Between two blasts RBUDP is idle for a round-trip time.
    """
    rows = _rows(results, series, rate)
    others = results.rows(series)
    finish = others[others["flow"] == TCP].groupby("point")["finish_s"].min()
    samples = results.samples(series, "goodput_bps", TCP)
    interval = samples["time_s"].min()
    values = [
        _busy(
            samples[samples["point"] == row["point"]],
            row["start_s"] + SETTLED + interval,
            min(_blast_end(row), finish[row["point"]]) - interval,
            series,
        )
        for _, row in rows.iterrows()
    ]
    return _average(rows, values)


def tcp_alone(results):
    """What TCP has of a circuit of its own once slow start is over, an Average in bit/s."""
    rows = results.rows("tcp-circuit")
    samples = results.samples("tcp-circuit", "goodput_bps", 0)
    end = rows["finish_s"].iloc[0] - RTT
    return _average(rows, [_busy(samples, 2.0 + SETTLED, end, "tcp-circuit")])


def rbudp_goodput(results, series, rate):
    """RBUDP's goodput from its application's start, an Average in bit/s."""
    rows = _rows(results, series, rate)
    return _average(rows, goodput(rows))


def rbudp_lost(results, series, rate, column=None):
    """Lost datagrams over all that RBUDP sends, or a column: an Average."""
    rows = _rows(results, series, rate)
    lost = rows["retransmitted_packets"] / rows["data_packets"]
    return _average(rows, rows[column] if column else lost)


def law(results, rate):
    """Equation 4 with the connection before it: goodput in bit/s."""
    size = float(results.rows("class")["--bytes"].iloc[0])
    best = rbudp.best_bandwidth(size, user_rate(rate), RTT, PACKET)
    return 8.0 * size / (8.0 * size / best + RBUDP_CONNECTS * RTT)


def lost_law(results, rate):
    """Datagrams that RBUDP loses in its class, of all blasts: a fluid, and the class's buffer."""
    size = float(results.rows("class")["--bytes"].iloc[0])
    left, lost = float(rbudp.packets(size, PACKET)), 0.0
    while left > 0.0:
        left = left * (1.0 - SHARE / rate) - BUFFER
        lost += max(0.0, left)
    return lost
