# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the estimators of flows; one function per claim."""

import numpy as np
import pandas as pd

from lfn.average import over_runs
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.xcp import outside_sred_range
from lfn.figures.xcp_beyond import (
    effective,
    mean_between,
    metric,
    packets_until,
    samples,
    spans,
)
from lfn.models import xcp as model
from lfn.results import MissingDataError

PACKET_BITS = 8 * 1000
FEW, MANY = 3, 10
JOIN, LEAVE = 12, 24
NEWCOMERS = range(3, 10)
"""XCP flows before and after the join; it and the leave come at these times."""
PLATEAUS = {"3 flows": (JOIN - 6, JOIN, FEW), "10 flows": (LEAVE - 6, LEAVE, MANY)}


def _averaged(results, series, measure, estimator="sred"):
    """Measured of ``measure``, which takes a run's samples and returns {part: value}."""
    table = samples(results, series, estimator=estimator)
    found = pd.DataFrame([measure(run) for _, run in table.groupby("run")])
    return over_runs(dict(found), len(found))


def _counts(run):
    """Mean estimate, by plateau."""
    times, values = metric(run, "xcp_flows_estimated")
    if times[-1] < LEAVE:
        raise MissingDataError("no runs long enough")
    return {
        name: mean_between(times, values, begin, end) for name, (begin, end, _) in PLATEAUS.items()
    }


def _over_true(run):
    """Mean estimate over the true number, by plateau."""
    return {name: count / PLATEAUS[name][2] for name, count in _counts(run).items()}


def sred(results):
    """How far SRED's estimate between the steps is outside its 90 % range, over the true number."""
    found = _averaged(results, "steps", _counts)
    counts = "; ".join(f"{name}: {count:.3g}" for name, count in found.parts.items())
    true = {name: number for name, (_, _, number) in PLATEAUS.items()}
    return Measured(
        {name: outside_sred_range(true[name], count) for name, count in found.parts.items()},
        found.runs,
        {name: half / true[name] for name, half in found.errors.items()},
        f"Mean counts: {counts}",
    )


# The Bloom filter's estimate over the true number.
bloom = claim(_averaged, "steps", _over_true, "bloom")
exact = claim(_averaged, "steps", _over_true, "exact")  # The exact set's


def _packets(run, begin, aim):
    """Packets of XCP's flows from ``begin`` until SRED has gone 90 % of its way to ``aim``."""
    times, values = metric(run, "xcp_flows_estimated")
    _, rates = metric(run, "xcp_rate_bps")
    packets = rates * (times[1] - times[0]) / PACKET_BITS
    return packets_until(times, values, packets, begin, times[-1], aim)


def _step(results, end, before, after):
    """Packets of the class from when all newcomers deliver (``end`` 0), or none any more (1)."""

    def measure(run):
        times = spans(run, NEWCOMERS).values()
        return {"": _packets(run, max(span[end] for span in times), after)}

    found = _averaged(results, "steps", measure)
    found.note = f"By the law {model.sred_time(before, after)}"
    return found


join = claim(_step, 0, FEW, MANY)
leave = claim(_step, 1, MANY, FEW)


def unequal(results):
    """SRED's estimate of unequal flows over their effective number."""

    def measure(run):
        times, values = metric(run, "tcp_flows_estimated")
        return {"": mean_between(times, values, 15, 45) / effective(run, range(2, 6), 15, 45)}

    return _averaged(results, "unequal", measure)


def same_share(results):
    """Share of the XCP flows over all steps less that with the exact set, paired by run."""

    def share(name):
        found = {}
        for number, run in samples(results, "steps", estimator=name).groupby("run"):
            ours, theirs = (
                mean_between(*metric(run, f"{who}_rate_bps"), JOIN - 6, np.inf)
                for who in ("xcp", "tcp")
            )
            found[number] = ours / (ours + theirs)
        return pd.Series(found)

    shares = {name: share(name) for name in ("sred", "bloom", "exact")}
    both = {name: (shares[name] - shares["exact"]).dropna() for name in ("sred", "bloom")}
    return over_runs(both, sum(map(len, shares.values())))
