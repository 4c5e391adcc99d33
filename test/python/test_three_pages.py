# SPDX-License-Identifier: GPL-2.0-only
"""The pages Compare, Teach and Extend: each command, file and script as the page prints it."""

import os
import re
import subprocess
import sys
import textwrap

import pandas as pd
import pytest
from project import HOME, build_settings, make_clone

PAGES = ("compare", "teach", "extend")
SHELL = re.compile(r"(?:\./waf|g\+\+|build/bin/|mkdir|cp|lfn|rbudp-transfer) ")
# What the wheel's own test runs, .ci/wheel.sh, and what would build everything.
ELSEWHERE = ("./waf wheel", "./waf build", "lfn ", 'cp "$(lfn', "mkdir -p ~/.local")
# Sizes for a test: the page's transfers are long enough to be worth a figure.
SMALLER = {"10MB": "300kB", "20MB": "300kB", "1MB": "300kB", "5MB": "300kB", "100kB": "20kB"}


def blocks(page):
    """Return the literal blocks of a page in their order, without the indent."""
    text = (HOME / f"doc/{page}.rst").read_text()
    found = re.findall(r"::\n\n((?:     .*\n|\n)+)", text)
    return [textwrap.dedent(block).strip("\n") + "\n" for block in found]


def smaller(text):
    """Return a text with small transfers, and two runs of each point instead of five."""
    for size, less in SMALLER.items():
        text = re.sub(rf"\b{size}\b", less, text)
    return text.replace("\n[args]", "\nruns = 2\n[args]", 1)


def do(folder, block):
    """Do what a block of a page asks for: write a figure, run a script or shell commands."""
    home = {**os.environ, "HOME": str(folder), "LFN_BUILD": str(folder / "build")}
    home["PATH"] = f"{folder / 'tools'}:{folder / 'build/bin'}:{os.environ['PATH']}"
    call = {"cwd": folder, "env": home, "text": True, "capture_output": True, "timeout": 600}
    if found := re.match(r'id = "([\w-]+)"', block):
        (place,) = {"wait": ["mine/waiting"]}.get(found[1], ["study"])
        path = folder / place / found[1]
        path.mkdir(parents=True, exist_ok=True)
        (path / "figure.toml").write_text(smaller(block))
        return []
    if "import lfn\n" in block:
        return [subprocess.run([sys.executable, "-c", smaller(block)], **call)]
    done = []
    for line in block.splitlines():
        if SHELL.match(line) and not line.startswith(ELSEWHERE):
            line = re.sub(r'^\./waf --run "(.*)"$', r"build/bin/\1", smaller(line))
            line = line.replace(" -O2 ", " -O0 ")  # a library of this test need not be fast
            figures = f"{sys.executable} analysis/figures.py --preset tiny --build build"
            line = re.sub(r"^\./waf figures", figures, line).replace("=~/", f"={folder}/")
            done.append(subprocess.run(["bash", "-c", line], **call))
    return done


@pytest.fixture(params=PAGES)
def page(request, tmp_path):
    """A page's name, and a folder that is the clone and the user's home at once."""
    if not any("site-packages" in word for word in build_settings()["CXXFLAGS_NS3"]):
        pytest.skip("the build is not one with the wheel, which the commands name")
    build = (make_clone(tmp_path) / "build").resolve()
    (tmp_path / "build").unlink()  # one of its own: the user's campaigns stay as they are
    (tmp_path / "build").mkdir()
    for path in build.iterdir():
        if path.name in ("bin", "include", "c4che") or path.suffix in (".so", ".pc"):
            (tmp_path / "build" / path.name).symlink_to(path)
    return request.param, tmp_path


def test_a_page_works_from_its_first_command_to_its_last(page):
    name, folder = page
    done = [result for block in blocks(name) for result in do(folder, block)]
    assert len(done) >= 2
    for result in done:
        assert result.returncode == 0, f"{result.args}\n{result.stdout}{result.stderr}"
    plots = {"compare": ("path-loss", "path-buffer"), "teach": (), "extend": ("wait",)}[name]
    for plot in plots:
        (table,) = folder.glob(f"build/campaigns/*/figures/{plot}/{plot}.csv")
        assert set(pd.read_csv(table)["runs"]) == {2}
        assert table.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_short(name):
    assert len((HOME / f"doc/{name}.rst").read_text().splitlines()) <= 70
