# SPDX-License-Identifier: GPL-2.0-only
"""XCP alongside TCP in one queue, and the counting of flows: closed forms.

Sources: Lopez-Pacheco, Lefevre and Pham, RR2007-46 (the report), for the fair share and the two
estimators; Katabi, Handley and Rohrs, SIGCOMM 2002, for alpha, beta and gamma; Ott, Lakshman and
Wong, SRED, INFOCOM 1999; Mathis et al., CCR 27(3), 1997. The standing-queue law and SRED's
transients follow from the published rules as each docstring shows.

Units: rates in bit/s, times in seconds, queues in bytes, windows in packets, counts of flows as
numbers >= 1 that need not be whole. Scalars and numpy arrays are both welcome where a docstring
says "array". A value outside its range raises ValueError.
"""

import math

import numpy as np

from lfn.models import need

ALPHA = 0.4
"""XCP's gain of spare bandwidth."""
BETA = ALPHA**2 * math.sqrt(2.0)
"""XCP's gain of the persistent queue, 0.226."""
GAMMA = 0.1
"""Share of the traffic that XCP shuffles between flows in an interval."""
SRED_WEIGHT = 0.001
"""SRED's a: weight of the latest comparison."""
SRED_TABLE = 1000
"""Entries of SRED's zombie table."""
SRED_OVERWRITE = 0.25
"""Probability that a packet that missed takes the place of the entry."""
LEAST_PROBABILITY = 1e-4
"""Floor of the report's drop probability (section 4.2)."""
RENO = 1.5
"""K of the mean window sqrt(K / p) of a TCP that halves its window, an ACK for each packet."""


# Fair shares of the classes.


def fair_share(xcp_flows, e2e_flows):
    """Return N / (N + M), XCP's fair share of the link, equation (2) of the report. Arrays."""
    n, m = np.asarray(xcp_flows, dtype=float), np.asarray(e2e_flows, dtype=float)
    need((n >= 0.0) & (m >= 0.0) & (n + m > 0.0), "flows must not be negative, nor none at all")
    return n / (n + m)


def queue_factor(e2e_share):
    """Return k = (gamma / beta) s = 0.442 s of the standing-queue law. Array of s."""
    s = np.asarray(e2e_share, dtype=float)
    need((s >= 0.0) & (s <= 1.0), "a share lies in [0, 1]")
    return GAMMA / BETA * s


def standing_queue(e2e_share, rate, rtt):
    """Q* in bytes, which XCP keeps when a share s of a full link is not XCP's. Arrays.

    Negative feedback is spread over all bytes, but only XCP's obey it, so XCP loses
    (h + f)(1 - s) in an interval and gains h, f being abs F. With h + f = gamma C, what gamma sets
    aside, balance is f = gamma C s. On a full link f = beta Q / d, where d = RTT0 + Q / C, hence
    Q* = k / (1 - k) C RTT0. ``rate`` is C, ``rtt`` is RTT0, the RTT without any queue.
    """
    k = queue_factor(e2e_share)
    need((np.asarray(rate) > 0.0) & (np.asarray(rtt) > 0.0), "rate and RTT must be positive")
    return k / (1.0 - k) * np.asarray(rate, dtype=float) * rtt / 8.0


def loaded_rtt(e2e_share, rtt):
    """RTT in seconds under the standing queue: RTT0 / (1 - k). Arrays."""
    return np.asarray(rtt, dtype=float) / (1.0 - queue_factor(e2e_share))


# TCP under a drop probability.


def window(probability):
    """Mean window in packets under a drop probability p: sqrt(K / p). Array of p."""
    p = np.asarray(probability, dtype=float)
    need((p > 0.0) & (p <= 1.0), "the drop probability must lie in (0, 1]")
    return np.sqrt(RENO / p)


def probability_for(rate, e2e_flows, share, rtt, packet):
    """Drop probability that keeps M flows at ``share`` of ``rate``: K / W^2. Arrays.

    W = share C RTT / (8 M packet) is a flow's fair window, ``packet`` in bytes as C counts them,
    ``rtt`` the RTT that the flows see, queue included. Above 1 (windows of a packet or so) no
    probability does it.
    """
    w = np.asarray(share, dtype=float) * rate * rtt / (8.0 * np.asarray(e2e_flows) * packet)
    need(w > 0.0, "share, rate, RTT, flows and packet size must be positive")
    return RENO / w**2


def floor_rate(rtt, packet):
    """Rate in bit/s of one NewReno flow while the drop probability rests at its floor. Arrays.

    At 1e-4 the window is 122 packets, at any capacity: the reason why the report's
    mechanism starves TCP on long fast paths.
    """
    return 8.0 * packet * window(LEAST_PROBABILITY) / np.asarray(rtt, dtype=float)


# SRED: P <- (1 - a) P + a hit, the estimate is 1 / P.


def effective_flows(shares):
    """Return 1 / sum(pi^2), what SRED counts when flows have ``shares`` (1-D, of any sum)."""
    shares = np.asarray(shares, dtype=float)
    need((shares >= 0.0).all() and shares.sum() > 0.0, "shares must not be negative, nor all 0")
    return float(shares.sum() ** 2 / (shares**2).sum())


def varied_count(flows, variation):
    """Return what SRED counts, nearly, of M flows whose rates vary independently. Array of flows.

    M / (1 + v (1 - 1/M)), ``variation`` v being the squared coefficient of variation.
    """
    m = np.asarray(flows, dtype=float)
    need((m >= 1.0) & (variation >= 0.0), "at least one flow, v not negative")
    return m / (1.0 + variation * (1.0 - 1.0 / m))


def reno_variation():
    """Squared coefficient of variation of the window of AIMD flows under random loss: 0.165.

    With rounds for time, 1 = p E[W^2] / 2 balances growth and halving: E[W^2] = 2 / p. U = W^2 / 2
    grows by one a packet, and losses are packets of exponential number E, mean 1 / p, apart, so
    before a loss U = U' / 4 + E: a sum of exponentials of means 4^-k / p. There are W / 2 rounds
    to a loss and 1 / p packets, hence E[W] = 2 / (p E[W before a loss]).
    """
    means = 4.0 ** -np.arange(12.0)  # p = 1
    weights = [np.prod(mean / (mean - means[means != mean])) for mean in means]
    root = float((weights * np.sqrt(math.pi * means) / 2.0).sum())
    return 2.0 / (2.0 / (math.sqrt(2.0) * root)) ** 2 - 1.0


def hit_deviation(flows, weight=SRED_WEIGHT):
    """Standard deviation of P with N = ``flows`` equal ones, in steady state. Arrays.

    The table adds no noise: its entries' shares f give hits of sum(f / N) = 1 / N for any f,
    so P is a moving average of independent coins: sqrt(a / (2 - a) / N (1 - 1 / N)).
    """
    p = 1.0 / np.asarray(flows, dtype=float)
    need((p > 0.0) & (p <= 1.0) & (0.0 < weight <= 1.0), "flows >= 1, weight in (0, 1]")
    return np.sqrt(weight / (2.0 - weight) * p * (1.0 - p))


def sred_moments(flows, weight=SRED_WEIGHT):
    """Return (mean, standard deviation) of the estimate 1 / P, N = ``flows`` equal ones. Arrays.

    From the exact second, third and fourth central moments of P, expanded about 1 / N. Good to
    0.5 % of the mean and 4 % of the deviation while a N <= 0.1.
    """
    n = np.asarray(flows, dtype=float)
    need((n >= 1.0) & (weight * n <= 0.1), "flows >= 1, weight times flows <= 0.1")
    p, b = 1.0 / n, 1.0 - weight
    q = 1.0 - p
    second = hit_deviation(n, weight) ** 2 / p**2
    third = weight**3 / (1.0 - b**3) * q * (q - p) / p**2
    fourth = 3.0 * second**2 + weight**4 / (1.0 - b**4) * q * (1.0 - 6.0 * p * q) / p**3
    mean = 1.0 + second - third + fourth
    square = 1.0 + 3.0 * second - 4.0 * third + 5.0 * fourth
    return mean / p, np.sqrt(np.maximum(0.0, square - mean**2)) / p


def sred_step(before, after, packets, weight=SRED_WEIGHT):
    """Return E[P] that many packets after equal flows changed from ``before`` to ``after``.

    ``packets`` is an array of whole numbers, of packets of the class that were inspected, from
    the steady state. Flows that join hit as 1 / N' at once, with any table. Of flows
    that leave, a share (1 - N'/N) r^n of the table is stale, r = 1 - overwrite / size, and hits
    are (1 - stale) / N'.
    """
    need(before >= 1 and after >= 1, "at least one flow")
    n = np.asarray(packets, dtype=float)
    b, r = 1.0 - weight, 1.0 - SRED_OVERWRITE / SRED_TABLE
    stale = max(0.0, 1.0 - after / before)
    # sum over k < n of a b^(n-1-k) r^k
    memory = weight * (r**n - b**n) / (r - b) if r != b else weight * n * b ** (n - 1.0)
    return b**n / before + ((1.0 - b**n) - stale * memory) / after


def sred_time(before, after, weight=SRED_WEIGHT):
    """Packets until E[P] has gone 90 % of its way after a change of equal flows."""
    need(before != after, "a change")
    n = np.arange(1, 64.0 * SRED_TABLE / SRED_OVERWRITE)
    way = sred_step(before, after, n, weight) - 1.0 / before
    return int(n[np.argmax(way / (1.0 / after - 1.0 / before) >= 0.9)])
