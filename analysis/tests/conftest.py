# SPDX-License-Identifier: GPL-2.0-only
"""Puts analysis/ on the path, so that tests import the package as the scripts do."""

import sys
from pathlib import Path

import pandas as pd

ANALYSIS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ANALYSIS))


def claim_of(identity="c", **keys):
    """Return a Claim as figure.toml has it below its name."""
    from lfn.spec import Claim  # from the path above

    claim = Claim(**{"statement": "s", "place": "p", **keys})
    claim._id = identity
    return claim


def results_of(rows, folder=Path(), published=None):
    """Return the Results of the quick preset with ``rows`` and nothing else."""
    from lfn.results import Results  # from the path above

    return Results("quick", pd.DataFrame(rows), published, {}, folder)
