# SPDX-License-Identifier: GPL-2.0-only
"""What the figures beyond the XCP-TCP report have in common: shares, queues, flow counts."""

import numpy as np
import pandas as pd

from lfn.models import xcp as model
from lfn.results import MissingDataError
from lfn.units import path_name

PACKET = 1000 + 20 + 20
"""A TCP packet of 1000 user bytes with its headers."""
LIMIT = 1250
"""Bandwidth-delay product in packets up to which the adaptive law is judged."""


def product(rate, rtt):
    """Return a path's bandwidth-delay product in packets."""
    return rate * rtt / 8 / PACKET


def runs_of(results, series, **flags):
    """One row per run: rate, rtt, share of the XCP flows, fair, error, utilisation, queue, delay.

    ``queue`` is the mean in packets, ``delay`` in seconds what the bottleneck takes to send it.
    Runs without XCP flows take the first flow for XCP's.
    """
    rows = results.rows(series, **flags)
    found = []
    for (point, run), flows in rows.groupby(["point", "run"]):
        chosen = flows[flows["protocol"] == "xcp"]
        if chosen.empty:
            chosen = flows[flows["flow"] == 0]
        first = flows.iloc[0]
        rate, rtt = float(first["--bottleneckRate"]), float(first["--rtt"])
        share, fair = float(chosen["share"].sum()), len(chosen) / len(flows)
        found.append(
            {
                "point": point,
                "run": run,
                "rate": rate,
                "rtt": rtt,
                "share": share,
                "fair": fair,
                "error": share - fair,
                "utilisation": float(first["utilisation"]),
                "queue": float(first["mean_queue_packets"]),
                "delay": 8 * float(first["mean_queue_bytes"]) / rate,
            }
        )
    return pd.DataFrame(found)


def by_path(results, series, column, wanted=None, **flags):
    """Values of a column by path, one a run: {path's name: values}.

    ``wanted`` chooses paths by their bandwidth-delay product in packets.
    """
    table = runs_of(results, series, **flags)
    parts = {
        path_name(rate, rtt): group[column]
        for (rate, rtt), group in table.groupby(["rate", "rtt"])
        if wanted is None or wanted(product(rate, rtt))
    }
    if not parts:
        raise MissingDataError(f"no such paths of series {series}")
    return parts


def within(packets):
    """Check whether a path is one of those that the adaptive law is judged on."""
    return packets <= LIMIT


def beyond(packets):
    """Check whether a path is longer than those."""
    return packets > LIMIT


def samples(results, series, **flags):
    """The samples of series.csv, all runs, of a series' first point of such flags."""
    point = results.rows(series, **flags)["point"].iloc[0]
    table = results.extra(series, "series")
    return table[table["point"] == point]


def metric(run, name):
    """A metric of the path over time, of the samples of a run: (times, values)."""
    chosen = run[(run["metric"] == name) & (run["flow"] == -1)].sort_values("time_s")
    if chosen.empty:
        raise MissingDataError(f"the series have no {name}")
    return chosen["time_s"].to_numpy(), chosen["value"].to_numpy()


def _goodput(run, flows):
    return run[(run["metric"] == "goodput_bps") & run["flow"].isin(list(flows))]


def effective(run, flows, begin, end):
    """1 / sum of the squared shares of some flows of a run, by their goodput between two times."""
    chosen = _goodput(run, flows)
    chosen = chosen[(chosen["time_s"] > begin) & (chosen["time_s"] <= end)]
    rates = chosen.groupby("flow")["value"].mean()
    if rates.empty or rates.sum() <= 0:
        raise MissingDataError(f"no goodput from {begin:g} to {end:g} s")
    return model.effective_flows(rates.to_numpy())


def spans(run, flows):
    """When flows of a run deliver, by its samples: {flow: (first, last)}."""
    chosen = _goodput(run, flows)
    chosen = chosen[chosen["value"] > 0]
    if chosen["flow"].nunique() < len(flows):
        raise MissingDataError("not all flows deliver")
    return {int(f): (t.min(), t.max()) for f, t in chosen.groupby("flow")["time_s"]}


def alive(times, found):
    """Number of flows between their first and their last delivery, at each of some times."""
    return np.array([sum(first <= t <= last for first, last in found.values()) for t in times])


def mean_between(times, values, begin, end):
    """Mean of the samples in (begin, end]."""
    chosen = values[(times > begin) & (times <= end)]
    if len(chosen) == 0:
        raise MissingDataError(f"no samples from {begin:g} to {end:g} s")
    return float(np.mean(chosen))


def packets_until(times, values, packets, begin, end, aim):
    """Packets of a class from ``begin`` until an estimate has gone 90 % of its way to ``aim``.

    The way is that of P = 1 / estimate, as the law has it. ``packets`` are those of each sample's
    interval; NaN if it does not get there before ``end``.
    """
    chosen = (times > begin) & (times <= end)
    start = values[times <= begin][-1]
    way = (1 / values[chosen] - 1 / start) / (1 / aim - 1 / start)
    there = np.flatnonzero(way >= 0.9)
    return float(packets[chosen][: there[0] + 1].sum()) if len(there) else float("nan")
