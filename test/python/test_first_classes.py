# SPDX-License-Identifier: GPL-2.0-only
"""The shortest topology and the shortest transport of a user's own, outside of the clone."""

import os
import re
import subprocess

import pytest
from project import HOME, PROGRAMS, make_clone, rows

# The page that shows each file, and the most lines of what is to be written.
FIRST = {"topology": ("tutorial", 40), "transport": ("comparison", 60)}


def shell(folder, command):
    """Run a command as the page prints it."""
    clone = folder / "clone"
    path = f"{clone / 'tools'}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "LFN": str(clone)},
        text=True,
        capture_output=True,
        timeout=300,
    )


def page_of(kind):
    return (HOME / f"doc/{FIRST[kind][0]}.rst").read_text()


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    """A folder outside of the clone with both files, after all commands that the pages print."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / "clone").mkdir()
    make_clone(folder / "clone")
    for kind in FIRST:
        name = f"first-{kind}.cc"
        (folder / name).write_text((HOME / "examples/own" / name).read_text())
        lines = re.findall(r"^  (.*\$LFN/.*)$", page_of(kind), re.M)
        assert len(lines) == 2
        for line in lines:
            result = shell(folder, line)
            assert (result.returncode, result.stderr) == (0, ""), line
    return folder


@pytest.mark.parametrize("kind", FIRST)
def test_page_shows_the_file(kind):
    """The listing is the file, or its end; it is short, and so is the list of concepts."""
    page = page_of(kind)
    text = (HOME / f"examples/own/first-{kind}.cc").read_text()
    (listing,) = re.findall(
        rf"literalinclude:: \.\./examples/own/first-{kind}\.cc\n((?:   :.*\n)+)", page
    )
    begin = re.search(r":start-at: (.*)\n", listing)
    shown = text[text.index(begin[1]) :] if begin else text
    assert len(shown.splitlines()) <= FIRST[kind][1]
    concepts = page[page.index(f"A first {kind}\n") :].partition("What to know for it:")[2]
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", concepts, re.M)]
    assert len(numbers) <= {"topology": 8, "transport": 12}[kind]


def test_first_transport_delivers(outside):
    """Alongside udp on a path with losses; the independent count agrees."""
    own, udp = rows(outside, place="results/transport-comparison")
    assert (own["protocol"], udp["protocol"]) == ("WaitTransport", "udp")
    for row in (own, udp):
        assert (row["completed"], row["agrees"]) == ("1", "1")
    assert own["delivered_bytes"] == own["offered_bytes"] == "100000"
    assert int(own["retransmitted_packets"]) > 0


@pytest.mark.parametrize("version", ["4", "6"])
def test_both_at_once(outside, version):
    """A transport and a topology from two libraries, and an Attribute of an application."""
    command = (
        "$LFN/build/bin/transport-comparison --library=first-topology.so,./first-transport.so "
        "--topology=FirstTopology --transport=WaitTransport --bytes=50kB --outputDir=both "
        f"--force --WaitSource::Timeout=100ms --ipVersion={version}"
    )
    result = shell(outside, command)
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(outside, place="both")
    assert (row["completed"], row["agrees"], row["delivered_bytes"]) == ("1", "1", "50000")
    # 36 packets of 1400 bytes, each an RTT of 20 ms.
    assert 0.72 < float(row["finish_s"]) < 0.8


@pytest.mark.parametrize("program", PROGRAMS)
def test_first_topology_in_every_program(outside, program):
    words = " ".join(f"'{flag}'" for flag in PROGRAMS[program])
    command = (
        f"$LFN/build/bin/{program} {words} --library=first-topology.so "
        "--topology=FirstTopology --outputDir=all --force"
    )
    result = shell(outside, command)
    assert (result.returncode, result.stderr) == (0, "")
    assert int(rows(outside, place="all")[0]["delivered_bytes"]) > 0


LINK = 'Connect("router", "receiver", DataRate("100Mbps"), MilliSeconds(5), QueueSize("2000p"));'
MISTAKES = [
    ("topology", "100Mbps", "0Mbps", "Connect(router, receiver): give a rate above 0"),
    ("topology", LINK, LINK + LINK, "Connect(router, receiver): the two are connected already"),
    (
        "topology",
        'Pair("sender", "receiver")',
        'Pair("sender", "receivr")',
        "did you mean receiver?",
    ),
    ("topology", LINK, LINK.replace('"router"', '"other"'), "2 parts that no link connects"),
    ("topology", 'Pair("sender", "receiver");', "", "it has no pair"),
    ("transport", '("WaitSource", "WaitSink"', '("NoSource", "WaitSink"', "no class NoSource"),
    ("transport", 'AddAttribute("Remote"', 'AddAttribute("Remotes"', "the Attribute Remote"),
]


@pytest.mark.parametrize("mistake", range(len(MISTAKES)))
def test_mistakes_are_one_line(outside, mistake):
    kind, old, new, part = MISTAKES[mistake]
    text = (outside / f"first-{kind}.cc").read_text()
    assert text.count(old) == 1
    (outside / "bad.cc").write_text(text.replace(old, new))
    compiled = re.search(rf"^  (g\+\+ .* first-{kind}\.cc .*)$", page_of(kind), re.M)[1]
    compiled = compiled.replace(f"first-{kind}.", "bad.").replace("-O2", "-O0")
    assert shell(outside, compiled).returncode == 0
    name = {"topology": "--topology=FirstTopology", "transport": "--transport=WaitTransport"}[kind]
    refuse(outside, f"--library=bad.so {name}", part)


def refuse(outside, flags, part):
    result = shell(outside, f"$LFN/build/bin/transport-comparison {flags} --outputDir=refused")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert part in result.stderr, result.stderr
    assert not (outside / "refused").exists()


def test_unknown_names_are_one_line(outside):
    refuse(outside, "--library=absent.so", "--library=absent.so: cannot be loaded")
    refuse(outside, "--library=first-topology.cc", "cannot be loaded")
    refuse(outside, "--topology=FirstTopology", "FirstTopology")
    known = "--library=first-topology.so,first-transport.so"
    refuse(outside, f"{known} --topology=FirstTopologie", "FirstTopologie")
    refuse(outside, f"{known} --transport=WaitTransports", "there is no transport WaitTransports")
    refuse(
        outside,
        f"{known} --transport=WaitTransport --bytes=0 --duration=1s",
        "Bytes does not take 0",
    )


def test_first_transport_by_its_helper(outside):
    """The same two applications in a program without Scenario."""
    text = (outside / "first-transport.cc").read_text()
    (outside / "program.cc").write_text(
        '#include "ns3/internet-module.h"\n#include "ns3/point-to-point-module.h"\n'
        + "#include <iostream>\n"
        + text
        + """
int main()
{
    NodeContainer nodes(2);
    PointToPointHelper link;
    const auto devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    TransferHelper<TransferApplication, TransferApplication> helper("WaitSource", "WaitSink");
    helper.SetSourceAttribute("Bytes", UintegerValue(20000));
    const auto ends = helper.Install(nodes.Get(0), nodes.Get(1), addresses.GetAddress(1));
    Simulator::Run();
    const auto& report = ends.source->GetReport();
    std::cout << report.completed << report.deliveredBytes << std::endl;
    Simulator::Destroy();
}
"""
    )
    build = "g++ program.cc -o program $(pkg-config --cflags --libs $LFN/build/lfn.pc)"
    assert shell(outside, build).returncode == 0
    assert shell(outside, "./program").stdout == "120000\n"
