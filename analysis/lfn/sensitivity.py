# SPDX-License-Identifier: GPL-2.0-only
"""What a verdict owes to a parameter that was fitted or chosen.

The points of the quick preset run again with other values of the parameter, and the figure's
own functions judge them. A verdict counts that is decided at the used value and looks at a point
with it; it survives when it is the same at all values that were tried.
"""

from dataclasses import dataclass

import pandas as pd

from lfn.claims import NEEDS_FULL, UNDECIDED, judge
from lfn.points import canonical
from lfn.results import Results
from lfn.units import number_or_text

PRESET = "quick"
"""The preset whose points and runs are varied."""
COLUMNS = ("parameter", "claim", "value", "used", "measured", "verdict", "survives", "range")


@dataclass(frozen=True)
class Variation:
    """A figure's points with one value of the parameter of ``block``, a Sensitivity.

    ``members`` is [(series, Point)], ``seconds`` the estimated wall time of a run of each,
    ``exact`` {point id: series} of those that are said not to be random, ``moved`` the ids of those
    that have the parameter.
    """

    block: int
    value: object
    members: list
    seconds: list
    exact: dict
    moved: frozenset

    @property
    def name(self):
        """What distinguish it from the figure's others."""
        return f"{self.block}={canonical(self.value)}"

    @property
    def limits(self):
        """{point id: runs}."""
        return {point.id: point.runs for _, point in self.members}


def variations(figure):
    """Return the Variations of a Figure: of each block the used value, then the others."""
    found = []
    for number, block in enumerate(figure.sensitivity):
        points = [(series, point) for series in figure.series for point in series.points(PRESET)]
        named = any(block.parameter in dict(point.args) for _, point in points)
        for value in block.values:
            members, seconds, exact, moved = [], [], {}, set()
            for series, point in points:
                if block.concerns(series.name, point, named):
                    point = block.varied(point, value)
                    moved.add(point.id)
                if series.says_exact(point):
                    exact[point.id] = series.name
                members.append((series.name, point))
                seconds.append(series.seconds[PRESET])
            found.append(Variation(number, value, members, seconds, exact, frozenset(moved)))
    return found


def _numbers(values):
    return [number_or_text(canonical(value)) for value in values]


def _is_text(values):
    """Check whether values have no order, since one is no number."""
    return any(isinstance(number, str) for number in _numbers(values))


def _ascending(values):
    """Return the places of ``values`` in ascending order, those of texts as they stand."""
    if _is_text(values):
        return list(range(len(values)))
    return sorted(range(len(values)), key=_numbers(values).__getitem__)


def _range(values, verdicts):
    """Return the lowest and highest value about the first, the used one, with its verdict.

    Of texts, which have no order, all that have it.
    """
    if _is_text(values):
        return [
            value for value, verdict in zip(values, verdicts, strict=True) if verdict == verdicts[0]
        ]
    order = _ascending(values)
    low = high = order.index(0)
    while low > 0 and verdicts[order[low - 1]] == verdicts[0]:
        low -= 1
    while high + 1 < len(order) and verdicts[order[high + 1]] == verdicts[0]:
        high += 1
    return [values[order[low]], values[order[high]]]


def judged(figure, judges, build):
    """Return a table of COLUMNS: a row per claim and value of each parameter; none without blocks.

    ``judges`` is {claim: function}. Raises SpecError for what one should not return.
    """
    rows = []
    every = variations(figure)
    for number, block in enumerate(figure.sensitivity):
        mine = [variation for variation in every if variation.block == number]
        results = [
            Results.load(
                figure,
                build,
                PRESET,
                [(series, point.id) for series, point in one.members],
                one.limits,
                one.exact,
            )
            for one in mine
        ]
        for claim in block.judged(figure):
            measure = judges[claim.id]
            found = [judge(figure.id, claim, measure, result) for result in results]
            rests = bool(results[0].read & mine[0].moved)
            verdicts = [row["verdict"] for row in found]
            if not rests or verdicts[0] == NEEDS_FULL:
                continue
            decided = verdicts[0] != UNDECIDED
            values = [one.value for one in mine]
            ends = dict.fromkeys(map(str, _range(values, verdicts) if decided else ()))
            holds = ("; " if _is_text(values) else " to ").join(ends)
            for one, row in zip(mine, found, strict=True):
                rows.append(
                    (
                        block.parameter,
                        claim.id,
                        str(one.value),
                        one is mine[0],
                        row["measured"],
                        row["verdict"],
                        len(set(verdicts)) == 1 if decided else "",
                        holds,
                    )
                )
    return pd.DataFrame(rows, columns=COLUMNS)


def shown(figure, table):
    """Return what the report shows: a dictionary per parameter, of which each claim is a row."""
    found = []
    for block in figure.sensitivity:
        values = block.values
        order = _ascending(values)
        mine = table[table["parameter"] == block.parameter]
        claims = [
            {
                "claim": claim,
                "counts": bool(part["survives"].iloc[0] != ""),
                "survives": bool(part["survives"].iloc[0]),
                "range": part["range"].iloc[0],
                "found": [
                    {"measured": part["measured"].iloc[at], "verdict": part["verdict"].iloc[at]}
                    for at in order
                ],
            }
            for claim, part in mine.groupby("claim", sort=False)
        ]
        found.append(
            {
                "parameter": block.parameter,
                "why": block.why,
                "value": str(block.used),
                "factors": bool(block.factors),
                "columns": [str(values[at]) + (" (used)" if at == 0 else "") for at in order],
                "claims": claims,
            }
        )
    return found
