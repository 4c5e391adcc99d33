# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms from the papers, one file per system; each function names its equation."""

import numpy as np


def need(condition, message):
    """Raise ValueError where a condition, or one of an array of them, does not hold."""
    if not np.all(condition):
        raise ValueError(message)
