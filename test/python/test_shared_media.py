# SPDX-License-Identifier: GPL-2.0-only
"""CSMA and Wi-Fi: starts, losses, multicast, and a user's own networks without rates."""

import csv
import os

import pytest
from project import PROGRAMS, compile_like_the_build, refuse, rows, run

WIFI = "--topology=ns3::lfn::WifiTopology"
CSMA = "--topology=ns3::lfn::CsmaTopology"
PROGRAM = "transport-comparison"
RADIO = """\
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-topology.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"
using namespace ns3;
class Radio : public lfn::TransportTopology
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("Radio")
                                .SetParent<lfn::TransportTopology>()
                                .AddConstructor<Radio>()
                                .AddAttribute("Rate", "Of the link; 0: it is not reported.",
                                              DataRateValue(DataRate(0)),
                                              MakeDataRateAccessor(&Radio::m_rate),
                                              MakeDataRateChecker());
        return tid;
    }

  private:
    void DoBuild() override
    {
        NodeContainer nodes(2);
        MobilityHelper mobility;
        mobility.Install(nodes);
        YansWifiPhyHelper phy;
        phy.SetChannel(YansWifiChannelHelper::Default().Create());
        WifiHelper wifi;
        wifi.SetStandard(WIFI_STANDARD_80211n);
        WifiMacHelper mac;
        mac.SetType("ns3::AdhocWifiMac");
        const auto devices = wifi.Install(phy, mac, nodes);
        InternetStackHelper().Install(nodes);
        const auto addresses = Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);
        AddSender(nodes.Get(0), addresses.GetAddress(0));
        AddReceiver(nodes.Get(1), addresses.GetAddress(1), Time(0));
        if (m_rate.GetBitRate() > 0)
        {
            AddBottleneck(devices.Get(0), devices.Get(1), {m_rate, DataRate("5Mbps"), nullptr});
        }
        else
        {
            AddBottleneck(devices.Get(0), devices.Get(1));
        }
    }

    DataRate m_rate;
};
NS_OBJECT_ENSURE_REGISTERED(Radio);
"""


@pytest.fixture(scope="module")
def radio(tmp_path_factory):
    """The environment in which programs have Radio, a network by ns-3's own helpers."""
    folder = tmp_path_factory.mktemp("radio")
    (folder / "radio.cc").write_text(RADIO)
    compile_like_the_build(folder / "radio.cc", folder / "libradio.so", "-fPIC", "-shared")
    return {**os.environ, "LD_PRELOAD": str(folder / "libradio.so")}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_tells_no_rate_is_carried_or_refused(tmp_path, radio, program):
    usual = PROGRAMS[program]
    result = run(program, tmp_path, *usual, "--topology=Radio", env=radio)
    needs = {
        "transport-comparison": "it gives no bottleneck's rate: give --sendRate as well",
        "xcp-tcp-fairness": "give it with --ns3::lfn::XcpPort::Bandwidth",
    }.get(program)
    if needs:
        assert result.returncode == 1
        assert needs in result.stderr
        assert result.stderr.count("\n") == 1
    else:
        assert (result.returncode, result.stderr) == (0, "")
        assert int(rows(tmp_path)[0]["delivered_bytes"]) > 0
    reported = run(program, tmp_path, *usual, "--topology=Radio[Rate=20Mbps]", env=radio)
    assert (reported.returncode, reported.stderr) == (0, "")
    assert int(rows(tmp_path)[0]["delivered_bytes"]) > 0


@pytest.mark.parametrize(
    ("transport", "flags", "part"),
    [
        ("tcp", [], ""),
        ("tcp,udp", ["--sendRate=3Mbps"], ""),
        ("udp", [], "it gives no bottleneck's rate"),
        ("xcp", [], "give it with --ns3::lfn::XcpPort::Bandwidth"),
        ("xcp", ["--ns3::lfn::XcpPort::Bandwidth=10Mbps"], ""),
        ("rbudp,vrp", ["--sendRate=3Mbps", "--lossRate=0.05", "--reverseLoss"], ""),
    ],
)
def test_each_is_asked_for_what_it_needs(tmp_path, radio, transport, flags, part):
    words = [f"--transport={transport}", "--bytes=200kB", "--topology=Radio", *flags]
    result = run(PROGRAM, tmp_path, *words, env=radio)
    assert result.returncode == bool(part), result.stderr
    assert part in result.stderr
    for row in [] if part else rows(tmp_path):
        assert (row["completed"], row["agrees"]) == ("1", "1"), row


@pytest.mark.parametrize("topology", [WIFI, CSMA])
def test_losses_are_those_asked_for(tmp_path, topology):
    """Of IP packets, at the receiving node, not frames of the link below."""
    words = ["--transport=udp", "--bytes=5MB", "--sendRate=10Mbps", topology]
    lost = {}
    for name, flags in {
        "none": [],
        "single": ["--lossRate=0.05"],
        "bursts": ["--lossRate=0.05", "--lossBurst=8"],
    }.items():
        assert run(PROGRAM, tmp_path, *words, *flags).returncode == 0
        (row,) = rows(tmp_path)
        assert row["agrees"] == "1"
        lost[name] = 1 - int(row["device_packets"]) / int(row["data_packets"])
    assert lost["none"] == 0
    assert lost["single"] == pytest.approx(0.05, abs=0.015)  # four deviations of 3572 packets
    assert lost["bursts"] == pytest.approx(0.05, abs=0.06)  # fifteen times the variance
    assert lost["bursts"] != lost["single"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_flows_start_when_asked(tmp_path, program):
    """At --start, or when the network is ready; earlier on the user's own account."""
    name = "xcp-tcp-fairness"
    spread = ["--startSpread=0"] if program == name else []
    for flags, begin in (([WIFI], 1.0), ([WIFI, "--start=1500ms"], 1.5), (["--start=250ms"], 0.25)):
        result = run(program, tmp_path, *PROGRAMS[program], *spread, *flags)
        assert (result.returncode, result.stderr) == (0, "")
        starts = [float(row["start_s"]) for row in rows(tmp_path)]
        # Connections come a little later; objects two RTTs and half a second.
        most = 0.8 if program == "rbudp-streaming" else 0.3
        assert all(begin <= start < begin + most for start in starts), (starts, begin)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_run_that_delivers_nothing_says_so(tmp_path, program):
    flags = [*PROGRAMS[program], "--start=10s"]
    if program == "xcp-tcp-fairness":
        flags = [*flags, "--startSpread=0"]
    result = run(program, tmp_path, *flags, "--duration=3s")
    if result.returncode:  # no room for what is to be measured
        assert result.stderr.count("\n") == 1
        return
    assert "warning: nothing was delivered" in result.stderr
    assert {row["delivered_bytes"] for row in rows(tmp_path)} == {"0"}


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("rtt", ["40ms", "0s"])
@pytest.mark.parametrize("transports", ["rbudp,xcp", "tcp,rbudp,xcp", "jrm,atou,vrp,xcp,rbudp,tcp"])
def test_transports_that_start_together_connect_at_once(tmp_path, transports, rtt, version):
    """Whichever end opens the connection, with XCP's port at the access point as well."""
    words = [f"--transport={transports}", "--bytes=300kB", f"--ipVersion={version}"]
    result = run(PROGRAM, tmp_path, *words, f"{WIFI}[Rtt={rtt}]")
    assert (result.returncode, result.stderr) == (0, "")
    for row in rows(tmp_path):
        assert (row["completed"], row["agrees"]) == ("1", "1"), row
        assert 1 <= float(row["start_s"]) < 1.2, row


def test_a_burst_waits_for_arp(tmp_path):
    """What is sent before the address is known is not lost."""
    words = ["--transport=udp", "--bytes=1MB", "--sendRate=90Mbps", CSMA]
    assert run(PROGRAM, tmp_path, *words).returncode == 0
    (row,) = rows(tmp_path)
    assert row["delivered_bytes"] == row["offered_bytes"]
    # The parameter is ns-3's own.
    assert run(PROGRAM, tmp_path, *words, "--ns3::ArpCache::PendingQueueSize=3").returncode == 0
    assert int(rows(tmp_path)[0]["lost_bytes"]) > 0


@pytest.mark.parametrize("loss", ["0.01", "0.1"])
def test_jrm_to_many_stations(tmp_path, loss):
    """Twenty stations, of which each loses its own share of what the access point sends once."""
    flags = ["--receivers=20", "--messages=200", "--messageRate=50", "--checkContent"]
    flags += [f"--lossRate={loss}", "--heartbeat=200ms", f"{WIFI}[Stations=20]"]
    result = run("jrm-session", tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    # A station that loses the first message of the stream never misses it: four deviations more
    # than its share of twenty. Any other one is asked for until it is there.
    missing = 200 * 20 - int(row["messages_complete"])
    assert missing <= 20 * float(loss) + 4 * (20 * float(loss)) ** 0.5
    assert row["messages_lost"] == "0"


def test_multicast_goes_out_where_it_came_in(tmp_path):
    """A station's message reaches the other stations by way of the access point."""
    flags = ["--senders=4", "--receivers=0", "--messages=20", "--messageRate=20", "--checkContent"]
    result = run("jrm-session", tmp_path, *flags, f"{WIFI}[Stations=3]", "--heartbeat=200ms")
    assert (result.returncode, result.stderr) == (0, "")
    for row in rows(tmp_path):
        assert row["messages_complete"] == str(20 * 3)


def test_multicast_rate_is_a_parameter(tmp_path):
    """At 6 Mb/s two megabits more than the radio has are lost, at 54 Mb/s all come."""
    words = ["--senders=1", "--receivers=2", "--messages=400", "--messageRate=800"]
    latency = {}
    for rate in 6, 54:
        name = f"{WIFI}[Stations=2|MulticastRate={rate}Mbps|RadioQueue=10000]"
        assert run("jrm-session", tmp_path, *words, "--packetSize=1kB", name).returncode == 0
        latency[rate] = float(rows(tmp_path)[0]["mean_latency_s"])
    assert latency[54] < 0.03 < latency[6] / 2, latency


@pytest.mark.parametrize(("name", "link"), [(WIFI, 105), (CSMA, 1)])
def test_captures(tmp_path, name, link):
    result = run(PROGRAM, tmp_path, "--transport=udp", "--bytes=20kB", "--pcap=x", name)
    assert (result.returncode, result.stderr) == (0, "")
    kinds = {
        int.from_bytes(path.read_bytes()[20:24], "little") for path in tmp_path.glob("x-*.pcap")
    }
    assert link in kinds


@pytest.mark.parametrize("rate", ["5Mbps", "54.5Mbps", "6Gbps"])
@pytest.mark.parametrize("name", ["PhyRate", "MulticastRate"])
def test_rates_are_those_of_the_radio(tmp_path, name, rate):
    refuse(
        "rbudp-transfer",
        tmp_path,
        f"{WIFI}[{name}={rate}]",
        part=f"{name}: IEEE 802.11a has no such rate",
    )


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--lossBurst=5"], "give --lossRate as well"),
        (["--lossBurst=0.5", "--lossRate=0.1"], "give 1 at least"),
        (["--lossBurst=2", "--lossRate=0.7"], "a --lossRate that such bursts can make"),
    ],
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_bursts_that_cannot_be(tmp_path, program, flags, part):
    refuse(program, tmp_path, *PROGRAMS[program], *flags, part=part)


def test_the_series_has_the_radio_queue(tmp_path):
    flags = ["--transport=udp", "--bytes=2MB", "--sendRate=50Mbps", "--seriesInterval=50ms", WIFI]
    assert run(PROGRAM, tmp_path, *flags).returncode == 0
    with open(tmp_path / "here/series.csv", newline="") as stream:
        queue = [
            float(r["value"]) for r in csv.DictReader(stream) if r["metric"] == "queue_packets"
        ]
    assert 100 < max(queue) <= 500
    (row,) = rows(tmp_path)
    assert row["utilisation"] == ""  # which the device does not report
