# SPDX-License-Identifier: GPL-2.0-only
"""Measurements of the original UDT programs, rerun."""

import csv
from pathlib import Path

import pytest

import rerun_udt
from lfn import udt_originals as originals

HOME = Path(__file__).resolve().parents[2]
CASES = HOME / "analysis" / "originals" / "udt.csv"
PROGRAM = HOME / "build" / "bin" / "udt-original-runner"

FAKE = """#!/bin/sh
echo "run,flow,bytes,goodput_Mbps,pkts_sent,naks,period_us_by_second"
echo "0,0,%s"
"""


def case_of(name):
    """Return a case of the measurements."""
    return next(case for case in originals.read(CASES) if case.name == name)


def program_of(tmp_path, row):
    """Make a program that prints one row, with any arguments."""
    program = tmp_path / "program"
    program.write_text(FAKE % row, encoding="utf-8")
    program.chmod(0o755)
    return program


def file_of(tmp_path, name, **changed):
    """Make a file with the rows of one case, some columns changed."""
    with CASES.open(newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        rows = [row for row in reader if row["case"] == name]
    path = tmp_path / "cases.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, reader.fieldnames)
        writer.writeheader()
        writer.writerows({**row, **changed} for row in rows)
    return path


def test_flags_of_each_kind():
    assert originals.flags(case_of("b_w512_twice")) == [
        "--variant=udt4",
        "--link=100",
        "--rtt=20",
        "--queue=1000",
        "--framing=2",
        "--hostCost=0",
        "--window=512",
        "--sendBuffer=8192",
        "--write=145600",
        "--script=20000:2",
        "--bytes=58240000",
    ]
    assert "--dead=5" in originals.flags(case_of("d_dead_after_5s"))
    assert "--handshakes=cookie" in originals.flags(case_of("d_hs_cookie_lost"))
    assert "--loss=0.001" in originals.flags(case_of("c_100_20_loss0.1pc"))
    udt3 = originals.flags(case_of("g_udt3_100_20_q1000_cost12"))
    assert {"--variant=udt3", "--hostCost=12"} <= set(udt3)
    assert {"--framing=38", "--hostCost=12.3"} <= set(originals.flags(case_of("h_table_udt3")))


def test_times_of_flows():
    assert originals.times(case_of("e_2flows_20_20")) == ([0, 5], [60, 60])
    assert originals.times(case_of("h_table_udt4")) == ([0, 20, 40, 60], [140, 120, 100, 80])
    assert originals.times(case_of("f_10000_100_q83333")) == ([0], [7])
    assert not case_of("f_1000_100_q8333").is_timed


def test_runs_of_each_kind():
    assert [case_of(name).kind for name in ("a_100_20_q167", "c_1000_100_loss0.01pc")] == [
        "exact",
        "random",
    ]
    assert len(originals.plan(case_of("c_100_20_loss0.1pc"), 99)) == 99
    words = originals.plan(case_of("a_100_20_q167"), 99)
    assert len(words) == 1
    assert words[0][-1] == "--runs=16"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("1,91.6,40000,0,135.666;131.960;130.242;128.584;126.968", None),
        ("1,91.0,40000,0,135.666;131.960;130.242;128.584;126.968", "goodput"),
        ("1,91.6,40001,0,135.666;131.960;130.242;128.584;126.968", "pkts_sent"),
        ("1,91.6,40000,1,135.666;131.960;130.242;128.584;126.968", "naks"),
        ("1,91.6,40000,0,135.666;131.960;130.242;128.584;127.2", "period"),
    ],
)
def test_verdicts(tmp_path, capsys, row, problem):
    status = rerun_udt.main(
        ["--only", "b_w512_none", "--program", str(program_of(tmp_path, row)), "--jobs=1"]
    )
    printed = capsys.readouterr().out.splitlines()
    assert status == (1 if problem else 0)
    assert printed[-1] == f"{0 if problem else 1} of 1 cases hold"
    assert (problem or "holds") in printed[1]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"link_Mbps": "fast"}, "link_Mbps=fast: not a number"),
        ({"rtt_ms": "-1"}, "rtt_ms=-1: not a number from 0 on"),
        ({"variant": "udt2"}, "variant=udt2: known are udt3, udt4"),
        ({"script": "7,8"}, "script=7,8: not packet:times;..."),
        ({"link_Mbps": "0"}, "link_Mbps=0: not a number from 0.001 on"),
        ({"window_pkts": "1"}, "window_pkts=1: not a number from 2 on"),
        ({"write_B": "0"}, "write_B=0: not a number from 1 on"),
        ({"loss": "1"}, "loss=1: not a probability below 1"),
        ({"goodput_Mbps": ""}, "goodput_Mbps=: not a number from 0 on"),
        ({"naks": "nan"}, "naks=nan: not a number from 0 on"),
        (
            {"period_us_by_second": "1;x"},
            "period_us_by_second=1;x: not numbers with semicolons between them",
        ),
    ],
)
def test_bad_cases(tmp_path, capsys, changed, words):
    path = file_of(tmp_path, "b_w512_none", **changed)
    program = program_of(tmp_path, "")
    assert rerun_udt.main(["--cases", str(path), "--program", str(program)]) == 1
    printed = capsys.readouterr()
    assert printed.err == f"rerun_udt.py: b_w512_none: {words}\n"


def test_packets_of_the_set_up(tmp_path, capsys):
    """A packet unknown to the runner is refused, and not ignored."""
    path = file_of(tmp_path, "d_hs_cookie_lost", case="d_hs_request2_lost")
    (case,) = originals.read(path)
    assert "--handshakes=second" in originals.flags(case)
    path = file_of(tmp_path, "d_hs_cookie_lost", case="d_hs_third_lost")
    assert rerun_udt.main(["--cases", str(path)]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith("rerun_udt.py: d_hs_third_lost: no packet third in the set-up")
    assert printed.err.count("\n") == 1


def test_repetitions_of_different_flows(tmp_path, capsys):
    path = file_of(tmp_path, "e_2flows_20_20")
    lines = path.read_text(encoding="utf-8").splitlines()
    second = lines[1].replace(",1,0,", ",2,0,", 1)
    path.write_text("\n".join([*lines, second]) + "\n", encoding="utf-8")
    assert rerun_udt.main(["--cases", str(path)]) == 1
    assert "repetitions differ in their number of flows" in capsys.readouterr().err


def test_bad_files(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    assert rerun_udt.main(["--cases", str(path)]) == 1
    path.write_text("case,rep\na,1\n", encoding="utf-8")
    assert rerun_udt.main(["--cases", str(path)]) == 1
    assert rerun_udt.main(["--only", "nothing"]) == 1
    assert rerun_udt.main(["--program", str(tmp_path / "none")]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert "No such file" in lines[0]
    assert "no column variant" in lines[1]
    assert "--only nothing: there are a_100_20_q10000, " in lines[2]
    assert "build it first" in lines[3]


@pytest.mark.skipif(not PROGRAM.is_file(), reason="udt-original-runner is not built")
def test_measurements_hold(capsys):
    assert rerun_udt.main(["--only", "b_w512_one", "d_hs_cookie_lost"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 of 2 cases hold"
