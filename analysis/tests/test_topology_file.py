# SPDX-License-Identifier: GPL-2.0-only
"""Graphs in the style of the Topology Zoo as files of FileTopology."""

import csv
import itertools
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import networkx
import pytest

from lfn import topology_file
from lfn.topology_file import Options, TopologyError, convert, read_graph, to_csv

DATA = Path(__file__).parent / "data"
PROGRAM = Path(__file__).parents[1] / "convert_topology.py"
EVERYTHING = {"rate": 10**9, "delay": 1e-3, "merge": True, "largest": True}


def read(name, senders=("highest=1",), receivers=("degree=1",), **more):
    options = Options(senders=tuple(senders), receivers=tuple(receivers), **more)
    return convert(read_graph(DATA / name), options)


def angle_km(one, other):
    """Return the distance of two places on a ball by the angle between two vectors."""
    vectors = []
    for latitude, longitude in (one, other):
        b, a = math.radians(latitude), math.radians(longitude)
        vectors.append((math.cos(b) * math.cos(a), math.cos(b) * math.sin(a), math.sin(b)))
    product = sum(x * y for x, y in zip(*vectors, strict=True))
    return 6371.0088 * math.acos(max(-1.0, min(1.0, product)))


@pytest.mark.parametrize("name", ["cities.gml", "cities.graphml"])
def test_network(name):
    network = read(name, ["New York"], ["Köln", "London"], merge=True, delay=2e-3)
    paris = 'Paris, Rue "A"'
    assert network.nodes == [
        ("New York", "sender"),
        ("Köln", "receiver"),
        ("London", "receiver"),
        (paris, ""),
        ("Exchange", ""),
    ]
    rates = {(a, b): rate for a, b, rate, _ in network.links}
    assert rates == {
        ("London", paris): 12_500_000_000,
        (paris, "Köln"): 622_000_000,
        ("London", "New York"): 155_520_000,
        ("Köln", "Exchange"): 1_000_000_000,
        ("London", "Köln"): 34_000_000,
    }
    delays = {(a, b): delay for a, b, _, delay in network.links}
    # 5570 km is what atlases give for London to New York.
    assert delays["London", "New York"] == pytest.approx(5570 / 199_861.6, rel=2e-3)
    assert delays["Köln", "Exchange"] == 2e-3
    assert network.notes == [
        f"merged the links between London - {paris}",
        "took the delay of --delay for links of Exchange",
    ]


def test_both_formats_give_equal_files():
    texts = {to_csv(read(name, **EVERYTHING)) for name in ("cities.gml", "cities.graphml")}
    assert len(texts) == 1


def test_text():
    text = to_csv(read("cities.gml", ["New York"], ["Köln"], merge=True, delay=2e-3), "made")
    lines = text.splitlines()
    assert lines[0] == "# made"
    assert lines[1] == "kind,a,b,rate,delay,queue,loss,bottleneck"
    assert "node,New York,sender" in lines
    assert 'node,"Paris, Rue ""A"""' in lines
    assert "link,Köln,Exchange,1Gbps,2000us" in lines
    assert 'link,London,"Paris, Rue ""A""",12500Mbps,1720.0' in text
    assert [row[0] for row in csv.reader(lines[1:])] == ["kind"] + ["node"] * 5 + ["link"] * 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((51.5, -0.1), (40.7, -74.0)),
        ((0, 179.5), (0, -179.5)),
        ((90, 0), (-90, 0)),
        ((10, 20), (-33, 151)),
        ((0, 0), (0, 90)),
    ],
)
def test_distance(one, other):
    assert topology_file.get_distance(one, other) == pytest.approx(angle_km(one, other), rel=1e-6)
    assert topology_file.get_distance(one, one) == 0


@pytest.mark.parametrize(
    ("edge", "rate"),
    [
        ({"LinkSpeedRaw": 1e10}, 10**10),
        ({"LinkSpeedRaw": "2500000000.0"}, 2_500_000_000),
        ({"LinkSpeed": "45", "LinkSpeedUnits": "M"}, 45_000_000),
        ({"LinkSpeed": "2.5", "LinkSpeedUnits": "Gbps"}, 2_500_000_000),
        ({"LinkSpeed": "64", "LinkSpeedUnits": "K"}, 64_000),
        ({"LinkSpeed": 1, "LinkSpeedUnits": "T"}, 10**12),
        ({"LinkSpeed": "9600"}, 9600),
        ({"LinkSpeed": "<10", "LinkSpeedUnits": "G"}, 10**10),
        ({"LinkSpeedRaw": 1e9, "LinkLabel": "10 Gbps"}, 10**9),
        ({"LinkSpeed": "2", "LinkSpeedUnits": "M", "LinkLabel": "10 Gbps"}, 2_000_000),
        ({"LinkLabel": "10 Gbps"}, 10**10),
        ({"LinkLabel": ["10 Gbps", "Lit Fibre"]}, 10**10),
        ({"LinkLabel": "dark fibre", "label": "155 Mbit/s"}, 155_000_000),
        ({"LinkSpeed": "10", "LinkSpeedUnits": "furlongs"}, None),
        ({"LinkSpeed": "10", "LinkSpeedUnits": "GBit/s"}, 10**10),
        ({"LinkSpeed": "100", "LinkSpeedUnits": "MB/s"}, None),
        ({"LinkSpeed": "100", "LinkSpeedUnits": "B"}, None),
        ({"LinkSpeedRaw": 0}, None),
        ({"LinkSpeedRaw": "nan"}, None),
        ({"LinkSpeedRaw": "-5"}, None),
        ({"LinkSpeedRaw": 10**400}, None),
        ({}, None),
    ],
)
def test_rate(edge, rate):
    assert topology_file.get_rate(edge) == rate


def test_islands():
    network = read("islands.gml", ["Port #0"], ["2"], rate=5 * 10**6, largest=True)
    assert network.nodes == [("Port #0", "sender"), ("2", "receiver"), ("Port #1", "")]
    assert [link[:3] for link in network.links] == [
        ("Port #0", "Port #1", 10**10),
        ("Port #1", "2", 5_000_000),
    ]
    assert network.notes == [
        "kept the largest of 3 parts, with these numbers of nodes: 3 (Port #0), 2 (Reef), 1 (Rock)",
        "named nodes whose labels are no names of one node: Port #0, Port #1, 2",
        "left out links from a node to itself: 2",
        "took the bound in the label as the rate of Port #0 - Port #1 (<10 G)",
        "took the rate of --rate for Port #1 - 2",
    ]


@pytest.mark.parametrize(
    ("name", "more", "part"),
    [
        (
            "cities.gml",
            {"delay": 1},
            'more than one link between London - Paris, Rue "A"; give --m',
        ),
        ("cities.gml", {"merge": True}, "nodes without a place: Exchange; give --delay"),
        (
            "islands.gml",
            {},
            "3 parts that no link connects, with these numbers of nodes: 3 (Port #0), 2 (Reef",
        ),
        ("islands.gml", {"largest": True}, "links without a speed: Port #1 - 2"),
        ("cities.gml", {**EVERYTHING, "senders": ["Londn"]}, "--senders: there is no node Londn"),
        (
            "cities.gml",
            {**EVERYTHING, "receivers": ["degree=9"]},
            "no node fits degree=9; there are",
        ),
        ("cities.gml", {**EVERYTHING, "receivers": ["highest=0"]}, "no node fits highest=0"),
        (
            "cities.gml",
            {**EVERYTHING, "senders": ["London"], "receivers": ["London"]},
            "London would send to itself",
        ),
    ],
)
def test_what_is_open_is_an_error(name, more, part):
    with pytest.raises(TopologyError) as error:
        read(name, **more)
    assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_roles():
    network = read("cities.gml", ["highest=2"], ["degree=1", "London"], **EVERYTHING)
    assert network.nodes == [
        ("London", "both"),
        ("Köln", "sender"),
        ("New York", "receiver"),
        ("Exchange", "receiver"),
        ('Paris, Rue "A"', ""),
    ]


def ring(labels):
    """Return a ring of nodes."""
    graph = networkx.MultiGraph()
    graph.add_nodes_from((label, {"label": label}) for label in labels)
    networkx.add_cycle(graph, labels)
    return graph


def make_pairs(senders, receivers):
    """Return the pairs of two lists, the shorter one from its beginning again."""
    most = max(len(senders), len(receivers))
    return [(senders[i % len(senders)], receivers[i % len(receivers)]) for i in range(most)]


def pair_as_reader(senders, receivers):
    """Return the pairs that ArrangePairs() of lfn-topology-file.cc makes."""
    turns = [receivers[i:] + receivers[:i] for i in range(len(receivers))]
    turns = [make_pairs(senders, turn) for turn in turns]
    good = [pairs for pairs in turns if all(a != b for a, b in pairs)]
    good += [pairs for pairs in turns if pairs[0][0] != pairs[0][1]]
    return good[0] if good else None


def pair_nodes(nodes):
    """Return the pairs that the reader makes of nodes with roles."""
    senders = [name for name, role in nodes if role in ("sender", "both")]
    receivers = [name for name, role in nodes if role in ("receiver", "both")]
    return pair_as_reader(senders, receivers)


def test_pairs_are_those_named():
    options = Options(("A", "B", "C"), ("D", "A", "E"), rate=1, delay=1)
    network = convert(ring("ABCDE"), options)
    assert pair_nodes(network.nodes) == [("A", "D"), ("B", "A"), ("C", "E")]
    assert network.notes[-1].startswith("took the delay of --delay")
    options = Options(("A", "B"), ("A", "B"), rate=1, delay=1)
    network = convert(ring("ABCDE"), options)
    assert pair_nodes(network.nodes) == [("A", "B"), ("B", "A")]
    assert network.notes[-1] == ("the receivers repeat, lest a node be its own pair: A - B, B - A")
    options = Options(("A", "B", "C", "D"), ("C", "D", "B", "E"), rate=1, delay=1)
    with pytest.raises(TopologyError, match="no order of nodes gives .* since B, C, D send and re"):
        convert(ring("ABCDE"), options)


def test_pairs_of_random_lists():
    random = Random(1)
    ends = {"made": 0, "refused": 0}
    for _ in range(600):
        labels = "ABCDE"[: random.randint(3, 5)]
        senders, receivers = (random.sample(labels, random.randint(1, len(labels))) for _ in "ab")
        asked = pair_as_reader(senders, receivers)
        if asked is None:
            continue
        roles = {
            name: {(1, 0): "sender", (0, 1): "receiver", (1, 1): "both", (0, 0): ""}[
                name in senders, name in receivers
            ]
            for name in labels
        }
        options = Options(tuple(senders), tuple(receivers), rate=1, delay=1)
        try:
            nodes = convert(ring(labels), options).nodes
        except TopologyError as error:
            ends["refused"] += 1
            assert "no order of nodes" in str(error)
            orders = itertools.permutations(roles.items())
            assert all(pair_nodes(order) != asked for order in orders)
        else:
            ends["made"] += 1
            assert dict(nodes) == roles
            assert pair_nodes(nodes) == asked
    assert min(ends.values()) > 50


LABELS = {
    "10 Gbps": 10**10,
    "155 Mbit/s": 155_000_000,
    ">= 1 Gb/s": 10**9,
    "<2.5Gbps": 2_500_000_000,
    "\u2265 100 Mbps": 100_000_000,
    "64 kbps": 64_000,
    "512 bit/s": 512,
    "10G": 10**10,
    "34 Mb": 34_000_000,
    "2 x 10 Gbps": 2 * 10**10,
    "4x2.5G": 10**10,
    "10GE": 10**10,
    "1 GbE": 10**9,
    "1G Ethernet": 10**9,
    "STM-4": 622_080_000,
    "OC-48c": 2_488_320_000,
    "2 x STM-16": 4_976_640_000,
    "E3": 34_368_000,
    "DS-3": 44_736_000,
    # What is no rate, or not a certain one.
    "10 MB/s": None,
    "10 GBps": None,
    "10-100 Mbps": None,
    "10": None,
    "Lit Fibre": None,
    "OC-192 (Future)": None,
    "N x 10 Gbps": None,
    "10 Gbps, 2 Mbps": None,
    "0 Gbps": None,
    "\u0661\u0660 Gbps": None,
    "": None,
}


@pytest.mark.parametrize(("label", "rate"), LABELS.items())
def test_rate_of_a_label(label, rate):
    assert topology_file.read_label(label)[0] == rate
    assert topology_file.get_rate({"LinkLabel": label}) == rate


def directed(*edges):
    """Return a directed graph of three nodes in a row with some edges, (a, b, rate or label)."""
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(
        (n, {"label": n, "Latitude": 1, "Longitude": i}) for i, n in enumerate("abc")
    )
    for a, b, rate in edges:
        graph.add_edge(a, b, **{"LinkLabel" if isinstance(rate, str) else "LinkSpeedRaw": rate})
    return graph


ENDS = Options(senders=("a",), receivers=("c",))


def test_directed_edges_are_directions():
    graph = directed(("a", "b", 5), ("b", "a", 5), ("b", "c", 7))
    network = convert(graph, ENDS)
    assert [link[:3] for link in network.links] == [("a", "b", 5), ("b", "c", 7)]
    assert network.notes == [
        "read edges there and back as the directions of one link; with --undirected they are links"
        " of their own: a - b",
        "read edges of one direction as links of both: b - c",
    ]


def test_directed_edges_are_links():
    graph = directed(("a", "b", 5), ("b", "a", 6), ("b", "c", 7))
    with pytest.raises(TopologyError, match="a - b: .* rates, 5bps and 6bps; give --undirected to"):
        convert(graph, ENDS)
    undirected = replace(ENDS, undirected=True)
    with pytest.raises(TopologyError, match="more than one link between a - b; give --merge"):
        convert(graph, undirected)
    network = convert(graph, replace(undirected, merge=True))
    assert [link[:3] for link in network.links] == [("a", "b", 11), ("b", "c", 7)]
    assert network.notes == [
        "read each edge of the directed graph as a link of its own (--undirected)",
        "merged the links between a - b",
    ]
    network = convert(graph.to_undirected(), replace(undirected, merge=True))
    assert network.notes[0] == "the graph is undirected, --undirected changes nothing"


def test_parallel_edges_of_one_direction():
    graph = directed(("a", "b", 5), ("a", "b", 6), ("b", "c", 7))
    with pytest.raises(TopologyError, match="more than one link between a - b; give --merge"):
        convert(graph, ENDS)
    for undirected in (False, True):
        network = convert(graph, replace(ENDS, merge=True, undirected=undirected))
        assert [link[:3] for link in network.links] == [("a", "b", 11), ("b", "c", 7)]


def test_a_label_of_two_lines_is_noted_in_one():
    graph = directed(("a", "b", "10\nGbps"), ("b", "c", "1 Gbps"))
    notes = convert(graph, replace(ENDS, undirected=True)).notes
    assert notes[-1] == "read the rate from the label of a - b (10 Gbps), b - c (1 Gbps)"


def test_labels_are_noted():
    graph = directed(("a", "b", "10 Gbps"), ("b", "c", ">= 1 Gb/s"))
    graph.add_edge("a", "c", LinkSpeedRaw=1e9, LinkLabel="2 x 1 Gbps")
    graph.add_edge("c", "a", LinkSpeedRaw=1e9, LinkLabel="1 Gbps")
    network = convert(graph, replace(ENDS, undirected=True, merge=True))
    assert [link[2] for link in network.links] == [10**10, 2 * 10**9, 10**9]
    assert network.notes[2:] == [
        "read the rate from the label of a - b (10 Gbps)",
        "took the bound in the label as the rate of b - c (>= 1 Gb/s)",
        "took LinkSpeedRaw or LinkSpeed, which differs from the label, for a - c (2 x 1 Gbps,"
        " 1Gbps)",
    ]


@pytest.mark.parametrize("name", ["ports.gml", "ports.graphml"])
def test_directed_file(tmp_path, name):
    command = [DATA / name, "--senders", "Oulu", "--receivers", "Kiel", "--out", tmp_path / "o.csv"]
    result = convert_file(*command)
    assert result.returncode == 1
    assert "Lulea - Oulu: the edges there and back have different rates" in result.stderr
    result = convert_file(*command, "--undirected", "--merge")
    assert result.returncode == 0, result.stderr
    links = [line for line in (tmp_path / "o.csv").read_text().splitlines() if "link," in line]
    assert [line.split(",")[1:4] for line in links] == [
        ["Lulea", "Oulu", "12500Mbps"],
        ["Lulea", "Kiel", "20Gbps"],
        ["Oulu", "Kiel", "622080kbps"],
    ]
    assert result.stderr.splitlines() == [
        "read each edge of the directed graph as a link of its own (--undirected)",
        "merged the links between Lulea - Oulu, Lulea - Kiel",
        "read the rate from the label of Oulu - Kiel (STM-4)",
        "took the bound in the label as the rate of Lulea - Oulu (>= 2.5 Gb/s)",
    ]


def test_edges_with_the_id_of_another(tmp_path):
    text = (DATA / "ports.graphml").read_text()
    graph = tmp_path / "same.graphml"
    graph.write_text(
        text.replace("</graph>", '<edge id="x" source="2" target="1" />' * 2 + "</graph>")
    )
    with pytest.raises(TopologyError, match="only 6 of 7 edges can be read: give parallel edges"):
        read_graph(graph)


def test_mixed_edges(tmp_path):
    text = (DATA / "ports.graphml").read_text()
    graph = tmp_path / "mixed.graphml"
    graph.write_text(text.replace('<edge source="2"', '<edge directed="false" source="2"'))
    hosts = ["--senders", "Oulu", "--receivers", "Kiel", "--out", tmp_path / "o.csv"]
    result = convert_file(graph, *hosts)
    assert result.returncode == 1
    assert "it has directed and undirected edges, give --undirected" in result.stderr
    result = convert_file(graph, *hosts, "--undirected", "--merge")
    assert result.returncode == 0, result.stderr


def test_names_are_fit_and_unique():
    graph = networkx.MultiGraph()
    labels = ["x\ny", "x y", "", "None", "ü" * 300, "1 #5", "1", "1"]
    graph.add_nodes_from((i, {"label": label}) for i, label in enumerate(labels))
    names = topology_file.name_nodes(graph)
    assert len(set(names.values())) == len(labels)
    assert all(name.isprintable() and 0 < len(name.encode()) <= 200 for name in names.values())


def convert_file(*arguments):
    command = [sys.executable, PROGRAM, *arguments]
    return subprocess.run(command, text=True, capture_output=True, timeout=60)


def test_program(tmp_path):
    out = tmp_path / "cities.csv"
    hosts = ["--senders", "New York", "--receivers", "Köln"]
    more = ["--merge", "--delay=2ms", "--out", out]
    result = convert_file(DATA / "cities.gml", *hosts, *more)
    assert result.returncode == 0
    assert result.stdout == f"{out}: 5 nodes, 5 links\n"
    network = read("cities.gml", ["New York"], ["Köln"], merge=True, delay=2e-3)
    assert out.read_text() == to_csv(network, "made from cities.gml")
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    ("content", "name", "part"),
    [
        ("graph [ node [ id 0", "x.gml", "this is no gml file ("),
        ("graph [\n]\n", "x.gml", "the graph has no nodes"),
        ("nonsense", "x.gml", "this is no gml file ("),
        ("<graphml", "x.graphml", "this is no graphml file ("),
        ("<html></html>", "x.graphml", "this is no graphml file ("),
        ("", "x.csv", "give a file whose name ends in .graphml or .gml"),
        (b"\xff\xfe", "x.gml", "this is no text in UTF-8"),
        (None, "x.gml", "no such file or directory, give another file"),
    ],
)
def test_damaged_files(tmp_path, content, name, part):
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = list(tmp_path.iterdir())
    out = ["--out", tmp_path / "out.csv", "--senders", "a", "--receivers", "b"]
    result = convert_file(tmp_path / name, *out)
    assert result.returncode == 1
    assert part in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == before


WRONG = ["--rate=10", "--rate=-1Gbps", "--rate=fast", "--rate=5s", "--rate=1e30Gbps", "--delay=0s"]
WRONG += ["--delay=5bps", "--delay=1e6s"]


@pytest.mark.parametrize("flag", WRONG)
def test_wrong_flags(tmp_path, flag):
    out = ["--out", tmp_path / "out.csv", "--senders", "a", "--receivers", "b", flag]
    result = convert_file(DATA / "cities.gml", *out)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert f"argument {flag.partition('=')[0]}: {flag.partition('=')[2]}: give a " in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_graph_is_not_overwritten(tmp_path):
    graph = tmp_path / "ok.gml"
    graph.write_bytes((DATA / "cities.gml").read_bytes())
    hosts = ["--senders", "New York", "--receivers", "Köln", "--merge", "--delay=1ms"]
    result = convert_file(graph, *hosts, "--out", tmp_path / "." / "ok.gml")
    assert result.returncode == 1
    reported = f"convert_topology.py: --out {graph}: is the graph, name another file"
    assert result.stderr.splitlines()[-1] == reported
    assert graph.read_bytes() == (DATA / "cities.gml").read_bytes()


def test_units_may_stand_apart(tmp_path):
    hosts = ["--senders", "New York", "--receivers", "Köln", "--merge"]
    out = ["--out", tmp_path / "out.csv"]
    result = convert_file(DATA / "cities.gml", *hosts, *out, "--delay=1 min")
    assert (result.returncode, "60000000us" in out[1].read_text()) == (0, True)


def test_names_in_messages(tmp_path):
    """UTF-8 as it is, other bytes escaped."""
    hosts = ["--senders", "New York", "--receivers", "Köln", "--merge", "--delay=1ms"]
    for name, shown in ((b"\xc3\xbcbung", "übung"), (b"\xfcbung\n", "\\xfcbung\\x0a")):
        graph = os.fsencode(tmp_path / "ok") + name + b".gml"
        wrong = convert_file(graph, *hosts, "--out", os.fsencode(tmp_path) + b"/" + name)
        expected = f"convert_topology.py: {tmp_path}/ok{shown}.gml: no such file or directory"
        assert wrong.stderr.startswith(expected)
        Path(os.fsdecode(graph)).write_bytes((DATA / "cities.gml").read_bytes())
        result = convert_file(graph, *hosts, "--out", os.fsencode(tmp_path) + b"/" + name)
        assert result.returncode == 0, result.stderr
        assert result.stdout == f"{tmp_path}/{shown}: 5 nodes, 5 links\n"
        text = (tmp_path / os.fsdecode(name)).read_text()
        assert text.startswith(f"# made from ok{shown}.gml\n")


@pytest.mark.parametrize("out", [".", "..", "here/x.csv", "folder"])
def test_where_no_file_can_be_written(tmp_path, out):
    (tmp_path / "here").write_text("a file")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    command = [sys.executable, PROGRAM, DATA / "cities.gml", "--merge", "--delay=2ms"]
    command += ["--senders", "New York", "--receivers", "Köln", "--out", out]
    result = subprocess.run(command, text=True, capture_output=True, timeout=60, cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(f"convert_topology.py: --out {out}: ")
    assert "Traceback" not in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


def line(count):
    """Return a row of nodes."""
    graph = networkx.MultiGraph()
    graph.add_nodes_from((i, {"label": f"n{i}"}) for i in range(count))
    graph.add_edges_from((i, i + 1) for i in range(count - 1))
    return graph


def test_nothing_is_written_that_programs_refuse():
    with pytest.raises(TopologyError, match="n0 would send to itself, name another receiver"):
        convert(line(3), Options(("n0", "n1"), ("n0",), rate=1, delay=1))
    assert convert(line(3), Options(("n1", "n0"), ("n0",), rate=1, delay=1)).nodes[:2] == [
        ("n1", "sender"),
        ("n0", "both"),
    ]
    assert convert(line(256), Options(("n0",), ("n255",), rate=1, delay=1))
    with pytest.raises(TopologyError, match="256 links between .*: a packet crosses 255 at most"):
        convert(line(257), Options(("n0",), ("n256",), rate=1, delay=1))
    everyone = Options(("highest=708",), ("n5",), rate=1, delay=1)
    with pytest.raises(TopologyError, match="708 senders and receivers .* name 706 at most"):
        convert(line(708), everyone)


def triangle(**more):
    """Return the network of three cities in a row, with options."""
    graph = networkx.Graph()
    for i, name in enumerate("abc"):
        graph.add_node(name, label=name, Latitude=0, Longitude=i)
    graph.add_edges_from([("a", "b"), ("b", "c")])
    return convert(graph, Options(("a", "b"), ("c",), rate=10**10, **more))


def test_bottleneck_is_marked():
    network = triangle(bottlenecks=(("c", "b"),))
    lines = to_csv(network).splitlines()
    assert [line.endswith(",,,bottleneck") for line in lines if line.startswith("link,")] == [
        False,
        True,
    ]
    with pytest.raises(TopologyError, match="there is no link a - c; name both ends of one"):
        triangle(bottlenecks=(("a", "c"),))


def test_access_links_make_hosts():
    network = triangle(access=10**9, access_delay=2e-3)
    assert dict(network.nodes) == {
        "a": "",
        "b": "",
        "c": "",
        "a sender": "sender",
        "b sender": "sender",
        "c receiver": "receiver",
    }
    assert network.links[2:] == [
        ("a", "a sender", 10**9, 2e-3),
        ("b", "b sender", 10**9, 2e-3),
        ("c", "c receiver", 10**9, 2e-3),
    ]


def test_access_links_part_who_sends_and_receives():
    """A node that is both has two hosts, so that any pairs can be had."""
    senders, receivers = ("n0", "n1", "n2", "n3"), ("n1", "n0", "n3", "n2")
    with pytest.raises(TopologyError, match="no order of nodes gives the pairs asked for"):
        convert(line(4), Options(senders, receivers, rate=1, delay=1))
    nodes = convert(line(4), Options(senders, receivers, rate=1, delay=1, access=5)).nodes
    for role, names in (("sender", senders), ("receiver", receivers)):
        assert [name for name, its in nodes if its == role] == [f"{name} {role}" for name in names]


def test_stretch_lengthens_fibre_alone():
    plain, longer = (
        triangle(access=1, access_delay=1e-3),
        triangle(access=1, access_delay=1e-3, stretch=1.5),
    )
    for one, other in zip(plain.links, longer.links, strict=True):
        factor = 1 if one[2] == 1 else 1.5
        assert other[3] == pytest.approx(factor * one[3])


def test_program_marks_and_adds_hosts(tmp_path):
    out = tmp_path / "out.csv"
    arguments = [DATA / "cities.gml", "--out", out, "--merge", "--delay=1ms", "--stretch=1.5"]
    arguments += ["--senders", "New York", "--receivers", "London", "--access=1Gbps"]
    arguments += ["--bottleneck", "London", "New York"]
    result = convert_file(*arguments)
    assert result.returncode == 0, result.stderr
    text = out.read_text()
    assert "link,New York,New York sender,1Gbps,0us\n" in text
    assert [line for line in text.splitlines() if line.endswith("bottleneck")][1:] != []
    for flags, part in (
        (["--stretch=0.5"], "--stretch: give a number from 1 to 10"),
        (["--access-delay=1ms"], "goes with --access only"),
    ):
        wrong = convert_file(*arguments[:-4], *flags)
        assert wrong.returncode == 1 and part in wrong.stderr
