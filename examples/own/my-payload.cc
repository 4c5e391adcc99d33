// SPDX-License-Identifier: GPL-2.0-only

// RBUDP with a content of my own: the text of a file that lives in memory only.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>
#include <string>

using namespace ns3;

namespace
{

std::string g_sent;     //!< what is sent
std::string g_received; //!< what has arrived

/// Make the content of a datagram: the same bytes whenever it is asked for the same place.
Ptr<Packet>
MakeContent(uint64_t offset, uint32_t bytes)
{
    return Create<Packet>(reinterpret_cast<const uint8_t*>(g_sent.data()) + offset, bytes);
}

/// Put the content of a datagram where it belongs.
void
TakeContent(uint64_t offset, Ptr<const Packet> packet)
{
    packet->CopyData(reinterpret_cast<uint8_t*>(g_received.data()) + offset, packet->GetSize());
}

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine(__FILE__).Parse(argc, argv);
    for (int line = 0; line < 100000; ++line)
    {
        g_sent += "line " + std::to_string(line) + "\n";
    }
    g_received.resize(g_sent.size());

    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetChannelAttribute("Delay", StringValue("10ms"));
    const auto devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    // Lose three datagrams of the first blast.
    const auto loss = CreateObject<lfn::ScriptedErrorModel>();
    lfn::IpPacketFilter data;
    data.destinationPort = 38000;
    loss->SetFilter(data);
    loss->SetAttribute("Drop", StringValue("2,5,7"));
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(loss));

    lfn::RbudpHelper rbudp;
    rbudp.SetSourceAttribute("Bytes", UintegerValue(g_sent.size()));
    const auto transfer =
        rbudp.Install(nodes.Get(0), addresses.GetAddress(0), nodes.Get(1), addresses.GetAddress(1));
    transfer.source->SetPayloadSource(MakeCallback(&MakeContent));
    transfer.sink->SetDeliver(MakeCallback(&TakeContent));

    Simulator::Run();
    std::cout << g_sent.size() << " bytes, " << transfer.source->GetTotals().blasts << " blasts, "
              << (g_received == g_sent ? "equal" : "different") << std::endl;
    Simulator::Destroy();
    return g_received == g_sent ? 0 : 1;
}
