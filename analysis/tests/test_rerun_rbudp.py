# SPDX-License-Identifier: GPL-2.0-only
"""Measurements of the published RBUDP tools, rerun."""

import csv
from pathlib import Path

import pytest

import rerun_rbudp
from lfn.emulator import lost

COLUMNS = (
    "case,rep,bytes,rate_arg_kbps,payload,link_Mbps,rtt_ms,queue_pkts,path_extra,"
    "throughput_Mbps,rounds,pkts_sent"
)
ROW = "plain,1,1000000,20000,1450,25.0,20,10000,,19.1,1,690"

PROGRAM = """#!/bin/sh
for word in "$@"; do case $word in --outputDir=*) folder=${word#--outputDir=};; esac; done
mkdir -p "$folder"
echo "completed,delivered_bytes,data_packets,blasts,start_s,finish_s" > "$folder/summary.csv"
echo "%s,0.5,8.5" >> "$folder/summary.csv"
"""


def folder_of(tmp_path, *rows):
    (tmp_path / "rbudp.csv").write_text("\n".join([COLUMNS, *rows]) + "\n", encoding="utf-8")
    return tmp_path


def program_of(tmp_path, row):
    program = tmp_path / "program"
    program.write_text(PROGRAM % row, encoding="utf-8")
    program.chmod(0o755)
    return program


def row_of(**changed):
    return {**next(csv.DictReader([COLUMNS, ROW])), **changed}


def test_flags_of_a_row():
    words = rerun_rbudp.flags(row_of())
    assert words == [
        "--bytes=1000000B",
        "--sendRate=20000kbps",
        "--packetSize=1450B",
        "--linkRate=25Mbps",
        "--rtt=20ms",
        "--queue=10000p",
        "--pacingQuantum=1us",
        "--ns3::TcpSocket::ConnTimeout=1s",
    ]
    lossy = rerun_rbudp.flags(row_of(path_extra="-l 0.12 -f udp", rep="2"))
    first = lost(2, 0.12, 50)
    assert lossy[-1].startswith("--dropData=" + ",".join(map(str, first)))


@pytest.mark.parametrize(
    ("extra", "losses"),
    [("", (0.0, 0.0)), ("-l 0.02 -f udp", (0.02, 0.0)), ("-l 0.1 -L 0.1", (0.0, 0.1))],
)
def test_losses_of_the_path(extra, losses):
    assert rerun_rbudp.path_losses(row_of(path_extra=extra)) == losses


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        ("1,19150000,690,1", "within 1 % |"),
        ("1,19400000,690,1", "more than 1 % off |"),
        ("1,19100000,700,2", "within 1 %, datagrams more than 1 % off |"),
        ("0,0,690,1", "every run failed |"),
    ],
)
def test_table_judges_a_case(tmp_path, capsys, outcome, says):
    program = program_of(tmp_path, outcome)
    folder = folder_of(tmp_path, ROW, ROW.replace("plain,1", "plain,mean"))
    assert rerun_rbudp.main([str(folder), f"--program={program}"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[-1].startswith("| plain |")
    assert lines[-1].endswith(says)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda folder: (folder / "rbudp.csv").unlink(), "rbudp.csv: No such file"),
        (lambda folder: folder_of(folder, ROW.replace("10000,,", "10000,-e 5:3,")), "no flags"),
        (lambda folder: (folder / "program").unlink(), "build it first"),
        (lambda folder: (folder / "rbudp.csv").write_text("a\n1\n"), "no column"),
    ],
)
def test_what_cannot_be_rerun_is_said_in_one_line(tmp_path, capsys, spoil, says):
    program = program_of(tmp_path, "1,19000000,690,1")
    folder = folder_of(tmp_path, ROW)
    spoil(folder)
    assert rerun_rbudp.main([str(folder), f"--program={program}"]) == 1
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_the_measurements_of_the_repository_can_be_rerun():
    folder = Path(rerun_rbudp.__file__).parent / "originals"
    with (folder / "rbudp.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 15
    assert all(f"--bytes={row['bytes']}B" in rerun_rbudp.flags(row) for row in rows)
