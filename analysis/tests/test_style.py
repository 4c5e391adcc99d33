# SPDX-License-Identifier: GPL-2.0-only
"""How figures look."""

import dataclasses
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest
from matplotlib import font_manager

from conftest import ANALYSIS
from lfn import style
from lfn.campaign import digests_of
from lfn.files import read_json
from lfn.spec import load_figures


def test_bundled_fonts_come_before_the_machines():
    manager = font_manager.fontManager
    before = list(manager.ttflist)
    bundled = next(font for font in before if Path(font.fname).name == "DejaVuSans.ttf")
    try:
        manager.ttflist[:] = [dataclasses.replace(bundled, fname="/machine/DejaVuSans.ttf")]
        style.prefer_bundled_fonts()
        names = [font.fname for font in manager.ttflist if font.name == "DejaVu Sans"]
        assert Path(names[0]).parent == Path(matplotlib.get_data_path(), "fonts", "ttf")
        assert names[-1] == "/machine/DejaVuSans.ttf"
    finally:
        manager.ttflist[:] = before


@pytest.fixture
def axes():
    figure, axes = style.new_figure(2 * style.PAPER_WIDTH)
    yield axes
    plt.close(figure)


def test_no_text_is_too_small_once_printed(axes):
    axes.plot([0, 1], [0, 1], label="a")
    axes.legend(fontsize=6)
    axes.tick_params(labelsize=5)
    axes.text(0.5, 0.5, "small", fontsize=4)
    least = style.keep_legible(axes.figure)
    assert least == 2 * style.LEAST_SIZE
    axes.set_xlim(0, 100)  # ticks that are new
    axes.figure.draw_without_rendering()
    assert min(text.get_size() for text in axes.figure.findobj(matplotlib.text.Text)) == least


def test_a_narrow_figure_keeps_its_sizes():
    figure, axes = style.new_figure(4.0)
    size = axes.title.get_size()
    assert style.keep_legible(figure) == style.LEAST_SIZE
    assert axes.title.get_size() == size
    plt.close(figure)


def test_entries_of_a_legend_that_look_the_same_in_grey(axes):
    for name, changes in (
        ("vermilion", {"color": style.RED}),
        ("green", {"color": style.GREEN}),
        ("black", {"color": style.BLACK}),
        ("dashed", {"color": style.RED, "linestyle": "--"}),
        ("marked", {"color": style.RED, "marker": "o"}),
    ):
        axes.plot([0, 1], [0, 1], label=name, **changes)
    assert style.alike(axes.figure) == []  # no legend
    axes.legend()
    assert style.alike(axes.figure) == [("vermilion", "green")]


def test_entries_of_points_and_areas(axes):
    for colour in (style.RED, style.GREEN):
        axes.errorbar([1], [1], yerr=[1], color=colour, fmt="o", label=f"points {colour}")
        axes.fill_between([0, 1], 0, 1, color=colour, label=f"area {colour}")
        axes.bar([1], [1], color=colour, label=f"bars {colour}")
    axes.fill_between([0, 1], 0, 1, color=style.RED, hatch="//", label="hatched")
    axes.legend()
    assert {pair[0].split()[0] for pair in style.alike(axes.figure)} == {"points", "area", "bars"}
    assert len(style.alike(axes.figure)) == 3


def test_series_by_number_differ(axes):
    for number in range(len(style.CYCLE)):
        axes.plot([0, 1], [0, number], label=str(number), **style.look(number, marker=None))
    axes.legend()
    assert style.alike(axes.figure) == []


def test_pictures_that_were_drawn_have_no_entries_that_look_the_same():
    """What the last campaign has drawn from the figures as they are; it may have drawn none."""
    figures = load_figures(ANALYSIS / "figures")
    for path in sorted((ANALYSIS.parent / "build" / "figures").glob("*/drawn.json")):
        drawn = read_json(path)
        figure = path.parent.name
        if figure in figures and drawn["sources"] == digests_of(figures[figure].folder):
            assert all(pairs == [] for pairs in drawn.get("alike", {}).values()), figure
