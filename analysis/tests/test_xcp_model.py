# SPDX-License-Identifier: GPL-2.0-only
"""XCP's closed forms against known numbers, the control law played out, and random packets."""

import math

import numpy as np
import pytest

from lfn.models import tcp, xcp

PACKET = 1050.0
MEGABIT = 1e6


def test_fair_share():
    assert xcp.fair_share(1, 2) == pytest.approx(1 / 3)
    assert xcp.fair_share(3, 10) == pytest.approx(3 / 13)
    assert xcp.fair_share(0, 2) == 0.0
    assert xcp.fair_share([1, 10], [0, 3]) == pytest.approx([1.0, 10 / 13])
    for n, m in ((-1, 2), (0, 0), (1, -1)):
        with pytest.raises(ValueError, match="flows"):
            xcp.fair_share(n, m)


@pytest.mark.parametrize(
    ("share", "rtt", "packets"), [(0.674, 0.02, 101), (0.177, 0.1, 101), (0.899, 0.02, 157)]
)
def test_standing_queue_as_known(share, rtt, packets):
    queue = xcp.standing_queue(share, 100 * MEGABIT, rtt) / PACKET
    assert queue == pytest.approx(packets, abs=0.5)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_standing_queue_is_where_the_control_law_rests(share):
    """Play XCP's rate and queue with the law per byte, TCP holding its rate."""
    capacity, rtt = 12.5e6, 0.05  # bytes/s
    e2e, own, queue = share * capacity, (1 - share) * capacity, 0.0
    step = 1e-3
    for _ in range(200_000):
        d = rtt + queue / capacity
        y = e2e + own
        feedback = xcp.ALPHA * (capacity - y) - xcp.BETA * queue / d
        shuffled = max(0.0, xcp.GAMMA * y - abs(feedback))
        up, down = shuffled + max(feedback, 0.0), shuffled + max(-feedback, 0.0)
        own += (up - down * own / y) * step / d
        queue = max(0.0, queue + (y - capacity) * step)
    assert queue == pytest.approx(xcp.standing_queue(share, 8 * capacity, rtt), rel=1e-3)
    assert rtt + queue / capacity == pytest.approx(xcp.loaded_rtt(share, rtt), rel=1e-3)


def test_standing_queue_edges():
    assert xcp.queue_factor(1.0) == pytest.approx(0.1 / 0.226, rel=2e-3)
    assert xcp.standing_queue(0.0, MEGABIT, 0.1) == 0.0
    # The seed of trouble: s = .9 needs 0.66 of a bandwidth-delay product.
    assert xcp.standing_queue(0.9, 8.0, 1.0) == pytest.approx(0.66, abs=0.005)
    assert xcp.standing_queue(1.0, 8.0, 1.0) == pytest.approx(0.79, abs=0.005)
    for share, rate, rtt in ((-0.1, 1, 1), (1.1, 1, 1), (0.5, 0, 1), (0.5, 1, 0)):
        with pytest.raises(ValueError, match="must be|lies in"):
            xcp.standing_queue(share, rate, rtt)


def test_floor_of_the_drop_probability():
    assert xcp.window(1e-4) == pytest.approx(122, abs=0.5)
    rates = xcp.floor_rate(np.array([0.02, 0.1]), 1000) / MEGABIT
    assert rates == pytest.approx([49.0, 9.8], abs=0.05)
    assert rates * MEGABIT == pytest.approx(tcp.mathis(1e-4, np.array([0.02, 0.1]), 1000))
    for bad in (0.0, -1.0, 1.5):
        with pytest.raises(ValueError, match="probability"):
            xcp.window(bad)


def test_probability_for_a_share():
    # Two flows, two thirds of 100 Mb/s at 20 ms: a third each, 83 packets of 1000 B.
    p = xcp.probability_for(100 * MEGABIT, 2, 2 / 3, 0.02, 1000)
    assert p == pytest.approx(1.5 / (1e8 / 3 * 0.02 / 8000) ** 2)
    assert 8000 * xcp.window(p) / 0.02 == pytest.approx(100 * MEGABIT / 3)
    with pytest.raises(ValueError, match="positive"):
        xcp.probability_for(MEGABIT, 2, 0.0, 0.02, 1000)


def aimd(loss, losses, seed):
    """Play one AIMD flow, a continuous window; return time means of W and W^2."""
    gaps = np.random.default_rng(seed).exponential(1 / loss, losses)
    low, area, square, time = math.sqrt(1 / loss), 0.0, 0.0, 0.0
    for gap in gaps:
        high = math.sqrt(low * low + 2 * gap)
        area += (high**2 - low**2) / 2
        square += (high**3 - low**3) / 3
        time += high - low
        low = high / 2
    return area / time, square / time


def test_variation_of_reno():
    mean, square = aimd(1e-4, 100_000, seed=1)
    assert square == pytest.approx(2 / 1e-4, rel=0.01)
    assert xcp.reno_variation() == pytest.approx(square / mean**2 - 1, rel=0.02)
    assert xcp.reno_variation() == pytest.approx(0.1657, abs=1e-4)


def test_effective_flows():
    known = {(0.7, 0.3): 1.73, (0.9, 0.1): 1.22, (0.5, 0.3, 0.2): 2.62}
    for shares, count in known.items():
        assert xcp.effective_flows(shares) == pytest.approx(count, abs=0.015)
    assert xcp.effective_flows([0.4] + [0.6 / 9] * 9) == pytest.approx(5.0, abs=0.011)
    assert xcp.effective_flows([3, 3, 3]) == pytest.approx(3.0)
    with pytest.raises(ValueError, match="shares"):
        xcp.effective_flows([0.0])


@pytest.mark.parametrize("flows", [2, 3, 10, 50])
def test_count_of_rates_that_vary(flows):
    """Weighed by the packets that come, as SRED's average does."""
    rates = np.random.default_rng(flows).gamma(1 / 0.165, size=(50_000, flows))
    hits = (rates**2).sum(axis=1) / rates.sum(axis=1) ** 2
    mean = np.average(hits, weights=rates.sum(axis=1))
    assert xcp.varied_count(flows, 0.165) == pytest.approx(1 / mean, rel=0.01)


def test_counts_at_the_edges():
    assert xcp.varied_count([1.0, 5.0], 0.0) == pytest.approx([1.0, 5.0])
    assert xcp.varied_count(1.0, 0.165) == 1.0
    for flows, variation in ((0.5, 0.1), (2.0, -0.1)):
        with pytest.raises(ValueError, match="flow"):
            xcp.varied_count(flows, variation)


def average(flows, weight, repeats, packets, seed, start=None):
    """Moving averages of ``repeats`` independent runs of coins of 1/N."""
    rng = np.random.default_rng(seed)
    p = np.full(repeats, 1 / flows if start is None else start)
    for _ in range(packets):
        p += weight * ((rng.random(repeats) < 1 / flows) - p)
    return p


@pytest.mark.parametrize(
    ("flows", "weight", "mean", "deviation", "digits"),
    [
        (2, 0.001, 2.01, 0.04, 0.01),
        (3, 0.001, 3.01, 0.09, 0.01),
        (10, 0.001, 10.0, 0.64, 0.06),
        (13, 0.001, 13.0, 1.0, 0.1),
        (2, 0.00025, 2.01, 0.02, 0.01),
        (3, 0.00025, 3.00, 0.04, 0.01),
        (10, 0.00025, 9.97, 0.31, 0.06),
        (13, 0.00025, 13.0, 0.48, 0.05),
    ],
)
def test_sred_spread_as_known(flows, weight, mean, deviation, digits):
    assert xcp.sred_moments(flows, weight) == pytest.approx((mean, deviation), abs=digits)


@pytest.mark.parametrize("flows", [2, 10, 30, 100])
def test_sred_spread_of_coins(flows):
    repeats = 1500
    p = average(flows, xcp.SRED_WEIGHT, repeats, 5000, seed=flows)
    assert p.std() == pytest.approx(xcp.hit_deviation(flows), rel=4 / math.sqrt(2 * repeats))
    mean, deviation = xcp.sred_moments(flows)
    assert (1 / p).mean() == pytest.approx(
        mean, abs=4 * deviation / math.sqrt(repeats) + 0.005 * mean
    )
    assert (1 / p).std() == pytest.approx(deviation, rel=0.15)


def brute_step(before, after, packets, weight, forget):
    """E[P] packet by packet."""
    p, stale, out = 1 / before, max(0.0, 1 - after / before), []
    for _ in range(packets):
        p += weight * ((1 - stale) / after - p)
        stale *= 1 - forget
        out.append(p)
    return np.array(out)


@pytest.mark.parametrize(("before", "after"), [(2, 4), (1, 10), (10, 5), (3, 2)])
@pytest.mark.parametrize("weight", [0.001, 0.00025])
def test_sred_step(before, after, weight):
    forget = xcp.SRED_OVERWRITE / xcp.SRED_TABLE
    brute = brute_step(before, after, 20_000, weight, forget)
    packets = np.arange(1, 20_001)
    assert xcp.sred_step(before, after, packets, weight) == pytest.approx(brute, rel=1e-9)


def test_sred_times_as_known():
    assert 2000 <= xcp.sred_time(2, 4) <= 2800
    assert 9000 <= xcp.sred_time(2, 4, weight=0.00025) <= 12_000
    assert 8000 <= xcp.sred_time(10, 5) <= 10_500
    with pytest.raises(ValueError, match="change"):
        xcp.sred_time(2, 2)


def zombies(flows, packets, rng):
    """Play a zombie table, full of the flows before; return hits."""
    table = rng.integers(0, flows[0], xcp.SRED_TABLE)
    hits = np.empty(packets)
    arriving = rng.integers(0, flows[1], packets)
    entries = rng.integers(0, xcp.SRED_TABLE, packets)
    writes = rng.random(packets) < xcp.SRED_OVERWRITE
    for i in range(packets):
        hits[i] = table[entries[i]] == arriving[i]
        if not hits[i] and writes[i]:
            table[entries[i]] = arriving[i]
    return hits


def test_flows_that_leave_stay_in_the_table():
    rng = np.random.default_rng(5)
    hits = np.mean([zombies((10, 5), 8000, rng) for _ in range(20)], axis=0)
    stale = 0.5 * (1 - xcp.SRED_OVERWRITE / xcp.SRED_TABLE) ** np.arange(8000)
    for part in np.array_split(np.arange(8000), 4):
        error = math.sqrt(0.2 * 0.8 / (20 * part.size))
        assert hits[part].mean() == pytest.approx(((1 - stale) / 5)[part].mean(), abs=4.5 * error)
