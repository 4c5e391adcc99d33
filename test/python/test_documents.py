# SPDX-License-Identifier: GPL-2.0-only
"""Every ./waf line in the documents is one that ./waf takes."""

import re
import shlex

import pytest
from project import HOME, waf, wscript_values

WSCRIPT = wscript_values()
PAGES = [*HOME.glob("*.md"), *HOME.glob("doc/**/*.rst"), *HOME.glob("doc/**/*.md")]
LINES = [
    (page.name, line.strip())
    for page in PAGES
    for line in re.findall(r"^\s*(?:\$ )?(\./waf\b[^`\n]*)", page.read_text(), re.M)
]


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
            assert f"examples/{program}.cc" in WSCRIPT["EXAMPLES"] or program == "lfn-test-runner"
        elif word.startswith("--"):
            assert word.split("=")[0] in options
        elif word.startswith("-"):
            words = words[1:] if len(word) == 2 else words
        else:
            assert word in WSCRIPT["COMMANDS"]
