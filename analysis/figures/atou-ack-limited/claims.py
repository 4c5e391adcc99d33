# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a slow way back; one function a claim."""

from lfn.claims import Measured
from lfn.figures.atou_paths import ACKS, ack_ceiling, steady_rate

RATE = 128e3


def _over(results, above, below):
    rates = [steady_rate(results, series, ackRate=RATE) for series in (above, below)]
    return Measured.one(rates[0] / rates[1], 2)


def slower_than_tcp(results):
    """Throughput with empty blocks over TCP's."""
    return _over(results, "padded", "tcp")


def trimming_helps(results):
    """Throughput without empty blocks over that with them."""
    return _over(results, "trimmed", "padded")


def meets_tcp(results):
    """Throughput with delayed ACKs over TCP's."""
    return _over(results, "delayed", "tcp")


def ack_clock(results):
    """Throughput over the ceiling."""
    parts = {}
    for series in ACKS:
        for row in results.rows(series).itertuples():
            back = results.table.loc[row.Index, "--ackRate"]
            link = results.table.loc[row.Index, "--linkRate"]
            measured = steady_rate(results, series, ackRate=back)
            parts[f"{series}, {back / 1e3:g} kb/s"] = measured / ack_ceiling(series, back, link)
    return Measured(parts, len(parts))
