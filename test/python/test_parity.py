# SPDX-License-Identifier: GPL-2.0-only
"""The two build systems and the disk name the same files, and the same releases."""

import ast
import re
import runpy

from project import HOME, cmake_blocks

import ns3_prefix

CMAKE = cmake_blocks("CMakeLists.txt")


def patterns_of_cmake(path):
    """Return the patterns of the file(GLOB...) calls, as Path.glob() takes them."""
    call = r"file\((GLOB\w*) \w+ RELATIVE \S+ CONFIGURE_DEPENDS ([^)]*)\)"
    calls = re.findall(call, (HOME / path).read_text())
    folder = (HOME / path).parent.relative_to(HOME)
    return [
        [
            str(folder / (text.replace("/", "/**/") if kind == "GLOB_RECURSE" else text))
            for text in texts.split()
        ]
        for kind, texts in calls
    ]


def test_builds_look_for_the_same_files():
    text = (HOME / "wscript").read_text()
    wanted = [re.findall(r'"(.*?)"', call) for call in re.findall(r"= find\((.*)\)", text)]
    assert len(wanted) == 4
    assert [
        *patterns_of_cmake("CMakeLists.txt"),
        *patterns_of_cmake("examples/CMakeLists.txt"),
    ] == wanted


def test_builds_link_the_same_modules():
    # Last: netanim, where it is enabled.
    linked = [f"${{lib{name}}}" for name in ns3_prefix.MODULES]
    assert CMAKE["LIBRARIES_TO_LINK"] == [*linked, "${lfn_optional}"]


def test_builds_know_the_same_releases():
    text = (HOME / "CMakeLists.txt").read_text()
    low, high = (minor for _, minor in ns3_prefix.TESTED)
    assert re.findall(r"(?:LESS|GREATER) (\d+)", text) == [str(low), str(high)]
    assert f"newest={high} " in (HOME / ".ci/forky.sh").read_text()


def examples_to_run():
    """Return the list as ns-3's test.py reads it: its lines without what follows "#", to a "]"."""
    text = (HOME / "test/examples-to-run.py").read_text()
    lines = [line.split("#")[0] for line in text.partition("cpp_examples = ")[2].splitlines()]
    last = next(number for number, line in enumerate(lines) if "]" in line)
    return ast.literal_eval("\n".join(lines[: last + 1]))


def test_examples_to_run_exist_and_cover_all_scenarios():
    listed = examples_to_run()
    assert listed == runpy.run_path(str(HOME / "test/examples-to-run.py"))["cpp_examples"]
    programs = {command.split()[0] for command, *_ in listed}
    built = {path.stem for path in HOME.glob("examples/*.cc")}
    assert programs <= built
    assert {name for name in built if not name.startswith("lfn-bench")} <= programs


def test_ns3_check_style_knows_our_format():
    # check-style-clang-format.py takes clang-format 15 to 17, which end at a key of a newer one.
    newer = {"BreakAfterReturnType", "BreakTemplateDeclarations", "KeepEmptyLines"}
    keys = set(re.findall(r"^(\w+):", (HOME / ".clang-format").read_text(), re.M))
    assert {"AlwaysBreakAfterReturnType", "ColumnLimit"} <= keys
    assert keys & newer == set()
