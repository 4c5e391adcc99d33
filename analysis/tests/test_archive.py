# SPDX-License-Identifier: GPL-2.0-only
"""The archive of a campaign: whole, of one commit, the same bytes again, and readable alone."""

import gzip
import io
import json
import re
import tarfile

import pandas as pd
import pytest

import toy
from archive_results import ArchiveError, archive
from lfn.spec import load_figures
from test_campaign import Campaign


@pytest.fixture
def campaign(tmp_path):
    """A campaign of one figure, drawn at a clean commit."""
    made = Campaign(tmp_path)
    made.run()
    commit(made, "0123456789ab")
    return made


def commit(made, name):
    """Say at which commit the figure was drawn."""
    path = made.build / "figures" / "toy" / "drawn.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"commit": name}))


def pack(made):
    return archive(made.build, load_figures(made.figures))


def test_an_archive_holds_all_results(campaign):
    path = pack(campaign)
    with tarfile.open(path) as packed:
        names = set(packed.getnames())
        root = path.name.removesuffix(".tar.gz")

        def read(name):
            return packed.extractfile(f"{root}/{name}").read()

        for name in ("README.md", "LICENSE", "CITATION.cff", "verdicts.csv", "toy/toy.png"):
            assert f"{root}/{name}" in names
        runs = pd.read_csv(io.BytesIO(gzip.decompress(read("runs.csv.gz"))))
        assert len(runs) == 6
        points = pd.read_csv(io.BytesIO(gzip.decompress(read("points.csv.gz"))))
        assert set(points["rng_runs"]) == {"1 to 2"}
        assert points["command"].str.startswith("toy-transfer ").all()
        parts = pd.read_csv(io.BytesIO(read("toy/parts.csv")))
        assert parts["value"].tolist() == [1.0]
        graph = {one["@id"]: one for one in json.loads(read("ro-crate-metadata.json"))["@graph"]}
        assert graph["./"]["license"]["@id"].endswith("CC-BY-4.0")
        assert graph["./"]["version"] == "0123456789ab"
        assert len(graph["./"]["citation"]) >= 7
        page = read("README.md").decode()
        assert set(re.findall(r"\]\((.*?)\)", page)) <= set(graph), "what it leads to is there"
        assert "`./waf figures` makes all" in " ".join(page.split())
        assert ",  |" not in page, "no dates of claims where there are none"


def test_an_archive_of_some_figures_names_the_command_that_makes_them(campaign):
    every = load_figures(campaign.figures)
    other = every["toy"].model_copy(update={"id": "other"})
    path = archive(campaign.build, {**every, "other": other})
    with tarfile.open(path) as packed:
        page = packed.extractfile(f"{path.name.removesuffix('.tar.gz')}/README.md").read().decode()
    assert "`./waf figures --only=toy`" in page
    assert "Not in this archive: other." in page


def test_the_same_results_make_the_same_bytes(campaign):
    first = pack(campaign).read_bytes()
    assert pack(campaign).read_bytes() == first


@pytest.mark.parametrize("name", ["0123456789ab-dirty", ""])
def test_results_of_no_clean_commit_are_refused(campaign, name):
    commit(campaign, name)
    with pytest.raises(ArchiveError, match="commit all changes"):
        pack(campaign)
    assert not (campaign.build / "archive").exists()


def test_a_figure_that_changed_since_is_refused(campaign):
    toy.write_program(campaign.build, factor=2)
    with pytest.raises(ArchiveError, match="not as its campaign wanted it; run"):
        pack(campaign)
