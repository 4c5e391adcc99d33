# SPDX-License-Identifier: GPL-2.0-only
"""What udt-fairness measures of its ten flows."""

from lfn.figures.udt_grids import DUMBBELL
from lfn.figures.udt_sharing import by_value, jain, settled

SETTLING = 0.25
"""Part of a run that does not count."""


def fairness(flows):
    """Jain's index of the flows of a run."""
    return jain(flows["mean"])


def over_rtts(results, series, measure, interval=None):
    """{round-trip time in ms: Average of ``measure``(flows of a run)}; as steady()."""
    flows = settled(results, series, SETTLING, interval)
    flows["ms"] = (1e3 * flows[f"--{DUMBBELL}Rtt"].astype(float)).round(6)
    return by_value(flows, "ms", measure)
