# SPDX-License-Identifier: GPL-2.0-only
"""What the RBUDP figures have in common: the send rate really used, and the two clocks."""

import pandas as pd

from lfn.average import Average
from lfn.models import rbudp as model
from lfn.results import throughput

PACKET = 1450
"""User bytes of a datagram that fit the paper's odd rates 725, 682 and 611 Mb/s (spec Q8)."""

MBPS = 1e6
MB = 1e6


def with_send_rate(rows):
    """Return ``rows`` with column send_rate: bit/s after pacing is cut to whole quanta."""
    quantum = rows.get("--pacingQuantum", pd.Series(0.0, index=rows.index)).fillna(0.0)
    rates = [
        float(model.quantised_rate(rate, PACKET, step))
        for rate, step in zip(rows["--sendRate"], quantum, strict=True)
    ]
    return rows.assign(send_rate=rates)


def over_send_rate(results, series, **flags):
    """Throughput of a series over the real send rate (bit/s); see results.throughput."""
    return throughput(with_send_rate(results.rows(series, **flags)), "send_rate")


def over_payload(results, series, **flags):
    """Throughput of a series over the payload (bytes), column "--bytes"."""
    return throughput(results.rows(series, **flags), "--bytes")


def each_payload(results, series, random, **flags):
    """{payload in bytes: Average throughput in bit/s}, means of durations as over_payload().

    ``random`` as Average.of().
    """
    found = {}
    for size, rows in results.rows(series, **flags).groupby("--bytes"):
        bits = 8.0 * rows["delivered_bytes"].mean() if rows["completed"].all() else 0.0
        found[size] = Average(bits) / Average.of(rows, rows["finish_s"] - rows["start_s"], random)
    return found


def ratio_to_best(results, series, high):
    """Return {"<rate> Mb/s": throughput / B_best (equation 4)} for send rates up to ``high``."""
    rows = results.rows(series)
    payload, rtt = rows["--bytes"].iloc[0], rows["--rtt"].iloc[0]
    table = over_send_rate(results, series)
    table = table[table["send_rate"] <= high]
    best = model.best_bandwidth(payload, table["send_rate"], rtt)
    return {
        f"{series} at {rate / MBPS:.1f} Mb/s": float(value)
        for rate, value in zip(table["send_rate"], table["mean"] / best, strict=True)
    }


def receiver_rate(rows):
    """Rate in bit/s that a UDP receiver measures: bytes between first and last arrival."""
    span = rows["last_delivery_s"] - rows["start_s"] - rows["--rtt"] / 2.0
    return 8.0 * rows["delivered_bytes"] / span


def highest_receiver_rate(results, series):
    """Highest rate over the offered ones that a UDP measuring tool reports (bit/s)."""
    return float(receiver_rate(results.rows(series)).max())


def first_blast_loss(rows):
    """Share of the first blast's datagrams that did not arrive."""
    return rows["residual_packets_first_blast"] / rows["first_blast_packets"]
