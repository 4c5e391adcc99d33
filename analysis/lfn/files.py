# SPDX-License-Identifier: GPL-2.0-only
"""Files that appear whole or not at all. Standard library only."""

import contextlib
import fcntl
import glob
import json
import os
import shutil
from pathlib import Path

SHOWN = ("svg", "png")
"""Formats of a drawn figure that the report and the kept results show."""
FORMATS = (*SHOWN, "pdf")
"""Formats that a figure can be drawn in."""


def printable(text):
    """Return ``text``, such as a path, as messages show it: one line of valid UTF-8.

    Control characters and bytes that are no valid UTF-8 are escaped, \\xNN for each byte.
    """
    return "".join(
        c
        if c.isprintable() or c == "\u00a0"
        else "".join(f"\\x{byte:02x}" for byte in c.encode(errors="surrogateescape"))
        for c in str(text)
    )


def write_if_changed(path, text):
    """Write ``text`` to ``path`` unless it is there already; return whether it was written.

    An unchanged file keeps its modification time, so nothing that depends on it is stale.
    """
    path = Path(path)
    data = text.encode()
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        if temporary.is_file():
            temporary.unlink()
    return True


def read_json(path):
    """Return the content of a JSON file, or None where there is no such readable file."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def to_json(value):
    """Return ``value`` as JSON text, keys sorted: equal values give equal bytes."""
    return json.dumps(value, indent=1, sort_keys=True) + "\n"


@contextlib.contextmanager
def locked(target, wait=True):
    """Hold the lock of ``target``, so that one process at a time writes it; yield whether it does.

    The lock is a file next to it that is removed at the end; a process that is killed releases it.
    What killed writers of ``target`` left is put in order. Without ``wait`` a lock that another
    process holds is not waited for.
    """
    path = target.with_name(f".{target.name}.lock")
    if not path.parent.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with path.open("a") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
                return
            if not _is_at(path, handle):  # its last holder has removed the file meanwhile
                continue
            try:
                _put_in_order(target)
                yield True
            finally:
                path.unlink(missing_ok=True)
            return


def _is_at(path, handle):
    try:
        return os.path.samestat(path.stat(), os.fstat(handle.fileno()))
    except FileNotFoundError:
        return False


def _put_in_order(target):
    """Restore a result that a killed writer was about to replace, and remove unfinished ones."""
    for path in target.parent.glob(f".{glob.escape(target.name)}.[0-9]*"):
        if path.suffix == ".old" and not target.exists():
            path.rename(target)
        elif path.suffix in (".old", ".tmp"):
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def replaced(target):
    """Yield an empty folder that takes the place of ``target`` where no error ends the block.

    A folder can be renamed onto an empty one only, so an older result steps aside first. After a
    kill in between locked() restores it. The caller holds the lock of ``target``.
    """
    work, aside = (target.with_name(f".{target.name}.{os.getpid()}.{s}") for s in ("tmp", "old"))
    work.mkdir(parents=True)
    try:
        yield work
        if target.is_dir() and any(target.iterdir()):
            target.rename(aside)
        work.rename(target)
    finally:
        _put_in_order(target)


def sweep(folder):
    """Put in order what killed writers of folders left in ``folder``, but for what is locked."""
    for path in [*Path(folder).glob(".*.tmp/"), *Path(folder).glob(".*.old/")]:
        with locked(path.with_name(path.name[1:].rsplit(".", 2)[0]), wait=False):
            pass
