# SPDX-License-Identifier: GPL-2.0-only
"""Which programs a command line needs: what it does not need is not compiled for it."""

import tomllib
from pathlib import Path


def of_figures(folder, only):
    """Return the names of the programs of the figures in a folder; ``only``: ids, by commas.

    None where that is unknown: the pipeline will say what is wrong with a figure.
    """
    wanted = {name for name in only.split(",") if name}
    names = set()
    for path in Path(folder).glob("*/figure.toml"):
        if wanted and path.parent.name not in wanted:
            continue
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
            tables = [content, *content.get("points", [])]
            mine = {table["program"] for table in tables if "program" in table}
        except (OSError, ValueError, TypeError):
            return None
        if not mine:  # points.py says it, or nobody
            return None
        names |= mine
    return names


def needed(commands, only, folder, programs):
    """Return which of all ``programs`` the commands need, with figures in ``folder``."""
    names = set()
    for command in commands:
        if command in ("build", "test", "bench", "lint_all", "docs", "wheel"):
            return set(programs)
        if command == "figures":
            mine = of_figures(folder, only)
            names |= mine if mine is not None else set(programs)
    return names & set(programs)
