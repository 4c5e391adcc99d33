# SPDX-License-Identifier: GPL-2.0-only
"""TCP's closed forms against numbers derived elsewhere and against each other."""

import numpy as np
import pytest

from lfn.models import tcp

MBPS = 1e6
# TCP's printed rates in Table 1 of the VRP report, assumed RTT (ms), window in KiB for that.
TABLE_1 = [
    *[(2.23, 60, 16.3), (1.05, 60, 7.7), (1.61, 60, 11.8), (0.98, 60, 7.2), (0.93, 60, 6.8)],
    *[(0.88, 60, 6.4), (0.94, 60, 6.9), (1.00, 60, 7.3), (0.92, 60, 6.7), (0.34, 170, 7.1)],
    (0.21, 170, 4.4),
]


@pytest.mark.parametrize(("rate", "rtt", "window"), TABLE_1)
def test_windows_that_hold_tcp_at_the_printed_rates(rate, rtt, window):
    assert tcp.window_for(rate * MBPS, rtt / 1e3) / 1024 == pytest.approx(window, abs=0.06)


def test_mathis_at_the_loss_of_the_one_story():
    assert tcp.mathis(0.054, 0.06) / MBPS == pytest.approx(1.03, abs=0.005)
    assert 0.4 < tcp.padhye(0.054, 0.06) / MBPS < 0.7


@pytest.mark.parametrize(("loss", "share"), [(0.001, 0.69), (0.01, 0.58)])
def test_what_delayed_acknowledgements_and_timeouts_of_a_second_cost(loss, share):
    ratio = tcp.padhye(loss, 0.1, timeout=1.0) / tcp.mathis(loss, 0.1)
    assert ratio == pytest.approx(share, abs=0.005)


def test_padhye_tends_to_mathis_when_losses_are_rare():
    """With b = 1 and few timeouts the two are one law."""
    ratio = tcp.padhye(1e-6, 0.1, timeout=0.3, acked=1) / tcp.mathis(1e-6, 0.1)
    assert ratio == pytest.approx(1.0, abs=1e-4)


def test_what_cannot_be_is_refused():
    for loss in (0.0, 1.0, -0.1):
        with pytest.raises(ValueError, match="loss"):
            tcp.mathis(loss, 0.1)
        with pytest.raises(ValueError, match="loss"):
            tcp.padhye(loss, 0.1)


@pytest.mark.parametrize(
    ("loss", "window"), [(1e-2, 12), (1e-3, 38), (1e-4, 187), (1e-5, 1054), (1e-6, 5926)]
)
def test_cubic_windows(loss, window):
    """RFC 9438's table for 100 ms, in whole segments; up to 0.1 % the window of AIMD."""
    assert tcp.cubic_window(loss, 0.1) == pytest.approx(window, abs=1.2)
    rate = tcp.cubic_window(loss, 0.1) * 1400 * 8 / 0.1
    assert tcp.cubic(loss, 0.1, 1400) == pytest.approx(rate)


def test_slow_start_round_by_round():
    """Against adding up windows: 10, 15, 22.5, ..."""
    sent, window = 0.0, 10.0
    for count in range(1, 8):
        sent += window
        window *= 1.5
        assert tcp.slow_start_rounds(sent) == pytest.approx(count)


def test_time_of_slow_start():
    rate, rtt = 100e6, 0.1
    segments = 10 * (1.5**4 - 1) / 0.5
    time = tcp.slow_start_time(segments * 1460, rate, rtt)
    assert time == pytest.approx(5 * rtt)  # a handshake and four rounds
    assert tcp.slow_start_time(1460, rate, rtt) == pytest.approx(2 * rtt)
    # Once the path is full, a byte more takes its time on the link.
    more = tcp.slow_start_time(40e6, rate, rtt) - tcp.slow_start_time(30e6, rate, rtt)
    assert more == pytest.approx(0.8)


@pytest.mark.parametrize("buffer", [1, 2, 4])
def test_queue_of_a_sawtooth_step_by_step(buffer):
    """A thousand RTTs of a window that grows evenly, each as long as it is wide."""
    windows = np.linspace((1 + buffer) / 2, 1 + buffer, 1001)
    middle = (windows[1:] + windows[:-1]) / 2
    mean = (middle * (middle - 1)).sum() / middle.sum()
    assert tcp.sawtooth_queue(buffer) == pytest.approx(mean, rel=1e-5)
    with pytest.raises(ValueError, match="run empty"):
        tcp.sawtooth_queue(0.5)
