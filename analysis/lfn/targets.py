# SPDX-License-Identifier: GPL-2.0-only
"""Runs are added until the 95 % interval of a claim is as narrow as its half_width asks.

How many is a function of the figure and its results alone: run k is RngRun k however many there
are, so two campaigns add the same runs, and adding never changes earlier ones. A figure shows as
many runs as its own claims ask for, whatever other figures add to a point that they share.
"""

import math

from lfn.claims import OVER, standings, widest
from lfn.results import MissingDataError, Results
from lfn.spec import load_module

MARGIN = 1.1
"""More than the square law asks: the spread of few runs is uncertain."""
GROWTH = 4
"""No more than so many times the runs at once, for the same reason."""


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


def _aim(claim, preset):
    """Return (wanted half width, most runs over the planned ones) of a claim; (0, 0) without one.

    What a claim does not state follows for a paper's statement, in the full preset, from its band:
    an interval of half the band's width decides whatever is not near an edge.
    """
    if preset in claim.half_width:
        return claim.half_width[preset], None
    width = claim.high - claim.low
    stated = claim.origin == "paper" and not claim.calibration and claim.evidence == "simulation"
    if preset == "full" and stated and 0.0 < width < math.inf:
        return width / 4.0, GROWTH
    return 0.0, 0


def _of_claim(claim, members):
    return {point for series, point in members if not claim.series or series in claim.series}


def _wishes(figure, build, plan):
    """Return {point: runs} that the claims of a figure ask for, given the results."""
    members = plan.figures[figure.id]
    limits = dict(plan.limits[figure.id])
    aimed = [(claim, *_aim(claim, plan.preset)) for claim in figure.claims]
    aimed = [(claim, wanted, times) for claim, wanted, times in aimed if wanted]
    if not aimed:
        return limits
    planned = {point.id: point.runs for _, point in figure.points(plan.preset)}
    results = Results.load(figure, build, plan.preset, members, limits)
    judges = load_module(figure.folder / "claims.py")
    wishes = dict(limits)
    for claim, wanted, times in aimed:
        try:
            measured = getattr(judges, claim.id.replace("-", "_"))(results)
        except MissingDataError:
            continue
        if times and OVER not in standings(measured, claim, {}).values():
            continue  # decided as it is
        width = widest(figure.id, claim, measured)
        for point in _of_claim(claim, members):
            most = claim.most_runs
            if times:
                most = max(limits[point], min(most, times * planned.get(point, 1)))
            more = next_runs(limits[point], width, wanted, most)
            wishes[point] = max(wishes[point], more)
    return wishes


def grown(plan, figures, build, there, fits=None, ranked=None):
    """Return ``plan`` with as many runs as the results show to be needed, and what did not fit.

    ``there`` gives for a point's id how many runs of today there are. A figure that lacks some of
    its runs is left as it is: grow again when they have run. So is one whose claims.py fails;
    drawing it tells why. ``fits`` decides about each plan with more runs of one more figure, in
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
