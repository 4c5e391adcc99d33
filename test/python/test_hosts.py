# SPDX-License-Identifier: GPL-2.0-only
"""Hosts and disks at both ends of every transport."""

import project
import pytest
from project import BUILD, rows

import tables

COMPARISON = "transport-comparison"
TRANSPORTS = sorted(tables.transports_of(tables.ask(BUILD / "bin" / COMPARISON, "--PrintHelp")))
DISK = "--ns3::lfn::HostCost::StorageRate="
CACHE = "--ns3::lfn::HostCost::StorageCache="
MIB = 1024 * 1024


def run(tmp_path, program, *flags):
    """Return the rows of a run that is as it should be."""
    result = project.run(program, tmp_path, *flags)
    assert result.returncode == 0, result.stderr
    return rows(tmp_path)


@pytest.mark.parametrize(
    ("cache", "blasts", "time", "packets", "lost"),
    [
        (0, 4, 9.402, 1.411, 0.3147),
        (8 * MIB, 3, 8.933, 1.365, 0.2961),
        (64 * MIB, 3, 7.783, 1.191, 0.1656),
        (1024 * MIB, 1, 6.101, 1.000, 0),
    ],
)
def test_rbudp_before_a_disk(tmp_path, cache, blasts, time, packets, lost):
    """450 MB at 600 Mb/s to a disk of 400: what a packet model of its own makes of it."""
    (row,) = run(
        tmp_path,
        "rbudp-transfer",
        "--bytes=450MB",
        "--sendRate=600Mbps",
        "--linkRate=1Gbps",
        "--rtt=100ms",
        "--control=ideal",
        "--receiverHost=custom",
        DISK + "400Mbps",
        f"{CACHE}{cache}",
    )
    assert row["completed"] == "1"
    assert float(row["finish_s"]) == pytest.approx(time, rel=0.01)
    whole = -(-450_000_000 // 1450)
    assert int(row["data_packets"]) / whole == pytest.approx(packets, rel=1e-3)
    assert int(row["blasts"]) == blasts
    assert int(row["residual_packets_first_blast"]) / whole == pytest.approx(lost, abs=5e-4)


@pytest.mark.parametrize("transport", ["tcp", "parallel-tcp", "xcp"])
@pytest.mark.parametrize("cache", [0, 8 * MIB])
def test_tcp_before_a_disk(tmp_path, transport, cache):
    """T = max(S / B, (S - C) / D), and the disk has the last byte at S / D."""
    size, disk = 50e6, 40e6
    (row,) = run(
        tmp_path,
        COMPARISON,
        f"--transport={transport}",
        "--bytes=50MB",
        "--linkRate=100Mbps",
        "--rtt=2ms",
        "--receiverHost=custom",
        DISK + "40Mbps",
        f"{CACHE}{cache}",
    )
    assert row["completed"] == row["agrees"] == "1"
    assert float(row["last_delivery_s"]) == pytest.approx((size - cache) * 8 / disk, rel=0.01)
    assert float(row["last_write_s"]) == pytest.approx(size * 8 / disk, rel=0.01)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_disk_of_the_sender(tmp_path, transport):
    """A slow disk at the sender costs nothing but rate: min(B, D)."""
    (row,) = run(
        tmp_path,
        COMPARISON,
        f"--transport={transport}",
        "--bytes=10MB",
        "--linkRate=100Mbps",
        "--senderHost=custom",
        DISK + "20Mbps",
    )
    assert row["completed"] == row["agrees"] == "1"
    assert row["delivered_bytes"] == row["offered_bytes"]
    # Timers of VRP do not include how long the host holds a packet.
    assert int(row["retransmitted_packets"]) <= int(row["data_packets"]) * 1e-3
    assert row["last_write_s"] == ""
    time = int(row["offered_bytes"]) * 8 / 20e6
    assert float(row["last_delivery_s"]) == pytest.approx(time, rel=0.02)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(
    "hosts",
    [
        ["--senderHost=constant", "--receiverHost=constant"],
        ["--receiverHost=livelock"],
        ["--receiverHost=custom", "--ns3::lfn::HostCost::ReadCost=200us"],
        ["--receiverHost=custom", DISK + "30Mbps", CACHE + "0"],
        ["--receiverHost=custom", DISK + "30Mbps", "--ns3::lfn::HostCost::BufferSize=65536"],
    ],
    ids=["constant", "livelock", "slow processor", "slow disk", "small buffer"],
)
def test_agrees(tmp_path, transport, hosts):
    """The independent count agrees, and nothing ends as completed with bytes missing."""
    (row,) = run(
        tmp_path,
        COMPARISON,
        f"--transport={transport}",
        "--bytes=5MB",
        "--linkRate=100Mbps",
        "--checkContent",
        *hosts,
    )
    assert row["completed"] == row["agrees"] == "1", row
    there = int(row["delivered_bytes"]) + int(row["lost_bytes"])
    assert there == int(row["offered_bytes"]), row
    if transport not in ("udp", "fec-udp"):
        assert row["lost_bytes"] == "0", row


@pytest.mark.parametrize("transport", ["udp", "fec-udp"])
def test_run_waits_for_the_host(tmp_path, transport):
    """A run goes on until the sink has what is in its host."""
    (row,) = run(
        tmp_path,
        COMPARISON,
        f"--transport={transport}",
        "--bytes=100kB",
        "--receiverHost=custom",
        DISK + "100kbps",
        CACHE + "0",
    )
    assert row["delivered_bytes"] == row["offered_bytes"] == "100000"
    assert float(row["last_delivery_s"]) == pytest.approx(8, rel=0.01)


@pytest.mark.parametrize("program", ["rbudp-transfer", "vrp-transfer", "atou-transfer"])
def test_sender_of_tcp(tmp_path, program):
    """TCP's sender in the programs of other protocols has a host as well."""
    size = ["--options=maxpkts 2000"] if program == "atou-transfer" else ["--bytes=3MB"]
    (row,) = run(
        tmp_path,
        program,
        "--protocol=tcp",
        "--linkRate=100Mbps",
        "--rtt=20ms",
        *size,
        "--senderHost=custom",
        DISK + "5Mbps",
    )
    assert row["completed"] == "1"
    assert float(row["goodput_bps"]) == pytest.approx(5e6, rel=0.03)


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        (["--receiverHost=slow"], "--receiverHost=slow: "),
        ([DISK + "400Mbps"], "no host takes it, give --senderHost=custom"),
        (["--receiverHost=constant", "--ns3::lfn::HostCost::ReadCost=1us"], "no host takes it"),
        (["--receiverHost=custom", DISK + "fast"], "StorageRate=fast"),
        (["--receiverHost=custom", CACHE + "-1"], "StorageCache=-1"),
        (["--receiverHost=custom", "--ns3::lfn::HostCost::SeekTime=-1ms"], "SeekTime=-1ms"),
    ],
)
def test_refuses(tmp_path, flags, line):
    """One line that says what is wrong."""
    result = project.run(COMPARISON, tmp_path, *flags)
    assert result.returncode == 1
    assert line in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_named_profile_with_a_disk(tmp_path):
    """What a named profile leaves open is taken from the command line."""
    (row,) = run(tmp_path, COMPARISON, "--bytes=1MB", "--receiverHost=constant", DISK + "1Mbps")
    assert float(row["last_write_s"]) == pytest.approx(8, rel=0.02)
