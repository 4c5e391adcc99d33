# SPDX-License-Identifier: GPL-2.0-only
"""Which figures fit into a given time.

A figure is run whole or not at all. The figures are taken in this order, each if it still fits
together with those before it: higher ``importance`` (figure.toml) first, among equals the one that
takes longest first, then by name. Figures that need no run cost nothing and always fit.
"""

import math

from lfn.units import quantity


def parse_budget(text):
    """Return the seconds of a text such as 30min; raises ValueError."""
    seconds, unit = quantity(text)
    if unit != "s" or not 0 < seconds < math.inf:
        raise ValueError(f"'{text}' is no time")
    return seconds


def wall_seconds(points, seconds, jobs):
    """Return the expected wall time of ``points`` with ``jobs`` at a time."""
    needs = [seconds[point] for point in points if point in seconds]
    return max(math.fsum(needs) / jobs, max(needs, default=0.0))


def rank(plan, importance, seconds, jobs):
    """Return the ids in the order in which they are taken."""
    alone = {
        name: wall_seconds({point for _, point in members}, seconds, jobs)
        for name, members in plan.figures.items()
    }
    return sorted(alone, key=lambda name: (-importance[name], -alone[name], name))


def choose(plan, importance, seconds, jobs, budget):
    """Return (ids that fit, {id: wall seconds that it takes alone} of the rest).

    ``importance`` maps figures, ``seconds`` points that must run, to their expected seconds.
    """
    own = {name: {point for _, point in members} for name, members in plan.figures.items()}
    alone = {name: wall_seconds(points, seconds, jobs) for name, points in own.items()}
    chosen, taken = set(), set()
    for name in rank(plan, importance, seconds, jobs):
        if wall_seconds(taken | own[name], seconds, jobs) <= budget:
            chosen.add(name)
            taken |= own[name]
    rest = {name: alone[name] for name in own if name not in chosen}
    return [name for name in own if name in chosen], rest
