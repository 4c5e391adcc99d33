# SPDX-License-Identifier: GPL-2.0-only
"""RBUDP's closed forms against the numbers the paper prints and against direct computation."""

import numpy as np
import pytest

from lfn.models import rbudp

MB = 1e6
MBPS = 1e6
RTT = 0.1


@pytest.mark.parametrize(
    ("rate", "best"),
    [
        *[(100, 99.7), (200, 198.9), (300, 297.5), (400, 395.6), (500, 493.1)],
        *[(600, 590.1), (611, 600.8), (682, 669.3), (725, 710.6), (878, 857.0)],
    ],
)
def test_equation_4_at_450_mb(rate, best):
    assert rbudp.best_bandwidth(450 * MB, rate * MBPS, RTT) / MBPS == pytest.approx(best, abs=0.06)


PAYLOADS = [1, 5, 10, 20, 50, 67.5, 100, 200, 450]


@pytest.mark.parametrize(
    ("payload", "best"),
    list(
        zip(PAYLOADS, [70.7, 241.7, 346.4, 442.1, 530.0, 548.9, 567.6, 588.5, 600.8], strict=True)
    ),
)
def test_equation_4_over_payload(payload, best):
    value = rbudp.best_bandwidth(payload * MB, 611 * MBPS, RTT) / MBPS
    assert value == pytest.approx(best, abs=0.06)


@pytest.mark.parametrize(
    ("payload", "count", "rate", "exact", "exact_rate"),
    list(
        zip(
            PAYLOADS,
            [3, 3, 4, 4, 4, 5, 5, 5, 5],
            [19.4, 85.7, 126.3, 208.7, 342.8, 360.0, 413.7, 489.7, 545.4],
            [2.85, 3.60, 3.94, 4.28, 4.69, 4.83, 5.03, 5.36, 5.72],
            [20.1, 75.9, 127.5, 201.4, 323.8, 364.0, 413.0, 484.4, 539.4],
            strict=True,
        )
    ),
)
def test_twelve_per_cent_loss(payload, count, rate, exact, exact_rate):
    size = payload * MB
    assert rbudp.resends(size, 0.12) == count
    model = rbudp.bandwidth_with_loss(size, 682 * MBPS, RTT, 0.12)
    assert model / MBPS == pytest.approx(rate, abs=0.06)
    packets = rbudp.packets(size, 1450)
    assert rbudp.expected_resends(0.12, packets) == pytest.approx(exact, abs=0.006)
    ack = 8 * rbudp.acknowledgement_bytes(size) / (682 * MBPS)
    law = rbudp.exact_bandwidth(size, 682 * MBPS, RTT, 0.12, 1450, ack)
    assert law / MBPS == pytest.approx(exact_rate, rel=2e-3)


@pytest.mark.parametrize(
    ("loss", "exact", "equation"), [(0.01, 2.27, 2), (0.02, 2.97, 3), (0.33, 11.43, 11)]
)
def test_resends_at_450_mb(loss, exact, equation):
    assert rbudp.expected_resends(loss, rbudp.packets(450 * MB, 1450)) == pytest.approx(
        exact, abs=0.006
    )
    assert rbudp.resends(450 * MB, loss) == equation


def test_resent_bytes_equation_7():
    assert rbudp.resent_bytes(450 * MB, 0.12) / MB == pytest.approx(61.36, abs=0.01)
    direct = sum(450 * MB * 0.12**i for i in range(1, 6))
    assert rbudp.resent_bytes(450 * MB, 0.12) == pytest.approx(direct)


def test_no_loss_and_tiny_payload_need_no_resend():
    assert rbudp.resends(450 * MB, 0.0) == 0
    assert rbudp.resends(1000, 0.12) == 0
    assert rbudp.resent_bytes(450 * MB, 0.0) == 0.0
    assert rbudp.expected_resends(0.0, 1000) == 0.0
    assert rbudp.deviation_of_duration(1 * MB, 1e9, RTT, 0.0, 1450) == 0.0


def test_sixty_seven_and_a_half_megabytes():
    assert rbudp.payload_for_ratio(0.9, 600 * MBPS, RTT) == pytest.approx(67.5 * MB)
    assert rbudp.best_ratio(67.5 * MB, 600 * MBPS, 0.11) == pytest.approx(0.891, abs=5e-4)
    assert rbudp.payload_for_ratio(0.9, 600 * MBPS, 0.11) == pytest.approx(74.25 * MB)
    assert rbudp.payload_for_ratio(0.9, 600 * MBPS, 0.12) == pytest.approx(81 * MB)


def test_streaming_equations_8_to_11():
    size = 800 * 600 * 3
    assert rbudp.objects_per_block(20, 0.5) == 10
    assert rbudp.block_bytes(size, 20, 0.5) == 14.4 * MB
    assert rbudp.stream_bandwidth(size, 20) == pytest.approx(230.4 * MBPS)
    assert rbudp.stream_send_rate(size, 20, 0.5, RTT) == pytest.approx(288 * MBPS)
    assert rbudp.block_time(size, 20, 0.5, 288 * MBPS, RTT) == pytest.approx(0.5)
    assert rbudp.block_time(size, 20, 0.5, 280 * MBPS, RTT) == pytest.approx(0.511, abs=5e-4)
    with pytest.raises(ValueError, match="RTT"):
        rbudp.stream_send_rate(size, 20, 0.1, RTT)


@pytest.mark.parametrize(
    ("asked", "step", "rate"),
    [
        *[(828, 14, 828.6), (773.3, 15, 773.3), (725, 16, 725.0), (682, 17, 682.4)],
        *[(644, 18, 644.4), (610, 19, 610.5), (580, 20, 580.0)],
    ],
)
def test_whole_microseconds(asked, step, rate):
    interval = rbudp.quantised_interval(asked * MBPS, 1450)
    assert interval == pytest.approx(step * 1e-6)
    assert rbudp.quantised_rate(asked * MBPS, 1450) / MBPS == pytest.approx(rate, abs=0.06)
    assert rbudp.quantised_rate(asked * MBPS, 1450, 0) == pytest.approx(asked * MBPS)


def test_host_model_of_the_livelock_profile():
    host = {"interrupt": 4.01e-6, "service": 14.77e-6, "packet_size": 1450}
    assert rbudp.host_loss(617.5 * MBPS, **host) == 0.0 < rbudp.host_loss(617.7 * MBPS, **host)
    for rate, loss in [(643, 0.050), (682, 0.12), (725, 0.188), (834, 0.33)]:
        assert rbudp.host_loss(rate * MBPS, **host) == pytest.approx(loss, abs=1.5e-3)
    reading = {**host, "service": 9.20e-6}
    assert (
        rbudp.host_loss(877.8 * MBPS, **reading) == 0.0 < rbudp.host_loss(878.4 * MBPS, **reading)
    )
    assert rbudp.host_delivered(1e12, **host) == 0.0


def test_host_bandwidth_of_the_constant_profile():
    """A host of 643 Mb/s that is never idle needs 5.6 s and one RTT: 632 Mb/s at the most."""
    bound = 8 * 450 * MB / (310345 * 18.04e-6 + RTT)
    for rate in (682, 725, 892):
        value = rbudp.host_bandwidth(450 * MB, rate * MBPS, RTT, 1450, 0, 18.04e-6, 8 * 2**20)
        assert 600 * MBPS < value < bound
    free = rbudp.host_bandwidth(450 * MB, 600 * MBPS, RTT, 1450, 0, 0.1e-6, 8 * 2**20)
    assert free == pytest.approx(rbudp.best_bandwidth(450 * MB, 600 * MBPS, RTT), rel=1e-3)


def test_packets_of_a_payload():
    assert rbudp.packets(450 * MB, 1450) == 310345
    assert rbudp.packets(1450, 1450) == 1
    assert rbudp.packets(1451, 1450) == 2


@pytest.mark.parametrize(("loss", "count"), [(0.12, 690), (0.5, 37), (0.01, 5000)])
def test_exact_law_against_monte_carlo(loss, count):
    """20 000 transfers, packet by packet: number of passes is a geometric variable each."""
    random = np.random.default_rng(7)
    passes = random.geometric(1.0 - loss, size=(20000, count))
    resends = passes.max(axis=1) - 1.0
    sent = passes.sum(axis=1)
    error = resends.std() / np.sqrt(len(resends))
    assert abs(resends.mean() - rbudp.expected_resends(loss, count)) < 4 * error
    assert resends.var() == pytest.approx(rbudp.variance_of_resends(loss, count), rel=0.08)
    duration = (1 + resends) * 0.11 + sent * 17e-6
    rate = 8 * 1450 / 17e-6
    size = count * 1450
    mean = rbudp.expected_duration(size, rate, 0.1, loss, 1450, 0.01)
    spread = rbudp.deviation_of_duration(size, rate, 0.1, loss, 1450, 0.01)
    assert abs(duration.mean() - mean) < 4 * duration.std() / np.sqrt(len(duration))
    assert duration.std() == pytest.approx(spread, rel=0.04)


def test_expected_resends_by_enumeration():
    """Three packets, loss 1/2: the distribution written out."""
    law = [(1 - 0.5 ** (j + 1)) ** 3 for j in range(60)]
    mean = sum(j * (law[j] - (law[j - 1] if j else 0)) for j in range(60))
    assert rbudp.expected_resends(0.5, 3) == pytest.approx(mean, rel=1e-9)


def test_exact_law_is_stable_for_ten_million_packets():
    value = rbudp.expected_resends(0.12, 10**7)
    limit = (np.log(10**7) + 0.5772) / -np.log(0.12)
    assert value == pytest.approx(limit - 0.5, abs=0.05)
    assert rbudp.expected_resends(1e-9, 10**7) == pytest.approx(1e-2, rel=0.01)


@pytest.mark.parametrize("loss", [-0.1, 1.0, 2.0])
def test_loss_outside_its_range_is_refused(loss):
    with pytest.raises(ValueError, match="loss"):
        rbudp.resends(1 * MB, loss)
    with pytest.raises(ValueError, match="loss"):
        rbudp.expected_resends(loss, 10)
