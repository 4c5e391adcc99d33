# SPDX-License-Identifier: GPL-2.0-only
"""The project's own figures: complete folders, and flags that the programs take."""

import os
import subprocess
from pathlib import Path

import pytest

from conftest import ANALYSIS
from lfn.columns import functions
from lfn.results import PUBLISHED, load_published
from lfn.spec import PRESETS, load_figures, load_module

FIGURES = load_figures(ANALYSIS / "figures")
BUILD = Path(os.environ.get("LFN_BUILD", ANALYSIS.parent / "build"))


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_a_figure_is_complete(figure):
    for preset in PRESETS:
        assert figure.points(preset), f"no points in {preset}"
    assert (figure.folder / "README.md").read_text().startswith(f"# {figure.id}: ")
    printed = load_published(figure.folder)
    assert tuple(printed.columns) == PUBLISHED
    assert len(printed) or not (figure.folder / "published.csv").exists()
    assert figure.y or callable(load_module(figure.folder / "plot.py").draw)
    assert functions(figure).keys() == {claim.id for claim in figure.claims}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_the_programs_take_every_flag(figure, tmp_path):
    """One point of every series and preset, stopped after a microsecond."""
    seen = set()
    for preset in PRESETS:
        for series, point in figure.points(preset):
            program = BUILD / "bin" / point.program
            if not program.is_file():
                pytest.skip(f"{point.program} is not built")
            if (series, preset) in seen:
                continue
            seen.add((series, preset))
            flags = [flag for flag in point.flags() if not flag.startswith("--duration=")]
            early = {"--warmup": "1ns", "--statsFrom": "1ns", "--statsTo": "1us"}
            for name, time in early.items():
                flags = [f"{name}={time}" if f.startswith(f"{name}=") else f for f in flags]
            words = [
                str(program),
                *flags,
                "--duration=1us",
                f"--outputDir={tmp_path / point.program}",
            ]
            done = subprocess.run(words, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done.stderr
