// SPDX-License-Identifier: GPL-2.0-only

// The yardstick of `./waf bench`: ns-3's UdpClient and UdpServer over the path that the scenario
// programs use, with datagrams as large as RBUDP's.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-scenario.h"
#include "ns3/network-module.h"
#include "ns3/rbudp-header.h"

using namespace ns3;
using namespace ns3::lfn;

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("lfn-bench-baseline",
                      "ns-3's UdpClient and UdpServer on the path of the scenario programs.");
    uint64_t bytes = 450'000'000;
    DataRate sendRate(600'000'000);
    uint32_t packetSize = 1450;
    scenario.GetFlags().Bytes("bytes", "user bytes to send", bytes);
    scenario.GetFlags().Rate("sendRate", "rate of user bits", sendRate);
    scenario.GetFlags().Bytes("packetSize", "user bytes a datagram", packetSize, 12, 65503);
    scenario.Parse(argc, argv);
    const auto path = scenario.BuildTopology();

    const uint16_t port = 38000;
    UdpServerHelper server(port);
    const auto servers = server.Install(path->GetReceivers().Get(0));
    UdpClientHelper client(InetSocketAddress(path->GetReceiverAddress(), port));
    const auto packets = (bytes + packetSize - 1) / packetSize;
    client.SetAttribute("MaxPackets", UintegerValue(packets));
    client.SetAttribute("Interval", TimeValue(sendRate.CalculateBytesTxTime(packetSize)));
    client.SetAttribute("PacketSize", UintegerValue(packetSize + RbudpDataHeader::SIZE));
    client.Install(path->GetSenders().Get(0));
    scenario.Run();

    TransferReport report;
    report.protocol = "udp";
    report.variant = "UdpClient";
    report.finish = Simulator::Now();
    report.dataPackets = packets;
    report.offeredBytes = bytes;
    const auto received = DynamicCast<UdpServer>(servers.Get(0))->GetReceived();
    report.deliveredBytes = received == packets ? bytes : received * packetSize;
    report.lostBytes = bytes - report.deliveredBytes;
    report.started = true;
    report.completed = received == packets;
    scenario.GetRecorder().AddFlow(0, report);
    return scenario.Finish();
}
