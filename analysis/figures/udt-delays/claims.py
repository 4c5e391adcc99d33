# SPDX-License-Identifier: GPL-2.0-only
"""Claims about five flows of different delay; one function per claim."""

from lfn.average import measured
from lfn.figures.udt_control import DELAYS, goodput_of_flow


def longest_over_shortest(results):
    """Goodput of the flow of 50 ms over that of 2 ms."""
    last = len(DELAYS) - 1
    return measured(goodput_of_flow(results, "udt", last) / goodput_of_flow(results, "udt", 0))


def ordered_by_delay(results):
    """Goodput of each flow over that of the next shorter delay."""
    flows = [goodput_of_flow(results, "udt", flow) for flow in range(len(DELAYS))]
    parts = zip(DELAYS, DELAYS[1:], flows, flows[1:], strict=False)
    return measured({f"{long} over {short} ms": b / a for short, long, a, b in parts})
