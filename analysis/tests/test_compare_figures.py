# SPDX-License-Identifier: GPL-2.0-only
"""The comparison figures: laws, shared helpers and claims on small tables."""

import numpy as np
import pandas as pd
import pytest

from conftest import ANALYSIS
from lfn.average import Average, averages, extreme, measured
from lfn.figures import compare
from lfn.models import quanta, tcp
from lfn.results import MissingDataError, Results
from lfn.spec import load_figures, load_module
from lfn.style import STYLES

FIGURES = {k: f for k, f in load_figures(ANALYSIS / "figures").items() if k.startswith("compare-")}


def claims_of(name):
    return load_module(FIGURES[f"compare-{name}"].folder / "claims.py")


def results_of(rows):
    table = pd.DataFrame(rows)
    if "point" not in table:
        table["point"] = [str(i) for i in table.index]
    return Results("quick", table, None, {}, None)


def row_of(key, series="path", variant="", goodput=50e6, size=40e6, **more):
    return {
        "series": series,
        "--transport": compare.TRANSPORTS[key],
        "variant": variant,
        "run": 1,
        "completed": 1,
        "application_start_s": 0.0,
        "start_s": 0.0,
        "finish_s": 8 * size / goodput,
        "offered_bytes": size,
        "delivered_bytes": size,
        "goodput_bps": goodput,
        "--bytes": size,
        **more,
    }


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("preset", ["tiny", "quick", "full"])
def test_transports_are_known_and_have_a_look(name, preset):
    for _, point in FIGURES[name].points(preset):
        for text in dict(point.args)["transport"].split(","):
            assert compare.KEYS[text] in STYLES


def runs_at_full():
    """{(figure, series, flags that matter): runs}, those of several start times added up."""
    runs = {}
    for name, figure in FIGURES.items():
        for series, point in figure.points("full"):
            flags = dict(point.args)
            flags.pop("start", None)
            key = (name, series, *sorted(flags.items()))
            runs[key] = runs.get(key, 0) + point.runs
    return runs


def test_full_has_runs_for_what_is_random():
    bbr = ("transport", compare.TRANSPORTS["tcp-bbr"])
    reported = {compare.TRANSPORTS[key] for key in compare.CONFIGURED}
    for (name, series, *flags), runs in runs_at_full().items():
        wanted = 5 if float(dict(flags).get("lossRate", 0)) > 0 else 1
        if name == "compare-sharing" and dict(flags)["transport"].split(",")[0] not in reported:
            wanted = 5
        if name == "compare-fairness":
            wanted = 5
        if bbr in flags:
            wanted = 3
        assert runs >= wanted, (name, series, flags)


def test_figures_share_their_runs():
    points = {name: {p.key for _, p in f.points("quick")} for name, f in FIGURES.items()}
    assert points["compare-cost"] == points["compare-loss"]
    for name in ("rtt", "size", "residual"):
        assert points[f"compare-{name}"] & points["compare-loss"], name


def test_the_default_rate():
    assert compare.user_rate() == pytest.approx(85.6e6, rel=1e-3)
    assert compare.user_rate(10e6) == pytest.approx(8.56e6, rel=1e-3)
    assert FIGURES["compare-fairness"].series[1].args["sendRate"]["full"] == "8560000bps"


def test_laws():
    assert compare.rbudp_rate(40e6) == pytest.approx(83.4e6, rel=1e-3)
    assert compare.rbudp_whole(40e6) == pytest.approx(320e6 / (320 / 83.4 + 0.15), rel=1e-3)
    assert compare.rbudp_rate(40e6, loss=0.01) == pytest.approx(78.6e6, rel=1e-3)
    assert compare.rbudp_rate(40e6, loss=1e-9) == pytest.approx(compare.rbudp_rate(40e6), rel=1e-3)
    assert compare.udp_rate(40e6, 0.0) == pytest.approx(compare.user_rate())
    assert compare.udp_rate(40e6, 0.4, 0.1) == pytest.approx(
        0.9 * 320 / (320 / 85.6 + 0.2) * 1e6, 1e-3
    )
    assert compare.fec_rate(40e6) == pytest.approx(320e6 / (320 / 64.2 + 0.05), rel=1e-3)
    assert compare.fec_rate(1e12) == pytest.approx(64.2e6, rel=1e-3)
    assert compare.fec_rate(1e12, 0.1) == pytest.approx(64.2e6 * (1 - 0.0271), rel=1e-3)
    assert compare.vrp_bound() == pytest.approx(54.5e6, rel=1e-3)
    assert compare.vrp_bound(rtt=0.0) == compare.user_rate()


def test_blasts_that_overflow_a_queue():
    """By hand: 10 MB at twice what the link carries and a queue of 1 MB: 10, 4 and 1 MB."""
    carried = 1400 / (1400 + 4 + 8 + 20 + 2) * 100e6
    seconds, sent = compare.rbudp_overload(10e6, 2 * carried, 1e6)
    assert sent == pytest.approx(1.5)
    assert seconds == pytest.approx(80e6 / carried + 0.1 * (3 + 1.5))
    seconds, sent = compare.rbudp_overload(10e6, carried / 2, 1e6)
    assert (seconds, sent) == (pytest.approx(160e6 / carried + 0.25), 1.0)
    assert compare.rbudp_overload(5e6, carried, 1e6, flows=2)[1] == pytest.approx(1.5)


def test_the_clock_starts_with_the_application():
    """A connection of 0.5 s counts, whenever the first send call was."""
    late = {"application_start_s": 1.0, "start_s": 1.5, "finish_s": 3.0}
    results = results_of([row_of("rbudp", size=1e6, goodput=999.0, **late)])
    assert compare.duration(results, "path", "rbudp").value == 2.0
    assert compare.average(results, "path", "rbudp").value == pytest.approx(4e6)


def test_share_and_harm_by_hand():
    rows = []
    for key, own, other in (("tcp-reno", 4e6, 5e6), ("udp", 8e6, 1e6), ("xcp", 0.5e6, 8.5e6)):
        rows.append(row_of(key, "default", goodput=own))
        rows.append(row_of(key, "default", "cross", goodput=other))
    results = results_of(pairs(rows))
    assert compare.share(results, "default", "udp").value == pytest.approx(8 / 9)
    assert compare.harm(results, "default", "udp").value == pytest.approx(0.8)
    assert compare.harm(results, "default", "tcp-reno").value == pytest.approx(0.0)
    assert compare.harm(results, "default", "xcp").value == pytest.approx(-0.7)
    claims = claims_of("fairness")
    assert claims.xcp_gives_way(results).parts[""] == pytest.approx(100 / 18)
    with pytest.raises(MissingDataError):
        compare.alongside(results_of([row_of("udp", "default")]), "default", "udp")
    with pytest.raises(MissingDataError):
        claims.configured_the_link(results)


def test_each_start_is_a_sample():
    """Reno's share of 40, 50 and 60 % at three starts; udp takes as much at each."""
    rows = []
    for start, own in ((float("nan"), 4e6), (0.13, 5e6), (0.37, 6e6)):
        for key in ("tcp-reno", "udp"):
            more = {"--start": start, "point": f"{key} {start}"}
            rows.append(row_of(key, "default", goodput=own) | more)
            rows.append(row_of(key, "default", "cross", goodput=10e6 - own) | more)
    results = results_of(pairs(rows))
    share = compare.share(results, "default", "tcp-reno")
    assert share.value == pytest.approx(0.5)
    assert share.half == pytest.approx(4.303 * 0.1 / 3**0.5, rel=1e-3)
    assert len(share.runs) == 3
    harm = compare.harm(results, "default", "udp")  # compared start by start
    assert (harm.value, harm.half) == pytest.approx((0.0, 0.0))


def test_flows_of_one_transport_by_hand():
    rows = []
    for run, first in ((1, 2e6), (2, 4e6)):
        for flow, goodput in enumerate((first, 6e6, 8e6)):
            row = row_of("xcp", "lot", goodput=goodput, flow=flow, utilisation=0.9)
            rows.append({**row, "--transport": "xcp,xcp,xcp", "run": run, "point": "a"})
    rows.append(row_of("udp", "lot", flow=0, utilisation=1.0, point="b"))
    results = results_of(rows)
    flows = compare.flows_of(results, "lot", "xcp")
    assert flows["first"].tolist() == [2e6, 4e6]
    assert flows["others"].tolist() == [7e6, 7e6]
    share = compare.among(results, "lot", "xcp", "share")
    assert share.value == pytest.approx((2 / 9 + 4 / 11) / 2)
    assert share.half > 0
    assert share.runs == {("a", 1), ("a", 2)}
    assert compare.among(results, "lot", "xcp", "utilisation").value == pytest.approx(0.9)
    with pytest.raises(MissingDataError):
        compare.flows_of(results, "lot", "vrp")


def pairs(rows):
    """Give each flow and the cross flow that follows it a point of their own."""
    return [{**row, "point": f"{n // 2}"} for n, row in enumerate(rows)]


def test_claims_about_loss():
    rows = []
    for loss in (0.0, 0.001, 0.01):
        mathis = tcp.mathis(loss, 0.1, 1400) if loss else 80e6
        goodputs = {
            "rbudp": compare.rbudp_whole(40e6, loss=loss),
            "tcp-newreno": mathis,
            "parallel-tcp-8": 8 * mathis,
            "tcp-bbr": 80e6 * (1 - loss),
            "fec-udp": compare.fec_rate(40e6, loss),
            "udp": compare.udp_rate(40e6, loss=loss),
        }
        rows += [row_of(k, goodput=v, **{"--lossRate": loss}) for k, v in goodputs.items()]
    results = results_of(rows)
    claims = claims_of("loss")
    for claim in (
        claims.rbudp_follows_the_law,
        claims.newreno_follows_mathis,
        claims.udp_does_not_answer,
        claims.fec_costs_its_parity,
    ):
        parts = list(claim(results).parts.values())
        assert parts == pytest.approx([1.0] * len(parts))
    eight = claims.parallel_tcp_multiplies(results).parts
    assert eight == pytest.approx({"0.1 %": 8.0, "1 %": 8.0})
    assert claims.bbr_does_not_mind(results).parts == pytest.approx({"1 %": 0.99})
    assert claims.newreno_starves(results).parts[""] == pytest.approx(1.37, rel=1e-2)
    assert claims.rbudp_keeps_the_link(results).runs == 1


def test_claims_about_cost():
    rows = []
    for key, control, again in (("rbudp", 8e3, 288), ("vrp", 1.3e6, 288), ("jrm", 0, 289)):
        for loss in (0.0, 0.01):
            more = {"device_control_bytes": control, "retransmitted_packets": again if loss else 0}
            rows.append(row_of(key, **more, **{"--lossRate": loss}))
    results = results_of(rows)
    claims = claims_of("cost")
    assert claims.rbudp_costs_a_bitmap(results).parts["1 %"] == pytest.approx(0.2)
    assert claims.vrp_answers_every_packet(results).parts[""] == pytest.approx(32.5)
    parts = claims.nothing_twice(results).parts
    assert parts == pytest.approx({"rbudp": 1.0, "jrm": 1.0, "vrp": 1.0}, rel=0.01)


def test_claims_about_what_stays_lost():
    rows = []
    for loss in (0.01, 0.1):
        left = {"udp": loss, "fec-udp": quanta.residual_loss(loss, 3), "vrp-lossy": min(loss, 0.05)}
        for key, share in left.items():
            row = row_of(key, data_packets=1000, retransmitted_packets=0, **{"--lossRate": loss})
            rows.append({**row, "delivered_bytes": 40e6 * (1 - share)})
    results = results_of(rows)
    claims = claims_of("residual")
    assert claims.udp_keeps_every_gap(results).parts == pytest.approx({"1 %": 1.0, "10 %": 1.0})
    assert max(map(abs, claims.fec_follows_the_law(results).parts.values())) < 1e-6
    assert claims.fec_takes_nine_tenths(results).parts[""] == pytest.approx(97.03, rel=1e-3)
    assert claims.vrp_keeps_its_limit(results).parts == pytest.approx({"1 %": 1.0, "10 %": 5.0})
    assert claims.vrp_sends_little_again(results).parts[""] == 0.0


def test_a_transfer_that_did_not_complete_takes_forever():
    rows = [row_of("rbudp", completed=0)]
    assert compare.duration(results_of(rows), "path", "rbudp").value == np.inf


def test_curves_leave_out_what_a_preset_has_not():
    rows = [row_of("udp", "a"), row_of("rbudp", "b")]
    table = compare.curves(results_of(rows), [("a", 1), ("b", 2), ("c", 3)], "x", compare.goodput)
    assert list(table["transport"]) == ["udp", "rbudp"]
    assert list(table["x"]) == [1, 2]
    shown = compare.with_zero(pd.Series([0.0, 0.01]))
    assert list(shown) == [compare.NO_LOSS, 0.01]


def test_averages_know_their_interval_and_their_runs():
    rows = pd.DataFrame({"point": ["a", "a", "b"], "run": [1, 2, 1]})
    two = Average.of(rows[:2], [3.0, 5.0])
    assert (two.value, two.half) == (4.0, pytest.approx(12.706205))
    one = Average.of(rows[2:], [2.0])
    assert np.isnan(one.half)
    exact = Average.of(rows[2:], [2.0], random=False)
    assert exact.half == 0.0
    quotient = two / exact
    assert (quotient.value, quotient.half) == (2.0, pytest.approx(12.706205 / 2))
    assert len(quotient.runs) == 3
    assert (exact / two).half == pytest.approx(0.5 * 12.706205 / 4)
    assert ((1.0 - 2 * two) / -7).value == pytest.approx(1.0)
    assert (two / 4).half == pytest.approx(12.706205 / 4)
    assert np.isnan((two / Average(0.0)).value)
    three = sum([two, exact, 1.0])
    assert (three.value, three.half, len(three.runs)) == (7.0, pytest.approx(12.706205), 3)
    assert (two - 2 * two).half == pytest.approx(12.706205), "less twice itself is less itself"
    assert (1.0 - two).value == -3.0
    name, most = extreme(max, {"two": two, "exact": exact})
    assert (name, most.value, len(most.runs)) == ("two", 4.0, 3)
    assert extreme(min, {"two": two, "exact": exact})[0] == "exact"
    groups = averages(rows.assign(x=[3.0, 5.0, 2.0]), "point", "x", random=False)
    assert groups == {"a": two, "b": exact}
    found = measured({"random": two, "one": one, "exact": exact})
    assert (found.runs, set(found.errors)) == (3, {"random", "one"})
    assert measured(exact).errors == {}
    assert measured(Average.of(rows[:2], [3.0, 3.0])).errors == {"": 0.0}, "all runs agree"


@pytest.mark.parametrize(("key", "loss"), [("udp", 0.0), ("udp", 0.01), ("tcp-bbr", 0.0)])
def test_one_run_is_all_where_nothing_is_random(key, loss):
    results = results_of([row_of(key, **{"--lossRate": loss})])
    random = loss > 0 or key == "tcp-bbr"
    assert np.isnan(compare.average(results, "path", key).half) == random
