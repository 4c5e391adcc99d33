# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms alongside atou's transfers: RFC 3649, RFC 3742, Scalable TCP, ACK clocks.

Windows are in segments, times in RTTs unless a name says otherwise.
"""

import numpy as np

LOW_WINDOW = 38
HIGH_WINDOW = 83000
HIGH_DECREASE = 0.1
PPP = 2
"""Bytes that ns-3's point-to-point link adds to an IP packet."""


def standard_window(loss):
    """Mean window of standard TCP at a loss probability (RFC 3649, section 2)."""
    return 1.2 / np.sqrt(loss)


def high_speed_window(loss):
    """Mean window of HighSpeed TCP (RFC 3649, section 5): standard TCP's up to 38 segments."""
    loss = np.asarray(loss, dtype=float)
    return np.maximum(0.12 / loss**0.835, np.minimum(standard_window(loss), LOW_WINDOW))


def high_speed_loss(window):
    """Loss probability at which HighSpeed TCP has a mean window (RFC 3649, section 5)."""
    return 0.078 / np.asarray(window, dtype=float) ** 1.2


def high_speed_decrease(window):
    """b(w) of RFC 3649: the share of the window that a loss costs."""
    share = np.log(np.maximum(window, LOW_WINDOW) / LOW_WINDOW) / np.log(HIGH_WINDOW / LOW_WINDOW)
    return 0.5 + (HIGH_DECREASE - 0.5) * share


def high_speed_increase(window):
    """a(w) of RFC 3649: segments per RTT."""
    b = high_speed_decrease(window)
    law = np.asarray(window, dtype=float) ** 2 * high_speed_loss(window) * 2 * b / (2 - b)
    return np.where(np.asarray(window) <= LOW_WINDOW, 1.0, law)


def standard_recovery(window):
    """RTTs until standard TCP has its window back after one loss."""
    return np.asarray(window, dtype=float) / 2


def scalable_recovery(increase=0.01, decrease=0.125):
    """RTTs until Kelly's Scalable TCP has any window back: ln(1 / (1 - b)) / ln(1 + a)."""
    return np.log(1 / (1 - decrease)) / np.log(1 + increase)


def high_speed_recovery(window):
    """RTTs until HighSpeed TCP has its window back, by steps of a(w)."""
    present = window * (1 - high_speed_decrease(window))
    rounds = 0.0
    while present < window:
        step = float(high_speed_increase(present))
        rounds += min(1.0, (window - present) / step)
        present += step
    return rounds


def slow_start(window, first=1):
    """RTTs of slow start from a window to another, without delayed ACKs."""
    return np.log2(window / first)


def limited_slow_start(window, largest=100, first=1):
    """RTTs of limited slow start to a window (RFC 3742): ``largest`` is max_ssthresh."""
    beyond = np.maximum(0.0, (np.asarray(window, dtype=float) - largest) / (largest / 2))
    return slow_start(np.minimum(window, largest), first) + beyond


def ack_clock(ack_rate, ack_bytes, segment_bytes, segments=1, framing=PPP):
    """Rate (bit/s) of data whose ACKs of ``ack_bytes`` (IP) fill a reverse path of ``ack_rate``."""
    return ack_rate * segment_bytes * segments / (ack_bytes + framing)


def sawtooth_share(queue):
    """Share of the link that one standard TCP fills with a queue in bandwidth-delay products.

    Its window goes from half of 1 + ``queue`` bandwidth-delay products up to that, one segment per
    RTT, and an RTT lasts longer while packets queue.
    """
    top = 1 + np.asarray(queue, dtype=float)
    below = np.maximum(0.0, 1 - top / 2)
    queued = (top**2 - np.maximum(1.0, top / 2) ** 2) / 2
    sent = below * (1 + top / 2) / 2 + queued
    return sent / (below + queued)
