# SPDX-License-Identifier: GPL-2.0-only
"""A campaign of the user's own, outside the repository, with a program and a plot of their own."""

import json
import subprocess
import sys

import pytest

import toy
from conftest import ANALYSIS
from lfn.spec import SpecError
from lfn.user_campaign import load_campaign

FIGURE = """\
id = "sizes"
title = "Sizes"
summary = "Time over size."
plots = ["sizes"]
[[points]]
series = "line"
program = "my-transfer"
runs = 2
[points.sweep]
size = [1, 2]
"""
PLOT = toy.PLOT.replace('{"toy":', '{"sizes":')


@pytest.fixture(name="folder")
def users_folder(tmp_path):
    """A folder with a program and a figure without claims; nothing of it is in a build folder."""
    folder = tmp_path / "my study"
    program = toy.write_program(folder)
    program.rename(folder / "bin" / "my-transfer")
    (folder / "plots" / "sizes").mkdir(parents=True)
    (folder / "plots" / "sizes" / "figure.toml").write_text(FIGURE)
    (folder / "plots" / "sizes" / "plot.py").write_text(PLOT)
    (folder / "campaign.toml").write_text(
        'title = "My study"\nfigures = "plots"\n[programs]\nmy-transfer = "bin/my-transfer"\n'
    )
    return folder


def run(build, campaign, *extra):
    """Run figures.py; return (status, what it printed)."""
    words = ["--build", str(build), "--campaign", str(campaign), "--jobs", "2", *extra]
    command = [sys.executable, str(ANALYSIS / "figures.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_campaign_of_ones_own(folder, tmp_path):
    build = tmp_path / "build"
    status, text = run(build, folder)
    assert status == 0, text
    target = build / "campaigns" / "my-study"
    assert f"{target}/report/index.html" in text
    assert toy.journal(folder) == ["1 1", "1 2", "2 1", "2 2"]
    assert (target / "figures" / "sizes" / "sizes.svg").is_file()
    page = (target / "report" / "index.html").read_text()
    assert "<h1>My study</h1>" in page
    assert "--only=sizes" in (target / "report" / "figure-sizes.html").read_text()
    status, text = run(build, folder / "campaign.toml")
    assert status == 0, text
    assert "nothing to run" in text
    assert toy.journal(folder) == []
    # Another title is on the page although nothing is run.
    text = (folder / "campaign.toml").read_text()
    (folder / "campaign.toml").write_text(text.replace("My study", "Our study"))
    assert run(build, folder)[0] == 0
    assert toy.journal(folder) == []
    assert "<h1>Our study</h1>" in (target / "report" / "index.html").read_text()
    # A changed program reruns its points: content decides, as everywhere.
    program = folder / "bin" / "my-transfer"
    program.write_text(program.read_text() + "# changed\n")
    assert run(build, folder)[0] == 0
    assert len(toy.journal(folder)) == 4


def test_a_program_of_the_build_folder_serves_as_well(folder, tmp_path):
    build = tmp_path / "build"
    (build / "bin").mkdir(parents=True)
    (folder / "bin" / "my-transfer").rename(build / "bin" / "my-transfer")
    (folder / "campaign.toml").unlink()
    status, text = run(build, folder / "plots", "--only=sizes")
    assert status == 0, text
    assert (build / "campaigns" / "plots" / "figures" / "sizes" / "sizes.png").is_file()


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("title = 3", "title: must be a text"),
        ("name = 'A b'", "name: 'A b' must be lower-case words joined by '-'"),
        ("nonsense = 1", "nonsense: is not a known key"),
        ("title = ", "is not TOML"),
        ("[programs]\nx = 1", "programs.x: must be a text"),
        ("figures = 'nowhere'", "no folder with a figure.toml in"),
    ],
)
def test_mistakes_in_campaign_toml(folder, toml, message):
    (folder / "campaign.toml").write_text(toml)
    with pytest.raises(SpecError, match="campaign") as error:
        load_campaign(folder)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_mistakes_are_one_line_and_nothing_is_written(folder, tmp_path):
    build = tmp_path / "build"
    status, text = run(build, tmp_path / "nowhere")
    assert status == 1
    assert text.endswith("nowhere: no such folder or file\n")
    (folder / "bin" / "my-transfer").unlink()
    status, text = run(build, folder)
    assert status == 1
    assert "program my-transfer" in text
    assert "is no file" in text
    (folder / "campaign.toml").write_text("figures = 'plots'\n")
    status, text = run(build, folder)
    assert "nor under [programs] of campaign.toml" in text
    assert text.count("\n") == 1
    assert not build.exists()


def test_two_campaigns_do_not_share_a_name(folder, tmp_path):
    build = tmp_path / "build"
    (build / "campaigns" / "my-study").mkdir(parents=True)
    (build / "campaigns" / "my-study" / "campaign.json").write_text(
        json.dumps({"figures": "elsewhere"})
    )
    status, text = run(build, folder)
    assert status == 1
    assert "the name 'my-study' is taken by the campaign of elsewhere" in text
