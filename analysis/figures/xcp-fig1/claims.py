# SPDX-License-Identifier: GPL-2.0-only
"""Claims about XCP beside TCP without a mechanism; one function a claim."""

import numpy as np

from lfn.claims import Measured
from lfn.results import MissingDataError, mean_interval
from lfn.xcp import (
    SETTLED,
    binned,
    bins_measured,
    classes,
    measured_bins,
    measured_share,
    over_bins,
    queue_law,
    rtt_of,
)


def alone(results):
    """XCP's share before TCP starts, both round trips."""
    parts, runs = {}, 0
    for series in ("none-20", "none-100"):
        found = measured_share(results, series, 0.0, 10.0)
        parts[rtt_of(series)] = found.parts[""]
        runs += found.runs
    return Measured(parts, runs)


def starves_20(results):
    """XCP's share by bin, 20 ms."""
    return measured_bins(results, "none-20", "share", 20.0)


def starves_20_sack(results):
    """XCP's share from 20 s on, TCP with SACK."""
    return measured_share(results, "sack-20", 20.0)


def full_link(results):
    """Least utilisation of a 10 s bin."""
    table = over_bins(binned(results, "none-20", "utilisation"), "value")
    values = table.loc[table["start"] >= 20.0, "mean"]
    if values.empty:
        raise MissingDataError("no 20 s")
    return Measured.one(values.min(), results.runs("none-20"))


def standing_queue(results):
    """Mean queue over the law's."""
    table = queue_law(results, "none-20")
    mean, half = mean_interval(table["ratio"])
    return Measured.one(mean, len(table), half)


def falls_100(results):
    """Largest rise of the mean share between neighbouring bins."""
    table = over_bins(classes(results, "none-100"), "share")
    table = table[(table["start"] >= 20.0) & (table["start"] < 100.0)]
    if len(table) < 2:
        raise MissingDataError("no two bins after 20 s")
    return Measured.one(np.diff(table["mean"]).max(), results.runs("none-100"))


def starves_100(results):
    """XCP's share by bin at the end, 100 ms."""
    return measured_bins(results, "none-100", "share", 90.0)


def two_bdp(results):
    """The same with twice the buffer."""
    parts, errors, runs = bins_measured(classes(results, "bdp2-100"), "share", SETTLED + 40.0)
    return Measured(parts, runs, errors)
