# SPDX-License-Identifier: GPL-2.0-only
"""JRM's overhead: equations 1 to 7 of the paper (Stuer et al., ICCS 2003), and exact laws.

Units everywhere: loss as a fraction of the sends; packets, NACKs and transmissions as expected
numbers a message; rates in messages per second. Scalars only, unless a docstring says "array". A
value outside its range raises ValueError.

``loss`` is the paper's e for datagrams of data, ``nack_loss`` that of NACK requests; None stands
for the paper's own case, equation (6), where both are the same. ``count`` is n, the packets of a
message, of at most MOST_PACKETS where a law is a recursion.

The exact laws hold for independent loss and for timers that never expire early, so that nothing
is retransmitted needlessly. They take a lost message as seen at once and its first NACK as asking
for all of it; the paper's asks for packet one only, which for n > 1 costs another round whenever
all n packets were lost, with probability e^n.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from lfn.models import need, rbudp

MESSAGE_RATE = 30.0
"""Messages per second in the paper's experiments (section 4)."""
PAPER_TERMS = 6
"""Terms, j = 0 to 5, of the sum in (7) behind the paper's 61.99 and 515.67 (section 3)."""
MOST_PACKETS = 1000
"""Limit of the recursions: larger binomial coefficients do not fit a double."""


def _check(loss, count=1):
    need(0.0 <= loss < 1.0, "loss must lie in [0, 1)")
    need(count >= 1, "there must be at least one packet and one receiver")


def _nack_loss(loss, nack_loss):
    """Return e_n: ``loss`` itself when ``nack_loss`` is None."""
    value = loss if nack_loss is None else nack_loss
    need(0.0 <= value < 1.0, "loss of NACKs must lie in [0, 1)")
    return value


# The paper's model: the average number of missing packets, n e^j, stands for the random one.


def direct_probability(loss, count):
    """Return (1 - e)^n, the share of messages that need no retransmission (section 3)."""
    _check(loss, count)
    return (1.0 - loss) ** count


def expected_packets(loss, count):
    """Equation (1): data sends a message, n / (1 - e); exact, too."""
    _check(loss, count)
    return count / (1.0 - loss)


def more_nacks_probability(loss, count, nacks):
    """Equation (2): P(#Nacks > j) = 1 - (1 - e)^(n e^j), j = ``nacks`` >= 0. Array of j."""
    _check(loss, count)
    missing = count * loss ** np.asarray(nacks, dtype=float)
    return -np.expm1(missing * np.log1p(-loss))


def nacks_probability(loss, count, nacks):
    """Equation (3): P(#Nacks = j), the difference of two of (2). Array of j = ``nacks`` >= 0.

    The paper's second form fails at j = 0, where P(#Nacks > -1) must be 1; it is 1 here.
    """
    nacks = np.asarray(nacks)
    before = more_nacks_probability(loss, count, np.maximum(nacks - 1, 0))
    return np.where(nacks > 0, before, 1.0) - more_nacks_probability(loss, count, nacks)


def _steps(loss, count, terms):
    """Return j = 0, 1, ...: ``terms`` of them, or (None) until (2) falls below 10^-19."""
    _check(loss, count)
    if terms is None:
        if loss == 0.0:
            return np.arange(1)
        first = math.log(count) + math.log(-math.log1p(-loss))
        terms = max(0, math.ceil((first + 44.0) / -math.log(loss))) + 1
    need(terms >= 1, "a sum needs at least one term")
    return np.arange(terms)


def nacks_by_probability(loss, count, terms=None):
    """Equation (4): NACKs per message when none is lost, the sum of j P(#Nacks = j).

    The same as (5) for the whole sum only: its first ``terms`` give less than those of (5).
    """
    steps = _steps(loss, count, terms)
    return float((steps * nacks_probability(loss, count, steps)).sum())


def nacks_unlost(loss, count, terms=None):
    """Equation (5): NACKs per message when none is lost, the sum of (2) over j >= 0.

    ``terms`` cuts the sum: PAPER_TERMS as the paper's numbers do, None not at all.
    """
    return float(more_nacks_probability(loss, count, _steps(loss, count, terms)).sum())


def nacks(loss, count, terms=None):
    """Equation (6): NACKs per message when they are lost as data are, (5) over 1 - e."""
    return nacks_unlost(loss, count, terms) / (1.0 - loss)


def transmissions(loss, count, terms=None):
    """Equation (7): all transmissions per message, (1) and (6)."""
    return expected_packets(loss, count) + nacks(loss, count, terms)


def overhead_share(sent, count):
    """Return the part of all ``sent`` transmissions that is overhead: the paper's 52 and 42 %."""
    return (sent - count) / sent


def overhead_ratio(sent, count):
    """Return the overhead of ``sent`` transmissions over the ``count`` useful packets."""
    return (sent - count) / count


# Exact law. A round is a NACK that gets through and its responses, one for each missing packet.
# A packet needs a geometric number G of rounds, P(G > j) = e^(j+1), a message R = max of n such.


def expected_rounds(loss, count):
    """E[R]: the sum over j >= 0 of 1 - (1 - e^(j+1))^n, what (5) approximates."""
    _check(loss, count)
    return rbudp.expected_resends(loss, count)


def expected_nacks(loss, count, nack_loss=None):
    """NACK sends a message: E[R] / (1 - e_n), each round's NACK repeated until it arrives."""
    return expected_rounds(loss, count) / (1.0 - _nack_loss(loss, nack_loss))


def expected_transmissions(loss, count, nack_loss=None):
    """All sends a message, exactly: n / (1 - e) + E[R] / (1 - e_n)."""
    return expected_packets(loss, count) + expected_nacks(loss, count, nack_loss)


def single_packet_transmissions(loss, nack_loss=None):
    """All sends of a message of one packet in closed form: 1 / (1 - e) + e / ((1 - e)(1 - e_n)).

    That is 1 / (1 - e)^2 when NACKs are lost as data are, (1 + e) / (1 - e) when they never are.
    """
    _check(loss)
    return (1.0 + loss / (1.0 - _nack_loss(loss, nack_loss))) / (1.0 - loss)


def datagrams_on_the_wire(loss, count):
    """Return (data, NACKs) a message that leave a host, loss being a discard before the send.

    Of n / (1 - e) data sends a part 1 - e leaves, of E[R] / (1 - e) NACK sends as well: n data
    packets for any e, and E[R] NACKs.
    """
    _check(loss, count)
    return float(count), expected_rounds(loss, count)


def _covariance_packets_rounds(loss, count):
    """Cov of the data sends and R: n times the sum over k >= 1 of k e^k (1 - e^k)^(n-1).

    Cov[G, R] is the sum over j of E[G] P(R <= j) - E[G; R <= j], and E[G; G > j] is
    e^(j+1) (j + 1 + E[G]); k = j + 1.
    """
    if loss == 0.0:
        return 0.0
    k = np.arange(1, math.ceil(60.0 / -math.log(loss)) + 1)
    return float(count * (k * loss**k * (1.0 - loss**k) ** (count - 1)).sum())


def deviation_of_transmissions(loss, count, nack_loss=None):
    """Exact standard deviation of all sends of one message.

    The data sends are n geometrics, their variance n e / (1 - e)^2; the NACK sends are R of
    mean 1 / (1 - e_n) and variance e_n / (1 - e_n)^2, independent of everything else.
    """
    _check(loss, count)
    e_n = _nack_loss(loss, nack_loss)
    of_packets = count * loss / (1.0 - loss) ** 2
    of_rounds = rbudp.variance_of_resends(loss, count)
    of_nacks = (of_rounds + e_n * expected_rounds(loss, count)) / (1.0 - e_n) ** 2
    both = _covariance_packets_rounds(loss, count) / (1.0 - e_n)
    return math.sqrt(of_packets + of_nacks + 2.0 * both)


def error_of_rate(loss, count, messages, nack_loss=None, rate=MESSAGE_RATE):
    """Return the standard error of transmissions per second, measured over ``messages``
    messages."""
    return rate * deviation_of_transmissions(loss, count, nack_loss) / math.sqrt(messages)


def lost_tail(loss, count=1):
    """Messages at the end of a long stream that no gap ever shows: e^n / (1 - e^n) expected.

    A message is unseen when all of its n packets are lost, and stays so unless a later one is
    seen; the run of unseen messages at the end is geometric.
    """
    _check(loss, count)
    return loss**count / (1.0 - loss**count)


# Retry cap: K unanswered NACKs in a row and the message is given up.


class Expected(NamedTuple):
    """Expectation of one message: share given up, data sends, NACK sends."""

    lost: float
    data: float
    nacks: float


def _binomial(count, probability):
    """Binomial probabilities of 0 to ``count``; array (...) of p gives an array (..., count+1)."""
    need(count <= MOST_PACKETS, f"at most {MOST_PACKETS} packets or receivers")
    p = np.asarray(probability, dtype=float)[..., np.newaxis]
    k = np.arange(count + 1)
    ways = np.array([math.comb(count, i) for i in k], dtype=float)
    return ways * p**k * (1.0 - p) ** (count - k)


def capped(loss, count, attempts, nack_loss=None):
    """Exact law with a retry cap K = ``attempts`` (math.inf for none), as Expected.

    A message with m missing packets asks for them. The attempt is unanswered with probability
    u = 1 - (1 - e_n)(1 - e^m), its NACK or all of its m responses lost; after K of those in a
    row the message is given up. Any response restarts the count, with fewer packets missing. So
    m only falls, and with m missing

        lost(m) = u^K + (1 - u^K) sum over k < m of P(k still missing | some response) lost(k);

    attempts at m number (1 - u^K) / (1 - u), each one NACK and (1 - e_n) m responses (Wald).
    """
    _check(loss, count)
    need(attempts >= 1, "there must be at least one attempt")
    e_n = _nack_loss(loss, nack_loss)
    first = _binomial(count, loss)
    lost, data, nacks = np.zeros((3, count + 1))
    for m in range(1, count + 1):
        some = 1.0 - loss**m
        answered = (1.0 - e_n) * some
        given_up = (1.0 - answered) ** attempts
        tries = (1.0 - given_up) / answered
        then = (1.0 - given_up) * _binomial(m, loss)[:m] / some
        lost[m] = given_up + then @ lost[:m]
        data[m] = tries * (1.0 - e_n) * m + then @ data[:m]
        nacks[m] = tries + then @ nacks[:m]
    return Expected(float(first @ lost), float(count + first @ data), float(first @ nacks))


def effective_rate(loss, count, attempts, nack_loss=None, rate=MESSAGE_RATE):
    """Messages per second that arrive complete, of ``rate`` sent: figure 3 of the paper."""
    return rate * (1.0 - capped(loss, count, attempts, nack_loss).lost)


# Several receivers of single-packet messages, each losing every multicast datagram on its own.


def sends_to_receivers(loss, receivers):
    """Data sends a packet until all have it: the sum over j >= 0 of 1 - (1 - e^j)^receivers.

    The sender answers all NACKs of a round by one multicast, so it sends as often as the
    unluckiest receiver needs, at any loss of NACKs.
    """
    _check(loss, receivers)
    return 1.0 + rbudp.expected_resends(loss, receivers)


def sends_with_parity(loss, receivers, block):
    """Data sends of a block of packets over its packets, with ideal parities, until all have it.

    A receiver needs ``block`` of what is sent, whichever they are, and lacks nothing once
    ``block + m`` were sent with probability P(at most m of them lost): how many more than the block
    it needs is negative binomial. Each round of parities is as many as the receiver needs that
    lacks most, so the sender sends as many as the unluckiest one needs (J. Nonnenmacher,
    E. Biersack, D. Towsley, IEEE/ACM Transactions on Networking 6(4), 1998):

        1 + (sum over m >= 0 of 1 - P(at most m of block + m lost)^receivers) / block
    """
    _check(loss, receivers)
    need(block >= 1, "there must be a packet in a block")
    # Of the negative binomial number: P(m) = C(block + m - 1, m) e^m (1 - e)^block.
    term = (1.0 - loss) ** block
    need(term > 0.0, "the block is too long for this loss")
    enough, extra, lost = 0.0, 0.0, 0
    while enough < 0.5 or receivers * term > 1e-16:
        enough += term
        extra -= math.expm1(receivers * math.log(min(enough, 1.0)))
        lost += 1
        term *= loss * (block + lost - 1) / lost
    return 1.0 + extra / block


def multicast(loss, receivers, nack_loss=None, aggregated=False):
    """Exact law of a one-packet message to ``receivers`` receivers in synchronous rounds.

    In a round each of the m receivers that still miss the packet sends a NACK by unicast, lost
    with e_n. The literal protocol answers each NACK that arrives, a of them, by a multicast of
    its own; ``aggregated`` answers them all by one. Every receiver receives every response, each
    with probability 1 - e, so it still misses the packet with e^a (or e^min(a, 1)). Returned as
    Expected, nothing ever given up, from the Markov chain of m:

        data(m) = E[responses] + sum over k <= m of P(m -> k) data(k), data(0) = 0,

    and the same for NACKs with m in place of E[responses].

    Assumes that all receivers see the loss, and time out, in step: no response is received before
    the last NACK of its round is sent, and all are received before the next round; no receiver
    receives another's NACK; the sender does not notice that responses of a round repeat.
    """
    _check(loss, receivers)
    e_n = _nack_loss(loss, nack_loss)
    first = _binomial(receivers, loss)
    data, nacks = np.zeros((2, receivers + 1))
    for m in range(1, receivers + 1):
        received = _binomial(m, 1.0 - e_n)
        responses = np.minimum(np.arange(m + 1), 1 if aggregated else m)
        after = received @ _binomial(m, loss**responses)
        fewer = after[:m].sum()
        data[m] = (received @ responses + after[:m] @ data[:m]) / fewer
        nacks[m] = (m + after[:m] @ nacks[:m]) / fewer
    return Expected(0.0, float(1.0 + first @ data), float(first @ nacks))


@cache
def multicast_by_gaps(loss, receivers, nack_loss=None, aggregated=False):
    """As multicast(), but with a loss that shows only through a later message, as in the protocol.

    A receiver that misses the message notices when it receives a later one, each with probability
    1 - e; so receivers notice at different messages, and any host that has not yet noticed asks for
    nothing but receives the responses to the others. The chain has u receivers that miss the
    message unaware and a aware ones:

        u = Bin(R, e), a = 0 at the beginning;
        while a > 0, rounds as in multicast(): a NACKs, and each of the u + a still misses it with
        e^responses;
        then the next message, which turns each of the u into an aware one with 1 - e.

    Assumes that an interval between messages is long against the repairs in it. Left out is that
    a response to a later message shows the gap, too: that takes a receiver that lost three in a
    row, and is too little to see in a Monte Carlo of 0.2 % (e = 0.1 and 0.3, 8 and 30 receivers).
    """
    _check(loss, receivers)
    e_n = _nack_loss(loss, nack_loss)
    data, nacks = np.zeros((2, receivers + 1, receivers + 1))
    for missing in range(1, receivers + 1):
        for aware in range(1, missing + 1):
            unaware = missing - aware
            received = _binomial(aware, 1.0 - e_n)
            responses = np.minimum(np.arange(aware + 1), 1 if aggregated else aware)
            still = loss**responses
            after = (received[:, np.newaxis] * _binomial(unaware, still)).T @ _binomial(
                aware, still
            )
            fewer = 1.0 - after[unaware, aware]
            for sends, now in ((data, received @ responses), (nacks, aware)):
                later = (after * sends[: unaware + 1, : aware + 1]).sum()
                sends[unaware, aware] = (now + later) / fewer
        notice = _binomial(missing, 1.0 - loss)[1:]
        k = np.arange(1, missing + 1)
        for sends in (data, nacks):
            sends[missing, 0] = notice @ sends[missing - k, k] / notice.sum()
    first = _binomial(receivers, loss)
    return Expected(0.0, float(1.0 + first @ data[:, 0]), float(first @ nacks[:, 0]))
