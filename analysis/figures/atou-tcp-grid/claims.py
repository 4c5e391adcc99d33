# SPDX-License-Identifier: GPL-2.0-only
"""Claims about atou alongside ns-3's TCP; one function per claim."""

from lfn.average import Average, measured
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou_tcp import gain_after_loss, law_ratio, mean_ratios, pairs, path_ratios
from lfn.results import MissingDataError, mean_interval
from lfn.units import percent

NOW = {"ackDelay": 0.0}
DELAYED = {"ackDelay": 0.2}
RARE = 0.0011
"""Loss rates that leave a window much larger than TCP's gain of two segments."""


def _grid(results, column, **flags):
    ours = ("grid", {"protocol": "atou", **flags})
    theirs = ("grid", {"protocol": "tcp", **flags})
    return measured(path_ratios(results, ours, theirs, column))


def _delayed(results, ours, theirs, column, long=False):
    parts = path_ratios(results, ours, theirs, column)
    if long:
        parts = {name: value for name, value in parts.items() if not name.endswith(" 10 ms")}
    return measured(parts)


goodput = claim(_grid, "mbs", **NOW)  # Goodput by path, no delayed ACKs
window = claim(_grid, "mean_cwnd", **NOW)  # Mean window by path, no delayed ACKs
goodput_delayed = claim(_grid, "mbs", **DELAYED)  # Goodput by path, delayed ACKs


def window_delayed_newreno(results):
    """Mean window over TcpNewReno's."""
    ours = ("grid", {"protocol": "atou", **DELAYED})
    return _delayed(results, ours, ("newreno", {}), "mean_cwnd", long=True)


def goodput_delayed_newreno(results):
    """Goodput over TcpNewReno's."""
    return _delayed(results, ("grid", {"protocol": "atou", **DELAYED}), ("newreno", {}), "mbs")


def _linux():
    return ("grid", {"protocol": "tcp", **DELAYED})


# Goodput with twice the growth.
goodput_delayed_doubled = claim(_delayed, ("doubled", {}), _linux(), "mbs", long=True)
# Mean window with twice the growth.
window_delayed_doubled = claim(_delayed, ("doubled", {}), _linux(), "mean_cwnd")


def goodput_short_heartbeat(results):
    """Goodput with twice the growth and a heartbeat of 20 ms."""
    ours, theirs = (("heartbeat", {"protocol": name}) for name in ("atou", "tcp"))
    return _delayed(results, ours, theirs, "mbs")


def goodput_random(results):
    """Mean ratio of pairs with the same random losses."""
    table = pairs(results, "random-atou", "random-tcp")
    return mean_ratios(table[table["loss"] <= RARE])


def goodput_random_often(results):
    """The same at higher loss rates."""
    table = pairs(results, "random-atou", "random-tcp")
    return mean_ratios(table[table["loss"] > RARE])


def _timeouts(results, often):
    """Timeouts over all recoveries, by loss rate."""
    parts = {}
    for loss, rows in results.rows("random-atou").groupby("--lossRate"):
        if (float(loss) > RARE) is often:
            share = rows["timeouts"] / (rows["timeouts"] + rows["dup3s"])
            parts[percent(float(loss))] = Average.of(rows, share)
    if not parts:
        raise MissingDataError("no runs with such losses")
    return measured(parts)


timeouts_rare = claim(_timeouts, often=False)
timeouts_rare_often = claim(_timeouts, often=True)


def gain(results):
    """Gain of TCP less that of atou after a lone loss."""
    table = results.samples("one-loss", "send_rate_bps")
    found = {}
    for _, row in results.rows("one-loss").iterrows():
        chosen = table[table["point"] == row["point"]]
        segments = chosen.assign(value=chosen["value"] * row["--rtt"] / (8 * 1472))
        found[row["--protocol"]] = gain_after_loss(segments)
    return Measured.one(round(found["tcp"] - found["atou"], 6), len(found))


def random_law(results):
    """Mean ratio of pairs with SACK over that of the law."""
    table = pairs(results, "sack-atou", "sack-tcp")
    return mean_ratios(table.assign(ratio=table["ratio"] / table["loss"].map(law_ratio)))


def spurious(results):
    """TCP's retransmissions with ns-3's bugs over those with SACK, worst run: no interval."""
    table = pairs(results, "sack-tcp", "faults-tcp")
    found = table["retransmitted_packets_theirs"] / table["retransmitted_packets_ours"]
    return Measured.one(found.max(), 2 * len(table), basis="some run")


def no_spurious(results):
    """The same of atou, mean of the runs."""
    table = pairs(results, "sack-tcp", "random-atou")
    parts, errors = {}, {}
    for loss, group in table.groupby("loss"):
        lost, again = (group[f"retransmitted_packets_{whose}"] for whose in ("ours", "theirs"))
        if lost.sum() == 0:
            raise MissingDataError(f"nothing was lost at {loss:g}")
        name = f"{percent(loss)} lost"
        parts[name] = again.mean() / lost.mean()
        errors[name] = mean_interval(again - parts[name] * lost)[1] / lost.mean()
    return Measured(parts, 2 * len(table), errors)
