# SPDX-License-Identifier: GPL-2.0-only
"""What a campaign consists of: the points of all figures, and what is there already.

Everything lies in the build folder:

    plan/plan.json                  figures and points of the last campaign
    plan/<campaign>/                the same of each, and its points that are made
    plan/points/<point>.json        parameters of a point
    plan/fingerprints/<program>.json    with stamps of the files that were read for it
    results/<point>/                what run_point.py leaves, for campaigns and lfn.run() alike
    plan/paces.json                 how much longer points took in each campaign than before
    benchmarks/<point>.json         wall seconds of the point's last runs
    figures/<id>/, report/          what the reader looks at
    log/
"""

import math
from dataclasses import dataclass, field, replace

from lfn.budget import Need, widths
from lfn.files import read_json, to_json, write_if_changed
from lfn.fingerprint import FingerprintError, combined, file_digest, fingerprint, stamps
from lfn.places import FIGURES
from lfn.sensitivity import variations

CHECKED = ("tiny", "full")
"""Presets in which what figure.toml says of chance is checked: such points run twice."""

SLOWER = 4
"""A node of a cluster may be slower by this factor than the machine that points were timed on."""

PACES = 100
"""The number of campaigns whose paces are kept."""


PLAN = "plan.json"


class PlanError(Exception):
    """No campaign has planned what a step works on; the text is one line."""


@dataclass(frozen=True)
class Plan:
    """The points that a selection of figures needs.

    ``figures`` maps a figure's id to its list of (series, point id), ``points`` a point's id
    to the Point with the most runs that a figure needs, ``seconds`` a point's id to the estimated
    wall seconds of a run, and ``limits`` a figure's id to {point id: runs that it shows}. The
    points in ``twice`` run at least twice, however many are shown. ``varied`` maps figures to the
    names in ``limits`` under which its points with other values of a parameter stand.
    """

    preset: str
    figures: dict
    points: dict
    seconds: dict
    limits: dict = field(default_factory=dict)
    twice: frozenset = frozenset()
    varied: dict = field(default_factory=dict)

    def _wanted(self, name, every):
        """Return the runs of a point of which figures show ``every``, as limits."""
        shown = max(own[name] for own in every.values() if name in own)
        return max(shown, 2) if name in self.twice else shown

    def points_of(self, identity):
        """Return the ids of all points that a figure needs, once each, in order."""
        more = [point for name in self.varied.get(identity, ()) for point in self.limits[name]]
        return list(dict.fromkeys([*(point for _, point in self.figures[identity]), *more]))

    @property
    def runs(self):
        """Number of simulations in the plan."""
        return sum(point.runs for point in self.points.values())

    def with_limits(self, identity, limits):
        """Return the plan in which a figure shows other numbers of runs of its points."""
        every = {**self.limits, identity: limits}
        points = {
            name: replace(point, runs=self._wanted(name, every))
            for name, point in self.points.items()
        }
        return replace(self, points=points, limits=every)

    def only(self, identities):
        """Return the plan of some of its figures."""
        figures = {name: self.figures[name] for name in self.figures if name in set(identities)}
        varied = {name: self.varied[name] for name in figures if name in self.varied}
        names = [*figures, *(name for more in varied.values() for name in more)]
        limits = {name: self.limits[name] for name in names}
        points = {
            name: replace(point, runs=self._wanted(name, limits))
            for name, point in self.points.items()
            if any(name in own for own in limits.values())
        }
        return replace(self, figures=figures, points=points, limits=limits, varied=varied)


def _vary(plan, figure):
    """Add the Variations of a Figure to a plan."""
    names = []
    for one in variations(figure):
        names.append(f"{figure.id} {one.name}")
        plan.limits[names[-1]] = one.limits
        for (_, point), seconds in zip(one.members, one.seconds, strict=True):
            there = plan.points.setdefault(point.id, point)
            plan.points[point.id] = max(there, point, key=lambda some: some.runs)
            plan.seconds.setdefault(point.id, seconds)
    if names:
        plan.varied[figure.id] = names


def make_plan(figures, selected, preset, vary=None):
    """Build the Plan of the ``selected`` ids among ``figures`` ({id: Figure}).

    ``vary`` adds their points with other values of parameters; without it, the full preset does.

    Figures that ask for equal parameters share the point with the most runs, whether selected
    or not: drawing one figure alone must not make the results of another stale.
    """
    most = {}
    exact = set()
    for figure in figures.values():
        exact |= figure.said_exact(preset).keys() if preset in CHECKED else set()
        for _, point in figure.points(preset):
            if point.runs > most.setdefault(point.key, point).runs:
                most[point.key] = point
    plan = Plan(preset, {}, {}, {}, twice=frozenset(exact))
    for identity in selected:
        members = []
        for series in figures[identity].series:
            for wanted in series.points(preset):
                point = most[wanted.key]
                plan.points[point.id] = point
                plan.seconds[point.id] = max(
                    series.seconds[preset], plan.seconds.get(point.id, 0.0)
                )
                members.append((series.name, point.id))
        plan.figures[identity] = members
        plan.limits[identity] = {point: plan.points[point].runs for _, point in members}
    for identity in selected if vary or (vary is None and preset == "full") else ():
        _vary(plan, figures[identity])
    for identity in exact & plan.points.keys():
        runs = max(plan.points[identity].runs, 2)
        plan.points[identity] = replace(plan.points[identity], runs=runs)
    return plan


def _timed(build, identity):
    """Return (wall seconds of a run, when it was timed) of a point's last runs, or None."""
    path = build / "benchmarks" / f"{identity}.json"
    past = read_json(path)
    return None if past is None else (past["wall_s"] / past["runs"], path.stat().st_mtime)


def measured_seconds(build, plan):
    """Return {point id: wall seconds of a run} from the benchmarks of earlier runs.

    They are scaled by the paces of the campaigns that began later: the machine may have been busy
    then, or may be so now.
    """
    paces = read_json(build / "plan" / "paces.json") or []
    found = {}
    for identity in plan.points:
        if past := _timed(build, identity):
            seconds, when = past
            found[identity] = seconds * math.prod(pace for began, pace in paces if began > when)
    return found


def learn_pace(build, expected, began):
    """Note how many times as long as ``expected`` points take in the campaign that is under way.

    ``expected`` maps points that were timed before to the seconds of a run, ``began`` is the start
    of the campaign [s].
    """
    past = {identity: _timed(build, identity) for identity in expected}
    here = {identity: pair[0] for identity, pair in past.items() if pair and pair[1] >= began}
    if not here:
        return
    pace = math.fsum(here.values()) / math.fsum(expected[identity] for identity in here)
    path = build / "plan" / "paces.json"
    earlier = [pair for pair in read_json(path) or [] if pair[0] != began]
    write_if_changed(path, to_json([*earlier, [began, pace]][-PACES:]))


def _pace(measured, plan):
    """Return how many times as long as estimated the points took that were timed on this machine.

    By sums, since what takes long matters; 1 where nothing was timed.
    """
    estimated = math.fsum(plan.seconds[identity] for identity in measured)
    return math.fsum(measured.values()) / estimated if estimated else 1.0


def needs_of(build, plan, fingerprints, stale):
    """Return {point id: Need} of the stale points: of the runs they lack.

    A point that never ran takes what figure.toml says, at the pace of those that did.
    """
    measured = measured_seconds(build, plan)
    pace = _pace(measured, plan)
    needs = {}
    for identity in stale:
        point = plan.points[identity]
        there = runs_there(build, identity, point, fingerprints)
        lacking = max(point.runs - there, 1)
        run = measured.get(identity, pace * plan.seconds[identity])
        needs[identity] = Need(run * lacking, lacking)
    return needs


def fingerprints_of(build, plan):
    """Return {program: fingerprint}; raises FingerprintError when a program is missing."""
    programs = sorted({point.program for point in plan.points.values()})
    return {program: fingerprint(build / "bin" / program) for program in programs}


def _stamps_of(program, digests):
    """Return the stamps of a program while its fingerprint is ``digests``, else none."""
    try:
        known = stamps(program)  # before the digests they stand for: what changes between shows
        return known if fingerprint(program) == digests else {}
    except (FingerprintError, OSError):
        return {}


def write_points(build, points, fingerprints):
    """Write what run_point.py reads of points and of their programs, unless it is there already."""
    for program, digests in fingerprints.items():
        known = {"digests": digests, "stamps": _stamps_of(build / "bin" / program, digests)}
        write_if_changed(build / "plan" / "fingerprints" / f"{program}.json", to_json(known))
    for point in points:
        # Any host that needs a point says how many runs: the file is the same for all of them.
        parameters = replace(point, runs=1).parameters()
        write_if_changed(build / "plan" / "points" / f"{point.id}.json", to_json(parameters))


def write_plan(build, plan, fingerprints, needs=None, jobs=1, name="", **more):
    """Write the plan's files, each only when its content changes; ``more`` goes to plan.json.

    ``needs`` maps points that must run to their Need (default: all), of which ``jobs`` runs go on
    at a time: those of the figure with least to run start first, and a point that would outlast all
    others runs several at a time.
    The Snakefile takes from ``more`` the ``folder`` of the figures' folders, the ``sources`` of
    each figure and the ``python``; it reads plan/<name>/plan.json.
    """
    if needs is None:
        needs = {p.id: Need(plan.seconds[p.id] * p.runs) for p in plan.points.values()}
    write_points(build, plan.points.values(), fingerprints)
    wide = widths(needs, jobs)
    document = {
        "preset": plan.preset,
        "figures": plan.figures,
        "runs": plan.limits,
        "needs": {name: plan.points_of(name) for name in plan.figures},
        "varied": plan.varied,
        "levels": _levels(plan, needs),
        "jobs": {
            name: {
                "program": plan.points[name].program,
                "runs": plan.points[name].runs,
                "threads": wide[name],
                "minutes": math.ceil(SLOWER * need.seconds / wide[name] / 60),
            }
            for name, need in needs.items()
        },
        "programs": {program: combined(digests) for program, digests in fingerprints.items()},
        **{key: value for key, value in more.items() if value},
    }
    for folder in {name, ""}:
        write_if_changed(build / "plan" / folder / PLAN, to_json(document))


def _levels(plan, needs):
    """Return {level: points}, of which the highest level starts first.

    The figure that has least to run comes first, so that there is something to look at early, and
    of the points that it still lacks the one that takes longest. A point of several figures goes
    with the first of them.
    """
    lacking = {name: [p for p in plan.points_of(name) if p in needs] for name in plan.figures}
    costs = {name: math.fsum(needs[p].seconds for p in own) for name, own in lacking.items()}
    longest_first = sorted(costs, key=lambda name: (-costs[name], name))
    level_of = {}
    for rank, name in enumerate(longest_first):
        for point in lacking[name]:
            band = round(math.log2(100 * max(needs[point].seconds, 0.01)) / 2)
            level_of[point] = 10 * rank + max(0, min(9, band))
    levels = {}
    for point, level in level_of.items():
        levels.setdefault(str(level), []).append(point)
    return levels


def read_plan(build, name=""):
    """Return the plan.json of a campaign, of the last one without its name; raises PlanError."""
    path = build / "plan" / name / PLAN
    plan = read_json(path)
    if plan is None:
        raise PlanError(f"{path}: no plan of a campaign; run {FIGURES}")
    return plan


def runs_there(build, identity, point, fingerprints):
    """Return how many runs a point's results hold, 0 unless they are whole and of today.

    Of today: from the programs as they are now.
    """
    folder = build / "results" / identity
    manifest = read_json(folder / "manifest.json")
    whole = (
        manifest is not None
        and manifest.get("fingerprint") == fingerprints[point.program]
        and all((folder / name).is_file() for name in manifest.get("files", ["?"]))
        and "summary.csv" in manifest["files"]
    )
    return manifest["runs"] if whole else 0


def is_drawn(build, identity, formats=()):
    """Check whether all files of a drawn figure are there, its plots in ``formats`` as well."""
    folder = build / "figures" / identity
    drawn = read_json(folder / "drawn.json")
    if drawn is None:
        return False
    more = [f"{plot}.{one}" for plot in drawn.get("plots", ()) for one in formats]
    return all((folder / name).is_file() for name in [*drawn["files"], *more])


def stale_points(build, plan, fingerprints):
    """Return the ids of the points that must run or need more runs."""
    return [
        identity
        for identity, point in plan.points.items()
        if runs_there(build, identity, point, fingerprints) < point.runs
    ]


def sources(folder):
    """Return the files in a figure's folder that its numbers depend on."""
    return sorted(path for path in folder.iterdir() if path.suffix in (".toml", ".py", ".csv"))


def digests_of(folder):
    """Return {name: digest} of sources()."""
    return {path.name: file_digest(path) for path in sources(folder)}


def of_today(build, drawn, folder, fingerprint_of=fingerprint):
    """Check whether a figure was drawn with what its programs and its own files are now.

    ``drawn`` is drawn.json, ``folder`` that of figure.toml. Who asks for many figures may give a
    ``fingerprint_of`` that remembers.
    """
    try:
        return drawn.get("sources") == digests_of(folder) and all(
            fingerprint_of(build / "bin" / program) == digests
            for program, digests in drawn.get("fingerprints", {}).items()
        )
    except FingerprintError:
        return False
