# SPDX-License-Identifier: GPL-2.0-only
"""The steps of a campaign by hand: what they draw, and one line where something is missing."""

import json
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest

import draw_figure
import toy
import write_report
from conftest import ANALYSIS
from lfn.campaign import fingerprints_of, make_plan, write_plan
from lfn.runner import run_point
from lfn.spec import load_figures


def make(folder, sweep="size = [1, 2]"):
    """Run the points of a toy figure; return (folder of the figures, build folder)."""
    build, figures = folder / "build", folder / "figures"
    program = toy.write_program(build)
    toy.write_figure(figures, figure=toy.FIGURE.replace("size = [1, 2, 3]", sweep))
    plan = make_plan(load_figures(figures), ["toy"], "tiny")
    prints = fingerprints_of(build, plan)
    for name, point in plan.points.items():
        run_point(program, point, build / "results" / name, prints["toy-transfer"])
    write_plan(build, plan, prints)
    return figures, build


def words(figures, build):
    return ["--figure", str(figures / "toy"), "--build", str(build)]


@pytest.mark.parametrize("values", ["true, false", "false, true"])
def test_a_sweep_over_a_switch(tmp_path, values):
    figures, build = make(tmp_path, f"size = [1]\nmessages = [{values}]")
    plot = figures / "toy" / "plot.py"
    plot.write_text(toy.PLOT.replace('rows("line")', 'rows("line", messages="false")'))
    assert draw_figure.main(words(figures, build)) == 0
    drawn = json.loads((build / "figures" / "toy" / "drawn.json").read_text())
    [series] = drawn["series"]
    assert series["swept"] == {"messages": values.split(", ")}
    assert series["flags"] == {"size": "1", "sleep": "0"}
    table = pd.read_csv(build / "figures" / "toy" / "toy.csv")
    assert list(table["runs"]) == [2], "those without the switch"


def test_a_figure_that_the_last_campaign_left_out(tmp_path, capsys):
    figures, build = make(tmp_path)
    path = build / "plan" / "plan.json"
    plan = json.loads(path.read_text())
    path.write_text(json.dumps({**plan, "figures": {}}))
    assert draw_figure.main(words(figures, build)) == 1
    expected = f"toy: not in the last campaign of {build}; run ./waf figures --only=toy\n"
    assert capsys.readouterr().err == expected


def test_a_point_without_results(tmp_path, capsys):
    figures, build = make(tmp_path)
    point, *_ = (build / "results").iterdir()
    shutil.rmtree(point)
    assert draw_figure.main(words(figures, build)) == 1
    expected = f"toy: {point} has no results; run ./waf figures --only=toy\n"
    assert capsys.readouterr().err == expected
    assert not (build / "figures").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("plot.py", "new_figure()", "new_figur()", "toy/plot.py:6: NameError: name 'new_figur' is"),
        ("plot.py", "def draw", "deff draw", "toy/plot.py:5: SyntaxError: invalid syntax"),
        (
            "plot.py",
            '"finish_s")',
            '"finnish")',
            "toy/plot.py:7: KeyError: no column 'finnish', there are finish_s",
        ),
        ("claims.py", "from lfn.claims", "from lfn.claim", "toy/claims.py:1: ModuleNotFoundError:"),
        (
            "claims.py",
            '["finish_s"]',
            '["finnish"]',
            "toy/claims.py:6: KeyError: no column 'finnish', there are finish_s",
        ),
        (
            "plot.py",
            "from lfn.style",
            "from lfn.models.rbudp import none\nfrom lfn.style",
            "toy/plot.py:2: ImportError: cannot import name 'none' from",
        ),
    ],
)
def test_a_typo_in_a_figure_is_one_line_with_its_place(tmp_path, capsys, file, old, new, said):
    figures, build = make(tmp_path)
    path = figures / "toy" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    assert draw_figure.main(words(figures, build)) == 1
    err = capsys.readouterr().err
    assert err.startswith(said)
    assert err.count("\n") == 1
    assert not (build / "figures").exists()


def test_a_mistake_in_shared_code_names_both_places(tmp_path, capsys):
    figures, build = make(tmp_path)
    path = figures / "toy" / "plot.py"
    call = (
        "from lfn.models.rbudp import total_time\n\n\ndef draw(results):\n    total_time(1, 0, 0)\n"
    )
    path.write_text(path.read_text().replace("\n\ndef draw(results):\n", call))
    assert draw_figure.main(words(figures, build)) == 1
    err = capsys.readouterr().err
    assert re.search(r"^toy/plot.py:7: ValueError: .* \(in lfn/models/\w+.py, line \d+\)$", err)


SCRIPTS = (
    "bench compare_atou convert_topology draw_figure figures run_notebook run_point write_report"
).split()


@pytest.mark.parametrize("name", SCRIPTS)
def test_wrong_flags_are_one_line(name):
    command = [sys.executable, ANALYSIS / f"{name}.py", "--nonsense=1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{name}.py: ")
    assert done.stderr.endswith("; --help lists all flags\n")
    assert done.stderr.count("\n") == 1


def test_steps_without_a_plan(tmp_path, capsys):
    toy.write_figure(tmp_path / "figures")
    expected = f"{tmp_path}/plan/plan.json: no plan of a campaign; run ./waf figures\n"
    assert draw_figure.main(words(tmp_path / "figures", tmp_path)) == 1
    assert capsys.readouterr().err == expected
    report = ["--figures", str(tmp_path / "figures"), "--build", str(tmp_path)]
    assert write_report.main(report) == 1
    assert capsys.readouterr().err == expected
    (tmp_path / "plan").mkdir()
    (tmp_path / "plan" / "plan.json").write_text('{"figures": {}}')
    assert write_report.main(report) == 1
    expected = f"no figure of {tmp_path}/figures is drawn; run ./waf figures\n"
    assert capsys.readouterr().err.endswith(expected)
    (tmp_path / "figures" / "toy" / "figure.toml").write_text("id")
    assert write_report.main(report) == 1
    assert capsys.readouterr().err.startswith("toy/figure.toml: is not TOML: ")
