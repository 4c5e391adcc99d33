# SPDX-License-Identifier: GPL-2.0-only
"""Runs that one started program makes in forked children are as those of a program each."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from project import BUILD, PROGRAMS

import lfn.runner
from lfn.points import Point
from lfn.runner import RunError, run_point

FORKING = lfn.runner._Program
ENDLESS = {"bytes": "100GB", "linkRate": "100Gbps", "sendRate": "90Gbps"}


class OwnProcess(FORKING):
    """Makes each run by a process of its own."""

    def __init__(self, executable, several):
        super().__init__(executable, False)


@pytest.fixture
def starts(monkeypatch):
    """Return the list of the processes that the runner starts."""
    started = []

    class Listed(subprocess.Popen):
        def __init__(self, *words, **settings):
            super().__init__(*words, **settings)
            started.append(self)

    monkeypatch.setattr(lfn.runner.subprocess, "Popen", Listed)
    return started


def point_of(program, runs, more=()):
    """Return a Point of a short run of a program."""
    words = [*PROGRAMS[program], *more]
    pairs = [word.removeprefix("--").partition("=") for word in words]
    return Point.make(
        program, {name: value if equals else True for name, equals, value in pairs}, runs
    )


def results(point, folder, jobs):
    """Run a point; return all that it leaves but for time, memory and the folder's name."""
    manifest = run_point(BUILD / "bin" / point.program, point, folder, jobs=jobs)
    del manifest["wall_s"], manifest["run_json"]["flags"]["outputDir"]
    del manifest["run_json"]["wall_s"], manifest["run_json"]["peak_resident_bytes"]
    files = {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "manifest.json"}
    return files, manifest


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_forked_run_leaves_what_a_process_of_its_own_does(
    tmp_path, monkeypatch, starts, program, jobs
):
    more = ["--lossRate=0.01", "--seriesInterval=100ms"]
    point = point_of(program, 4, more)
    forked = results(point, tmp_path / "forked", jobs)
    assert len(starts) == jobs
    monkeypatch.setattr(lfn.runner, "_Program", OwnProcess)
    assert forked == results(point, tmp_path / "own", jobs)
    assert len(starts) == jobs + 4


def test_a_script_may_have_more_to_do_after_its_program(tmp_path, starts):
    script = tmp_path / "script"
    lines = ["#!/bin/sh", f'"{BUILD}/bin/jrm-session" "$@" || exit', 'folder="${5#*=}"']
    script.write_text("\n".join([*lines, 'sed -i "1!s/jrm/mine/" "$folder/summary.csv"', ""]))
    script.chmod(0o755)
    point = Point.make("script", {"messages": 20, "receivers": 2, "flowMonitor": False}, 3)
    script.write_text(script.read_text().replace("5#", f"{len(point.flags()) + 2}#"))
    run_point(script, point, tmp_path / "out")
    rows = (tmp_path / "out" / "summary.csv").read_text().splitlines()
    assert len(starts) == 3
    assert rows[1:]
    assert all("mine" in row for row in rows[1:])


def test_a_single_run_is_not_forked(tmp_path, starts):
    run_point(BUILD / "bin/jrm-session", point_of("jrm-session", 1), tmp_path / "out")
    assert (len(starts), children_of(os.getpid())) == (1, [])


def children_of(process):
    """Return the ids of a process's children."""
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(word) for word in text.split()]


def has_ended(process):
    """Wait for up to 10 s until a process is gone or dead; check whether it is."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            stat = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            return True
        if stat.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.01)
    return False


def message_of(error, monkeypatch, tmp_path, program, point):
    """Return what is notified of a point that fails, by forked runs and by own processes."""
    found = []
    for way in (FORKING, OwnProcess):
        monkeypatch.setattr(lfn.runner, "_Program", way)
        with pytest.raises(RunError, match=error) as reported:
            run_point(program, point, tmp_path / "out")
        found.append(str(reported.value))
        assert not list(tmp_path.glob("*out*"))
    return found


@pytest.mark.parametrize(
    ("flags", "error"),
    [
        ({"bytes": "1MB", "noFlag": 1}, "(?s)run 1 failed .exit status 1.*unknown flag"),
        ({"bytes": "1MB", "RngRun": 3}, "(?s)run 1 failed .exit status 1.*RngRun"),
    ],
)
def test_a_failing_run_says_the_same(tmp_path, monkeypatch, flags, error):
    program = BUILD / "bin" / "rbudp-transfer"
    point = Point.make(program.name, flags, 3)
    forked, own = message_of(error, monkeypatch, tmp_path, program, point)
    assert forked == own


def in_a_while(action):
    """Do something in a thread as soon as it can be done."""

    def do():
        while not action():
            time.sleep(0.01)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("which", ["run", "program"])
def test_a_killed_run_fails(tmp_path, starts, which):
    """Nothing of it lives on."""
    seen = []

    def kill():
        if starts:
            seen[:] = children_of(starts[0].pid)
        if seen:
            os.kill(seen[0] if which == "run" else starts[0].pid, signal.SIGKILL)
        return seen

    killer = in_a_while(kill)
    with pytest.raises(RunError, match="run 1 failed .exit status -9"):
        run_point(
            BUILD / "bin/rbudp-transfer", Point.make("rbudp-transfer", ENDLESS, 3), tmp_path / "out"
        )
    killer.join()
    assert has_ended(seen[0])
    assert has_ended(starts[0].pid)
    assert not list(tmp_path.iterdir())


def test_the_run_ends_with_the_runner(tmp_path, starts):
    """As when the runner gets SIGTERM."""
    seen = []

    class Ended(Exception):
        pass

    def end(*_):
        raise Ended

    def stop():
        if starts:
            seen[:] = children_of(starts[0].pid)
        if seen:
            os.kill(os.getpid(), signal.SIGUSR1)
        return seen

    before = signal.signal(signal.SIGUSR1, end)
    try:
        in_a_while(stop)
        with pytest.raises(Ended):
            run_point(
                BUILD / "bin/rbudp-transfer",
                Point.make("rbudp-transfer", ENDLESS, 3),
                tmp_path / "out",
            )
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert has_ended(seen[0])
    assert not list(tmp_path.iterdir())
