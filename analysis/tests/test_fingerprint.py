# SPDX-License-Identifier: GPL-2.0-only
"""Content decides, not time; the libraries that a program loads count as much as itself."""

import os
import shutil
import subprocess

import pytest

from lfn.files import write_if_changed
from lfn.fingerprint import FingerprintError, combined, fingerprint, is_stamped, stamps

COMPILER = next((name for name in ("cc", "gcc", "g++", "clang") if shutil.which(name)), None)
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no compiler")


def build(folder, value):
    """Build a program that loads liblfn-toy.so."""
    library, main = folder / "library.c", folder / "main.c"
    library.write_text(f"int value(void) {{ return {value}; }}\n")
    main.write_text("int value(void);\nint main(void) { return value(); }\n")
    call = [COMPILER, "-shared", "-fPIC", "-o", "liblfn-toy.so", "library.c"]
    subprocess.run(call, cwd=folder, check=True)
    program = folder / "program"
    if not program.exists():
        call = [COMPILER, "-o", "program", "main.c", "-L.", "-llfn-toy", "-Wl,-rpath,$ORIGIN"]
        subprocess.run(call, cwd=folder, check=True)
    return program


@needs_compiler
def test_a_changed_library_changes_the_fingerprint(tmp_path):
    program = build(tmp_path, 1)
    first = fingerprint(program)
    assert sorted(first) == ["liblfn-toy.so", "program"]
    before = program.stat().st_mtime_ns
    build(tmp_path, 2)
    assert program.stat().st_mtime_ns == before
    second = fingerprint(program)
    assert second["program"] == first["program"]
    assert combined(second) != combined(first)
    build(tmp_path, 1)
    assert fingerprint(program) == first


@needs_compiler
def test_a_touched_program_keeps_its_fingerprint(tmp_path):
    program = build(tmp_path, 1)
    first = fingerprint(program)
    os.utime(program, (1, 1))
    assert fingerprint(program) == first


@needs_compiler
def test_stamps_hold_until_a_file_is_touched(tmp_path):
    program = build(tmp_path, 1)
    (tmp_path / "link").symlink_to(program)
    known = stamps(tmp_path / "link")
    assert sorted(map(os.path.basename, known)) == ["liblfn-toy.so", "program"]
    assert is_stamped(program, known)
    assert is_stamped(tmp_path / "link", known)
    assert not is_stamped(program, None)
    assert not is_stamped(tmp_path / "library.c", known), "of another file"
    os.utime(tmp_path / "liblfn-toy.so", (1, 1))
    assert not is_stamped(program, known)
    known = stamps(program)
    build(tmp_path, 22)
    assert not is_stamped(program, known)
    known = stamps(program)
    (tmp_path / "liblfn-toy.so").unlink()
    assert not is_stamped(program, known)


@needs_compiler
def test_a_missing_library_is_reported_in_one_line(tmp_path):
    program = build(tmp_path, 1)
    (tmp_path / "liblfn-toy.so").unlink()
    with pytest.raises(FingerprintError, match=r"library liblfn-toy\.so is not found"):
        fingerprint(program)


def test_a_missing_program_is_reported_in_one_line(tmp_path):
    with pytest.raises(FingerprintError, match=r"no such program; run \./waf build"):
        fingerprint(tmp_path / "none")


def test_a_file_is_written_only_when_its_content_changes(tmp_path):
    path = tmp_path / "deep" / "file"
    assert write_if_changed(path, "one")
    os.utime(path, (1, 1))
    assert not write_if_changed(path, "one")
    assert path.stat().st_mtime == 1
    assert write_if_changed(path, "two")
    assert path.read_text() == "two"
    path.write_bytes(b"\xff")
    assert write_if_changed(path, "two")
    (path.parent / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_if_changed(path.parent / "folder", "three")
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["file", "folder"]
