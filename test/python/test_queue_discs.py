# SPDX-License-Identifier: GPL-2.0-only
"""Every queue disc at the bottlenecks of every program and every topology: --queueDisc."""

import re
import shlex
import subprocess

import pytest
from project import BUILD, HOME, NETWORK, PROGRAMS, all_topologies, refuse, rows, run

PROGRAM = "transport-comparison"
MADE_OF_OTHERS = "give one that is not made up of others"
CLASSES = "ClassQueueDisc[Classes=EF:0.6:100p:5Mbps,rest:0.4]"


def queue_discs():
    """Return the names of the classes of queue discs that can be made."""
    command = [BUILD / "bin" / PROGRAM, "--PrintTypeIds"]
    text = subprocess.run(command, check=True, text=True, capture_output=True).stdout
    names = {line.strip() for line in text.splitlines()}
    return sorted(name for name in names if name.endswith("QueueDisc") and name != "ns3::QueueDisc")


DISCS = queue_discs()
TOPOLOGIES = all_topologies({})
del TOPOLOGIES["FileTopology"]  # needs a file


def test_discs():
    """The product is not empty: ns-3's classes and those of the module."""
    assert len(DISCS) >= 14
    assert {"ns3::FifoQueueDisc", "ns3::FqCoDelQueueDisc", "ns3::lfn::XcpQueueDisc"} <= set(DISCS)


@pytest.mark.parametrize("disc", DISCS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_disc_in_every_program(tmp_path, program, disc):
    """A run completes, or one line says what to write instead."""
    flags = [*PROGRAMS[program], f"--queueDisc={disc}", "--attributes"]
    if disc == "ns3::MqQueueDisc":
        refuse(program, tmp_path, *flags, part=MADE_OF_OTHERS)
        return
    result = run(program, tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    flows = rows(tmp_path)
    assert any(int(flow["delivered_bytes"]) > 0 for flow in flows)
    if program != "xcp-tcp-fairness":  # its flows have no end
        assert {flow["completed"] for flow in flows} == {"1"}
    assert disc in {row["class"] for row in rows(tmp_path, "attributes")} or "Xcp" in disc


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("topology", TOPOLOGIES.values())
@pytest.mark.parametrize(
    "disc", ["ns3::FifoQueueDisc", "ns3::PrioQueueDisc", "ns3::FqCoDelQueueDisc", CLASSES]
)
def test_every_topology(tmp_path, disc, topology, version):
    """All topologies have it at their bottlenecks, where a packet of the device's own waits."""
    flags = [f"--topology=ns3::lfn::{topology}", f"--queueDisc={disc}", f"--ipVersion={version}"]
    result = run(PROGRAM, tmp_path, *PROGRAMS[PROGRAM], *flags)
    assert (result.returncode, result.stderr) == (0, "")
    reliable = [flow for flow in rows(tmp_path) if flow["protocol"] not in ("udp", "fec-udp")]
    assert {flow["completed"] for flow in reliable} == {"1"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_classes_in_every_program(tmp_path, program):
    """Classes of service, by the name of the class alone."""
    result = run(program, tmp_path, *PROGRAMS[program], f"--queueDisc={CLASSES}", "--attributes")
    assert (result.returncode, result.stderr) == (0, "")
    assert any(int(flow["delivered_bytes"]) > 0 for flow in rows(tmp_path))
    found = [row for row in rows(tmp_path, "attributes") if row["attribute"] == "Classes"]
    assert {row["value"] for row in found} == {"EF:0.6:100p:5000000bps,rest:0.4"}


@pytest.mark.parametrize("page", ["tasks", "topologies"])
def test_printed_commands(tmp_path, page):
    """The commands of the documents give RBUDP a class of its own, and it loses nothing there."""
    text = (HOME / f"doc/{page}.rst").read_text()
    words = re.search(r'run "transport-comparison (.*ClassQueueDisc\[.*)"', text)[1]
    result = run(PROGRAM, tmp_path, *shlex.split(words))
    assert (result.returncode, result.stderr) == (0, "")
    flows = {flow["protocol"]: flow for flow in rows(tmp_path)}
    assert {flow["completed"] for flow in flows.values()} == {"1"}
    assert flows["rbudp"]["retransmitted_packets"] == "0"


@pytest.mark.parametrize("version", ["4", "6"])
def test_cap(tmp_path, version):
    """Two flows of TCP: the class of one has a cap, and the other gets the rest of the link."""
    flags = ["--transport=tcp[Tos=0x28],tcp[Tos=CS1]", "--bytes=0", "--duration=4s"]
    flags += [
        "--linkRate=20Mbps",
        "--queueDisc=ClassQueueDisc[Classes=AF11:1:50p:4Mbps,rest:1]",
    ]
    result = run(PROGRAM, tmp_path, *flags, f"--ipVersion={version}", "--seriesInterval=1s")
    assert (result.returncode, result.stderr) == (0, "")
    rates = {0: [], 1: []}
    for row in rows(tmp_path, "series"):
        if row["metric"] == "goodput_bps" and float(row["time_s"]) > 1.5:
            rates[int(row["flow"])].append(float(row["value"]))
    capped, rest = (sum(values) / len(values) for values in rates.values())
    headers = 1400 / (1400 + 32 + (20 if version == "4" else 40) + 2)
    assert capped == pytest.approx(4e6 * headers, rel=0.01)
    assert rest == pytest.approx(16e6 * headers, rel=0.03)


def test_queue_becomes_max_size(tmp_path):
    """--queue is the queue disc's size, and the device keeps one packet."""
    for k, (flags, size) in enumerate(
        [
            (["--queue=20p"], "20p"),
            ([], "250p"),
            (["--queue=30000B"], "30000B"),
            (["--ns3::FifoQueueDisc::MaxSize=7p"], "7p"),
        ]
    ):
        folder = tmp_path / str(k)
        folder.mkdir()
        result = run(
            PROGRAM,
            folder,
            "--queueDisc=ns3::FifoQueueDisc",
            "--bytes=10kB",
            "--attributes",
            *flags,
        )
        assert (result.returncode, result.stderr) == (0, "")
        found = [row for row in rows(folder, "attributes") if row["attribute"] == "MaxSize"]
        values = {row["value"] for row in found}
        assert {size, "1p"} <= values, found


def test_fifo_is_the_devices_queue(tmp_path):
    """A FIFO that never fills delays every packet as the device's own queue does."""
    tables = []
    for place, disc in ("a", []), ("b", ["--queueDisc=ns3::FifoQueueDisc"]):
        (tmp_path / place).mkdir()
        flags = ["--transport=tcp,rbudp", "--bytes=2MB", "--linkRate=20Mbps", "--lossRate=0.001"]
        result = run(PROGRAM, tmp_path / place, *flags, "--seriesInterval=50ms", *disc)
        assert (result.returncode, result.stderr) == (0, "")
        flows = rows(tmp_path / place)
        for flow in flows:
            del flow["mean_queue_s"]  # without the link's headers in a queue disc
        tables.append((flows, rows(tmp_path / place, "series")))
    assert tables[0] == tables[1]


@pytest.mark.parametrize(
    ("program", "flags", "part"),
    [
        (PROGRAM, ["--queueDisc=ns3::NoQueueDisc"], "there is no TypeId"),
        (PROGRAM, ["--queueDisc=ClassQueueDiscs"], "there is no TypeId ClassQueueDiscs"),
        (
            PROGRAM,
            ["--queueDisc=ClassQueueDisc[Classes=EF:0.6]"],
            "Classes: add a class for all other packets, such as rest:0.4",
        ),
        (
            "rbudp-transfer",
            ["--queueDisc=ClassQueueDisc[Classes=EF:0.6:60,rest:1]"],
            "Classes: class EF:0.6:60: a buffer is a whole number above 0 with its unit",
        ),
        (
            "xcp-tcp-fairness",
            ["--queueDisc=ClassQueueDisc[Classes=0xb9:1,rest:1]"],
            "the lowest two bits of TOS byte 0xb9 are those of ECN: give EF",
        ),
        (
            "jrm-session",
            ["--ns3::lfn::ClassQueueDisc::Classes=rest:0"],
            "class rest:0: write a weight from 1e-6 to 1e6",
        ),
        (PROGRAM, ["--queueDisc=ns3::TcpCubic"], "derived from ns3::QueueDisc"),
        (PROGRAM, ["--queueDisc=ns3::FifoQueueDisc[MaxSize=5]"], "MaxSize: "),
        (PROGRAM, ["--queueDisc=ns3::FifoQueueDisc[Size=5p]"], "Size"),
        (
            PROGRAM,
            ["--queueDisc=ns3::FifoQueueDisc[MaxSize=5p]", "--queue=6p"],
            "own MaxSize is 5p: leave this flag out",
        ),
        ("vrp-transfer", ["--queueDisc=ns3::PrioQueueDisc", "--queue=6p"], "own MaxSize is none"),
        (
            "rbudp-transfer",
            ["--queueDisc=ns3::PfifoFastQueueDisc", "--queue=6kB"],
            "give a size above 0 in packets",
        ),
        (
            PROGRAM,
            ["--queueDisc=ns3::FifoQueueDisc", "--transport=tcp,xcp"],
            "a transport puts ns3::lfn::XcpQueueDisc at the bottlenecks",
        ),
        (
            "jrm-session",
            ["--queueDisc=ns3::PfifoFastQueueDisc[MaxSize=6kB]"],
            "MaxSize=6000B is not supported: give a size above 0 in packets",
        ),
    ],
)
def test_refusals(tmp_path, program, flags, part):
    refuse(program, tmp_path, *flags, part=part)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_networks_from_a_file(tmp_path, program, named):
    """Its bottleneck has the queue disc, whether the file names one or the topology finds it."""
    text = NETWORK if named else NETWORK.replace(",bottleneck", "")
    (tmp_path / "network.csv").write_text(text)
    flags = [*PROGRAMS[program], "--queueDisc=ns3::FqCoDelQueueDisc", "--attributes"]
    flags.append("--topology=ns3::lfn::FileTopology[File=network.csv]")
    result = run(program, tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    found = [row for row in rows(tmp_path, "attributes") if "::FqCoDel" in row["class"]]
    limit = {row["value"] for row in found if row["attribute"] == "MaxSize"}
    own = program == "xcp-tcp-fairness"  # its --bufferBdp
    assert limit == {"28p" if own else "500p"}, "the queue that the file gives"


FQ_CODEL = "--queueDisc=ns3::FqCoDelQueueDisc"


@pytest.mark.parametrize("program", PROGRAMS)
def test_attributes_of_discs_that_are_not_there(tmp_path, program):
    name = "--ns3::CoDelQueueDisc::Target=5ms"
    part = f"{program}: {name}: there is no ns3::CoDelQueueDisc in this run: leave it out"
    refuse(program, tmp_path, *PROGRAMS[program], name, part=part)


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (
            ["--queueDisc=ns3::FifoQueueDisc", "--ns3::FqCoDelQueueDisc::Target=9ms"],
            "there is no ns3::FqCoDelQueueDisc in this run",
        ),
        (["--ns3::QueueDisc::Quota=3"], "there is no ns3::QueueDisc in this run"),
        (["--ns3::CsmaNetDevice::Mtu=1400"], "there is no ns3::CsmaNetDevice in this run"),
        (["--ns3::CsmaChannel::Delay=1ms"], "there is no ns3::CsmaChannel in this run"),
        (["--ns3::OnOffApplication::PacketSize=99"], "there is no ns3::OnOffApplication"),
        (
            [FQ_CODEL, "--ns3::CoDelQueueDisc::Target=9ms"],
            "give --ns3::FqCoDelQueueDisc::Target",
        ),
        (
            ["--queueDisc=ns3::FqPieQueueDisc", "--ns3::PieQueueDisc::UseEcn=true"],
            "give --ns3::FqPieQueueDisc::UseEcn",
        ),
        (
            ["--queueDisc=ns3::FqCobaltQueueDisc", "--ns3::CobaltQueueDisc::Pdrop=0.1"],
            "give --ns3::FqCobaltQueueDisc::Pdrop",
        ),
    ],
)
def test_attributes_without_effect(tmp_path, flags, part):
    """Nothing that is accepted changes nothing: one line, status 1, nothing written."""
    refuse(PROGRAM, tmp_path, "--transport=tcp", "--bytes=20kB", *flags, part=part)


@pytest.mark.parametrize(
    "flags",
    [
        [FQ_CODEL, "--ns3::FqCoDelQueueDisc::Target=9ms"],
        [FQ_CODEL, "--ns3::CoDelQueueDisc::MinBytes=9999"],  # of what the disc makes for flows
        ["--queueDisc=ns3::CoDelQueueDisc", "--ns3::CoDelQueueDisc::Target=9ms"],
        ["--queueDisc=ns3::CoDelQueueDisc", "--ns3::QueueDisc::Quota=3"],
        ["--topology=ns3::lfn::CsmaTopology", "--ns3::CsmaNetDevice::EncapsulationMode=Llc"],
        ["--background=onoff", "--duration=1s", "--ns3::OnOffApplication::MaxBytes=99999"],
    ],
)
def test_attributes_with_effect(tmp_path, flags):
    result = run(PROGRAM, tmp_path, "--transport=tcp", "--bytes=20kB", *flags)
    assert (result.returncode, result.stderr) == (0, "")


def test_xcp_over_its_own_disc(tmp_path):
    """XCP's own queue disc may be given, with Attributes of its own."""
    flags = ["--transport=xcp", "--bytes=200kB", "--queueDisc=ns3::lfn::XcpQueueDisc[MaxSize=50p]"]
    result = run(PROGRAM, tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    assert rows(tmp_path)[0]["completed"] == "1"
