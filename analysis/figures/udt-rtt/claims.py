# SPDX-License-Identifier: GPL-2.0-only
"""Claims about UDT and the round-trip time; one function per claim."""

from lfn.average import measured
from lfn.figures.udt_paths import ALONE, alone, pairs, together
from lfn.figures.udt_sharing import jain


def fills_each_path(results):
    """Goodput over the rate of each path."""
    return measured({words: alone(results, series, 100) for series, words in ALONE.items()})


def shares_one_host(results):
    """Jain's index of three flows from one host."""
    return measured(together(results, lambda flows: jain(flows["mean"])))


def independent_of_the_rtt(results):
    """Goodput over that of the flow of 1 ms."""
    return measured({f"{ms:g} ms": ratio for ms, ratio in pairs(results).items()})
