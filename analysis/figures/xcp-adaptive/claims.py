# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the adaptive drop law; one function a claim."""

from lfn.claims import Measured
from lfn.results import MissingDataError
from lfn.xcp_beyond import beyond, by_path, within


def _measured(results, series, column, wanted):
    parts, errors, runs = by_path(results, series, column, wanted)
    return Measured(parts, runs, errors)


def share(results):
    """Share less due, paths that are judged."""
    return _measured(results, "adaptive", "error", within)


def utilisation(results):
    """Utilisation there."""
    return _measured(results, "adaptive", "utilisation", within)


def share_beyond(results):
    """Share less due, longer paths."""
    return _measured(results, "adaptive", "error", beyond)


def utilisation_beyond(results):
    """Utilisation there."""
    return _measured(results, "adaptive", "utilisation", beyond)


def sack(results):
    """Share less due beside TCP with SACK."""
    return _measured(results, "sack", "error", None)


def cubic(results):
    """Share less due beside CUBIC."""
    return _measured(results, "cubic", "error", None)


def other_utilisation(results):
    """Utilisation beside both."""
    parts, runs = {}, 0
    for series, name in (("sack", "SACK"), ("cubic", "CUBIC")):
        found, _, count = by_path(results, series, "utilisation")
        parts.update({f"{name}, {path}": value for path, value in found.items()})
        runs += count
    return Measured(parts, runs)


def better(results):
    """Worst error of the adaptive law over that of the report's, on common paths."""
    ours, _, runs = by_path(results, "adaptive", "error", within)
    parts = {}
    for mechanism in ("persistent", "gated"):
        theirs, _, count = by_path(results, "report", "error", within, mechanism=mechanism)
        common = ours.keys() & theirs.keys()
        if not common:
            raise MissingDataError(f"no path of both the adaptive law and {mechanism}")
        worst = max(abs(theirs[path]) for path in common)
        parts[f"than {mechanism}"] = max(abs(ours[path]) for path in common) / worst
        runs += count
    return Measured(parts, runs)
