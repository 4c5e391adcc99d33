# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a slow way back; one function a claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou_paths import ACKS, ack_ceiling, steady_rate

RATE = 128e3


def _over(results, above, below):
    rates = [steady_rate(results, series, ackRate=RATE) for series in (above, below)]
    return Measured.one(rates[0] / rates[1], 2)


slower_than_tcp = claim(_over, "padded", "tcp")  # Throughput with empty blocks over TCP's
# Throughput without empty blocks over that with them.
trimming_helps = claim(_over, "trimmed", "padded")
meets_tcp = claim(_over, "delayed", "tcp")  # Throughput with delayed ACKs over TCP's


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
