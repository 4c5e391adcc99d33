# SPDX-License-Identifier: GPL-2.0-only
"""What the atou figures share: reading the original's files, rates, sample configurations."""

from dataclasses import replace

import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.figures import atou
from lfn.results import MissingDataError
from lfn.spec import load_figure, load_figures, load_module

FIGURES = load_figures(ANALYSIS / "figures")
CONFIGS = sorted((ANALYSIS / "figures").glob("atou-*/*.config"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_sample_configurations_are_what_the_figures_run(path):
    wanted = atou.options(path.read_text(encoding="utf-8"))
    points = FIGURES[path.parent.name].points("full")
    runs = [
        atou.options(dict(p.args).get("options", "")) for name, p in points if name == path.stem
    ]
    assert wanted in runs


def test_options_of_a_text_and_of_a_file():
    text = "rcvrwin 300; droplist 5 6"
    assert atou.options(text) == {"rcvrwin": "300", "droplist": "5 6"}
    assert atou.options(
        "# all; server: -s\nrcvrwin 300 # segments\n\ndroplist 5 6\n"
    ) == atou.options(text)
    assert atou.options("floyd;  droplist  5   6 ;") == {"floyd": "", "droplist": "5 6"}
    rows = pd.DataFrame({"--options": [text, "rcvrwin 20"]})
    assert atou.option(rows, "rcvrwin").tolist() == [300.0, 20.0]


def test_events_of_the_page_and_ours_read_alike():
    page = "3duprxmit pkt 416 nxt 616 max 616 cwnd 200 thresh 200 recover 0"
    ours = "3duprxmit 0.66 pkt 416 nxt 616 max 616 cwnd 200 thresh 200 recover 0"
    first, second = atou.events(f"{page}\n{ours}\nfloyd cwnd 3 current 4 incr 1 mult 0.5\n")
    assert second == {"time": 0.66, **first}
    assert first["pkt"] == 416
    assert first["recover"] == 0
    fields = ("pkt", "nxt", "cwnd")
    assert atou.differences(first, second, fields) == 0
    assert atou.differences({**first, "nxt": 618}, second, fields) == 1
    assert atou.differences(None, second, fields) == 3
    timer = atou.events("timerxmit pkt 417 snd_nxt 616 snd_max 617 snd_cwnd 100 thresh 100")[0]
    assert timer == {
        "kind": "timerxmit",
        **{"pkt": 417.0, "nxt": 616.0, "max": 617.0, "cwnd": 100.0, "thresh": 100.0},
    }


def test_the_trace_of_the_page():
    sent, acks = atou.trace(
        "0.408133 258 xmt\n0.408196 234 0.038062  26 26 ack\n0.408259 259 xmt\n"
        "0.5 8 0.1  2 9 ack blkcnt:1 9-10\n"
    )
    assert sent["segment"].tolist() == [258, 259]
    assert acks["segment"].tolist() == [234, 8]
    assert acks.iloc[0].tolist() == [0.408196, 234.0, 0.038062, 26.0, 26.0]


def _results(tmp_path, series):
    (tmp_path / "p1").mkdir()
    lines = ["run,time_s,flow,metric,value", *series]
    (tmp_path / "p1" / "series.csv").write_text("\n".join(lines) + "\n")
    rows = [{"series": "a", "point": "p1", "run": run, "full_window_s": 0.5} for run in (1, 2)]
    return results_of(rows, tmp_path)


def test_averages_are_over_all_time_since_the_start(tmp_path):
    series = [f"1,{t},0,send_rate_bps,{v}" for t, v in ((0.1, 10e6), (0.2, 20e6), (0.4, 30e6))]
    series += ["1,0.1,1,send_rate_bps,5", "1,0.1,0,cwnd_bytes,5", "2,0.1,0,send_rate_bps,7"]
    results = _results(tmp_path, series)
    table = atou.rates(results, "a")
    assert table["rate"].tolist() == [10e6, 20e6, 30e6]
    assert table["average"].tolist() == pytest.approx([10e6, 15e6, 22.5e6])
    assert atou.average_at(results, "a", 0.2) == pytest.approx(15e6)
    assert atou.rates(results, "a", run=2)["average"].tolist() == [7.0]
    with pytest.raises(MissingDataError, match="no 9.9 s of series a"):
        atou.average_at(results, "a", 9.9)
    assert atou.slope(table, 0.1, 0.2) == pytest.approx(100e6)
    with pytest.raises(MissingDataError):
        atou.slope(table, 5, 6)
    both = atou.column(results, "a", "full_window_s")
    assert (both.value, both.half, len(both.runs)) == (0.5, 0.0, 2)
    results.table.loc[0, "full_window_s"] = None
    with pytest.raises(MissingDataError, match="no full_window_s"):
        atou.column(results, "a", "full_window_s")


def test_texts_of_a_point(tmp_path):
    two = _results(tmp_path, [])
    (tmp_path / "p1" / "client.events").write_text("CAexit 0.74 5202\n")
    with pytest.raises(ValueError, match="several runs"):
        two.text("a", "client.events")
    results = replace(two, table=two.table[two.table["run"] == 1])
    assert results.text("a", "client.events") == "CAexit 0.74 5202\n"
    with pytest.raises(MissingDataError, match="wrote no client.trace"):
        results.text("a", "client.trace")


RECOVERY = load_figure(ANALYSIS / "figures" / "atou-recovery")


def test_the_excerpts_of_the_page_as_events():
    published = pd.read_csv(RECOVERY.folder / "published.csv")
    results = results_of([], published=published)
    page = load_module(RECOVERY.folder / "claims.py").page
    log = page(results, "log")
    assert [event["kind"] for event in log] == [
        *("3duprxmit", "timerxmit", "3duprxmit", "packrxmit", "packrxmit")
    ]
    assert [event["pkt"] for event in log] == [416, 417, 2744, 2747, 2750]
    line = "packrxmit pkt 2234 nxt 2358 max 2358 cwnd 128 thresh 73 recover 2335 una 2230"
    assert page(results, "newreno")[4] == atou.events(line)[0]
    assert page(results, "sack")[0]["time"] == 5.85


def test_a_slope_begins_after_the_last_fall_of_its_own_run(tmp_path):
    lines = []
    for run, fall in ((1, 2), (2, 3)):
        for second in range(1, 9):
            rate = 1e6 * run * second if second > fall else 50e6
            lines.append(f"{run},{second},0,cwnd_bytes,{second + (9 if second < fall else 0)}")
            lines.append(f"{run},{second},0,send_rate_bps,{rate}")
    results = _results(tmp_path, lines)
    results.table["series"] = "delayed"
    slope = load_module(FIGURES["atou-fig4"].folder / "claims.py").delayed_slope(results)
    assert slope.parts[""] == pytest.approx(1.5)
    assert slope.runs == 2


def test_the_largest_burst_between_two_acks():
    burst = load_module(FIGURES["atou-fig4"].folder / "claims.py").largest_burst
    text = "0.0 1 xmt\n0.0 2 xmt\n0.0 3 xmt\n0.5 2 0.5  2 9 ack\n0.5 4 xmt\n0.5 5 xmt\n"
    assert burst(text, -1.0) == 3
    assert burst(text, 0.2) == 2
