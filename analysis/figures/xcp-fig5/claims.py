# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the inspection of half of the packets; one function per claim."""

import numpy as np

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.xcp import classes, share_differences
from lfn.results import MissingDataError, resampled

RTTS = (20, 100)
FLOWS = {3: "ten TCP", 4: "ten XCP"}


def _means(results, kind):
    there = set(results.table["series"])
    pairs = {f"{rtt} ms": (f"half{kind}-{rtt}", f"full{kind}-{rtt}") for rtt in RTTS}
    pairs = {name: pair for name, pair in pairs.items() if pair[0] in there}  # quick has one
    if not pairs:
        raise MissingDataError(f"no runs with half inspected, {FLOWS[kind]}")
    return share_differences(results, pairs)


means = claim(_means, 3)  # Difference of the shares, paired by seed, ten TCP flows
means_ten_xcp = claim(_means, 4)  # The same with ten XCP flows


def bins(results):
    """Largest mean difference of a bin, bootstrapped over the seeds."""
    parts, errors, runs = {}, {}, 0
    for kind, name in FLOWS.items():
        for rtt in RTTS:
            half, full = (
                classes(results, f"{what}{kind}-{rtt}").pivot(
                    index="start", columns="run", values="share"
                )
                for what in ("half", "full")
            )
            seeds = (half - full).to_numpy().T

            def largest(chosen, seeds=seeds):
                return np.abs(seeds[chosen.astype(int)].mean(axis=0)).max()

            every = np.arange(len(seeds))
            part = f"{name}, {rtt} ms"
            parts[part], errors[part] = largest(every), resampled(every, largest)
            runs += 2 * len(seeds)
    return Measured(parts, runs, errors)
