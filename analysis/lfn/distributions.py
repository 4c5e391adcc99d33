# SPDX-License-Identifier: GPL-2.0-only
"""Plots that papers on transports show: distributions, and throughput against delay.

import lfn
from lfn.distributions import plot_cdf, plot_boxes, plot_throughput_delay
from lfn.style import new_figure, save

The arguments ``key``, ``label`` and ``changes`` are those of style.style().
"""

import numpy as np

from lfn.style import style


def _finite(values):
    """Return values without NaN, sorted, shape (number of them,); ValueError without any."""
    numbers = np.sort(np.asarray(values, dtype=float).ravel())
    numbers = numbers[~np.isnan(numbers)]
    if not len(numbers):
        raise ValueError("a distribution needs at least one value that is not NaN")
    return numbers


def cdf(values):
    """Return (x, p), the empirical distribution: a share p[i] of the values is at most x[i].

    Both have the shape (number of values that are not NaN,); the last p is 1.
    """
    numbers = _finite(values)
    return numbers, np.arange(1, len(numbers) + 1) / len(numbers)


def plot_cdf(axes, values, key, label=None, **changes):
    """Plot the empirical distribution of ``values``, a step per value."""
    x, p = cdf(values)
    look = style(key, label, **{"marker": None, **changes})
    axes.step(np.append(x[0], x), np.append(0.0, p), where="post", **look)
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("fraction of values")


def plot_boxes(axes, groups):
    """Plot a box per group: quartiles and median, whiskers to the furthest value within 1.5 boxes.

    ``groups`` maps a key of style.STYLES, or a name, to values. What lies outside is a point.
    """
    looks = {key: style(key) for key in groups}
    drawn = axes.boxplot(
        [_finite(values) for values in groups.values()],
        orientation="horizontal",
        patch_artist=True,
        medianprops={"color": "black", "linewidth": 1.6},
        flierprops={"marker": ".", "markersize": 4},
    )
    for box, look in zip(drawn["boxes"], looks.values(), strict=True):
        box.set(facecolor=look["color"], alpha=0.6)
    axes.set_yticks(range(1, len(groups) + 1), [look["label"] for look in looks.values()])
    axes.invert_yaxis()
    axes.grid(False, axis="y")


def plot_throughput_delay(axes, table, by="transport"):
    """Plot throughput against the 95th percentile of delay: the upper right corner is best.

    ``table`` is the summary of runs with --monitor: columns goodput_bps [bit/s], delay_p95_s [s]
    and ``by``, whose values are keys of style.STYLES or names. A marker is the mean of a group's
    rows, its bars go to the least and the most. Rows without a delivered packet are left out.
    Delays grow to the left (Winstein and Balakrishnan, "TCP ex Machina", figure 4).
    """
    missing = {"goodput_bps", "delay_p95_s", by} - set(table.columns)
    if missing:
        names = ", ".join(sorted(missing))
        raise ValueError(f"the table has no column {names}: run with --monitor, give by=")
    rows = table.dropna(subset=["delay_p95_s"])
    for key, group in rows.groupby(by, sort=False):
        rate, delay = group["goodput_bps"] / 1e6, 1e3 * group["delay_p95_s"]
        axes.errorbar(
            delay.mean(),
            rate.mean(),
            xerr=[[delay.mean() - delay.min()], [delay.max() - delay.mean()]],
            yerr=[[rate.mean() - rate.min()], [rate.max() - rate.mean()]],
            capsize=2,
            elinewidth=1,
            **style(key, linestyle="none"),
        )
    if not axes.xaxis_inverted():
        axes.invert_xaxis()
    axes.set_xlabel("95th percentile of one-way delay (ms)")
    axes.set_ylabel("throughput (Mb/s)")
