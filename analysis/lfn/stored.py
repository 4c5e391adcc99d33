# SPDX-License-Identifier: GPL-2.0-only
"""Results that are kept in the repository, a folder per preset: a change of them is seen.

analysis/stored/<preset>/verdicts.csv holds a row per claim, made.csv a row per figure: the commit
and the versions that it was drawn with, its runs and how long they took. The full preset keeps
tables, pictures and a page to read them on as well. The history of the clone
(lfn.claim_history) has the dates since when a claim and its band are as they are. Each folder is an
RO-Crate (lfn.crate).
"""

import csv
import shutil
from pathlib import Path

import pandas as pd
from PIL import Image

from lfn import crate
from lfn.choices import decided
from lfn.claims import COLUMNS as ALL_COLUMNS
from lfn.files import locked, read_json, replaced
from lfn.places import ANALYSIS
from lfn.report import command, kept_page
from lfn.statements import alongside

FOLDER = ANALYSIS / "stored"
VERDICTS, MADE, PAGE = "verdicts.csv", "made.csv", "README.md"
ABOUT = ("kind", "place", "published", "origin", "calibration", "expected", "band")
"""What a claim says of itself that is no part of its judgement."""
SINCE = ("band_since", "claim_since")
COLUMNS = (*(name for name in ALL_COLUMNS if name != "preset"), *SINCE)
MADE_COLUMNS = ("figure", "commit", "lfn", "ns3", "points", "runs", "runs_wall_s")
WHOLE = "full"
"""The preset whose tables and pictures are kept, too."""
_DIGITS = 6
_COLOURS = 64
"""Of a picture that is kept: enough for lines and bands, a third of the bytes."""


def _rounded(text):
    """Return a number as text with the digits that do not depend on the order of a sum."""
    try:
        return f"{float(text):.{_DIGITS}g}"
    except ValueError:
        return text


def _read(path, columns):
    """Return a CSV file as a table of texts with these columns, empty without a file."""
    if not path.is_file():
        return pd.DataFrame(columns=list(columns))
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    return table.reindex(columns=list(columns), fill_value="")


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

    Figures of which nothing is kept have nothing to differ from: no lines.
    """
    stored = read_verdicts(Path(folder) / preset / VERDICTS) or {}
    known = set(figures) & {figure for figure, _ in stored}
    now = read_verdicts(Path(build) / "figures" / "verdicts.csv") or {}
    lines = []
    for key in sorted(key for key in {*stored, *now} if key[0] in known):
        old, new = stored.get(key), now.get(key)
        if old != new:
            was = f"{old[0]}, {old[1]}" if old else "none"
            lines.append(f"{' '.join(key)}: {f'{new[0]}, {new[1]}' if new else 'none'}; was {was}")
    return lines


def _merged(kept, new, figures, every):
    """Return the rows of ``new`` of some figures and those of ``kept`` of others of ``every``."""
    others = kept[~kept["figure"].isin(figures) & kept["figure"].isin(every)]
    rows = pd.concat([others, new[new["figure"].isin(figures)]], ignore_index=True)
    keys = [name for name in ("figure", "claim") if name in rows]
    return rows.sort_values(keys, ignore_index=True)


def made_with(build, figures):
    """Return a table: what the drawings of some figures were made with."""
    rows = []
    for figure in figures:
        drawn = read_json(build / "figures" / figure / "drawn.json")
        versions = drawn["versions"]
        about = (figure, drawn["commit"] or "unknown", versions["lfn"], versions["ns3"])
        numbers = (drawn["points"], drawn["runs"], round(drawn["wall_s"]))
        rows.append([*about, *map(str, numbers)])
    return pd.DataFrame(rows, columns=list(MADE_COLUMNS))


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
            image.convert("RGB").quantize(_COLOURS).save(target / f"{name}.png", optimize=True)


def _reported(figure, row):
    """Return a kept row with what figure.toml says today of the claim, but its band and sentence.

    A test fails where those are others: then the claim has to be judged again.
    """
    claim = next((one for one in figure.claims if one.id == row["claim"]), None)
    if claim is None:
        return row
    today = {name: getattr(claim, name) for name in ABOUT} | {"paper": figure.paper}
    return {**row, **today, "fitted_to": "; ".join(claim.fitted_to)}


def _renewed(verdicts, every, folder):
    """Return verdicts with what is known of claims today, and what depends on choices.

    The latter is decided with the sensitivity tables that a folder keeps.
    """
    rows = []
    for name, mine in verdicts.groupby("figure", sort=False):
        path = folder / name / "sensitivity.csv"
        table = pd.read_csv(path, dtype=str) if path.is_file() else None
        reported = [_reported(every[name], row) for row in mine.to_dict("records")]
        rows += decided(every[name], reported, table)
    return pd.DataFrame(rows, columns=verdicts.columns)


def _dated(verdicts, dates):
    """Return verdicts with the dates of each claim, nothing where there are none."""
    names = zip(verdicts["figure"], verdicts["claim"], strict=True)
    found = [dates.get(name, ("", "")) for name in names]
    return verdicts.assign(**{one: [row[i] for row in found] for i, one in enumerate(SINCE)})


def store(build, preset, figures, date, every, dates=(), folder=FOLDER):
    """Keep what the last campaign in ``build``, of a preset, has drawn of ``figures`` (ids).

    What is kept of others of ``every``, {id: Figure}, stays, that of no figure goes. ``date`` is
    the day, as 2026-01-31; ``dates`` are those of all claims, of lfn.claim_history.dates().
    """
    build, target = Path(build), Path(folder) / preset
    verdicts = _read(build / "figures" / "verdicts.csv", COLUMNS)
    verdicts[["measured", "error"]] = verdicts[["measured", "error"]].map(_rounded)
    verdicts = _merged(_read(target / VERDICTS, COLUMNS), verdicts, figures, every)
    verdicts = _dated(verdicts, dict(dates))
    made = _merged(_read(target / MADE, MADE_COLUMNS), made_with(build, figures), figures, every)
    with locked(target), replaced(target) as work:
        made.to_csv(work / MADE, index=False)
        if preset == WHOLE:
            for figure in made["figure"]:
                if figure in figures:
                    _keep_pictures(build, figure, work / figure)
                else:
                    shutil.copytree(target / figure, work / figure)
        verdicts = _renewed(verdicts, every, work)
        if preset == WHOLE:
            page = kept_page(every, verdicts, made, command(preset), alongside(every))
            (work / PAGE).write_text(page, encoding="utf-8")
        verdicts.to_csv(work / VERDICTS, index=False)
        crate.write(
            work,
            name=f"Long fat networks: results of preset {preset}",
            description=f"{len(made)} figures, {len(verdicts)} claims",
            date=date,
            command=command(preset),
            versions={name: "; ".join(sorted(set(made[name]))) for name in ("lfn", "ns3")},
            revision="; ".join(sorted(set(made["commit"]))),
        )
