# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the estimators of flows; one function a claim."""

from lfn.claims import Measured
from lfn.results import MissingDataError
from lfn.xcp import SRED_RANGES
from lfn.xcp_beyond import effective, mean_between, metric, packets_until, runs_of, spans

PACKET_BITS = 8 * 1000
FEW, MANY = 3, 10
JOIN, LEAVE = 12, 24
NEWCOMERS = range(3, 10)
"""XCP flows before and after the join; it and the leave come at these times."""
PLATEAUS = {"3 flows": (JOIN - 6, JOIN, FEW), "10 flows": (LEAVE - 6, LEAVE, MANY)}


def _over_true(results, estimator):
    """Mean estimate over the true number, by plateau."""
    times, values = metric(results, "steps", "xcp_flows_estimated", estimator=estimator)
    if times[-1] < LEAVE:
        raise MissingDataError("no runs long enough")
    parts = {
        name: mean_between(times, values, begin, end) / true
        for name, (begin, end, true) in PLATEAUS.items()
    }
    return Measured(parts, 1)


def sred(results):
    """Distance of SRED's estimate between the steps from its 90 % range, over the true number."""
    found = _over_true(results, "sred")
    parts = {}
    for name, (_, _, true) in PLATEAUS.items():
        low, high = SRED_RANGES[true]
        count = found.parts[name] * true
        parts[name] = max(low - count, count - high, 0.0) / true
    counts = "; ".join(f"{name}: {found.parts[name] * PLATEAUS[name][2]:.3g}" for name in parts)
    return Measured(parts, 1, note=f"Mean counts: {counts}")


def bloom(results):
    """The Bloom filter's."""
    return _over_true(results, "bloom")


def exact(results):
    """The exact set's."""
    return _over_true(results, "exact")


def _packets(results, begin, aim):
    """Packets of XCP's flows from ``begin`` until SRED has gone 90 % of its way to ``aim``."""
    times, values = metric(results, "steps", "xcp_flows_estimated", estimator="sred")
    _, rates = metric(results, "steps", "xcp_rate_bps", estimator="sred")
    packets = rates * (times[1] - times[0]) / PACKET_BITS
    return Measured.one(packets_until(times, values, packets, begin, times[-1], aim), 1)


def join(results):
    """Packets of the class from when all newcomers deliver."""
    found = spans(results, "steps", NEWCOMERS, estimator="sred")
    return _packets(results, max(first for first, _ in found.values()), MANY)


def leave(results):
    """Packets of the class from when none of them delivers any more."""
    found = spans(results, "steps", NEWCOMERS, estimator="sred")
    return _packets(results, max(last for _, last in found.values()), FEW)


def unequal(results):
    """SRED's estimate of unequal flows over their effective number."""
    times, values = metric(results, "unequal", "tcp_flows_estimated", estimator="sred")
    wanted = effective(results, "unequal", range(2, 6), 15, 45, estimator="sred")
    return Measured.one(mean_between(times, values, 15, 45) / wanted, 1)


def same_share(results):
    """Share of the XCP flows less that with the exact set."""
    shares = {
        name: runs_of(results, "steps", estimator=name)["share"].mean()
        for name in ("sred", "bloom", "exact")
    }
    parts = {name: shares[name] - shares["exact"] for name in ("sred", "bloom")}
    return Measured(parts, 3)
