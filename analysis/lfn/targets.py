# SPDX-License-Identifier: GPL-2.0-only
"""Runs are added until the 95 % interval of a claim is as narrow as its half_width asks.

How many is a function of the results alone: run k is RngRun k however many there are, so two
campaigns add the same runs, and adding never changes earlier ones.
"""

import math
from dataclasses import replace

from lfn.drawing import load_module, load_results
from lfn.results import MissingDataError

MARGIN = 1.1
"""More than the square law asks: the spread of few runs is uncertain."""
GROWTH = 4
"""No more than so many times the runs at once, for the same reason."""


def next_runs(runs, half_width, wanted, most):
    """Return how many runs to try next; ``runs`` itself when enough or when ``most`` are made."""
    if runs >= 2 and half_width <= wanted:
        return runs
    if runs < 2:
        return max(runs, min(2, most))
    need = math.ceil(MARGIN * runs * (half_width / wanted) ** 2)
    return max(runs, min(max(need, runs + 1), GROWTH * runs, most))


def _of_claim(claim, members):
    return {point for series, point in members if not claim.series or series in claim.series}


def _wishes(figure, build, plan):
    """Yield (point, runs) for the points of every claim whose interval is too wide."""
    members = plan.figures[figure.id]
    aimed = [claim for claim in figure.claims if plan.preset in claim.half_width]
    if not aimed:
        return
    results = load_results(figure, build, plan.preset, members, plan.limits)
    judges = load_module(figure.folder / "claims.py")
    for claim in aimed:
        try:
            measured = getattr(judges, claim.id.replace("-", "_"))(results)
        except MissingDataError:
            continue
        widest = max(measured.errors.values(), default=0.0)
        for point in _of_claim(claim, members):
            runs = plan.points[point].runs
            more = next_runs(runs, widest, claim.half_width[plan.preset], claim.most_runs)
            if more > runs:
                yield point, more


def grown(plan, figures, build, current):
    """Return ``plan`` with as many runs as the results that are there show to be needed.

    ``current`` tells of a plan and a point's id whether its results are there. Points that are
    not are left as they are: grow again when they have run.
    """
    while True:
        points = dict(plan.points)
        for identity, members in plan.figures.items():
            if all(current(plan, point) for _, point in members):
                for point, runs in _wishes(figures[identity], build, plan):
                    if runs > points[point].runs:
                        points[point] = replace(points[point], runs=runs)
        if points == plan.points:
            return plan
        plan = replace(plan, points=points)
