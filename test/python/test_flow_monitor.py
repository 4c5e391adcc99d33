# SPDX-License-Identifier: GPL-2.0-only
"""--flowMonitor: ns-3's FlowMonitor sees every flow, and counts what the independent counter
counts."""

import itertools
import xml.etree.ElementTree as ElementTree

import pytest
import wire
from project import NETWORK, PROGRAMS, rows, run
from test_transport_comparison import PLAIN

# Programs whose series have windows with --monitor alone.
MORE_WINDOWS = {"transport-comparison", "vrp-transfer", "rbudp-transfer"}
PORT, PORTS = 20000, 8  # of flow 0 in transport-comparison
TOPOLOGIES = {
    "path": "--rtt=10ms",
    "dumbbell": "--topology=ns3::lfn::DumbbellTopology[Pairs=2|LinkRate=50Mbps]",
    "parking lot": "--topology=ns3::lfn::ParkingLotTopology[LinkRate=20Mbps]",
}
# IP and what follows, of a packet of data; TCP alone has time stamps.
HEADERS = {"tcp": 20 + 32, "parallel-tcp": 20 + 32, "xcp": 20 + 20 + 20}
UDP_HEADERS = 20 + 8


def flows(folder):
    """Return the flows of a run: [{name: value}], both of the classifier and of the counts."""
    root = ElementTree.parse(folder / "here/flowmonitor.xml").getroot()
    assert root.tag == "FlowMonitor"
    counts = {row.get("flowId"): row for row in root.find("FlowStats")}
    found = []
    for version in ("Ipv4FlowClassifier", "Ipv6FlowClassifier"):
        for flow in root.find(version):
            row = counts.pop(flow.get("flowId"))
            dropped = sum(int(drop.get("number")) for drop in row.findall("packetsDropped"))
            found.append({**row.attrib, **flow.attrib, "version": version, "dropped": dropped})
    assert not counts, "counts of a flow in no classifier"
    return found


@pytest.mark.parametrize(("transport", "topology"), list(itertools.product(PLAIN, TOPOLOGIES)))
def test_counts_are_those_of_the_counter(tmp_path, transport, topology):
    """Packets and bytes that came, of all flows of a transfer; and nothing else changes."""
    flags = [f"--transport={transport}", "--bytes=500kB", "--lossRate=0.01", TOPOLOGIES[topology]]
    tables = []
    for more in ([], ["--flowMonitor"]):
        result = run("transport-comparison", tmp_path, *flags, *more)
        assert (result.returncode, result.stderr) == (0, "")
        tables.append((tmp_path / "here/summary.csv").read_bytes())
    assert tables[0] == tables[1]
    (row,) = rows(tmp_path)
    ours = [
        flow
        for flow in flows(tmp_path)
        if any(0 <= int(flow[end]) - PORT < PORTS for end in ("sourcePort", "destinationPort"))
    ]
    packets, payload = int(row["device_packets"]), int(row["device_bytes"])
    control = int(row["device_control_bytes"])
    header = HEADERS.get(transport, UDP_HEADERS)
    came = sum(int(flow["rxBytes"]) for flow in ours)
    assert packets > 300
    assert came == payload + header * packets + control
    data = [flow for flow in ours if int(flow["destinationPort"]) == PORT]
    assert sum(int(flow["rxPackets"]) for flow in data) >= packets
    assert sum(int(flow["txPackets"]) for flow in ours) > sum(
        int(flow["rxPackets"]) for flow in ours
    )
    protocols = {int(flow["protocol"]) for flow in ours}
    assert protocols == {"xcp": {wire.XCP}, "rbudp": {wire.UDP, wire.TCP}}.get(
        transport, {wire.TCP} if transport in HEADERS else {wire.UDP}
    )
    for flow in ours:
        if not flow["destinationAddress"].startswith("239."):
            lost = int(flow["txPackets"]) - int(flow["rxPackets"])
            assert lost == int(flow["lostPackets"]) == flow["dropped"], flow


@pytest.mark.parametrize("program", PROGRAMS)
def test_monitor_adds_columns_and_changes_nothing(tmp_path, program):
    """--monitor: delay and jitter of each flow; all that was there stays as it was."""
    flags = [*PROGRAMS[program], "--lossRate=0.01", "--seriesInterval=50ms"]
    tables = {}
    for more in ("", "--monitor"):
        result = run(program, tmp_path, *flags, *filter(None, [more]))
        assert (result.returncode, result.stderr) == (0, "")
        tables[more] = rows(tmp_path), rows(tmp_path, "series")
    (plain, series), (monitored, more_series) = tables.values()
    names = ["delay_mean_s", "delay_p95_s", "delay_p99_s", "delay_max_s", "jitter_s"]
    assert list(monitored[0]) == [*plain[0], *names]
    assert [{name: row[name] for name in plain[0]} for row in monitored] == plain
    own = [row for row in more_series if row["metric"] not in {"delay_s", "jitter_s"}]
    own = [row for row in own if row in series or program not in MORE_WINDOWS]
    assert own == series
    for row in monitored:
        mean, p95, p99, most, jitter = (float(row[name]) for name in names)
        assert 0 < jitter < most
        assert mean < 1.001 * most
        assert p95 <= p99 <= most
    flows = {row["flow"] for row in more_series if row["metric"] == "delay_s"}
    assert flows == {row["flow"] for row in monitored}


def test_monitor_samples_windows(tmp_path):
    """Congestion window, threshold and round-trip time of the senders that have them."""
    names = ("tcp", "xcp", "atou", "vrp", "udp")
    flags = [f"--transport={','.join(names)}", "--bytes=2MB", "--lossRate=0.01", "--monitor"]
    result = run("transport-comparison", tmp_path, *flags, "--seriesInterval=20ms")
    assert (result.returncode, result.stderr) == (0, "")
    found = {name: {} for name in names}
    for row in rows(tmp_path, "series"):
        if row["flow"] != "-1":
            flow = found[names[int(row["flow"])]]
            flow.setdefault(row["metric"], []).append(float(row["value"]))
    of_all = {"goodput_bps", "delay_s", "jitter_s"}
    window = {"cwnd_bytes", "ssthresh_bytes", "rtt_s"}
    for name, more in {"tcp": window, "atou": window, "vrp": {"rtt_s"}, "udp": set()}.items():
        assert set(found[name]) == of_all | more, name
    for name in ("tcp", "xcp", "atou"):
        assert min(found[name]["cwnd_bytes"]) >= 1400
        assert 0.02 <= max(found[name]["rtt_s"]) < 0.1


@pytest.mark.parametrize(
    ("program", "flags"),
    [
        ("jrm-session", ["--receivers=1", "--messages=100"]),
        ("transport-comparison", ["--transport=jrm", "--bytes=1MB"]),
        ("transport-comparison", ["--transport=udp", "--bytes=1MB", "csma"]),
        ("transport-comparison", ["--transport=udp", "--bytes=1MB", "wifi"]),
    ],
)
def test_losses_that_no_probe_sees_are_counted(tmp_path, program, flags):
    """Copies to a group, and losses in front of a node: in runs of less than ten seconds."""
    names = {
        "csma": "--topology=ns3::lfn::CsmaTopology",
        "wifi": "--topology=ns3::lfn::WifiTopology",
    }
    flags = [names.get(flag, flag) for flag in flags]
    result = run(program, tmp_path, *flags, "--lossRate=0.05", "--flowMonitor")
    assert (result.returncode, result.stderr) == (0, "")
    data = max(flows(tmp_path), key=lambda flow: int(flow["txPackets"]))
    sent, came, lost = (int(data[name]) for name in ("txPackets", "rxPackets", "lostPackets"))
    # A Wi-Fi queue may hold a packet for half a second: the last losses may be under way.
    least = 0.75 if "wifi" in str(flags).lower() else 1
    assert least * (sent - came) <= lost <= sent - came
    assert lost > 0
    # ns-3's own remains available.
    own = "--ns3::FlowMonitor::MaxPerHopDelay=10s"
    run(program, tmp_path, *flags, "--lossRate=0.05", "--flowMonitor", own)
    assert {flow["lostPackets"] for flow in flows(tmp_path)} == {"0"}


def test_packets_on_their_way_are_not_lost(tmp_path):
    """A run that ends while packets wait in a queue: none of them is lost."""
    path = ["--linkRate=10Mbps", "--rtt=200ms", "--queue=1000p"]
    flags = ["--transport=udp", "--bytes=0", "--sendRate=20Mbps", "--duration=1s"]
    result = run("transport-comparison", tmp_path, *flags, *path, "--flowMonitor")
    assert (result.returncode, result.stderr) == (0, "")
    (data,) = flows(tmp_path)
    assert int(data["txPackets"]) - int(data["rxPackets"]) > 500
    assert data["lostPackets"] == "0"


def test_xcp_over_ipv6(tmp_path):
    """What came at each host by its capture is what FlowMonitor says."""
    flags = [
        "--ipVersion=6",
        "--duration=2s",
        "--bottleneckRate=5Mbps",
        "--xcpFlows=1",
        "--tcpFlows=1",
    ]
    result = run("xcp-tcp-fairness", tmp_path, *flags, "--pcap=x", "--flowMonitor")
    assert (result.returncode, result.stderr) == (0, "")
    found = flows(tmp_path)
    assert {int(flow["protocol"]) for flow in found} == {wire.XCP, wire.TCP}
    assert {flow["version"] for flow in found} == {"Ipv6FlowClassifier"}
    captured = {}
    for path in tmp_path.glob("x-*.pcap"):
        for segment in wire.segments(path):
            key = (path.name, segment.protocol, *segment.ports, segment.addresses)
            captured[key] = captured.get(key, 0) + 1
    for flow in found:
        key = (int(flow["protocol"]), int(flow["sourcePort"]), int(flow["destinationPort"]))
        ends = (flow["sourceAddress"], flow["destinationAddress"])
        counts = [
            n
            for (_, *rest, addresses), n in captured.items()
            if (*rest,) == key and addresses == ends
        ]
        # Links at the sender have seen what left its queue, those at the receiver what came.
        assert min(counts) == int(flow["rxPackets"]) > 100
        assert int(flow["rxPackets"]) <= max(counts) <= int(flow["txPackets"])


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_writes_it(tmp_path, program):
    """A run still ends when nothing is left to do."""
    (tmp_path / "network.csv").write_text(NETWORK)
    result = run(program, tmp_path, *PROGRAMS[program], "--flowMonitor")
    assert (result.returncode, result.stderr) == (0, "")
    found = flows(tmp_path)
    assert found
    assert all(int(flow["rxPackets"]) > 0 for flow in found)


def test_only_when_asked(tmp_path):
    assert run("rbudp-transfer", tmp_path, "--bytes=10kB").returncode == 0
    assert not (tmp_path / "here/flowmonitor.xml").exists()


def test_its_attributes_have_effect(tmp_path):
    """A monitor that begins after the run counts nothing, though flows are known."""
    flags = ["--bytes=200kB", "--flowMonitor", "--ns3::FlowMonitor::StartTime=1h"]
    assert run("rbudp-transfer", tmp_path, *flags).returncode == 0
    root = ElementTree.parse(tmp_path / "here/flowmonitor.xml").getroot()
    assert len(root.find("FlowStats")) == 0
    assert len(root.find("Ipv4FlowClassifier")) == 3


def test_captures_say_node_and_protocol(tmp_path):
    flags = ["--transport=rbudp,xcp", "--bytes=20kB", "--pcap=x"]
    dumbbell = "--topology=ns3::lfn::DumbbellTopology[Pairs=2]"
    assert run("transport-comparison", tmp_path, *flags, dumbbell).returncode == 0
    names = sorted(path.name for path in tmp_path.glob("x-*"))
    assert len(names) == 10
    assert sum("-rbudp.pcap" in name for name in names) == 2
    assert sum("-xcp.pcap" in name for name in names) == 2
    assert sum("-rbudp+xcp.pcap" in name for name in names) == 6
    assert all(wire.segments(tmp_path / name) for name in names)
