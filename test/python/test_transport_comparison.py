# SPDX-License-Identifier: GPL-2.0-only
"""The program transport-comparison: all transports on all networks, and what it refuses."""

import functools
import itertools
import json
import os
import re

import project
import pytest
from project import BUILD, HOME, NETWORK, all_topologies, refuse, rows

import tables

PROGRAM = "transport-comparison"
run = functools.partial(project.run, PROGRAM)
TRAITS = tables.transports_of(tables.ask(BUILD / "bin/transport-comparison", "--PrintHelp"))
PLAIN = sorted(TRAITS)
TRANSPORTS = [
    *PLAIN,
    "vrp[MaxLossRate=0.05]",
    "jrm[MessagePackets=1]",
    "atou[Congestion=ns3::TcpCubic]",
    "atou[Options=fack 1; rampdown 1]",
    "tcp[Congestion=ns3::TcpBbr]",
    "tcp[Congestion=ns3::TcpVegas]",
    "parallel-tcp[Streams=9|Window=32768|Striping=Partition]",
    "parallel-tcp[Striping=OnDemand]",
    "fec-udp[BlockPackets=1]",
    "udt[Congestion=Blast]",
]
# As many again, for the matrix on demand.
MORE = [
    "vrp[FrameSize=100000|ConcurrentFrames=4]",
    "jrm[MessagePackets=64]",
    "tcp[Congestion=ns3::TcpCubic]",
    "tcp[Congestion=ns3::TcpHighSpeed]",
    "tcp[Congestion=ns3::TcpNewReno]",
    "parallel-tcp[Streams=8|Congestion=ns3::TcpCubic]",
    "fec-udp[BlockPackets=10]",
]
PATH = "ns3::lfn::PointToPointTopology"
SETTINGS = {
    "path": "PointToPointTopology[LinkRate=100Mbps|Rtt=10ms|Queue=250p]",
    "dumbbell": "DumbbellTopology[Pairs=2|LinkRate=50Mbps]",
    "star": "StarTopology[Hosts=3|Senders=3]",
    "slow": "PointToPointTopology[LinkRate=20Mbps|Rtt=80ms|Queue=60p|Jitter=1ms]",
    "parking lot": "ParkingLotTopology[LinkRate=20Mbps]",
    "tree": "MulticastTreeTopology[LinkRate=20Mbps]",
    "file": "FileTopology[File=network.csv]",
    "csma": "CsmaTopology[Hosts=3|Senders=3]",
    "wifi": "WifiTopology[Senders=2|Stations=2|Rtt=20ms|MulticastRate=24Mbps]",
}
ALL = {name: f"--topology=ns3::lfn::{text}" for name, text in all_topologies(SETTINGS).items()} | {
    "path": "--rtt=10ms"
}
TOPOLOGIES = {name: ALL[name] for name in ("path", "dumbbell", "star", "slow")}
WIDER = {name: text for name, text in ALL.items() if name not in TOPOLOGIES}
if os.environ.get("LFN_EXTENSIVE"):
    MATRIX = list(itertools.product([*TRANSPORTS, *MORE], ALL, ["0", "0.01"]))
else:
    MATRIX = [
        *itertools.product(TRANSPORTS, TOPOLOGIES, ["0.01"]),
        *itertools.product(PLAIN, WIDER, ["0.01"]),
    ]
RELIABLE = [name for name, traits in TRAITS.items() if "reliable" in traits]
RATED = [name for name, traits in TRAITS.items() if "needs a rate" in traits]


def check(row, count):
    """What is true of every row, any host that carried the flow."""
    assert row["completed"] == "1", row
    assert row["failure"] == "", row
    assert row["agrees"] == "1", row
    offered, delivered = int(row["offered_bytes"]), int(row["delivered_bytes"])
    assert offered >= count
    assert delivered + int(row["lost_bytes"]) == offered
    assert float(row["residual_loss"]) == pytest.approx(1 - delivered / offered, abs=1e-9)
    assert int(row["device_packets"]) > 0
    assert 0 < float(row["jain_index"]) <= 1
    if row["protocol"] in RELIABLE and "MaxLossRate" not in row["variant"]:
        assert delivered == offered


@pytest.fixture(autouse=True)
def network(tmp_path):
    """The file of the topology "file"."""
    (tmp_path / "network.csv").write_text(NETWORK)


@pytest.mark.parametrize(("transport", "topology", "loss"), MATRIX)
def test_matrix(tmp_path, transport, topology, loss):
    """Each alone; with LFN_EXTENSIVE set all of them everywhere, with and without losses."""
    flags = ["--bytes=1MB", f"--lossRate={loss}", "--checkContent", ALL[topology]]
    result = run(tmp_path, f"--transport={transport}", *flags)
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    assert row["protocol"] == transport.split("[")[0]
    check(row, 10**6)
    if loss == "0" and row["protocol"] in RATED:
        assert row["lost_bytes"] == "0"  # those have their own part of the link


STAR = "--topology=ns3::lfn::StarTopology"
DUMBBELL = "--topology=ns3::lfn::DumbbellTopology"
REORDERING = f"--topology={PATH}[Rtt=40ms|ReorderProbability=0.02]"


@pytest.mark.parametrize(
    "flags",
    [
        [REORDERING, "--lossRate=0.002"],
        ["--lossRate=0.03", "--reverseLoss", "--rtt=30ms"],
        ["--sendRate=15Mbps", "--queue=50p"],
        ["--bytes=1B"],
        ["--bytes=1401B"],
        ["--packetSize=10B", "--bytes=5kB", "--lossRate=0.02"],
        ["--packetSize=10B", "--bytes=5kB", "--lossRate=0.02", "--RngRun=3"],
    ],
    ids=[
        "reordering",
        "both ways",
        "above the link",
        "a byte",
        "a packet more",
        "tiny packets",
        "control packets larger than data",
    ],
)
def test_hard_paths(tmp_path, flags):
    """All side by side where much is lost, doubled, late, or very small."""
    count = next((int(flag[8:-1].replace("k", "000")) for flag in flags if "bytes" in flag), 10**6)
    size = [] if count < 10**6 else ["--bytes=1MB"]
    command = [f"--transport={','.join(TRANSPORTS)}", "--checkContent", *size, *flags]
    assert run(tmp_path, *command).returncode == 0
    for row in rows(tmp_path):
        check(row, count)


@pytest.mark.parametrize("topology", ALL)
def test_side_by_side(tmp_path, topology):
    flags = ["--flows=2", "--bytes=300kB", "--background=tcp", ALL[topology]]
    assert run(tmp_path, f"--transport={','.join(TRANSPORTS)}", *flags).returncode == 0
    found = rows(tmp_path)
    assert len(found) == 2 * len(TRANSPORTS) + 1
    for row in found[:-1]:
        check(row, 3 * 10**5)
    assert found[-1]["variant"] == "cross"
    assert found[-1]["completed"] == "0"
    assert found[-1]["residual_loss"] == ""
    assert found[-1]["agrees"] == "1"


def test_clean_path_counts_exactly(tmp_path):
    """Without losses the count at the device is what the applications say, header by header."""
    clean = ["--bytes=1MB", "--rtt=2ms", "--queue=10000p"]
    # VRP's and UDT's control packets go to the port of data, parallel TCP's chunks have headers.
    for name in [name for name in PLAIN if name not in ("vrp", "udt", "parallel-tcp")]:
        header = int(TRAITS[name][1])
        assert run(tmp_path, f"--transport={name}", *clean).returncode == 0
        (row,) = rows(tmp_path)
        packets, payload = int(row["device_packets"]), int(row["device_bytes"])
        surplus = packets - int(row["data_packets"])
        assert 0 <= surplus <= (int(row["control_packets"]) if name == "jrm" else 0), name
        assert payload - header * packets == int(row["delivered_bytes"]), name


def test_equal_runs_are_equal(tmp_path):
    """Equal RngRun gives equal bytes, another one other bytes."""
    names = "vrp,rbudp,jrm,udp,tcp[Congestion=ns3::TcpBbr]"
    flags = [f"--transport={names}", "--bytes=1MB", "--lossRate=0.02"]
    texts = []
    for number in (1, 1, 2):
        assert run(tmp_path, *flags, f"--RngRun={number}").returncode == 0
        texts.append((tmp_path / "here/summary.csv").read_text())
    assert texts[0] == texts[1] != texts[2]


def test_routers_are_made_once(tmp_path):
    tables = []
    for flags in (["--transport=xcp,xcp"], ["--transport=xcp", "--flows=2"]):
        assert run(tmp_path, *flags, "--bytes=5MB").returncode == 0
        tables.append(rows(tmp_path))
    assert tables[0] == tables[1]
    assert all(row["retransmitted_packets"] == "0" for row in tables[0])


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_all_clocks_start_with_the_application(tmp_path, transport):
    """The first send call comes with it or later: each transport has its own handshake."""
    flags = [f"--transport={transport}", "--start=500ms", "--bytes=200kB"]
    assert run(tmp_path, *flags).returncode == 0
    (row,) = rows(tmp_path)
    assert row["application_start_s"] == "0.5"
    assert float(row["start_s"]) >= 0.5


@pytest.mark.parametrize("transport", PLAIN)
def test_goodput_counts_from_the_start_of_the_application(tmp_path, transport):
    """Connection set-up is part of the time, in the table and in the line that is printed."""
    flags = ["--start=500ms", "--bytes=10MB", "--rtt=80ms", "--linkRate=1Gbps"]
    result = run(tmp_path, f"--transport={transport}", *flags)
    assert result.returncode == 0
    (row,) = rows(tmp_path)
    time = float(row["last_delivery_s"]) - 0.5
    rate = 8 * int(row["delivered_bytes"]) / time
    assert float(row["goodput_bps"]) == pytest.approx(rate, rel=1e-9)
    printed = re.search(r" in ([\d.]+) s, ([\d.]+) Mb/s", result.stdout)
    assert float(printed[1]) == pytest.approx(time, rel=2e-3, abs=1e-3)
    assert float(printed[2]) == pytest.approx(rate / 1e6, rel=2e-3)
    handshakes = {"tcp": 1, "xcp": 1, "parallel-tcp": 1, "rbudp": 1.5, "udt": 2}
    assert float(row["start_s"]) - 0.5 == pytest.approx(
        0.08 * handshakes.get(transport, 0), abs=0.001
    )


@pytest.mark.parametrize("transport", PLAIN)
def test_nothing_is_simulated_before_a_late_start(tmp_path, transport):
    events = []
    for name, start in (("soon", "0s"), ("late", "4294967s")):
        folder = tmp_path / name
        folder.mkdir()
        run(folder, f"--transport={transport}", "--bytes=100kB", f"--start={start}")
        (flow,) = rows(folder)
        assert flow["completed"] == "1", flow
        events.append(json.loads((folder / "here/run.json").read_text())["events"])
    assert events[1] < events[0] + 1000, events


@pytest.mark.parametrize(
    "transport", PLAIN if os.environ.get("LFN_EXTENSIVE") else ["fec-udp", "xcp"]
)
def test_memory_of_what_is_in_flight(tmp_path, transport):
    path = ("--linkRate=10Gbps", "--rtt=100ms", "--duration=1s")
    assert run(tmp_path, f"--transport={transport}", "--bytes=1250MB", *path).returncode == 0
    peak = json.loads((tmp_path / "here/run.json").read_text())["peak_resident_bytes"]
    assert peak < 100e6


def test_starts_rates_and_series(tmp_path):
    flags = ["--transport=udp,udp", "--start=0s,500ms", "--sendRate=8Mbps", "--bytes=500kB"]
    assert run(tmp_path, *flags, "--seriesInterval=100ms").returncode == 0
    first, second = rows(tmp_path)
    assert float(first["start_s"]) == 0
    assert float(second["start_s"]) == 0.5
    for row in (first, second):
        # The last datagram takes half an RTT.
        assert float(row["goodput_bps"]) == pytest.approx(4e6 / 0.51, rel=0.01)
    series = (tmp_path / "here/series.csv").read_text()
    assert ",1,goodput_bps," in series
    assert ",-1,queue_packets," in series


@pytest.mark.parametrize("transport", ["udp", "fec-udp"])
def test_what_is_under_way_at_the_end_arrives(tmp_path, transport):
    """The queue that counts is not one of the bottleneck's: in front of a slower link behind it."""
    (tmp_path / "slow.csv").write_text(
        "kind,a,b,rate,delay,queue,loss,bottleneck\n"
        "node,a,sender\nnode,b,receiver\nnode,r\n"
        "link,a,r,100Mbps,5ms,10000p,,bottleneck\nlink,r,b,10Mbps,5ms,10000p\n"
    )
    network = "--topology=ns3::lfn::FileTopology[File=slow.csv]"
    assert run(tmp_path, f"--transport={transport}", "--bytes=3MB", network).returncode == 0
    (row,) = rows(tmp_path)
    check(row, 3 * 10**6)
    assert row["lost_bytes"] == "0"


@pytest.mark.parametrize(
    "network",
    [
        f"{PATH}[LinkRate=100Mbps|Rtt=20ms|Queue=250p|Jitter=50ms]",
        f"{PATH}[LinkRate=100Mbps|Rtt=1ms|Queue=10p|ReorderProbability=0.5]",
    ],
)
def test_what_the_network_holds_arrives(tmp_path, network):
    """Longer than propagation and queues hold a packet."""
    flags = ["--transport=udp", "--bytes=140kB", f"--topology={network}"]
    assert run(tmp_path, *flags).returncode == 0
    (row,) = rows(tmp_path)
    check(row, 140000)
    assert row["lost_bytes"] == "0"


def test_every_queue_on_the_way_may_hold_up_the_last_packets(tmp_path):
    """Eight full queues in a row, where one alone would hold a packet for an eighth of the time."""
    lot = "ns3::lfn::ParkingLotTopology[Hops=8|LinkRate=5Mbps|AccessRate=100Mbps|Queue=100p]"
    cross = ["--background=tcp[Flows=8|Congestion=ns3::TcpCubic]"]
    flags = ["--transport=udp", "--bytes=14kB", "--start=12s", f"--topology={lot}"]
    assert run(tmp_path, *flags, *cross).returncode == 0
    row = rows(tmp_path)[0]
    check(row, 14000)
    assert float(row["last_delivery_s"]) > 13.2


def test_waiting_for_the_last_packets_is_not_measured(tmp_path):
    """A queue that nobody fills changes nothing but how long the program waits for stragglers."""
    found = []
    for queue in ("3000p", "30000p"):
        network = f"--topology=ns3::lfn::DumbbellTopology[Queue={queue}]"
        flags = ["--transport=tcp", "--bytes=1MB", "--sendRate=40Mbps", "--background=tcp", network]
        assert run(tmp_path, *flags).returncode == 0
        found.append(rows(tmp_path))
    own, cross = found[0]
    names = ["finish_s", "goodput_bps", "mean_queue_packets", "utilisation", "jain_index"]
    assert [[row[name] for name in names] for row in found[1]] == [
        [row[name] for name in names] for row in found[0]
    ]
    assert float(cross["finish_s"]) == pytest.approx(float(own["finish_s"]), abs=0.05)
    assert 0 < float(cross["goodput_bps"]) < 100e6


@pytest.mark.parametrize("transport", ["udp", "fec-udp"])
def test_nobody_delivers_faster_than_the_link(tmp_path, transport):
    flags = [f"--transport={transport}", "--bytes=1MB", "--sendRate=1Gbps"]
    assert run(tmp_path, *flags).returncode == 0
    (row,) = rows(tmp_path)
    assert 50e6 < float(row["goodput_bps"]) < 100e6
    assert row["finish_s"] == row["last_delivery_s"]


def test_a_refused_command_leaves_older_captures_alone(tmp_path):
    flags = ["--transport=udp", "--bytes=10kB", "--pcap=x"]
    assert run(tmp_path, *flags).returncode == 0
    before = {path.name: path.read_bytes() for path in tmp_path.glob("x-*.pcap")}
    assert len(before) == 2
    assert run(tmp_path, *flags, "--start=0s,1s").returncode == 1
    assert {path.name: path.read_bytes() for path in tmp_path.glob("x-*.pcap")} == before


@pytest.mark.parametrize("size", [10, 100, 1400])
def test_the_share_leaves_room_for_headers(tmp_path, size):
    flags = ["--bytes=300kB", f"--packetSize={size}B", "--queue=50p"]
    assert run(tmp_path, "--transport=udp,fec-udp", *flags).returncode == 0
    for row in rows(tmp_path):
        check(row, 3 * 10**5)
        assert row["lost_bytes"] == "0"
        assert float(row["utilisation"]) < 0.9


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("topology", ["path", "dumbbell"])
def test_a_run_may_end_before_its_transfers(tmp_path, transport, topology):
    """Sockets that are open when nodes are taken apart must not send."""
    flags = ["--bytes=400MB", "--duration=600ms", TOPOLOGIES[topology]]
    result = run(tmp_path, f"--transport={transport}", *flags)
    assert result.returncode == 0, result.stderr
    (row,) = rows(tmp_path)
    assert row["completed"] == "0"
    assert 0 < int(row["delivered_bytes"]) < 400 * 10**6


def test_endless_flows_end_with_the_run(tmp_path):
    names = ",".join(name for name in PLAIN if name != "rbudp")  # which needs its size
    result = run(tmp_path, f"--transport={names}", "--bytes=0", "--duration=5s")
    assert result.returncode == 0
    for row in rows(tmp_path):
        assert row["completed"] == "0"
        assert row["agrees"] == "1", row
        assert float(row["goodput_bps"]) > 1e6


def test_flows_stop_at_their_times(tmp_path):
    names = [name for name in PLAIN if name not in ("rbudp", "udp")]  # rbudp needs its size
    flags = [f"--transport={','.join([*names, 'udp'])}", "--bytes=0", "--duration=2s"]
    flags += [f"--stop={'700ms,' * len(names)}0", "--linkRate=100Mbps", "--seriesInterval=100ms"]
    assert run(tmp_path, *flags).returncode == 0
    samples = rows(tmp_path, "series")
    for row in rows(tmp_path):
        late = [
            float(sample["value"])
            for sample in samples
            if (sample["flow"], sample["metric"]) == (row["flow"], "goodput_bps")
            and float(sample["time_s"]) > 1.25
        ]
        assert (max(late) > 0) == (row["protocol"] == "udp"), row
        assert row["agrees"] == ("1" if row["protocol"] == "udp" else ""), row


def test_every_transport_of_the_module_is_listed():
    headers = {path.stem.removesuffix("-transport") for path in HOME.glob("helper/*/*-transport.h")}
    assert headers - {"lfn", "lfn-application"} == set(PLAIN)


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--transport="], "--transport=: "),
        (["--transport=tahoe"], "there is no transport tahoe, give atou, "),
        (["--transport=tcp,,udp"], "there is no transport , give"),
        (["--transport=tcp[Congestion=ns3::TcpTahoe]"], "give one of ns3::TcpBbr, "),
        (["--transport=tcp[Window=3]"], "there is no attribute of ns3::lfn::TcpTransport Window"),
        (["--transport=tcp[Congestion"], "tcp: "),
        (
            ["--transport=udt[ConnectTimeout=60s]"],
            "UdtTransport ConnectTimeout: give --ns3::lfn::UdtSource::ConnectTimeout",
        ),
        (
            ["--transport=xcp[Congestion=ns3::TcpCubic]"],
            "there is no attribute of ns3::lfn::XcpTransport",
        ),
        (["--transport=ns3::lfn::Transport"], "not abstract"),
        (["--transport=ns3::TcpSocketFactory"], "derived from ns3::lfn::Transport"),
        (["--transport=vrp[MaxLossRate=2]"], "vrp: MaxLossRate: "),
        (["--transport=rbudp", "--bytes=0", "--duration=1s"], "give --bytes above 0"),
        (["--bytes=0"], "--bytes=0B: give --duration as well"),
        (["--bytes=1e6"], "--bytes=1e6: "),
        (["--flows=0"], "--flows=0: "),
        (["--flows=1500", "--transport=tcp,udp"], "2000 flows in all at most"),
        (["--start=1s,2s"], "--start=1s,2s: give one for all or one for each of the 1"),
        (["--start=-1s"], "--start=-1s: "),
        (["--stop=1s,2s"], "--stop=1s,2s: give one for all or one for each of the 1"),
        (["--start=2s", "--stop=1s"], "--stop=1s: flows would end before they start"),
        (["--sendRate=10"], "--sendRate=10: the unit is missing"),
        (["--packetSize=1429"], "--packetSize=1429B: make it at most 1428"),
        (["--packetSize=0"], "--packetSize=0: "),
        (["--packetSize=5000", "--transport=udp", STAR], "make it at most 1428"),
        (["--packetSize=5000", "--transport=rbudp", DUMBBELL], "make it at most 1428"),
        (["--packetSize=1429", f"{DUMBBELL}[Mtu=1500]"], "make it at most 1428"),
        (["--packetSize=1000", f"{DUMBBELL}[Mtu=1000]"], "make it at most 928"),
        (
            ["--transport=jrm[MessagePackets=1]", "--packetSize=1", "--sendRate=100Gbps"],
            "jrm sends 0.000001",
        ),
        (["--linkRate=1bps", "--transport=udp,udp"], "leaves none of them 1 bps"),
        (["--background=tcp[Congestion=ns3::TcpTahoe]"], "give one of ns3::TcpBbr, "),
        (["--topology=ns3::lfn::StarTopology", "--rtt=1ms"], "--topology describes the path"),
        (["--transports=tcp"], "did you mean --transport?"),
        (["tcp"], "tcp"),
    ],
)
def test_refuses(tmp_path, flags, part):
    refuse(PROGRAM, tmp_path, *flags, part=part)


@pytest.mark.parametrize("name", ["tcp", "parallel-tcp"])
@pytest.mark.parametrize(
    ("brackets", "flags", "congestion"),
    [
        ("", [], "ns3::TcpCubic"),
        ("[Congestion=ns3::TcpVegas]", [], "ns3::TcpVegas"),
        ("", ["--ns3::TcpL4Protocol::SocketType=ns3::TcpNewReno"], "ns3::TcpNewReno"),
        (
            "[Congestion=ns3::TcpBbr]",
            ["--ns3::TcpL4Protocol::SocketType=ns3::TcpNewReno"],
            "ns3::TcpBbr",
        ),
    ],
)
def test_tcp_names_its_congestion_control(tmp_path, name, brackets, flags, congestion):
    """The one that it has, however it was given, and the name gives the same run again."""
    path = ["--bytes=1MB", "--lossRate=0.01"]
    result = run(tmp_path, f"--transport={name}{brackets}", *path, *flags)
    assert result.returncode == 0
    table = rows(tmp_path)
    variant = f"Congestion={congestion}"
    assert [row["variant"] for row in table] == [variant]
    assert f"{name} {variant}: " in result.stdout
    about = json.loads((tmp_path / "here/run.json").read_text())
    assert about["transports"] == [f"{name} {variant}"]
    again = tmp_path / "again"
    again.mkdir()
    assert run(again, f"--transport={name}[{variant}]", *path).returncode == 0
    assert rows(again) == table


def test_tcp_of_a_default_that_another_ns3_may_have(tmp_path):
    """CUBIC by name, so that it is no matter what ns-3 has."""
    text = run(tmp_path, "--PrintAttributes=ns3::lfn::TcpTransport").stdout
    assert re.search(r"ns3::lfn::TcpTransport::Congestion=\[ns3::TcpCubic\]", text), text


def test_alone_each_flow_has_the_path_to_itself(tmp_path):
    """One table, in which each row is that of a run with this transport only."""
    path = ["--bytes=20MB", "--linkRate=200Mbps", "--rtt=80ms", "--seriesInterval=1s"]
    names = ["tcp", "rbudp", "atou", "vrp", "xcp", "udp"]
    assert run(tmp_path, f"--transport={','.join(names)}", "--alone", *path).returncode == 0
    found, series = rows(tmp_path), rows(tmp_path, "series")
    about = json.loads((tmp_path / "here/run.json").read_text())
    events, simulated = 0, 0
    for number, (name, row) in enumerate(zip(names, found, strict=True)):
        own = tmp_path / name
        own.mkdir()
        assert run(own, f"--transport={name}", *path).returncode == 0
        (expected,) = rows(own)
        assert row == expected | {"flow": str(number), "jain_index": ""}
        samples = [line | {"flow": ""} for line in series if line["flow"] == str(number)]
        assert samples == [line | {"flow": ""} for line in rows(own, "series")]
        one = json.loads((own / "here/run.json").read_text())
        events, simulated = events + one["events"], simulated + one["simulated_s"]
    assert (about["flows"], about["events"]) == (len(names), events)
    assert about["simulated_s"] == pytest.approx(simulated)
    assert about["flags"]["alone"] == "true"
    rate = {row["protocol"]: float(row["goodput_bps"]) for row in found}
    assert rate["rbudp"] > 140e6  # 40e6 with the others


def test_alone_a_flow_keeps_its_hosts_ports_and_random_numbers(tmp_path):
    """Flows of one transport are not copies of one flow: only the others are missing."""
    flags = ["--transport=udp,vrp", "--flows=2", "--bytes=500kB", "--lossRate=0.02", DUMBBELL]
    assert run(tmp_path, *flags, "--alone", "--start=0s,1s").returncode == 0
    found = rows(tmp_path)
    assert [row["flow"] for row in found] == ["0", "1", "2", "3"]
    assert [row["application_start_s"] for row in found] == ["0", "0", "1", "1"]
    text = (tmp_path / "here/summary.csv").read_text()
    assert run(tmp_path, *flags, "--alone", "--start=0s,1s").returncode == 0
    assert (tmp_path / "here/summary.csv").read_text() == text


def test_a_source_that_ends_before_its_data_ends_the_run(tmp_path):
    """atou's MaxTime: only what was acknowledged can be in the receiving host."""
    flags = ["--transport=atou", "--bytes=20MB", "--ns3::lfn::AtouOptions::MaxTime=200ms"]
    assert run(tmp_path, *flags).returncode == 0
    (row,) = rows(tmp_path)
    assert row["completed"] == "0"
    assert row["failure"] == "data are missing that are not sent any more"
    assert 0 < int(row["delivered_bytes"]) < int(row["offered_bytes"])


def test_alone_takes_attributes_of_some_of_the_flows(tmp_path):
    words = ["--transport=tcp,rbudp", "--bytes=100kB", "--alone", "--linkSchedule=down.csv"]
    (tmp_path / "down.csv").write_text("0,bottleneck,state,down\n9,bottleneck,state,up\n")
    assert run(tmp_path, *words).returncode == 0
    tcp, rbudp = rows(tmp_path)
    assert (tcp["completed"], rbudp["completed"]) == ("1", "0")
    assert "ConnectTimeout" in rbudp["failure"]  # the receiver's, which is the earlier one
    assert float(rbudp["finish_s"]) > 5  # it gave up without a first send call
    longer = "--ns3::lfn::RbudpReceiver::ConnectTimeout=20s"
    assert run(tmp_path, *words, longer).returncode == 0
    assert [row["completed"] for row in rows(tmp_path)] == ["1", "1"]
    nobody = "--ns3::lfn::UdtSource::ConnectTimeout=20s"
    (tmp_path / "other").mkdir()
    part = "no ns3::lfn::UdtSource in this run"
    refuse(PROGRAM, tmp_path / "other", *words[:3], nobody, part=part)


def test_alone_objects_are_counted_for_their_flow(tmp_path):
    flags = ["--transport=tcp,jrm", "--objects=control", "--bytes=30kB"]
    assert run(tmp_path, *flags, "--alone").returncode == 0
    assert [row["objects"] for row in rows(tmp_path)] == ["30", "30"]


@pytest.mark.parametrize(
    ("flag", "part"),
    [
        ("--background=tcp", "--background=tcp: it belongs to one network"),
        ("--pcap=x", "--pcap=x: it belongs to one network"),
        ("--flowMonitor", "--flowMonitor=true: it belongs to one network"),
        ("--attributes", "--attributes=true: it belongs to one network"),
        ("--linkRate=1bps", "leaves none of them 1 bps"),
    ],
)
def test_alone_refuses(tmp_path, flag, part):
    refuse(PROGRAM, tmp_path, "--alone", "--transport=tcp,udp", flag, part=part)
