# SPDX-License-Identifier: GPL-2.0-only
"""Claims about XCP without TCP; one function a claim."""

from lfn.claims import Measured
from lfn.figures.xcp import PAYLOAD, PPP, XCP_PACKET, flow_rates, path, rate_of_link

FIVE_STARTS = (0.0, 5.0, 10.0, 15.0, 20.0)


def _column(results, series, name):
    return Measured.one(results.rows(series)[name].iloc[0], 1)


def full_use(results):
    """Utilisation, five flows."""
    return _column(results, "five", "utilisation")


def tiny_queue(results):
    """Mean queue in packets, five flows."""
    return _column(results, "five", "mean_queue_packets")


def no_drops(results):
    """Drops of the whole run."""
    return _column(results, "five", "drops_tail")


def fair(results):
    """Jain's index of the last 5 s."""
    rates = flow_rates(results, "five", 25.0, 30.0)
    return Measured.one(rates.sum() ** 2 / (len(rates) * (rates**2).sum()), 1)


def newcomer(results):
    """Rate of each newcomer over the fair share, 3.5 to 4 s after its start."""
    parts = {}
    for flow, start in enumerate(FIVE_STARTS):
        rates = flow_rates(results, "five", start + 3.5, start + 4.0)
        fair_share = rate_of_link(results, "five") * PAYLOAD / (XCP_PACKET + PPP) / (flow + 1)
        parts[f"flow {flow + 1}"] = rates[flow] / fair_share
    return Measured(parts, 1)


def _equal(results, series, begin, end):
    rates = flow_rates(results, series, begin, end)
    return Measured({f"flow {i + 1}": rate / rates.mean() for i, rate in rates.items()}, 1)


def rtt_fair(results):
    """Rate of each flow over the mean, five round trips."""
    return _equal(results, "rtts", 20.0, 60.0)


def equal_fast(results):
    """The same of flows that start every 2 s."""
    return _equal(results, "fast", 10.0, 12.0)


def acquires(results):
    """When 95 % are used, s."""
    table = path(results, "one", "utilisation")
    return Measured.one(table.loc[table["value"] > 0.95, "time_s"].min(), 1)


def _overshoot(results, series):
    packets = path(results, series, "queue_peak_packets")["value"].max()
    row = results.rows(series).iloc[0]
    bdp = rate_of_link(results, series) * row["--rtt"] / 8.0
    return Measured.one(packets * XCP_PACKET / bdp, 1)


def _drained(results, series):
    table = path(results, series, "queue_peak_packets")
    return Measured.one(table.loc[table["time_s"] > 3.0, "value"].max(), 1)


def overshoot(results):
    """Longest queue over C RTT."""
    return _overshoot(results, "one")


def drained(results):
    """Longest queue from 3 s on."""
    return _drained(results, "one")


def overshoot_paced(results):
    """Longest queue over C RTT, sender paced."""
    return _overshoot(results, "paced")


def drained_paced(results):
    """Longest queue from 3 s on, sender paced."""
    return _drained(results, "paced")
