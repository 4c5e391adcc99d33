# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP on a LAN; one function a claim."""

from lfn.claims import Measured
from lfn.models import vrp as model
from lfn.vrp import FRAME, mean_rate, over


def five_per_cent_slower(results):
    """By how many per cent VRP is slower than TCP."""
    parts = {}
    for rtt in (0.2e-3, 0.3e-3):
        vrp, tcp = (mean_rate(results, series, rtt=rtt)[0] for series in ("vrp", "tcp"))
        parts[f"{1e3 * rtt:g} ms"] = 100.0 * (1.0 - vrp / tcp)
    return Measured(parts, 4)


def law_of_blocking_frames(results):
    """VRP's throughput over that of the closed form."""
    link = results.rows("vrp")["--linkRate"].iloc[0]
    table = over(results, "vrp", "rtt")
    law = model.blocking_rate(FRAME, link, table["rtt"], framing=model.PPP)
    ratios = table["mean"] / law
    parts = {f"{1e3 * rtt:g} ms": r for rtt, r in zip(table["rtt"], ratios, strict=True)}
    return Measured(parts, int(table["runs"].sum()))
