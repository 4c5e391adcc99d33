# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP without any loss accepted; one function a claim."""

from lfn.claims import Measured
from lfn.vrp import over_paths, ratio, table1_paths


def _ratios(results, over, under):
    """{path: (value, half width)} of one series over another."""
    paths = table1_paths(results)
    pairs = zip(over_paths(results, over, paths), over_paths(results, under, paths), strict=True)
    return dict(zip(paths["path"], (ratio(a, b) for a, b in pairs), strict=True))


def _measured(results, over, under):
    ratios = _ratios(results, over, under)
    return Measured(
        {path: value for path, (value, _) in ratios.items()},
        results.runs(over) + results.runs(under),
        {path: error for path, (_, error) in ratios.items()},
    )


def equal_to_thirty_slower(results):
    """No loss accepted over 25 % accepted."""
    return _measured(results, "reliable", "accepting")


def up_to_eight(results):
    """Largest of VRP without loss accepted over TCP."""
    ratios = _ratios(results, "reliable", "tcp")
    path = max(ratios, key=lambda name: ratios[name][0])
    value, error = ratios[path]
    return Measured.one(value, results.runs("reliable"), error, note=f"on {path}")


def worst_case(results):
    """VRP without loss accepted over TCP."""
    return _measured(results, "reliable", "tcp")
