# SPDX-License-Identifier: GPL-2.0-only
"""Topologies of a user's own, in a program of theirs and, as a library, in every program."""

import os
import re
import shlex
import shutil
import subprocess

import pytest
from project import BUILD, HOME, PROGRAMS, build_settings, compile_like_the_build, rows, run, waf

TUTORIAL = (HOME / "doc/tutorial.rst").read_text()


def tutorial_code(name="my-transfer"):
    """Return a program that the tutorial shows."""
    assert f".. literalinclude:: ../examples/own/{name}.cc\n" in TUTORIAL
    return (HOME / f"examples/own/{name}.cc").read_text()


# A class that makes nodes, links and addresses itself.
ROUTER = """\
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

using namespace ns3;
using namespace ns3::lfn;

/** @brief Sender, router, receiver; the second link is the bottleneck. */
class RouterTopology : public TransportTopology
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("RouterTopology")
                                .SetParent<TransportTopology>()
                                .AddConstructor<RouterTopology>()
                                .AddAttribute("Rate",
                                              "Rate of the second link.",
                                              DataRateValue(DataRate("100Mbps")),
                                              MakeDataRateAccessor(&RouterTopology::m_rate),
                                              MakePositiveDataRateChecker());
        return tid;
    }

  private:
    void DoBuild() override
    {
        NodeContainer nodes(3);
        InstallInternet(nodes, false);
        PointToPointHelper link;
        link.DisableFlowControl();
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("2000p"));
        link.SetChannelAttribute("Delay", StringValue("5ms"));
        link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
        const auto near = link.Install(nodes.Get(0), nodes.Get(1));
        link.SetDeviceAttribute("DataRate", DataRateValue(m_rate));
        const auto far = link.Install(nodes.Get(1), nodes.Get(2));
        const auto nearFaces = Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(near);
        const auto farFaces = Ipv4AddressHelper("10.1.2.0", "255.255.255.0").Assign(far);
        RemoveQueueDiscs(near);
        RemoveQueueDiscs(far);
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        AddSender(nodes.Get(0), nearFaces.GetAddress(0));
        AddReceiver(nodes.Get(2), farFaces.GetAddress(1), MilliSeconds(20));
        AddBottleneck(far.Get(0), far.Get(1));
    }

    DataRate m_rate;
};

NS_OBJECT_ENSURE_REGISTERED(RouterTopology);
"""


def preloaded(folder, code):
    """Compile a class to a library and return the environment in which programs have it."""
    source = folder / "router-topology.cc"
    source.write_text(code)
    library = folder / "librouter.so"
    compile_like_the_build(source, library, "-fPIC", "-shared")
    return {**os.environ, "LD_PRELOAD": str(library)}


def run_file(folder, line):
    """Have ./waf compile and run a C++ file in a folder."""
    return waf("--run", line, cwd=folder)


def test_program_of_the_tutorial(tmp_path):
    """A program of a user's own, with a topology of their own, outside of the project."""
    (tmp_path / "my-transfer.cc").write_text(tutorial_code())
    line = re.search(r'^  \./waf --run "examples/own/(my-transfer.*)"$', TUTORIAL, re.M)[1]
    result = run_file(tmp_path, line)
    assert (result.returncode, result.stderr) == (0, "")
    # The line that the tutorial shows.
    assert f"  {result.stdout.splitlines()[0]}\n" in TUTORIAL
    result = run_file(tmp_path, "my-transfer.cc --topology=RouterTopology[Rat=1Mbps]")
    assert result.returncode == 1
    assert "did you mean Rate?" in result.stderr


def test_payload_of_the_tutorial(tmp_path):
    """The other program that the tutorial prints, and what it prints in its turn."""
    (tmp_path / "my-payload.cc").write_text(tutorial_code("my-payload"))
    result = run_file(tmp_path, "my-payload.cc")
    assert (result.returncode, result.stderr) == (0, "")
    assert f"  {result.stdout}" in TUTORIAL


OTHER_MODULE = """\
#include "ns3/olsr-module.h"
#include "ns3/rbudp-sender.h"
#include "own.h"
#include <iostream>
int main(int argc, char**)
{
    ns3::OlsrHelper helper;
    ns3::CreateObject<ns3::lfn::RbudpSender>();
    std::cout << NUMBER + argc << std::endl;
    return NUMBER;
}
"""


def test_file_with_another_module(tmp_path):
    """All modules of ns-3 are at hand; what a file includes counts; faults end in one line."""
    (tmp_path / "own.h").write_text("#define NUMBER 3\n")
    (tmp_path / "other.cc").write_text(OTHER_MODULE)
    result = run_file(tmp_path, "other.cc --flag")
    assert (result.returncode, result.stdout, result.stderr) == (3, "5\n", "")
    (tmp_path / "own.h").write_text("#define NUMBER 4\n")
    assert run_file(tmp_path, "other.cc").stdout == "5\n"
    result = run_file(tmp_path, "another.cc")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"waf: --run: {tmp_path}/another.cc: no such file\n"
    (tmp_path / "other.cc").write_text("int main( {")
    result = run_file(tmp_path, "other.cc")
    assert result.returncode == 1
    assert result.stderr.endswith("other.cc: does not compile, see the messages above\n")


@pytest.mark.skipif(not shutil.which("pkg-config"), reason="needs pkg-config")
def test_pkg_config_makes_a_program(tmp_path):
    """The tutorial's line without -shared, for a program with another module."""
    (tmp_path / "own.h").write_text("#define NUMBER 3\n")
    (tmp_path / "other.cc").write_text(OTHER_MODULE)
    flags = f"$(pkg-config --cflags --libs {shlex.quote(str(BUILD / 'lfn.pc'))})"
    compiler = shlex.join(build_settings()["CXX"])
    subprocess.run(f"{compiler} other.cc -o other {flags}", shell=True, check=True, cwd=tmp_path)
    result = subprocess.run([tmp_path / "other"], text=True, capture_output=True)
    assert (result.returncode, result.stdout, result.stderr) == (3, "4\n", "")


def test_topology_of_the_tutorial_loses_nothing_at_its_sender(tmp_path):
    """With ns-3's queue of 100 packets TCP's own bursts would be lost there: 52 Mb/s."""
    preload = preloaded(tmp_path, tutorial_code().partition("\nint\nmain")[0])
    flags = ["--transport=tcp", "--bytes=20MB", "--topology=RouterTopology"]
    result = run("transport-comparison", tmp_path, *flags, env=preload)
    assert result.returncode == 0, result.stderr
    assert float(rows(tmp_path)[0]["goodput_bps"]) > 75e6


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("MakePositiveDataRateChecker", "MakeDataRateChecker", "a bottleneck has the rate 0"),
        ("far.Get(0), far.Get(1)", "near.Get(0), far.Get(1)", "are not on one channel"),
        (
            "far.Get(0), far.Get(1)",
            "far.Get(1), far.Get(0)",
            "data cross the first bottleneck only from",
        ),
        ("AddSender(nodes.Get(0)", "AddSender(CreateObject<Node>()", "has no internet stack"),
    ],
)
def test_topology_that_cannot_work(tmp_path, old, new, part):
    """Mistakes of a class that no checker of its own refuses: one line, no crash."""
    assert old in ROUTER
    preload = preloaded(tmp_path, ROUTER.replace(old, new))
    rate = "0bps" if "rate" in part else "20Mbps"
    flag = f"--topology=RouterTopology[Rate={rate}]"
    result = run("rbudp-transfer", tmp_path, flag, env=preload)
    assert result.returncode == 1
    assert part in result.stderr
    assert result.stderr.count("\n") == 1


def test_topology_without_a_bottleneck(tmp_path):
    """What looks at a bottleneck is refused in one line; the rest works."""
    preload = preloaded(tmp_path, re.sub(r".*AddBottleneck.*\n", "", ROUTER))
    for program, flags, part in [
        ("rbudp-transfer", [], ""),
        ("rbudp-transfer", ["--seriesInterval=10ms"], ""),
        ("vrp-transfer", [], ""),
        ("atou-transfer", [], ""),
        ("jrm-session", [], ""),
        ("rbudp-transfer", ["--lossRate=0.1"], "names no bottleneck"),
        ("rbudp-transfer", ["--dropData=3"], "this topology names 0: leave such flags away"),
        ("rbudp-transfer", ["--queueDisc=ns3::FifoQueueDisc"], "names no bottleneck to put it at"),
        ("rbudp-transfer", ["--background=web"], "web: the topology gives no bottleneck's rate"),
        ("vrp-transfer", ["--background=onoff[Load=0.1]"], "gives no bottleneck's rate: give Rate"),
        ("rbudp-transfer", ["--background=web[Rate=1Mbps],onoff[Rate=1Mbps],http,tcp"], ""),
        ("rbudp-transfer", ["--messages"], "names no bottleneck"),
        ("vrp-transfer", ["--messages"], "names no bottleneck"),
        ("vrp-transfer", ["--dropData=3", "--packetSize=1kB"], "this topology names 0"),
        ("xcp-tcp-fairness", [], "names no bottleneck"),
        ("transport-comparison", [], "it gives no bottleneck's rate: give --sendRate as well"),
        ("transport-comparison", ["--sendRate=1Mbps"], ""),
        ("transport-comparison", ["--sendRate=1Mbps", "--transport=jrm"], ""),
        ("transport-comparison", ["--sendRate=1Mbps", "--transport=xcp"], "xcp needs a bottleneck"),
        ("transport-comparison", ["--sendRate=1Mbps", "--lossRate=0.1"], "names no bottleneck"),
    ]:
        folder = tmp_path / f"{program}{''.join(flags)}"
        folder.mkdir()
        given = [flag.split("=")[0] for flag in flags]
        usual = [flag for flag in PROGRAMS[program] if flag.split("=")[0] not in given]
        name = "--topology=RouterTopology[Rate=20Mbps]"
        result = run(program, folder, *usual, name, *flags, env=preload)
        assert result.returncode == bool(part), (program, flags)
        assert part in result.stderr
        assert result.stderr.count("\n") == bool(part)
        assert (folder / "here").exists() != bool(part)
        if program == "transport-comparison" and not part:
            for row in rows(folder):
                assert (row["completed"], row["agrees"]) == ("1", "1")
                nothing = ("mean_queue_packets", "mean_queue_s", "utilisation")
                assert {row[name] for name in nothing} == {""}
