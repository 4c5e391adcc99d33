# SPDX-License-Identifier: GPL-2.0-only
"""Every scenario program on every topology, and files of networks."""

import json
import resource
import subprocess
import sys

import pytest
from project import HOME, NETWORK, PROGRAMS, all_topologies, rows, run

SETTINGS = {
    "path": "PointToPointTopology[LinkRate=10Mbps|Rtt=20ms]",
    "dumbbell": "DumbbellTopology[LinkRate=10Mbps|Rtt=20ms]",
    "parking lot": "ParkingLotTopology[LinkRate=10Mbps|Rtt=40ms]",
    "star": "StarTopology[LinkRate=10Mbps|Rtt=20ms]",
    "star of both": "StarTopology[LinkRate=10Mbps|Hosts=3|Senders=3|Rtt=20ms]",
    "tree": "MulticastTreeTopology[LinkRate=10Mbps|Rtt=20ms]",
    "file": "FileTopology[File=network.csv]",
    "csma": "CsmaTopology[LinkRate=10Mbps]",
    "csma of both": "CsmaTopology[LinkRate=10Mbps|Hosts=3|Senders=3]",
    "wifi": "WifiTopology",
}
TOPOLOGIES = all_topologies(SETTINGS)
# Both hosts have two links: they are routers as well.
SQUARE = """\
node,a,sender
node,b,receiver
node,c
node,d
link,a,c,10Mbps,1ms
link,a,d,20Mbps,1ms
link,c,b,10Mbps,1ms
link,d,b,20Mbps,2ms
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "network.csv").write_text(NETWORK)
    (tmp_path / "square.csv").write_text(SQUARE)
    return tmp_path


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_on_every_topology(folder, program, topology, version):
    flags = [*PROGRAMS[program], f"--topology=ns3::lfn::{TOPOLOGIES[topology]}"]
    flags.append(f"--ipVersion={version}")
    result = run(program, folder, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    for row in rows(folder):
        assert row.get("failure", "") == ""
        assert int(row["delivered_bytes"]) > 0
        if program not in ("xcp-tcp-fairness", "rbudp-streaming"):  # those have no end of their own
            assert row["completed"] == "1"
            assert row["delivered_bytes"] == row["offered_bytes"] or program == "jrm-session"


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_routes_by_hash_change_no_result(folder, topology, version):
    results = []
    for hashed in "true", "false":
        name, _, attributes = TOPOLOGIES[topology].partition("[")
        given = f"ns3::lfn::{name}[HashedRouting={hashed}" + (
            f"|{attributes}" if attributes else "]"
        )
        flags = [
            "--bytes=300kB",
            "--lossRate=0.01",
            f"--ipVersion={version}",
            f"--topology={given}",
        ]
        result = run("transport-comparison", folder, *flags)
        assert (result.returncode, result.stderr) == (0, "")
        results.append((folder / "here/summary.csv").read_bytes())
    assert results[0] == results[1]


@pytest.mark.parametrize("program", PROGRAMS)
def test_flags_that_a_topology_replaces(folder, program):
    """They are not in run.json, where their defaults would be wrong, and cannot be given."""
    topology = f"--topology=ns3::lfn::{TOPOLOGIES['star']}"
    usual = [flag.replace("duration=3s", "duration=100ms") for flag in PROGRAMS[program]]
    found = []
    for more in [], [topology]:
        assert run(program, folder, *usual, *more).returncode == 0
        found.append(json.loads((folder / "here/run.json").read_text())["flags"])
    alone, alongside = found
    replaced = set(alone) - set(alongside)
    own = {
        "atou-transfer": {"reverseRate", "policer", "policerBurst", "linkRate", "queue"}
        | {"reorder", "reorderExtent", "reorderDistribution", "reorderMean"},
        "xcp-tcp-fairness": {"bottleneckRate", "accessRate"},
    }
    assert replaced >= {"rtt", "mtu"} | own.get(program, {"linkRate", "queue"})
    follow = {"topology", "sendTimeout", "receiveBuffer"}  # what they are follows from the path
    assert {name: alongside[name] for name in alone if name not in replaced | follow} == {
        name: alone[name] for name in alongside if name not in follow
    }
    for name in replaced:
        value = alone[name].replace("0bps", "1bps") or "1"  # some defaults no flag takes
        flag = f"--{name}={value}"
        result = run(program, folder, topology, flag)
        assert result.returncode == 1
        assert f"{flag}: --topology describes the path" in result.stderr


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_equal_runs_are_equal(folder, topology):
    flags = ["--bytes=200kB", "--sendRate=5Mbps", "--lossRate=0.05"]
    flags += [f"--topology=ns3::lfn::{TOPOLOGIES[topology]}", "--seriesInterval=50ms"]
    written = []
    for more in (), (), ("--RngRun=2",):
        assert run("rbudp-transfer", folder, *flags, *more).returncode == 0
        written.append(
            [(folder / f"here/{name}.csv").read_text() for name in ("summary", "series")]
        )
    assert written[0] == written[1]
    assert written[0] != written[2]


def test_losses_of_a_file_are_on_streams_of_their_own(folder):
    lossy = NETWORK.replace("500p,,", "500p,0.05,")
    (folder / "network.csv").write_text(lossy)
    flags = [
        "--bytes=500kB",
        "--sendRate=5Mbps",
        "--topology=ns3::lfn::FileTopology[File=network.csv]",
    ]
    texts = []
    for more in (), (), ("--RngRun=2",), ("--lossRate=0.2",):
        assert run("rbudp-transfer", folder, *flags, *more).returncode == 0
        texts.append((folder / "here/summary.csv").read_text())
        assert int(rows(folder)[0]["retransmitted_packets"]) > 0
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


@pytest.mark.parametrize("program", PROGRAMS)
def test_routers_as_hosts(folder, program):
    result = run(
        program, folder, *PROGRAMS[program], "--topology=ns3::lfn::FileTopology[File=square.csv]"
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert int(rows(folder)[0]["delivered_bytes"]) > 0


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--ipVersion=5"], "--ipVersion=5: did you mean 4? give one of 4, 6"),
        (["--ipVersion=6", "--mtu=1279"], "--ipVersion=6: with Ipv6 give an Mtu of 1280 at least"),
        (
            ["--ipVersion=6", "--topology=ns3::lfn::StarTopology[Ipv6=false]"],
            "--ipVersion=6: this topology has no IPv6 addresses: leave Ipv6=false away",
        ),
        (
            ["--ipVersion=6", "--topology=ns3::lfn::CsmaTopology[Mtu=1000]"],
            "with Ipv6 give an Mtu of 1280 at least",
        ),
        (["--ipVersion=6", "--live=receiver", "--duration=1s"], "real hosts are reached by IPv4"),
    ],
)
def test_refused_over_ipv6(folder, program, flags, part):
    usual = [flag for flag in PROGRAMS[program] if not flag.startswith("--duration")]
    usual += ["--packetSize=1000B"] if program.startswith("rbudp") else []
    result = run(program, folder, *usual, *flags)
    assert result.returncode == 1
    assert part in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (folder / "here").exists()


@pytest.mark.parametrize("version", ["4", "6"])
def test_a_file_with_jitter_and_a_policer(folder, version):
    """Data get through as the policer lets them, and acknowledgements freely."""
    text = NETWORK.replace("link,r2,right,", "#") + (
        "link,r2,right,1Gbps,1ms,,,,100us,5Mbps:100kB/none\n"
    )
    (folder / "police.csv").write_text(text)
    network = "--topology=ns3::lfn::FileTopology[File=police.csv]"
    flags = ["--protocol=udp", "--sendRate=8Mbps", "--bytes=2MB", f"--ipVersion={version}"]
    result = run("rbudp-transfer", folder, *flags, network)
    assert (result.returncode, result.stderr) == (0, "")
    row = rows(folder)[0]
    share = int(row["delivered_bytes"]) / int(row["offered_bytes"])
    headers = {"4": 28, "6": 48}[version]
    size = int(row["offered_bytes"]) / int(row["data_packets"])
    seconds = 8 * 2e6 / 8e6
    passed = (5e6 / 8 * seconds + 1e5) / (size + headers) * size
    assert share == pytest.approx(passed / 2e6, rel=0.02)


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("topology", ["Dumbbell", "ParkingLot"])
def test_xcp_over_both_versions(folder, topology, version):
    name = f"--topology=ns3::lfn::{topology}Topology[LinkRate=10Mbps|Ipv6=true]"
    flags = ["--duration=3s", "--xcpFlows=2", "--tcpFlows=2", "--mechanism=persistent"]
    result = run("xcp-tcp-fairness", folder, *flags, name, f"--ipVersion={version}")
    assert (result.returncode, result.stderr) == (0, "")
    assert all(float(row["goodput_bps"]) > 1e5 for row in rows(folder))


def test_pairs_of_a_parking_lot_share_hops(folder):
    flags = ["--topology=ns3::lfn::ParkingLotTopology[LinkRate=10Mbps|Hops=3]", "--duration=20s"]
    result = run("xcp-tcp-fairness", folder, *flags, "--xcpFlows=4", "--tcpFlows=0")
    assert result.returncode == 0
    goodput = [float(row["goodput_bps"]) / 1e6 for row in rows(folder)]
    # Two flows cross each hop: max-min fairness gives everyone half of it.
    assert all(4 < rate < 5.5 for rate in goodput), goodput


def test_multicast_tree_reaches_all(folder):
    tree = "--topology=ns3::lfn::MulticastTreeTopology[Depth=3|Fanout=2]"
    result = run("jrm-session", folder, "--receivers=8", "--messages=50", "--checkContent", tree)
    assert result.returncode == 0
    assert rows(folder)[0]["messages_complete"] == str(8 * 50)
    result = run("jrm-session", folder, "--receivers=9", tree)
    assert result.returncode == 1
    assert "it names 9 hosts: lower --senders or --receivers" in result.stderr


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("topology", "part"),
    [
        ("FileTopology", "File: name the CSV file of the network"),
        ("FileTopology[File=none.csv]", "none.csv: there is no such file"),
        ("FileTopology[File=.]", ".: this is no file"),
        ("FileTopology[File=bad.csv]", "bad.csv, line 12: there is no node near"),
        ("FileTopology[File=apart.csv]", "2 parts that no link connects: 3 nodes (left, up, r1)"),
        ("FileTopology[File=network.csv|Metric=hops]", "Metric: "),
        ("ParkingLotTopology[Hops=0]", "Hops: "),
        ("ParkingLotTopology[CrossRtt=1ms]", "CrossRtt: give 8ms at least"),
        ("ParkingLotTopology[Ipv6=true|Mtu=1000]", "give an Mtu of 1280 at least"),
        ("MulticastTreeTopology[Depth=13|Fanout=13]", "is more than 10000 receivers"),
    ],
)
def test_refused(folder, program, topology, part):
    (folder / "bad.csv").write_text(NETWORK.replace("link,r2,right", "link,near,right"))
    (folder / "apart.csv").write_text(NETWORK.replace("link,r1,r2", "#"))
    before = sorted(folder.iterdir())
    result = run(program, folder, f"--topology=ns3::lfn::{topology}")
    assert result.returncode == 1
    assert result.stderr.startswith(f"{program}: --topology=ns3::lfn::{topology}: ")
    assert part in result.stderr
    assert result.stderr.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_converted_graph(folder):
    graph = HOME / "analysis/tests/data/cities.gml"
    command = [sys.executable, HOME / "analysis/convert_topology.py", graph, "--out=cities.csv"]
    command += ["--merge", "--delay=1ms", "--senders", "New York", "--receivers", "highest=2"]
    result = subprocess.run(command, cwd=folder, text=True, capture_output=True, timeout=60)
    assert result.returncode == 0, result.stderr
    name = "--topology=ns3::lfn::FileTopology[File=cities.csv]"
    result = run("atou-transfer", folder, "--options=maxpkts 100", "--flows=2", name)
    assert (result.returncode, result.stderr) == (0, "")
    assert all(row["completed"] == "1" for row in rows(folder))


def test_long_parking_lot(folder):
    name = "--topology=ns3::lfn::ParkingLotTopology[Hops=100|LinkRate=10Mbps]"
    result = run("rbudp-transfer", folder, *PROGRAMS["rbudp-transfer"], name)
    assert (result.returncode, result.stderr) == (0, "")
    assert rows(folder)[0]["completed"] == "1"


def test_flow_to_itself_is_refused(folder):
    network = "node,a,both\nnode,b,sender\nlink,a,b,10Mbps,1ms\n"
    (folder / "network.csv").write_text(network)
    name = "--topology=ns3::lfn::FileTopology[File=network.csv]"
    assert run("vrp-transfer", folder, "--bytes=10kB", "--flows=1", name).returncode == 1
    (folder / "network.csv").write_text(network.replace("sender", "receiver"))
    assert run("vrp-transfer", folder, "--bytes=10kB", "--flows=1", name).returncode == 0


def test_captures_need_open_files(folder):
    def limit(soft, hard):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    name = "--topology=ns3::lfn::DumbbellTopology[Pairs=30]"
    flags = ["--transport=udp", "--bytes=10kB", "--pcap=x", name]
    before = sorted(folder.iterdir())
    result = run("transport-comparison", folder, *flags, preexec_fn=limit(64, 153))
    assert result.returncode == 1
    assert result.stderr == (
        "transport-comparison: --pcap=x: 122 captures and 32 other files would be open at once, of"
        " 153 at most: raise the limit (ulimit -n 154), or capture a smaller network\n"
    )
    assert sorted(folder.iterdir()) == before
    result = run("transport-comparison", folder, *flags, preexec_fn=limit(64, 154))
    assert (result.returncode, result.stderr) == (0, "")
    assert len(list(folder.glob("x-*.pcap"))) == 122


def test_segments_fit_the_mtu(folder):
    name = "--topology=ns3::lfn::DumbbellTopology[LinkRate=10Mbps|Mtu=1500]"
    assert run("vrp-transfer", folder, "--protocol=tcp", "--bytes=146kB", name).returncode == 0
    assert int(rows(folder)[0]["data_packets"]) >= 100
