# SPDX-License-Identifier: GPL-2.0-only
"""Claims whose sentence, band, metric or function has changed since they were committed say so.

The first commit of a claim is taken for its first result: what changes later is changed with
results known. The rules stand in analysis/README.md, "What a changed claim tells". With --table
the dates of all claims and of their bands, as CSV.
"""

import argparse
import ast
import copy
import csv
import io
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

FIGURES = "analysis/figures/*/figure.toml"
FUNCTIONS = "analysis/figures/*/claims.py"
STORED = "analysis/stored/*/verdicts.csv"
MADE = "analysis/stored/*/made.csv"
BAND = ("low", "high", "unit")
WATCHED = ("statement", *BAND)
# The words of a note that tell of a change, and those of a band whose numbers alone are others.
TELLS = re.compile("results were known|since a review|after the runs")
OTHER_UNIT = "in another unit"
ALIKE = 0.8  # of the letters of a sentence: the claim has another name
# Functions are watched since then. A note that tells of an earlier rewriting, which nobody looked
# for and whose values were kept rarely, would be from memory.
SINCE = "2026-11-26T05:38:40+00:00"
HERE = "not committed"  # instead of a date
SHALLOW = "a shallow clone has no history of the claims: git fetch --unshallow"


def _git(*words, given=None):
    return subprocess.run(["git", *words], input=given, capture_output=True, check=True).stdout


def _blobs(names):
    """{name: content} of git's objects, None of what is not there."""
    data = _git("cat-file", "--batch", given="\n".join(names).encode())
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


def commits():
    """[(date, {path: ([what it was in each parent], what it is)})], parents first.

    A merge has the files that are as in none of its parents. The last one is what is here.
    """
    watched = (FIGURES, FUNCTIONS, STORED, MADE)
    order = ("-c", "--raw", "--no-abbrev", "--no-renames", "--topo-order", "--reverse")
    log = _git("log", *order, "--format=%x00%cI", "--", *watched).decode()
    steps = []
    for part in log.split("\0")[1:]:
        date, *lines = part.split("\n")
        files = {}
        for line in filter(None, lines):
            head, path = line.split("\t")
            *olds, new = head.split()[head.count(":") + 1 : -1]  # after the modes
            files[path] = (olds, new)
        steps.append((date, files))
    listed = _git("ls-tree", "-r", "--name-only", "HEAD", "analysis").decode().splitlines()
    paths = {path for path in listed if any(Path(path).match(glob) for glob in watched)}
    here = {str(path): path.read_bytes() for glob in watched for path in Path().glob(glob)}
    steps.append((HERE, {path: ([f"HEAD:{path}"], path) for path in sorted(paths | here.keys())}))
    names = {name for _, files in steps for olds, new in files.values() for name in (*olds, new)}
    content = _blobs(sorted(names - paths - here.keys())) | dict.fromkeys(paths) | here
    for _, files in steps:
        for path, (olds, new) in files.items():
            files[path] = ([content[old] for old in olds], content[new])
    return steps


@cache
def _claims(data):
    """{claim: table} of a figure.toml; none of one that is no TOML."""
    try:
        claims = tomllib.loads((data or b"").decode()).get("claims", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    return {claim.get("id"): claim for claim in claims}


@cache
def _functions(data):
    """{claim: its function with all of the file that it uses, as syntax} of a claims.py."""
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
    """{(figure, claim): value} of a verdicts.csv, of those that have one."""
    rows = csv.DictReader(io.StringIO((data or b"").decode()))
    found = {(row["figure"], row["claim"]): row["measured"] for row in rows}
    return {name: value for name, value in found.items() if value not in ("", "nan")}


@cache
def _made(data):
    """{figure: its row} of a made.csv."""
    rows = csv.DictReader(io.StringIO((data or b"").decode()))
    return {row["figure"]: row for row in rows}


def _of_all(files, glob, read):
    """What ``read`` finds, as {(figure, claim): it}: ([in each parent], in the commit)."""
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
        """Whether the value changed as well, or none was kept that shows that it did not."""
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
    """The claim among ``gone``, {name: table}, that says nearly the same, or None."""

    def alike(name):
        said = [one.get("statement", "") for one in (table, gone[name])]
        return SequenceMatcher(None, *said).ratio()

    best = max(gone, key=alike, default=None)
    return best if best and alike(best) > ALIKE else None


def _watched(date):
    return date == HERE or datetime.fromisoformat(date) > datetime.fromisoformat(SINCE)


def lives(steps):
    """{(figure, claim): Life} of all claims that ever were."""
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


def faults(found, now):
    """Lines about the claims ``now``, of those ``found``, that changed and do not tell."""
    for figure, claim in now:
        life = found[figure, claim]
        note = life.table.get("note", "")
        changes = life.changes + [
            (["function"], change.notes) for change in life.rewritten if change.must_tell()
        ]
        untold = [keys for keys, notes in changes if note in notes or not TELLS.search(note)]
        where = f"analysis/figures/{figure}/figure.toml: {claim}:"
        if untold:
            keys = ", ".join(dict.fromkeys(key for keys in untold for key in keys))
            yield (
                f"{where} {keys} changed since results were known; "
                "say so, in these words, and what it was, in note"
            )
        old, new = ([table.get(key, "") for key in BAND] for table in (life.began, life.table))
        unit_only = old[2] != new[2] and OTHER_UNIT in note
        if old[:2] != new[:2] and life.table.get("band") == "chosen before" and not unit_only:
            yield (
                f"{where} the band was {old[0]} to {old[1]} before results were known: it is "
                f"chosen after, or only '{OTHER_UNIT}', as note then says"
            )


def table(found, now):
    """Rows of the dates of claims and of their present bands, with the column names."""
    yield "figure", "claim", "band_since", "first", "changes"
    for name in now:
        life = found[name]
        yield *name, life.band_since, life.first, len(life.changes)


def _whole():
    """(lives, the names of today's claims), or None of a shallow clone."""
    if _git("rev-parse", "--is-shallow-repository").strip() != b"false":
        return None
    steps = commits()
    return lives(steps), list(_of_all(steps[-1][1], FIGURES, _claims)[1])


def check():
    """(ok, what is wrong) of the claims of this clone, which has to be whole."""
    if (whole := _whole()) is None:
        return False, SHALLOW
    found = list(faults(*whole))
    return not found, "\n".join(found)


def main():
    """Print what is wrong or, with --table, the dates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", action="store_true", help="dates of claims and bands, as CSV")
    if not parser.parse_args().table:
        ok, text = check()
        print(text or "all claims tell what changed")
        sys.exit(not ok)
    if (whole := _whole()) is None:
        sys.exit(SHALLOW)
    csv.writer(sys.stdout, lineterminator="\n").writerows(table(*whole))


if __name__ == "__main__":
    main()
