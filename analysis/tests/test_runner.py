# SPDX-License-Identifier: GPL-2.0-only
"""The runner: whole results or none, also when it is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import toy
from conftest import ANALYSIS
from lfn.fingerprint import fingerprint, stamps
from lfn.points import Point
from lfn.runner import RunError, run_point
from run_point import main


def entries(folder):
    return sorted(path.name for path in folder.iterdir())


def test_runs_are_merged(tmp_path):
    program = toy.write_program(tmp_path)
    point = Point.make("toy-transfer", {"size": 7, "messages": True}, 3)
    run_point(program, point, tmp_path / "out", fingerprint(program))
    assert entries(tmp_path / "out") == ["manifest.json", "messages.csv", "summary.csv"]
    lines = (tmp_path / "out" / "summary.csv").read_text().splitlines()
    assert lines[0] == "run,flow,start_s,finish_s,completed,delivered_bytes,protocol"
    assert [line.split(",")[0] for line in lines[1:]] == ["1", "2", "3"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["args"] == {"size": "7", "messages": "true"}
    assert manifest["fingerprint"] == fingerprint(program)
    assert manifest["files"] == ["summary.csv", "messages.csv"]
    assert len(manifest["wall_s"]) == 3
    assert manifest["run_json"]["versions"]["ns3"] == "3.44"


@pytest.mark.parametrize("name", ["client.events", "flowmonitor.xml", "attributes.csv"])
def test_texts_of_the_first_run_are_kept(tmp_path, name):
    program = toy.write_program(tmp_path)
    point = Point.make("toy-transfer", {"size": 7, "text": name}, 2)
    manifest = run_point(program, point, tmp_path / "out")
    assert entries(tmp_path / "out") == sorted([name, "manifest.json", "summary.csv"])
    assert (tmp_path / "out" / name).read_text() == "run 1\n"
    assert manifest["files"] == ["summary.csv", name]


def test_a_file_that_a_flag_names(tmp_path):
    program = toy.write_program(tmp_path)
    (tmp_path / "net.csv").write_text("1")
    point = Point.make("toy-transfer", {"size": 7, "net": "[{net.csv}]"}, 1, tmp_path)
    manifest = run_point(program, point, tmp_path / "out", fingerprint(program))
    assert f"--net=[{tmp_path}/net.csv]" in manifest["command"].replace("'", "")
    assert manifest["args"]["net"] == "[{net.csv}]"
    (tmp_path / "net.csv").write_text("2")
    with pytest.raises(RunError, match="net.csv: changed since the plan was made; start again"):
        run_point(program, point, tmp_path / "out", fingerprint(program))


def test_a_file_that_changes_while_the_point_runs_publishes_nothing(tmp_path):
    program = toy.write_program(tmp_path)
    program.write_text(program.read_text() + "open(flags['net'][1:-1], 'a').write('2')\n")
    (tmp_path / "net.csv").write_text("1")
    point = Point.make("toy-transfer", {"size": 7, "net": "[{net.csv}]"}, 2, tmp_path)
    with pytest.raises(RunError, match="net.csv: changed since the plan was made; start again"):
        run_point(program, point, tmp_path / "out", fingerprint(program))
    assert entries(tmp_path) == ["bin", "journal", "net.csv"]


def test_what_is_no_result_is_not_replaced(tmp_path, capsys):
    program = toy.write_program(tmp_path)

    def refused(out):
        assert main(["--program", str(program), "--args", "size=7", "--out", str(out)]) == 1
        assert not (tmp_path / "journal").exists()
        text = capsys.readouterr().err
        assert text.count("\n") == 1
        return text

    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years")
    assert f"{mine}: holds thesis.tex, which no point of a campaign writes" in refused(mine)
    (mine / "thesis.tex").rename(mine / "summary.csv")
    (mine / "notes").mkdir()
    assert f"{mine}: holds notes, which no point" in refused(mine)
    assert entries(mine) == ["notes", "summary.csv"]
    assert refused(mine / "summary.csv").endswith("is a file; name a folder for the results\n")
    assert refused(mine / "summary.csv" / "x").endswith(": Not a directory\n")
    assert refused("/").endswith("needs a name of its own\n")
    (mine / "notes").rmdir()
    assert main(["--program", str(program), "--args", "size=7", "--out", str(mine)]) == 0


def test_a_changed_program_runs_nothing(tmp_path):
    """The manifest names what has run, not what the plan was made for."""
    program = toy.write_program(tmp_path)
    planned = fingerprint(program)
    toy.write_program(tmp_path, factor=2)
    with pytest.raises(RunError, match="toy-transfer: changed since the plan was made; start"):
        run_point(program, Point.make("toy-transfer", {"size": 7}), tmp_path / "out", planned)
    program.unlink()
    with pytest.raises(RunError, match="toy-transfer: no such program"):
        run_point(program, Point.make("toy-transfer", {"size": 7}), tmp_path / "out", planned)
    assert entries(tmp_path) == ["bin"]


def test_a_program_that_changes_while_it_runs_publishes_nothing(tmp_path):
    program = toy.write_program(tmp_path)
    program.write_text(program.read_text() + 'open(__file__, "a").write("# changed\\n")\n')
    point = Point.make("toy-transfer", {"size": 7})
    with pytest.raises(RunError, match="changed since the plan was made"):
        run_point(program, point, tmp_path / "out", fingerprint(program))
    assert entries(tmp_path) == ["bin", "journal"]


def test_what_is_as_stamped_is_not_read_again(tmp_path, monkeypatch):
    """What was touched is: if it is another program, nothing runs."""
    program = toy.write_program(tmp_path)
    point, out = Point.make("toy-transfer", {"size": 7}), tmp_path / "out"
    planned, known = fingerprint(program), stamps(program)
    with monkeypatch.context() as patch:
        patch.setattr("lfn.runner.fingerprint_of", lambda _: pytest.fail("read again"))
        manifest = run_point(program, point, out, planned, stamps=known)
    assert manifest["fingerprint"] == planned
    os.utime(program, (1, 1))
    assert run_point(program, point, out, planned, stamps=known)["wall_s"] == manifest["wall_s"]
    toy.write_program(tmp_path, factor=2)
    with pytest.raises(RunError, match="changed since the plan was made"):
        run_point(program, point, out, planned, stamps=known)


def test_a_program_behind_a_link_of_another_name(tmp_path):
    """As a campaign of one's own has them."""
    link = tmp_path / "mine"
    link.symlink_to(toy.write_program(tmp_path))
    manifest = run_point(link, Point.make("mine", {"size": 7}), tmp_path / "out", fingerprint(link))
    assert list(manifest["fingerprint"]) == ["mine"]
    assert manifest["command"].startswith(str(link.resolve()))


def test_a_failed_run_leaves_the_earlier_result_and_says_how_to_repeat_it(tmp_path):
    program = toy.write_program(tmp_path)
    run_point(program, Point.make("toy-transfer", {"size": 7}), tmp_path / "out")
    before = (tmp_path / "out" / "summary.csv").read_text()
    with pytest.raises(RunError) as caught:
        run_point(program, Point.make("toy-transfer", {"fail": 1}, 2), tmp_path / "out")
    assert "toy: --fail: do not ask for it" in str(caught.value)
    assert f"repeat it with: {program} --fail=1 --RngRun=1" in str(caught.value)
    assert (tmp_path / "out" / "summary.csv").read_text() == before
    assert entries(tmp_path) == ["bin", "journal", "out"]


def test_a_result_is_replaced(tmp_path):
    program = toy.write_program(tmp_path)
    for size in (7, 8):
        run_point(program, Point.make("toy-transfer", {"size": size}), tmp_path / "out")
    assert ",8,toy" in (tmp_path / "out" / "summary.csv").read_text()
    assert entries(tmp_path) == ["bin", "journal", "out"]


def test_a_missing_program(tmp_path):
    with pytest.raises(RunError, match="No such file"):
        run_point(tmp_path / "none", Point.make("none", {}), tmp_path / "out")
    assert entries(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_runner_leaves_no_result_and_no_child(tmp_path, number):
    program = toy.write_program(tmp_path)
    command = [sys.executable, str(ANALYSIS / "run_point.py"), "--program", str(program)]
    command += ["--runs", "2", "--out", str(tmp_path / "out"), "--args", "size=7", "sleep=60"]
    process = subprocess.Popen(command)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 20
    child = ""
    while not child and time.monotonic() < deadline:
        time.sleep(0.05)
        child = children.read_text().split(" ")[0]
    os.kill(process.pid, number)
    process.wait(timeout=20)
    deadline = time.monotonic() + 10
    while _alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(child)
    assert not (tmp_path / "out").exists()


def test_a_child_that_begins_after_its_parents_end_ends_itself():
    call = "from lfn.process import end_with_parent; end_with_parent(parent=1); print('goes on')"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (-9, b"")


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_command_line(tmp_path):
    program = toy.write_program(tmp_path)
    command = [sys.executable, str(ANALYSIS / "run_point.py"), "--program", str(program)]
    command += ["--runs", "2", "--args", "size=7", "messages", "--out", str(tmp_path / "out")]
    assert subprocess.run(command, check=False).returncode == 0
    assert (tmp_path / "out" / "messages.csv").exists()
    command[command.index("size=7")] = "fail=1"
    failed = subprocess.run(command, check=False, capture_output=True, text=True)
    assert failed.returncode == 1
    assert "repeat it with" in failed.stderr


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--runs", "0"], "runs=0: give at least 1"),
        (["--runs", "-1"], "runs=-1: give at least 1"),
        (["--params", "none.json"], "--params=none.json: No such file or directory"),
        (["--params", "bad.json"], "--params=bad.json: must be JSON with program, args and runs, "),
        (["--params", "list.json"], "--params=list.json: must be JSON with program, args and "),
        (["--params", "short.json"], "--params=short.json: must be JSON with program, args and "),
        (["--fingerprint", "bad.json"], "--fingerprint=bad.json: no JSON file with digests"),
    ],
)
def test_a_mistake_by_hand_is_one_line(tmp_path, monkeypatch, capsys, more, says):
    monkeypatch.chdir(tmp_path)
    for name, text in (("bad", "{"), ("list", "[1]"), ("short", '{"program": "a"}')):
        (tmp_path / f"{name}.json").write_text(text)
    handler = signal.getsignal(signal.SIGTERM)
    try:
        status = main(["--program", str(toy.write_program(tmp_path)), "--out", "out", *more])
    finally:
        signal.signal(signal.SIGTERM, handler)
    said = capsys.readouterr().err
    assert status == 1
    assert said.startswith(says) and said.count("\n") == 1
    assert not (tmp_path / "out").exists()
