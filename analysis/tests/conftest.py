# SPDX-License-Identifier: GPL-2.0-only
"""Puts analysis/ on the path, so that tests import the package as the scripts do."""

import sys
from pathlib import Path

import pandas as pd

ANALYSIS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ANALYSIS))


def results_of(rows, folder=Path(), published=None):
    """Return the Results of the quick preset with ``rows`` and nothing else."""
    from lfn.results import Results  # from the path above

    return Results("quick", pd.DataFrame(rows), published, {}, folder)
