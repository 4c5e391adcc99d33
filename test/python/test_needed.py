# SPDX-License-Identifier: GPL-2.0-only
"""A command line compiles the programs that it needs, and the tests only where it runs them."""

import sys

import pytest
from project import HOME, waf

sys.path.insert(0, str(HOME / ".waf-tools"))
from needed import needed, of_figures

PROGRAMS = {path.stem for path in HOME.glob("examples/*.cc")} | {"lfn-test-runner"}
FIGURES = HOME / "analysis/figures"


def of(*commands, only="", folder=FIGURES):
    return needed(commands, only, folder, PROGRAMS)


def test_figures_need_the_programs_of_their_points():
    assert of("figures", only="rbudp-fig7") == {"rbudp-transfer"}
    assert of("figures", only="rbudp-fig7,xcp-fig1") == {"rbudp-transfer", "xcp-tcp-fairness"}
    every = of("figures")
    assert {"rbudp-transfer", "vrp-transfer", "transport-comparison"} <= every
    assert not {"lfn-test-runner", "rbudp-example", "lfn-bench-baseline", "lfn-bench-peers"} & every


@pytest.mark.parametrize("command", ["build", "test", "bench", "lint_all", "docs", "wheel"])
def test_the_others_need_all(command):
    assert of(command) == of(command, "figures") == PROGRAMS


def test_nothing_is_needed_for_what_runs_nothing():
    assert of("configure", "lint", "clean") == set()


def test_a_campaign_of_ones_own_needs_what_its_figures_name(tmp_path):
    for name, program in (("mine", "rbudp-transfer"), ("other", "my-program")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "figure.toml").write_text(f'points = [{{ program = "{program}" }}]')
    assert of("figures", folder=tmp_path) == {"rbudp-transfer"}
    (tmp_path / "other" / "figure.toml").write_text('program = "vrp-transfer"')
    assert of("figures", folder=tmp_path) == {"rbudp-transfer", "vrp-transfer"}
    (tmp_path / "other" / "figure.toml").write_text('title = "points.py says which"')
    assert of("figures", folder=tmp_path) == PROGRAMS
    assert of("figures", folder=tmp_path / "nowhere") == set()


def test_a_figure_that_cannot_be_read_is_left_to_the_pipeline(tmp_path):
    (tmp_path / "mine").mkdir()
    for text in ("points = 3", "= no TOML", 'points = [{ program = ["a"] }]'):
        (tmp_path / "mine/figure.toml").write_text(text)
        assert of_figures(tmp_path, "") is None
        assert of("figures", folder=tmp_path) == PROGRAMS
    assert of_figures(tmp_path, "other") == set()


def test_an_unknown_program_is_refused_before_anything_is_built():
    done = waf("--run", "no-such --bytes=1MB")
    assert done.returncode == 1
    assert done.stderr.startswith("waf: --run: no program 'no-such'; there are atou-example, ")
    assert "lfn-test-runner" in done.stderr
    assert "Compiling" not in done.stderr
