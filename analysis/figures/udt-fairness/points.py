# SPDX-License-Identifier: GPL-2.0-only
"""Ten flows of UDT4, of UDT3 and of TCP at each round-trip time."""

from lfn.figures.udt_grids import RENO, UDT3, UDT3_HOST, over_rtt

RTTS = {"tiny": [10], "quick": [1, 10, 100, 1000], "full": [0.01, 0.1, 1, 10, 100, 1000]}
ONE = {preset: ["0s,130ms"] for preset in RTTS}
TWO = {"tiny": ["0s,130ms"], "quick": ["0s,130ms", "0s,370ms"]}
TWO["full"] = [*TWO["quick"], "0s,710ms"]


def points():
    """Five flows of each of two transports; TCP draws nothing, so it has other starts as runs."""
    return [
        *over_rtt("udt4", "udt,udt", RTTS, ONE),
        *over_rtt("tcp", f"{RENO},{RENO}", RTTS, TWO, random=False, runs=1),
        *over_rtt("udt3", f"{UDT3},{UDT3}", RTTS, ONE, args=UDT3_HOST),
    ]
