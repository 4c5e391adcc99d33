# SPDX-License-Identifier: GPL-2.0-only
"""The README of each directory names files that exist, and every directory in it."""

import re

import pytest
from project import HOME

DIRECTORIES = ("model", "helper", "examples", "test", "analysis", "doc")
MADE = {"generated/"}  # by ./waf docs


def rows(directory):
    """Return the rows of the table "where to look": [[cells]]."""
    text = (HOME / directory / "README.md").read_text()
    table = re.search(r"^\|(?:.*\n\|)+.*$", text, re.M)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def is_file(name):
    return re.fullmatch(r"[\w.*<>/-]+(?:\.\w+|/)", name) and "::" not in name


def exists(name, folders):
    """Return whether a path, with * and <word> for anything, is in one of the folders."""
    pattern = re.sub(r"<\w+>", "*", name).rstrip("/")
    return any(any(HOME.glob(f"{folder}/{pattern}")) for folder in folders)


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_files_of_the_table_are_there(directory):
    missing = []
    for first, *others in rows(directory):
        named = re.findall(r"`([^`]+)`", first)
        inside = [f"{directory}/{name}" for name in named if (HOME / directory / name).is_dir()]
        missing += [name for name in named if name not in MADE and not exists(name, [directory])]
        words = [name for cell in others for name in re.findall(r"`([^`]+)`", cell)]
        folders = [*inside, directory, "."]
        missing += [name for name in words if is_file(name) and not exists(name, folders)]
    assert missing == []


@pytest.mark.parametrize("directory", ["model", "helper"])
def test_every_directory_has_a_row(directory):
    named = [name for first, *_ in rows(directory) for name in re.findall(r"`([^`]+)`", first)]
    assert sorted(named) == sorted(p.name for p in (HOME / directory).iterdir() if p.is_dir())


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_every_table_says_what_to_leave_alone(directory):
    assert re.search(r"leave alone", (HOME / directory / "README.md").read_text(), re.I)
