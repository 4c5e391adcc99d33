# SPDX-License-Identifier: GPL-2.0-only
"""Where a value with its interval stands to the band of a claim."""

import math

IN, OUT, OVER = "in", "out", "over"


def outside(value, claim):
    """Return by how much a value misses the band; 0 inside; not-a-number misses by infinity."""
    if value != value:
        return float("inf")
    return max(claim.low - value, value - claim.high, 0.0)


def edges(claim):
    """Return the edges that a value may come near to.

    Below a larger edge 0 is none: there a share, a count or a rate ends, and is as good as it gets.
    """
    ends_at_zero = claim.low == 0.0 < claim.high < math.inf
    return (claim.high,) if ends_at_zero else (claim.low, claim.high)


def standing(value, half, claim):
    """Return where an interval is: IN the band, OUT of it, or OVER one of its edges.

    A ``half`` that is no number, that of a single run of something random, is without end; what has
    no finite value has no interval, and is judged as it is.
    """
    if math.isnan(half):
        if math.isfinite(value):
            return OVER
        half = 0.0
    if half == 0.0:
        return OUT if outside(value, claim) else IN
    if value - half > claim.high or value + half < claim.low:
        return OUT
    return IN if claim.low <= value - half and value + half <= claim.high else OVER
