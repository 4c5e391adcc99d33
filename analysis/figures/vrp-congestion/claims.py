# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP under congestion; one function per claim."""

from lfn.average import averages, measured
from lfn.figures.vrp import KB, sums
from lfn.models import vrp as model


def _over_one(results, column):
    """{flows: Average of a column over that of one flow}."""
    means = averages(sums(results, "vrp"), "flows", column)
    return {f"{n:g} flows": means[n] / means[1] for n in means if n > 1}


def _most_over_one(results, column):
    return list(_over_one(results, column).values())[-1]


def no_collapse(results):
    """Goodput of all flows over the largest with fewer flows."""
    means = averages(sums(results, "vrp"), "flows", "goodput_bps")
    parts, most = {}, None
    for flows, mean in means.items():
        if most is not None:
            parts[f"{flows:g} flows"] = mean / most
        most = max(most or mean, mean, key=lambda one: one.value)
    return measured(parts)


def timeout_rises(results):
    """Timeout and RTT with most flows over those of one."""
    columns = {"timeout": "rto_s", "RTT": "rtt_s"}
    return measured({name: _most_over_one(results, one) for name, one in columns.items()})


def sending_falls(results):
    """Data packets that all flows sent over those that the bottleneck carries in that time."""
    rows = results.rows("vrp")
    link, seconds = rows["--linkRate"].iloc[0], rows["--duration"].iloc[0]
    carried = link * seconds / (8 * model.wire_bytes(2 * KB, model.PPP))
    means = averages(sums(results, "vrp"), "flows", "data_packets")
    return measured({f"{n:g} flows": means[n] / carried for n in means if n > 1})


def _alongside(results, value):
    """{VRP flows: Average of what ``value`` makes of the runs of VRP alongside TCP}."""
    runs = sums(results, "with-tcp")
    means = averages(runs.assign(value=value(runs)), "flows", "value")
    return {f"{n:g} VRP flow{'s' if n > 1 else ''}": mean for n, mean in means.items()}


def more_optimistic_than_tcp(results):
    """A VRP flow's goodput over that of TCP alongside it."""
    vrp = _alongside(results, lambda runs: runs["goodput_bps"] / runs["flows"])
    tcp = _alongside(results, lambda runs: runs["tcp_bps"])
    return measured({name: vrp[name] / tcp[name] for name in vrp})


def tcp_share(results):
    """TCP's goodput over an equal share of what all get."""

    def share(runs):
        return runs["tcp_bps"] * (runs["flows"] + 1) / (runs["tcp_bps"] + runs["goodput_bps"])

    return measured(_alongside(results, share))
