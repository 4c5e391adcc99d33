# SPDX-License-Identifier: GPL-2.0-only
"""lfn.run(): sweeps of a scenario program from Python."""

import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import lfn
import toy
from conftest import ANALYSIS
from lfn.runner import RunError
from lfn.sweep import points_of
from test_killed import wait_until

BUILD = ANALYSIS.parent / "build"


def run(build, **flags):
    return lfn.run("toy-transfer", build=build, jobs=2, **flags)


def test_a_sweep_is_a_table_and_is_run_once(tmp_path):
    toy.write_program(tmp_path, factor=2)
    first = run(tmp_path, size=[1, 2], runs=3)
    assert toy.journal(tmp_path) == ["1 1", "1 2", "1 3", "2 1", "2 2", "2 3"]
    assert list(first.summary["size"]) == [1, 1, 1, 2, 2, 2]
    assert first.summary.groupby("size")["finish_s"].mean().to_dict() == {1: 2, 2: 4}
    assert sorted(first.summary["run"]) == [1, 1, 2, 2, 3, 3]
    again = run(tmp_path, size=[1, 2], runs=3)
    assert toy.journal(tmp_path) == []
    assert again.summary.equals(first.summary)


def test_only_what_is_missing_is_run(tmp_path):
    toy.write_program(tmp_path)
    run(tmp_path, size=1, runs=2)
    toy.journal(tmp_path)
    run(tmp_path, size=[1, 3], runs=3)
    assert toy.journal(tmp_path) == ["1 3", "3 1", "3 2", "3 3"]
    fewer = run(tmp_path, size=[1, 3])
    assert toy.journal(tmp_path) == []
    assert list(fewer.summary["run"]) == [1, 1]
    assert len(fewer.runs) == 2


def test_another_program_is_run_again(tmp_path):
    toy.write_program(tmp_path, factor=1)
    run(tmp_path, size=1)
    toy.write_program(tmp_path, factor=3)
    assert list(run(tmp_path, size=1).summary["finish_s"]) == [3]


def test_cases_are_flags_that_go_together(tmp_path):
    toy.write_program(tmp_path)
    cases = [{"size": 1, "sleep": 0}, {"size": 2, "sleep": "0.01"}]
    assert len(run(tmp_path, cases=cases).summary) == 2
    assert toy.journal(tmp_path) == ["1 1", "2 1"]


def test_combinations_and_values():
    points = points_of("toy", 1, {"a": np.array([0.5, 1.0]), "b": (1, 2), "c": "x", "d": True})
    assert [dict(point.args) for point in points] == [
        {"a": "0.5", "b": "1", "c": "x", "d": "true"},
        {"a": "0.5", "b": "2", "c": "x", "d": "true"},
        {"a": "1", "b": "1", "c": "x", "d": "true"},
        {"a": "1", "b": "2", "c": "x", "d": "true"},
    ]


def test_an_error_of_the_program_is_one_line_and_ends_the_rest(tmp_path):
    toy.write_program(tmp_path)
    with pytest.raises(RunError) as error:
        run(tmp_path, size=range(1, 40), failFrom=1)
    assert str(error.value) == "toy: --failFrom: as asked"
    assert any("repeat it with: " in note for note in error.value.__notes__)
    assert not list(tmp_path.glob("results/.*"))


@pytest.mark.parametrize("runs", [[2, 3], 0, -1, 1.5, "2", True, None])
def test_runs_are_a_number(tmp_path, runs):
    toy.write_program(tmp_path)
    with pytest.raises(ValueError, match=r"runs=.*: give the number of random runs"):
        run(tmp_path, size=1, runs=runs)
    assert toy.journal(tmp_path) == []


@pytest.mark.parametrize(
    "flags", [{"RngRun": 2}, {"RngRun": range(1, 3)}, {"cases": [{"RngRun": 2}]}]
)
def test_the_flag_of_one_run_is_not_taken_for_a_number_of_runs(tmp_path, flags):
    toy.write_program(tmp_path)
    with pytest.raises(ValueError, match="RngRun: give runs=N") as error:
        run(tmp_path, size=1, **flags)
    assert "\n" not in str(error.value)
    assert toy.journal(tmp_path) == []


def test_what_a_run_leaves_besides_tables_is_kept(tmp_path):
    """Of a program of the build: of the first run of each combination, also when it is not new."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/rbudp-transfer").symlink_to(BUILD / "bin/rbudp-transfer")
    wanted = {"flowMonitor": True, "attributes": True, "pcap": "elsewhere/mine"}
    flags = {"bytes": "20kB", "sendRate": ["5Mbps", "9Mbps"], "build": tmp_path, "jobs": 2}
    for count in (2, 3, 3):
        runs = lfn.run("rbudp-transfer", runs=count, **wanted, **flags)
        assert len(runs.summary) == 2 * count
        assert set(runs.folders) == set(runs.summary["folder"])
        for folder in runs.folders.values():
            names = {path.name for path in folder.iterdir()}
            tables = {"summary.csv", "manifest.json", "flowmonitor.xml", "attributes.csv"}
            assert names - tables == {f"mine-node{i}-device0-rbudp.pcap" for i in (0, 1)}
            assert (folder / "mine-node0-device0-rbudp.pcap").stat().st_size > 20000
    capture = "mine-node0-device0-rbudp.pcap"
    captures = {(folder / capture).read_bytes() for folder in runs.folders.values()}
    assert len(captures) == 2
    assert not (tmp_path / "elsewhere").exists()


SCRIPT = """\
import lfn, sys
cases = [{"size": 1, "sleep": 0}, {"size": 2, "sleep": 50}, {"size": 3, "sleep": 50}]
lfn.run("toy-transfer", build=sys.argv[1], jobs=1, cases=cases, progress=False)
"""


def test_an_interrupted_sweep_says_in_one_line_what_is_kept(tmp_path):
    toy.write_program(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, tmp_path],
        env=dict(os.environ, PYTHONPATH=str(ANALYSIS)),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert wait_until(lambda: list(tmp_path.glob("results/toy-*/manifest.json")), 60)
    os.killpg(process.pid, signal.SIGINT)  # as the terminal does
    said = process.communicate(timeout=60)[1]
    assert process.returncode == -signal.SIGINT
    assert said.count("\n") == 1, said
    done = re.match(r"lfn.run: interrupted; (\d) of 3 combinations are finished and kept, ", said)
    assert done, said
    assert len(list(tmp_path.glob("results/toy-*/manifest.json"))) == int(done[1]) > 0
    assert len(toy.journal(tmp_path)) < 3


def test_nothing_to_run_and_no_program(tmp_path):
    toy.write_program(tmp_path)
    with pytest.raises(ValueError, match="empty"):
        run(tmp_path, size=[])
    with pytest.raises(RunError, match=r"no such program; run ./waf build"):
        lfn.run("toy", build=tmp_path)


def test_numbers_of_numpy_are_numbers():
    plain = points_of("toy", 1, {"switch": True, "off": False, "bytes": 5, "rate": 0.5})
    flags = {"switch": np.bool_(True), "off": np.bool_(False), "bytes": np.int64(5)}
    assert points_of("toy", 1, {**flags, "rate": np.float64(0.5)}) == plain
    assert points_of("toy", 1, {"switch": np.array([True])}) == points_of(
        "toy", 1, {"switch": True}
    )


@pytest.mark.parametrize("given", ["libmine.so", "{libmine.so}", "one.so,libmine.so"])
def test_a_changed_library_is_run_again(tmp_path, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    toy.write_program(tmp_path)
    (tmp_path / "one.so").write_text("one")
    for content in ("first", "first", "second"):
        (tmp_path / "libmine.so").write_text(content)
        run(tmp_path, size=1, library=given)
    assert toy.journal(tmp_path) == ["1 1", "1 1"]


def test_a_library_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    toy.write_program(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"libmine\.so"):
        run(tmp_path, size=1, library="libmine.so")
    assert toy.journal(tmp_path) == []


def test_a_preloaded_library_counts(tmp_path, monkeypatch):
    toy.write_program(tmp_path)
    preloaded = tmp_path / "preloaded.so"
    monkeypatch.setattr("lfn.fingerprint.environ", {"LD_PRELOAD": f"libother.so {preloaded}"})
    for content in ("first", "first", "second"):
        preloaded.write_text(content)
        run(tmp_path, size=1)
    assert len(toy.journal(tmp_path)) == 2
