# SPDX-License-Identifier: GPL-2.0-only
"""Numbers that a source has from a single run, or from a few: judged by single runs of the model.

A mean of many runs says nothing of one transfer. The question is whether the printed value could be
one of the model's: which share of single runs is at least as far from their median. A part is in
where the 95 % interval of this share is above LEVEL, and out where it is below.
"""

import numpy as np
from scipy.stats import binomtest

from lfn.standing import IN, OUT, OVER

LEVEL = 0.05
RUNS = 80
"""Runs of a point that the full preset makes for such a claim; with 72 none as far refuses it."""
_DRAWS = 10_000


def means_of(singles, count):
    """Return the values of single runs, or means of ``count`` of them, drawn with a fixed seed."""
    singles = np.asarray(singles, dtype=float)
    if count == 1:
        return singles
    draws = np.random.default_rng(1).integers(len(singles), size=(_DRAWS, count))
    return singles[draws].mean(axis=1)


def share_as_far(singles, published, count=1):
    """Return the share of runs at least as far from their median as a value, on either side."""
    values = means_of(singles, count)
    middle = np.median(values)
    far = np.abs(values - middle)
    bound = abs(published - middle)
    return float(np.mean((far >= bound) | np.isclose(far, bound)))


def interval(share, runs):
    """Return the 95 % interval (Clopper and Pearson) of a share of ``runs``."""
    found = binomtest(round(share * runs), runs).proportion_ci(0.95)
    return float(found.low), float(found.high)


def standing(singles, published, count=1):
    """Return (where a part is, the share) of the single runs behind it."""
    share = share_as_far(singles, published, count)
    low, high = interval(share, max(len(singles) // count, 1))
    if low > LEVEL:
        return IN, share
    return (OUT if high <= LEVEL else OVER), share


def applies(claim, measured):
    """Check whether a claim is judged so: its source has few runs, and ours differ."""
    several = [len(measured.singles.get(name, ())) > 1 for name in measured.parts]
    return bool(claim.published_runs) and bool(several) and all(several)


def words(claim, shares, measured):
    """Return what a reader has to know of the part with the least share, and that part's name."""
    worst = min(shares, key=shares.get)
    runs = len(measured.singles[worst])
    at = f" at {worst}" if worst and len(shares) > 1 else ""
    of = "single runs" if claim.published_runs == 1 else f"means of {claim.published_runs} runs"
    level = f"compatible above {100 * LEVEL:g} %"
    return (
        f"{100 * shares[worst]:.2g} % of the {of} ({runs}){at} are as far from their median as \
the published {claim.published_value:g}: {level}",
        worst,
    )
