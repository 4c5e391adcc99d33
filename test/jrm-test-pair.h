// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_TEST_PAIR_H
#define JRM_TEST_PAIR_H

#include "lfn-test-network.h"

#include "ns3/boolean.h"
#include "ns3/jrm-helper.h"
#include "ns3/jrm-peer.h"
#include "ns3/jrm-receiver-core.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/traffic-control-helper.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-jrm
 * @brief Two participants on a link of 100 Mb/s, as the helper makes them.
 */
class JrmTestPair : public TestSimulation
{
  public:
    JrmHelper helper;                               //!< makes participants
    std::vector<Ptr<JrmPeer>> peers;                //!< the participants
    std::vector<JrmReceiverCore::Delivery> arrived; //!< messages, at any of them
    std::map<JrmMessageId, uint32_t> delivered;     //!< how often each of them arrived
    std::map<uint32_t, uint64_t> nacks;             //!< NackSent by participant asked

    JrmTestPair()
        : TestSimulation(1)
    {
        helper.SetAttribute("Grtt", BooleanValue(false)); // suites count datagrams
    }

    /// Build the network and the participants, with groups from 239.1.0.1 on.
    void Build(uint32_t groups = 1)
    {
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", DataRateValue(DataRate("100Mbps")));
        link.SetChannelAttribute("Delay", TimeValue(MicroSeconds(100)));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000p"));
        const auto devices = link.Install(nodes);
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        TrafficControlHelper::Default().Uninstall(devices);
        for (uint32_t i = 0; i < groups; ++i)
        {
            // Not in the order of their numbers.
            helper.AddGroup(Ipv4Address(Ipv4Address("239.1.0.1").Get() + (i + 1) % groups));
        }
        peers = helper.AddPeers(nodes);
        for (uint32_t i = 0; i < peers.size(); ++i)
        {
            peers[i]->AssignStreams(10 * i);
            peers[i]->TraceConnectWithoutContext(
                "MessageReceived",
                Callback<void, const JrmReceiverCore::Delivery&>(
                    [this](const JrmReceiverCore::Delivery& message) {
                        arrived.push_back(message);
                        ++delivered[message.id];
                    }));
            peers[i]->TraceConnectWithoutContext(
                "NackSent",
                Callback<void, const JrmMessageId&>(
                    [this](const JrmMessageId& id) { ++nacks[id.participant]; }));
        }
    }
};

} // namespace ns3::lfn::tests

#endif // JRM_TEST_PAIR_H
