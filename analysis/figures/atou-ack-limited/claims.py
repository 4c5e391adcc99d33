# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a slow reverse path; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.atou_paths import ACKS, ack_ceiling, steady_rate

RATE = 128e3


def _over(results, above, below):
    return measured(
        steady_rate(results, above, reverseRate=RATE)
        / steady_rate(results, below, reverseRate=RATE)
    )


slower_than_tcp = claim(_over, "padded", "tcp")  # Throughput with empty blocks over TCP's
# Throughput without empty blocks over that with them.
trimming_helps = claim(_over, "trimmed", "padded")
meets_tcp = claim(_over, "delayed", "tcp")  # Throughput with delayed ACKs over TCP's


def ack_clock(results):
    """Throughput over the ceiling."""
    parts = {}
    for series in ACKS:
        rows = results.rows(series)
        for back, link in rows[["--reverseRate", "--linkRate"]].drop_duplicates().to_numpy():
            reached = steady_rate(results, series, reverseRate=back)
            parts[f"{series}, {back / 1e3:g} kb/s"] = reached / ack_ceiling(series, back, link)
    return measured(parts)
