# SPDX-License-Identifier: GPL-2.0-only
"""The notebooks run from their first cell to their last, with the outputs that they show."""

import os
from pathlib import Path

import nbformat
import pytest

from conftest import ANALYSIS
from run_notebook import execute, main, texts

BUILD = Path(os.environ.get("LFN_BUILD", ANALYSIS.parent / "build"))
NOTEBOOKS = sorted((ANALYSIS / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_does(path, tmp_path, monkeypatch):
    if not (BUILD / "bin" / "rbudp-transfer").is_file():
        pytest.skip("the programs are not built")
    # A build folder of its own: results of the user's campaigns stay as they are.
    (tmp_path / "bin").symlink_to(BUILD / "bin")
    monkeypatch.setenv("LFN_BUILD", str(tmp_path))
    shown = nbformat.read(path, as_version=4)
    done = execute(path)
    stale = f"{path.name} shows old outputs: run analysis/run_notebook.py on it"
    assert texts(done) == texts(shown), stale
    pictures = [out for cell in done.cells for out in cell.get("outputs", []) if "data" in out]
    assert any("image/png" in out["data"] for out in pictures)


def test_notebooks_are_small():
    assert NOTEBOOKS
    assert all(path.stat().st_size < 300_000 for path in NOTEBOOKS)


def test_a_failing_cell_is_reported(tmp_path, capsys):
    path = tmp_path / "bad.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    nbformat.write(notebook, path)
    before = path.read_bytes()
    assert main([str(path)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert path.read_bytes() == before
