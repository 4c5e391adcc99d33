# SPDX-License-Identifier: GPL-2.0-only
"""Claims about XCP without TCP; one function per claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.xcp import PAYLOAD, PPP, XCP_PACKET, flow_rates, path, rate_of_link

FIVE_STARTS = (0.0, 5.0, 10.0, 15.0, 20.0)


def _column(results, series, name):
    return Measured({one: results.rows(one)[name].iloc[0] for one in series}, len(series))


def full_use(results):
    """Mean utilisation from the second start on, five flows on two links."""
    parts = {}
    for series, second in (("five", 5.0), ("fast", 2.0)):
        table = path(results, series, "utilisation")
        parts[series] = table.loc[table["time_s"] > second + 1e-6, "value"].mean()
    return Measured(parts, len(parts))


# Mean queue in packets, five flows on two links.
tiny_queue = claim(_column, ("five", "fast"), "mean_queue_packets")
no_drops = claim(_column, ("five", "fast", "rtts"), "drops_tail")  # Drops of the whole runs


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


rtt_fair = claim(_equal, "rtts", 20.0, 60.0)  # Rate of each flow over the mean, five RTTs
equal_fast = claim(_equal, "fast", 10.0, 12.0)  # The same of flows that start every 2 s


def acquires(results):
    """End of the first interval from which on 95 % are used in each, s."""
    table = path(results, "one", "utilisation")
    last = table.loc[table["value"] <= 0.95, "time_s"].max()
    return Measured.one(table.loc[table["time_s"] > last, "time_s"].min(), 1)


def _overshoot(results, series, metric, every):
    table = path(results, series, metric)
    steps = table["time_s"] / every
    packets = table.loc[(steps - steps.round()).abs() < 1e-6, "value"].max()
    row = results.rows(series).iloc[0]
    bdp = rate_of_link(results, series) * row["--rtt"] / 8.0
    return Measured.one(packets * XCP_PACKET / bdp, 1)


def _drained(results, series):
    table = path(results, series, "queue_peak_packets")
    return Measured.one(table.loc[table["time_s"] > 3.0, "value"].max(), 1)


overshoot = claim(_overshoot, "one", "queue_packets", 0.2)  # Longest sample of the queue over C RTT
drained = claim(_drained, "one")  # Longest queue from 3 s on
overshoot_paced = claim(
    _overshoot, "paced", "queue_peak_packets", 0.05
)  # Longest queue over C RTT, paced
drained_paced = claim(_drained, "paced")  # Longest queue from 3 s on, sender paced
