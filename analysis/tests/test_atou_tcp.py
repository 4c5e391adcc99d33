# SPDX-License-Identifier: GPL-2.0-only
"""atou alongside TCP: ratios on small tables, and the law of the head start."""

import pandas as pd
import pytest

from conftest import results_of
from lfn.figures import atou_tcp
from lfn.results import MissingDataError


def _row(series, mbs, **changes):
    row = {
        "series": series,
        "point": series,
        "run": 1,
        "mbs": mbs,
        "mean_cwnd": 10.0,
        "retransmitted_packets": 10,
        "data_packets": 1000,
        "--linkRate": 1e7,
        "--rtt": 0.05,
        "--lossRate": 0.01,
    }
    return {**row, **changes}


def test_ratios_of_paths_that_both_have():
    more = {"--rtt": 0.1}
    results = results_of([_row("a", 6.0), _row("a", 4.0, **more), _row("b", 8.0)])
    found = atou_tcp.path_ratios(results, ("a", {}), ("b", {}), "mbs")
    assert {name: one.value for name, one in found.items()} == {
        "10 Mb/s, 50 ms": pytest.approx(0.75)
    }
    assert atou_tcp.paths(results, "a") == [(1e7, 0.05), (1e7, 0.1)]
    with pytest.raises(MissingDataError):
        atou_tcp.path_ratios(results, ("a", {"rtt": 0.1}), ("b", {}), "mbs")


def test_pairs_have_the_same_losses():
    rows = [_row("a", 5.0), _row("a", 6.0, run=2), _row("b", 10.0)]
    rows.append(_row("b", 8.0, run=2))
    table = atou_tcp.pairs(results_of(rows), "a", "b")
    assert table["ratio"].tolist() == pytest.approx([0.5, 0.75])
    found = atou_tcp.mean_ratios(table)
    assert found.parts == {"1 % lost": pytest.approx(0.625)}
    assert found.errors["1 % lost"] > 0
    with pytest.raises(MissingDataError):
        atou_tcp.mean_ratios(table[table["loss"] > 1])


@pytest.mark.parametrize("gain", [0, 2])
def test_the_law_is_a_sawtooth_with_one_loss(gain):
    """A tooth is added up RTT by RTT."""
    mean = atou_tcp.mean_window(0.0001, gain)
    top = (4 * mean - 2 * gain) / 3
    window, segments, trips = top / 2 + gain, 0.0, 0
    while window < top:
        segments, trips, window = segments + window, trips + 1, window + 1
    assert segments == pytest.approx(10_000, rel=0.02)
    assert segments / trips == pytest.approx(mean, rel=0.02)


def test_the_law_without_a_gain_is_the_usual_one():
    assert atou_tcp.mean_window(0.001) == pytest.approx(1.5**0.5 / 0.001**0.5)
    assert atou_tcp.law_ratio(1e-8) == pytest.approx(1, abs=1e-3)
    assert atou_tcp.law_ratio(0.01) < atou_tcp.law_ratio(0.001) < 1


def test_gain_after_a_lone_loss():
    table = pd.DataFrame({"time_s": range(8), "value": [2, 4, 72, 73, 74, 37, 40, 41]})
    assert atou_tcp.gain_after_loss(table) == 3
    with pytest.raises(MissingDataError):
        atou_tcp.gain_after_loss(table.assign(value=range(8)))
