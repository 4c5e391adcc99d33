# SPDX-License-Identifier: GPL-2.0-only
"""--netAnim: a run for ns-3's NetAnim."""

from xml.etree import ElementTree

import pytest
from project import NETWORK, refuse, run, tables_of

PROGRAM = "transport-comparison"
FLOW = ["--transport=udp,tcp", "--bytes=20kB", "--lossRate=0.02", "--seriesInterval=100ms"]
DUMBBELL = "--topology=ns3::lfn::DumbbellTopology[Pairs=2|LinkRate=50Mbps|Rtts=10ms,30ms]"


def parse(path):
    """Return {element: [attributes]} of a file for NetAnim."""
    found = {}
    for element in ElementTree.parse(path).getroot():
        found.setdefault(element.tag, []).append(element.attrib)
    return found


def updates(animation, kind):
    """Return {node: attributes} of updates of one kind."""
    return {int(one["id"]): one for one in animation["nu"] if one["p"] == kind}


def test_nodes_have_the_names_roles_colours_and_places_of_the_drawing(tmp_path):
    (tmp_path / "net.csv").write_text(NETWORK)
    files = ["--netAnim=net.xml", "--drawTopology=net.svg"]
    topology = "--topology=ns3::lfn::FileTopology[File=net.csv]"
    result = run(PROGRAM, tmp_path, topology, *FLOW, *files)
    assert (result.returncode, result.stderr) == (0, "")
    animation = parse(tmp_path / "net.xml")
    names = [one["descr"] for one in updates(animation, "d").values()]
    assert names[:2] == ["left: sender 0", "up: sender 1"]
    assert names[2:] == ["right: receiver 0", "down: receiver 1", "r1", "r2"]
    colours = [(one["r"], one["g"], one["b"]) for one in updates(animation, "c").values()]
    assert colours[0] == colours[1] == ("0", "114", "178")
    assert len(set(colours)) == 3
    drawing = ElementTree.parse(tmp_path / "net.svg").getroot()
    circles = [one.attrib for one in drawing if one.tag.endswith("circle")]
    drawn = [(float(one["cx"]), float(one["cy"])) for one in circles]
    assert [(float(one["locX"]), float(one["locY"])) for one in animation["node"]] == drawn
    assert len(animation["link"]) == 5
    assert len(animation["p"]) > 2 * 3 * 20  # at least a data packet per 1 kB on three links
    assert not any("meta-info" in one for one in animation["p"])


@pytest.mark.parametrize(
    "topology",
    ["DumbbellTopology[Pairs=2]", "CsmaTopology[Hosts=4]", "WifiTopology[Stations=2|Senders=2]"],
)
def test_results_are_the_same(tmp_path, topology):
    flags = [f"--topology=ns3::lfn::{topology}", *FLOW]
    before = tables_of(PROGRAM, tmp_path / "before", *flags)
    animated = [*flags, "--netAnim=net.xml", "--netAnimMetadata"]
    assert tables_of(PROGRAM, tmp_path / "after", *animated) == before
    animation = parse(tmp_path / "after/net.xml")
    places = {(one["locX"], one["locY"]) for one in animation["node"]}
    assert len(places) == len(animation["node"])


def test_a_run_that_nothing_stops_ends_when_it_did(tmp_path):
    """The last event of the run is before NetAnim's first look for nodes that have moved."""
    flags = ["--bytes=3kB", "--seriesInterval=10ms", "--rtt=1ms"]
    before = tables_of("udt-transfer", tmp_path / "before", *flags)
    assert tables_of("udt-transfer", tmp_path / "after", *flags, "--netAnim=net.xml") == before


def test_the_file_has_the_first_packets(tmp_path):
    flags = [DUMBBELL, *FLOW, "--netAnim=net.xml", "--netAnimPackets=25", "--netAnimMetadata"]
    result = run(PROGRAM, tmp_path, *flags)
    assert result.returncode == 0
    line = "--netAnim=net.xml: the file has the first 25 packets, --netAnimPackets=N takes more\n"
    assert result.stderr.endswith(f"{PROGRAM}: warning: {line}")
    packets = parse(tmp_path / "net.xml")["p"]
    assert len(packets) == 25
    assert all("ns3::Ipv4Header" in one["meta-info"] for one in packets)


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--netAnim=none/net.xml"], "--netAnim=none/net.xml: the file cannot be written"),
        (["--netAnim=x", "--alone"], "--netAnim=x: it belongs to one network"),
        (["--netAnimPackets=5"], "--netAnimPackets=5: give --netAnim=FILE as well"),
        (["--netAnim=x", "--netAnimPackets=0"], "--netAnimPackets=0: "),
    ],
)
def test_refused(tmp_path, flags, part):
    refuse(PROGRAM, tmp_path, *FLOW, *flags, part=part)
    assert not (tmp_path / "x").exists()
