// SPDX-License-Identifier: GPL-2.0-only

// The shortest JRM program: three nodes on a LAN, one of which sends messages that the other two
// may miss packets of.

#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/internet-module.h"
#include "ns3/jrm-helper.h"
#include "ns3/lfn-flags.h"
#include "ns3/network-module.h"

#include <cstdint>
#include <iostream>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    lfn::Flags("jrm-example", "A hundred messages by JRM to two receivers that lose packets.")
        .Parse(argc, argv);
    NodeContainer nodes(3);
    CsmaHelper lan;
    lan.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    lan.SetChannelAttribute("Delay", StringValue("1ms"));
    const auto devices = lan.Install(nodes);
    for (uint32_t i = 1; i < devices.GetN(); ++i)
    {
        const auto loss = CreateObject<RateErrorModel>();
        loss->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
        loss->SetAttribute("ErrorRate", DoubleValue(0.05));
        devices.Get(i)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    }
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    constexpr uint32_t messages = 100;
    const Ipv4Address group("239.1.2.3");
    lfn::JrmHelper jrm;
    jrm.AddGroup(group);
    // Heartbeats announce messages of which no packet arrived; the first is asked for as well.
    jrm.SetAttribute("Heartbeat", TimeValue(MilliSeconds(100)));
    jrm.SetAttribute("FromBeginning", BooleanValue(true));
    const auto peers = jrm.AddPeers(nodes);
    std::vector<uint32_t> complete(peers.size());
    for (uint32_t i = 0; i < peers.size(); ++i)
    {
        peers[i]->SetReceive(Callback<void, const lfn::JrmReceiverCore::Delivery&>(
            [&count = complete[i]](const auto&) { ++count; }));
    }
    for (uint32_t i = 0; i < messages; ++i)
    {
        Simulator::Schedule(MilliSeconds(100 + 10 * i),
                            [&peers, group] { peers[0]->SendMessage(group, 10000); });
    }

    Simulator::Stop(Seconds(5));
    Simulator::Run();
    bool all = true;
    for (uint32_t i = 1; i < peers.size(); ++i)
    {
        std::cout << "receiver " << i << ": " << complete[i] << " of " << messages << " messages, "
                  << peers[i]->GetReceived() << " datagrams" << std::endl;
        all = all && complete[i] == messages;
    }
    Simulator::Destroy();
    return all ? 0 : 1;
}
