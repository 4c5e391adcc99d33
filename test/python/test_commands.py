# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf makes of the programs that it starts: counts of suites, an interrupt."""

import os
import signal
import subprocess
import sys
import time

import pytest
from project import BUILD, HOME

import commands

PASS, FAIL = "  PASS one case 0.010 s", "  FAIL another 1.250 s"
CHILD = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.default_int_handler)  # as the campaign does
try:
    pathlib.Path(sys.argv[1]).touch()
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(1)
    print("cleaned up")
    sys.exit(7)
"""


@pytest.mark.parametrize(
    ("says", "end", "passed", "failed"),
    [
        ([PASS, PASS], "exit 0", 2, 0),
        ([PASS, FAIL], "exit 1", 1, 1),
        ([PASS, PASS], "exit 1", 2, 1),
        ([PASS], "kill -SEGV $$", 1, 1),
        ([FAIL], "kill -SEGV $$", 0, 1),
        ([], "exit 0", 0, 1),
        ([], "exec sleep 20", 0, 1),
    ],
)
def test_a_suite_that_ends_outside_a_case_counts_as_a_failure(
    tmp_path, monkeypatch, says, end, passed, failed
):
    monkeypatch.setattr(commands, "SUITE_SECONDS", 2)
    runner = tmp_path / "runner"
    lines = [f"echo '{line}'" for line in ["PASS lfn-x 1.300 s", *says]]
    runner.write_text("\n".join(["#!/bin/sh", *lines, end, ""]))
    runner.chmod(0o755)
    assert commands.run_suite(runner, "lfn-x")[:3] == ("lfn-x", passed, failed)


@pytest.mark.parametrize(
    ("send", "number"), [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)]
)
def test_an_interrupted_program_ends_in_its_own_time(tmp_path, send, number):
    """Ctrl-C reaches both, SIGTERM only waf; a campaign still has the jobs of a cluster to end."""
    words = ["-c", "import commands, sys; commands.python(*sys.argv[1:])"]
    process = subprocess.Popen(
        [sys.executable, *words, "-c", CHILD, tmp_path / "started"],
        env=dict(os.environ, PYTHONPATH=str(HOME / ".waf-tools")),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # The test itself may be a background job of a script, which ignores SIGINT.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    deadline = time.monotonic() + 20
    while not (tmp_path / "started").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    send(process.pid, number)
    said, _ = process.communicate(timeout=20)
    assert (process.returncode, said) == (7, "cleaned up\n")


def test_suites_that_the_sanitizers_leave_out_are_there(capsys):
    """Those are left out of all, and run by their names."""
    runner = [BUILD / "bin" / "lfn-test-runner", "--list"]
    suites = subprocess.check_output(runner, text=True).split()
    assert set(commands.LONG_SUITES) < set(suites)
    name, left_out = "lfn-xcp-wire", ("lfn-xcp-wire",)
    named = commands.run_suites(BUILD, [name], 1, left_out)
    assert named[0] > 0
    both = commands.run_suites(BUILD, ["lfn-jrm-wire", name], 1, left_out)
    assert both[0] > named[0]
    others = [suite for suite in suites if suite != name]
    assert commands.run_suites(BUILD, ["suites"], 1, others) == named
    capsys.readouterr()
    with pytest.raises(SystemExit):
        commands.run_suites(BUILD, [name, "nothing"], 1)
    said = capsys.readouterr()
    assert "--only=nothing: no such suite" in said.err
    assert said.out == "", "nothing has run"
