# SPDX-License-Identifier: GPL-2.0-only
"""Plots of distributions, and of throughput against delay."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from lfn.distributions import cdf, plot_boxes, plot_cdf, plot_throughput_delay
from lfn.style import new_figure, save

RUNS = pd.DataFrame(
    {
        "transport": ["tcp", "tcp", "xcp", "mine", "udp"],
        "goodput_bps": [80e6, 90e6, 95e6, 10e6, 0.0],
        "delay_p95_s": [0.08, 0.12, 0.051, 0.05, np.nan],
    }
)


@pytest.fixture(name="axes")
def a_figure():
    figure, axes = new_figure()
    yield axes
    plt.close(figure)


def test_an_empirical_distribution():
    x, p = cdf([3, np.nan, 1, 2, 2])
    assert list(x) == [1, 2, 2, 3]
    assert list(p) == [0.25, 0.5, 0.75, 1]
    for nothing in ([], [np.nan]):
        with pytest.raises(ValueError, match="at least one value"):
            cdf(nothing)


def test_a_step_per_value_from_0_to_1(axes):
    plot_cdf(axes, [2.0, 1.0], "tcp")
    plot_cdf(axes, [4.0], "udp", label="mine")
    first, second = axes.lines
    assert list(first.get_xdata()) == [1, 1, 2] and list(first.get_ydata()) == [0, 0.5, 1]
    assert first.get_drawstyle() == "steps-post"
    assert (first.get_label(), second.get_label()) == ("TCP", "mine")


def test_boxes_stand_in_order_with_the_names_of_the_groups(axes):
    plot_boxes(axes, {"tcp": [1, 2, 3, 4, 100], "mine": [5.0, np.nan, 7.0]})
    assert [text.get_text() for text in axes.get_yticklabels()] == ["TCP", "mine"]
    low, high = axes.get_ylim()
    assert low > high, "the first is on top"
    medians = [line.get_xdata()[0] for line in axes.lines if len(set(line.get_xdata())) == 1]
    assert {3, 6} <= set(medians)
    outliers = [set(line.get_xdata()) for line in axes.lines if line.get_marker() == "."]
    assert {100} in outliers


def test_throughput_against_delay(axes):
    plot_throughput_delay(axes, RUNS)
    drawn = {bars.get_label(): bars for bars in axes.containers}
    assert list(drawn) == ["TCP", "XCP", "mine"], "of UDP nothing arrived"
    ((x,), (y,)) = drawn["TCP"].lines[0].get_data()
    assert (x, y) == (pytest.approx(100), pytest.approx(85))
    right, left = axes.get_xlim()
    assert right > left, "the best is in the upper right corner"
    bars = drawn["TCP"].lines[2][0].get_segments()[0]
    assert [end[0] for end in bars] == pytest.approx([80, 120])


def test_a_table_without_delays_is_refused(axes):
    with pytest.raises(ValueError, match="no column delay_p95_s: run with --monitor"):
        plot_throughput_delay(axes, RUNS.drop(columns="delay_p95_s"))
    with pytest.raises(ValueError, match="no column kind"):
        plot_throughput_delay(axes, RUNS, by="kind")


def test_a_pdf_has_fonts_of_type_42_and_equal_bytes(tmp_path):
    pages = []
    for _ in range(2):
        figure, axes = new_figure()
        plot_cdf(axes, [1, 2, 3], "tcp")
        axes.legend()
        assert save(figure, tmp_path, "cdf", formats=("pdf",)) == ["cdf.pdf"]
        pages.append((tmp_path / "cdf.pdf").read_bytes())
    assert pages[0] == pages[1]
    assert b"/FontFile2" in pages[0] and b"/CIDFontType2" in pages[0]
    assert b"/Type3" not in pages[0]
    assert [path.name for path in tmp_path.iterdir()] == ["cdf.pdf"]
