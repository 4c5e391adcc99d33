# SPDX-License-Identifier: GPL-2.0-only
"""Transports of a user's own beyond the first: one that installs its flows, one with Attributes."""

import os
import shlex
import subprocess

import pytest
from project import BUILD, HOME, build_settings, refuse, rows, run

# A class that installs a flow itself: UDP at a part of the rate that the flow asks for.
HALVED = """\
#include "ns3/core-module.h"
#include "ns3/lfn-module.h"
#include "ns3/network-module.h"

using namespace ns3;
using namespace ns3::lfn;

/** @brief UDP at half of the sending rate. */
class HalvedTransport : public Transport
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("HalvedTransport").SetParent<Transport>().AddConstructor<HalvedTransport>();
        return tid;
    }

    TransportTraits GetTraits() const override
    {
        TransportTraits traits;
        traits.isReliable = false;
        traits.usesSendRate = true;
        return traits;
    }

    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override
    {
        const auto remote = UdpEndpoint::WithPort(flow.receiverAddress, flow.port);
        const auto [source, sink] =
            BaselineHelper("Udp").Install(flow.sender, flow.receiver, remote);
        const DataRate half(flow.sendRate.GetBitRate() / 2);
        Suggest(source, "Bytes", UintegerValue(flow.bytes));
        Suggest(source, "SendRate", DataRateValue(half));
        Suggest(source, "PacketSize", UintegerValue(flow.packetSize));
        source->SetStartTime(flow.start);
        ends = {.source = source, .sink = sink};
        return std::nullopt;
    }
};

NS_OBJECT_ENSURE_REGISTERED(HalvedTransport);
"""
FIRST = (HOME / "examples/own/first-transport.cc").read_text()
# The transport's own Attribute, named as that of its source.
TIMEOUT = """.AddConstructor<WaitTransport>()
            .AddAttribute("Timeout", "Of the source.", TimeValue(Seconds(1)),
                          MakeTimeAccessor(&WaitTransport::m_timeout), MakeTimeChecker());"""
FLAGS = ["--bytes=100kB", "--lossRate=0.1"]


def library(folder, name, code):
    """Compile code to a library, as the chapter of the comparison does; return its path."""
    (folder / f"{name}.cc").write_text(code)
    flags = f"$(pkg-config --cflags --libs {shlex.quote(str(BUILD / 'lfn.pc'))})"
    words = f"{shlex.join(build_settings()['CXX'])} -fPIC -shared {name}.cc -o {name}.so {flags}"
    result = subprocess.run(words, shell=True, cwd=folder, text=True, capture_output=True)
    assert (result.returncode, result.stderr) == (0, "")
    return folder / f"{name}.so"


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """Libraries: halved, quartered (the same class at another rate), wait (with an Attribute)."""
    folder = tmp_path_factory.mktemp("libraries")
    constructor = ".AddConstructor<WaitTransport>();"
    assert FIRST.count(constructor) == 1
    head, _, tail = FIRST.replace(constructor, TIMEOUT).rpartition("};")
    return {
        "halved": library(folder, "halved", HALVED),
        "quartered": library(folder, "quartered", HALVED.replace("/ 2)", "/ 4)")),
        "wait": library(folder, "wait", f"{head}  private:\n    Time m_timeout;\n}};{tail}"),
    }


def test_transport_that_installs_itself(libraries, tmp_path):
    """Half of the rate, half of the goodput of UDP; the independent count agrees."""
    flag = f"--library={libraries['halved']}"
    result = run("transport-comparison", tmp_path, flag, "--transport=HalvedTransport,udp")
    assert (result.returncode, result.stderr) == (0, "")
    own, whole = rows(tmp_path)
    assert (own["protocol"], own["variant"]) == ("HalvedTransport", "")
    for row in (own, whole):
        assert (row["completed"], row["agrees"]) == ("1", "1")
        assert row["delivered_bytes"] == row["offered_bytes"]
    assert float(own["goodput_bps"]) == pytest.approx(float(whole["goodput_bps"]) / 2, rel=0.01)


def start(folder, library):
    """Start a run with a library, which goes on by itself."""
    folder.mkdir()
    words = [BUILD / "bin/transport-comparison", f"--library={library}", "--outputDir=here"]
    words += ["--transport=HalvedTransport", "--bytes=5MB", "--seriesInterval=100ms"]
    return subprocess.Popen(words, cwd=folder, text=True, stderr=subprocess.PIPE)


def test_libraries_of_two_processes(libraries, tmp_path):
    """A class of one name in two processes at once: each has its own, as if it were alone."""
    names = ["halved", "quartered"]
    alone, together = ({name: tmp_path / f"{name}-{how}" for name in names} for how in "at")
    for name in names:
        assert start(alone[name], libraries[name]).communicate(timeout=120)[1] == ""
    for process in [start(together[name], libraries[name]) for name in names]:
        assert process.communicate(timeout=120)[1] == ""
    for table in ("summary", "series"):
        for name in names:
            assert rows(together[name], table) == rows(alone[name], table)
    half, quarter = (float(rows(alone[name])[0]["goodput_bps"]) for name in names)
    assert quarter == pytest.approx(half / 2, rel=0.01)


@pytest.mark.parametrize("name", ["halved", "wait"])
def test_library_leaves_other_programs_alone(libraries, name):
    environment = {**os.environ, "LD_PRELOAD": str(libraries[name])}
    command = ["/bin/echo", "unharmed"]
    result = subprocess.run(command, env=environment, text=True, capture_output=True)
    assert (result.stdout, result.stderr) == ("unharmed\n", "")


def finish(folder, libraries, *flags):
    """Run WaitTransport with every tenth packet lost and return when it has finished, [s]."""
    flags = [f"--library={libraries['wait']}", *FLAGS, *flags]
    result = run("transport-comparison", folder, *flags, "--force")
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(folder)
    assert (row["completed"], row["agrees"]) == ("1", "1")
    return row["variant"], float(row["finish_s"])


def test_attribute_of_the_transport_reaches_the_source(libraries, tmp_path):
    """In the brackets of --transport, or by the source's own flag."""
    usual = finish(tmp_path, libraries, "--transport=WaitTransport")
    own = finish(tmp_path, libraries, "--transport=WaitTransport[Timeout=100ms]")
    flag = "--WaitSource::Timeout=100ms"
    assert (usual[0], own[0]) == ("", "Timeout=100ms")
    assert own[1] < usual[1] / 2
    assert finish(tmp_path, libraries, "--transport=WaitTransport", flag) == ("", own[1])


@pytest.mark.parametrize(
    ("brackets", "flags", "part"),
    [
        ("[Timeouts=1s]", [], "no attribute of WaitTransport Timeouts, did you mean Timeout?"),
        ("[PacketSize=100]", [], "no attribute of WaitTransport PacketSize"),
        ("[Timeout=soon]", [], "Timeout: give a time with its unit"),
        ("[Timeout=0s]", [], "WaitSource: its Attribute Timeout does not take +0"),
        ("[Timeout=100ms]", ["--WaitSource::Timeout=200ms"], "the program sets it itself"),
        ("", ["--WaitSource::Timeouts=1s"], "did you mean Timeout?"),
    ],
)
def test_attributes_that_are_refused(libraries, tmp_path, brackets, flags, part):
    """One line, whether the transport, its source or neither has the Attribute."""
    flags = [f"--library={libraries['wait']}", f"--transport=WaitTransport{brackets}", *flags]
    refuse("transport-comparison", tmp_path, *flags, part=part)
