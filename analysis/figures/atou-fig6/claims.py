# SPDX-License-Identifier: GPL-2.0-only
"""Claims about larger datagrams; one function per claim."""

import math

from lfn.average import averages, measured
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou import MBPS, option

SIZES = (1472, 2944, 5888)


def rate_of(row):
    """Rate of datagrams, header included (bit/s)."""
    return (
        8.0 * float(row["--options"].split(";")[0].split()[1]) * row["data_packets"] / row["secs"]
    )


def _row(results, size):
    return results.rows(f"mss-{size}").iloc[0]


def _mbps(results, size):
    return Measured.one(rate_of(_row(results, size)) / MBPS, 1)


rate_1472, rate_2944, rate_5888 = (claim(_mbps, size) for size in SIZES)


def durations(results):
    """Over the published ones."""
    printed = results.printed("duration").set_index("x")["value"]
    return Measured({f"{s}": _row(results, s)["secs"] / printed[s] for s in SIZES}, 3)


def larger_is_faster(results):
    """Quotients of the rates of neighbours."""
    rates = [rate_of(_row(results, size)) for size in SIZES]
    return Measured({"2944": rates[1] / rates[0], "5888": rates[2] / rates[1]}, 3)


def fewer_acks(results):
    """ACKs for the same bytes in datagrams of one IP packet over those in larger ones."""
    acks = {size: _row(results, size)["acks"] for size in SIZES}
    parts = {f"{s}": acks[1472] / acks[s] / math.ceil((s + 8) / 1480) for s in SIZES[1:]}
    return Measured(parts, 3)


def fragmentation_hurts(results):
    """Goodput of the largest over that of the smallest at the same loss of IP packets."""
    rows = results.rows("lossy")
    rows = rows.assign(mss=option(rows, "mss"))
    goodputs = averages(rows, "mss", "goodput_bps")
    return measured(goodputs[5888] / goodputs[1472])
