# SPDX-License-Identifier: GPL-2.0-only
"""The program xcp-tcp-fairness: what it refuses, what it writes, and that equal runs are equal."""

import functools

import project
import pytest
from project import refuse, rows, tables_of

PROGRAM = "xcp-tcp-fairness"
run = functools.partial(project.run, PROGRAM)
SHORT = ["--bottleneckRate=10Mbps", "--duration=4s"]
DUMBBELL = "ns3::lfn::DumbbellTopology"
LAW = "ns3::lfn::XcpMultiplicativeDropLaw"


def metrics(folder):
    return {(row["flow"], row["metric"]) for row in rows(folder, "series")}


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--xcpFlows=0", "--tcpFlows=0"], "give a flow"),
        (["--xcpFlows=5001"], "--xcpFlows=5001: "),
        (["--tcpFlows=-1"], "--tcpFlows=-1: "),
        (["--rtt=20"], "--rtt=20: "),
        (["--rtt=20ms,40ms"], "one for each of the 3"),
        (["--bottleneckRate=0Mbps"], "--bottleneckRate=0Mbps: "),
        (["--accessRate=500"], "--accessRate=500: the unit is missing"),
        (["--rtt=100"], "such as 20ms,40ms"),
        (["--bufferBdp=-1"], "--bufferBdp=-1: "),
        (["--bufferBdp=2", "--queue=100p"], "--bufferBdp=2: goes with no --queue"),
        (["--queue=0p"], "--queue=0p: "),
        (["--xcpStart=1s,2s"], "one for each of the 1"),
        (["--tcpStart=1s,2s,3s"], "one for each of the 2"),
        (["--tcpStart=5s", "--tcpStop=5s"], "later than the flow's start"),
        (["--xcpFlows=0", "--xcpStart=1s"], "goes with --xcpFlows only"),
        (["--tcpFlows=0", "--tcp=ns3::TcpCubic"], "goes with --tcpFlows only"),
        (["--startSpread=-1s"], "--startSpread=-1s: "),
        (["--mechanism=fair"], "--mechanism=fair: "),
        (["--mechanism=gated", "--queueDisc=ns3::FifoQueueDisc"], "goes with --queueDisc=xcp only"),
        (["--inspectProbability=0.5"], "goes with --mechanism=persistent"),
        (["--mechanism=wrr", "--estimator=bloom"], "goes with --mechanism=persistent"),
        (["--mechanism=gated", "--inspectProbability=2"], "--inspectProbability=2: "),
        (["--estimator=guess"], "--estimator=guess: "),
        (["--tcp=ns3::TcpQubic"], "--tcp=ns3::TcpQubic: "),
        (["--tcp=ns3::FifoQueueDisc"], "give a TcpCongestionOps"),
        (["--tcp=ns3::lfn::TcpXcp"], "--xcpFlows"),
        (["--sack=maybe"], "--sack=maybe: "),
        (["--queueDisc=ns3::NoQueueDisc"], "there is no TypeId"),
        (["--queueDisc=ns3::MqQueueDisc"], "not made up of others"),
        (["--queueDisc=ns3::TcpCubic"], "derived from ns3::QueueDisc"),
        (["--queueDisc=ns3::FifoQueueDisc[MaxSize=5]"], "MaxSize: "),
        (["--ecn"], "goes with --mechanism"),
        (["--ipVersion=5"], "give one of 4, 6"),
        (["--packetSize=0"], "--packetSize=0: "),
        (["--packetSize=1441"], "give 1440 at most"),
        (["--packetSize=1421", "--ipVersion=6"], "give 1420 at most"),
        (["--udpRate=0bps"], "--udpRate=0bps: "),
        (["--udpStart=1s"], "goes with --udpRate only"),
        (["--rateChange=60s"], "such as 60s:50Mbps"),
        (["--rateChange=60s:50Mbps,"], "such as 60s:50Mbps"),
        (["--rateChange=60s:0Mbps"], "such as 60s:50Mbps"),
        (["--initialWindow=0"], "--initialWindow=0: "),
        (["--duration=0"], "the flows have no end"),
        (["--duration=10s", "--statsTo=11s"], "make it --duration at most"),
        (["--duration=10s", "--statsFrom=10s"], "make it less than --statsTo"),
        ([f"--topology={DUMBBELL}", "--rtt=20ms"], "--rtt=20ms: --topology describes the path"),
        ([f"--topology={DUMBBELL}[Rtts=20]"], "such as 20ms,40ms"),
        ([f"--topology={DUMBBELL}[Ipv6=false]", "--ipVersion=6"], "no IPv6 addresses"),
        (["--linkRate=10Mbps"], "--linkRate=10Mbps: "),
        (["--bottleneckRate=1Gbps"], "--accessRate=500Mbps: AccessRate: give LinkRate (1Gbps)"),
        (["--ns3::lfn::XcpController::Alpha=-1"], "Alpha"),
        (["--rtt=20ms", f"--{DUMBBELL}::Rtt=2ms"], f"goes with no --{DUMBBELL}::Rtt"),
        (["--queue=9p", "--ns3::lfn::XcpPort::MaxSize=5p"], "own MaxSize is 5p"),
        (["--queue=9p", "--queueDisc=ns3::PrioQueueDisc"], "own MaxSize is none"),
        (["--ns3::lfn::TcpSource::Congestion=ns3::TcpCubic"], "give --tcp"),
        (["--ns3::lfn::XcpQueueDisc::Fairness=ns3::lfn::XcpTcpFairness"], "give --mechanism"),
        (
            ["--ns3::TcpSocket::SegmentSize=500", "--startSpread=0"],
            "to 1000, for ns3::lfn::LongFat",
        ),
        (["--ns3::lfn::XcpTcpFairness::LossTimeout=3s"], "there is no ns3::lfn::XcpTcpFairness"),
        (["--mechanism=gated", f"--{LAW}::Gated=false"], "the program sets it itself, to true"),
        (["--mechanism=persistent", f"--{LAW}::Gated=true"], "the program sets it itself"),
        (["--xcpAccess", "--ns3::lfn::XcpPort::Controller=ns3::lfn::XcpController"], "share one"),
        (["--receiveBuffer=2GB"], "--receiveBuffer=2GB: "),
        (["20"], "20"),
    ],
)
def test_refuses(tmp_path, flags, part):
    refuse(PROGRAM, tmp_path, *flags, part=part)


@pytest.mark.parametrize(
    "flags",
    [
        ["--mechanism=persistent", "--ecn"],
        ["--mechanism=gated", "--estimator=bloom", "--inspectProbability=0.5"],
        ["--mechanism=adaptive", "--estimator=exact", "--ipVersion=6"],
        ["--mechanism=wrr", "--xcpAccess"],
        ["--queueDisc=ns3::FqCoDelQueueDisc", "--ecn", "--tcp=ns3::TcpCubic"],
        ["--queueDisc=ns3::PieQueueDisc[QueueDelayReference=5ms]"],
        ["--queueDisc=ns3::FifoQueueDisc", "--queue=20p", "--sack=false"],
        ["--udpRate=3Mbps", "--udpStart=1s", "--rateChange=2s:5Mbps,3s:20Mbps"],
        ["--rtt=10ms,20ms,40ms", "--tcpStop=3s", "--xcpStart=1s", "--startSpread=0"],
    ],
)
def test_goes_well(tmp_path, flags):
    result = run(tmp_path, *SHORT, *flags, "--statsFrom=2s")
    assert result.returncode == 0, result.stderr
    shares = [float(row["share"]) for row in rows(tmp_path)]
    assert sum(shares) == pytest.approx(1)
    assert all(row["failure"] == "" for row in rows(tmp_path))
    for row in rows(tmp_path):
        assert int(row["delivered_bytes"]) > 0
        assert 0.3 < float(row["utilisation"]) <= 1


def test_series_and_order_of_flows(tmp_path):
    flags = ["--mechanism=persistent", "--udpRate=1Mbps", "--seriesInterval=1s"]
    result = run(tmp_path, *SHORT, *flags)
    assert result.returncode == 0, result.stderr
    assert [row["protocol"] for row in rows(tmp_path)] == ["xcp", "tcp", "tcp", "udp"]
    assert {metric for flow, metric in metrics(tmp_path) if flow == "-1"} == {
        "queue_packets",
        "queue_peak_packets",
        "window_queue_packets",
        "window_utilisation",
        "utilisation",
        "xcp_rate_bps",
        "tcp_rate_bps",
        "xcp_flows_exact",
        "tcp_flows_exact",
        "xcp_flows_estimated",
        "tcp_flows_estimated",
        "drop_probability",
        "persistent_queue_bytes",
        "control_interval_s",
        "drops_tail",
        "drops_fairness",
    }
    assert {("0", "goodput_bps"), ("1", "cwnd_bytes"), ("0", "rtt_s")} <= metrics(tmp_path)


def test_a_flow_of_xcp_stays_one_when_syns_are_lost(tmp_path):
    files = []
    for name, flags in (("all", []), ("two", ["--ns3::lfn::XcpL4Protocol::XcpSyns=2"])):
        for number in range(1, 7):
            folder = tmp_path / f"{name}{number}"
            lossy = ["--xcpFlows=1", "--tcpFlows=0", "--lossRate=0.5", "--duration=20s"]
            lossy += ["--bottleneckRate=10Mbps"]
            files.append(tables_of(PROGRAM, folder, *lossy, f"--RngRun={number}", *flags))
    assert files[:6] != files[6:], "in no run two SYNs were lost"


def test_paced_growth_reaches_10_gbps(tmp_path):
    """ns-3's own limit of paced rates is 4 Gb/s; what it holds back would leave as a burst."""
    path = ["--bottleneckRate=10Gbps", "--accessRate=40Gbps", "--rtt=20ms", "--startSpread=0"]
    times = ["--duration=500ms", "--statsFrom=300ms"]
    result = run(tmp_path, "--xcpFlows=1", "--tcpFlows=0", *path, *times)
    assert result.returncode == 0, result.stderr
    (row,) = rows(tmp_path)
    assert float(row["window_goodput_bps"]) > 9e9
    assert row["drops_tail"] == "0"


def test_equal_runs_are_equal(tmp_path):
    flags = [*SHORT, "--mechanism=persistent", "--seriesInterval=1s"]
    one = tables_of(PROGRAM, tmp_path / "one", *flags, "--RngRun=5")
    assert one == tables_of(PROGRAM, tmp_path / "two", *flags, "--RngRun=5")
    assert one != tables_of(PROGRAM, tmp_path / "three", *flags, "--RngRun=6")


@pytest.mark.parametrize(
    "topology",
    [
        f"{DUMBBELL}[LinkRate=10Mbps|Pairs=2|Ipv6=true]",
        "ns3::lfn::PointToPointTopology[LinkRate=10Mbps]",
    ],
)
def test_topology(tmp_path, topology):
    result = run(tmp_path, f"--topology={topology}", "--duration=2s", "--mechanism=persistent")
    assert result.returncode == 0, result.stderr
    assert len(rows(tmp_path)) == 3
