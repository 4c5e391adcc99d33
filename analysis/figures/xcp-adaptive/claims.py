# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the adaptive drop law; one function a claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.xcp_beyond import beyond, by_path, product, runs_of, within
from lfn.results import MissingDataError


def _measured(results, series, column, wanted):
    parts, errors, runs = by_path(results, series, column, wanted)
    return Measured(parts, runs, errors)


share = claim(_measured, "adaptive", "error", within)  # Share less due, paths that are judged
utilisation = claim(_measured, "adaptive", "utilisation", within)  # Utilisation there
share_beyond = claim(_measured, "adaptive", "error", beyond)  # Share less due, longer paths
utilisation_beyond = claim(_measured, "adaptive", "utilisation", beyond)  # Utilisation there
sack = claim(_measured, "sack", "error", None)  # Share less due beside TCP with SACK
cubic = claim(_measured, "cubic", "error", None)  # Share less due beside CUBIC


def other_utilisation(results):
    """Utilisation beside both."""
    parts, errors, runs = {}, {}, 0
    for series, name in (("sack", "SACK"), ("cubic", "CUBIC")):
        found, halves, count = by_path(results, series, "utilisation")
        parts.update({f"{name}, {path}": value for path, value in found.items()})
        errors.update({f"{name}, {path}": half for path, half in halves.items()})
        runs += count
    return Measured(parts, runs, errors)


def _worst(results, series, **flags):
    """Largest error of any run, by path within the limit; and the number of runs."""
    table = runs_of(results, series, **flags)
    table = table[
        [within(product(rate, rtt)) for rate, rtt in zip(table["rate"], table["rtt"], strict=True)]
    ]
    return table["error"].abs().groupby([table["rate"], table["rtt"]]).max(), len(table)


def better(results):
    """Worst error of the adaptive law's runs over that of the report's, on common paths.

    Extremes over runs and paths, which have no interval.
    """
    ours, runs = _worst(results, "adaptive")
    parts = {}
    for mechanism in ("persistent", "gated"):
        theirs, count = _worst(results, "report", mechanism=mechanism)
        common = ours.index.intersection(theirs.index)
        if common.empty:
            raise MissingDataError(f"no path of both the adaptive law and {mechanism}")
        parts[mechanism] = ours[common].max() / theirs[common].max()
        runs += count
    return Measured(parts, runs)
