# SPDX-License-Identifier: GPL-2.0-only
"""RBUDP in closed form: equations 1 to 11 of the Quanta paper (FGCS 2003), and exact laws.

Units everywhere: payload and packet sizes in bytes, rates in bit/s of payload, times in
seconds, loss as a fraction. Scalars and numpy arrays are both welcome where a docstring says
"array". A value outside its range raises ValueError.

Equations (3) and (4) lost terms when the paper was printed: the third term of (3) needs
"/B_send" and "+ T_prop" inside its bracket, and the denominator of (4) needs
"S_total/B_send". Equation (5), which follows from them, shows that it must be so.
"""

import math

import numpy as np

from lfn.models import need

MODEL_PACKET = 1500
"""S_packet of the paper's model: 1.5 KB (section 4.1)."""


def packets(payload, packet_size):
    """Return the number of datagrams of a payload: ceil(payload / packet_size)."""
    need(payload > 0 and packet_size > 0, "payload and packet size must be positive")
    return -(-int(payload) // int(packet_size))


def acknowledgement_bytes(payload, packet_size=MODEL_PACKET):
    """Return S_ack = S_total / (8 S_packet) in bytes, one bit per packet (section 4.1)."""
    return payload / (8.0 * packet_size)


def achievable_bandwidth(payload, total_time):
    """Equation (1): throughput in bit/s of ``payload`` bytes in ``total_time`` seconds."""
    return 8.0 * payload / total_time


def total_time(payload, rate, rtt, resends=0, resent_bytes=0.0, packet_size=MODEL_PACKET):
    """Equations (2) and (3): T_total in seconds.

    ``resends`` is N_resend and ``resent_bytes`` the sum of all S_udpSend_i with i >= 1. Every
    blast pays T_prop, and every blast is acknowledged: T_ack + T_prop.
    """
    need(np.all(np.asarray(rate) > 0), "rate must be positive")
    t_prop = rtt / 2.0
    t_ack = 8.0 * acknowledgement_bytes(payload, packet_size) / rate
    first = t_prop + 8.0 * payload / rate
    again = resends * t_prop + 8.0 * resent_bytes / rate
    return first + again + (resends + 1) * (t_ack + t_prop)


def best_bandwidth(payload, rate, rtt, packet_size=MODEL_PACKET):
    """Equation (4): B_best in bit/s, no loss. Arrays welcome."""
    return achievable_bandwidth(payload, total_time(payload, rate, rtt, 0, 0.0, packet_size))


def best_ratio(payload, rate, rtt):
    """Equation (5): B_best / B_send = 1 / (1 + RTT B_send / S_total), S_ack left out."""
    return 1.0 / (1.0 + rtt * rate / (8.0 * payload))


def payload_for_ratio(ratio, rate, rtt):
    """Equation (5) solved for S_total in bytes: the payload that reaches ``ratio`` of B_send."""
    need(0.0 < ratio < 1.0, "ratio must lie between 0 and 1")
    return rtt * rate / 8.0 * ratio / (1.0 - ratio)


def resends(payload, loss, packet_size=MODEL_PACKET):
    """Equation (6): N_resend = floor(log_L(S_packet / S_total)), an integer.

    Zero for no loss and for a payload of one packet, where the equation is undefined.
    """
    need(0.0 <= loss < 1.0, "loss must lie in [0, 1)")
    if loss == 0.0 or payload <= packet_size:
        return 0
    return math.floor(math.log(packet_size / payload) / math.log(loss))


def resent_bytes(payload, loss, packet_size=MODEL_PACKET):
    """Equation (7): S_resend in bytes, the sum of S_total L^i for i from 1 to N_resend."""
    if loss == 0.0:
        return 0.0
    count = resends(payload, loss, packet_size)
    return payload * loss * (1.0 - loss**count) / (1.0 - loss)


def bandwidth_with_loss(payload, rate, rtt, loss, packet_size=MODEL_PACKET):
    """Equations (3), (6) and (7): B_achievable in bit/s at a constant loss of every pass."""
    count = resends(payload, loss, packet_size)
    again = resent_bytes(payload, loss, packet_size)
    return achievable_bandwidth(payload, total_time(payload, rate, rtt, count, again, packet_size))


def objects_per_block(object_rate, delay):
    """Equation (9): N_obj = B_obj D, objects in a block, for ``object_rate`` a second."""
    return object_rate * delay


def block_bytes(object_size, object_rate, delay):
    """Equation (8): S_total = S_obj N_obj in bytes."""
    return object_size * objects_per_block(object_rate, delay)


def stream_bandwidth(object_size, object_rate):
    """Equation (10): B_best = B_obj S_obj in bit/s."""
    return 8.0 * object_size * object_rate


def stream_send_rate(object_size, object_rate, delay, rtt):
    """Equation (11): B_send = S_obj B_obj / (1 - RTT / D) in bit/s."""
    need(delay > rtt, "the block period D must be longer than the RTT")
    return stream_bandwidth(object_size, object_rate) / (1.0 - rtt / delay)


def block_time(object_size, object_rate, delay, rate, rtt):
    """Time in seconds to deliver one block and to receive so: S_total / B_send + RTT.

    The stream is sustained when it is at most ``delay``; equality gives equation (11). Arrays.
    """
    return 8.0 * block_bytes(object_size, object_rate, delay) / rate + rtt


def quantised_interval(rate, packet_size, quantum=1e-6):
    """Time between two datagrams, truncated to whole quanta as the original tool does. Arrays."""
    ideal = 8.0 * packet_size / np.asarray(rate, dtype=float)
    if quantum == 0:
        return ideal
    # One part in 10^9 keeps an interval that is whole on paper from falling to the step below.
    return np.floor(ideal / quantum * (1.0 + 1e-9)) * quantum


def quantised_rate(rate, packet_size, quantum=1e-6):
    """Rate in bit/s that the truncated interval really gives. Arrays."""
    return 8.0 * packet_size / quantised_interval(rate, packet_size, quantum)


# Exact laws under independent loss: every packet of every pass is lost with probability L.


def more_resends_probability(loss, count, resend):
    """P(R > resend): not all of ``count`` packets arrive within ``resend`` + 1 passes. Arrays.

    A packet is missing after k passes with probability L^k, independently of the others, so
    P(R > j) = 1 - (1 - L^(j+1))^N; computed with log1p and expm1, exact for N up to 10^7 and on.
    """
    missing = loss ** (np.asarray(resend, dtype=float) + 1.0)
    return -np.expm1(count * np.log1p(-missing))


def _tail(loss, count):
    """Return the probabilities P(R > j) for j = 0, 1, ... until they no longer count."""
    need(0.0 <= loss < 1.0, "loss must lie in [0, 1)")
    if loss == 0.0:
        return np.zeros(1)
    length = math.ceil((math.log(count) + 45.0) / -math.log(loss)) + 1
    return more_resends_probability(loss, count, np.arange(length))


def expected_resends(loss, count):
    """E[R] of ``count`` packets: the sum over j >= 0 of 1 - (1 - L^(j+1))^N."""
    return float(_tail(loss, count).sum())


def variance_of_resends(loss, count):
    """Var[R]: E[R^2] is the sum over j of (2j + 1) P(R > j)."""
    tail = _tail(loss, count)
    steps = np.arange(len(tail))
    return float(((2 * steps + 1) * tail).sum() - tail.sum() ** 2)


def _covariance_packets_resends(loss, count):
    """Cov of all packets sent and R: the sum over k >= 1 of N k L^k (1 - L^k)^(N-1)."""
    if loss == 0.0:
        return 0.0
    k = np.arange(1, len(_tail(loss, count)) + 1)
    return float((count * k * loss**k * np.exp((count - 1) * np.log1p(-(loss**k)))).sum())


def expected_duration(payload, rate, rtt, loss, packet_size, ack_time=0.0):
    """Exact mean duration in seconds under independent loss with ideal control.

    Each of 1 + R passes costs one RTT and ``ack_time`` seconds (a number); the N / (1 - L)
    packets that are sent on average take one pacing interval each.
    """
    count = packets(payload, packet_size)
    sent = count / (1.0 - loss)
    return (1.0 + expected_resends(loss, count)) * (rtt + ack_time) + sent * (
        8.0 * packet_size / rate
    )


def deviation_of_duration(payload, rate, rtt, loss, packet_size, ack_time=0.0):
    """Exact standard deviation in seconds of the duration; see expected_duration."""
    count = packets(payload, packet_size)
    step = 8.0 * packet_size / rate
    turn = rtt + ack_time
    variance_sent = count * loss / (1.0 - loss) ** 2
    return math.sqrt(
        turn**2 * variance_of_resends(loss, count)
        + step**2 * variance_sent
        + 2.0 * turn * step * _covariance_packets_resends(loss, count)
    )


def exact_bandwidth(payload, rate, rtt, loss, packet_size, ack_time=0.0):
    """8 * payload / E[T] in bit/s; the ratio that a mean over many runs tends to."""
    return 8.0 * payload / expected_duration(payload, rate, rtt, loss, packet_size, ack_time)


# Host model of the spec: one server, an interrupt for every arrival, a copy for every delivery.


def host_delivered(rate, interrupt, service, packet_size):
    """Fluid law of the delivered rate in bit/s: x below saturation, else (1 - x c_i) / c_a.

    ``rate`` (array) is the offered rate in bit/s; ``interrupt`` is c_i and ``service`` c_a in
    seconds a packet. A host that only takes interrupts delivers nothing.
    """
    bits = 8.0 * packet_size
    offered = np.asarray(rate, dtype=float) / bits
    saturated = np.maximum(0.0, (1.0 - offered * interrupt) / service)
    return np.minimum(offered, saturated) * bits


def host_loss(rate, interrupt, service, packet_size):
    """Fluid share of the offered packets that is lost at the host. Arrays."""
    return 1.0 - host_delivered(rate, interrupt, service, packet_size) / rate


def host_bandwidth(payload, rate, rtt, packet_size, interrupt, service, buffer, max_passes=1000):
    """Throughput in bit/s of RBUDP into a host with a finite socket buffer of ``buffer`` bytes.

    Fluid: of a pass of n packets the share host_loss is lost, less what the buffer holds; a
    pass ends when its last packet is delivered, so packets left in the buffer are waited for.
    """
    share = float(host_loss(rate, interrupt, service, packet_size))
    held = buffer // packet_size
    missing = packets(payload, packet_size)
    duration = 0.0
    for _ in range(max_passes):
        lost = max(0.0, missing * share - held)
        waiting = min(missing * share, held) * service
        duration += rtt + missing * 8.0 * packet_size / rate + waiting
        missing = lost
        if missing < 1.0:
            return 8.0 * payload / duration
    return 0.0
