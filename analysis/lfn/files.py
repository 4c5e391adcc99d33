# SPDX-License-Identifier: GPL-2.0-only
"""Files that appear whole or not at all. Standard library only."""

import json
import os
import shutil
from pathlib import Path


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


def new_folder(target):
    """Make and return an empty temporary folder beside ``target``, to be published as it."""
    target = Path(target)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    return temporary


def publish(temporary, target):
    """Put the finished folder ``temporary`` in the place of ``target``.

    A folder can be renamed onto an empty one only, so an older result steps aside first. A kill
    in between leaves no result, never a mixture.
    """
    target = Path(target)
    if target.is_dir() and any(target.iterdir()):
        aside = target.with_name(f".{target.name}.{os.getpid()}.old")
        shutil.rmtree(aside, ignore_errors=True)
        target.rename(aside)
        temporary.rename(target)
        shutil.rmtree(aside, ignore_errors=True)
    else:
        temporary.rename(target)


def sweep(folder):
    """Remove what killed writers left in ``folder``. Only while no writer is alive."""
    for pattern in (".*.tmp", ".*.old"):
        for path in Path(folder).glob(pattern):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
