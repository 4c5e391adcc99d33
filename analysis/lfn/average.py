# SPDX-License-Identifier: GPL-2.0-only
"""Means with their 95 % interval and the runs behind them, and how to compute with them."""

import operator
from dataclasses import dataclass, field, replace

import numpy as np

from lfn.claims import Measured
from lfn.results import mean_interval, student


def _added(one, other):
    """Return the sum of two {run: deviation}, a run that one lacks adding nothing."""
    return {run: one.get(run, 0.0) + other.get(run, 0.0) for run in one | other}


@dataclass(frozen=True)
class Average:
    """A mean over runs.

    ``half`` is the half width of its 95 % interval: 0 where nothing is random, not a number where
    there is a single run of what is. ``runs`` are the (point, run) it was made of. ``deviations``
    says by how much each RngRun moves the mean, in units of its standard error. Averages are added
    to and divided by each other run by run: what two series of the same RngRun have in common,
    such as their losses, is no uncertainty of their difference. Several rows of a run, its flows,
    count as one. A plain number in an operation is exact. ``each`` has the value of each RngRun.
    A half width without deviations, such as that of a Monte Carlo, is independent of all runs.
    """

    value: float
    half: float = 0.0
    runs: frozenset = frozenset()
    deviations: dict = field(default_factory=dict, compare=False)
    degrees: float = np.inf
    each: dict = field(default_factory=dict, compare=False)

    def __post_init__(self):
        if self.half > 0.0 and not self.deviations:
            own = {object(): self.half / student(self.degrees)}
            object.__setattr__(self, "deviations", own)

    @staticmethod
    def of(rows, values, random=True):
        """The mean of ``values``, one of each of ``rows``; without ``random`` one run is exact."""
        values = np.asarray(values, dtype=float)
        runs = frozenset(zip(rows["point"], rows["run"], strict=True))
        each = np.asarray(rows["run"])
        numbers = np.unique(each)
        mean = float(values.mean())
        if len(numbers) < 2:
            own = dict.fromkeys(numbers, mean)
            return Average(mean, float("nan") if random else 0.0, runs, each=own)
        scale = np.sqrt(len(numbers) / (len(numbers) - 1)) / len(values)
        moved = {run: float(scale * (values[each == run] - mean).sum()) for run in numbers}
        own = {run: float(values[each == run].mean()) for run in numbers}
        return Average._of_deviations(mean, runs, moved, len(numbers) - 1, each=own)

    @staticmethod
    def _of_deviations(value, runs, deviations, degrees, unknown=False, each=None):
        """An Average whose interval follows from its deviations, unless that is ``unknown``."""
        half = float("nan")
        if not unknown:
            error = np.sqrt(np.sum(np.square(list(deviations.values()))))
            half = float(student(degrees) * error) if error or np.isnan(error) else 0.0
        return Average(value, half, runs, deviations, degrees, each or {})

    def _together(self, other, combine):
        """{run: value} of two Averages; what is exact is the same in each run."""
        if other.half == 0.0 and len(other.each) < 2:
            return {run: combine(value, other.value) for run, value in self.each.items()}
        if self.half == 0.0 and len(self.each) < 2:
            return {run: combine(self.value, value) for run, value in other.each.items()}
        both = self.each.keys() & other.each.keys()
        return {
            run: combine(value, other.each[run]) for run, value in self.each.items() if run in both
        }

    def _with(self, value, other, mine, theirs, each):
        """An Average of ``value`` that moves by mine * self and theirs * other."""
        moved = _added(
            {run: mine * by for run, by in self.deviations.items()},
            {run: theirs * by for run, by in other.deviations.items()},
        )
        unknown = np.isnan(self.half) or np.isnan(other.half)
        degrees = min(self.degrees, other.degrees)
        runs = self.runs | other.runs
        return Average._of_deviations(float(value), runs, moved, degrees, unknown, each)

    def __add__(self, other):
        if not isinstance(other, Average):
            each = {run: value + other for run, value in self.each.items()}
            return replace(self, value=self.value + other, each=each)
        each = self._together(other, operator.add)
        return self._with(self.value + other.value, other, 1.0, 1.0, each)

    __radd__ = __add__

    def __sub__(self, other):
        return self + -1.0 * other

    def __rsub__(self, number):
        return -1.0 * self + number

    def __mul__(self, number):
        moved = {run: number * by for run, by in self.deviations.items()}
        half = abs(number) * self.half
        each = {run: number * value for run, value in self.each.items()}
        return replace(self, value=number * self.value, half=half, deviations=moved, each=each)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if not isinstance(other, Average):
            return self * (1.0 / other)
        if not other.value:  # nothing came, or nothing was lost: no quotient, however large
            return Average(np.nan, np.nan, self.runs | other.runs)
        value = self.value / other.value
        each = self._together(other, lambda one, by: one / by if by else np.nan)
        return self._with(value, other, 1.0 / other.value, -value / other.value, each)


def averages(rows, by, column, random=True):
    """{value of the column ``by``: Average of ``column``}, ascending."""
    return {key: Average.of(part, part[column], random) for key, part in rows.groupby(by)}


def by_run(rows, measure):
    """Average of ``measure(rows)``, called with a run's rows of all points."""
    runs = rows.groupby("run")
    found = Average.of(
        rows.drop_duplicates("run").sort_values("run"), [measure(r) for _, r in runs]
    )
    return replace(found, runs=frozenset(zip(rows["point"], rows["run"], strict=True)))


def extreme(choose, parts):
    """(name, Average) of the one that ``choose``, min or max, takes of {name: Average}.

    The runs of all stand behind it.
    """
    name = choose(parts, key=lambda one: parts[one].value)
    return name, replace(parts[name], runs=_runs(parts))


def _runs(parts):
    return frozenset().union(*(part.runs for part in parts.values()))


def _repeated(part):
    """Check whether an Average is of several runs of some point."""
    return len(part.runs) > len({point for point, _ in part.runs})


def measured(parts, note=""):
    """The Measured of an Average, or of {name: Average}; what is exact has no error.

    Runs of a point that all agree have one, of 0.
    """
    parts = {"": parts} if isinstance(parts, Average) else parts
    return Measured(
        {name: float(part.value) for name, part in parts.items()},
        len(_runs(parts)),
        {name: float(part.half) for name, part in parts.items() if part.half or _repeated(part)},
        note,
        singles={name: list(part.each.values()) for name, part in parts.items() if part.each},
    )


def over_runs(values, runs=None, note=""):
    """The Measured of means with their 95 % intervals: of values, one a run, or {name: values}.

    ``runs`` simulations stand behind them, as many as there are values where nothing is said.
    """
    parts = values if isinstance(values, dict) else {"": values}
    found = {name: mean_interval(one) for name, one in parts.items()}
    return Measured(
        {name: mean for name, (mean, _) in found.items()},
        sum(map(len, parts.values())) if runs is None else runs,
        {name: half for name, (_, half) in found.items()},
        note,
    )
