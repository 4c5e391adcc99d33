# SPDX-License-Identifier: GPL-2.0-only
"""Which figures fit into a given time.

A figure is run whole or not at all. The figures are taken in this order, each if it still fits
together with those before it: higher ``importance`` (figure.toml) first, among equals the one that
takes longest first, then by name. Figures that need no run cost nothing and always fit.
"""

import math
from dataclasses import dataclass

from lfn.units import quantity


def parse_budget(text):
    """Return the seconds of a text such as 30min; raises ValueError."""
    seconds, unit = quantity(text)
    if unit != "s" or not 0 < seconds < math.inf:
        raise ValueError(f"'{text}' is no time")
    return seconds


@dataclass(frozen=True)
class Need:
    """What a point still needs: ``seconds`` of wall time, its ``runs`` one after another."""

    seconds: float
    runs: int = 1

    @property
    def run(self):
        """Seconds of one of its runs."""
        return self.seconds / self.runs


def wall_seconds(points, needs, jobs):
    """Return the expected wall time of ``points`` with ``jobs`` runs at a time.

    ``needs`` maps points that must run to their Need. Nothing is over before its longest run.
    """
    own = [needs[point] for point in points if point in needs]
    total = math.fsum(need.seconds for need in own)
    return max(total / jobs, max((need.run for need in own), default=0.0))


def widths(needs, jobs):
    """Return {point: its runs at a time, at most ``jobs``}.

    More than one only where its runs one after another would take longer than all points together
    have to with ``jobs`` runs at a time.
    """
    ideal = math.fsum(need.seconds for need in needs.values()) / jobs
    return {
        point: max(1, min(need.runs, jobs, math.ceil(need.seconds / ideal) if ideal else 1))
        for point, need in needs.items()
    }


def rank(plan, importance, needs, jobs):
    """Return the ids in the order in which they are taken."""
    alone = {name: wall_seconds(plan.points_of(name), needs, jobs) for name in plan.figures}
    return sorted(alone, key=lambda name: (-importance[name], -alone[name], name))


def choose(plan, importance, needs, jobs, budget):
    """Return (ids that fit, {id: wall seconds that it takes alone} of the rest).

    ``importance`` maps figures, ``needs`` points that must run to their Need.
    """
    own = {name: set(plan.points_of(name)) for name in plan.figures}
    alone = {name: wall_seconds(points, needs, jobs) for name, points in own.items()}
    chosen, taken = set(), set()
    for name in rank(plan, importance, needs, jobs):
        if wall_seconds(taken | own[name], needs, jobs) <= budget:
            chosen.add(name)
            taken |= own[name]
    rest = {name: alone[name] for name in own if name not in chosen}
    return [name for name in own if name in chosen], rest
