# SPDX-License-Identifier: GPL-2.0-only
"""--drawTopology: a drawing of the network in SVG."""

from xml.etree import ElementTree

from project import NETWORK, refuse, run

PROGRAM = "transport-comparison"
SVG = "{http://www.w3.org/2000/svg}"


def test_nodes_links_roles_and_bottlenecks_are_drawn(tmp_path):
    topology = "--topology=ns3::lfn::DumbbellTopology[Pairs=2|LinkRate=50Mbps|Rtts=10ms,30ms]"
    words = ["--transport=udp", "--bytes=20kB", "--drawTopology=net.svg"]
    result = run(PROGRAM, tmp_path, topology, *words)
    assert result.returncode == 0, result.stderr
    drawing = ElementTree.parse(tmp_path / "net.svg").getroot()
    texts = [element.text for element in drawing.iter(f"{SVG}text")]
    assert {"sender 0", "sender 1", "receiver 0", "receiver 1", "queue 10000p"} <= set(texts)
    assert any(text.startswith("50Mbps, ") for text in texts if text)
    assert len(list(drawing.iter(f"{SVG}circle"))) == 6
    assert len(list(drawing.iter(f"{SVG}line"))) == 5
    assert len(list(drawing.iter(f"{SVG}path"))) == 1, "one bottleneck"


def test_a_shared_medium_is_a_point_that_all_hosts_are_linked_to(tmp_path):
    topology = "--topology=ns3::lfn::CsmaTopology[Hosts=4|Senders=1]"
    words = ["--transport=udp", "--bytes=20kB", "--drawTopology=net.svg"]
    assert run(PROGRAM, tmp_path, topology, *words).returncode == 0
    drawing = ElementTree.parse(tmp_path / "net.svg").getroot()
    assert len(list(drawing.iter(f"{SVG}circle"))) == 5
    assert len(list(drawing.iter(f"{SVG}line"))) == 4


def test_nodes_of_a_topology_file_have_their_names(tmp_path):
    (tmp_path / "net.csv").write_text(NETWORK)
    words = ["--topology=ns3::lfn::FileTopology[File=net.csv]", "--drawTopology=net.svg"]
    result = run(PROGRAM, tmp_path, "--transport=udp", "--bytes=20kB", *words)
    assert result.returncode == 0, result.stderr
    drawing = ElementTree.parse(tmp_path / "net.svg").getroot()
    texts = {element.text for element in drawing.iter(f"{SVG}text")}
    assert {"left", "up", "right", "down", "r1", "r2", "sender 1"} <= texts


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    part = "--drawTopology=none/net.svg: the file cannot be written"
    refuse(PROGRAM, tmp_path, "--drawTopology=none/net.svg", part=part)
