# SPDX-License-Identifier: GPL-2.0-only
"""What a release says of itself says the same everywhere."""

import re
import sys

import yaml
from project import HOME, wscript_values

sys.path.insert(0, str(HOME / ".waf-tools"))
from ns3_prefix import MODULES, TESTED

VERSION = wscript_values()["VERSION"]
LOW, HIGH = (".".join(map(str, release)) for release in TESTED)


def text(name):
    """Return a file of the clone, with each break of lines a blank."""
    return re.sub(r"\s+", " ", (HOME / name).read_text())


def test_the_version_is_one():
    citation = yaml.safe_load((HOME / "CITATION.cff").read_text())
    assert citation["version"] == VERSION
    assert f'LFN_VERSION="{VERSION}"' in text("CMakeLists.txt")
    assert f'LFN_VERSION "{VERSION}"' in text("helper/command-line/lfn-version.cc")
    for page in ("CHANGES.md", "RELEASE_NOTES.md"):
        assert re.search(r"^## lfn (\S+)", (HOME / page).read_text(), re.M)[1] == VERSION
    assert f" Version {VERSION} " in text("doc/app-store.rst")


def test_the_releases_of_ns3_are_those_that_configure_takes():
    for page in ("CHANGES.md", "RELEASE_NOTES.md", "doc/app-store.rst"):
        assert f"{LOW} to {HIGH}" in text(page)


def test_the_app_store_entry_names_the_modules():
    words = text("doc/app-store.rst")
    assert f"ns-3's modules {', '.join(MODULES)};" in words


def test_every_paper_can_be_found():
    papers = yaml.safe_load((HOME / "CITATION.cff").read_text())["references"]
    assert len(papers) == 6  # those of five transports, and Katabi's of XCP
    for paper in papers:
        assert "doi" in paper or "url" in paper, paper["title"]
        assert re.fullmatch(r"10\.\d{4,}/\S+", paper.get("doi", "10.1000/none"))
