# SPDX-License-Identifier: GPL-2.0-only
"""VRP's closed forms against printed numbers, its rules against the report's examples."""

import random

import numpy as np
import pytest

from lfn.models import vrp

KB = vrp.KB
MBPS = 1e6
FRAME = 100 * KB


def test_fragments_of_the_sizes_of_figure_12():
    sizes = np.array([0.5, 1, 2, 3, 4, 8]) * KB
    assert list(vrp.fragments(sizes)) == [1, 1, 2, 3, 3, 6]
    assert vrp.fragments(1466) == 1
    assert vrp.fragments(1467) == 2


def test_loss_of_a_packet_in_fragments():
    assert vrp.packet_loss(0.054, 2 * KB) == pytest.approx(0.105, abs=5e-4)
    sizes = np.array([0.5, 1, 2, 3, 4]) * KB
    assert 100 * vrp.packet_loss(0.01, sizes) == pytest.approx([1, 1, 2, 3, 3], abs=0.05)


def test_efficiency_on_ethernet():
    assert vrp.efficiency(2 * KB) == pytest.approx(0.940, abs=5e-4)
    assert vrp.wire_bytes(2 * KB) == 1538 + 640
    assert vrp.wire_bytes(2 * KB, vrp.PPP) == 1502 + 604


@pytest.mark.parametrize(
    ("rate", "time"),
    [
        *[(8.56, 96), (7.98, 103), (3.78, 217), (4.95, 165), (9.56, 86), (4.28, 191), (4.76, 172)],
        *[(6.83, 120), (3.83, 214), (1.26, 650), (0.56, 1463)],
    ],
)
def test_time_of_a_frame_at_the_rates_of_table_1(rate, time):
    link = rate * MBPS / vrp.efficiency(2 * KB)
    assert 1e3 * vrp.frame_time(FRAME, link, 0.0) == pytest.approx(time, abs=0.6)


def test_blocking_frames():
    wan = vrp.blocking_rate(FRAME, 10 * MBPS, 0.06) / MBPS
    assert wan == pytest.approx(3.96, abs=0.005)
    assert vrp.blocking_rate(FRAME, 100 * MBPS, 0.06) / MBPS == pytest.approx(6.4, abs=0.05)
    one = vrp.blocking_rate(FRAME, 100 * MBPS, 0.2e-3, round_trips=1) / MBPS
    assert one == pytest.approx(91.9, abs=0.05)
    assert vrp.blocking_rate(FRAME, 100 * MBPS, 0.3e-3) / MBPS == pytest.approx(88.0, abs=0.05)


def test_blocking_frames_at_the_fastest_rows_of_table_1():
    """8 to 9.6 Mb/s in blocking frames need RTTs of at most 38 to 47 ms on a fast link."""
    for rate, rtt in ((8.56, 0.047), (9.56, 0.042)):
        assert vrp.blocking_rate(FRAME, 1e9 * MBPS, rtt) / MBPS >= rate
        assert vrp.blocking_rate(FRAME, 1e9 * MBPS, rtt + 2e-3) / MBPS < rate


def test_pipelined_bound():
    assert vrp.pipelined_bound(64, 2 * KB, 0.06) / MBPS == pytest.approx(17.5, abs=0.05)
    assert vrp.pipelined_bound(64, 2 * KB, 0.2) / MBPS == pytest.approx(5.2, abs=0.05)


def test_frames_to_fill_a_path():
    assert vrp.frames_to_fill(FRAME, 10.17 * MBPS, 0.06) == 3
    assert vrp.frames_to_fill(FRAME, 0.6 * MBPS, 0.17) == 2
    assert vrp.frames_to_fill(FRAME, 10 * MBPS, 0.0) == 1


def test_round_trip_of_a_packet():
    # 2106 bytes there and 47 back at 1 Mb/s, 2 ms of propagation
    assert vrp.packet_round_trip(2 * KB, 1 * MBPS, 2e-3) == pytest.approx(19.224e-3)


def test_tolerance_in_packets():
    assert vrp.loss_byte(0.25) == 64
    assert vrp.max_losses(0.25, 64) == 16
    assert vrp.max_losses(0.25, 64, nearest=True) == 16
    # The report's own "16 %" and "32 %" of a window of 6 packets (section 2.3.5)
    assert [vrp.max_losses(rate, 6) for rate in (0.16, 0.32)] == [0, 1]
    assert [vrp.max_losses(rate, 6, nearest=True) for rate in (0.16, 0.32)] == [1, 2]
    assert vrp.max_losses(0.0, 64) == 0
    assert vrp.max_losses(1.0, 64) == 64


def test_course_of_the_timeout():
    (first, _, begin), (rtt, deviation, timeout) = vrp.timeouts(0.1, [0.12])
    assert (first, begin) == pytest.approx((0.1, 0.3))
    assert (rtt, deviation, timeout) == pytest.approx((0.1025, 45.9375e-3, 0.28625))
    # after one doubling 17 clean samples bring the timeout from 2 times back to 1.1 times
    course = vrp.timeouts(0.2, [0.1] * 17, initial=0.0)
    assert course[-1][0] == pytest.approx(0.11, abs=5e-4)


def test_example_with_a_maximum_loss_rate():
    """Section 2.3.5, first: window 6, one loss; 2 and 6 are lost."""
    accepted, demanded = vrp.judge([0, 1, 3, 4, 5, 7], 8, most=1, window=6)
    assert (accepted, demanded) == ({2}, {6})


def test_example_with_a_maximum_burst():
    """Section 2.3.5, second: window 6, two losses, one in a row; 3 and 7 to 9 are lost."""
    accepted, demanded = vrp.judge([0, 1, 2, 4, 5, 6, 10], 11, most=2, burst=1, window=6)
    assert (accepted, demanded) == ({3, 7, 9}, {8})


def test_example_of_figure_7():
    accepted, demanded = vrp.judge([0, 1, 2, 3, 4, 10], 11, most=32, burst=1)
    assert (accepted, demanded) == ({5, 7, 9}, {6, 8})


def test_required_packets_are_demanded():
    accepted, demanded = vrp.judge([2, 4], 5, most=5, required={0})
    assert (accepted, demanded) == ({1, 3}, {0})


@pytest.mark.parametrize("seed", range(5))
def test_the_rules_keep_their_promise(seed):
    draw = random.Random(seed).random
    packets, window, most, burst = 300, 20, 4, 2
    order = vrp.arrivals_of_a_frame(packets, 0.4, draw)
    assert len(order) == len(set(order))
    assert max(order) == packets - 1
    accepted, demanded = vrp.judge(order, packets, most, burst, window)
    assert accepted | demanded | set(order) == set(range(packets))
    assert not accepted & demanded
    lost = np.array([k in accepted for k in range(packets)])
    assert all(lost[k : k + window].sum() <= most for k in range(packets - window + 1))
    assert not any(lost[k : k + burst + 1].all() for k in range(packets - burst))
    assert lost.any()


def test_residual_loss_where_it_is_known():
    assert vrp.residual_loss(50, 0.3, 0.0, frames=20) == (0.0, 0.0)
    assert vrp.residual_loss(50, 0.0, 1.0, frames=20) == (0.0, 0.0)
    # Everything may be lost: all but the last packet, and the tail's retransmitted ones, stay lost.
    mean, error = vrp.residual_loss(2000, 0.2, 1.0, frames=40)
    assert mean == pytest.approx(0.2, abs=4 * error + 0.001)
    # Burst of one packet, no other limit: of a run of r losses ceil(r / 2) are accepted. The runs
    # are geometric, so a packet is accepted with probability p / (1 + p).
    mean, error = vrp.residual_loss(2000, 0.4, 1.0, burst=1, frames=40)
    assert mean == pytest.approx(0.4 / 1.4, abs=4 * error + 0.001)


def test_a_short_frame_may_lose_more_than_the_percentage():
    """The limit is 16 of 64 packets; a frame of 50 never sees more of it (section 2.4.4)."""
    mean, _ = vrp.residual_loss(50, 0.6, 0.25, frames=100)
    assert mean == pytest.approx(16 / 50, abs=0.005)
    long, _ = vrp.residual_loss(1000, 0.6, 0.25, frames=10)
    assert long <= 0.2625


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="packet size"):
        vrp.fragments(0)
    with pytest.raises(ValueError, match="rate"):
        vrp.loss_byte(1.5)


def test_window_that_fits_into_a_buffer():
    # 64 packets of 2054 bytes fit at once; the link brings one in 168.48 us, the receiver reads
    # nothing of them, or half of each while the next one comes
    assert vrp.window_that_fits(2048, 100e6, 1e9, 64 * 2054) == pytest.approx(64)
    twice = 2 * 8 * vrp.wire_bytes(2048, vrp.PPP) / 100e6
    assert vrp.window_that_fits(2048, 100e6, twice, 64 * 2054) == pytest.approx(128)
