# SPDX-License-Identifier: GPL-2.0-only
"""Completion times of web-like traffic: background.csv of a point, and harm computed from it."""

import json

import numpy as np
import pandas as pd
import pytest

import lfn
import toy
from conftest import ANALYSIS
from lfn.figures import compare, harm
from lfn.fingerprint import fingerprint
from lfn.points import Point
from lfn.results import MissingDataError, Results
from lfn.runner import run_point
from lfn.spec import load_figures, load_module

FIGURE = load_figures(ANALYSIS / "figures")["compare-harm"]
TIMES = {"alone udp": (0.1, 0.2), "default tcp-reno": (0.2, 0.6), "default parallel-reno-8": (1, 3)}
"""Median seconds of two runs, by series and transport."""


def results_of(folder, wait=0.0):
    """Results of a point for each of TIMES; all classes of sizes are alike."""
    rows = []
    for number, name in enumerate(TIMES):
        series, key = name.split(" ")
        point = f"p{number}"
        (folder / point).mkdir()
        table = pd.DataFrame(
            [
                {
                    "run": run,
                    "size_class": size,
                    "completion_p50_s": seconds,
                    "delivered_bytes": 100 / seconds,
                }
                for run, seconds in enumerate(TIMES[name], start=1)
                for size in ("all", *harm.SIZES)
            ]
        )
        table.to_csv(folder / point / "background.csv", index=False)
        row = {
            "series": series,
            "point": point,
            "--transport": compare.TRANSPORTS[key],
            "--background": "web[Load=0.5|Congestion=ns3::TcpCubic]",
            "mean_queue_s": wait,
        }
        rows += [{**row, "run": run} for run in (1, 2, 3)]
    return Results("quick", pd.DataFrame(rows), None, {}, folder)


def test_slowdown_by_hand(tmp_path):
    results = results_of(tmp_path)
    found = harm.slowdown(results, "default", "tcp-reno", harm.SIZES[1])
    assert found.value == pytest.approx(0.4 / 0.15)
    # Runs are pairs: (0.2 - 0.1 q, 0.6 - 0.2 q) around 0, with q the quotient.
    apart = np.diff([0.2 - 0.1 * found.value, 0.6 - 0.2 * found.value])[0]
    assert found.half == pytest.approx(12.706205 * apart / 2 / 0.15)
    moved = harm.relative(results, "default", "tcp-reno", "delivered_bytes")
    assert moved.value == pytest.approx((500 + 100 / 0.6) / 1500)
    with pytest.raises(MissingDataError):
        harm.slowdown(results, "default", "xcp", harm.SIZES[1])
    with pytest.raises(MissingDataError):
        harm.slowdown(results, "default", "tcp-reno", harm.SIZES[1], load=0.2)


def test_two_waits(tmp_path):
    """A median of 0.4 s, where one flight takes 75 ms and two waits of 50 ms."""
    found = harm.over_waiting(results_of(tmp_path, 0.05), "default", "tcp-reno")
    assert found.value == pytest.approx(0.4 / 0.175)


def test_claims_by_hand(tmp_path):
    claims = load_module(FIGURE.folder / "claims.py")
    found = claims.eight_harm_more_than_one(results_of(tmp_path))
    assert found.parts[""] == pytest.approx(5.0)
    assert found.runs == 4
    with pytest.raises(MissingDataError):
        claims.configured_link_starves(results_of(tmp_path / "p0"))


def test_all_presets_compare_with_the_web_alone():
    """Each load of a preset has runs without a transport, as many as with one."""
    for preset in ("tiny", "quick", "full"):
        loads = {}
        for series, point in FIGURE.points(preset):
            loads.setdefault(series, set()).add((dict(point.args)["background"], point.runs))
        alone = loads.pop("alone")
        assert all(found <= alone for found in loads.values()), preset


def test_background_of_all_runs_is_kept(tmp_path):
    program = toy.write_program(tmp_path)
    text = program.read_text().replace("messages.csv", "background.csv")
    program.write_text(text.replace("time_s,flow\\n0.5,0", "kind,flows\\nweb,7"))
    point = Point.make("toy-transfer", {"size": 7, "messages": True}, 2)
    run_point(program, point, tmp_path / "out", fingerprint(program))
    assert (tmp_path / "out" / "background.csv").read_text() == (
        "run,kind,flows\n1,web,7\n2,web,7\n"
    )
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["files"] == ["summary.csv", "background.csv"]
    runs = lfn.load(tmp_path / "out")
    assert list(runs.background["run"]) == [1, 2]
    assert runs.messages.empty
