# SPDX-License-Identifier: GPL-2.0-only
"""Profiles of clusters: found by name or folder, and understood by the pinned executors.

.ci/slurm.sh runs a figure on a Slurm of one node and compares it with a local run.
"""

import importlib.util
import os
import signal
import subprocess
import sys
import time

import pytest

from test_campaign import ALL, Campaign


def test_a_profile_of_ones_own(tmp_path):
    campaign = Campaign(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.yaml").write_text("latency-wait: 7\n")
    _, runs = campaign.run("--cluster", str(tmp_path / "mine"))
    assert runs == ALL
    log = (campaign.build / "log" / "snakemake.log").read_text()
    assert f"Using profile {tmp_path / 'mine'}" in log


def test_an_unknown_profile_is_one_line(tmp_path):
    campaign = Campaign(tmp_path)
    text, _ = campaign.run("--cluster", "nothing", status=1)
    assert text == (
        "figures: --cluster=nothing: no config.yaml in such a folder; there are kubernetes, slurm\n"
    )
    assert not (campaign.build / "log").exists()


def test_jobs_of_a_profile(tmp_path):
    """The expected time is that of as many jobs as run: the profile's, unless configured
    otherwise."""
    campaign = Campaign(tmp_path)
    (tmp_path / "mine").mkdir()
    config = tmp_path / "mine" / "config.yaml"
    config.write_text("jobs: 3\n")
    profile = ("--cluster", str(tmp_path / "mine"))
    assert "with 3 jobs" in campaign.run(*profile, "--plan", jobs=None)[0]
    assert "with 2 jobs" in campaign.run(*profile, "--jobs", "2", "--plan", jobs=None)[0]
    assert f"with {os.cpu_count()} jobs" in campaign.run("--plan", jobs=None)[0]
    config.write_text("jobs: many\n")
    text, _ = campaign.run(*profile, jobs=None, status=1)
    assert text == "figures: --jobs=many: give at least 1\n"
    for words in (b"jobs: [1\n", b"jobs: \xff\n"):
        config.write_bytes(words)
        text, _ = campaign.run(*profile, jobs=None, status=1)
        assert text.startswith(f"figures: {config}: no YAML: ") and text.count("\n") == 1
    for words in ("- jobs\n", "jobs\n"):
        config.write_text(words)
        text, _ = campaign.run(*profile, jobs=None, status=1)
        assert text == f"figures: {config}: must be a table\n"
    assert campaign.run(*profile, "--jobs", "2", "--plan")[0]


def has(executor):
    return importlib.util.find_spec(f"snakemake_executor_plugin_{executor}") is not None


@pytest.mark.parametrize(
    ("name", "executor"), [("slurm", "slurm"), ("kubernetes", "cluster_generic")]
)
def test_dry_run(tmp_path, name, executor):
    if not has(executor):
        pytest.skip(f"the executor for {name} is not installed")
    campaign = Campaign(tmp_path)
    text, runs = campaign.run("--cluster", name, "--", "--dry-run")
    assert runs == []
    assert "a dry run, nothing was made" in text
    assert "point_" in (campaign.build / "log" / "snakemake.log").read_text()


KUBECTL = """\
#!{python}
# A cluster of one: jobs are run at once, in the order of their creation.
import json, os, subprocess, sys
words = [word for word in sys.argv[1:] if not word.startswith("--")]
if words[0] == "create":
    job = json.load(sys.stdin)
    pod = job["spec"]["template"]["spec"]
    [container] = pod["containers"]
    assert container["image"] == "an-image"
    assert container["volumeMounts"] == [{{"name": "lfn", "mountPath": "/shared"}}]
    assert pod["volumes"][0]["persistentVolumeClaim"] == {{"claimName": "a-claim"}}
    assert container["resources"]["requests"] == {{"cpu": "1", "memory": "400M"}}
    assert container["resources"]["limits"] == {{"memory": "400M"}}
    assert container["securityContext"]["runAsUser"] == os.getuid()
    assert not container["securityContext"]["allowPrivilegeEscalation"]
    assert job["spec"]["activeDeadlineSeconds"] == {minutes} * 60
    [rule] = job["spec"]["podFailurePolicy"]["rules"]
    assert rule == {{"action": "Ignore", "onPodConditions": [{{"type": "DisruptionTarget"}}]}}
    # What the manifest does not report a job does not have, such as a name for its user.
    reported = {{one["name"]: one["value"] for one in container["env"]}}
    assert {{"LOGNAME", "HOME"}} <= set(reported)
    reported["PATH"] = os.defpath
    where = container["workingDir"]
    done = subprocess.run(container["command"], cwd=where, env=reported, capture_output=True)
    name = job["metadata"]["generateName"] + str(len(os.listdir({folder!r})))
    kind = "Failed" if done.returncode else "Complete"
    status = {{"conditions": [{{"type": kind, "status": "True"}}]}}
    found = {{"metadata": {{"name": name}}, "status": status}}
    open({folder!r} + "/" + name, "w").write(json.dumps(found))
    print(json.dumps(found))
else:
    if not os.path.exists({folder!r} + "/asked"):
        open({folder!r} + "/asked", "w").close()
        sys.exit("the server is busy")
    print(open({folder!r} + "/" + words[2]).read())
"""


@pytest.mark.parametrize(("size", "jobs", "minutes"), [(20, 1, 3 * 3), (1, 3, 3)])
def test_jobs_of_kubernetes(tmp_path, monkeypatch, size, jobs, minutes):
    """Short points share a job, where they take turns: their minutes add up, their cores do not."""
    if not has("cluster_generic"):
        pytest.skip("the executor for Kubernetes is not installed")
    campaign = Campaign(tmp_path)
    (tmp_path / "jobs").mkdir()
    (tmp_path / "cluster").mkdir()
    kubectl = tmp_path / "cluster" / "kubectl"
    folder = str(tmp_path / "jobs")
    kubectl.write_text(KUBECTL.format(python=sys.executable, folder=folder, minutes=minutes))
    kubectl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{kubectl.parent}{os.pathsep}{os.environ['PATH']}")
    text, _ = campaign.run("--cluster", "kubernetes", status=1)
    assert "set LFN_KUBERNETES_IMAGE" in (campaign.build / "log" / "snakemake.log").read_text()
    for name, value in (("IMAGE", "an-image"), ("CLAIM", "a-claim"), ("PATH", "/shared")):
        monkeypatch.setenv(f"LFN_KUBERNETES_{name}", value)
    _, runs = campaign.run("--cluster", "kubernetes", "--", "--group-components", f"short={size}")
    assert runs == ALL
    # The first question failed, and was asked again.
    assert len(list((tmp_path / "jobs").iterdir())) == jobs + 1


ENDLESS = """\
#!/bin/sh
# A cluster whose jobs never end; the state of one is reported at once, or after a while.
case "$*" in
*" create "*)
    echo job >>"{folder}/created"
    echo '{{"metadata": {{"name": "job-'$(wc -l <"{folder}/created")'"}}}}'
    ;;
*" get "*)
    echo asked >>"{folder}/asked"
    sleep {wait}
    echo '{{}}'
    ;;
"delete job "*) echo "$@" >>"{folder}/deleted" ;;
esac
"""


@pytest.mark.parametrize(
    ("number", "heeds", "wait", "begun"),
    [(signal.SIGTERM, signal.SIG_IGN, 0, "created"), (signal.SIGINT, signal.SIG_DFL, 3, "asked")],
)
def test_an_interrupt_ends_the_jobs(tmp_path, monkeypatch, number, heeds, wait, begun):
    """Also those whose state is being asked for. What they write is left to them.

    Also in the background of a script, where SIGINT is ignored.
    """
    if not has("cluster_generic"):
        pytest.skip("the executor for Kubernetes is not installed")
    campaign = Campaign(tmp_path)
    kubectl = tmp_path / "cluster" / "kubectl"
    kubectl.parent.mkdir()
    kubectl.write_text(ENDLESS.format(folder=tmp_path, wait=wait))
    kubectl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{kubectl.parent}{os.pathsep}{os.environ['PATH']}")
    for name, value in (("IMAGE", "an-image"), ("CLAIM", "a-claim"), ("PATH", "/shared")):
        monkeypatch.setenv(f"LFN_KUBERNETES_{name}", value)
    alive = campaign.build / "results" / ".toy.1.tmp"
    alive.mkdir(parents=True)
    words = ("--cluster", "kubernetes", "--", "--seconds-between-status-checks", "1")
    words += ("--group-components", "short=1")
    process = subprocess.Popen(
        campaign.command(*words),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, heeds),  # noqa: PLW1509
    )
    log = campaign.build / "log" / "snakemake.log"
    deadline = time.monotonic() + 60
    while not (
        (tmp_path / begun).exists() and log.exists() and "external jobid 'job-2'" in log.read_text()
    ):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith("stopped; the same command goes on from here\n")
    deleted = (tmp_path / "deleted").read_text().split()
    created = (tmp_path / "created").read_text().count("job")
    assert {f"job-{n}" for n in range(1, created + 1)} <= set(deleted)
    assert alive.is_dir()
