# SPDX-License-Identifier: GPL-2.0-only
"""Analysis of the lfn scenarios: from figure.toml to figures, verdicts and one report page.

The package knows only the files that scenario programs write (summary.csv, series.csv,
messages.csv, run.json); it never imports ns-3.
"""
