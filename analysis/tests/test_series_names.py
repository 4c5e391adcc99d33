# SPDX-License-Identifier: GPL-2.0-only
"""A series that claims.py or plot.py of a figure names is one of its figure.toml."""

import ast

import pytest

from conftest import ANALYSIS
from lfn.spec import load_figures

FIGURES = load_figures(ANALYSIS / "figures")
READERS = {"rows", "samples", "text", "extra", "runs"}  # methods of Results


def named(path):
    """Return the texts that a file gives as a series to Results, or compares with one."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in READERS and getattr(node.func.value, "id", "") == "results":
                found |= {one.value for one in node.args[:1] if isinstance(one, ast.Constant)}
        elif isinstance(node, ast.Compare) and getattr(node.left, "id", "") == "series":
            found |= {one.value for one in node.comparators if isinstance(one, ast.Constant)}
    return found


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_series_that_are_named_are_there(figure):
    series = {series.name for series in figure.series}
    files = [figure.folder / name for name in ("claims.py", "plot.py")]
    used = set().union(*(named(path) for path in files if path.is_file()))
    assert used - series == set()


def test_a_name_is_found(tmp_path):
    path = tmp_path / "claims.py"
    path.write_text('def f(results, series):\n    return series == "a" or results.rows("b", x=1)\n')
    assert named(path) == {"a", "b"}
