# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts that are kept in the repository, one file a preset: a change of them is seen.

analysis/stored/<preset>.csv holds a row a claim, <preset>.json what they were made with.
"""

import csv
import io
from pathlib import Path

from lfn.files import read_json, to_json, write_if_changed
from lfn.places import ANALYSIS

FOLDER = ANALYSIS / "stored"
COLUMNS = ("figure", "claim", "verdict", "measured")
_DIGITS = 6


def _rounded(text):
    """Return a number with so many digits as do not hang on the order of a sum."""
    try:
        return f"{float(text):.{_DIGITS}g}"
    except ValueError:
        return text


def read_verdicts(path):
    """Return {(figure, claim): (verdict, measured)} of a CSV file, or None without one."""
    if not path.is_file():
        return None
    with path.open(newline="", encoding="utf-8") as stream:
        return {
            (row["figure"], row["claim"]): (row["verdict"], _rounded(row["measured"]))
            for row in csv.DictReader(stream)
        }


def differences(build, preset, figures, folder=FOLDER):
    """Return a line for each claim of the ``figures`` whose verdict or number is not as stored.

    A preset without a stored file has nothing to differ from: no lines.
    """
    stored = read_verdicts(Path(folder) / f"{preset}.csv")
    if stored is None:
        return []
    known = set(figures)
    now = read_verdicts(Path(build) / "figures" / "verdicts.csv") or {}
    lines = []
    for key in sorted(key for key in {*stored, *now} if key[0] in known):
        old, new = stored.get(key), now.get(key)
        if old != new:
            was = f"{old[0]}, {old[1]}" if old else "none"
            lines.append(f"{' '.join(key)}: {f'{new[0]}, {new[1]}' if new else 'none'}; was {was}")
    return lines


def store(build, preset, about, folder=FOLDER):
    """Write the verdicts of a build folder as those of a preset, and what they were made with."""
    now = read_verdicts(Path(build) / "figures" / "verdicts.csv")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([*key, *now[key]] for key in sorted(now))
    write_if_changed(Path(folder) / f"{preset}.csv", text.getvalue())
    write_if_changed(Path(folder) / f"{preset}.json", to_json(about))


def made_with(preset, folder=FOLDER):
    """Return what the stored verdicts of a preset were made with, a dictionary."""
    return read_json(Path(folder) / f"{preset}.json") or {}
