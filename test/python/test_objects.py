# SPDX-License-Identifier: GPL-2.0-only
"""Objects in time: transport-comparison --objects, --objectSize, --objectRate, --deadline."""

import functools
import re

import project
import pytest
from project import HOME, refuse, rows

PROGRAM = "transport-comparison"
run = functools.partial(project.run, PROGRAM)
CARRIERS = ["fec-udp", "jrm", "parallel-tcp", "tcp", "udp", "udt", "vrp", "xcp"]
"""Transports that send each object at once; RBUDP gathers blocks of them."""

TASKS = HOME / "doc/tasks.rst"
NAMES = [
    "objects",
    "objects_late",
    "objects_lost",
    "object_delay_mean_s",
    "object_delay_p99_s",
    "object_delay_max_s",
    "object_jitter_s",
]


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("transport", CARRIERS)
def test_objects_arrive_when_the_path_lets_them(tmp_path, transport, version):
    """Without losses each object takes the time of the path, and none is late or lost."""
    flags = ["--objects=control", "--bytes=100kB", "--deadline=60ms", "--checkContent"]
    path = ["--rtt=40ms", f"--ipVersion={version}"]
    result = run(tmp_path, f"--transport={transport}", *flags, *path)
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    assert (row["completed"], row["failure"], row["agrees"]) == ("1", "", "1"), row
    assert row["delivered_bytes"] == "100000"
    assert row["objects"] == "100"
    assert row["objects_lost"] == "0"
    # A connection or its like has to stand before the first ones go; VRP opens each frame.
    trips = 2 * 0.02 if transport == "vrp" else 0
    assert int(row["objects_late"]) <= (4 if transport != "vrp" else 100)
    assert 0.02 + trips <= float(row["object_delay_mean_s"]) < 0.03 + trips
    assert float(row["object_delay_max_s"]) < 0.11
    assert float(row["object_delay_p99_s"]) <= float(row["object_delay_max_s"])
    assert float(row["last_delivery_s"]) == pytest.approx(99 / 30 + 0.0201 + trips, abs=2e-3)


@pytest.mark.parametrize("transport", ["tcp", "jrm", "vrp", "parallel-tcp", "udp"])
def test_large_objects(tmp_path, transport):
    """Objects of many packets: streaming of the paper, as fast as the path lets each one."""
    flags = ["--objects=streaming", "--objectSize=140kB", "--bytes=7MB", "--rtt=20ms"]
    result = run(tmp_path, f"--transport={transport}", *flags)
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    assert (row["completed"], row["objects"], row["objects_lost"]) == ("1", "50", "0"), row
    assert row["objects_late"] == "0"
    least = 0.01 + 8 * 140e3 / 100e6
    assert least < float(row["object_delay_mean_s"]) < 0.25


def test_lost_objects(tmp_path):
    """FEC loses for good what a block of k = 1 does not recover; TCP loses none."""
    flags = ["--objectSize=1000B", "--objectRate=100", "--bytes=2MB", "--lossRate=0.1"]
    result = run(tmp_path, "--transport=fec-udp[BlockPackets=1],tcp", *flags, "--deadline=100ms")
    assert (result.returncode, result.stderr) == (0, "")
    fec, tcp = rows(tmp_path)
    assert fec["objects"] == tcp["objects"] == "2000"
    # Both datagrams of a block are lost with probability 0.01.
    assert 5 <= int(fec["objects_lost"]) <= 40
    assert int(fec["lost_bytes"]) == 1000 * int(fec["objects_lost"])
    assert (tcp["objects_lost"], fec["objects_late"]) == ("0", "0")
    assert int(tcp["objects_late"]) > 100


@pytest.mark.parametrize(("size", "datagrams"), [(700, 1), (1400, 1), (2000, 2), (5000, 4)])
def test_udp_loses_the_objects_of_lost_datagrams(tmp_path, size, datagrams):
    """Which objects lack a byte follows from where each datagram's bytes belong."""
    flags = [f"--objectSize={size}B", "--objectRate=100", f"--bytes={3000 * size}B"]
    result = run(tmp_path, "--transport=udp", *flags, "--lossRate=0.05", "--checkContent")
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    assert (row["objects"], row["data_packets"]) == ("3000", str(3000 * datagrams))
    expected = 1 - 0.95**datagrams
    deviation = (3000 * expected * (1 - expected)) ** 0.5
    assert int(row["objects_lost"]) == pytest.approx(3000 * expected, abs=4 * deviation)
    if datagrams == 1:
        assert int(row["lost_bytes"]) == size * int(row["objects_lost"])
    # The first datagram goes at once, the last one of an object within the time of an object.
    most = 0.01 + (datagrams - 1) / datagrams / 100 + 1e-3
    assert 0.01 < float(row["object_delay_mean_s"]) < most


STREAM = ["--objectSize=144kB", "--objectRate=20", "--rtt=100ms", "--linkRate=1Gbps"]
"""A tenth of the paper's stream."""


@pytest.mark.parametrize(
    ("setting", "flags", "block", "rate"),
    [
        ("[MaxDelay=500ms]", ["--deadline=1s"], 10, 28.8e6),  # a tenth of the paper's 288 Mb/s
        ("", [], 10, 28.8e6),  # the paper's D where nothing is said
        ("", ["--deadline=1s"], 10, 28.8e6),  # half of the deadline
        ("", ["--deadline=500ms"], 5, 23.04e6 / (1 - 0.1 / 0.25)),
        ("", ["--deadline=560ms"], 5, 23.04e6 / (1 - 0.1 / 0.25)),  # D in whole objects
    ],
)
def test_rbudp_gathers_blocks(tmp_path, setting, flags, block, rate):
    """Equations (9) and (11); the first object of a block waits for the last one, and both go."""
    result = run(
        tmp_path, f"--transport=rbudp{setting}", *STREAM, *flags, "--bytes=28.8MB", "--checkContent"
    )
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    assert (row["completed"], row["agrees"], row["retransmitted_packets"]) == ("1", "1", "0")
    assert (row["objects"], row["objects_lost"]) == ("200", "0")
    assert row["objects_late"] == ("0" if "--deadline" in str(flags) else "")
    time = 8 * 144e3 * block / rate + 0.05  # of a block, until it has arrived
    assert float(row["object_delay_max_s"]) == pytest.approx((block - 1) / 20 + time, rel=0.01)
    mean = (block - 1) / 2 / 20 + time
    assert float(row["object_delay_mean_s"]) == pytest.approx(mean, rel=0.01)


def test_rbudp_below_equation_11_falls_behind(tmp_path):
    """280 of 288 Mb/s: a block takes 511 ms where 500 are (a tenth of it, likewise)."""
    sender = "--ns3::lfn::RbudpSender::SendRate"
    for rate, late in (("28.8Mbps", 0), ("28Mbps", 1)):
        flags = [*STREAM, "--bytes=28.8MB", "--deadline=1s", f"{sender}={rate}"]
        assert run(tmp_path, "--transport=rbudp", *flags).returncode == 0
        (row,) = rows(tmp_path)
        assert (int(row["objects_late"]) > 0) == bool(late)
        least = 0.45 + 0.05 + 8 * 1.44 / float(rate.removesuffix("Mbps"))
        growth = float(row["object_delay_max_s"]) - least
        assert growth == pytest.approx(19 * 0.0114 * late, abs=5e-3)


def test_rbudp_last_block_and_losses(tmp_path):
    """What does not fill a block goes with the last object; a lost datagram holds up its block."""
    flags = ["--objectSize=1kB", "--objectRate=100", "--bytes=1030kB", "--rtt=40ms"]
    for loss in ("0", "0.01"):
        result = run(tmp_path, "--transport=rbudp", *flags, f"--lossRate={loss}")
        assert (result.returncode, result.stderr) == (0, "")
        (row,) = rows(tmp_path)
        assert (row["completed"], row["objects"], row["objects_lost"]) == ("1", "1030", "0")
        assert float(row["last_delivery_s"]) > 10.29
    assert int(row["retransmitted_packets"]) > 0
    (row,) = rows(tmp_path)
    assert float(row["object_delay_max_s"]) > 0.52


def test_bulk_and_columns(tmp_path):
    """One object is the whole flow; without objects there are no columns of them."""
    run(tmp_path, "--transport=tcp", "--bytes=2MB", "--objects=bulk")
    (row,) = rows(tmp_path)
    assert (row["objects"], row["objects_late"], row["objects_lost"]) == ("1", "", "0")
    assert float(row["object_delay_max_s"]) == float(row["last_delivery_s"])
    assert list(row)[-7:] == NAMES
    run(tmp_path, "--transport=tcp", "--background=tcp", "--objects=control", "--bytes=9kB")
    _, cross = rows(tmp_path)
    assert {cross[name] for name in NAMES} == {""}
    run(tmp_path, "--transport=tcp", "--bytes=2MB")
    assert not set(NAMES) & set(rows(tmp_path)[0])


def test_objects_without_end(tmp_path):
    """With --duration objects come until it is over."""
    flags = [
        "--transport=tcp,fec-udp,jrm,vrp,udp,rbudp",
        "--bytes=0",
        "--duration=2s",
        "--objects=control",
    ]
    result = run(tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    for row in rows(tmp_path):
        assert row["objects"] == "61"
        # RBUDP is still gathering a block of 15, and another may be under way.
        assert int(row["objects_lost"]) <= (30 if row["protocol"] == "rbudp" else 2)


def test_command_of_the_tasks(tmp_path):
    """The question of doc/tasks.rst about late objects, as its command is printed."""
    (command,) = re.findall(
        r'./waf --run "transport-comparison (.*--objects=.*)"', TASKS.read_text()
    )
    result = run(tmp_path, *command.split())
    assert (result.returncode, result.stderr) == (0, "")
    tcp, fec, udp = rows(tmp_path)
    assert tcp["objects"] == fec["objects"] == udp["objects"] == "1000"
    # FEC restores an object with the third one after it, 100 ms later: beyond the deadline as well.
    assert int(tcp["objects_late"]) > int(fec["objects_late"]) > int(udp["objects_late"]) == 0
    assert int(udp["objects_lost"]) > int(fec["objects_lost"]) >= int(tcp["objects_lost"]) == 0


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--objectSize=0"], "--objectSize=0: "),
        (["--objectRate=0", "--objectSize=1kB"], "--objectRate=0: "),
        (["--objectRate=30"], "goes with --objectSize or --objects only"),
        (["--deadline=1s"], "goes with --objectSize or --objects only"),
        (["--objects=film"], "streaming"),
        (["--objects=bulk", "--bytes=0", "--duration=1s"], "give --bytes above 0"),
        (["--objectSize=1MB", "--bytes=1kB"], "raise --bytes"),
        (["--objectSize=1kB", "--deadline=10ms", "--rtt=20ms"], "make it more than 10ms"),
        (["--objectSize=1kB", "--transport=atou"], "atou sends no objects: take fec-udp, jrm"),
        (
            ["--objectSize=1kB", "--transport=rbudp", "--objectRate=100", "--deadline=40ms"],
            "--deadline, more than 20ms",
        ),
        (
            [
                "--objectSize=1kB",
                "--transport=rbudp",
                "--objectRate=60",
                "--deadline=99ms",
                "--rtt=60ms",
            ],
            "lower --objectRate",
        ),
        (
            ["--objectSize=1kB", "--transport=rbudp[MaxDelay=10ms]", "--objectRate=60"],
            "make MaxDelay",
        ),
        (["--objectSize=9TB", "--bytes=9TB", "--transport=rbudp"], "lower --objectSize"),
        (
            ["--objectSize=1kB", "--transport=rbudp", "--ns3::lfn::RbudpSender::Wire=Tools"],
            "Wire=Tools",
        ),
        (["--objectSize=1501B", "--transport=fec-udp"], "a multiple of --packetSize"),
        (["--objectSize=9GB", "--bytes=9GB", "--transport=vrp"], "lower --objectSize"),
        (["--objectSize=9GB", "--bytes=9GB", "--transport=jrm"], "lower --objectSize"),
        (["--objectSize=9GB", "--bytes=9GB", "--transport=parallel-tcp"], "lower --objectSize"),
    ],
)
def test_refusals(tmp_path, flags, part):
    """One line, with the remedy."""
    refuse(PROGRAM, tmp_path, *flags, part=part)
