# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of atou on difficult paths share, and their sample configuration files."""

import math
import os
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.figures import atou_paths as paths
from lfn.figures.atou import options
from lfn.results import MissingDataError
from lfn.spec import PRESETS, load_figure, load_module

IDS = ("fig5", "scalable", "vegas-sawtooth", "vegas-floyd", "vegas-queue")
IDS += ("reordering", "ack-limited", "policer")
FOLDERS = [ANALYSIS / "figures" / f"atou-{name}" for name in IDS]
CONFIGS = [path for folder in FOLDERS for path in sorted(folder.glob("*.config"))]
BUILD = Path(os.environ.get("LFN_BUILD", ANALYSIS.parent / "build"))


def _row(**changes):
    row = {
        "series": "a",
        "point": "p1",
        "run": 1,
        "flow": 0,
        "protocol": "atou",
        "delivered_bytes": 1_250_000,
        "--duration": 10.0,
        "--options": "rcvrwin 20; dup_thresh 3",
    }
    return {**row, **changes}


def _samples(values):
    return pd.DataFrame({"time_s": [0.1 * (i + 1) for i in range(len(values))], "value": values})


def _write_series(folder, values, metric="cwnd_bytes", flow=0):
    folder.mkdir(exist_ok=True)
    path = folder / "series.csv"
    lines = [] if path.exists() else ["run,time_s,flow,metric,value"]
    lines += [f"1,{0.1 * (i + 1):g},{flow},{metric},{v}" for i, v in enumerate(values)]
    with path.open("a") as stream:
        stream.write("\n".join(lines) + "\n")


def test_rates_of_all_flows_together():
    rows = [_row(), _row(flow=1), _row(run=2, delivered_bytes=0), _row(run=2, flow=1)]
    mean, half, runs = paths.rate(results_of(rows), "a")
    assert (mean, runs) == (1.5e6, 2)
    assert half > 0


@pytest.mark.parametrize(("losses", "share"), [(4, 0.5), (0, None)])
def test_a_loss_that_is_not_there_cannot_be_avoided(losses, share):
    """Neither reproduced nor not where the standard transfer loses nothing."""
    module = load_module(ANALYSIS / "figures" / "atou-vegas-floyd" / "claims.py")
    rows = [
        _row(series=series, point=series, retransmitted_packets=lost) | {"--queue": 500.0}
        for series, lost in (("drops", losses), ("low-ssthresh", 2))
    ]
    if share is None:
        with pytest.raises(MissingDataError, match="loses nothing"):
            module.low_ssthresh(results_of(rows))
    else:
        assert module.low_ssthresh(results_of(rows)).parts == {"": share}


def test_a_window_before_gamma_is_exceeded_needs_that_it_is(tmp_path):
    module = load_module(ANALYSIS / "figures" / "atou-vegas-floyd" / "claims.py")
    names = {"standard-vegas": [0, 2], "floyd-exit": [0, 1]}
    rows = [_row(series=name, point=name) for name in names]
    for name, delta in names.items():
        _write_series(tmp_path / name, delta, "vegas_delta_segments")
        _write_series(tmp_path / name, [1472, 2944])
    found = module.gamma_window(results_of(rows, folder=tmp_path)).parts
    assert found["standard-vegas"] == 1.0
    assert math.isnan(found["floyd-exit"])


def test_means_over_an_option():
    rows = [
        _row(),
        _row(run=2, delivered_bytes=0),
        _row(point="p2", **{"--options": "dup_thresh 9"}),
    ]
    table = paths.over_option(results_of(rows), "a", "dup_thresh")
    assert table["x"].tolist() == [3, 9]
    assert table["mean"].tolist() == [0.5e6, 1e6]


def test_traces_of_a_point(tmp_path):
    _write_series(tmp_path / "p1", [1472, 2944])
    _write_series(tmp_path / "p1", [10, 20], "goodput_bps")
    _write_series(tmp_path / "p1", [1, 2], "goodput_bps", flow=1)
    results = results_of([_row(), _row(flow=1)], tmp_path)
    assert paths.windows(results, "a")["value"].tolist() == [1, 2]
    assert paths.total(results, "a", "goodput_bps")["value"].tolist() == [11, 22]
    assert paths.steady_rate(results, "a").value == 20
    with pytest.raises(MissingDataError):
        paths.trace(results_of([_row(), _row(point="p2")], tmp_path), "a", "cwnd_bytes")


def test_averages():
    samples = _samples([1, 3, 8])
    assert paths.average_until(samples, 0.2) == 2
    assert paths.running_average(samples).tolist() == [1, 2, 4]


def test_recovery_ends_where_the_window_is_back():
    assert paths.recovery_time(_samples([10, 10, 5, 7, 9, 10, 10])) == pytest.approx(0.3)
    assert paths.recovery_time(_samples([10, 10, 5, 7])) == math.inf
    assert math.isnan(paths.recovery_time(_samples([1, 2, 4])))


def test_mean_over_whole_cycles():
    saw = [9, 4, 6, 8, 4, 6, 8, 4, 6]
    assert paths.mean_of_cycles(_samples(saw), cycles=2) == 6
    assert math.isnan(paths.mean_of_cycles(_samples(saw), cycles=3))
    assert paths.drop_period("sack 1; droplist 100 200 300") == 100


def test_what_a_loss_costs(tmp_path):
    _write_series(tmp_path / "p1", [8, 8, 4, 6], "goodput_bps")
    assert paths.lost_share(results_of([_row()], tmp_path), "a", begin=0.2) == pytest.approx(3 / 8)


def test_share_of_the_link():
    changes = {"--queue": 4.0, "--linkRate": 2e6, "--options": "mss 972", "delivered_bytes": 2.4e6}
    share = paths.link_share(results_of([_row(**changes)]), "a", 4)
    assert share.value == pytest.approx(1.92e6 * 1002 / 960 / 2e6)
    assert share.half == 0


@pytest.mark.parametrize(
    ("flags", "random"),
    [
        ({}, False),
        ({"--ackDelay": 0.2}, True),
        ({"--ackDelay": 0.2, "--ackDelayRule": "ns-sink"}, False),
        ({"--ackDelay": 0.2, "--protocol": "tcp"}, False),
    ],
)
def test_a_heartbeat_begins_at_random(flags, random):
    row = _row(**{"--queue": 4.0, "--linkRate": 2e6, "--options": "mss 972", **flags})
    one = paths.link_share(results_of([row]), "a", 4)
    assert math.isnan(one.half) == random
    two = paths.link_share(results_of([row, {**row, "run": 2, "delivered_bytes": 0}]), "a", 4)
    assert two.value == pytest.approx(one.value / 2)
    assert two.half > 0


def test_ceilings_by_the_acks_and_by_the_link():
    assert paths.ack_ceiling("padded", 128e3, 1e9) == pytest.approx(128e3 / 70 * 1460)
    assert paths.ack_ceiling("delayed", 1e9, 6.5e6) == pytest.approx(6.5e6 * 1460 / 1502)


def _name(path):
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_figure_has_sample_files(folder):
    assert list(folder.glob("*.config"))


@pytest.mark.parametrize("path", CONFIGS, ids=_name)
def test_a_sample_file_says_what_a_point_does(path):
    figure = load_figure(path.parent)
    texts = [
        dict(point.args)["options"]
        for preset in PRESETS
        for series, point in figure.points(preset)
        if series == path.stem
    ]
    assert options(path.read_text()) in [options(text) for text in texts]


@pytest.mark.parametrize("path", CONFIGS, ids=_name)
def test_the_program_reads_a_sample_file(path, tmp_path):
    program = BUILD / "bin" / "atou-transfer"
    if not program.is_file():
        pytest.skip("atou-transfer is not built")
    words = [str(program), f"--config={path}", "--duration=1us", f"--outputDir={tmp_path / 'out'}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
