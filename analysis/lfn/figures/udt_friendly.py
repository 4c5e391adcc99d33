# SPDX-License-Identifier: GPL-2.0-only
"""What udt-friendly measures: TCP flows of 1 MB, and ten long TCP flows, alongside UDT."""

import pandas as pd

from lfn.average import Average
from lfn.figures.udt_grids import DUMBBELL
from lfn.figures.udt_sharing import by_value, settled
from lfn.results import MissingDataError

SETTLING = 0.25
"""Part of a run that does not count."""

LONG = 10
"""TCP flows that are judged, the first ones."""


def _completion(results, series, **flags):
    """Average of the mean completion time of the short flows, in s."""
    table = results.extra(series, "background", **flags)
    table = table[table["size_class"] == "all"]
    if table["completion_mean_s"].isna().any():
        raise MissingDataError(f"no short flow of series {series} has completed")
    return Average.of(table, table["completion_mean_s"])


def short_flows(results):
    """{number of UDT flows: what the short flows get together, relative to none, an Average}.

    A constant number of flows under way gets a rate that is inverse to their completion time
    (Little's law).
    """
    alone = _completion(results, "short-alone")
    found = {0: alone / alone}
    for flows in sorted(results.rows("short")["--flows"].unique()):
        found[int(flows)] = alone / _completion(results, "short", flows=float(flows))
    return found


def _mean(flows):
    return float(flows.loc[flows["flow"] < LONG, "mean"].mean())


def _by_rtt(results, series):
    flows = settled(results, series, SETTLING)
    flows["ms"] = (1e3 * flows[f"--{DUMBBELL}Rtt"].astype(float)).round(6)
    return by_value(flows, "ms", _mean)


def friendliness(results, series):
    """{round-trip time in ms: Average of TCP's goodput alongside UDT over that alongside TCP}."""
    base = _by_rtt(results, "tcp")
    return {ms: mean / base[ms] for ms, mean in _by_rtt(results, series).items()}


def printed(results):
    """The published numbers of the short flows relative to none."""
    rows = results.printed("short")
    none = float(rows.loc[rows["x"] == 0, "value"].iloc[0])
    return pd.DataFrame({"x": rows["x"], "value": rows["value"] / none})
