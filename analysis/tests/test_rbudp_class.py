# SPDX-License-Identifier: GPL-2.0-only
"""RBUDP in a class of service: rates with headers, equation 4, and when TCP's share counts."""

import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.figures import rbudp_class as shared
from lfn.results import MissingDataError
from lfn.spec import load_module

SIZE = 100_000_000
STARTS = {"2s,0s": 2.0, "2500ms,0s": 2.5}


def _point(folder, series, rate, start, value):
    """Rows of a point with both flows; TCP's goodput is ``value`` during the first blast alone."""
    point = f"{series} {rate} {start}"
    begin = STARTS[start] + 0.075
    blast = 8 * SIZE / shared.user_rate(rate)
    row = {"series": series, "point": point, "run": 1, "--start": start, "--bytes": SIZE}
    row |= {"--sendRate": shared.user_rate(rate), "application_start_s": STARTS[start]}
    row |= {"delivered_bytes": SIZE, "data_packets": 1200, "retransmitted_packets": 200}
    times = [k / 10 for k in range(1, 400)]
    samples = [
        {"run": 1, "time_s": t, "flow": 1, "metric": "goodput_bps"}
        | {"value": value if begin + 2.0 < t < begin + blast else 1e9}
        for t in times
    ]
    (folder / point).mkdir()
    pd.DataFrame(samples).to_csv(folder / point / "series.csv", index=False)
    return [
        row | {"flow": 0, "start_s": begin, "finish_s": begin + blast + 3.0},
        row | {"flow": 1, "start_s": 0.05, "finish_s": 39.0},
    ]


@pytest.fixture
def made(tmp_path):
    """Results of a class and a FIFO; TCP's user rate is that of 40.4 and 39.6 Mb/s."""
    user = 1400 / (1400 + 54)
    rows = []
    for rate in (0.3, 0.6, 1.0):
        for start, share in zip(STARTS, (40.4e6, 39.6e6), strict=True):
            rows += _point(tmp_path, "class", rate, start, share * user)
            rows += _point(tmp_path, "fifo", rate, start, 35e6 * user)
    return results_of(rows, folder=tmp_path)


def test_rates_count_headers():
    """A datagram has 4 bytes of RBUDP, 8 of UDP, 20 of IP and 2 of PPP."""
    assert shared.user_rate(0.6) == pytest.approx(60e6 * 1400 / 1434)


def test_law():
    """The first datagram's wait, the blast, and bits of the bitmap."""
    rows = [{"series": "class", "point": "p", "run": 1, "--bytes": SIZE}]
    rate = shared.user_rate(0.6)
    seconds = 8 * SIZE / rate + SIZE / 1400 / rate + 0.05 + 1.5 * 0.05
    assert shared.law(results_of(rows), 0.6) == pytest.approx(8 * SIZE / seconds)


def test_lost_datagrams():
    """71429 datagrams at 1.2 times the share: 1/6 less 261, three times, and nothing then."""
    rows = [{"series": "class", "point": "p", "run": 1, "--bytes": SIZE}]
    first = 71429 / 6 - 261
    second = first / 6 - 261
    third = second / 6 - 261
    lost = first + second + third
    assert third / 6 < 261
    assert shared.lost_law(results_of(rows), 0.72) == pytest.approx(lost)


def test_share_during_the_first_blast(made):
    share = shared.tcp_share(made, "class", 0.6)
    assert share.value == pytest.approx(40e6)
    assert share.half == pytest.approx(12.706 * 0.4e6, rel=1e-3)  # Student's t of two starts
    assert shared.at_rates(made, "class", lambda rate: rate < 1) == [0.3, 0.6]
    with pytest.raises(MissingDataError):
        shared.tcp_share(made, "class", 0.5)


def test_claims(made):
    claims = load_module(ANALYSIS / "figures/rbudp-class/claims.py")
    kept = claims.tcp_keeps_its_class(made).parts
    assert list(kept.values()) == pytest.approx([100.0, 100.0])
    assert list(claims.tcp_gets_what_is_unused(made).parts.values()) == pytest.approx([4000 / 70])
    left = claims.fifo_leaves_the_rest(made).parts
    assert list(left.values()) == pytest.approx([50.0, 87.5])
    assert list(claims.fifo_starves_tcp(made).parts.values()) == pytest.approx([35.0])
    assert list(claims.no_losses_at_its_share(made).parts.values()) == pytest.approx([200.0])
