# SPDX-License-Identifier: GPL-2.0-only
"""What the plot.py and claims.py of several figures share, one file a family of figures."""
