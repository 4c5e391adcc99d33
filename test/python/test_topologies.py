# SPDX-License-Identifier: GPL-2.0-only
"""Every scenario program on every topology, files of networks, and topologies of a user's own."""

import ast
import csv
import os
import re
import shlex
import subprocess
import sys
import textwrap

import pytest
from project import BUILD, HOME

TUTORIAL = (HOME / "doc/tutorial.rst").read_text()
PROGRAMS = {
    "rbudp-transfer": ["--bytes=200kB", "--sendRate=5Mbps", "--checkContent"],
    "rbudp-streaming": [
        "--streamTime=1s",
        "--sendRate=5Mbps",
        "--objectRate=2",
        "--objectSize=20kB",
    ],
    "vrp-transfer": ["--bytes=200kB", "--flows=1", "--checkContent"],
    "jrm-session": ["--messages=20", "--checkContent"],
    "atou-transfer": ["--options=maxpkts 100; rcvrwin 50", "--checkContent"],
    "xcp-tcp-fairness": ["--duration=3s", "--xcpFlows=1", "--tcpFlows=1"],
}
TOPOLOGIES = {
    "path": "PointToPointTopology[LinkRate=10Mbps|Rtt=20ms]",
    "dumbbell": "DumbbellTopology[LinkRate=10Mbps|Rtt=20ms]",
    "parking lot": "ParkingLotTopology[LinkRate=10Mbps|Rtt=40ms]",
    "star": "StarTopology[LinkRate=10Mbps|Rtt=20ms]",
    "star of both": "StarTopology[LinkRate=10Mbps|Hosts=3|Senders=3|Rtt=20ms]",
    "tree": "MulticastTreeTopology[LinkRate=10Mbps|Rtt=20ms]",
    "file": "FileTopology[File=network.csv]",
}
NETWORK = """\
kind,a,b,rate,delay,queue,loss,bottleneck
# Hosts behind two routers.
node,left,sender
node,up,sender
node,right,receiver
node,down,receiver
node,r1
node,r2
link,left,r1,100Mbps,1ms
link,up,r1,100Mbps,1ms
link,r1,r2,10Mbps,10ms,500p,,bottleneck
link,r2,right,100Mbps,1ms
link,r2,down,100Mbps,1ms
"""
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


def run(folder, program, *flags, **settings):
    command = [BUILD / "bin" / program, "--outputDir=here", *flags]
    return subprocess.run(
        command, cwd=folder, text=True, capture_output=True, timeout=120, **settings
    )


def rows(folder):
    with (folder / "here/summary.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "network.csv").write_text(NETWORK)
    (tmp_path / "square.csv").write_text(SQUARE)
    return tmp_path


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_on_every_topology(folder, program, topology):
    flags = [*PROGRAMS[program], f"--topology=ns3::lfn::{TOPOLOGIES[topology]}"]
    result = run(folder, program, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    for row in rows(folder):
        assert row.get("failure", "") == ""
        assert int(row["delivered_bytes"]) > 0
        if program not in ("xcp-tcp-fairness", "rbudp-streaming"):  # those have no end of their own
            assert row["completed"] == "1"
            assert row["delivered_bytes"] == row["offered_bytes"] or program == "jrm-session"


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_equal_runs_are_equal(folder, topology):
    flags = ["--bytes=200kB", "--sendRate=5Mbps", "--lossRate=0.05"]
    flags += [f"--topology=ns3::lfn::{TOPOLOGIES[topology]}", "--seriesInterval=50ms"]
    written = []
    for more in (), (), ("--RngRun=2",):
        assert run(folder, "rbudp-transfer", *flags, *more).returncode == 0
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
        assert run(folder, "rbudp-transfer", *flags, *more).returncode == 0
        texts.append((folder / "here/summary.csv").read_text())
        assert int(rows(folder)[0]["retransmitted_packets"]) > 0
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


@pytest.mark.parametrize("program", PROGRAMS)
def test_routers_as_hosts(folder, program):
    result = run(
        folder, program, *PROGRAMS[program], "--topology=ns3::lfn::FileTopology[File=square.csv]"
    )
    if program == "jrm-session":  # what a node amid the tree sends does not reach all
        assert result.returncode == 1
        assert result.stderr.endswith("is a router: put it on a host with one link\n")
        assert not (folder / "here").exists()
    else:
        assert (result.returncode, result.stderr) == (0, "")
        assert int(rows(folder)[0]["delivered_bytes"]) > 0


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("topology", ["Dumbbell", "ParkingLot"])
def test_xcp_over_both_versions(folder, topology, version):
    name = f"--topology=ns3::lfn::{topology}Topology[LinkRate=10Mbps|Ipv6=true]"
    flags = ["--duration=3s", "--xcpFlows=2", "--tcpFlows=2", "--mechanism=persistent"]
    result = run(folder, "xcp-tcp-fairness", *flags, name, f"--ipVersion={version}")
    assert (result.returncode, result.stderr) == (0, "")
    assert all(float(row["goodput_bps"]) > 1e5 for row in rows(folder))


def test_pairs_of_a_parking_lot_share_hops(folder):
    flags = ["--topology=ns3::lfn::ParkingLotTopology[LinkRate=10Mbps|Hops=3]", "--duration=20s"]
    result = run(folder, "xcp-tcp-fairness", *flags, "--xcpFlows=4", "--tcpFlows=0")
    assert result.returncode == 0
    goodput = [float(row["goodput_bps"]) / 1e6 for row in rows(folder)]
    # Two flows cross each hop: max-min fairness gives everyone half of it.
    assert all(4 < rate < 5.5 for rate in goodput), goodput


def test_multicast_tree_reaches_all(folder):
    tree = "--topology=ns3::lfn::MulticastTreeTopology[Depth=3|Fanout=2]"
    result = run(folder, "jrm-session", "--receivers=8", "--messages=50", "--checkContent", tree)
    assert result.returncode == 0
    assert rows(folder)[0]["messages_complete"] == str(8 * 50)
    result = run(folder, "jrm-session", "--receivers=9", tree)
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
    result = run(folder, program, f"--topology=ns3::lfn::{topology}")
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
    result = run(folder, "atou-transfer", "--options=maxpkts 100", "--flows=2", name)
    assert (result.returncode, result.stderr) == (0, "")
    assert all(row["completed"] == "1" for row in rows(folder))


def test_long_parking_lot(folder):
    name = "--topology=ns3::lfn::ParkingLotTopology[Hops=100|LinkRate=10Mbps]"
    result = run(folder, "rbudp-transfer", *PROGRAMS["rbudp-transfer"], name)
    assert (result.returncode, result.stderr) == (0, "")
    assert rows(folder)[0]["completed"] == "1"


def test_flow_to_itself_is_refused(folder):
    network = "node,a,both\nnode,b,sender\nlink,a,b,10Mbps,1ms\n"
    (folder / "network.csv").write_text(network)
    name = "--topology=ns3::lfn::FileTopology[File=network.csv]"
    assert run(folder, "vrp-transfer", "--bytes=10kB", "--flows=1", name).returncode == 1
    (folder / "network.csv").write_text(network.replace("sender", "receiver"))
    assert run(folder, "vrp-transfer", "--bytes=10kB", "--flows=1", name).returncode == 0


def test_segments_fit_the_mtu(folder):
    name = "--topology=ns3::lfn::DumbbellTopology[LinkRate=10Mbps|Mtu=1500]"
    assert run(folder, "vrp-transfer", "--protocol=tcp", "--bytes=146kB", name).returncode == 0
    assert int(rows(folder)[0]["data_packets"]) >= 100


def tutorial_code():
    """Return the program my-transfer.cc of the tutorial."""
    end = TUTORIAL.index("\nBuild, and run it with")
    return textwrap.dedent(TUTORIAL[TUTORIAL.index("  // Two hosts behind a router") : end])


def tutorial_words(start):
    """Return the command of the tutorial that begins so, as words."""
    return shlex.split(re.search(rf"^  ({re.escape(start)}.*)$", TUTORIAL, re.M)[1])


def build_settings():
    """Return what the build found out: {name: value}."""
    cache = (BUILD / "c4che/_cache.py").read_text()
    pairs = (line.partition(" = ") for line in cache.splitlines())
    return {name: ast.literal_eval(value) for name, _, value in pairs if value}


def compile_like_the_build(source, target, *more):
    """Compile a file outside of the project against ns-3 and the module's headers."""
    found = build_settings()
    macros = [f"-D{name}" for name in found["DEFINES_NS3"] if "=" not in name]
    flags = ["-std=c++20", "-O0", *macros, f"-I{BUILD}/include", *found["CXXFLAGS_NS3"]]
    command = [*found["CXX"], *flags, source, "-o", target, *more]
    result = subprocess.run(command, text=True, capture_output=True, timeout=300)
    assert (result.returncode, result.stderr) == (0, "")


def test_program_of_the_tutorial(tmp_path):
    """A program of a user's own, with a topology of their own, outside of the project."""
    source = tmp_path / "my-transfer.cc"
    source.write_text(tutorial_code())
    found = build_settings()
    folders = [BUILD, *found["LIBPATH_NS3"], BUILD / "ns3-libraries"]
    link = [f"-L{folder}" for folder in folders] + [f"-Wl,-rpath,{folder}" for folder in folders]
    link += ["-llfn", *(f"-l{name}" for name in found["LIB_NS3"])]
    program = tmp_path / "my-transfer"
    compile_like_the_build(source, program, *link)
    words = tutorial_words("build/bin/my-transfer")
    result = subprocess.run(
        [program, *words[1:]], cwd=tmp_path, text=True, capture_output=True, timeout=120
    )
    assert (result.returncode, result.stderr) == (0, "")
    # The line that the tutorial shows.
    assert f"  {result.stdout.splitlines()[0]}\n" in TUTORIAL
    result = subprocess.run(
        [program, "--topology=RouterTopology[Rat=1Mbps]"], text=True, capture_output=True
    )
    assert result.returncode == 1
    assert "did you mean Rate?" in result.stderr


def test_topology_of_the_tutorial_in_every_program(tmp_path):
    """A class in a library of its own, which the programs have never heard of."""
    source = tmp_path / "router-topology.cc"
    source.write_text(tutorial_code().partition("\nint\nmain")[0])
    library = tmp_path / "librouter.so"
    link = [f"-L{BUILD}", "-llfn", f"-Wl,-rpath,{BUILD}"]
    compile_like_the_build(source, library, "-fPIC", "-shared", *link)
    for program, flags in PROGRAMS.items():
        result = run(
            tmp_path,
            program,
            *flags,
            "--force",
            "--topology=RouterTopology[Rate=20Mbps]",
            env={**os.environ, "LD_PRELOAD": str(library)},
        )
        assert (result.returncode, result.stderr) == (0, ""), program
        assert int(rows(tmp_path)[0]["delivered_bytes"]) > 0
        assert run(tmp_path, program, "--topology=RouterTopology").returncode == 1
        preload = {**os.environ, "LD_PRELOAD": str(library)}
        result = run(tmp_path, program, "--topology=RouterTopology[Rate=0bps]", env=preload)
        assert result.returncode == 1
        assert "above 0" in result.stderr


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("MakePositiveDataRateChecker", "MakeDataRateChecker", "a bottleneck has the rate 0"),
        ("far.Get(0), far.Get(1)", "near.Get(0), far.Get(1)", "are not on one channel"),
        ("AddSender(nodes.Get(0)", "AddSender(CreateObject<Node>()", "has no internet stack"),
    ],
)
def test_topology_that_cannot_work(tmp_path, old, new, part):
    """Mistakes of a class that no checker of its own refuses: one line, no crash."""
    code = tutorial_code().partition("\nint\nmain")[0]
    assert old in code
    source = tmp_path / "router-topology.cc"
    source.write_text(code.replace(old, new))
    library = tmp_path / "librouter.so"
    compile_like_the_build(source, library, "-fPIC", "-shared")
    preload = {**os.environ, "LD_PRELOAD": str(library)}
    rate = "0bps" if "rate" in part else "20Mbps"
    flag = f"--topology=RouterTopology[Rate={rate}]"
    result = run(tmp_path, "rbudp-transfer", flag, env=preload)
    assert result.returncode == 1
    assert part in result.stderr
    assert result.stderr.count("\n") == 1


def test_topology_without_a_bottleneck(tmp_path):
    """What looks at a bottleneck is refused in one line; the rest works."""
    source = tmp_path / "router-topology.cc"
    code = tutorial_code().partition("\nint\nmain")[0]
    source.write_text(re.sub(r".*AddBottleneck.*\n", "", code))
    library = tmp_path / "librouter.so"
    compile_like_the_build(source, library, "-fPIC", "-shared")
    preload = {**os.environ, "LD_PRELOAD": str(library)}
    for program, flags, part in [
        ("rbudp-transfer", [], ""),
        ("rbudp-transfer", ["--seriesInterval=10ms"], ""),
        ("vrp-transfer", [], ""),
        ("atou-transfer", [], ""),
        ("jrm-session", [], ""),
        ("rbudp-transfer", ["--lossRate=0.1"], "names no bottleneck"),
        ("rbudp-transfer", ["--dropData=3"], "this topology names 0: leave such flags away"),
        ("rbudp-transfer", ["--messages"], "names no bottleneck"),
        ("vrp-transfer", ["--messages"], "names no bottleneck"),
        ("vrp-transfer", ["--dropData=3", "--packetSize=1kB"], "this topology names 0"),
        ("xcp-tcp-fairness", [], "names no bottleneck"),
    ]:
        folder = tmp_path / f"{program}{''.join(flags)}"
        folder.mkdir()
        name = "--topology=RouterTopology[Rate=20Mbps]"
        result = run(folder, program, *PROGRAMS[program], name, *flags, env=preload)
        assert result.returncode == bool(part), (program, flags)
        assert part in result.stderr
        assert result.stderr.count("\n") == bool(part)
        assert (folder / "here").exists() != bool(part)
