# SPDX-License-Identifier: GPL-2.0-only
"""Pack all results of the last campaign into one file, for a repository that gives out DOIs.

python analysis/archive_results.py --build build     writes build/archive/lfn-VERSION-quick.tar.gz

The archive is an RO-Crate: pictures and plotted numbers of each figure, all verdicts, the parts of
each claim with their intervals, and runs.csv.gz and points.csv.gz, a row per flow of every run and
one per point with its command, seeds and times. The same results make the same bytes.
"""

import gzip
import io
import shlex
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

import pandas as pd

from lfn import crate
from lfn.campaign import PlanError, read_plan
from lfn.files import read_json
from lfn.flags import Parser
from lfn.places import HOME
from lfn.report import command, kept_page
from lfn.spec import load_figures
from lfn.statements import alongside
from lfn.stored import COLUMNS, MADE, PAGE, VERDICTS, made_with
from write_report import is_made

LICENCE = """The results in this archive are licensed under CC-BY-4.0:
https://creativecommons.org/licenses/by/4.0/

The program that made them is licensed under GPL-2.0-only. CITATION.cff says whom to cite.
"""


class ArchiveError(Exception):
    """The results cannot be archived; the text says why and what to do."""


def checked(build, plan, every):
    """Return {figure: drawn.json} of a campaign that is whole and of one clean commit.

    Raises ArchiveError otherwise.
    """
    drawn = {}
    for name in plan["figures"]:
        document = read_json(build / "figures" / name / "drawn.json")
        if not document or not is_made(build, every[name], document, plan):
            again = command(plan["preset"], only=name)
            raise ArchiveError(f"{build}: {name} is not as its campaign wanted it; run {again}")
        drawn[name] = document
    commits = sorted({document["commit"] or "unknown" for document in drawn.values()})
    if len(commits) > 1 or commits[0].endswith(("-dirty", "unknown")):
        remedy = f"commit all changes, remove {build / 'figures'} and run {command(plan['preset'])}"
        raise ArchiveError(f"{build}: figures are drawn at {', '.join(commits)}; {remedy}")
    return drawn


def _runs(build, limits):
    """Return tables of the runs, a row per flow, and of the points, a row each.

    ``limits`` maps the points of the campaign to their runs. Times are processor-bound wall-clock
    times of all runs of a point in seconds.
    """
    runs, points = [], []
    for point, limit in sorted(limits.items()):
        folder = build / "results" / point
        manifest = read_json(folder / "manifest.json")
        table = pd.read_csv(folder / "summary.csv")
        runs.append(table[table["run"] <= limit].assign(point=point))
        about = manifest["run_json"] or {}
        words = shlex.split(manifest["command"])
        points.append(
            {
                "point": point,
                "command": shlex.join([Path(words[0]).name, *words[1:]]),
                "runs": limit,
                "rng_seed": about.get("rng_seed", ""),
                "rng_runs": f"1 to {limit}",
                "wall_s": round(sum(manifest["wall_s"][:limit]), 3),
                **about.get("versions", {}),
            }
        )
    whole = pd.concat(runs, ignore_index=True)
    whole.insert(0, "point", whole.pop("point"))
    return whole, pd.DataFrame(points)


def _write_compressed(table, path):
    """Write a table as a compressed CSV file with no time in it."""
    with path.open("wb") as stream, gzip.GzipFile("", "wb", mtime=0, fileobj=stream) as packed:
        packed.write(table.to_csv(index=False).encode())


def _pack(folder, target):
    """Write ``folder`` as a compressed archive in which nothing depends on when and by whom."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            member = tarfile.TarInfo(str(Path(folder.name, path.relative_to(folder))))
            if path.is_dir():
                member.type, member.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(member)
            else:
                member.size = path.stat().st_size
                with path.open("rb") as stream:
                    archive.addfile(member, stream)
    with target.open("wb") as stream, gzip.GzipFile("", "wb", mtime=0, fileobj=stream) as packed:
        packed.write(raw.getbuffer())


def archive(build, every):
    """Write the archive of the last campaign in ``build``; return its path.

    ``every`` is {id: Figure}. Raises PlanError without a campaign and ArchiveError where its
    figures are not whole, or not of one clean commit.
    """
    plan = read_plan(build)
    if plan.get("campaign"):
        raise ArchiveError(f"{build}: of a campaign of your own; run {command('quick')} first")
    drawn, preset = checked(build, plan, every), plan["preset"]
    made_by = command(preset, only="" if set(drawn) == set(every) else ",".join(sorted(drawn)))
    limits = {}
    for own in plan["runs"].values():
        for point, runs in own.items():
            limits[point] = max(runs, limits.get(point, 0))
    version = (HOME / "VERSION").read_text(encoding="utf-8").strip()
    name = f"lfn-{version}-{preset}"
    with tempfile.TemporaryDirectory() as place:
        work = Path(place, name)
        work.mkdir()
        for figure, document in drawn.items():
            (work / figure).mkdir()
            for file in sorted({*document["files"], "parts.csv"}):
                shutil.copyfile(build / "figures" / figure / file, work / figure / file)
        runs, points = _runs(build, limits)
        _write_compressed(runs, work / "runs.csv.gz")
        _write_compressed(points, work / "points.csv.gz")
        verdicts = pd.read_csv(
            build / "figures" / "verdicts.csv", dtype=str, keep_default_na=False
        ).reindex(columns=list(COLUMNS), fill_value="")
        verdicts = verdicts[verdicts["figure"].isin(drawn)]
        verdicts.to_csv(work / VERDICTS, index=False)
        made = made_with(build, drawn)
        made.to_csv(work / MADE, index=False)
        page = kept_page(every, verdicts, made, made_by, alongside(every), archived=True)
        (work / PAGE).write_text(page, encoding="utf-8")
        (work / "LICENSE").write_text(LICENCE, encoding="utf-8")
        shutil.copyfile(HOME / "CITATION.cff", work / "CITATION.cff")
        named = [key for key in ("lfn", "ns3", "compiler") if key in points]
        used = {key: set(points[key].astype(str)) for key in named}
        crate.write(
            work,
            name=f"Long fat networks: results of preset {preset}",
            description=f"{len(drawn)} figures, {len(verdicts)} claims, {len(runs)} flows",
            date=max(document["date"] for document in drawn.values()),
            command=made_by,
            versions={key: "; ".join(sorted(texts)) for key, texts in used.items()},
            revision=next(iter(drawn.values()))["commit"],
        )
        target = build / "archive" / f"{name}.tar.gz"
        target.parent.mkdir(parents=True, exist_ok=True)
        half = target.with_suffix(".part")
        _pack(work, half)
        half.replace(target)
    return target


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Pack all results of the last campaign into one file.")
    parser.add_argument("--build", required=True, type=Path, help="build folder of the campaign")
    options = parser.parse_args(argv)
    try:
        path = archive(options.build, load_figures(HOME / "analysis" / "figures"))
    except (PlanError, ArchiveError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{path}, {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
