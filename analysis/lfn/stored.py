# SPDX-License-Identifier: GPL-2.0-only
"""Results that are kept in the repository, a folder a preset: a change of them is seen.

analysis/stored/<preset>/verdicts.csv holds a row a claim, made.csv a row a figure: the commit and
the versions that it was made with, and what it cost. The full preset keeps tables, pictures and a
page to read them on as well. Each folder is an RO-Crate (lfn.crate).
"""

import csv
import shutil
from pathlib import Path

import pandas as pd
from PIL import Image

from lfn import crate
from lfn.claims import COLUMNS as ALL_COLUMNS
from lfn.files import new_folder, publish, read_json
from lfn.places import ANALYSIS, FIGURES
from lfn.report import kept_page

FOLDER = ANALYSIS / "stored"
VERDICTS, MADE, PAGE = "verdicts.csv", "made.csv", "README.md"
COLUMNS = tuple(name for name in ALL_COLUMNS if name != "preset")
MADE_COLUMNS = ("figure", "commit", "lfn", "ns3", "points", "runs", "processor_s")
WHOLE = "full"
"""The preset whose tables and pictures are kept, too."""
DIGITS = 6
COLOURS = 64
"""Of a picture that is kept: enough for lines and bands, a third of the bytes."""


def rounded(text):
    """Return a number as text with so many digits as do not hang on the order of a sum."""
    try:
        return f"{float(text):.{DIGITS}g}"
    except ValueError:
        return text


def _read(path):
    """Return a CSV file as a table of texts."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def read_verdicts(path):
    """Return {(figure, claim): (verdict, measured)} of a CSV file, or None without one."""
    if not path.is_file():
        return None
    with path.open(newline="", encoding="utf-8") as stream:
        return {
            (row["figure"], row["claim"]): (row["verdict"], rounded(row["measured"]))
            for row in csv.DictReader(stream)
        }


def differences(build, preset, figures, folder=FOLDER):
    """Return a line for each claim of the ``figures`` whose verdict or number is not as stored.

    A preset without a stored file has nothing to differ from: no lines.
    """
    stored = read_verdicts(Path(folder) / preset / VERDICTS)
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


def _merged(kept, new, figures):
    """Return the rows of ``new`` of some figures and those of the table ``kept`` of others."""
    rows = new[new["figure"].isin(figures)]
    if kept is not None:
        rows = pd.concat([kept[~kept["figure"].isin(figures)], rows], ignore_index=True)
    keys = [name for name in ("figure", "claim") if name in rows]
    return rows.sort_values(keys, ignore_index=True)


def _made(build, figures, commit):
    """Return a table: what the drawings of some figures were made with, and their cost."""
    rows = []
    for figure in figures:
        drawn = read_json(build / "figures" / figure / "drawn.json")
        versions, cost = drawn["versions"], round(drawn["wall_s"])
        about = (figure, commit, versions["lfn"], versions["ns3"], drawn["points"], drawn["runs"])
        rows.append([str(value) for value in (*about, cost)])
    return pd.DataFrame(rows, columns=MADE_COLUMNS)


def _keep_pictures(build, figure, target):
    """Copy a figure's plotted numbers, and its pictures with fewer colours."""
    source = build / "figures" / figure
    drawn = read_json(source / "drawn.json")
    target.mkdir()
    tables = [f"{name}.csv" for name in drawn["plots"]]
    for name in (*tables, *(["sensitivity.csv"] if drawn["sensitivity"] else [])):
        shutil.copyfile(source / name, target / name)
    for name in drawn["plots"]:
        with Image.open(source / f"{name}.png") as image:
            image.convert("RGB").quantize(COLOURS).save(target / f"{name}.png", optimize=True)


def store(build, preset, figures, commit, date, every, folder=FOLDER):
    """Keep what the last campaign in ``build``, of a preset, has made of ``figures`` (ids).

    What is kept of others of ``every``, {id: Figure}, stays, that of no figure goes. ``commit`` is
    that of the programs, ``date`` the day (as 2026-01-31).
    """
    build, target = Path(build), Path(folder) / preset
    there = (target / VERDICTS).is_file()
    verdicts = _read(build / "figures" / "verdicts.csv")[list(COLUMNS)]
    verdicts[["measured", "error"]] = verdicts[["measured", "error"]].map(rounded)
    verdicts = _merged(_read(target / VERDICTS) if there else None, verdicts, figures)
    made = _merged(_read(target / MADE) if there else None, _made(build, figures, commit), figures)
    verdicts, made = (table[table["figure"].isin(every)] for table in (verdicts, made))
    target.parent.mkdir(parents=True, exist_ok=True)
    work = new_folder(target)
    try:
        verdicts.to_csv(work / VERDICTS, index=False)
        made.to_csv(work / MADE, index=False)
        if preset == WHOLE:
            for figure in made["figure"]:
                if figure in figures:
                    _keep_pictures(build, figure, work / figure)
                else:
                    shutil.copytree(target / figure, work / figure)
            page = kept_page(every, verdicts, made, preset)
            (work / PAGE).write_text(page, encoding="utf-8")
        crate.write(
            work,
            name=f"Long fat networks: results of preset {preset}",
            description=f"{len(made)} figures, {len(verdicts)} claims; {MADE} has the cost",
            date=date,
            command=f"{FIGURES} --{preset}",
            versions={name: "; ".join(sorted(set(made[name]))) for name in ("lfn", "ns3")},
            version="; ".join(sorted(set(made["commit"]))),
        )
        publish(work, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
