# SPDX-License-Identifier: GPL-2.0-only
"""Any host that starts runs is killed: nothing that it started, or that these started, lives on."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import toy
from conftest import ANALYSIS
from lfn.process import ending_with_this_process, following

HOME = ANALYSIS.parent
WAF = "import commands, sys; commands.python(*sys.argv[1:])"
RUN = "import lfn, sys; lfn.run('toy-transfer', build=sys.argv[1], jobs=2, size=[1, 2], sleep=60)"
DRAW = "import lfn, sys; lfn.figure('toy', build=sys.argv[1], figures=sys.argv[2], jobs=2)"


def alive(marker):
    """Return {process id: command} of the processes that have a text in their command."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if marker in command:
            found[int(path.parent.name)] = command
    return found


def wait_until(condition, seconds):
    """Wait for a condition; return whether it came true."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("starter", ["waf", "figures.py", "lfn.run", "lfn.figure"])
def test_nothing_outlives_a_killed_campaign(tmp_path, starter):
    build, figures = tmp_path / "build", tmp_path / "figures"
    toy.write_program(build)
    toy.write_figure(figures, sleep=60)
    campaign = [str(ANALYSIS / "figures.py"), "--preset", "quick", "--jobs", "2"]
    campaign += ["--build", str(build), "--figures", str(figures)]
    words = {
        "waf": ["-c", WAF, *campaign],
        "figures.py": campaign,
        "lfn.run": ["-c", RUN, str(build)],
        "lfn.figure": ["-c", DRAW, str(build), str(figures)],
    }[starter]
    paths = os.pathsep.join([str(HOME / ".waf-tools"), str(ANALYSIS)])
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=HOME,
        env=dict(os.environ, PYTHONPATH=paths),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        # Two runs are under way.
        begun = wait_until(
            lambda: sum("--outputDir=" in c for c in alive(str(tmp_path)).values()) >= 2, 60
        )
        assert begun, alive(str(tmp_path))
        process.kill()
        process.wait()
        assert wait_until(lambda: not alive(str(tmp_path)), 10), alive(str(tmp_path))
    finally:
        for left in alive(str(tmp_path)):
            os.kill(left, signal.SIGKILL)


def test_a_command_ends_with_the_process_that_is_named(tmp_path):
    marker = str(tmp_path / "marker")
    call = "from lfn.process import ending_with_this_process as end; import subprocess, sys, time\n"
    call += (
        "subprocess.Popen(end(sys.executable, '-c', 'import time; time.sleep(60)', sys.argv[1]))"
    )
    command = [sys.executable, "-c", call + "\ntime.sleep(60)", marker]
    process = subprocess.Popen(command, env=dict(os.environ, PYTHONPATH=str(ANALYSIS)))
    assert wait_until(lambda: len(alive(marker)) == 2, 20), alive(marker)
    process.kill()
    process.wait()
    assert wait_until(lambda: not alive(marker), 10), alive(marker)


def test_a_command_whose_starter_is_gone_does_not_begin():
    done = subprocess.run(following(1, signal.SIGTERM, "echo", "goes on"), capture_output=True)
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, b"")
    done = subprocess.run(
        ending_with_this_process("/nowhere/program"), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "/nowhere/program: No such file or directory\n")


@pytest.mark.parametrize("name", ["PIPE", "XFSZ"])
def test_a_command_has_the_signals_of_one_that_is_started_directly(name):
    """Python ignores some; a program that writes to `head` would go on to its end."""
    command = ["sh", "-c", f"kill -{name} $$; echo survived"]
    for words in (command, ending_with_this_process(*command)):
        done = subprocess.run(words, capture_output=True)
        number = getattr(signal, f"SIG{name}")
        assert (done.returncode, done.stdout) == (-number, b""), words
