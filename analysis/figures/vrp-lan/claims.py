# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP on a LAN; one function per claim."""

from lfn.average import measured
from lfn.figures.vrp import FRAME, each, mean_rate
from lfn.models import vrp as model


def five_per_cent_slower(results):
    """By how many per cent VRP is slower than TCP."""
    parts = {}
    for rtt in (0.2e-3, 0.3e-3):
        vrp, tcp = (mean_rate(results, one, random=False, rtt=rtt) for one in ("vrp", "tcp"))
        parts[f"{1e3 * rtt:g} ms"] = 100.0 * (1.0 - vrp / tcp)
    return measured(parts)


def law_of_blocking_frames(results):
    """VRP's throughput over that of the closed form."""
    link = results.rows("vrp")["--linkRate"].iloc[0]
    parts = {}
    for rtt, rate in each(results, "vrp", "rtt", random=False).items():
        law = model.blocking_rate(FRAME, link, rtt, framing=model.PPP)
        parts[f"{1e3 * rtt:g} ms"] = rate / law
    return measured(parts)
