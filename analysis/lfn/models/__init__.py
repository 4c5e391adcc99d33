# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms from the papers, one file a system; each function names its equation."""
