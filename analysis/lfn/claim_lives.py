# SPDX-License-Identifier: GPL-2.0-only
"""The lives of claims: how sentence, band, unit and function of each went through the commits.

The first commit of a claim is taken for its first result. .ci/claims_history.py asks what changed
since and is not told; kept results have the dates. Standard library only.
"""

import ast
import copy
import csv
import io
import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from lfn.history import HERE, commits, is_whole

FIGURES = "analysis/figures/*/figure.toml"
FUNCTIONS = "analysis/figures/*/claims.py"
STORED = "analysis/stored/*/verdicts.csv"
MADE = "analysis/stored/*/made.csv"
BAND = ("low", "high", "unit")
WATCHED = ("statement", *BAND)
ALIKE = 0.8  # of the letters of a sentence: the claim has another name
# Functions are watched since then. A note that tells of an earlier rewriting, which nobody looked
# for and whose values were kept rarely, would be from memory.
SINCE = "2026-11-26T05:38:40+00:00"


@cache
def _claims(data):
    """Return {claim: table} of a figure.toml; none of one that is no TOML."""
    try:
        claims = tomllib.loads((data or b"").decode()).get("claims", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    return {claim.get("id"): claim for claim in claims}


@cache
def _functions(data):
    """Return {claim: its function with all of the file that it uses, as syntax} of a claims.py."""
    try:
        body = ast.parse(data or b"").body
    except SyntaxError:
        return {}
    for node in (inner for outer in body for inner in ast.walk(outer)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    bound = {}
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):  # wherever it is imported from
            bound |= {one.asname or one.name: ast.Constant(one.name) for one in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound[node.name] = node
            node.name = ""  # that of a claim may change
        elif isinstance(node, ast.Assign):
            names = [one.id for to in node.targets for one in ast.walk(to) if hasattr(one, "id")]
            bound |= dict.fromkeys(names, node.value)

    def syntax(start):
        used, left = {}, [start]
        while left:
            name = left.pop()
            if name in bound and name not in used:
                used[name] = ast.dump(bound[name])
                left += [one.id for one in ast.walk(bound[name]) if hasattr(one, "id")]
        return list(used.values())

    return {name.replace("_", "-"): syntax(name) for name in bound}


@cache
def _measured(data):
    """Return {(figure, claim): value} of a verdicts.csv, of those that have one."""
    rows = csv.DictReader(io.StringIO((data or b"").decode()))
    found = {(row["figure"], row["claim"]): row["measured"] for row in rows}
    return {name: value for name, value in found.items() if value not in ("", "nan")}


@cache
def _made(data):
    """Return {figure: its row} of a made.csv."""
    rows = csv.DictReader(io.StringIO((data or b"").decode()))
    return {row["figure"]: row for row in rows}


def _of_all(files, glob, read):
    """Return what ``read`` finds, as {(figure, claim): it}: ([in each parent], in the commit)."""
    chosen = {path: both for path, both in files.items() if Path(path).match(glob)}
    parents = max((len(olds) for olds, _ in chosen.values()), default=0)

    def joined(contents):
        return {
            (Path(path).parent.name, claim): value
            for path, data in contents
            for claim, value in read(data).items()
        }

    olds = [joined((path, olds[i]) for path, (olds, _) in chosen.items()) for i in range(parents)]
    return olds, joined((path, new) for path, (_, new) in chosen.items())


@dataclass
class Rewritten:
    """A changed function: the notes and the kept value before it, and the one kept next."""

    notes: list
    folder: str = ""
    made: dict | None = None
    value: str | None = None
    after: str | None = None
    settled: bool = False

    def look(self, name, values, made):
        """Take note of what is kept, if that is new."""
        value, row = values.get(name), made.get(name[0])
        if not self.settled and (value, row) != (self.value, self.made):
            self.after, self.settled = value, True

    def must_tell(self):
        """Tell whether the value changed as well, or none was kept that shows that it did not."""
        return self.value is None or (self.settled and self.after != self.value)


@dataclass
class Life:
    """A claim since its first commit: its dates, its tables, and its changes with their notes."""

    first: str
    began: dict
    table: dict
    band_since: str
    changes: list = field(default_factory=list)
    rewritten: list = field(default_factory=list)


def _other_name(table, gone):
    """Return the claim among ``gone``, {name: table}, that says nearly the same, or None."""

    def alike(name):
        said = [one.get("statement", "") for one in (table, gone[name])]
        return SequenceMatcher(None, *said).ratio()

    best = max(gone, key=alike, default=None)
    return best if best and alike(best) > ALIKE else None


def _watched(date):
    return date == HERE or datetime.fromisoformat(date) > datetime.fromisoformat(SINCE)


def lives(steps):
    """Return {(figure, claim): Life} of all claims that ever were."""
    found, kept, made = {}, {}, {}
    for date, files in steps:
        olds, new = _of_all(files, FIGURES, _claims)
        gone = {name: table for old in olds for name, table in old.items() if name not in new}
        names, notes = {}, {}
        for name, table in new.items():
            were = [old[name] for old in olds if name in old]
            if not were and name in found:  # it is back
                were = [found[name].table]
            if not were and (other := _other_name(table, gone)):
                names[name] = other
                were = [gone[other]]
                if other in found:
                    found[name] = copy.deepcopy(found[other])
            life = found.setdefault(name, Life(date, table, table, date))
            changed = [
                key
                for key in WATCHED
                if were and all(old.get(key, "") != table.get(key, "") for old in were)
            ]
            notes[name] = [old.get("note", "") for old in were]
            if changed:
                life.changes.append((changed, notes[name]))
            if set(changed) & set(BAND):
                life.band_since = date
            life.table = table

        olds, new = _of_all(files if _watched(date) else {}, FUNCTIONS, _functions)
        for name in new.keys() & found.keys():
            was = names.get(name, name)
            were = [old[was] for old in olds if was in old]
            if were and new[name] not in were:
                told = notes.get(name, [found[name].table.get("note", "")])
                change = Rewritten(told)
                for folder, values in sorted(kept.items()):  # full, quick, tiny
                    if was in values:
                        row = made.get(folder, {}).get(was[0])
                        change = Rewritten(told, folder, row, values[was])
                found[name].rewritten.append(change)

        for path, (_, data) in files.items():
            folder = str(Path(path).parent)
            if Path(path).match(STORED):
                kept[folder] = _measured(data)
            elif Path(path).match(MADE):
                made[folder] = _made(data)
        for name, life in found.items():
            for change in life.rewritten:
                change.look(name, kept.get(change.folder, {}), made.get(change.folder, {}))
    return found


def whole_history(root):
    """Return (lives, the names of today's claims) of a clone; None without all its commits."""
    if not is_whole(root):
        return None
    steps = commits(root, (FIGURES, FUNCTIONS, STORED, MADE))
    return lives(steps), list(_of_all(steps[-1][1], FIGURES, _claims)[1])


def dates(root):
    """Return {(figure, claim): (since when its band is as it is, since when there is a claim)}.

    Dates of commits, or HERE; nothing of a folder that is no clone with all its commits.
    """
    found, now = whole_history(root) or ({}, ())
    return {name: (found[name].band_since, found[name].first) for name in now}
