# SPDX-License-Identifier: GPL-2.0-only
"""Fingerprint of what a program really runs: its own bytes and those of its ns-3 libraries.

Modification times and the executable alone are both misleading: editing a model changes only
the shared library, and a rebuild may give equal bytes. Standard library only.
"""

import functools
import hashlib
import re
import subprocess
from os import environ
from pathlib import Path

from lfn.places import missing_library, missing_program

_LIBRARY = re.compile(r"lib(ns3|lfn)")


class FingerprintError(Exception):
    """A program is missing or cannot load its libraries; the text is one line for the user."""


@functools.cache
def _digest(path, _size, _mtime):
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def file_digest(path):
    """Return the SHA-256 of a file; read once a process unless the file changes."""
    path = Path(path).resolve()
    stat = path.stat()
    return _digest(path, stat.st_size, stat.st_mtime_ns)


def linked_libraries(program):
    """Return {name: path} of the lfn, ns-3 and preloaded libraries that ``program`` loads."""
    # ldd takes $ORIGIN as the folder of a link, the loader as that of the file behind it.
    listing = subprocess.run(
        ["ldd", str(Path(program).resolve())], capture_output=True, text=True, check=False
    ).stdout
    libraries = {}
    for line in listing.splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if not arrow or not _LIBRARY.match(Path(name).name):
            continue
        if rest.startswith("not found"):
            raise FingerprintError(f"{program}: library {name} is not found; {missing_library()}")
        libraries[Path(name).name] = rest.rsplit(" (", 1)[0]
    preloaded = map(Path, re.split("[ :]+", environ.get("LD_PRELOAD", "")))
    return libraries | {path.name: str(path) for path in preloaded if path.is_file()}


def _stamp(path):
    stat = Path(path).stat()
    return [stat.st_size, stat.st_mtime_ns]


def stamps(program):
    """Return {path: [bytes, ns of its time]} of the files that fingerprint() reads.

    Files that are as these stamps say have not changed; others may be the same all the same.
    """
    program = Path(program).resolve()
    return {str(path): _stamp(path) for path in (program, *linked_libraries(program).values())}


def is_stamped(program, known):
    """Check whether ``known``, stamps of ``program`` or None, still holds: all files are as
    then."""
    try:
        return str(Path(program).resolve()) in (known or {}) and all(
            _stamp(path) == stamp for path, stamp in known.items()
        )
    except OSError:
        return False


def fingerprint(program):
    """Return {file name: SHA-256} over the program and its lfn and ns-3 libraries."""
    program = Path(program)
    if not program.is_file():
        raise FingerprintError(f"{program}: no such program; {missing_program()}")
    digests = {program.name: file_digest(program)}
    for name, path in linked_libraries(program).items():
        digests[name] = file_digest(path)
    return digests


def combined(digests):
    """Return one short hash over a fingerprint."""
    text = "".join(f"{name}={digest}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
