# SPDX-License-Identifier: GPL-2.0-only
"""When a flow ends, and that no flow reports more than its link carries."""

import project
import pytest
from project import BUILD, PROGRAMS, rows

import tables

COMPARISON = "transport-comparison"
TRANSPORTS = sorted(tables.transports_of(tables.ask(BUILD / "bin" / COMPARISON, "--PrintHelp")))
UNACKNOWLEDGED = {"fec-udp", "jrm", "udp"}
"""Transports whose receivers do not acknowledge what they deliver."""

RTT = 0.02
SEGMENT = 1400
LINK = 1e6
SLOW = ["--linkRate=1Mbps", "--rtt=20ms"]
SIZES = {
    "rbudp-transfer": ["--bytes=200kB", "--sendRate=900kbps"],
    "rbudp-streaming": [
        "--streamTime=1s",
        "--sendRate=900kbps",
        "--objectRate=2",
        "--objectSize=20kB",
    ],
    "vrp-transfer": ["--bytes=200kB", "--flows=2", "--background=tcp"],
    "jrm-session": ["--messages=100", "--receivers=4", "--messageRate=60"],
    "atou-transfer": ["--options=maxpkts 100; rcvrwin 50"],
    "transport-comparison": [
        "--bytes=200kB",
        "--background=tcp",
        f"--transport={','.join(TRANSPORTS)}",
    ],
    "udt-transfer": ["--bytes=200kB"],
    "xcp-tcp-fairness": ["--duration=5s", "--xcpFlows=1", "--tcpFlows=1"],
}
"""A run of each scenario program that takes seconds at LINK."""


def run(tmp_path, program, *flags):
    """Return the rows of a run that is as it should be."""
    result = project.run(program, tmp_path, *flags)
    assert result.returncode == 0, result.stderr
    return rows(tmp_path)


def number(row, column):
    """A field as a number; 0 where it is empty."""
    return float(row[column] or 0)


@pytest.mark.parametrize(
    ("program", "flags"),
    [
        ("rbudp-transfer", ["--protocol=tcp", "--bytes=20MB"]),
        ("rbudp-transfer", ["--protocol=rbudp", "--bytes=5MB"]),
        ("vrp-transfer", ["--protocol=tcp", "--bytes=20MB", "--queue=5000p"]),
        ("vrp-transfer", ["--protocol=vrp", "--bytes=1MB"]),
        ("atou-transfer", ["--protocol=tcp", "--options=maxpkts 14000; rcvrwin 5000"]),
        ("udt-transfer", ["--bytes=5MB"]),
    ],
    ids=["rbudp-transfer tcp", "rbudp", "vrp-transfer tcp", "vrp", "atou-transfer tcp", "udt"],
)
def test_completed_is_delivered(tmp_path, program, flags):
    """A receiving host that needs time has everything when the run ends."""
    path = ["--linkRate=1Gbps", "--rtt=20ms"]
    buffers = [
        "--ns3::lfn::TcpSource::SndBufSize=8388608",
        "--ns3::lfn::TcpSink::RcvBufSize=8388608",
    ]
    for row in run(
        tmp_path,
        program,
        "--receiverHost=constant",
        *path,
        *flags,
        *(buffers if "--protocol=tcp" in flags else []),
    ):
        assert row["completed"] == "1", row
        assert row["delivered_bytes"] == row["offered_bytes"], row
        assert number(row, "finish_s") >= number(row, "last_delivery_s"), row


def test_cut_while_the_host_is_busy(tmp_path):
    """A run that ends before the receiving host has read everything has not completed."""
    (row,) = run(
        tmp_path,
        "rbudp-transfer",
        "--protocol=tcp",
        "--rtt=20ms",
        "--bytes=20MB",
        "--receiverHost=constant",
        "--ns3::lfn::TcpSource::SndBufSize=8388608",
        "--ns3::lfn::TcpSink::RcvBufSize=8388608",
        "--duration=350ms",
    )
    assert row["completed"] == "0"
    assert int(row["delivered_bytes"]) < int(row["offered_bytes"])
    assert row["finish_s"] == "0.35"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_finish(tmp_path, transport):
    """A sender is done half a round-trip time after the last delivery, for any size."""
    for segments in range(1, 21):
        (row,) = run(
            tmp_path, COMPARISON, f"--transport={transport}", f"--bytes={SEGMENT * segments}B"
        )
        assert row["completed"] == "1", (segments, row)
        late = number(row, "finish_s") - number(row, "last_delivery_s")
        expected = 0 if transport in UNACKNOWLEDGED else RTT / 2
        assert late == pytest.approx(expected, abs=1e-4), segments


@pytest.mark.parametrize("transport", ["tcp", "xcp", "parallel-tcp"])
def test_fast_short_path(tmp_path, transport):
    """What a delayed ACK would be worth is most of such a transfer."""
    (row,) = run(
        tmp_path,
        COMPARISON,
        f"--transport={transport}",
        "--bytes=4MB",
        "--linkRate=1Gbps",
        "--rtt=100us",
    )
    assert row["completed"] == "1", row
    assert 8e8 < number(row, "goodput_bps") < 1e9


def check_goodput(row, link):
    """The rate of a flow is what its bytes took, and no more than the link carries."""
    assert number(row, "goodput_bps") <= link, row
    if row["completed"] == "1" and row["protocol"] != "jrm":
        end = number(row, "last_delivery_s")
        time = end - number(row, "application_start_s")
        assert number(row, "goodput_bps") == pytest.approx(
            8 * number(row, "delivered_bytes") / time, rel=1e-9
        )


def test_sizes_are_of_all_programs():
    assert SIZES.keys() == PROGRAMS.keys()


@pytest.mark.parametrize(
    "flags",
    [[], ["--lossRate=0.05"], ["--duration=700ms"], ["--lossRate=0.9", "--duration=20s"]],
    ids=["whole", "losses", "cut", "hardly anything arrives"],
)
@pytest.mark.parametrize("program", SIZES)
def test_no_more_than_the_link(tmp_path, program, flags):
    """Flows that complete, fail, or are cut by the end of the run."""
    link = ["--bottleneckRate=1Mbps"] if program == "xcp-tcp-fairness" else SLOW
    more = [flag for flag in SIZES[program] if not flag.startswith("--duration") or not flags]
    for row in run(tmp_path, program, *link, *more, *flags):
        check_goodput(row, LINK)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_no_more_than_a_slow_link(tmp_path, transport):
    """Some give up while their data wait in front of the link, and arrive later."""
    rate = 100e3
    (row,) = run(
        tmp_path, COMPARISON, f"--transport={transport}", "--bytes=4MB", "--linkRate=100kbps"
    )
    check_goodput(row, rate)
    assert number(row, "delivered_bytes") > 0, row
