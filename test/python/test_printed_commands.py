# SPDX-License-Identifier: GPL-2.0-only
"""The commands that the tutorial and the comparison's chapter print, run as they are printed."""

import csv
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from project import HOME, PROGRAMS, build_settings, make_clone

PAGES = {name: (HOME / f"doc/{name}.rst").read_text() for name in ("tutorial", "comparison")}
# What the other tests try, and what would build or simulate for long.
ELSEWHERE = (
    "./waf build",
    "./waf figures",
    './waf --run "examples/own/my-transfer.cc',
    "./waf --run examples/own/my-payload.cc",
)
COMMAND = re.compile(r"(\./waf|g\+\+|build/bin/|\.venv/bin/python) *")


def blocks(page):
    """Return the literal blocks of a page, each as its lines without the indent."""
    found = re.findall(r"::\n\n((?:  .*\n|\n)+)", PAGES[page])
    return [textwrap.dedent(block).strip("\n") for block in found]


def commands(page):
    """Return the commands of a page in their order, continued lines joined."""
    lines = [line for block in blocks(page) for line in block.replace("\\\n", " ").split("\n")]
    in_tree = "-Lbuild/lib"
    return [
        line
        for line in lines
        if COMMAND.match(line)
        and not line.startswith(ELSEWHERE)
        and in_tree not in line
        and "$LFN" not in line
    ]


def execute(folder, command):
    """Run a command by a shell; ./waf --run "words" starts the program that it has built."""
    command = re.sub(r'^\./waf --run "(.*)"$', r"build/bin/\1", command)
    path = f"{folder / 'tools'}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        text=True,
        capture_output=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder that looks like the clone, with the files that the pages say to write."""
    wheel = Path(sys.prefix, "lib")
    if not any(word.startswith(str(wheel)) for word in build_settings()["CXXFLAGS_NS3"]):
        pytest.skip("the build is not one with the wheel, which the commands name")
    folder = make_clone(tmp_path_factory.mktemp("clone"))
    topology = (HOME / "examples/own/my-transfer.cc").read_text()
    (folder / "router-topology.cc").write_text(topology.partition("\nint\nmain")[0] + "\n")
    return folder


@pytest.fixture(scope="module")
def done(clone):
    """All commands of both pages: {command: how it went}."""
    return {line: execute(clone, line) for page in PAGES for line in commands(page)}


def test_commands_work(done):
    assert len(done) >= 15
    assert sum(line.startswith("g++") for line in done) == 1
    assert sum("--library=" in line for line in done) == 1
    for line, result in done.items():
        if result.returncode:  # the page shows what it says
            assert f"  {result.stderr}" in PAGES["tutorial"], line
        else:
            assert result.stderr == "", line


def test_output_is_the_one_shown(done):
    """Where a page shows what a command prints."""
    printed = "".join(result.stdout + result.stderr for result in done.values()).split("\n")
    shown = [
        line
        for page in PAGES
        for block in blocks(page)
        for line in block.split("\n")
        if re.match(r"flow \d|rbudp-transfer: ", line) and "38.47" not in line
    ]
    assert len(shown) == 4
    for line in shown:
        assert line in printed


def test_script_that_reads_files_prints_what_is_shown(clone, done):
    """The tutorial's Python, after its first command."""
    texts = blocks("tutorial")
    (place,) = [i for i, text in enumerate(texts) if "json.load" in text]
    assert execute(clone, commands("tutorial")[0]).returncode == 0
    script = [sys.executable, "-c", texts[place]]
    printed = subprocess.run(script, cwd=clone, text=True, capture_output=True, check=True).stdout
    assert printed.strip() == texts[place + 1]


def preloaded(clone, library, *command):
    return execute(clone, f"LD_PRELOAD=./{library} {' '.join(command)}")


def test_library_leaves_other_processes_alone(clone, done):
    result = preloaded(clone, "librouter.so", "/bin/echo", "unharmed")
    assert (result.stdout, result.stderr) == ("unharmed\n", "")


@pytest.mark.parametrize("program", PROGRAMS)
def test_topology_of_the_tutorial_in_every_program(clone, done, program):
    """A class in a library of its own, which the programs have never received."""
    words = [f"'{flag}'" for flag in PROGRAMS[program]]
    start = [f"build/bin/{program}", *words, "--outputDir=here", "--force"]
    topology = "--topology=RouterTopology[Rate=20Mbps]"
    result = execute(clone, " ".join([*start, "--library=librouter.so", topology]))
    assert (result.returncode, result.stderr) == (0, "")
    with (clone / "here/summary.csv").open() as file:
        assert int(next(csv.DictReader(file))["delivered_bytes"]) > 0
    assert execute(clone, " ".join([*start, topology])).returncode == 1
    result = preloaded(clone, "librouter.so", *start, topology.replace("20M", "0"))
    assert result.returncode == 1
    assert "above 0" in result.stderr
