# SPDX-License-Identifier: GPL-2.0-only
"""Objects in time: transport-comparison --objects, --objectSize, --objectRate, --deadline."""

import functools

import project
import pytest
from project import refuse, rows

PROGRAM = "transport-comparison"
run = functools.partial(project.run, PROGRAM)
CARRIERS = ["fec-udp", "jrm", "parallel-tcp", "tcp", "udt", "vrp", "xcp"]
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


@pytest.mark.parametrize("transport", ["tcp", "jrm", "vrp", "parallel-tcp"])
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
    flags = ["--transport=tcp,fec-udp,jrm,vrp", "--bytes=0", "--duration=2s", "--objects=control"]
    result = run(tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    for row in rows(tmp_path):
        assert row["objects"] == "61"
        assert int(row["objects_lost"]) <= 2


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
        (["--objectSize=1kB", "--transport=udp"], "udp sends no objects: take "),
        (["--objectSize=1501B", "--transport=fec-udp"], "a multiple of --packetSize"),
        (["--objectSize=9GB", "--bytes=9GB", "--transport=vrp"], "lower --objectSize"),
        (["--objectSize=9GB", "--bytes=9GB", "--transport=jrm"], "lower --objectSize"),
        (["--objectSize=9GB", "--bytes=9GB", "--transport=parallel-tcp"], "lower --objectSize"),
    ],
)
def test_refusals(tmp_path, flags, part):
    """One line, with the remedy."""
    refuse(PROGRAM, tmp_path, *flags, part=part)
