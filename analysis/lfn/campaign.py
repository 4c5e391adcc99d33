# SPDX-License-Identifier: GPL-2.0-only
"""What a campaign consists of: the points of all figures, and what is there already.

Everything lies in the build folder:

    plan/plan.json                  figures and points of this campaign
    plan/points/<point>.json        parameters of a point
    plan/fingerprints/<program>.json
    results/<point>/                what run_point.py leaves
    benchmarks/<point>.tsv          wall seconds of the last run of the point
    figures/<id>/, report/          what the reader looks at
    log/
"""

from dataclasses import dataclass

from lfn.files import read_json, to_json, write_if_changed
from lfn.fingerprint import fingerprint


@dataclass(frozen=True)
class Plan:
    """The points that a selection of figures needs.

    ``figures`` maps a figure's id to its list of (series, point id), ``points`` a point's id
    to the Point and ``seconds`` a point's id to the estimated wall seconds of all its runs.
    """

    preset: str
    figures: dict
    points: dict
    seconds: dict

    @property
    def runs(self):
        """Number of simulations in the plan."""
        return sum(point.runs for point in self.points.values())


def make_plan(figures, selected, preset):
    """Build the Plan of the ``selected`` ids among ``figures`` ({id: Figure}).

    Figures that ask for equal parameters share the point with the most runs, whether selected
    or not: drawing one figure alone must not make the results of another stale.
    """
    most = {}
    for figure in figures.values():
        for _, point in figure.points(preset):
            if point.runs > most.setdefault(point.key, point).runs:
                most[point.key] = point
    plan = Plan(preset, {}, {}, {})
    for identity in selected:
        members = []
        for series in figures[identity].series:
            estimate = series.seconds
            if isinstance(estimate, dict):
                estimate = estimate.get(preset, 1.0)
            for wanted in series.points(preset):
                point = most[wanted.key]
                plan.points[point.id] = point
                plan.seconds[point.id] = max(estimate * point.runs, plan.seconds.get(point.id, 0.0))
                members.append((series.name, point.id))
        plan.figures[identity] = members
    return plan


def measured_seconds(build, plan):
    """Return {point id: wall seconds} from the benchmarks of earlier runs."""
    found = {}
    for identity in plan.points:
        try:
            lines = (build / "benchmarks" / f"{identity}.tsv").read_text().splitlines()
            found[identity] = float(lines[1].split("\t")[0])
        except (OSError, ValueError, IndexError):
            continue
    return found


def fingerprints_of(build, plan):
    """Return {program: fingerprint}; raises FingerprintError when a program is missing."""
    programs = sorted({point.program for point in plan.points.values()})
    return {program: fingerprint(build / "bin" / program) for program in programs}


def write_plan(build, plan, fingerprints, **more):
    """Write the plan's files, each only when its content changes; ``more`` goes to plan.json."""
    for program, digests in fingerprints.items():
        path = build / "plan" / "fingerprints" / f"{program}.json"
        write_if_changed(path, to_json(digests))
    for identity, point in plan.points.items():
        path = build / "plan" / "points" / f"{identity}.json"
        write_if_changed(path, to_json(point.parameters()))
    document = {
        "preset": plan.preset,
        "figures": plan.figures,
        "points": {identity: point.program for identity, point in plan.points.items()},
        **{key: value for key, value in more.items() if value},
    }
    write_if_changed(build / "plan" / "plan.json", to_json(document))


def is_current(build, identity, point, fingerprints):
    """Tell whether a point's results are whole and come from the programs as they are now."""
    folder = build / "results" / identity
    manifest = read_json(folder / "manifest.json")
    return (
        manifest is not None
        and manifest.get("fingerprint") == fingerprints[point.program]
        and all((folder / name).is_file() for name in manifest.get("files", ["?"]))
        and "summary.csv" in manifest["files"]
    )


def is_drawn(build, identity):
    """Tell whether all files of a drawn figure are there."""
    folder = build / "figures" / identity
    drawn = read_json(folder / "drawn.json")
    return drawn is not None and all((folder / name).is_file() for name in drawn["files"])


def stale_points(build, plan, fingerprints):
    """Return the ids of the points that must run."""
    return [
        identity
        for identity, point in plan.points.items()
        if not is_current(build, identity, point, fingerprints)
    ]


def drop_incomplete(build, plan, stale):
    """Remove the marker file of every stale point and of every figure that lacks a file.

    Snakemake watches two files of a folder at most; this makes it see the others.
    """
    for identity in stale:
        (build / "results" / identity / "summary.csv").unlink(missing_ok=True)
    for identity in plan.figures:
        if not is_drawn(build, identity):
            (build / "figures" / identity / "drawn.json").unlink(missing_ok=True)
