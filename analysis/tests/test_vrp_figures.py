# SPDX-License-Identifier: GPL-2.0-only
"""What the VRP figures share: their helpers on small tables, and the paths of Table 1."""

import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.figures import vrp
from lfn.models import vrp as model
from lfn.spec import load_figure
from lfn.units import to_number

TABLE_1 = load_figure(ANALYSIS / "figures" / "vrp-table1")
TOLERANCE = load_figure(ANALYSIS / "figures" / "vrp-tolerance")


def _row(**changes):
    row = {
        "series": "a",
        "point": "p1",
        "run": 1,
        "protocol": "vrp",
        "completed": 1,
        "goodput_bps": 8e6,
        "frame_throughput_bps": 9e6,
        "--packetSize": 1024.0,
    }
    return {**row, **changes}


def test_rates_count_whole_frames_of_vrp_and_user_bytes_of_tcp():
    rows = vrp.with_rate(
        pd.DataFrame([_row(), _row(protocol="tcp", frame_throughput_bps=None), _row(completed=0)])
    )
    assert rows["rate"].tolist() == [9e6, 8e6, 0.0]


def test_means_over_a_flag():
    rows = [_row(), _row(run=2, frame_throughput_bps=11e6)]
    rows.append(_row(**{"point": "p2", "--packetSize": 512.0}))
    table = vrp.over(results_of(rows), "a", "packetSize")
    assert table["packetSize"].tolist() == [512.0, 1024.0]
    assert table["mean"].tolist() == [9e6, 10e6]
    assert table["runs"].tolist() == [1, 2]
    two = vrp.mean_rate(results_of(rows), "a", packetSize=1024)
    assert (two.value, len(two.runs)) == (10e6, 2)
    assert two.half == pytest.approx(12.71e6, rel=1e-3)
    each = vrp.each(results_of(rows), "a", "packetSize", "goodput_bps", random=False)
    assert list(each) == [512.0, 1024.0]
    assert (each[512.0].value, each[512.0].half) == (8e6, 0.0)


def test_losses_are_what_was_sent_again_but_for_what_came_twice():
    row = {"retransmitted_packets": 30, "duplicates": 10, "data_packets": 200}
    assert vrp.lost(pd.DataFrame([row])).tolist() == [10.0]


def test_sums_of_the_flows_of_a_run():
    common = {"--flows": 2.0, "retransmitted_packets": 5, "accepted_losses": 15}
    more = {"data_packets": 100, "rto_s": 0.2, "mean_rtt_s": 0.1}
    rows = [_row(**common, **more), _row(**common, **{**more, "rto_s": 0.4})]
    rows.append(_row(protocol="tcp", goodput_bps=1e6, **{"--flows": 2.0}))
    table = vrp.sums(results_of(rows), "a")
    assert len(table) == 1
    row = table.iloc[0]
    assert (row["flows"], row["point"], row["run"]) == (2, "p1", 1)
    assert row["goodput_bps"] == 16e6
    assert row["tcp_bps"] == 1e6
    assert row["data_packets"] == 200
    assert row["rto_s"] == pytest.approx(0.3)
    assert row["loss_percent"] == pytest.approx(20.0)


def test_latency_of_a_frame_from_its_messages(tmp_path):
    (tmp_path / "p1").mkdir()
    lines = [
        "run,time_s,flow,node,event,message,round,sequence,bytes",
        "1,0.0,0,sender,tx,ping,0,0,2054",
        "1,1.0,0,sender,tx,frame_create,1,0,14",
        "1,1.5,0,sender,tx,frame_create,1,0,14",
        "1,2.0,0,sender,tx,data,1,0,10",
        "1,2.25,0,receiver,rx,data,1,0,10",
        "1,2.75,0,sender,rx,ack,1,0,4",
    ]
    (tmp_path / "p1" / "messages.csv").write_text("\n".join(lines) + "\n")
    table = vrp.frame_latency(results_of([_row(**{"--bytes": 10.0})], tmp_path), "a")
    assert table.values.tolist() == [[10.0, 1.25]]


def _members(figure, series):
    return [dict(point.args) for name, point in figure.points("full") if name == series]


def test_paths_of_table_1_follow_the_printed_rates():
    published = pd.read_csv(TABLE_1.folder / "published.csv")
    paths = vrp.table1_paths(results_of([_row()], published=published))
    assert len(paths) == 11
    runs = {to_number(args["linkRate"]): args for args in _members(TABLE_1, "vrp")}
    losses = {to_number(args["linkRate"]): args for args in _members(TABLE_1, "tcp")}
    assert sorted(runs) == sorted(losses) == sorted(paths["link"])
    for _, path in paths.iterrows():
        args = runs[path["link"]]
        assert path["link"] == pytest.approx(path["vrp"] / 0.94, rel=0.01)
        needed = model.frames_to_fill(vrp.FRAME, path["link"], to_number(args["rtt"]))
        assert int(args["concurrentFrames"]) >= needed
        for flag in ("rtt", "lossRate"):
            assert args[flag] == losses[path["link"]][flag]


def test_table_1_and_the_tolerance_share_their_runs():
    for name, other in (("tcp", "tcp"), ("vrp", "accepting")):
        assert _members(TABLE_1, name) == _members(TOLERANCE, other)
    accepting, reliable = _members(TOLERANCE, "accepting"), _members(TOLERANCE, "reliable")
    assert [{**args, "maxLossRate": "0"} for args in accepting] == reliable


def test_failing_frames_of_a_thousand():
    row = _row(**{"--bytes": 2e6, "--frameSize": 1e3, "frames_failed": 3})
    table = vrp.failing(results_of([row]), "a")
    assert table["sent"].tolist() == [2000.0]
    assert table["failing"].tolist() == [1.5]
