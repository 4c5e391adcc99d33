# SPDX-License-Identifier: GPL-2.0-only
"""lfn.load() and lfn.figure(): tidy tables and figures by a call."""

import json

import pytest

import lfn
import toy
from lfn.drawing import CampaignError
from lfn.frames import flag_column
from lfn.points import Point
from lfn.results import _flags
from lfn.runner import run_point
from lfn.units import settings
from test_campaign import Campaign
from test_targets import aim


def write_run(folder, run=1, **flags):
    """Write the files of one run of a program."""
    folder.mkdir(parents=True)
    (folder / "summary.csv").write_text(f"flow,goodput_bps\n0,{run}e6\n1,2e6\n")
    (folder / "series.csv").write_text(
        "time_s,flow,metric,value\n0.5,0,goodput_bps,1\n0.5,0,cwnd_bytes,2\n1,0,cwnd_bytes,3\n"
    )
    about = {"program": "toy", "rng_run": run, "events": 7, "wall_s": 0.5, "flags": flags}
    (folder / "run.json").write_text(json.dumps(about))


@pytest.mark.parametrize(
    ("name", "text", "column", "value"),
    [
        ("rtt", "100ms", "rtt_s", 0.1),
        ("sendRate", "600Mbps", "sendRate_bps", 6e8),
        ("bytes", "20MB", "bytes", 2e7),
        ("packetSize", "1450B", "packetSize_bytes", 1450.0),
        ("queue", "100p", "queue_packets", 100.0),
        ("duration", "0s", "duration_s", 0.0),
        ("lossRate", "0.01", "lossRate", 0.01),
        ("receiver", "naive", "receiver", "naive"),
        ("checkContent", "true", "checkContent", True),
        ("force", "false", "force", False),
        ("rtts", "20ms,100ms", "rtts", "20ms,100ms"),
        ("rtts", "20ms", "rtts_s", 0.02),
        ("sends", "5p", "sends_packets", 5.0),
        ("waitSeconds", "2h", "waitSeconds", 7200.0),
    ],
)
def test_a_flag_has_its_unit_in_its_name(name, text, column, value):
    assert flag_column(name, text) == (column, value)


def test_numbers_are_those_that_the_program_has_read():
    assert flag_column("rate", "600Mbps", 6e8 + 1) == ("rate_bps", 6e8 + 1)
    assert flag_column("force", "true", True) == ("force", True)


def test_settings_of_a_topology_are_columns(tmp_path):
    for run, rate in enumerate(("9Mbps", "90Mbps"), 1):
        text = f"ns3::lfn::DumbbellTopology[LinkRate={rate}|Pairs=2]"
        write_run(tmp_path / rate, run, topology=text, queue="5p")
    runs = lfn.load(tmp_path)
    assert set(runs.runs["topology.Pairs"]) == {2.0}
    assert set(runs.summary["topology.LinkRate_bps"]) == {9e6, 9e7}
    assert "topology.Pairs" not in runs.summary  # the same in all
    one = Point.make("toy", {"topology": text, "ipv6": True}, 1)
    columns = _flags({"args": dict(one.args)})
    assert columns["--topology.LinkRate"] == 9e7
    assert columns["--topology"] == text
    for other in ("X", "X[]", "a,b", "X[A=Y[B=1]]"):
        assert settings("topology", other) == {}


def test_one_run(tmp_path):
    write_run(tmp_path / "one", rtt="10ms", outputDir="somewhere")
    runs = lfn.load(tmp_path / "one")
    assert list(runs.summary.columns) == ["folder", "run", "flow", "goodput_bps"]
    assert list(runs.summary["folder"]) == ["one", "one"]
    assert runs.runs.loc[0, "rtt_s"] == 0.01
    assert runs.runs.loc[0, "events"] == 7
    assert runs.messages.empty
    wide = runs.wide()
    assert list(wide.columns) == ["folder", "run", "flow", "time_s", "cwnd_bytes", "goodput_bps"]
    assert list(wide["cwnd_bytes"]) == [2, 3]


def test_a_sweep_names_the_flags_that_differ(tmp_path):
    for number, rtt in enumerate(("10ms", "20ms"), start=1):
        write_run(tmp_path / f"rtt-{rtt}", run=number, rtt=rtt, queue="9p", outputDir=rtt)
    write_run(tmp_path / ".killed.tmp", rtt="1s")
    runs = lfn.load(tmp_path)
    assert list(runs.summary.columns) == ["folder", "run", "flow", "goodput_bps", "rtt_s"]
    assert list(runs.summary["rtt_s"]) == [0.01, 0.01, 0.02, 0.02]
    assert list(runs.summary["run"]) == [1, 1, 2, 2]
    assert len(runs.runs) == 2
    assert set(runs.series["folder"]) == {"rtt-10ms", "rtt-20ms"}


def test_a_point_of_a_campaign(tmp_path):
    program = toy.write_program(tmp_path)
    point = Point.make("toy-transfer", {"size": 3}, 2)
    run_point(program, point, tmp_path / "results" / "a")
    runs = lfn.load(tmp_path / "results")
    assert list(runs.summary["run"]) == [1, 2]
    assert list(runs.summary["folder"]) == ["a", "a"]
    assert list(runs.runs["size"]) == [3.0, 3.0]
    assert list(runs.runs["RngRun"]) == [1.0, 2.0]


def test_what_is_no_result_is_one_line(tmp_path):
    with pytest.raises(ValueError, match="no such folder"):
        lfn.load(tmp_path / "nothing")
    (tmp_path / "summary.csv").write_text("flow\n0\n")
    with pytest.raises(ValueError, match="holds no results"):
        lfn.load(tmp_path)


def test_a_figure_by_a_call(tmp_path):
    build, figures = tmp_path / "build", tmp_path / "figures"
    toy.write_program(build)
    toy.write_figure(figures)
    with pytest.raises(CampaignError, match="toy: 3 of 3 points"):
        lfn.figure("toy", build=build, figures=figures, run=False)
    drawn = lfn.figure("toy", build=build, figures=figures, jobs=2)
    assert len(toy.journal(build)) == 6
    assert list(drawn.verdicts["verdict"]) == ["reproduced"]
    assert list(drawn.tables["toy"]["mean"]) == [1, 2, 3]
    assert "data:image/png;base64," in drawn._repr_html_()
    written = (build / "figures" / "toy" / "toy.csv").read_text()
    assert drawn.tables["toy"].to_csv(index=False, float_format="%.10g") == written
    lfn.figure("toy", build=build, figures=figures, run=False)
    assert toy.journal(build) == []


def test_a_figure_by_a_call_gets_the_runs_that_its_intervals_need(tmp_path):
    campaign = Campaign(tmp_path)
    place = {"build": campaign.build, "figures": campaign.figures}
    few = lfn.figure("toy", jobs=2, **place)
    assert few.verdicts["runs"][0] == 6
    aim(campaign, 0.03)
    toy.journal(campaign.build)
    with pytest.raises(CampaignError, match="toy: 3 of 3 points .* have no current results"):
        lfn.figure("toy", run=False, **place)
    assert toy.journal(campaign.build) == []
    drawn = lfn.figure("toy", jobs=2, **place)
    assert "half width" not in drawn.verdicts["reason"][0]
    assert drawn.verdicts["runs"][0] > 6
    again = lfn.figure("toy", run=False, **place)
    assert list(again.verdicts["runs"]) == list(drawn.verdicts["runs"])


def test_mistakes_of_a_call(tmp_path):
    with pytest.raises(ValueError, match="no such figure; there are atou-"):
        lfn.figure("nothing")
    with pytest.raises(ValueError, match="take one of tiny, quick, full"):
        lfn.figure("rbudp-fig7", preset="huge")
    with pytest.raises(AttributeError, match="no attribute 'draw'"):
        _ = lfn.draw
    assert {"load", "figure"} <= set(dir(lfn))
