# SPDX-License-Identifier: GPL-2.0-only
"""The figures in doc/tutorial.rst, as they are printed there, in a folder outside the clone."""

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
    text = text[text.index("A figure of your own\n") :]
    blocks = re.findall(r"::\n\n((?:  .*\n|\n)+)", text)
    first, second = (textwrap.dedent(block) for block in blocks if block.startswith("  id = "))
    (plot,) = [textwrap.dedent(block) for block in blocks if "def draw(results):" in block]
    study = {"loss": {"figure.toml": first}, "short-queues": {"figure.toml": second}}
    build = tmp_path / "build"
    build.mkdir()
    (build / "bin").symlink_to(BUILD / "bin")
    (snippet,) = [block for block in blocks if "verdicts.csv" in block]
    commands = re.findall(r"^  \./waf figures (--campaign=~/study.*)$", text, re.M)
    printed = [block for block in blocks if block.startswith("  queue-matters-not: ")]
    assert len(commands) == len(printed) + 1 == 3
    steps = (
        (commands[0], {"loss": study["loss"]}, ""),
        (commands[1], study, printed[0]),
        (commands[2], {"short-queues": {"plot.py": plot}}, printed[1]),
    )
    for command, files, shown in steps:
        for name, texts in files.items():
            folder = tmp_path / "study" / name
            folder.mkdir(parents=True, exist_ok=True)
            for file, content in texts.items():
                (folder / file).write_text(content)
        words = command.replace("~", str(tmp_path)).replace("--tiny", "--preset=tiny")
        call = [sys.executable, str(ANALYSIS / "figures.py"), *words.split(), "--build", str(build)]
        done = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        if not shown:
            continue
        script = [sys.executable, "-c", textwrap.dedent(snippet)]
        said = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert said.stdout == textwrap.dedent(shown).strip("\n") + "\n"
    made = build / "campaigns" / "study" / "figures"
    assert len(pd.read_csv(made / "short-queues" / "short-queues.csv")) == 3
    table = pd.read_csv(made / "loss" / "loss.csv")
    assert list(table.columns) == ["transport", "lossRate", "mean", "low", "high", "runs"]
    assert list(table["transport"]) == 3 * ["tcp"] + 3 * ["rbudp"]
    assert set(table["runs"]) == {5}
    tcp, rbudp = (table[table["transport"] == name]["mean"].to_numpy() for name in ("tcp", "rbudp"))
    assert (rbudp > tcp).all()
    assert (tcp[:-1] > tcp[1:]).all()
    assert (made / "loss" / "loss.png").read_bytes().startswith(b"\x89PNG")
    assert list(pd.read_csv(made / "verdicts.csv")["verdict"]) == ["reproduced", "reproduced"]
