# SPDX-License-Identifier: GPL-2.0-only
"""A server of forked children: output, status and end are those of the client."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import served

SERVER = """
import os, sys, time
from served import serve
def work(words):
    print("words", *words, "in", os.getcwd(), flush=True)
    print("error", file=sys.stderr)
    if words == ["fail"]: raise ValueError("wrong")
    if words == ["exit"]: sys.exit(4)
    if words == ["kill"]: os.kill(os.getpid(), 9)
    if words == ["wait"]:
        open("pid", "w").write(str(os.getpid()))
        time.sleep(60)
    return 3
serve(sys.argv[1], work)
"""
CLIENT = "import sys; from served import ask; sys.exit(ask(sys.argv[1], sys.argv[2:]))"
ANALYSIS = Path(__file__).resolve().parents[1]


def start(code, *words, folder):
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        cwd=folder,
        env=dict(os.environ, PYTHONPATH=str(ANALYSIS)),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def until(condition):
    """Wait for a condition, which comes true."""
    while not condition():
        time.sleep(0.02)


def is_running(pid):
    """Check whether a process is neither gone nor dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "socket"
    server = start(SERVER, path, folder=tmp_path)
    until(path.exists)
    yield path
    server.kill()
    server.communicate()


@pytest.mark.parametrize(
    ("word", "status", "message"),
    [
        ("good", 3, "error"),
        ("fail", 1, "ValueError: wrong"),
        ("exit", 4, "error"),
        ("kill", 1, "ended before it answered"),
    ],
)
def test_a_client_is_as_if_it_did_the_work(path, tmp_path, word, status, message):
    (tmp_path / "here").mkdir()
    client = start(CLIENT, path, word, folder=tmp_path / "here")
    out, err = client.communicate(timeout=60)
    assert (client.returncode, out) == (status, f"words {word} in {tmp_path / 'here'}\n")
    assert message in err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_work_of_a_killed_client_ends(path, tmp_path, number):
    client = start(CLIENT, path, "wait", folder=tmp_path)
    until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    pid = int((tmp_path / "pid").read_text())
    assert is_running(pid)
    client.send_signal(number)
    client.communicate(timeout=60)
    until(lambda: not is_running(pid))


def test_several_at_a_time(path, tmp_path):
    clients = [start(CLIENT, path, f"n{i}", folder=tmp_path) for i in range(8)]
    assert [client.communicate(timeout=60)[0].split()[1] for client in clients] == [
        f"n{i}" for i in range(8)
    ]


def test_without_a_server(tmp_path):
    code = "import sys; from served import ask; print(ask(sys.argv[1], []))"
    assert start(code, tmp_path / "none", folder=tmp_path).communicate(timeout=60)[0] == "None\n"


def test_an_editors_lock_is_no_file_of_the_analysis(tmp_path, monkeypatch):
    """Emacs makes a dangling link next to the file that it edits."""
    modules = tmp_path / "lfn"
    modules.mkdir()
    (modules / "__init__.py").touch()
    (modules / ".#forks.py").symlink_to("somebody@somewhere.1")
    monkeypatch.setattr(served.lfn, "__file__", str(modules / "__init__.py"))
    began = time.time_ns() + 10**9
    assert served.is_current(began)
    os.utime(modules / "__init__.py", ns=(began, began))
    assert not served.is_current(began)
