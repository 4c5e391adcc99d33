# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a column, and the plot of a figure without plot.py, from made-up runs."""

import math
from types import SimpleNamespace

import pandas as pd
import pytest

from conftest import claim_of
from lfn import default_plot
from lfn.claims import judge
from lfn.columns import measure_of, values
from lfn.results import MissingDataError, Results
from lfn.spec import SpecError
from lfn.units import number_or_text

# (series, transport, loss, goodput of each run)
POINTS = [
    ("all", "tcp", "0.001", [10e6, 12e6]),
    ("all", "tcp", "0.1", [1e6, 3e6]),
    ("all", "rbudp", "0.001", [40e6, 48e6]),
    ("all", "rbudp", "0.1", [30e6, 30e6]),
]


def made_up(points=POINTS, **random):
    rows, manifests = [], {}
    for number, (series, transport, loss, runs) in enumerate(points):
        point = f"p{number}"
        args = {"lossRate": loss, "transport": transport}
        manifests[point] = {"args": args}
        flags = {f"--{name}": number_or_text(text) for name, text in args.items()}
        for run, goodput in enumerate(runs, 1):
            row = {"run": run, "flow": 0, "goodput_bps": goodput, "data_packets": 100}
            rows.append({**row, "series": series, "point": point, **flags})
    table = pd.DataFrame(rows)
    known = {point: random.get(point, True) for point in manifests}
    return Results("tiny", table, None, manifests, None, random=known)


def claim(**keys):
    usual = {"column": "goodput_bps", "low": 0, "presets": ("tiny", "full")}
    return claim_of(**{**usual, **keys})


def measured(results=None, **keys):
    return measure_of("toy", claim(**keys))(results or made_up())


def test_each_point_is_a_part_with_its_interval():
    found = measured(at={"transport": "tcp"})
    assert found.parts == {"lossRate 0.001": 11e6, "lossRate 0.1": 2e6}
    assert found.errors["lossRate 0.1"] == pytest.approx(12.706e6, rel=1e-4)
    assert found.runs == 4
    one = measured(at={"transport": "tcp", "lossRate": 0.1})
    assert (one.parts, one.runs) == ({"": 2e6}, 2)
    assert len(measured().parts) == 4


def test_over_divides_by_the_point_that_differs_in_nothing_else():
    found = measured(at={"transport": "rbudp"}, over={"transport": "tcp"})
    assert found.parts == {"lossRate 0.001": 4.0, "lossRate 0.1": 15.0}
    assert found.errors["lossRate 0.001"] == 0.0, "run by run the ratio is the same"
    assert found.runs == 8
    with pytest.raises(MissingDataError, match="no point to divide by at lossRate 0.001"):
        measured(at={"transport": "rbudp"}, over={"transport": "udp"})
    with pytest.raises(MissingDataError, match="no points at udp"):
        measured(at={"transport": "udp"})


def test_points_of_two_series_are_compared_by_their_flags():
    renamed = [(transport, transport, *rest) for _, transport, *rest in POINTS]
    found = measured(made_up(renamed), at={"series": "rbudp"}, over={"series": "tcp"})
    assert found.parts == {"lossRate 0.001": 4.0, "lossRate 0.1": 15.0}
    mixed = [*renamed, ("tcp", "udp", "0.1", [1.0])]
    with pytest.raises(SpecError, match=r"^toy/figure.toml: claims.c.over: selects 2 points to"):
        measured(made_up(mixed), at={"series": "rbudp"}, over={"series": "tcp"})


def test_extremes_of_all_runs():
    least = measured(at={"transport": "tcp"}, reduce="min")
    assert least.parts == {"lossRate 0.001": 10e6, "lossRate 0.1": 1e6}
    assert (least.basis, least.runs, least.errors) == ("every run", 4, {})
    assert measured(at={"lossRate": 0.001}, reduce="max").parts == {
        "transport tcp": 12e6,
        "transport rbudp": 48e6,
    }


def test_only_points_of_the_claim_count_as_looked_at():
    results = made_up()
    measured(results, at={"transport": "rbudp", "lossRate": "0.1"})
    assert results.read == {"p3"}


def test_a_single_run_of_something_random_decides_nothing():
    points = [("all", "tcp", "0.1", [2e6])]
    asked = {"at": {"transport": "tcp"}, "low": 1e6}
    for known, verdict in ((True, "undecided"), (None, "undecided"), (False, "reproduced")):
        results = made_up(points, p0=known)
        row = judge("toy", claim(**asked), measure_of("toy", claim(**asked)), results)
        assert row["verdict"] == verdict


def test_formulas_and_what_they_lack():
    rows = made_up().table
    assert list(values(rows, "goodput_bps / data_packets", "w"))[:2] == [1e5, 1.2e5]
    assert list(values(rows, "1000 * `--lossRate`", "w"))[:1] == [1.0]
    for wrong in ("gooput_bps", "goodput_bps +", "3"):
        with pytest.raises(SpecError, match=r"^w: "):
            values(rows, wrong, "w")
    with pytest.raises(SpecError, match="there are goodput_bps$"):
        values(rows, "gooput_bps", "w")
    with pytest.raises(SpecError, match=r"^toy/figure.toml: claims.c.at: rtt: is no flag of the"):
        measured(at={"rtt": "1ms"})


def drawn(results, y="goodput_bps", abscissa="lossRate", **labels):
    labels = {"x_label": "", "y_label": "", **labels}
    figure = SimpleNamespace(id="toy", title="Title", y=y, abscissa=abscissa, **labels)
    picture, table = default_plot.of(figure).draw(results)
    return picture.axes[0], table


def test_the_default_plot():
    axes, table = drawn(made_up())
    assert list(table.columns) == ["transport", "lossRate", "mean", "low", "high", "runs"]
    assert list(table["mean"]) == [11e6, 2e6, 44e6, 30e6]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["TCP", "RBUDP"]
    assert (axes.get_xlabel(), axes.get_xscale()) == ("loss rate", "log")
    assert (axes.get_ylabel(), axes.get_title()) == ("goodput (Mb/s)", "Title")
    assert list(axes.lines[1].get_ydata()) == [44, 30]
    assert len(axes.collections) == 2, "a band each"


def test_lines_of_series_and_texts_on_the_abscissa():
    points = [("one", "tcp[A=1]", "0.1", [1.0]), ("two", "udp", "0.1", [50.0])]
    axes, table = drawn(made_up(points), "data_packets", "transport")
    assert list(table.columns) == ["series", "transport", "mean", "low", "high", "runs"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["TCP (A=1)", "UDP"]
    assert not any(line.get_linestyle() == "-" for line in axes.lines), "names are not joined"
    assert axes.get_ylabel() == "data (packets)"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["one", "two"]
    axes, table = drawn(made_up(points[:1]), "goodput_bps / 2", None)
    assert list(table.columns) == ["series", "mean", "low", "high", "runs"]
    assert axes.get_ylabel() == "goodput_bps / 2"
    assert axes.get_legend() is None


def test_transports_with_attributes_and_amounts_in_the_order_of_the_file():
    names = ("tcp[Congestion=ns3::TcpBbr]", "xcp", "tcp[Congestion=ns3::TcpVegas]")
    points = [
        ("all", name, loss, [2e6, 3e6]) for name in names for loss in ("0.5BDP", "2BDP", "10BDP")
    ]
    axes, table = drawn(made_up(points), x_label="buffer", y_label="rate")
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert texts == ["TCP BBR", "XCP", "TCP Vegas"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["0.5 BDP", "2 BDP", "10 BDP"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("buffer", "rate (Mb/s)")
    assert len({line.get_color() for line in axes.lines}) == 3


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lossRate", ("loss rate", "")),
        ("ns3::lfn::RbudpSender::PayloadSize", ("payload size", "")),
        ("mean_queue_s", ("mean queue", "s")),
        ("blasts", ("blasts", "")),
        ("retransmitted_packets", ("retransmitted", "packets")),
    ],
)
def test_words_of_a_name(name, words):
    assert default_plot.words(name) == words


@pytest.mark.parametrize(
    ("unit", "largest", "shown"),
    [
        ("bps", 2e9, (1e9, "Gb/s")),
        ("s", 0.05, (1e-3, "ms")),
        ("s", 0.0, (1e-6, "us")),
        ("bytes", 999.0, (1.0, "bytes")),
        ("", 3.0, (1.0, "")),
    ],
)
def test_units_of_an_axis(unit, largest, shown):
    assert default_plot.shown(unit, largest) == shown


def test_a_band_needs_one_edge():
    assert claim(low=1).high == math.inf
    assert claim(low=-math.inf, high=1).low == -math.inf
