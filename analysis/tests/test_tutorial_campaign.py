# SPDX-License-Identifier: GPL-2.0-only
"""The campaign in doc/tutorial.rst, as it is printed there."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pandas as pd
import pytest

from conftest import ANALYSIS

BUILD = Path(os.environ.get("LFN_BUILD", ANALYSIS.parent / "build"))


def test_the_campaign_of_the_tutorial(tmp_path):
    if not (BUILD / "bin" / "rbudp-transfer").is_file():
        pytest.skip("rbudp-transfer is not built")
    text = (ANALYSIS.parent / "doc" / "tutorial.rst").read_text()
    text = text[text.index("A campaign of your own\n") :]
    blocks = re.findall(r"::\n\n((?:  .*\n|\n)+)", text)
    folder = tmp_path / "study" / "short-queues"
    folder.mkdir(parents=True)
    for name, block in zip(("figure.toml", "plot.py", "claims.py"), blocks, strict=False):
        (folder / name).write_text(textwrap.dedent(block))
    build = tmp_path / "build"
    build.mkdir()
    (build / "bin").symlink_to(BUILD / "bin")
    (snippet,) = [block for block in blocks if "verdicts.csv" in block]
    commands = re.findall(r"^  \./waf figures (--campaign=~/study.*)$", text, re.M)
    printed = [block for block in blocks if block.startswith("  queue-matters-not: ")]
    assert len(commands) == len(printed) == 2
    for command, shown in zip(commands, printed, strict=True):
        words = command.replace("~", str(tmp_path)).replace("--tiny", "--preset=tiny")
        call = [sys.executable, str(ANALYSIS / "figures.py"), *words.split(), "--build", str(build)]
        done = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        script = [sys.executable, "-c", textwrap.dedent(snippet)]
        said = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert said.stdout == textwrap.dedent(shown).strip("\n") + "\n"
    made = build / "campaigns" / "study" / "figures"
    assert len(pd.read_csv(made / "short-queues" / "short-queues.csv")) == 3
    assert list(pd.read_csv(made / "verdicts.csv")["verdict"]) == ["reproduced", "reproduced"]
