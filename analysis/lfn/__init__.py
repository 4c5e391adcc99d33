# SPDX-License-Identifier: GPL-2.0-only
"""Analysis of the lfn scenarios: from figure.toml to figures, verdicts and one report page.

The package reads only the files that scenario programs write (summary.csv, series.csv,
messages.csv, run.json); it never imports ns-3.

    lfn.run(program, ...)  runs of a scenario program, swept over its flags, as tidy tables
    lfn.load(folder)       results of any scenario program as tidy tables
    lfn.figure(id)         a figure of a paper by a call: plots, numbers, verdicts
"""

import importlib

_PUBLIC = {"load": "frames", "figure": "drawing", "run": "sweep"}
__all__ = ["figure", "load", "run"]


def __getattr__(name):
    """Import what needs pandas and Matplotlib only when it is asked for: runners do without."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'lfn' has no attribute '{name}'")
    return getattr(importlib.import_module(f"lfn.{_PUBLIC[name]}"), name)


def __dir__():
    """Name these as well."""
    return sorted([*globals(), *_PUBLIC])
