# SPDX-License-Identifier: GPL-2.0-only
"""The pinned lists hold what is imported: pip installs them without looking for more."""

import ast
import email
import os
import re
import subprocess
import sys
import threading
import time
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import lfn.__main__ as commands
import packing
import requirements
from conftest import ANALYSIS

LISTS = ANALYSIS.parent / ".waf-tools" / "requirements"


def name_of(distribution):
    """Return the name of a distribution as PEP 503 spells it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def imported_by(path):
    """Return the packages that a file of Python imports, {name, ...}."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def test_every_package_that_is_imported_is_pinned():
    lines = [line for path in LISTS.glob("*.txt") for line in path.read_text().splitlines()]
    pinned = {name_of(line.split("==")[0]) for line in lines if "==" in line}
    folders = [LISTS.parent, ANALYSIS.parent / ".ci"]
    sources = [*ANALYSIS.rglob("*.py"), *(p for at in folders for p in at.glob("*.py"))]
    ours = {path.stem for path in sources} | {"lfn"}
    found = packages_distributions()
    missing = {}
    for path in sources:
        for name in imported_by(path) - ours - sys.stdlib_module_names:
            if not {name_of(at) for at in found.get(name, [])} & pinned:
                missing.setdefault(name, []).append(path.name)
    assert missing == {}


def test_who_waited_for_another_installs_nothing_again(tmp_path, monkeypatch):
    """Two at a time, as of a build that installs alongside: pip runs once."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(requirements, "HOME", tmp_path)
    folder = tmp_path / ".waf-tools" / "requirements"
    folder.mkdir(parents=True)
    (folder / "toy.txt").write_text("toy==1\n")
    (tmp_path / "waf").touch()
    calls = []

    def pip(words, stdout):
        calls.append(words)
        time.sleep(0.2)
        return 0

    monkeypatch.setattr(requirements.subprocess, "call", pip)
    threads = [threading.Thread(target=requirements.require, args=("toy",)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert (tmp_path / ".ready-toy").read_text() == "toy==1\n"
    assert not (tmp_path / ".installing").exists()


def test_the_package_depends_on_what_its_files_import():
    sources = list((ANALYSIS / "lfn").rglob("*.py"))
    shipped = {name: list(ANALYSIS.parent.glob(name)) for name in packing.SHIPPED}
    assert all(shipped.values()), shipped
    for path in (path for paths in shipped.values() for path in paths):
        sources += path.rglob("*.py") if path.is_dir() else [path] if path.suffix == ".py" else []
    ours = {path.stem for path in sources} | {"lfn"}
    names = set().union(*map(imported_by, sources)) - ours - sys.stdlib_module_names
    found = packages_distributions()
    imported = {name_of(at) for name in names for at in found[name]}
    assert imported | {"snakemake"} == {name_of(name) for name in packing.IMPORTED}


def test_metadata_of_the_package():
    texts = packing.metadata("1.2.3", ["one-program"])
    about = email.message_from_string(texts["METADATA"])
    assert about["Version"] == "1.2.3"
    pin = (LISTS / "ns3.txt").read_text().strip()
    # pip would have to compile what ns-3's bindings depend on.
    assert f'{pin}; extra == "ns3"' in about.get_all("Requires-Dist")
    for need in about.get_all("Requires-Dist"):
        name, pinned = re.match(r"([\w-]+)[>=]=([\w.]+)", need).groups()
        listed = [*LISTS.joinpath("analysis.txt").read_text().split(), pin]
        if need.endswith('; extra == "notebook"'):
            listed = [*LISTS.joinpath("notebook.txt").read_text().split(), "notebook==7"]
        assert f"{name}=={pinned}" in listed
    assert about.get_all("Provides-Extra") == ["ns3", "notebook"]
    assert "one-program = lfn.__main__:program" in texts["entry_points.txt"]
    assert re.search(r"^Tag: py3-none-manylinux_\d+_\d+_x86_64$", texts["WHEEL"], re.M)


def test_the_module_runs_programs_and_refuses_in_one_line(tmp_path):
    def call(*words):
        command = [sys.executable, "-m", "lfn", *words]
        there = {**os.environ, "PYTHONPATH": str(ANALYSIS)}
        return subprocess.run(command, cwd=tmp_path, env=there, text=True, capture_output=True)

    assert "rbudp-transfer" in call("programs").stdout.split()
    assert call("run", "rbudp-transfer", "--bytes=1MB").stdout.startswith("flow 0 rbudp")
    assert Path(call("dissectors").stdout.strip()).is_file()
    assert call("notebook", "class").stdout == "class/exercises.ipynb\n"
    original = ANALYSIS / "notebooks" / "exercises.ipynb"
    assert (tmp_path / "class" / "exercises.ipynb").read_bytes() == original.read_bytes()
    for words, part in [
        (["run", "vrp"], "no program 'vrp'; there are atou-example, "),
        (["run"], "no program ''; there are "),
        (["figure"], "figure: no such command; "),
        (["figures", "--only=x"], "--only=x: no such figure"),
        (["notebook", "class"], "notebook: class/exercises.ipynb exists: remove it or "),
        (["notebook", "--help"], "notebook: --help: give one folder, or none"),
        (["notebook", "a", "b"], "notebook: a b: give one folder, or none"),
    ]:
        result = call(*words)
        assert result.returncode == 1
        assert part in result.stderr
        assert result.stderr.count("\n") == 1


def test_docs_opens_the_book_and_prints_where_it_is(tmp_path, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(commands.webbrowser, "open", opened.append)
    monkeypatch.setattr(commands, "BOOK", tmp_path / "index.html")
    with pytest.raises(SystemExit, match="lfn: no documents in .*: run ./waf docs"):
        commands.docs()
    assert opened == []
    (tmp_path / "index.html").touch()
    commands.docs()
    assert capsys.readouterr().out == f"{tmp_path}/index.html\n"
    assert opened == [f"file://{tmp_path}/index.html"]
