# SPDX-License-Identifier: GPL-2.0-only
"""The program atou-transfer: what it refuses, and that equal runs are equal."""

import functools
import itertools

import project
import pytest
from project import refuse, rows

PROGRAM = "atou-transfer"
run = functools.partial(project.run, PROGRAM)


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--protocol=udp"], "--protocol=udp: "),
        (["--options=rcvrwim 3"], "rcvrwin"),
        (["--options=rcvrwin"], "rcvrwin: "),
        (["--options=rcvrwin 0"], "rcvrwin: "),
        (["--options=rcvrwin many"], "rcvrwin: "),
        (["--options=rcvrwin 3; rcvrwin 4"], "rcvrwin: "),
        (["--options=mss 11"], "mss: "),
        (["--options=mss 65508"], "mss: "),
        (["--options=multiplier 2"], "multiplier: "),
        (["--options=vegas 5"], "vegas: "),
        (["--options=vss 3"], "vss: "),
        (["--options=timeout nan"], "timeout: "),
        (["--options=tick 0"], "tick: "),
        (["--options=maxpkts 4294967295"], "maxpkts: "),
        (["--options=droplist 1 2 3 4 5 6 7 8 9 10 11"], "droplist: "),
        (["--options=port 65535", "--flows=2"], "--flows=2: their ports"),
        (["--congestion=ns3::TcpBbr"], "--congestion=ns3::TcpBbr: "),
        (["--congestion=cubic"], "--congestion=cubic: give native or"),
        (["--congestion=ns3::TcpSocketBase"], "--congestion=ns3::TcpSocketBase: give native or"),
        (["--flows=0"], "--flows=0: "),
        (["--flows=101"], "--flows=101: "),
        (["--serverSack=maybe"], "--serverSack=maybe: "),
        (["--ackDelay=-1s"], "--ackDelay=-1s: "),
        (["--ackDelay=200"], "--ackDelay=200: the unit is missing"),
        (["--optionsAt=increment 10"], "begin each change with its time"),
        (["--optionsAt=2s increment 10"], "begin each change with its time"),
        (["--optionsAt=2: increment 10"], "begin each change with its time"),
        (["--optionsAt=2s: increment 10 | 3s: mss 900"], "mss: a running transfer keeps it"),
        (["--optionsAt=2s: incr 10"], "incr: there is no such keyword"),
        (["--protocol=tcp", "--optionsAt=2s: increment 10"], "goes with --protocol=atou only"),
        (["--ackDelay=100ms", "--ackDelayRule=sink"], "--ackDelayRule=sink: "),
        (["--ackDelayRule=ns-sink"], "--ackDelayRule=ns-sink: give --ackDelay as well"),
        (["--gapLimit=-1"], "--gapLimit=-1: "),
        (["--reverseRate=fast"], "--reverseRate=fast: "),
        (["--reorder=1.5"], "--reorder=1.5: "),
        (["--reorderExtent=3"], "--reorderExtent=3: give --reorder or --reorderData as well"),
        (
            ["--reorderDirection=early"],
            "--reorderDirection=early: give --reorder or --reorderData as well",
        ),
        (["--reorderData=3,0"], "--reorderData=3,0: "),
        (["--reorder=0.1", "--reorderData=3"], "--reorderData=3: give this or --reorder"),
        (["--reorderData=late"], "--reorderData=late: "),
        (["--dropData=3,0"], "--dropData=3,0: "),
        (["--reorder=0.1", "--reorderDirection=any"], "--reorderDirection=any: "),
        (["--reorder=0.1", "--reorderMean=3"], "--reorderDistribution=geometric only"),
        (["--reorder=0.1", "--reorderDistribution=any"], "--reorderDistribution=any: "),
        (["--policerBurst=10kB"], "give --policer as well"),
        (["--protocol=tcp", "--serverSack"], "goes with --protocol=atou only"),
        (["--topology=ns3::lfn::DumbbellTopology", "--reverseRate=1Mbps"], "--topology"),
        (["--senderHost=fast"], "--senderHost=fast: "),
        (["--dropAt=1s,soon"], "--dropAt="),
        (["--interfaceRate=0"], "--interfaceRate=0: the unit is missing"),
        (["--protocol=tcp", "--interfaceRate=1Mbps"], "goes with --protocol=atou only"),
        (["--options=mss 1000", "--ns3::lfn::AtouOptions::Mss=900"], "sets it itself, to 1000"),
        (["--protocol=tcp", "--ns3::lfn::AtouOptions::Mss=900"], "use --options"),
        (
            [
                "--protocol=tcp",
                "--congestion=ns3::TcpCubic",
                "--ns3::TcpL4Protocol::SocketType=ns3::TcpVegas",
            ],
            "--congestion=ns3::TcpCubic: give this or ",
        ),
        (["--config=missing.config"], "missing.config"),
        (["--option=mss 1000"], "did you mean --options?"),
        (["20"], "20"),
    ],
)
def test_refuses(tmp_path, flags, part):
    refuse(PROGRAM, tmp_path, *flags, part=part)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rcvrwin 20\nrcvrwim 30\n", "my.config:2: rcvrwim: "),
        ("# nothing\nmss\n", "my.config:2: mss: "),
        ("mss 1472 1473\n", "my.config:1: mss: "),
        ("rcvrwin 20\n\nrcvrwin 30\n", "my.config:3: rcvrwin: "),
        ("initsegs -1\n", "my.config:1: initsegs: "),
        ("multiplier 0x\n", "my.config:1: multiplier: "),
        ("timeout 1e400\n", "my.config:1: timeout: "),
        ("droplist 0\n", "my.config:1: droplist: "),
        ("dup_thresh 0\n", "my.config:1: dup_thresh: "),
        ("sack 2\n", "my.config:1: sack: "),
        ("\0\0\0\n", "my.config:1: "),
        ("mss 1472\n" * 8000, "my.config"),
    ],
)
def test_refuses_configurations(tmp_path, text, part):
    (tmp_path / "my.config").write_text(text)
    refuse(PROGRAM, tmp_path, "--config=my.config", part=part)


def test_folder_is_no_configuration(tmp_path):
    refuse(PROGRAM, tmp_path, f"--config={tmp_path}", part=str(tmp_path))


def test_a_client_that_is_stopped_at_once_has_a_row(tmp_path):
    result = run(tmp_path, "--duration=1ns", "--seriesInterval=1ns")
    assert result.returncode == 0
    assert result.stderr.startswith("atou-transfer: warning: nothing was delivered")
    assert result.stderr.count("\n") == 1
    [row] = rows(tmp_path)
    assert (row["completed"], row["delivered_bytes"], row["data_packets"]) == ("0", "0", "2")


PATH = ["--linkRate=20Mbps", "--rtt=20ms", "--lossRate=0.01", "--reorder=0.02"]
OPTIONS = ["--options=rcvrwin 50; maxpkts 1000; maxtime 0; sack 1; debug 6", "--serverSack"]


def test_equal_runs_are_equal(tmp_path):
    files = []
    for name, number in (("one", 5), ("two", 5), ("three", 6)):
        (tmp_path / name).mkdir()
        flags = [*PATH, *OPTIONS, "--ackDelay=100ms", "--checkContent", f"--RngRun={number}"]
        result = run(tmp_path / name, *flags)
        assert result.returncode == 0, result.stderr
        folder = tmp_path / name / "here"
        names = ["summary.csv", "client.trace", "client.events", "client.summary", "server.summary"]
        files.append([(folder / each).read_bytes() for each in names])
        assert rows(tmp_path / name)[0]["completed"] == "1"
    assert files[0] == files[1]
    assert files[0] != files[2]
    assert all(files[0])


TCP = ["--protocol=tcp", "--options=rcvrwin 50; maxpkts 1000"]


@pytest.mark.parametrize(
    "flag",
    [
        "--ns3::TcpSocketBase::MinRto=2s",
        "--ns3::TcpSocketBase::Sack=true",
        "--ns3::TcpSocketBase::Timestamp=true",
        "--ns3::TcpSocketBase::ReTxThreshold=5",
        "--ns3::TcpSocket::InitialCwnd=20",
        "--ns3::TcpSocket::InitialSlowStartThreshold=20000",
        "--ns3::TcpSocket::DelAckCount=2",
        "--ns3::lfn::TcpSource::SegmentSize=1000",
        "--ns3::TcpL4Protocol::SocketType=ns3::TcpVegas",
    ],
)
def test_what_options_ask_of_tcp_gives_way_to_attributes(tmp_path, flag):
    [without, given] = [tmp_path / "without", tmp_path / "given"]
    loss = "0.05" if "MinRto" in flag else "0.01"  # enough for a timeout
    for folder, flags in ((without, []), (given, [flag])):
        folder.mkdir()
        result = run(folder, *PATH[:2], f"--lossRate={loss}", *TCP, *flags)
        assert result.returncode == 0, result.stderr
    assert rows(without) != rows(given)
    if "SocketType" in flag:
        assert rows(given)[0]["variant"] == "ns3::TcpVegas"


def test_an_interface_of_0bps_has_no_limit(tmp_path):
    for name, flags in (("without", []), ("zero", ["--interfaceRate=0bps"])):
        (tmp_path / name).mkdir()
        assert run(tmp_path / name, *PATH, *OPTIONS, *flags).returncode == 0
    assert rows(tmp_path / "without") == rows(tmp_path / "zero")


def test_configuration_file_and_options_agree(tmp_path):
    words = "rcvrwin 50; maxpkts 300; maxtime 0; sack 1; fack 1; droplist 100 101"
    (tmp_path / "my.config").write_text(words.replace("; ", "  # a comment\n") + "\n")
    files = []
    for name, flag in (("file", f"--config={tmp_path}/my.config"), ("text", f"--options={words}")):
        (tmp_path / name).mkdir()
        result = run(tmp_path / name, flag, "--serverSack", *PATH)
        assert result.returncode == 0, result.stderr
        files.append((tmp_path / name / "here/summary.csv").read_bytes())
    assert files[0] == files[1]


def test_flows_complete(tmp_path):
    result = run(tmp_path, "--flows=5", "--checkContent", *PATH, *OPTIONS)
    assert result.returncode == 0, result.stderr
    assert [row["completed"] for row in rows(tmp_path)] == ["1"] * 5


def test_packets_are_lost_and_late_by_their_numbers(tmp_path):
    flags = ["--dropData=20,40", "--reorderData=60", "--reorderExtent=2", "--seriesInterval=10ms"]
    result = run(tmp_path, *PATH[:2], "--options=rcvrwin 10; maxpkts 100; maxtime 0", *flags)
    assert result.returncode == 0, result.stderr
    [row] = rows(tmp_path)
    assert (row["dup3s"], row["server_late"], row["completed"]) == ("2", "3", "1")
    late = [s["value"] for s in rows(tmp_path, "series") if s["metric"] == "server_late"]
    assert (late[0], late[-1]) == ("0", "3")


def test_options_change_while_it_runs(tmp_path):
    windows = []
    for name, change in (
        ("plain", "1s: increment 1"),
        ("tuned", "1s: increment 20 | 1.5s: increment 1"),
    ):
        (tmp_path / name).mkdir()
        words = ["--linkRate=1Gbps", "--rtt=20ms", "--duration=2s", "--seriesInterval=250ms"]
        options = "--options=rcvrwin 3000; initsegs 10; thresh_init 0.001; maxtime 10"
        result = run(tmp_path / name, *words, options, f"--optionsAt={change}")
        assert result.returncode == 0, result.stderr
        table = rows(tmp_path / name, "series")
        windows.append([float(row["value"]) for row in table if row["metric"] == "cwnd_bytes"])
    plain, tuned = windows
    assert plain[:4] == tuned[:4]
    steps = [(b - a) / 1472 for a, b in itertools.pairwise(tuned)]
    assert steps[2] == pytest.approx(12.1, abs=0.6)
    assert steps[4] == pytest.approx(20 * 12.1, rel=0.1)
    assert steps[6] == pytest.approx(12.1, abs=0.6)
