# SPDX-License-Identifier: GPL-2.0-only
"""What files of a clone were in each of its commits, by git. Standard library only."""

import subprocess
from pathlib import Path

HERE = "not committed"  # instead of a date


def _git(root, *words, given=None):
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def is_whole(root):
    """Tell whether a folder is a clone with all its commits; no part of another one."""
    try:
        about = _git(root, "rev-parse", "--is-shallow-repository", "--show-prefix")
        return about.split() == [b"false"]
    except (OSError, subprocess.CalledProcessError):  # no git, or no clone
        return False


def _blobs(root, names):
    """Return {name: content} of git's objects, None of what is not there."""
    data = _git(root, "cat-file", "--batch", given="\n".join(names).encode())
    found, at = {}, 0
    for name in names:
        end = data.index(b"\n", at)
        head, at = data[at:end].split(), end + 1
        found[name] = None
        if head[-1] != b"missing":
            size = int(head[-1])
            found[name] = data[at : at + size]
            at += size + 1
    return found


def commits(root, watched):
    """Return [(date, {path: ([what it was in each parent], what it is)})], parents first.

    Of the files in ``root`` that match one of the globs ``watched``. A merge has the files that are
    as in none of its parents. The last one is what is here, committed or not.
    """
    order = ("-c", "--raw", "--no-abbrev", "--no-renames", "--topo-order", "--reverse")
    log = _git(root, "log", *order, "--format=%x00%cI", "--", *watched).decode()
    steps = []
    for part in log.split("\0")[1:]:
        date, *lines = part.split("\n")
        files = {}
        for line in filter(None, lines):
            head, path = line.split("\t")
            *olds, new = head.split()[head.count(":") + 1 : -1]  # after the modes
            files[path] = (olds, new)
        steps.append((date, files))
    listed = _git(root, "ls-tree", "-r", "--name-only", "HEAD").decode().splitlines()
    paths = {path for path in listed if any(Path(path).match(glob) for glob in watched)}
    there = [path for glob in watched for path in Path(root).glob(glob)]
    here = {path.relative_to(root).as_posix(): path.read_bytes() for path in there}
    steps.append((HERE, {path: ([f"HEAD:{path}"], path) for path in sorted(paths | here.keys())}))
    names = {name for _, files in steps for olds, new in files.values() for name in (*olds, new)}
    content = _blobs(root, sorted(names - paths - here.keys())) | dict.fromkeys(paths) | here
    for _, files in steps:
        for path, (olds, new) in files.items():
            files[path] = ([content[old] for old in olds], content[new])
    return steps
