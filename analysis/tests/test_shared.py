# SPDX-License-Identifier: GPL-2.0-only
"""lfn.run() and campaigns in one build folder: each finds what others made, and none gets lost."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

import lfn
import toy
from conftest import ANALYSIS
from lfn.files import locked, replaced
from lfn.fingerprint import fingerprint
from lfn.points import Point
from lfn.runner import RunError, run_point
from test_campaign import ALL, Campaign, copy_figure
from test_killed import alive, wait_until

RUN = "import lfn, sys; lfn.run('toy-transfer', build=sys.argv[1], jobs=2, runs=2, size=[1, 2, 3]"


def start(command, **more):
    return subprocess.Popen(
        command,
        env=dict(os.environ, PYTHONPATH=str(ANALYSIS)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **more,
    )


def kept(build):
    """Return {file: content} of results and figures, without times."""
    found = {}
    for path in sorted([*build.glob("results/*/*"), *build.glob("figures/*/*.csv")]):
        content = path.read_bytes()
        if path.name == "manifest.json":
            manifest = json.loads(content)
            content = {name: manifest[name] for name in ("runs", "files", "args")}
        found[str(path.relative_to(build))] = content
    return found


def test_a_campaign_finds_what_lfn_run_made(tmp_path):
    campaign = Campaign(tmp_path)
    lfn.run("toy-transfer", build=campaign.build, jobs=2, runs=2, size=[1, 2, 3], sleep=0)
    assert toy.journal(campaign.build) == ALL
    text, runs = campaign.run()
    assert runs == []
    assert "nothing to run" in text
    assert (campaign.build / "figures" / "toy" / "toy.csv").is_file()
    assert not (campaign.build / "log" / "points").exists(), "no job of a point was started"


def test_lfn_run_finds_what_a_campaign_made_and_adds_to_it(tmp_path):
    campaign = Campaign(tmp_path)
    assert campaign.run()[1] == ALL
    words = {"build": campaign.build, "jobs": 2, "sleep": 0}
    runs = lfn.run("toy-transfer", **words, runs=2, size=[1, 2, 3])
    assert toy.journal(campaign.build) == []
    assert len(runs.summary) == 6
    lfn.run("toy-transfer", **words, runs=3, size=1)
    assert toy.journal(campaign.build) == ["1 3"]
    assert campaign.run()[1] == []


def test_what_several_want_at_once_is_run_once(tmp_path):
    campaign = Campaign(tmp_path)
    toy.write_figure(campaign.figures, sleep=1.5)
    sweep = [sys.executable, "-c", f"{RUN}, sleep=1.5)", str(campaign.build)]
    others = [start(sweep), start(sweep)]
    _, runs = campaign.run()
    for other in others:
        said = other.communicate(timeout=600)[0]
        assert other.returncode == 0, said
    assert sorted([*runs, *toy.journal(campaign.build)]) == ALL


def test_builders_with_different_points_do_not_wait(tmp_path):
    campaign = Campaign(tmp_path)
    toy.write_figure(campaign.figures, sleep=600)
    long = start(campaign.command("--only", "toy"))
    try:
        running = lambda: any("--outputDir" in c for c in alive(str(tmp_path)).values())  # noqa: E731
        assert wait_until(running, 60)
        copy_figure(campaign.figures, "other")
        path = campaign.figures / "other" / "figure.toml"
        path.write_text(path.read_text().replace("sleep = 600", "sleep = 0"))
        lfn.run("toy-transfer", build=campaign.build, size=9)
        assert toy.journal(campaign.build) == ["9 1"]
        text, runs = campaign.run("--only", "other")
        assert runs == ALL
        assert "waiting" not in text
        assert (campaign.build / "report" / "figure-other.html").is_file()
        assert long.poll() is None
    finally:
        long.kill()
        long.communicate()
    wait_until(lambda: not alive(str(tmp_path)), 20)


def test_a_campaign_for_the_same_figure_waits(tmp_path):
    campaign = Campaign(tmp_path)
    with locked(campaign.build / "log" / "figures" / "toy"):
        second = start(campaign.command())
        assert second.stdout.readline() == "another campaign makes toy; waiting for its end\n"
    said = second.communicate(timeout=600)[0]
    assert second.returncode == 0, said
    assert toy.journal(campaign.build) == ALL


def test_campaigns_killed_at_any_moment_are_resumed_without_loss(tmp_path):
    """The results are those of a campaign that nobody disturbed, byte for byte."""
    undisturbed = Campaign(tmp_path / "undisturbed")
    toy.write_figure(undisturbed.figures, sleep=0.2)
    undisturbed.run()
    campaign = Campaign(tmp_path / "killed")
    toy.write_figure(campaign.figures, sleep=0.2)
    sweep = [sys.executable, "-c", f"{RUN}, sleep=0.2)", str(campaign.build)]
    chance = random.Random(7)
    for number in range(6):
        process = start(sweep if number % 3 == 2 else campaign.command(), start_new_session=True)
        try:
            process.communicate(timeout=chance.uniform(1.0, 9.0))
        except subprocess.TimeoutExpired:
            whole = number % 2  # the group with all children, or the first process alone
            (os.killpg if whole else os.kill)(process.pid, signal.SIGKILL)
            process.communicate()
    campaign.run()
    assert kept(campaign.build) == kept(undisturbed.build)
    for folder in ("results", "figures", "."):
        left = [path.name for path in (campaign.build / folder).glob(".*")]
        assert left in ([], [".snakemake"]), folder
    assert campaign.run()[1] == []


def test_a_point_killed_at_any_moment_is_whole_or_absent(tmp_path):
    program = toy.write_program(tmp_path)
    out = tmp_path / "out"
    digests = tmp_path / "digests.json"
    digests.write_text(json.dumps({"digests": fingerprint(program)}))
    command = [sys.executable, str(ANALYSIS / "run_point.py"), "--program", str(program)]
    command += ["--args", "size=7", "--fingerprint", str(digests), "--out", str(out), "--runs"]
    chance = random.Random(3)
    there = 0
    for runs in range(2, 26, 2):
        process = start([*command, str(runs)])
        time.sleep(chance.uniform(0.1, 0.8))
        process.kill()
        process.communicate()
        wait_until(lambda: not alive(str(tmp_path)), 10)
        with locked(out):  # as any host that comes next
            if not out.exists():
                assert there == 0
                continue
        manifest = json.loads((out / "manifest.json").read_text())
        rows = (out / "summary.csv").read_text().splitlines()[1:]
        assert manifest["runs"] >= there
        there = manifest["runs"]
        assert [int(row.split(",")[0]) for row in rows] == list(range(1, there + 1))
    assert start([*command, "26"]).wait() == 0
    whole = run_point(program, Point.make("toy-transfer", {"size": 7}, 26), tmp_path / "whole")
    assert (out / "summary.csv").read_bytes() == (tmp_path / "whole" / "summary.csv").read_bytes()
    assert whole["runs"] == 26


def test_a_kill_between_two_renames_loses_nothing(tmp_path):
    program = toy.write_program(tmp_path)
    point, out = Point.make("toy-transfer", {"size": 7}, 2), tmp_path / "out"
    run_point(program, point, out, fingerprint(program))
    toy.journal(tmp_path)
    out.rename(tmp_path / ".out.1.old")
    (tmp_path / ".out.1.tmp").mkdir()
    (tmp_path / ".out.log.1.tmp").mkdir()  # of another target
    assert run_point(program, point, out, fingerprint(program))["runs"] == 2
    assert toy.journal(tmp_path) == []
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"bin", "out", ".out.log.1.tmp"}


def test_an_error_leaves_what_was_there(tmp_path):
    target = tmp_path / "out"
    with locked(target), replaced(target) as work:
        (work / "one").touch()
    with pytest.raises(RunError), locked(target), replaced(target) as work:
        (work / "two").touch()
        raise RunError("as asked")
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "one"]
    shutil.rmtree(target)
    with locked(target), locked(target, wait=False) as held:
        assert not held
