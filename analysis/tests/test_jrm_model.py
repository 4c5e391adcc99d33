# SPDX-License-Identifier: GPL-2.0-only
"""JRM's equations and exact laws against printed numbers and against packet-by-packet play."""

import math

import numpy as np
import pytest

from lfn.models import jrm

LOSSES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
RATE = jrm.MESSAGE_RATE

# Columns as LOSSES; transmissions per second at 30 messages per second.
PAPER_NACKS = {
    1: (0, 0.0527, 0.1117, 0.1784, 0.2548, 0.3432, 0.4468),
    10: (0, 0.4279, 0.7630, 1.0618, 1.3602, 1.6800, 2.0360),
}
ROUNDS = {
    1: (0, 0.0526, 0.1111, 0.1765, 0.2500, 0.3333, 0.4286),
    10: (0, 0.4273, 0.7580, 1.0458, 1.3249, 1.6163, 1.9343),
}
PAPER_TOTAL = {
    1: (30, 33.24, 37.06, 41.59, 47.05, 53.73, 62.00),
    10: (300, 329.30, 358.77, 390.42, 426.01, 467.20, 515.83),
}
TOTAL = {
    1: (30, 33.24, 37.04, 41.52, 46.88, 53.33, 61.22),
    10: (300, 329.28, 358.60, 389.85, 424.68, 464.65, 511.47),
}
TOTAL_SAFE_NACKS = {
    1: (30, 33.16, 36.67, 40.59, 45.00, 50.00, 55.71),
    10: (300, 328.61, 356.07, 384.32, 414.75, 448.49, 486.60),
}
DEVIATION = {
    1: (0, 0.49, 0.75, 1.01, 1.29, 1.60, 1.97),
    10: (0, 1.30, 1.79, 2.24, 2.72, 3.28, 3.92),
}


def printed(values, digits):
    """Return what numbers printed with ``digits`` decimals may stand for."""
    return pytest.approx(values, abs=0.5 * 10.0**-digits + 1e-9, rel=0)


@pytest.mark.parametrize("count", [1, 10])
def test_table_of_the_overhead(count):
    def row(law, *args):
        return tuple(law(loss, count, *args) for loss in LOSSES)

    def each_second(law, *args):
        return tuple(RATE * sends for sends in row(law, *args))

    assert row(jrm.nacks_unlost) == printed(PAPER_NACKS[count], 4)
    assert row(jrm.expected_rounds) == printed(ROUNDS[count], 4)
    assert each_second(jrm.transmissions) == printed(PAPER_TOTAL[count], 2)
    assert each_second(jrm.expected_transmissions) == printed(TOTAL[count], 2)
    assert each_second(jrm.expected_transmissions, 0.0) == printed(TOTAL_SAFE_NACKS[count], 2)
    assert row(jrm.deviation_of_transmissions) == printed(DEVIATION[count], 2)


@pytest.mark.parametrize(
    ("count", "attempts", "rates"),
    [
        (1, 3, (29.72, 29.37, 28.81)),
        (10, 3, (29.08, 28.12, 26.62)),
        (1, 10, (30.00, 30.00, 29.99)),
        (10, 10, (30.00, 30.00, 29.98)),
    ],
)
def test_table_of_the_retry_cap(count, attempts, rates):
    got = tuple(jrm.effective_rate(loss, count, attempts) for loss in (0.20, 0.25, 0.30))
    assert got == printed(rates, 2)


def test_three_attempts_show_only_at_25_percent_and_ten_never():
    for count in (1, 10):
        assert jrm.effective_rate(0.15, count, 3) >= 0.985 * RATE
        assert jrm.effective_rate(0.20, count, 3) >= 0.965 * RATE
        assert jrm.effective_rate(0.25, count, 3) < 0.980 * RATE
        assert jrm.capped(0.3, count, 10).lost < 1e-3


def test_numbers_of_the_paper_are_sums_of_six_terms():
    single = [RATE * jrm.transmissions(0.3, 1, terms) for terms in (5, 6, 7)]
    ten = [RATE * jrm.transmissions(0.3, 10, terms) for terms in (5, 6, 7)]
    assert single == [printed(61.95, 2), printed(61.989, 3), printed(62.000, 3)]
    assert ten == [printed(515.30, 2), printed(515.668, 3), printed(515.779, 3)]
    for count, total, one in ((1, 61.99, 2.07), (10, 515.67, 17.19)):
        cut = jrm.transmissions(0.3, count, jrm.PAPER_TERMS)
        assert RATE * cut == printed(total, 2)
        assert cut == printed(one, 2)
        assert jrm.transmissions(0.3, count) == printed(one, 2)
        assert RATE * (cut - count) == printed(total - RATE * count, 2)


def test_percentages_of_the_text():
    assert 100 * jrm.direct_probability(0.2, 3) == printed(51.2, 1)
    assert jrm.direct_probability(0.3, 1) == pytest.approx(0.7)
    assert 100 * jrm.direct_probability(0.3, 10) == printed(2.82, 2)
    single, ten = (jrm.transmissions(0.3, count, jrm.PAPER_TERMS) for count in (1, 10))
    assert 100 * jrm.overhead_share(single, 1) == printed(52, 0)
    assert 100 * jrm.overhead_share(ten, 10) == printed(42, 0)
    assert 100 * jrm.overhead_ratio(single, 1) == printed(107, 0)
    assert 100 * jrm.overhead_ratio(ten, 10) == printed(72, 0)


@pytest.mark.parametrize("count", [1, 3, 10])
@pytest.mark.parametrize("loss", [0.05, 0.3, 0.8])
def test_equations_3_to_5_agree(count, loss):
    steps = np.arange(400)
    assert jrm.nacks_probability(loss, count, steps).sum() == pytest.approx(1.0)
    assert jrm.nacks_probability(loss, count, 0) == pytest.approx((1 - loss) ** count)
    plain = [1 - (1 - loss) ** (count * loss**j) for j in steps]
    assert jrm.more_nacks_probability(loss, count, steps) == pytest.approx(plain, abs=1e-12)
    assert jrm.nacks_unlost(loss, count) == pytest.approx(sum(plain))
    assert jrm.nacks_by_probability(loss, count) == pytest.approx(sum(plain))
    # A cut of (4) counts what is left beyond it as nothing.
    cut = sum(plain[:5]) - 5 * plain[5]
    assert jrm.nacks_by_probability(loss, count, 6) == pytest.approx(cut)
    assert jrm.nacks(loss, count) == pytest.approx(sum(plain) / (1 - loss))
    assert jrm.expected_packets(loss, count) == pytest.approx(count * sum(loss**steps))


def test_equation_7_is_above_the_exact_law_but_within_the_papers_noise():
    for count, most, deviation in ((1, 1.27, 1.87), (10, 0.85, 3.72)):
        excess = [
            jrm.transmissions(loss, count) / jrm.expected_transmissions(loss, count) - 1.0
            for loss in LOSSES[1:]
        ]
        assert min(excess) > 0
        assert 100 * max(excess) == printed(most, 2)
        assert jrm.error_of_rate(0.3, count, 1000) == printed(deviation, 2)
    assert jrm.error_of_rate(0.3, 1, 100_000) == printed(0.19, 2)
    assert jrm.error_of_rate(0.3, 10, 100_000) == printed(0.37, 2)
    assert RATE * (jrm.transmissions(0.3, 1) - jrm.expected_transmissions(0.3, 1)) < 1.87


@pytest.mark.parametrize("loss", LOSSES)
def test_closed_forms_of_a_single_packet(loss):
    assert jrm.expected_rounds(loss, 1) == pytest.approx(loss / (1 - loss))
    same, safe = jrm.expected_transmissions(loss, 1), jrm.expected_transmissions(loss, 1, 0.0)
    assert same == pytest.approx(1 / (1 - loss) ** 2)
    assert safe == pytest.approx((1 + loss) / (1 - loss))
    for nack_loss in (None, 0.0, 0.4):
        exact = jrm.expected_transmissions(loss, 1, nack_loss)
        assert jrm.single_packet_transmissions(loss, nack_loss) == pytest.approx(exact)
        for attempts in (1, 3, 10):
            unanswered = 1 - (1 - loss) * (1 - (loss if nack_loss is None else nack_loss))
            closed = loss * unanswered**attempts
            assert jrm.capped(loss, 1, attempts, nack_loss).lost == pytest.approx(closed)


@pytest.mark.parametrize("count", [1, 2, 10, 100])
@pytest.mark.parametrize("nack_loss", [None, 0.0, 0.6])
def test_without_a_cap_the_recursion_is_the_exact_law(count, nack_loss):
    for loss in LOSSES:
        lost, data, nacks = jrm.capped(loss, count, math.inf, nack_loss)
        assert lost == 0.0
        assert data == pytest.approx(jrm.expected_packets(loss, count))
        assert nacks == pytest.approx(jrm.expected_nacks(loss, count, nack_loss))


def test_a_single_attempt_by_hand():
    """Two packets, one attempt a round: at m = 1 it fails with u1, at m = 2 with u2."""
    e, e_n = 0.3, 0.2
    u1, u2 = 1 - (1 - e_n) * (1 - e), 1 - (1 - e_n) * (1 - e * e)
    one = (1 - e_n) * 2 * e * (1 - e)  # two asked for, one of them arrives
    lost, data, nacks = jrm.capped(e, 2, 1, e_n)
    assert lost == pytest.approx(2 * e * (1 - e) * u1 + e * e * (u2 + one * u1))
    singles = 2 * e * (1 - e) + e * e * one
    assert nacks == pytest.approx(singles + e * e)
    assert data == pytest.approx(2 + (1 - e_n) * (singles + 2 * e * e))


def test_lost_tail():
    assert jrm.lost_tail(0.3) == printed(0.43, 2)
    assert jrm.lost_tail(0.0) == 0.0
    assert jrm.lost_tail(0.3, 2) == pytest.approx(0.09 / 0.91)


def test_sends_to_several_receivers():
    sends = [jrm.sends_to_receivers(0.1, receivers) for receivers in (1, 2, 5, 10)]
    assert sends == [printed(mean, 2) for mean in (1.11, 1.21, 1.46, 1.76)]


def test_parities_of_a_block_of_one_are_repeats():
    for loss in (0.0, 0.05, 0.3):
        for receivers in (1, 7, 50):
            mean = jrm.sends_with_parity(loss, receivers, 1)
            assert mean == pytest.approx(jrm.sends_to_receivers(loss, receivers))


def test_parities_do_not_help_a_receiver_alone():
    for block in (1, 7, 100):
        assert jrm.sends_with_parity(0.1, 1, block) == pytest.approx(1 / 0.9)


@pytest.mark.parametrize("loss", [0.02, 0.1, 0.4])
@pytest.mark.parametrize("block", [2, 7, 20])
def test_parities_to_two_receivers_by_their_chain(block, loss):
    # What is still sent when one lacks a and the other b, from the end.
    more = np.zeros((block + 1, block + 1))
    both, one = (1 - loss) ** 2, loss * (1 - loss)
    for a in range(block + 1):
        for b in range(block + 1):
            if a == b == 0:
                continue
            x, y = max(a - 1, 0), max(b - 1, 0)
            ways = [(both, x, y), (one, x, b), (one, a, y)]
            stay = loss**2 + sum(p for p, i, j in ways if (i, j) == (a, b))
            move = sum(p * more[i, j] for p, i, j in ways if (i, j) != (a, b))
            more[a, b] = (1 + move) / (1 - stay)
    mean = jrm.sends_with_parity(loss, 2, block)
    assert mean == pytest.approx(more[block, block] / block)


def test_parities_played_in_rounds():
    # The sender sends the block, then as many as the receiver lacks that lacks most, and so on.
    random, runs, block, loss, receivers = np.random.default_rng(7), 4000, 20, 0.05, 30
    sends = np.zeros(runs)
    for run in range(runs):
        lacking = np.full(receivers, block)
        while lacking.max() > 0:
            sends[run] += lacking.max()
            came = random.binomial(lacking.max(), 1 - loss, receivers)
            lacking = np.maximum(lacking - came, 0)
    mean, error = sends.mean() / block, sends.std() / block / math.sqrt(runs)
    assert jrm.sends_with_parity(loss, receivers, block) == pytest.approx(mean, abs=4 * error)


def test_parities_that_cannot_be():
    for loss, receivers, block in ((1.0, 1, 1), (0.1, 0, 1), (0.1, 1, 0), (0.9, 1, 1000)):
        with pytest.raises(ValueError):
            jrm.sends_with_parity(loss, receivers, block)


@pytest.mark.parametrize("nack_loss", [None, 0.0, 0.5])
@pytest.mark.parametrize("loss", [0.0, 0.1, 0.3])
def test_aggregation_makes_the_chain_the_formula(loss, nack_loss):
    for receivers in (1, 2, 5, 10, 50):
        mean = jrm.multicast(loss, receivers, nack_loss, aggregated=True)
        assert mean.data == pytest.approx(jrm.sends_to_receivers(loss, receivers))
        literal = jrm.multicast(loss, receivers, nack_loss)
        e_n = loss if nack_loss is None else nack_loss
        # every NACK that arrives has its own response, and spares others theirs
        assert literal.data == pytest.approx(1 + (1 - e_n) * literal.nacks)
        assert literal.data >= mean.data - 1e-12
        assert literal.nacks <= mean.nacks + 1e-12
    aggregated = jrm.multicast(loss, 10, 0.0, aggregated=True)
    assert aggregated.nacks == pytest.approx(10 * loss / (1 - loss))


def test_one_receiver_is_the_exact_law():
    for aggregated in (False, True):
        _, data, nacks = jrm.multicast(0.3, 1, 0.2, aggregated)
        assert data == pytest.approx(1 / 0.7)
        assert nacks == pytest.approx(jrm.expected_nacks(0.3, 1, 0.2))


def test_literal_responses_to_two_receivers_by_hand():
    """No NACK lost: two that miss the packet get two responses, each of them its chances twice."""
    e = 0.1
    one = 1 / (1 - e)
    stay, single = e**4, 2 * e**2 * (1 - e**2)
    two = (2 + single * one) / (1 - stay)
    expected = 1 + 2 * e * (1 - e) * one + e**2 * two
    assert jrm.multicast(e, 2, 0.0).data == pytest.approx(expected)


@pytest.mark.parametrize("loss", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("receivers", [1, 2, 20])
def test_losses_that_later_messages_show(loss, receivers):
    gathered = jrm.multicast_by_gaps(loss, receivers, aggregated=True)
    assert gathered.data == pytest.approx(jrm.sends_to_receivers(loss, receivers))
    literal = jrm.multicast_by_gaps(loss, receivers)
    together = jrm.multicast(loss, receivers)
    # every NACK that arrives has its own response, as before
    assert literal.data == pytest.approx(1 + (1 - loss) * literal.nacks)
    if receivers == 1:
        assert literal == pytest.approx(together)
    elif loss > 0.0:
        # who has not noticed yet asks for nothing and receives the others' responses
        assert literal.data < together.data
        assert gathered.data < literal.data
        assert literal.nacks < gathered.nacks < jrm.multicast(loss, receivers, None, True).nacks


def test_two_receivers_that_notice_later_by_hand():
    """No NACK lost: data sends when two miss a packet, by who has noticed."""
    e = 0.2
    one = 1 / (1 - e)  # a single one is left, aware or not
    both = (2 + 2 * e**2 * (1 - e**2) * one) / (1 - e**4)  # two responses per round
    first = (1 + 2 * e * (1 - e) * one) / (1 - e**2)  # one response, which the other receives, too
    unaware = ((1 - e) ** 2 * both + 2 * e * (1 - e) * first) / (1 - e**2)
    expected = 1 + 2 * e * (1 - e) * one + e**2 * unaware
    assert jrm.multicast_by_gaps(e, 2, 0.0).data == pytest.approx(expected)


def test_discards_before_the_send_do_not_reach_the_wire():
    assert jrm.datagrams_on_the_wire(0.3, 10) == (10.0, jrm.expected_rounds(0.3, 10))
    sends = jrm.expected_packets(0.3, 10), jrm.expected_nacks(0.3, 10)
    assert jrm.datagrams_on_the_wire(0.3, 10) == pytest.approx([0.7 * sent for sent in sends])


# Packet by packet, with nothing but the protocol's rules.


def play(rng, messages, loss, count, nack_loss, attempts=math.inf):
    """Send messages to one receiver; (given up, data sends, NACK sends), arrays (messages,)."""
    missing = rng.random((messages, count)) < loss
    data = np.full(messages, count)
    nacks, silent = np.zeros((2, messages), dtype=int)
    lost = np.zeros(messages, dtype=bool)
    while (active := missing.any(axis=1) & ~lost).any():
        nacks += active
        received = active & (rng.random(messages) >= nack_loss)
        data += received * missing.sum(axis=1)
        arrived = received[:, np.newaxis] & missing & (rng.random(missing.shape) >= loss)
        missing &= ~arrived
        silent = np.where(arrived.any(axis=1), 0, silent + active)
        lost |= active & (silent >= attempts)
    return lost, data, nacks


def play_multicast(rng, messages, loss, receivers, nack_loss, aggregated):
    """Send messages of a packet to receivers; as play, one response after the other."""
    missing = rng.random((messages, receivers)) < loss
    data = np.ones(messages, dtype=int)
    nacks = np.zeros(messages, dtype=int)
    while missing.any():
        nacks += missing.sum(axis=1)
        received = missing & (rng.random(missing.shape) >= nack_loss)
        if aggregated:
            received = received.any(axis=1, keepdims=True)
        for response in received.T:
            data += response
            missing &= ~(response[:, np.newaxis] & (rng.random(missing.shape) >= loss))
    return np.zeros(messages, dtype=bool), data, nacks


def play_by_gaps(rng, messages, loss, receivers, aggregated):
    """Play the protocol's own rule; (data sends, NACK sends) a message.

    A receiver notices what is missing before any datagram that it receives, a response to another
    included, and asks for it in the next round; all rounds end before the next message.
    """
    following = np.zeros(receivers, dtype=int)
    missing = [set() for _ in range(receivers)]
    data = nacks = 0

    def multicast(message):
        nonlocal data
        data += 1
        for receiver in np.flatnonzero(rng.random(receivers) >= loss):
            missing[receiver].discard(message)
            if following[receiver] <= message:
                missing[receiver].update(range(following[receiver], message))
                following[receiver] = message + 1

    for message in range(messages):
        multicast(message)
        while asked := [number for one in missing for number in sorted(one)]:
            nacks += len(asked)
            received = [number for number in asked if rng.random() >= loss]
            for number in sorted(set(received)) if aggregated else received:
                multicast(number)
    return data / messages, nacks / messages


def assert_mean(samples, mean):
    error = samples.std() / math.sqrt(len(samples))
    assert samples.mean() == pytest.approx(mean, abs=4 * error + 1e-12)


@pytest.mark.parametrize(("loss", "nack_loss"), [(0.3, 0.3), (0.2, 0.0), (0.1, 0.5)])
@pytest.mark.parametrize("count", [1, 10])
def test_play_without_a_cap(loss, nack_loss, count):
    _, data, nacks = play(np.random.default_rng(1), 20_000, loss, count, nack_loss)
    assert_mean(data, jrm.expected_packets(loss, count))
    assert_mean(nacks, jrm.expected_nacks(loss, count, nack_loss))
    deviation = jrm.deviation_of_transmissions(loss, count, nack_loss)
    square = (data + nacks - jrm.expected_transmissions(loss, count, nack_loss)) ** 2
    assert_mean(square, deviation**2)


@pytest.mark.parametrize(("count", "attempts"), [(1, 3), (2, 1), (4, 2), (10, 3)])
@pytest.mark.parametrize(("loss", "nack_loss"), [(0.3, 0.3), (0.4, 0.1)])
def test_play_with_a_cap(count, attempts, loss, nack_loss):
    samples = play(np.random.default_rng(2), 20_000, loss, count, nack_loss, attempts)
    law = jrm.capped(loss, count, attempts, nack_loss)
    for sample, mean in zip(samples, law, strict=True):
        assert_mean(sample, mean)


@pytest.mark.parametrize("aggregated", [False, True])
@pytest.mark.parametrize(("loss", "nack_loss"), [(0.3, 0.3), (0.1, 0.0)])
@pytest.mark.parametrize("receivers", [2, 8])
def test_play_to_several_receivers(aggregated, loss, nack_loss, receivers):
    rng = np.random.default_rng(3)
    samples = play_multicast(rng, 10_000, loss, receivers, nack_loss, aggregated)
    law = jrm.multicast(loss, receivers, nack_loss, aggregated)
    for sample, mean in zip(samples, law, strict=True):
        assert_mean(sample, mean)


@pytest.mark.parametrize("aggregated", [False, True])
@pytest.mark.parametrize(("loss", "receivers"), [(0.3, 2), (0.3, 8), (0.1, 20)])
def test_play_of_losses_that_later_messages_show(aggregated, loss, receivers):
    rng = np.random.default_rng(5)
    batches = [play_by_gaps(rng, 400, loss, receivers, aggregated) for _ in range(20)]
    law = jrm.multicast_by_gaps(loss, receivers, None, aggregated)
    for sample, mean in zip(np.array(batches).T, law[1:], strict=True):
        assert_mean(sample, mean)


def test_play_of_the_tail():
    lost = np.random.default_rng(4).random((20_000, 40)) < 0.3
    tail = np.logical_and.accumulate(lost[:, ::-1], axis=1).sum(axis=1)
    assert_mean(tail, jrm.lost_tail(0.3))


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="loss"):
        jrm.transmissions(1.0, 1)
    with pytest.raises(ValueError, match="loss of NACKs"):
        jrm.expected_nacks(0.1, 1, 1.0)
    with pytest.raises(ValueError, match="at least one packet"):
        jrm.expected_rounds(0.1, 0)
    with pytest.raises(ValueError, match="attempt"):
        jrm.capped(0.1, 1, 0)
    with pytest.raises(ValueError, match="term"):
        jrm.nacks_unlost(0.1, 1, 0)
    with pytest.raises(ValueError, match="at most"):
        jrm.multicast(0.1, 1001)
