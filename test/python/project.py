# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the doors share: where the project is, and what its build files say."""

import ast
import os
import re
import subprocess
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LFN_BUILD", HOME / "build"))


def wscript_values():
    """Return the constants that wscript assigns at its top."""
    values = {}
    for node in ast.parse((HOME / "wscript").read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            text = ast.unparse(node.value)
            block = re.fullmatch(r"(.*)\.split\(\)", text, re.S)
            try:
                value = ast.literal_eval(block[1] if block else text)
            except ValueError:
                continue
            values[node.targets[0].id] = value.split() if block else value
    return values


def cmake_blocks(path):
    """Return the words that follow each keyword in a CMake file's calls: {keyword: [words]}."""
    text = re.sub(r"#.*", "", (HOME / path).read_text())
    blocks = {}
    for call in re.findall(r"build_lib(?:_example)?\((.*?)\)", text, re.S):
        keyword = ""
        for word in call.split():
            if re.fullmatch(r"[A-Z][A-Z_]+", word):
                keyword = word
            else:
                blocks.setdefault(keyword, []).append(word)
    return blocks


def waf(*arguments, **settings):
    """Run the launcher and return what came of it."""
    command = [HOME / "waf", *arguments]
    settings.setdefault("cwd", HOME)
    return subprocess.run(command, text=True, capture_output=True, timeout=300, **settings)
