# SPDX-License-Identifier: GPL-2.0-only
"""UDT's closed forms against the rules' worked examples and the original program."""

import csv

import pytest

from conftest import ANALYSIS
from lfn.models import udt

MBPS = 1e6
GBPS = 1e9
FULL = 8333  # packets per second of 100 Mb/s, without framing


def original(case):
    """Return the rows of a measured case, one per repetition."""
    with (ANALYSIS / "originals" / "udt.csv").open(encoding="utf-8") as stream:
        return [r for r in csv.DictReader(stream) if r["case"] == case and r["rep"].isdigit()]


def mean(rows, column):
    """Return the mean of a column."""
    return sum(float(row[column]) for row in rows) / len(rows)


@pytest.mark.parametrize(
    ("free", "packets"),
    [(-5, 0.01), (0, 0.01), (833, 0.01), (834, 0.1), (8333, 0.1), (8334, 1), (83334, 10)],
)
def test_the_increase_by_free_capacity(free, packets):
    assert udt.increase(free) == pytest.approx(packets)


def test_the_least_increase_of_the_poster():
    assert udt.increase(4, minimum=1 / 1500) == pytest.approx(1 / 1500)
    assert udt.increase(41, minimum=1 / 1500) == pytest.approx(0.001)


def test_jumbo_frames_grow_by_the_same_bits():
    small = udt.growth(0, udt.capacity(10 * GBPS)) * 1500
    assert udt.growth(0, udt.capacity(10 * GBPS, 9000), 9000) * 9000 == pytest.approx(small)


@pytest.mark.parametrize(
    "periods", [(120, 135, 152, 171, 193, 218), (12, 14, 16, 18, 21, 24), (1.2, 2, 3, 4, 5, 6)]
)
def test_decreases_round_up(periods):
    for before, after in zip(periods, periods[1:], strict=False):
        assert udt.decreased(before) == after
    assert udt.decreased(12, granularity=0) == 13.5


@pytest.mark.parametrize(
    ("period", "mss", "factor"),
    [(120, 1500, 1.125), (12, 1500, 1.167), (1.2, 1500, 1.667), (0.12, 1500, 8.333)],
)
def test_one_decrease_by_rate(period, mss, factor):
    assert udt.decreased(period) / period == pytest.approx(factor, abs=0.001)


def test_rate_after_a_decrease():
    rate = 1e6 / 135
    for period in (134.818, 134.636, 134.455, 134.275):
        rate += udt.SYN * udt.growth(rate, FULL)
        assert 1e6 / rate == pytest.approx(period, abs=0.0006)


@pytest.mark.parametrize("link", [10, 50, 90, 100, 300, 1000, 4000, 10_000, 100_000])
def test_nine_tenths_of_any_rate_take_750_syn(link):
    assert udt.rise(0.9, link * MBPS / 12_000, capped=False) == pytest.approx(7.5, abs=0.07)


@pytest.mark.parametrize(("link", "time"), [(10, 7.5), (100, 7.5), (300, 22.5), (1000, 7.5)])
def test_the_cap_slows_the_rise_between_powers_of_ten(link, time):
    assert udt.rise(0.9, link * MBPS / 12_000) == pytest.approx(time, abs=0.1)


@pytest.mark.parametrize(("period", "link", "time"), [(120, FULL, 8.4), (12, 83_333, 16.1)])
def test_what_one_decrease_costs(period, link, time):
    assert udt.recovery(period, link + 0.4) == pytest.approx(time, abs=0.1)


def test_recovery_as_the_original():
    """One packet of 40000 is lost after two seconds; the period of each second is known."""
    for row in original("b_w512_one"):
        periods = [float(word) for word in row["period_us_by_second"].split(";")]
        link = float(row["end_capacity_Mbps"]) * MBPS / udt.user_rate(1)
        assert periods[2] > periods[1]
        time = udt.climb(1e6 / periods[2], 1e6 / periods[4], link, capped=False)
        assert time == pytest.approx(2.0, rel=0.04)


def test_a_goal_below_the_rate_is_refused():
    with pytest.raises(ValueError, match="the goal must not be below the rate"):
        udt.climb(2.0, 1.0, FULL)
    with pytest.raises(ValueError, match="a loss above 0"):
        udt.loss_law(0.0, 0.1)


@pytest.mark.parametrize(
    ("loss", "step", "rate"),
    [(1e-3, 0.1, 36), (1e-2, 0.1, 11.4), (1e-3, 1, 114), (1e-4, 1, 360)],
)
def test_first_order_law(loss, step, rate):
    assert udt.loss_law(loss, step) * 12_000 / MBPS == pytest.approx(rate, rel=0.01)


def test_without_pauses_the_fluid_is_the_first_order_law():
    link, loss = udt.capacity(100 * MBPS), 1e-4 / 4
    rate = udt.steady_rate(100 * link, 0.0, loss, granularity=0.0)
    step = udt.increase(100 * link / udt.SHARE)
    assert rate == pytest.approx(udt.loss_law(loss, step), rel=0.03)


def test_a_pause_lasts_an_rtt_less_what_the_window_has_left():
    assert udt.pause(3000, 0.1) == pytest.approx(0.0877, abs=0.001)
    assert udt.pause(3000, 0.01) == 0.0
    longer = [udt.slowdown(3000, rtt, 1e-3) for rtt in (0.01, 0.1, 0.3)]
    assert longer == sorted(longer)
    assert longer[0] == pytest.approx(1.0, abs=0.002)


@pytest.mark.parametrize(
    ("case", "link", "rtt", "off"),
    [
        ("c_100_20_loss0.1pc", 100 * MBPS, 0.02, 0.06),
        ("c_100_100_loss0.1pc", 100 * MBPS, 0.1, 0.06),
        ("c_1000_100_loss0.01pc", 1 * GBPS, 0.1, 0.09),
    ],
)
def test_goodput_under_loss_as_the_original(case, link, rtt, off):
    """With the losses that came: their number is random, and the rate follows it."""
    rows = original(case)
    loss = mean(rows, "naks") / mean(rows, "pkts_sent")
    size = mean(rows, "bytes")
    law = udt.goodput(size, udt.capacity(link), rtt, loss)
    assert law / MBPS == pytest.approx(mean(rows, "goodput_Mbps"), rel=off)


def test_goodput_without_loss_is_the_links():
    link = udt.capacity(100 * MBPS)
    assert udt.goodput(1e9, link, 0.02, 0.0, window=300) == pytest.approx(
        udt.user_rate(link), rel=0.01
    )
    assert udt.steady_goodput(link, 0.02, 0.0) == pytest.approx(udt.user_rate(link))


@pytest.mark.parametrize("loss", [1e-3, 0.02])
def test_heavy_losses_of_a_fast_link_end_in_the_steady_rate(loss):
    link = udt.capacity(10 * GBPS)
    steady = udt.steady_goodput(link, 0.4, loss)
    assert udt.goodput(1e10, link, 0.4, loss) == pytest.approx(steady, rel=0.02)
