# SPDX-License-Identifier: GPL-2.0-only
"""Profiles of clusters: found by name or folder, and understood by the pinned executors.

.ci/slurm.sh runs a figure on a Slurm of one node and compares it with a local run.
"""

import importlib.util

import pytest

import toy
from test_campaign import ALL, Campaign


def test_a_profile_of_ones_own(tmp_path):
    campaign = Campaign(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.yaml").write_text("latency-wait: 7\n")
    _, runs = campaign.run("--profile", str(tmp_path / "mine"))
    assert runs == ALL
    log = (campaign.build / "log" / "snakemake.log").read_text()
    assert f"Using profile {tmp_path / 'mine'}" in log


def test_an_unknown_profile_is_one_line(tmp_path):
    campaign = Campaign(tmp_path)
    text, _ = campaign.run("--profile", "nothing", status=1)
    assert text == (
        "figures: --profile=nothing: no config.yaml in such a folder; there are slurm\n"
    )
    assert not (campaign.build / "log").exists()


def test_dry_run(tmp_path):
    if not importlib.util.find_spec("snakemake_executor_plugin_slurm"):
        pytest.skip("the executor for Slurm is not installed")
    campaign = Campaign(tmp_path)
    text, runs = campaign.run("--profile", "slurm", "--", "--dry-run")
    assert runs == []
    assert "a dry run, nothing was made" in text
    log = (campaign.build / "log" / "snakemake.log").read_text()
    assert "point_" in log
    assert toy.journal(campaign.build) == []
