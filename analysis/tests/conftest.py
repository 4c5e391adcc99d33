# SPDX-License-Identifier: GPL-2.0-only
"""Puts analysis/ on the path, so that tests import the package as the scripts do."""

import sys
from pathlib import Path

ANALYSIS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ANALYSIS))
