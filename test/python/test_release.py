# SPDX-License-Identifier: GPL-2.0-only
"""What a release says about itself is the same everywhere, and its version is in one file."""

import re
import subprocess
import sys

import yaml
from project import BUILD, HOME

sys.path.insert(0, str(HOME / ".waf-tools"))
from ns3_prefix import MODULES, TESTED

VERSION = (HOME / "VERSION").read_text().strip()
LOW, HIGH = (".".join(map(str, release)) for release in TESTED)


def text(name):
    """Return a file of the clone, with each break of lines a blank."""
    return re.sub(r"\s+", " ", (HOME / name).read_text())


def test_the_version_is_in_one_file():
    """Elsewhere it stands in the heading of its release and in results that were made with it."""
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    pattern = rf"(^|[^0-9.]){re.escape(VERSION)}($|[^0-9.])"
    command = ["git", "grep", "-lIE", pattern, "--", ".", ":!analysis/stored"]
    found = subprocess.run(command, cwd=HOME, text=True, capture_output=True, check=True).stdout
    assert found.split() == ["CHANGES.md", "VERSION"]
    headings = re.findall(r"^## lfn (\S+)", (HOME / "CHANGES.md").read_text(), re.M)
    assert headings[0] == VERSION
    assert (HOME / "CHANGES.md").read_text().count(VERSION) == headings.count(VERSION) == 1


def test_the_build_systems_read_the_version_there():
    assert 'Path(Context.run_dir or ".", "VERSION")' in text("wscript")
    assert "file(READ VERSION lfn_version)" in text("CMakeLists.txt")
    assert 'LFN_VERSION="${lfn_version}"' in text("CMakeLists.txt")


def test_programs_report_the_version(tmp_path):
    command = [BUILD / "bin/rbudp-transfer", "--bytes=1kB", f"--outputDir={tmp_path}"]
    subprocess.run(command, check=True, capture_output=True)
    assert f'"{VERSION}"' in (tmp_path / "run.json").read_text()


def test_the_releases_of_ns3_are_those_that_configure_takes():
    for page in ("CHANGES.md", ".ci/app-store.md"):
        assert f"{LOW} to {HIGH}" in text(page)


def test_the_app_store_entry_names_the_modules():
    words = text(".ci/app-store.md")
    assert f"ns-3's modules {', '.join(MODULES)};" in words


def test_every_paper_can_be_found():
    papers = yaml.safe_load((HOME / "CITATION.cff").read_text())["references"]
    assert len(papers) == 7  # those of six transports, and Katabi's of XCP
    for paper in papers:
        assert "doi" in paper or "url" in paper, paper["title"]
        assert re.fullmatch(r"10\.\d{4,}/\S+", paper.get("doi", "10.1000/none"))
