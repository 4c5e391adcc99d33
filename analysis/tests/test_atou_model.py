# SPDX-License-Identifier: GPL-2.0-only
"""atou's closed forms against numbers that the RFCs, Kelly's paper and the notes print."""

import numpy as np
import pytest

from lfn.models import atou as model

# RFC 3649, table 2: mean window at a loss probability.
RESPONSE = {1e-2: 12, 1e-3: 38, 1e-4: 263, 1e-5: 1795, 1e-6: 12279, 1e-7: 83981}
# RFC 3649, appendix B: the window at which a(w) reaches a whole number.
ROWS = {
    118: 2,
    221: 3,
    347: 4,
    495: 5,
    663: 6,
    851: 7,
    1058: 8,
    1284: 9,
    1529: 10,
    1793: 11,
    2076: 12,
}


@pytest.mark.parametrize(("loss", "window"), RESPONSE.items())
def test_high_speed_tcp_holds_the_printed_windows(loss, window):
    assert model.high_speed_window(loss) == pytest.approx(window, rel=0.015)


@pytest.mark.parametrize(("window", "increase"), ROWS.items())
def test_increase_is_the_table_s(window, increase):
    assert float(model.high_speed_increase(window)) == pytest.approx(increase, rel=0.01)


def test_ends_of_the_decrease():
    assert model.high_speed_decrease(38) == pytest.approx(0.5)
    assert model.high_speed_decrease(20) == pytest.approx(0.5)
    assert model.high_speed_decrease(83000) == pytest.approx(0.1)
    assert float(model.high_speed_increase(38)) == 1.0


def test_standard_window():
    assert model.standard_window(1e-4) == pytest.approx(120)
    assert model.standard_recovery(1500) == 750


def test_scalable_tcp_recovers_in_13_4_round_trips():
    assert model.scalable_recovery() == pytest.approx(13.4, abs=0.05)
    assert model.scalable_recovery(0.01, 0.5) == pytest.approx(69.7, abs=0.05)


def test_high_speed_recovery_at_a_small_window_is_standard():
    assert model.high_speed_recovery(38) == pytest.approx(19)
    few = model.high_speed_recovery(1500)
    assert model.scalable_recovery() < few < model.standard_recovery(1500) / 10


def test_limited_slow_start():
    assert model.limited_slow_start(64) == pytest.approx(6)
    assert model.limited_slow_start(100) == pytest.approx(np.log2(100))
    assert model.limited_slow_start(2000) == pytest.approx(np.log2(100) + 38)
    assert model.limited_slow_start(2000, first=2) == pytest.approx(np.log2(50) + 38)
    assert model.slow_start(1024) == 10


@pytest.mark.parametrize(
    ("size", "segments", "mbps"), [(68, 1, 2.77), (44, 1, 4.28), (44, 2, 8.6), (52, 2, 7.2)]
)
def test_ceilings_of_the_ack_clock(size, segments, mbps):
    """128 kb/s back; TCP's 52 bytes count 1460 user bytes per segment, atou's 1472."""
    user = 1460 if size == 52 else 1472
    found = model.ack_clock(128e3, size, user, segments, framing=0)
    assert found / 1e6 == pytest.approx(mbps, rel=0.006)


def test_share_of_a_sawtooth():
    assert model.sawtooth_share(0) == pytest.approx(0.75)
    assert model.sawtooth_share(0.5) == pytest.approx(0.964, abs=1e-3)
    assert model.sawtooth_share(np.array([1.0, 2.0])) == pytest.approx([1, 1])
