# SPDX-License-Identifier: GPL-2.0-only
"""What the JRM figures share: their helpers on small tables, and the set-ups that laws need."""

import math

import pytest

from conftest import ANALYSIS, results_of
from lfn.figures import jrm
from lfn.models import jrm as model
from lfn.results import MissingDataError
from lfn.spec import load_figure, load_module
from lfn.units import to_number

FIGURES = ANALYSIS / "figures"


def _row(loss=0.3, run=1, **changes):
    row = {
        "series": "a",
        "point": f"p{loss}",
        "run": run,
        "messages_sent": 1000,
        "msg_packets": 1000,
        "nack_requests": 600,
        "nack_responses": 400,
        "transmissions_per_message": 2.0,
        "window_messages_complete": 1710.0,
        "window_s": 60.0,
        "--errorRate": loss,
    }
    return {**row, **changes}


def test_transmissions_a_second():
    rows = [_row(), _row(run=2, transmissions_per_message=2.2), _row(0.0)]
    table = jrm.transmissions(results_of(rows), "a")
    assert table["loss"].tolist() == [0.0, 0.3]
    assert table["mean"].tolist() == pytest.approx([60.0, 63.0])
    assert table["runs"].tolist() == [1, 2]
    assert jrm.losses(results_of(rows), "a") == [0.0, 0.3]


def test_misfit_is_in_standard_errors_of_all_runs_together():
    rows = [_row(), _row(run=2)]
    found = jrm.misfit(results_of(rows), "a", 1)
    off = 30 * 2.0 - jrm.law(0.3, 1)
    assert found.parts == {"30 %": pytest.approx(off / model.error_of_rate(0.3, 1, 2000))}
    assert found.runs == 2
    quiet = {"nack_requests": 0, "nack_responses": 0}
    assert jrm.misfit(results_of([_row(0.0, **quiet)]), "a", 1).parts == {"0 %": 0.0}
    assert jrm.misfit(results_of([_row(0.0)]), "a", 1).parts == {"0 %": math.inf}


def test_law_has_the_cap_of_the_simulations():
    assert jrm.law(0.3, 1) == pytest.approx(30 * model.expected_transmissions(0.3, 1), rel=1e-3)
    assert jrm.law(0.3, 1) < 30 * model.expected_transmissions(0.3, 1)


def test_measured_over_the_papers():
    found = jrm.over_paper(results_of([_row()]), "a", 1, [0.3])["30 %"]
    assert found.value == pytest.approx(60.0 / jrm.paper(0.3, 1))
    assert math.isnan(found.half), "one run has no interval"
    rows = [_row(), _row(run=2, transmissions_per_message=2.2)]
    found = jrm.over_paper(results_of(rows), "a", 1, [0.3], overhead=True)["30 %"]
    assert found.value == pytest.approx(33.0 / (jrm.paper(0.3, 1) - 30.0))
    assert found.half == pytest.approx(12.706205 * 3.0 / (jrm.paper(0.3, 1) - 30.0), rel=1e-3)
    with pytest.raises(MissingDataError):
        jrm.over_paper(results_of([_row()]), "a", 1, [0.2])


def test_the_network_is_as_busy_without_errors():
    datagrams, bits = jrm.wire_load(0.0, 10)
    assert (datagrams, bits) == (300.0, pytest.approx(300 * 1074 * 8))
    more, bits_more = jrm.wire_load(0.3, 10)
    assert more == pytest.approx(300 + 30 * 1.9343, abs=0.01)
    assert bits_more / bits == pytest.approx(1.0101, abs=1e-4)


def test_share_of_what_was_offered():
    table = jrm.share_complete(results_of([_row()]), "a")
    assert table["mean"].tolist() == pytest.approx([0.95])
    share = jrm.each_share(results_of([_row()]), "a")[0.3]
    assert (share.value, share.runs) == (pytest.approx(0.95), {("p0.3", 1)})


def test_columns_over_the_messages_of_all_senders():
    rows = [
        _row(**{"point": "p1", "--receivers": 2.0, "nack_requests": 100}),
        _row(**{"point": "p2", "--receivers": 8.0, "nack_requests": 300}),
        _row(**{"point": "p2", "--receivers": 8.0, "nack_requests": 500}),
    ]
    table = jrm.over_receivers(results_of(rows), "a", "nack_requests")
    assert table["receivers"].tolist() == [2, 8]
    assert table["mean"].tolist() == pytest.approx([0.1, 0.4])
    assert table["runs"].tolist() == [1, 1]
    runs = jrm.a_message(results_of(rows), "a", "nack_requests")
    assert jrm.exponent(runs).value == pytest.approx(1.0)
    assert len(jrm.exponent(runs).runs) == 2
    with pytest.raises(MissingDataError):
        jrm.exponent(runs, least=5)


def test_data_sends_when_all_send():
    row = _row(**{"--receivers": 0.0, "--senders": 2.0})
    sends, others = jrm.many_data_sends(results_of([row, row]), "a")
    assert (sends.value, len(sends.runs), others) == (1.4, 1, 1)
    assert math.isnan(sends.half), "one run has no interval"


def _args(figure, series):
    points = load_figure(FIGURES / figure).points("full")
    return [dict(point.args) for name, point in points if name == series]


def test_whole_messages_are_those_complete_of_those_sent():
    rows = [_row(messages_complete=900), _row(run=2, messages_complete=940)]
    found = jrm.each_whole(results_of(rows), "a")
    assert found[0.3].value == pytest.approx(0.92)


@pytest.mark.parametrize(("figure", "messages"), [("jrm-fig1", 100_000), ("jrm-fig2", 100_000)])
def test_the_full_campaign_tells_the_laws_apart(figure, messages):
    points = load_figure(FIGURES / figure).points("full")
    for name, point in points:
        if name in ("lost", "safe"):
            assert int(dict(point.args)["messages"]) * point.runs == messages


def _host_that_misses(above, spread):
    """Results of a host that misses: (7) until 20 %, ``above`` times it beyond, two runs each."""
    rows = []
    for loss in (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3):
        ratio = above if loss > 0.2 else 1.0
        for run, sign in ((1, -1.0), (2, 1.0)):
            sends = (
                (ratio + (sign * spread if loss > 0.2 else 0.0)) * jrm.paper(loss, 10) / jrm.RATE
            )
            row = {"series": "missing", "point": f"p{loss}", "run": run, "messages_sent": 100}
            row |= {"messages_complete": 95 if loss > 0.2 else 100, "--receiverErrorRate": loss}
            rows.append({**row, "transmissions_per_message": sends})
    return results_of(rows)


@pytest.mark.parametrize(
    ("above", "spread", "count", "half"),
    [(1.05, 0.001, 5, 0), (1.05, 0.006, 5, 1), (0.995, 0.01, 4, 1), (0.95, 0.001, 4, 0)],
)
def test_statements_are_counted_with_their_intervals(above, spread, count, half):
    """Two runs at a distance of 2 d have an interval of 12.7 d."""
    claims = load_module(FIGURES / "jrm-fig2" / "claims.py")
    found = claims.missing_host(_host_that_misses(above, spread))
    assert found.parts == {"": count}
    assert found.errors == {"": half}
    assert found.runs == 14
    assert found.note == ("missing: all" if count == 5 else "missing: not above")


def test_buckets_and_links_are_as_the_readmes_say():
    offered = 30 * 10 * (1024 + 20) * 8
    for figure, series in (("jrm-fig2", "paced"), ("jrm-fig2", "paced-adaptive")):
        assert {to_number(args["bucketRate"]) for args in _args(figure, series)} == {offered}
    for series in ("free", "counted"):
        assert {to_number(args["bucketRate"]) for args in _args("jrm-bucket", series)} == {offered}
    exact = 30 * model.expected_packets(0.3, 10) * jrm.PACKET_BYTES * 8
    for args in _args("jrm-bucket", "slow"):
        assert to_number(args["linkRate"]) == pytest.approx(1.1 * exact, rel=0.01)
    for args in _args("jrm-fig2", "slow"):
        datagrams = to_number(args["linkRate"]) / (8 * jrm.PACKET_BYTES)
        assert datagrams == pytest.approx(477, abs=1)
        assert datagrams > 30 * model.expected_packets(0.3, 10)
    for args in _args("jrm-fig2", "missing"):
        assert to_number(args["linkRate"]) / (8 * jrm.PACKET_BYTES) == pytest.approx(448, abs=1)


def test_messages_are_far_apart_where_the_law_needs_it():
    for series in ("literal", "aggregated", "suppressed", "many"):
        for args in _args("jrm-scaling", series):
            rounds = 1.0 / float(args["messageRate"]) / to_number(args.get("nackTimeout", "50ms"))
            assert rounds >= 10
            assert float(args["nackBackoff"]) == 1
