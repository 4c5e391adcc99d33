# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP under congestion; one function a claim."""

from lfn.claims import Measured
from lfn.vrp import sums


def _over_one(results, column):
    """{flows: a column's value over that of one flow}."""
    table = sums(results, "vrp").set_index("flows")[column]
    return {f"{n:g} flows": table[n] / table[1] for n in table.index if n > 1}


def no_collapse(results):
    """Goodput of all flows over that of one."""
    return Measured(_over_one(results, "goodput_bps"), results.runs("vrp"))


def timeout_rises(results):
    """Timeout and round trip with most flows over those of one."""
    parts = {}
    for column, name in (("rto_s", "timeout"), ("rtt_s", "round trip")):
        parts[name] = list(_over_one(results, column).values())[-1]
    return Measured(parts, results.runs("vrp"))


def sending_falls(results):
    """Data packets sent by most flows over those of one."""
    return Measured.one(list(_over_one(results, "data_packets").values())[-1], results.runs("vrp"))


def _flows(n):
    return f"{n:g} VRP flow{'s' if n > 1 else ''}"


def _beside(results):
    """TCP's goodput, a VRP flow's goodput and the fair share, by VRP flows."""
    return sums(results, "with-tcp").set_index("flows")


def more_optimistic_than_tcp(results):
    """A VRP flow's goodput over that of TCP beside it."""
    table = _beside(results)
    parts = {_flows(n): row["goodput_bps"] / n / row["tcp_bps"] for n, row in table.iterrows()}
    return Measured(parts, results.runs("with-tcp"))


def tcp_share(results):
    """TCP's goodput over an equal share of what all get."""
    parts = {
        _flows(n): row["tcp_bps"] / ((row["tcp_bps"] + row["goodput_bps"]) / (n + 1))
        for n, row in _beside(results).iterrows()
    }
    return Measured(parts, results.runs("with-tcp"))
