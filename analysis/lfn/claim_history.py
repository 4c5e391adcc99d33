# SPDX-License-Identifier: GPL-2.0-only
"""How sentence, band and unit of each claim changed through the commits.

The first commit of a claim is taken as its first result. Standard library only.
"""

import copy
import csv
import math
import subprocess
import tomllib
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

FIGURES = "analysis/figures/*/figure.toml"
BAND = ("low", "high", "unit")
WATCHED = ("statement", *BAND)
ALIKE = 0.8  # of the letters of a sentence: the claim has another name
HERE = "not committed"  # instead of a date
REWORDINGS = Path(__file__).resolve().parent.parent / "figures" / "rewordings.csv"
"""Sentences and units in other words of the same meaning (old, new): that is no change."""


def _git(root, *words, given=None):
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def _is_whole(root):
    """Return whether a folder is the top of a clone with all its commits."""
    try:
        about = _git(root, "rev-parse", "--is-shallow-repository", "--show-prefix")
    except (OSError, subprocess.CalledProcessError):  # no git, or no clone
        return False
    return about.split() == [b"false"]


@cache
def _rewordings():
    """Return {old: new} of rewordings.csv; empty without it."""
    if not REWORDINGS.is_file():
        return {}
    with REWORDINGS.open(newline="") as stream:
        return {row["old"]: row["new"] for row in csv.DictReader(stream)}


def _today(text):
    """Return a sentence or unit in today's words."""
    seen = set()
    while text in _rewordings() and text not in seen:
        seen.add(text)
        text = _rewordings()[text]
    return text


@cache
def _claims(text):
    """Return {claim: table with its band} of a figure.toml; empty if it is no TOML."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}
    usual = {"low": -math.inf, "high": math.inf, "band": data.get("band")}
    claims = data.get("claims", {})
    if isinstance(claims, list):  # of older commits
        claims = {claim.get("id"): claim for claim in claims}
    words = ("statement", "unit")
    return {
        name: usual | claim | {key: _today(claim[key]) for key in words if key in claim}
        for name, claim in claims.items()
    }


def _steps(root):
    """Return [(date, {path: ([text in each parent], text)})] of all figure.toml, oldest first.

    A merge has the files that are as in none of its parents. The last step is what is in the
    folder, committed or not.
    """
    order = ("-c", "--raw", "--no-abbrev", "--no-renames", "--topo-order", "--reverse")
    log = _git(root, "log", *order, "--format=%cI", "--", FIGURES).decode()
    steps = []
    for line in filter(None, log.splitlines()):
        if line.startswith(":"):
            head, path = line.split("\t")
            *olds, new = head.split()[head.count(":") + 1 : -1]  # after the modes
            steps[-1][1][path] = (olds, new)
        else:
            steps.append((line, {}))
    here = {str(path.relative_to(root)): path.read_text() for path in Path(root).glob(FIGURES)}
    paths = sorted({path for _, files in steps for path in files} | here.keys())
    steps.append((HERE, {path: ([f"HEAD:{path}"], path) for path in paths}))
    blobs = {one for _, files in steps for olds, new in files.values() for one in (*olds, new)}
    blobs = sorted(blobs - set(paths))
    data = _git(root, "cat-file", "--batch", given="\n".join(blobs).encode())
    texts, at = {}, 0
    for blob in blobs:
        begin = data.index(b"\n", at) + 1
        head, at = data[at:begin].split(), begin
        texts[blob] = ""
        if head[-1] != b"missing":  # where there is no file
            at += int(head[-1]) + 1
            texts[blob] = data[begin : at - 1].decode(errors="replace")
    texts |= dict.fromkeys(paths, "") | here
    for _, files in steps:
        for path, (olds, new) in files.items():
            files[path] = ([texts[old] for old in olds], texts[new])
    return steps


@dataclass
class History:
    """A claim since its first commit: dates, first and last table, changes with earlier notes."""

    first: str
    began: dict
    table: dict
    band_since: str
    changes: list = field(default_factory=list)


def _all_claims(contents):
    """Return {(figure, claim): table} of [(path, text of a figure.toml)]."""
    return {
        (Path(path).parent.name, claim): table
        for path, text in contents
        for claim, table in _claims(text).items()
    }


def _other_name(table, gone):
    """Return the claim of ``gone``, {name: table}, with nearly the same sentence, or None."""

    def alike(name):
        said = [one.get("statement", "") for one in (table, gone[name])]
        return SequenceMatcher(None, *said).ratio()

    best = max(gone, key=alike, default=None)
    return best if best and alike(best) > ALIKE else None


def histories(root):
    """Return {(figure, claim): History} of today's claims; None without all commits of a clone."""
    if not _is_whole(root):
        return None
    found, new = {}, {}
    for date, files in _steps(root):
        parents = max((len(olds) for olds, _ in files.values()), default=0)
        before = [
            _all_claims((path, olds[i]) for path, (olds, _) in files.items())
            for i in range(parents)
        ]
        new = _all_claims((path, text) for path, (_, text) in files.items())
        gone = {name: table for old in before for name, table in old.items() if name not in new}
        for name, table in new.items():
            were = [old[name] for old in before if name in old]
            if not were and name in found:  # it is back
                were = [found[name].table]
            if not were and (other := _other_name(table, gone)):
                were = [gone[other]]
                found[name] = copy.deepcopy(found[other])
            one = found.setdefault(name, History(date, table, table, date))
            changed = [
                key
                for key in WATCHED
                if were and all(old.get(key, "") != table.get(key, "") for old in were)
            ]
            if changed:
                one.changes.append((changed, [old.get("note", "") for old in were]))
            if set(changed) & set(BAND):
                one.band_since = date
            one.table = table
    return {name: found[name] for name in new}


def dates(root):
    """Return {(figure, claim): (date of its present band, date of the claim)}, empty as above.

    Dates of commits, or HERE.
    """
    found = histories(root) or {}
    return {name: (one.band_since, one.first) for name, one in found.items()}
