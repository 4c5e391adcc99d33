# SPDX-License-Identifier: GPL-2.0-only
"""Claims about RBUDP and the size of the payload; one function per claim."""

import numpy as np

from lfn.average import Average, averages, measured
from lfn.claims import Measured
from lfn.figures.rbudp import MB, MBPS, PACKET, each_payload, over_payload
from lfn.models import rbudp as model
from lfn.results import MissingDataError

LOSS = 0.12
RATE = 682 * MBPS
RTT = 0.1
SMALL = 67.5 * MB
"""Payloads below get less than 90 % of 600 Mb/s (section 4.1)."""


def _name(size):
    return f"{size / MB:g} MB"


def _over(found, law):
    """Averages by payload over ``law``, a function of the payload."""
    return measured({_name(size): value / law(size) for size, value in found.items()})


def large_payloads_best(results):
    """Throughput of the largest payload over that of each other."""
    parts = {}
    for series in ("lossless-tcp", "lossy"):
        found = each_payload(results, series, random=series == "lossy")
        largest = max(found)
        for size in sorted(found)[:-1]:
            parts[f"{series} {_name(size)}"] = found[largest] / found[size]
    return measured(parts)


def rtt_dominates(results):
    """Duration less the time of sending, in RTTs, for payloads that do not get 90 %."""
    rows = results.rows("lossless-tcp")
    rows = rows[rows["--bytes"] < SMALL]
    overhead = rows["finish_s"] - rows["start_s"] - 8 * rows["--bytes"] / rows["--sendRate"]
    trips = overhead / rows["--rtt"]
    return Measured(dict(zip(map(_name, rows["--bytes"]), trips, strict=True)), len(rows))


def bitmap_negligible(_results):
    """Highest share of equation (3)'s total that equation (5) leaves out."""
    shares = []
    for size in (1 * MB, 10 * MB, 100 * MB, 450 * MB):
        bitmap = 8 * model.acknowledgement_bytes(size) / (600 * MBPS)
        shares.append(bitmap / model.total_time(size, 600 * MBPS, RTT))
    return Measured.one(100 * max(shares))


def bound_without_loss(results):
    """Throughput over equation (4), which is (3) without loss."""
    found = each_payload(results, "lossless", random=False)
    return _over(found, lambda size: model.best_bandwidth(size, 611 * MBPS, RTT))


def bound_with_loss(results):
    """Where the throughput into the livelock host lies between the two models at its rate."""
    rate = float(model.quantised_rate(RATE, PACKET))
    parts = {}
    for size, found in each_payload(results, "host", random=False).items():
        upper = model.best_bandwidth(size, rate, RTT)
        lower = model.bandwidth_with_loss(size, rate, RTT, LOSS)
        parts[_name(size)] = (found - lower) / (upper - lower)
    return measured(parts)


def _lossy(results):
    return each_payload(results, "lossy", random=True)


def loss_model(results):
    """Throughput at independent loss over equations (3), (6), (7)."""
    return _over(_lossy(results), lambda size: model.bandwidth_with_loss(size, RATE, RTT, LOSS))


def bound_without_loss_tcp(results):
    """The same with control messages over TCP."""
    found = each_payload(results, "lossless-tcp", random=False)
    return _over(found, lambda size: model.best_bandwidth(size, 611 * MBPS, RTT))


def worst_case(results):
    """Exact law at a constant loss over the throughput into the livelock host, by payload."""
    rate = float(model.quantised_rate(RATE, PACKET))
    found = each_payload(results, "host", random=False)
    parts = {
        _name(size): model.exact_bandwidth(size, rate, RTT, LOSS, PACKET) / one.value
        for size, one in found.items()
    }
    return Measured(parts, len(parts))


def equation_6_is_no_bound(_results):
    """Highest ratio of the model to the exact law between 1 and 450 MB."""
    sizes = np.array([1, 5, 10, 20, 50, 67.5, 100, 200, 450]) * MB
    ratios = [
        model.bandwidth_with_loss(size, RATE, RTT, LOSS)
        / model.exact_bandwidth(size, RATE, RTT, LOSS, PACKET)
        for size in sizes
    ]
    worst = int(np.argmax(ratios))
    return Measured.one(ratios[worst], note=f"largest at {sizes[worst] / MB:g} MB")


def number_of_resends(results):
    """Mean number of retransmissions less equation (6), for every payload."""
    found = averages(results.rows("lossy"), "--bytes", "blasts")
    return measured({_name(n): sent - 1.0 - model.resends(n, LOSS) for n, sent in found.items()})


def exact_law(results):
    """Distance of the mean duration from the exact law, over its tolerance.

    The tolerance holds the law's own error of the mean, so that this has no interval.
    """
    rows = results.rows("lossy")
    parts = {}
    for size, group in rows.groupby("--bytes"):
        mean = (group["finish_s"] - group["start_s"]).mean()
        law = model.expected_duration(size, RATE, RTT, LOSS, PACKET)
        error = model.deviation_of_duration(size, RATE, RTT, LOSS, PACKET) / np.sqrt(len(group))
        parts[_name(size)] = abs(mean - law) / max(0.02 * law, 3.0 * error)
    return Measured(parts, len(rows), basis="law")


def _share(results, payload):
    """Average throughput at 12 % loss over the send rate, of a payload in MB."""
    found = _lossy(results)
    if payload * MB not in found:
        raise MissingDataError(f"no runs of {payload} MB")
    return found[payload * MB] / RATE


def loss_not_great(results):
    """Share of the send rate that 450 MB reach at 12 % loss."""
    return measured(100 * _share(results, 450))


def loss_not_great_tcp(results):
    """The same with control messages over TCP."""
    found = each_payload(results, "lossy-tcp", random=True)
    return measured(100 * found[450 * MB] / RATE)


def loss_hurts_small(results):
    """What loss leaves of the lossless share of the send rate, 450 MB over 10 MB."""
    without = each_payload(results, "lossless", random=False)
    large, small = (
        _share(results, size) / (without[size * MB] / (611 * MBPS)) for size in (450, 10)
    )
    return measured(large / small)


def sixty_seven_equation(_results):
    """Equation (5) solved for the payload."""
    return Measured.one(model.payload_for_ratio(0.9, 600 * MBPS, RTT) / MB)


def sixty_seven(results):
    """The payload at which the simulated throughput crosses 90 % of 600 Mb/s."""
    table = over_payload(results, "six-hundred")
    share = table["mean"] / (600 * MBPS)
    if not share.iloc[0] < 0.9:
        raise MissingDataError("no payload below 90 %")
    if not share.iloc[-1] > 0.9:  # beyond all payloads
        return Measured.one(np.inf, int(table["runs"].sum()))
    return Measured.one(np.interp(0.9, share, table["--bytes"]) / MB, int(table["runs"].sum()))


def sixty_seven_at_110(_results):
    """Equation (5) for 67.5 MB at the other RTT."""
    return Measured.one(100 * model.best_ratio(67.5 * MB, 600 * MBPS, 0.11))


def window_for_a_gigabit(_results):
    """Bandwidth-delay product with the two meanings of 1 Gb/s."""
    return Measured({"1024 Mb/s": 1024 * 0.11 / 8, "1000 Mb/s": 1000 * 0.11 / 8})


def later_blasts_lose_less(results):
    """Loss rate of all blasts after the first over that of the first, livelock host.

    What is retransmitted was lost: by the first blast what the second one sends.
    """
    rows = results.rows("host")
    first = rows["residual_packets_first_blast"]
    again = rows["retransmitted_packets"]
    rate = (again - first) / again
    ratios = rate / (first / rows["first_blast_packets"])
    parts = dict(zip(map(_name, rows["--bytes"]), ratios, strict=True))
    return Measured({name: ratio for name, ratio in parts.items() if ratio == ratio}, len(rows))


def size_of_retransmissions(results):
    """Packets retransmitted over those of equation (7), by payload."""
    parts = {}
    for size, rows in results.rows("lossy").groupby("--bytes"):
        sent = LOSS * (1.0 - LOSS ** model.resends(size, LOSS)) / (1.0 - LOSS)
        parts[_name(size)] = Average.of(
            rows, rows["retransmitted_packets"] / rows["first_blast_packets"] / sent
        )
    return measured(parts)
