# SPDX-License-Identifier: GPL-2.0-only
"""The program udt-transfer: what it refuses, and its captures, read a second time."""

import struct

import project
import pytest
import wire
from project import rows

PROGRAM = "udt-transfer"
PATH = ["--linkRate=100Mbps", "--rtt=20ms", "--queue=1000p"]


def run(folder, *flags):
    """Run the program."""
    return project.run(PROGRAM, folder, *flags)


def read(data):
    """Return (type, info, destination, words of the body); the type of data is None."""
    first, second, _, destination = struct.unpack_from(">4I", data)
    if first < 1 << 31:
        return None, (first, second), destination, len(data) - 16
    body = struct.unpack(f">{len(data) // 4 - 4}I", data[16:])
    return first >> 16 & 0x7FFF, second, destination, body


@pytest.mark.parametrize(
    ("flags", "remedy"),
    [
        (["--bytes=0"], "--bytes=0B: give a positive size"),
        (["--mss=1501"], "--mss=1501B: make it at most 1500"),
        (["--blastRate=5Mbps"], "goes with --congestion=blast only"),
        (["--congestion=blast", "--blastRate=0bps"], "give a positive rate"),
        (["--congestion=cubic"], "--congestion=cubic: "),
        (["--inOrder=true"], "goes with --sendMessages=true only"),
        (["--timeToLive=50ms"], "goes with --sendMessages=true only"),
        (["--sendMessages=true", "--timeToLive=-1ms"], "--timeToLive=-1ms: "),
        (["--window=1"], "--window=1: "),
        (["--rendezvous", "--live=receiver", "--duration=1s"], "--rendezvous=true: leave it away"),
        (["--syn=0"], "--syn=0: "),
        (["--dropData=0"], "--dropData=0: "),
        (["--variant=udt5"], "--variant=udt5: "),
        (["--ns3::lfn::UdtSource::Freeze=maybe"], "Freeze=maybe: "),
        (["--ns3::lfn::UdtSink::ProbeWindow=1"], "ProbeWindow=1: give a whole number from 2 "),
        (["--ns3::lfn::UdtSource::DeadTime=5"], "DeadTime=5: write the unit"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, flags, remedy):
    result = run(tmp_path, *flags)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"{PROGRAM}: ")
    assert remedy in result.stderr
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("ip", [4, 6])
def test_both_ends_connect(tmp_path, ip):
    flags = [*PATH, "--rendezvous", f"--ipVersion={ip}", "--bytes=1MB", "--pcap=x"]
    result = run(tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    assert row["completed"] == "1"
    assert 0.01 <= float(row["setup_s"]) < 0.03
    (path,) = tmp_path.rglob("x-*node0-device0*.pcap")
    packets = [(one.addresses[0], read(one.payload)) for one in wire.segments(path)]
    requests = {(source, packet[3][5]) for source, packet in packets if packet[0] == 0}
    # Types 0, -1 and -2 (UDT-14), and none of a client's.
    assert {kind for _, kind in requests} <= {0, 2**32 - 1, 2**32 - 2}
    assert len({source for source, kind in requests if kind == 0}) == 2


def test_messages_are_given_up_whole(tmp_path):
    """What is not delivered was given up, in messages of writeSize."""
    messages = ["--sendMessages=true", "--writeSize=5000B", "--timeToLive=25ms"]
    assert run(tmp_path, *PATH, "--bytes=10MB", "--lossRate=0.01", *messages).returncode == 0
    (row,) = rows(tmp_path)
    delivered = int(row["delivered_bytes"])
    assert row["completed"] == "0"
    assert row["failure"] == ""
    assert delivered % 5000 == 0
    assert 9_000_000 < delivered < 10_000_000 <= delivered + 5000 * int(row["lost_messages"])
    assert int(row["lost_bytes"]) == 10_000_000 - delivered


def test_the_law_of_random_loss(tmp_path):
    """300 sqrt(0.1 / p) packets per second (UDT-52) is 36 Mb/s at 20 ms; the original got 36.0."""
    flags = [*PATH, "--bytes=100MB", "--lossRate=0.001"]
    assert run(tmp_path, *flags).returncode == 0
    (row,) = rows(tmp_path)
    assert row["completed"] == "1"
    assert float(row["goodput_bps"]) == pytest.approx(36e6, rel=0.15)


def test_variants(tmp_path):
    """The second loss: UDT3 keeps its rate, UDT4 sends an eighth slower, unless set otherwise."""
    flags = [*PATH, "--bytes=20MB", "--window=512", "--dropData=3001,9001"]
    periods = {}
    for name, more in {
        "udt4": [],
        "unset": ["--ns3::lfn::UdtSource::Freeze=unset", "--variant=udt4"],
        "udt3": ["--variant=udt3", "--ns3::lfn::UdtSource::LeastGapShare=0"],
        "one rule": ["--ns3::lfn::UdtSource::DecreaseOnFirst=false"],
        "srt": ["--variant=srt"],
        "intolerant": ["--variant=srt", "--ns3::lfn::UdtSource::LossTolerance=0"],
    }.items():
        folder = tmp_path / name
        folder.mkdir()
        assert run(folder, *flags, *more).returncode == 0
        (row,) = rows(folder)
        assert row["completed"] == "1"
        assert int(row["naks"]) >= 2
        periods[name] = float(row["period_us"])
    assert periods["unset"] == periods["udt4"]
    assert periods["udt3"] < 0.2 * periods["udt4"]
    assert periods["one rule"] < 0.95 * periods["udt4"]
    # One loss is below 2 % of the packets in flight; a decrease is by 3 %.
    assert periods["srt"] < periods["intolerant"] < 0.95 * periods["udt4"]


def test_series(tmp_path):
    """One loss with a window of 512: the period grows by an eighth, then shrinks each SYN."""
    flags = [*PATH, "--bytes=58240000", "--window=512", "--dropData=6001"]
    assert run(tmp_path, *flags, "--seriesInterval=1s").returncode == 0
    (row,) = rows(tmp_path)
    assert (row["naks"], row["reported_packets"], row["retransmitted_packets"]) == ("1", "1", "1")
    series = rows(tmp_path, "series")
    periods = [float(line["value"]) for line in series if line["metric"] == "period_us"]
    assert len(periods) >= 5
    assert max(periods) > 110
    assert periods[-1] < periods[-2]
    rates = [float(line["value"]) for line in series if line["metric"] == "send_rate_bps"]
    assert rates[-1] == pytest.approx(8e6 * 1456 / periods[-1])


@pytest.mark.parametrize("ip", ["4", "6"])
def test_captures_agree_with_the_summary(tmp_path, ip):
    flags = [*PATH, f"--ipVersion={ip}", "--bytes=3MB", "--dropData=50,51,90", "--pcap=x"]
    assert run(tmp_path, *flags).returncode == 0
    (row,) = rows(tmp_path)
    (path,) = tmp_path.rglob("x-*node0-device0*.pcap")
    sent, received = [], []
    for segment in wire.segments(path):
        packet = read(segment.payload)
        (sent if segment.ports[1] == 9000 else received).append(packet)
    handshakes = [packet for packet in [*sent, *received] if packet[0] == 0]
    assert [body[5] for _, _, _, body in handshakes] == [1, 2**32 - 1, 1, 2**32 - 1]
    assert {body[2] for _, _, _, body in handshakes} == {handshakes[0][3][2]}
    assert {len(body) for _, _, _, body in handshakes} == {12}
    source, sink = handshakes[0][3][6], handshakes[3][3][6]
    assert {to for kind, _, to, _ in sent if kind != 0} == {sink}
    assert {to for kind, _, to, _ in received} == {source}
    data = [(info[0], length) for kind, info, _, length in sent if kind is None]
    assert len(data) == int(row["data_packets"])
    assert sum(dict(data).values()) == 3_000_000
    first = handshakes[0][3][2]
    assert sorted((number - first) % 2**31 for number in dict(data)) == list(range(len(dict(data))))
    naks = [body for kind, _, _, body in received if kind == 3]
    assert len(naks) == int(row["naks"]) == 2
    assert naks[0] == (2**31 | (first + 49) % 2**31, (first + 50) % 2**31)
    (single,) = naks[1]
    numbers = [number for number, _ in data]
    twice = {number for number in numbers if numbers.count(number) == 2}
    assert twice == {(first + 49) % 2**31, (first + 50) % 2**31, single}
    acks = [(info, body) for kind, info, _, body in received if kind == 2]
    assert sum(info > 0 for info, _ in acks) == int(row["acks"])
    assert sum(info == 0 for info, _ in acks) == int(row["light_acks"])
    assert {len(body) for info, body in acks if info == 0} <= {1}
    assert {len(body) for info, body in acks if info > 0} <= {4, 6}
    answered = [info for kind, info, _, _ in sent if kind == 6]
    assert answered == [info for info, _ in acks if info > 0]
    others = len(sent) - len(data)
    assert int(row["control_packets"]) >= others
