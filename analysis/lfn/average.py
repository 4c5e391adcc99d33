# SPDX-License-Identifier: GPL-2.0-only
"""Means that know their 95 % interval and the runs behind them, and how to compute with them."""

from dataclasses import dataclass, replace

import numpy as np

from lfn.claims import Measured
from lfn.results import mean_interval


@dataclass(frozen=True)
class Average:
    """A mean over runs.

    ``half`` is the half width of its 95 % interval: 0 where nothing is random, not a number where
    there is a single run of what is. ``runs`` are the (point, run) it was made of. Averages are
    added to and divided by each other as independent ones; a number beside one is exact.
    """

    value: float
    half: float = 0.0
    runs: frozenset = frozenset()

    @staticmethod
    def of(rows, values, random=True):
        """The mean of ``values``, one of each of ``rows``; without ``random`` one run is exact."""
        mean, half = mean_interval(values, random)
        runs = frozenset(zip(rows["point"], rows["run"], strict=True))
        return Average(mean, half, runs)

    def __add__(self, other):
        if not isinstance(other, Average):
            return Average(self.value + other, self.half, self.runs)
        half = float(np.hypot(self.half, other.half))
        return Average(self.value + other.value, half, self.runs | other.runs)

    __radd__ = __add__

    def __sub__(self, other):
        return self + -1.0 * other

    def __rsub__(self, number):
        return -1.0 * self + number

    def __mul__(self, number):
        return Average(number * self.value, abs(number) * self.half, self.runs)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if not isinstance(other, Average):
            return self * (1.0 / other)
        runs = self.runs | other.runs
        if not other.value:  # nothing came, or nothing was lost: no quotient, however large
            return Average(np.nan, np.nan, runs)
        value = self.value / other.value
        half = np.hypot(self.half, value * other.half) / abs(other.value)
        return Average(float(value), float(half), runs)


def averages(rows, by, column, random=True):
    """{value of the column ``by``: Average of ``column``}, ascending."""
    return {key: Average.of(part, part[column], random) for key, part in rows.groupby(by)}


def by_run(rows, measure):
    """Average of ``measure``(rows of a run, of all points), for what needs several points."""
    mean, half = mean_interval([measure(run) for _, run in rows.groupby("run")])
    return Average(mean, half, frozenset(zip(rows["point"], rows["run"], strict=True)))


def extreme(choose, parts):
    """(name, Average) of the one that ``choose``, min or max, takes of {name: Average}.

    The runs of all stand behind it.
    """
    name = choose(parts, key=lambda one: parts[one].value)
    return name, replace(parts[name], runs=_runs(parts))


def _runs(parts):
    return frozenset().union(*(part.runs for part in parts.values()))


def _repeated(part):
    """Tell whether an Average is of several runs of some point."""
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
    )
