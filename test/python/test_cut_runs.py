# SPDX-License-Identifier: GPL-2.0-only
"""A run that --duration ends before its flows says so in the column failure."""

import re

import pytest
from project import BUILD, rows, run

import tables

CUT = "--duration ended the run at "
TRANSPORTS = sorted(
    tables.transports_of(tables.ask(BUILD / "bin/transport-comparison", "--PrintHelp"))
)
SIZED = [
    "rbudp-transfer --bytes=100MB",
    "rbudp-transfer --protocol=tcp --bytes=100MB",
    "rbudp-transfer --protocol=udp --bytes=100MB",
    "rbudp-streaming --streamTime=2s",
    "vrp-transfer --bytes=10MB",
    "vrp-transfer --bytes=10MB --protocol=tcp",
    "atou-transfer",
    "atou-transfer --protocol=tcp",
    "udt-transfer --bytes=100MB",
    "jrm-session",
    "xcp-tcp-fairness --ns3::lfn::TcpSource::Bytes=100000000",
]
ENDLESS = [
    "vrp-transfer --bytes=0",
    "vrp-transfer --bytes=0 --protocol=tcp",
    "jrm-session --messages=0",
    "xcp-tcp-fairness",
    "transport-comparison --bytes=0 --transport=tcp,udp,vrp",
]


def run_for(words, folder, duration):
    """Run a command line of a program for a time; return stdout and the rows of summary.csv."""
    program, *flags = words.split()
    result = run(program, folder, *flags, f"--duration={duration}")
    assert result.returncode == 0, result.stderr
    return result.stdout, rows(folder)


@pytest.mark.parametrize("words", SIZED)
def test_a_cut_program_names_the_flag(words, tmp_path):
    text, table = run_for(words, tmp_path, "200ms")
    for row in table:
        assert (row["completed"], row["failure"]) == ("0", CUT + "200ms"), row
    assert text.count(f"(failed: {CUT}200ms)") == len(table)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_cut_flow_of_each_transport_names_the_flag(transport, tmp_path):
    words = f"transport-comparison --transport={transport} --bytes=100MB --linkRate=50Mbps"
    _, (row,) = run_for(words, tmp_path, "500ms")
    assert (row["completed"], row["failure"]) == ("0", CUT + "500ms"), row


@pytest.mark.parametrize("words", ENDLESS)
def test_the_end_of_a_flow_without_a_size_is_no_failure(words, tmp_path):
    _, table = run_for(words, tmp_path, "500ms")
    assert {row["failure"] for row in table} == {""}


def test_a_flow_of_each_alone_is_cut_alone(tmp_path):
    words = "transport-comparison --transport=udp,tcp --bytes=10MB --sendRate=20Mbps --alone"
    _, (udp, tcp) = run_for(words, tmp_path, "3s")
    assert (udp["completed"], udp["failure"]) == ("0", CUT + "3s")
    assert (tcp["completed"], tcp["failure"]) == ("1", "")


def test_cross_traffic_lacks_nothing(tmp_path):
    words = "transport-comparison --transport=udp --bytes=1MB --linkRate=100Mbps --background=tcp"
    _, table = run_for(words, tmp_path, "30s")
    assert [row["failure"] for row in table] == ["", ""]


def test_other_reasons_stay(tmp_path):
    words = "transport-comparison --transport=rbudp --bytes=1MB --lossRate=1"
    _, (row,) = run_for(words, tmp_path, "1h")
    assert row["failure"] and not re.match(CUT, row["failure"])
