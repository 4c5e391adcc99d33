# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the inspection of half of the packets; one function a claim."""

from lfn.claims import Measured
from lfn.results import MissingDataError, mean_interval
from lfn.xcp import SETTLED, classes, in_runs, shares

RTTS = (20, 100)
FLOWS = {3: "ten TCP", 4: "ten XCP"}


def _means(results, kind):
    parts, errors, spans, runs = {}, {}, {}, 0
    there = set(results.table["series"])
    for rtt in RTTS:
        if f"half{kind}-{rtt}" not in there:
            continue  # only the full preset has it
        half = shares(results, f"half{kind}-{rtt}", SETTLED)
        both = (half - shares(results, f"full{kind}-{rtt}", SETTLED)).dropna()
        name = f"{rtt} ms"
        parts[name], errors[name] = mean_interval(both)
        spans[name] = both
        runs += 2 * len(both)
    if not parts:
        raise MissingDataError(f"no runs with half inspected, {FLOWS[kind]}")
    return Measured(parts, runs, errors, in_runs(spans))


def means(results):
    """Difference of the shares, paired by seed, ten TCP flows."""
    return _means(results, 3)


def means_ten_xcp(results):
    """The same with ten XCP flows."""
    return _means(results, 4)


def bins(results):
    """Largest mean difference of a bin over what is allowed."""
    parts, runs = {}, 0
    for kind, name in FLOWS.items():
        for rtt in RTTS:
            half, full = (
                classes(results, f"{what}{kind}-{rtt}").pivot(
                    index="start", columns="run", values="share"
                )
                for what in ("half", "full")
            )
            allowed = (2.0 * full.std(axis=1, ddof=1)).clip(lower=0.05)
            parts[f"{name}, {rtt} ms"] = ((half - full).mean(axis=1).abs() / allowed).max()
            runs += 2 * full.shape[1]
    return Measured(parts, runs)
