# SPDX-License-Identifier: GPL-2.0-only
"""The two doors and the disk name the same files, and the same releases."""

import re
import runpy

import pytest
from project import HOME, cmake_blocks, wscript_values

import files
import ns3_prefix

CMAKE = cmake_blocks("CMakeLists.txt")


def on_disk(*patterns):
    return sorted(str(path.relative_to(HOME)) for text in patterns for path in HOME.glob(text))


@pytest.mark.parametrize(
    ("mine", "theirs", "disk"),
    [
        ("SOURCES", "SOURCE_FILES", on_disk("model/**/*.cc", "helper/*.cc")),
        ("HEADERS", "HEADER_FILES", on_disk("model/**/*.h", "helper/*.h")),
        ("TESTS", "TEST_SOURCES", on_disk("test/*-test-suite.cc")),
    ],
)
def test_doors_and_disk_name_the_same_files(mine, theirs, disk):
    assert getattr(files, mine) == sorted(disk)
    assert CMAKE[theirs] == getattr(files, mine)


def test_doors_and_disk_name_the_same_examples():
    blocks = cmake_blocks("examples/CMakeLists.txt")
    assert on_disk("examples/*.cc") == files.EXAMPLES
    assert [f"examples/{name}" for name in blocks["SOURCE_FILES"]] == files.EXAMPLES
    assert [f"{name}.cc" for name in blocks["NAME"]] == blocks["SOURCE_FILES"]


def test_doors_link_the_same_modules():
    assert CMAKE["LIBRARIES_TO_LINK"] == [f"${{lib{name}}}" for name in ns3_prefix.MODULES]


def test_doors_know_the_same_releases():
    text = (HOME / "CMakeLists.txt").read_text()
    low, high = (minor for _, minor in ns3_prefix.TESTED)
    assert re.findall(r"(?:LESS|GREATER) (\d+)", text) == [str(low), str(high)]
    assert f"newest={high} " in (HOME / ".ci/forky.sh").read_text()


def test_doors_carry_the_same_version():
    text = (HOME / "CMakeLists.txt").read_text()
    assert f'LFN_VERSION="{wscript_values()["VERSION"]}"' in text


def test_examples_to_run_exist_and_cover_all_scenarios():
    listed = runpy.run_path(str(HOME / "test/examples-to-run.py"))["cpp_examples"]
    programs = {command.split()[0] for command, *_ in listed}
    built = {path.removeprefix("examples/").removesuffix(".cc") for path in files.EXAMPLES}
    assert programs <= built
    assert {name for name in built if not name.startswith("lfn-bench")} <= programs
