# SPDX-License-Identifier: GPL-2.0-only
"""Every ./waf line in the documents is one that ./waf takes, and every program its flags."""

import re
import shlex
import subprocess
import sys

import pytest
from project import BUILD, HOME, NETWORK, make_clone, waf, wscript_values

import docs
import tables

COMMANDS = wscript_values()["COMMANDS"]
PAGES = [*HOME.glob("*.md"), *HOME.glob("doc/**/*.rst"), *HOME.glob("doc/**/*.md")]
PAGES += [HOME / "analysis/README.md"]
LINES = [
    (page.name, line.strip())
    for page in PAGES
    for line in re.findall(r"^\s*(?:\$ )?(\./waf\b[^`\n]*)", page.read_text(), re.M)
]
# What is between the quotes of ./waf --run "..." and ./ns3 run "...".
RUNS = [
    (page, line)
    for page in PAGES
    for line in re.findall(r'^\s*\./(?:waf --run|ns3 run) "(.*)"', page.read_text(), re.M)
    if not line.split()[0].endswith(".cc")
]
# The scripts that Python runs, and their arguments.
SCRIPTS = [
    (page.name, line.replace("\\\n", " "))
    for page in PAGES
    for line in re.findall(
        r"^\s*(?:\.venv/bin/)?python (\S+\.py\b(?:[^\\\n]|\\\n)*)", page.read_text(), re.M
    )
]


def test_the_book_has_all_chapters_and_no_dead_reference(tmp_path):
    tables.renew(BUILD, HOME)
    assert docs.make_book(HOME / "doc", tmp_path) == 0
    chapters = {path.stem for path in HOME.glob("doc/*.rst")}
    assert chapters <= {path.stem for path in tmp_path.glob("*.html")}
    assert (tmp_path / "deviations" / "xcp.html").is_file()


def test_chapters_are_named_by_links():
    for chapter in HOME.glob("doc/*.rst"):
        assert (
            re.findall(r"``(?:doc/)?(?:\w+\.rst|deviations/\w+\.md)``", chapter.read_text()) == []
        )


@pytest.fixture(scope="module")
def options():
    return set(re.findall(r"--[a-z0-9-]+", waf("--help").stdout))


def test_readme_names_the_two_commands():
    text = (HOME / "README.md").read_text()
    assert "./waf figures" in text
    assert "./waf test" in text


@pytest.mark.parametrize(("page", "line"), LINES)
def test_line_is_taken(page, line, options):
    words = shlex.split(line, comments=True)[1:]
    words = words[: words.index("--")] if "--" in words else words
    while words:
        word = words.pop(0)
        if word == "--run" or word.startswith("--run="):
            program = (words.pop(0) if word == "--run" else word[6:]).split()[0]
            own = program.endswith(".cc")  # a file of the reader's, see test_own_topologies.py
            known = (HOME / f"examples/{program}.cc").exists() or program == "lfn-test-runner"
            assert own or known
        elif word.startswith("--"):
            assert word.split("=")[0] in options
        elif word.startswith("-"):
            words = words[1:] if len(word) == 2 else words
        else:
            assert word in COMMANDS


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder with the files that the lines name."""
    folder = make_clone(tmp_path_factory.mktemp("clone"))
    (folder / "contrib").mkdir()
    (folder / "contrib/lfn").symlink_to(HOME)
    (folder / "abilene.csv").write_text(NETWORK)
    return folder


def help_of(program):
    result = subprocess.run(
        [BUILD / "bin" / program, "--PrintHelp"], capture_output=True, text=True
    )
    return set(re.findall(r"^ +--(\w+):", result.stdout, re.M))


def test_there_are_runs():
    assert len(RUNS) >= 50
    assert len(SCRIPTS) >= 4


@pytest.mark.parametrize(("page", "line"), RUNS, ids=[line for _, line in RUNS])
def test_flags_are_taken(clone, page, line):
    """Names are those of --PrintHelp; values are good, up to a folder that nobody can write to."""
    program, *flags = shlex.split(line)
    names = [flag.removeprefix("--").split("=")[0] for flag in flags]
    known = {"RngRun", "RngSeed", "PrintHelp", "PrintAttributes"} | help_of(program)
    assert [name for name in names if name not in known and "::" not in name] == []
    if any(name.startswith("Print") for name in names):
        return
    # A folder of the page's, or a class that it defines.
    left_out = ("--outputDir=", "--library=", "--topology=RouterTopology")
    flags = [flag for flag in flags if not flag.startswith(left_out)]
    command = [BUILD / "bin" / program, *flags, "--outputDir=/dev/null/none"]
    result = subprocess.run(command, cwd=clone, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    shown = result.stderr in page.read_text().replace("\n  ", "\n")
    assert shown or result.stderr.startswith(f"{program}: --outputDir=/dev/null/none: ")


@pytest.mark.parametrize(("page", "line"), SCRIPTS)
def test_options_are_taken(page, line):
    script, *words = shlex.split(line, comments=True)
    result = subprocess.run(
        [sys.executable, HOME / script, "--help"], capture_output=True, text=True, timeout=60
    )
    known = set(re.findall(r"--[a-z-]+", result.stdout))
    options = [word.split("=")[0] for word in words if word.startswith("--")]
    assert result.returncode == 0
    assert [option for option in options if option not in known] == []


DEVIATIONS = sorted((HOME / "doc/deviations").glob("*.md"))
ENTRY = re.compile(r"^### ([A-Z][A-Z0-9-]*\d[a-z]?): ", re.M)
NAMED = re.compile(r"(?<![\w-])(?:(?:RBUDP|VRP|ATOU|JRM|XCP|PT|FEC|UDT)-D|(?:ATOU|J|X)-C)\d+\b")


def test_no_id_of_a_deviation_is_given_twice():
    ids = [name for part in DEVIATIONS for name in ENTRY.findall(part.read_text())]
    assert len(ids) == len(set(ids)) >= 200


@pytest.mark.parametrize("part", DEVIATIONS, ids=lambda part: part.stem)
def test_a_list_of_deviations_begins_with_five_of_its_entries(part):
    head, _, entries = part.read_text().partition("\n## Entries\n")
    named = re.findall(r"^- ([A-Z][\w-]*): ", head, re.M)
    assert len(named) == len(set(named)) == 5
    assert set(named) <= set(ENTRY.findall(entries))


def test_ids_that_are_named_are_deviations():
    known = {name for part in DEVIATIONS for name in ENTRY.findall(part.read_text())}
    suffixes = {".cc", ".h", ".md", ".py", ".rst", ".toml"}
    folders = ("analysis", "doc", "examples", "helper", "model", "test")
    pages = [path for folder in folders for path in (HOME / folder).rglob("*")]
    texts = {path: path.read_text() for path in pages if path.suffix in suffixes}
    found = {(path.name, name) for path, text in texts.items() for name in NAMED.findall(text)}
    assert len(found) >= 100
    assert [(page, name) for page, name in sorted(found) if name not in known] == []


def test_every_group_of_doxygen_is_defined_once():
    folders = ("model", "helper", "examples", "test")
    text = "\n".join(p.read_text() for f in folders for p in (HOME / f).rglob("*.[ch]*"))
    used = set(re.findall(r"@ingroup (\S+)", text))
    defined = re.findall(r"@defgroup (\S+) +\S", text)
    assert used - set(defined) == set()
    assert len(defined) == len(set(defined))
