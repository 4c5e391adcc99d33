# SPDX-License-Identifier: GPL-2.0-only
"""TCP's steady throughput under random loss, in closed form.

Sources: Mathis et al., "The macroscopic behavior of the TCP congestion avoidance algorithm", CCR
27(3), 1997; Padhye et al., "Modeling TCP throughput", SIGCOMM 1998, the approximation of its
section 2 (equation 30 without the window's limit); RFC 9438, CUBIC, section 5; Cardwell et al.,
"Modeling TCP latency", INFOCOM 2000, for slow start; the queue of a sawtooth is arithmetic.

Units: segment and window sizes in bytes, times in seconds, loss as a fraction of segments, rates
in bit/s of payload. Scalars and numpy arrays are both welcome where a docstring says "array".
"""

import numpy as np

from lfn.models import need

SEGMENT = 1460
"""Payload of a full segment on Ethernet without TCP options."""


def mathis(loss, rtt, segment=SEGMENT):
    """Rate in bit/s: MSS / RTT * sqrt(3 / (2 p)); every segment acknowledged. Arrays."""
    loss = np.asarray(loss, dtype=float)
    need((loss > 0.0) & (loss < 1.0), "loss must lie between 0 and 1")
    return 8.0 * segment / rtt * np.sqrt(1.5 / loss)


def padhye(loss, rtt, timeout=0.3, segment=SEGMENT, acked=2):
    """Rate in bit/s with retransmission timeouts of ``timeout`` seconds (T0). Arrays.

    ``acked`` is b, segments an acknowledgement covers.
    """
    loss = np.asarray(loss, dtype=float)
    need((loss > 0.0) & (loss < 1.0), "loss must lie between 0 and 1")
    fast = rtt * np.sqrt(2.0 * acked * loss / 3.0)
    often = np.minimum(1.0, 3.0 * np.sqrt(3.0 * acked * loss / 8.0))
    slow = timeout * often * loss * (1.0 + 32.0 * loss**2)
    return 8.0 * segment / (fast + slow)


def window_for(rate, rtt):
    """Window in bytes that holds TCP at ``rate`` (bit/s). Arrays."""
    return rate * rtt / 8.0


def cubic_window(loss, rtt):
    """Mean window of CUBIC in segments, C = 0.4, beta = 0.7; AIMD's where that is larger. Arrays.

    RFC 9438, section 5.1: 1.054 (RTT / p)^(3/4), and sqrt(1.5 / p) in the AIMD-friendly region.
    """
    loss = np.asarray(loss, dtype=float)
    need((loss > 0.0) & (loss < 1.0), "loss must lie between 0 and 1")
    return np.maximum(1.054 * (rtt / loss) ** 0.75, np.sqrt(1.5 / loss))


def cubic(loss, rtt, segment=SEGMENT):
    """Rate in bit/s of CUBIC's mean window. Arrays."""
    return 8.0 * segment / rtt * cubic_window(loss, rtt)


def slow_start_rounds(segments, first=10, growth=1.5):
    """RTTs that slow start takes for a number of segments, from a window of ``first``. Arrays.

    ``growth`` is a round's factor: 1.5 when an acknowledgement covers two segments and adds one.
    """
    return np.log(np.asarray(segments, dtype=float) * (growth - 1.0) / first + 1.0) / np.log(growth)


def slow_start_time(size, rate, rtt, segment=SEGMENT, first=10, growth=1.5):
    """Time in seconds until ``size`` bytes are acknowledged without losses, handshake included.

    Slow start until a round's window fills the path, the rest at ``rate`` (bit/s).
    """
    pipe = rate * rtt / (8.0 * segment)
    fills = max(np.log(pipe / first) / np.log(growth), 0.0)
    needed = float(slow_start_rounds(size / segment, first, growth))
    if needed <= fills:
        return (1.0 + max(needed, 1.0)) * rtt
    sent = first * (growth**fills - 1.0) / (growth - 1.0) * segment
    return (2.0 + fills) * rtt + 8.0 * max(size - sent, 0.0) / rate


def sawtooth_queue(buffer):
    """Mean queue of one AIMD flow over the path's bandwidth-delay product.

    ``buffer`` is the queue's limit over that product, at least 1, so that the link stays full:
    the window grows by equal steps per RTT from half of 1 + ``buffer`` to all of it, and
    an RTT lasts as long as the window is wide. Arrays.
    """
    need(np.asarray(buffer) >= 1.0, "a buffer below the product lets the link run empty")
    return 7.0 / 9.0 * (1.0 + np.asarray(buffer, dtype=float)) - 1.0
