# SPDX-License-Identifier: GPL-2.0-only
"""What udt-rtt measures: single flows, three flows of one host, pairs of flows."""

from lfn.figures.udt_sharing import by_value, each_run, settled

ALONE = {"near": "0.04 ms", "oc-12": "16 ms", "far": "110 ms"}
"""Round-trip time by series of one flow."""

THIRD = 1 / 3
FROM = {"full": 0.2}
"""Part of a run that does not count by preset: with --full 20 of 100 s, as the poster."""


def _flows(results, series):
    return settled(results, series, FROM.get(results.preset, THIRD))


def alone(results, series, of_link=None):
    """Average goodput of a single flow: in bit/s, or ``of_link`` times its part of the link."""
    flows = _flows(results, series)
    scale = of_link / flows["--linkRate"].iloc[0] if of_link else 1.0
    return scale * each_run(flows, lambda rows: rows["mean"].iloc[0])


def together(results, measure):
    """Average of ``measure``(rows of the three flows of one host)."""
    return each_run(_flows(results, "together"), measure)


def _ratio(flows):
    means = flows.set_index("flow")["mean"]
    return means[1] / means[0]


def pairs(results):
    """{round-trip time of the second flow in ms: Average of its goodput over the first's}."""
    flows = settled(results, "pair", THIRD)
    rtts = flows["--ns3::lfn::DumbbellTopology::Rtts"].astype(str)
    flows["ms"] = rtts.str.split(",").str[1].str.removesuffix("ms").astype(float)
    return by_value(flows, "ms", _ratio)
