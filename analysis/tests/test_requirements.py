# SPDX-License-Identifier: GPL-2.0-only
"""The pinned lists hold what is imported: pip installs them without looking for more."""

import ast
import re
import sys
from importlib.metadata import packages_distributions

from conftest import ANALYSIS

LISTS = ANALYSIS.parent / ".waf-tools" / "requirements"


def name_of(distribution):
    """Return the name of a distribution as PEP 503 spells it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def imported_by(path):
    """Return the packages that a file of Python imports, {name, ...}."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def test_every_package_that_is_imported_is_pinned():
    lines = [line for path in LISTS.glob("*.txt") for line in path.read_text().splitlines()]
    pinned = {name_of(line.split("==")[0]) for line in lines if "==" in line}
    folders = [LISTS.parent, ANALYSIS.parent / ".ci"]
    sources = [*ANALYSIS.rglob("*.py"), *(p for at in folders for p in at.glob("*.py"))]
    ours = {path.stem for path in sources} | {"lfn"}
    found = packages_distributions()
    missing = {}
    for path in sources:
        for name in imported_by(path) - ours - sys.stdlib_module_names:
            if not {name_of(at) for at in found.get(name, [])} & pinned:
                missing.setdefault(name, []).append(path.name)
    assert missing == {}
