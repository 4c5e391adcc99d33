# SPDX-License-Identifier: GPL-2.0-only
"""Values that ns-3 would abort on, or never get through: one line, status 1, nothing written."""

import csv
import os
import resource
import subprocess

import pytest
from project import BUILD, HOME, PROGRAMS, rows

MOST = "18446744073709551615bps"
RATES = {
    "rbudp-transfer": ["linkRate", "sendRate"],
    "rbudp-streaming": ["linkRate", "sendRate"],
    "vrp-transfer": ["linkRate", "interfaceRate"],
    "jrm-session": ["linkRate", "bucketRate"],
    "atou-transfer": ["linkRate", "reverseRate", "policer", "interfaceRate"],
    "transport-comparison": ["linkRate", "sendRate"],
    "udt-transfer": ["linkRate", "blastRate"],
    "xcp-tcp-fairness": ["bottleneckRate", "accessRate", "udpRate"],
    "lfn-bench-baseline": ["linkRate"],
}
CASES = [
    *((program, [f"--{flag}={MOST}"]) for program, flags in RATES.items() for flag in flags),
    ("xcp-tcp-fairness", [f"--rateChange=1s:{MOST}"]),
    ("rbudp-transfer", [f"--topology=ns3::lfn::PointToPointTopology[LinkRate={MOST}]"]),
    ("rbudp-transfer", [f"--ns3::PointToPointNetDevice::DataRate={MOST}"]),
    ("rbudp-transfer", ["--topology=ns3::lfn::FileTopology[File=fast.csv]"]),
    ("rbudp-transfer", ["--topology=ns3::lfn::FileTopology[File=/proc/kmsg]"]),
    ("rbudp-transfer", ["--topology=ns3::lfn::FileTopology[File=/proc/self/mem]"]),
    ("lfn-bench-baseline", ["--bytes=9223372036854775808"]),
    ("vrp-transfer", ["--probeInterval=0"]),
    ("vrp-transfer", ["--maxBurst=9223372036854775808"]),
    ("vrp-transfer", ["--maxLossRate=-0.5"]),
    ("vrp-transfer", ["--protocol=tcp", "--tcp=ns3::Node"]),
    ("vrp-transfer", ["--protocol=tcp", "--tcpWindow=1B"]),
    ("atou-transfer", ["--config=/proc/kmsg"]),
    ("atou-transfer", ["--config=/proc/self/mem"]),
    ("transport-comparison", ["--ns3::TcpL4Protocol::SocketType=ns3::Node"]),
    ("transport-comparison", ["--ns3::TcpL4Protocol::RecoveryType=ns3::TcpBbr"]),
    ("lfn-bench-baseline", ["--bytes=9223372036854775808"]),
    ("vrp-transfer", ["--probeInterval=0"]),
    ("vrp-transfer", ["--maxBurst=9223372036854775808"]),
    ("transport-comparison", ["--ns3::TcpL4Protocol::SocketType=ns3::TcpCongestionOps"]),
    ("transport-comparison", ["--ns3::TcpSocket::SegmentSize=0"]),
    ("transport-comparison", ["--ns3::PointToPointChannel::Delay=-1s"]),
    ("transport-comparison", ["--ns3::MobilityModel::Position=1:2:3x"]),
    ("transport-comparison", ["--transport=ns3::lfn::TcpTransport[SocketFactory=ns3::Node]"]),
    ("xcp-tcp-fairness", ["--queueDisc=ns3::FqCoDelQueueDisc[Flows=0]"]),
    (
        "xcp-tcp-fairness",
        ["--queueDisc=ns3::FqCoDelQueueDisc[SetWays=3|EnableSetAssociativeHash=true]"],
    ),
    ("xcp-tcp-fairness", ["--queueDisc=ns3::TbfQueueDisc[Rate=0bps]"]),
    ("xcp-tcp-fairness", ["--queueDisc=ns3::RedQueueDisc[MinTh=5|MaxTh=1]"]),
    ("xcp-tcp-fairness", ["--queueDisc=ns3::PieQueueDisc[Tupdate=0s]"]),
]


def run(folder, program, *flags, **settings):
    short = [*PROGRAMS.get(program, []), "--outputDir=here"]
    short = [flag for flag in short if flag.split("=")[0] not in str(flags)]
    command = [BUILD / "bin" / program, *short, *flags]
    return subprocess.run(
        command, cwd=folder, text=True, capture_output=True, timeout=120, **settings
    )


def check_refused(folder, result, program, argument=""):
    assert result.returncode == 1, result.stderr
    assert result.stderr.startswith(f"{program}: {argument}")
    assert result.stderr.count("\n") == 1, result.stderr
    assert [path.name for path in folder.iterdir()] == ["fast.csv"]


@pytest.mark.parametrize(("program", "flags"), CASES, ids=str)
def test_refused(tmp_path, program, flags):
    (tmp_path / "fast.csv").write_text(f"node,a,sender\nnode,b,receiver\nlink,a,b,{MOST},5ms\n")
    named = flags[-1] if "ns3::" in flags[-1] else ""
    check_refused(tmp_path, run(tmp_path, program, *flags), program, named)


@pytest.mark.parametrize("share", [0.1, 0.999], ids=["in the middle", "at the end"])
def test_a_capture_that_cannot_be_written_to_its_end(tmp_path, share):
    """There is none then, and an older one is left alone."""
    whole = run(tmp_path, "rbudp-transfer", "--pcap=cap")
    assert (whole.returncode, whole.stderr) == (0, "")
    older = {path.name: path.read_bytes() for path in tmp_path.glob("*") if path.is_file()}
    assert sorted(older) == ["cap-node0-device0-rbudp.pcap", "cap-node1-device0-rbudp.pcap"]
    most = int(share * max(map(len, older.values())))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    flags = ["--pcap=cap", "--outputDir=there"]
    result = run(tmp_path, "rbudp-transfer", *flags, preexec_fn=limit)
    assert result.returncode == 1
    assert result.stderr.startswith("rbudp-transfer: --pcap=cap: ")
    assert result.stderr.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*") if path.is_file()} == older
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize("name", [p.stem for p in (HOME / "examples").glob("*-example.cc")])
def test_short_programs_refuse_stray_words(tmp_path, name):
    (tmp_path / "fast.csv").touch()
    for word in ("stray", "--nothing=5", "--ns3::TcpSocket::SegmentSize=5x"):
        result = subprocess.run(
            [BUILD / "bin" / name, word], cwd=tmp_path, text=True, capture_output=True
        )
        check_refused(tmp_path, result, name)


@pytest.mark.parametrize(
    ("program", "flag"),
    [
        ("jrm-session", "--heartbeat=1y"),
        ("jrm-session", "--recvTimeout=1y"),
        ("jrm-session", "--rtt=1y"),
        ("transport-comparison", "--start=1y"),
        ("transport-comparison", "--rtt=1y"),
    ],
)
def test_years_end(tmp_path, program, flag):
    result = run(tmp_path, program, flag)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_connection_that_is_never_tried_fails(tmp_path):
    flags = ["--transport=tcp,udp", "--bytes=100kB", "--ns3::TcpSocket::ConnCount=0"]
    result = run(tmp_path, "transport-comparison", *flags)
    assert (result.returncode, result.stderr) == (0, "")
    tcp, udp = csv.DictReader((tmp_path / "here" / "summary.csv").open())
    assert (tcp["completed"], udp["completed"]) == ("0", "1")
    assert "refused" in tcp["failure"]


@pytest.mark.parametrize("baseline", ["echo", "multicast"])
def test_progress_changes_no_result(tmp_path, baseline):
    flags = [f"--baseline={baseline}", "--bytes=100kB", "--messages=5", "--seriesInterval=30s"]
    for more in (["--outputDir=plain"], ["--outputDir=reported", "--progress"]):
        result = run(tmp_path, "lfn-bench-baseline", *flags, *more)
        assert result.returncode == 0, result.stderr
    for table in ("summary.csv", "series.csv"):
        assert len({(tmp_path / name / table).read_text() for name in ("plain", "reported")}) == 1


@pytest.mark.parametrize("program", PROGRAMS)
def test_folders_are_printed_as_they_are(tmp_path, program):
    """In UTF-8; a byte that is none, and a control character, stay escaped."""
    for name, shown in ((b"\xc3\xbcbung", "übung"), (b"\xfcbung\x1b", r"\xfcbung\x1b")):
        folder = tmp_path / os.fsdecode(name)
        result = run(tmp_path, program, b"--outputDir=" + name)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.endswith(f"files in {shown}\n")
        (folder / "stray").touch()
        (folder / "summary.csv").unlink()
        (folder / "summary.csv").mkdir()
        result = run(tmp_path, program, b"--outputDir=" + name)
        assert result.returncode == 1
        assert result.stderr.startswith(f"{program}: --outputDir={shown}: ")


LONG = {
    "rbudp-transfer": [],
    "rbudp-streaming": [],
    "vrp-transfer": [],
    "atou-transfer": ["--options=maxpkts 100; rcvrwin 50; maxtime 0"],
    "jrm-session": [],
    "transport-comparison": [],
    "udt-transfer": ["--bytes=200kB"],
}


@pytest.mark.parametrize("rtt", ["5s", "20s", "60s"])
@pytest.mark.parametrize("program", LONG)
def test_timers_follow_the_round_trip_time(tmp_path, program, rtt):
    result = run(tmp_path, program, *LONG[program], f"--rtt={rtt}")
    assert (result.returncode, result.stderr) == (0, "")
    assert "failed" not in result.stdout
    assert all(row["completed"] == "1" for row in rows(tmp_path)), result.stdout
    assert all(row["timeouts"] == "0" for row in rows(tmp_path) if "timeouts" in row)


@pytest.mark.parametrize(
    ("program", "flags"),
    [
        ("rbudp-transfer", ["--ns3::lfn::RbudpReceiver::ConnectTimeout=5s"]),
        ("vrp-transfer", ["--ns3::lfn::VrpSender::PingTimeout=1s"]),
        ("vrp-transfer", ["--ns3::lfn::VrpSender::FrameTimeout=5s"]),
        ("atou-transfer", ["--options=maxpkts 100; maxtime 0; timeout 0.5"]),
        ("atou-transfer", ["--ns3::lfn::AtouOptions::Timeout=500ms"]),
        (
            "transport-comparison",
            ["--transport=ns3::lfn::AtouTransport[Options=timeout 0.5; sack 1]"],
        ),
    ],
)
def test_timers_that_are_given_do_not_follow(tmp_path, program, flags):
    """Also where they are given the value of the class."""
    result = run(tmp_path, program, *flags, "--rtt=20s")
    assert result.returncode == 0, result.stderr
    assert "(failed: " in result.stdout
