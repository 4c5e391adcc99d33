# SPDX-License-Identifier: GPL-2.0-only
"""Draw one figure from the results of a campaign and judge its claims.

python analysis/draw_figure.py --figure analysis/figures/rbudp-fig7 --build build
"""

import datetime
import sys
from pathlib import Path

import pandas as pd

from lfn.campaign import PlanError, digests_of, read_plan
from lfn.choices import decided
from lfn.columns import functions
from lfn.crate import commit
from lfn.drawing import draw_and_judge
from lfn.figures.published import shown
from lfn.files import SHOWN, locked, replaced, to_json
from lfn.flags import Parser
from lfn.mistakes import reported_in_one_line
from lfn.places import FIGURES
from lfn.sensitivity import judged
from lfn.sensitivity import shown as of_parameters
from lfn.spec import SpecError, load_figure
from lfn.style import alike, save
from write_report import write_so_far

PARTS = ("claim", "part", "value", "half_width", "standing")
"""Columns of parts.csv: a claim's values, each with half its 95 % interval, and where it lies."""


def describe_runs(runs):
    """Return how many runs the points of a series have: "5", or "5 to 20"."""
    least, most = min(runs), max(runs)
    return str(least) if least == most else f"{least} to {most}"


def day_of_last_run(build, points):
    """Return the day (UTC, 2026-01-31) on which the last of some points was made.

    It stays when the figure is drawn again.
    """
    files = [build / "results" / point / "manifest.json" for point in points]
    last = max(path.stat().st_mtime for path in files)
    return datetime.datetime.fromtimestamp(last, datetime.UTC).date().isoformat()


def describe_series(figure, preset, limits):
    """Return the parameters of each series for the report: fixed flags, sweeps, runs.

    ``limits`` has the runs of each point.
    """
    rows = []
    for series in figure.series:
        points = series.points(preset)
        if not points:
            continue
        names = sorted({name for point in points for name, _ in point.args})
        # A point goes without its switches that are off.
        flags = [{**dict.fromkeys(names, "false"), **dict(point.args)} for point in points]
        fixed = {k: v for k, v in flags[0].items() if all(f[k] == v for f in flags)}
        swept = {k: [f[k] for f in flags] for k in flags[0] if k not in fixed}
        rows.append(
            {
                "series": series.name,
                "program": series.program,
                "flags": fixed,
                "swept": {k: list(dict.fromkeys(v)) for k, v in swept.items()},
                "points": len(points),
                "runs": describe_runs([limits[point.id] for point in points]),
            }
        )
    return rows


def draw(folder, build, campaign=""):
    """Draw the figure of ``folder`` into build/figures/<id>/; return that folder.

    Raises SpecError, and PlanError where the last campaign has no points of the figure.
    """
    figure = load_figure(folder)
    plan = read_plan(build, campaign)
    remedy = f"run {FIGURES} --only={figure.id}"
    if figure.id not in plan["figures"]:
        raise PlanError(f"{figure.id}: not in the last campaign of {build}; {remedy}")
    members = plan["figures"][figure.id]
    for point in plan["needs"][figure.id]:
        if not (build / "results" / point / "manifest.json").is_file():
            raise PlanError(f"{figure.id}: {build / 'results' / point} has no results; {remedy}")
    limits = plan["runs"][figure.id]
    made = draw_and_judge(figure, build, plan["preset"], members, limits)
    target = build / "figures" / figure.id
    with locked(target), replaced(target) as work:
        files = ["verdicts.csv", "parts.csv"]
        # Claims whose printed words or numbers the pictures show, before they are closed.
        seen = {name: shown(image) for name, image in made.plots.items()}
        pairs = {name: alike(image) for name, image in made.plots.items()}
        for name, image in made.plots.items():
            formats = dict.fromkeys([*SHOWN, *plan.get("formats", [])])
            files += save(image, work, name, formats)
            made.tables[name].to_csv(work / f"{name}.csv", index=False, float_format="%.10g")
            files.append(f"{name}.csv")
        verdicts, parameters = made.verdicts, []
        if figure.id in plan["varied"]:
            with reported_in_one_line(figure.folder):
                table = judged(figure, functions(figure), build)
            table.to_csv(work / "sensitivity.csv", index=False)
            files.append("sensitivity.csv")
            parameters = of_parameters(figure, table)
            rows = decided(figure, verdicts.to_dict("records"), table)
            verdicts = pd.DataFrame(rows, columns=verdicts.columns)
        verdicts.to_csv(work / "verdicts.csv", index=False)
        parts = pd.DataFrame(made.results.parts, columns=list(PARTS))
        parts.to_csv(work / "parts.csv", index=False, float_format="%.10g")
        manifests = made.results.manifests.values()
        document = {
            "preset": plan["preset"],
            "files": files,
            "plots": list(figure.plots),
            "shown": seen,
            "alike": pairs,
            "sensitivity": parameters,
            "series": describe_series(figure, plan["preset"], limits),
            "points": len(made.results.manifests),
            "runs": sum(manifest["runs"] for manifest in manifests),
            "wall_s": round(sum(sum(manifest["wall_s"]) for manifest in manifests), 1),
            "sources": digests_of(figure.folder),
            "fingerprints": {m["program"]: m["fingerprint"] for m in manifests},
            "versions": (next(iter(manifests))["run_json"] or {}).get("versions", {}),
            "commit": commit(),
            "date": day_of_last_run(build, made.results.manifests),
            "example": next(iter(manifests))["command"],
        }
        (work / "drawn.json").write_text(to_json(document), encoding="utf-8")
    return target


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Draw one figure and judge its claims.")
    parser.add_argument("--figure", required=True, type=Path, help="folder with figure.toml")
    parser.add_argument("--build", required=True, type=Path, help="build folder of the campaign")
    parser.add_argument("--campaign", default="", help="which in plan/ (default: the last one)")
    parser.add_argument("--page", action="store_true", help="renew the page of what is drawn")
    parser.add_argument("--deviations", type=Path, help="as of write_report.py, for --page")
    options = parser.parse_args(argv)
    try:
        draw(options.figure, options.build, options.campaign)
        if options.page:
            options.figures = options.figure.parent
            write_so_far(options)
    except (SpecError, PlanError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
