# SPDX-License-Identifier: GPL-2.0-only
"""Runs are added until an interval is as narrow as a claim asks, or far enough from the edges.

How many is a function of the figure and its results alone: run k is RngRun k however many there
are, so two campaigns add the same runs, and adding never changes earlier ones. A figure shows as
many runs as its own claims ask for, without what other figures add to a point that they share.
"""

import math

from lfn import prediction
from lfn.claims import widest
from lfn.columns import functions
from lfn.results import MissingDataError, Results

MARGIN = 1.1
"""More than the square law asks: the spread of few runs is uncertain."""
GROWTH = 4
"""At most this multiple of the runs at once, for the same reason.

For a statement that asks for no half width, at most this multiple of the planned ones in all.
"""
CLEAR = 2.0
"""Such a statement has runs enough when an interval wider by this factor decides it as well.

To stop as soon as it is decided is a second chance to be wrong: more than 5 % instead of 2.5 %.
"""


def next_runs(runs, half_width, wanted, most):
    """Return how many runs to try next; ``runs`` itself when enough or when ``most`` are made.

    A half width that is not finite, or no number, is too wide.
    """
    if runs < 2:
        return max(runs, min(2, most))
    if half_width <= wanted:
        return runs
    need = math.inf
    if math.isfinite(half_width):
        need = MARGIN * runs * (half_width / wanted) ** 2
    need = math.ceil(need) if need < GROWTH * runs else GROWTH * runs
    return max(runs, min(max(need, runs + 1), most))


def nearness(claim, measured):
    """Return the largest half width of a part, in units of its distance to the nearest edge.

    Infinite for a single random run; parts without an interval or a finite value do not count.
    """
    found = 0.0
    for name, half in measured.errors.items():
        value = measured.parts.get(name, math.nan)
        if half and math.isfinite(value):
            away = min(abs(value - claim.low), abs(value - claim.high))
            found = max(found, half / away if math.isfinite(half) and away else math.inf)
    return found


def needed(claim, measured, runs, planned):
    """Return how many runs to try next so that no part is near an edge; ``runs`` when enough.

    By the square law, up to the claim's most_runs and GROWTH times the ``planned`` runs. What
    single runs judge gets a number of them that does not depend on what they show.
    """
    if prediction.applies(claim, measured):
        return max(runs, min(claim.most_runs, prediction.RUNS))
    width = CLEAR * nearness(claim, measured)
    if width <= 1.0:
        return runs
    return next_runs(runs, width, 1.0, max(runs, min(claim.most_runs, GROWTH * planned)))


def _is_stated(claim, preset):
    """Check whether a claim gets more runs near an edge though it asks for no half width."""
    of_paper = claim.origin in ("paper", "derived") and not claim.calibration
    return preset == "full" and of_paper and claim.evidence == "simulation"


def _of_claim(figure, claim, members, read, preset):
    """Return the points that get more runs for a claim: those that are random and it looks at."""
    exact = figure.said_exact(preset)
    wanted = {point for series, point in members if not claim.series or series in claim.series}
    return (wanted & read) - exact.keys()


def _wishes(figure, build, plan):
    """Return {point: runs} that the claims of a figure ask for, given the results."""
    members = plan.figures[figure.id]
    limits = dict(plan.limits[figure.id])
    preset = plan.preset
    asking = [one for one in figure.claims if preset in one.half_width or _is_stated(one, preset)]
    if not asking:
        return limits
    planned = {point.id: point.runs for _, point in figure.points(preset)}
    results = Results.load(figure, build, preset, members, limits)
    judges = functions(figure)
    wishes = dict(limits)
    for claim in asking:
        results.read.clear()
        try:
            measured = judges[claim.id](results)
        except MissingDataError:
            continue
        wanted = claim.half_width.get(preset)
        width = widest(figure.id, claim, measured) if wanted else None
        for point in _of_claim(figure, claim, members, results.read, preset):
            runs = limits[point]
            if wanted:
                more = next_runs(runs, width, wanted, claim.most_runs)
            else:
                more = needed(claim, measured, runs, planned.get(point, 1))
            wishes[point] = max(wishes[point], more)
    return wishes


def grown(plan, figures, build, there, fits=None, ranked=None):
    """Return ``plan`` with as many runs as the results show to be needed, and what did not fit.

    ``there`` gives for a point's id how many runs of today there are. A figure that lacks some of
    its runs is left as it is: grow again when they have run. So is one whose claims.py fails;
    drawing it shows why. ``fits`` decides about each plan with more runs of one more figure, in
    the order ``ranked``; refused figures are returned as {id: runs that they lack}.
    """
    have = {point: there(point) for point in plan.points}
    refused = {}
    while True:
        before = plan
        for identity in ranked or plan.figures:
            limits = plan.limits.get(identity)
            if limits is None or identity in refused:
                continue
            if any(have[point] < runs for point, runs in limits.items()):
                continue
            try:
                wishes = _wishes(figures[identity], build, plan)
            except Exception:  # noqa: BLE001 - a user's module may raise anything
                continue
            if wishes == limits:
                continue
            wider = plan.with_limits(identity, wishes)
            if fits is None or fits(wider):
                plan = wider
            else:
                refused[identity] = wider.runs - plan.runs
        if plan == before:
            return plan, refused
