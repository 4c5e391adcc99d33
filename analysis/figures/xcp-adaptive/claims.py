# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the adaptive drop law; one function per claim."""

from lfn.average import over_runs
from lfn.figures import claim
from lfn.figures.xcp_beyond import beyond, by_path, within


def _measured(results, series, column, wanted):
    return over_runs(by_path(results, series, column, wanted))


share = claim(
    _measured, "adaptive", "error", within
)  # Share less fair share, paths that are judged
utilisation = claim(_measured, "adaptive", "utilisation", within)  # Utilisation there
share_beyond = claim(_measured, "adaptive", "error", beyond)  # Share less fair share, longer paths
utilisation_beyond = claim(_measured, "adaptive", "utilisation", beyond)  # Utilisation there
sack = claim(_measured, "sack", "error", None)  # Share less fair share alongside TCP with SACK
cubic = claim(_measured, "cubic", "error", None)  # Share less fair share alongside CUBIC


def other_utilisation(results):
    """Utilisation alongside both."""
    parts = {
        f"{name}, {path}": values
        for series, name in (("sack", "SACK"), ("cubic", "CUBIC"))
        for path, values in by_path(results, series, "utilisation").items()
    }
    return over_runs(parts)
