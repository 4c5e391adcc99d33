# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf says when something is missing: one line with the remedy, exit status 1."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from project import BUILD, HOME, waf

TOOLS = "sh cat cut dirname env flock getconf head rm sed sort uname".split()


@pytest.fixture
def machine(tmp_path):
    """A folder to stand for PATH, with the usual tools but neither Python nor a compiler."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        (folder / tool).symlink_to(shutil.which(tool))
    return folder


def put(folder, name, script):
    """Replace a tool."""
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def fresh(tmp_path, machine, *arguments):
    """Run the launcher of a clone without .venv."""
    clone = tmp_path / "clone"
    listing = Path(".waf-tools/requirements/build.txt")
    (clone / listing).parent.mkdir(parents=True)
    shutil.copy(HOME / "waf", clone)
    shutil.copy(HOME / listing, clone / listing)
    return subprocess.run(
        [clone / "waf", *arguments], env={"PATH": str(machine)}, text=True, capture_output=True
    )


def assert_one_line(result, *words):
    lines = result.stderr.splitlines()
    assert (result.returncode, len(lines)) == (1, 1), result.stderr
    assert lines[0].startswith("waf: ")
    assert [word for word in words if word not in lines[0]] == []


def test_no_python(tmp_path, machine):
    assert_one_line(fresh(tmp_path, machine), "Python 3.11 to 3.13", "install")


def test_old_python(tmp_path, machine):
    put(machine, "python3", f'case "$*" in *version_info*) {sys.executable} -c "exit(1)" ;; esac')
    assert_one_line(fresh(tmp_path, machine), "Python 3.11 to 3.13", "install")


def test_python_without_venv(tmp_path, machine):
    put(machine, "python3", '[ "$1" = -c ]')
    assert_one_line(fresh(tmp_path, machine), "venv", "python3-venv")


def test_other_processor(tmp_path, machine):
    put(machine, "uname", "echo Linux aarch64")
    assert_one_line(fresh(tmp_path, machine), "x86-64", "contrib/lfn")


@pytest.mark.parametrize("libc", ["exit 1", "echo glibc 2.27"])
def test_other_libc(tmp_path, machine, libc):
    put(machine, "getconf", libc)
    assert_one_line(fresh(tmp_path, machine), "glibc 2.28", "contrib/lfn")


def test_no_compiler(tmp_path, machine):
    result = waf("configure", "-o", tmp_path / "out", env={"PATH": str(machine)})
    assert_one_line(result, "no C++ compiler", "install")


def test_old_compiler(tmp_path, machine):
    put(machine, "g++", "exit 1")
    result = waf("configure", "-o", tmp_path / "out", env={"PATH": str(machine)})
    assert_one_line(result, "c++20", "install g++ 11")


def test_a_copied_clone_is_configured_again(tmp_path, machine):
    out = tmp_path / "out"
    out.mkdir()
    kept = (BUILD / ".lock-waf").read_text().replace(f"{str(HOME)!r}", "'/elsewhere'")
    (out / ".lock-waf").write_text(kept)
    result = waf("build", "-o", out, env={"PATH": str(machine)})
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("waf: no C++ compiler found")


@pytest.mark.parametrize("word", ["nosuchword", "--nosuch", "-Z"])
def test_unknown_word(word):
    assert_one_line(waf(word), word, "--help")


def test_two_presets():
    assert_one_line(waf("figures", "--full", "--tiny"), "--full", "--tiny")
    assert_one_line(waf("figures", "--full", "--quick"), "--full", "--quick")


def test_no_option_is_one_of_wafs_own():
    """Waf reads its own first, hidden ones too: a name taken there ends in its usage text."""
    words = ["--budget=1h", "--campaign=x", "--cluster=x", "--only=x", "--run=x", "--ns3=x"]
    words += ["--plan", "--fix", "--all", "--sanitize", "--no-sensitivity"]
    result = waf(*words, "figures", "--full", "--tiny")
    assert_one_line(result, "--full", "--tiny")


def test_help_names_every_command():
    text = waf("--help").stdout
    for command in ("configure", "build", "test", "figures", "lint", "clean", "--run", "--ns3"):
        assert command in text


@pytest.fixture
def prefix(tmp_path):
    """An installed ns-3 with the description of its modules only."""
    folder = tmp_path / "prefix/lib/pkgconfig"
    folder.mkdir(parents=True)

    def make(
        version,
        modules="applications core csma flow-monitor internet mobility network point-to-point "
        "propagation traffic-control wifi",
    ):
        for name in modules.split():
            text = f'Version: {version}\nLibs: -L"/x" -lns{version}-{name} -lpthread\n'
            (folder / f"ns3-{name}.pc").write_text(text)
        (folder.parent / f"libns{version}-network.so").write_bytes(b"NS_ASSERT failed")
        return tmp_path / "prefix"

    return make


def test_no_ns3_there(tmp_path):
    result = waf("configure", f"--ns3={tmp_path}", "-o", tmp_path / "out")
    assert_one_line(result, f"--ns3={tmp_path}", "install prefix")


def test_old_ns3(tmp_path, prefix):
    result = waf("configure", f"--ns3={prefix('3.43')}", "-o", tmp_path / "out")
    assert_one_line(result, "3.43", "3.44 to 3.48")


def test_ns3_without_a_module(tmp_path, prefix):
    result = waf("configure", f"--ns3={prefix('3.46', 'core')}", "-o", tmp_path / "out")
    assert_one_line(result, "without its module applications")


@pytest.mark.parametrize(
    ("version", "standard", "warned"),
    [
        ("3.44", "c++20", False),
        ("3.48.1", "c++23", False),
        ("3.49", "c++23", True),
        ("3.100", "c++23", True),
        ("3-dev", "c++23", True),
    ],
)
def test_accepted_ns3(tmp_path, prefix, version, standard, warned):
    result = waf("configure", f"--ns3={prefix(version)}", "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    assert f"{version} {standard} NS3_ASSERT_ENABLE" in result.stderr
    assert ("warning: tested with 3.44 to 3.48" in result.stderr) == warned


def test_run_splits_like_a_shell_and_keeps_stdout_clean(tmp_path):
    result = waf("--run", "lfn-test-runner --list '--suite=lfn-path'", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "lfn-path" in result.stdout.split()


def test_run_hands_the_exit_status_on(tmp_path):
    result = waf("--run", "lfn-test-runner --suite=no-such-suite", cwd=tmp_path)
    assert result.returncode == 1


def test_run_stands_where_the_user_stands(tmp_path):
    result = waf("--run", "rbudp-transfer --bytes=10kB --outputDir=here", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert os.listdir(tmp_path) == ["here"]


def test_run_unknown_program():
    result = waf("--run", "no-such-program")
    assert result.returncode == 1
    assert "no-such-program" in result.stderr.splitlines()[-1]


def test_run_open_quote():
    result = waf("--run", "rbudp-transfer '--bytes=1")
    assert result.returncode == 1
    assert "--run" in result.stderr.splitlines()[-1]
