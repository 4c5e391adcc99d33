# SPDX-License-Identifier: GPL-2.0-only
"""Means that know their 95 % interval and the runs behind them, and how to reckon with them."""

from dataclasses import dataclass

import numpy as np

from lfn.claims import Measured
from lfn.results import mean_interval


@dataclass(frozen=True)
class Average:
    """A mean over runs.

    ``half`` is the half width of its 95 % interval: 0 where nothing is random, not a number where
    there is a single run of what is. ``runs`` are the (point, run) it was made of. Averages are
    divided by each other as independent ones; a number beside one is exact.
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

    def __add__(self, number):
        return Average(self.value + number, self.half, self.runs)

    def __sub__(self, number):
        return self + -number

    def __rsub__(self, number):
        return Average(number - self.value, self.half, self.runs)

    def __mul__(self, number):
        return Average(number * self.value, abs(number) * self.half, self.runs)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if not isinstance(other, Average):
            return self * (1.0 / other)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.divide(self.value, other.value)
            half = np.hypot(self.half, value * other.half) / abs(other.value)
        return Average(float(value), float(half), self.runs | other.runs)


def measured(parts, note=""):
    """The Measured of an Average, or of {name: Average}; what is exact has no error."""
    parts = {"": parts} if isinstance(parts, Average) else parts
    return Measured(
        {name: float(part.value) for name, part in parts.items()},
        len(frozenset().union(*(part.runs for part in parts.values()))),
        {name: float(part.half) for name, part in parts.items() if part.half != 0.0},
        note,
    )
