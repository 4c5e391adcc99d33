// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-files.h"
#include "lfn-test-topology.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/jrm-helper.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/string.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t MESSAGES = 40; //!< of each participant
constexpr uint32_t BYTES = 5000;  //!< of a message

/** @brief Who delivered what, and how often: participant, message. */
using Delivered = std::map<std::pair<uint32_t, JrmMessageId>, uint32_t>;

/// Note what a participant delivers.
void
Note(Ptr<JrmPeer> peer, uint32_t number, Delivered& delivered)
{
    peer->SetReceive(Callback<void, const JrmReceiverCore::Delivery&>(
        [number, &delivered](const JrmReceiverCore::Delivery& message) {
            ++delivered[{number, message.id}];
        }));
}

/// Have a participant send.
void
SendMany(Ptr<JrmPeer> peer, const Address& group)
{
    for (uint32_t i = 0; i < MESSAGES; ++i)
    {
        const auto time = MilliSeconds(10) + MilliSeconds(30) * i;
        Simulator::Schedule(time, [peer, group]() { peer->SendMessage(group, BYTES); });
    }
}

/** @brief A setting of JrmPeer's, or none. */
using Setting = std::pair<std::string, std::string>;

LFN_CASE_OF(JrmRoutersTestCase, std::string links, uint32_t count, Setting setting, bool isIpv6)
{
    const ScratchFolder folder;
    const auto name = folder / "network.csv";
    {
        std::ofstream file(name);
        for (uint32_t i = 0; i < count; ++i)
        {
            const std::string role = i == 0 ? ",sender" : ",receiver";
            file << "node,n" << i << (i < 2 ? role : "") << '\n';
        }
        file << links;
    }
    const auto topology =
        Build("FileTopology[File=" + name.string() + (isIpv6 ? "|Ipv6=true]" : "]"));
    const Address group =
        isIpv6 ? Address(JrmHelper::MakeIpv6Group(0)) : Address(Ipv4Address("239.1.0.1"));
    const auto nodes = NodeContainer::GetGlobal();
    const auto error = MulticastTree::Install(nodes, group);
    NS_TEST_ASSERT_MSG_EQ(error.value_or(""), "", "a tree");
    JrmHelper helper;
    helper.AddGroup(group);
    helper.SetAttribute("ReceiveErrorRate", DoubleValue(0.1));
    helper.SetAttribute("FromBeginning", BooleanValue(true));
    helper.SetAttribute("Heartbeat", StringValue("50ms"));
    helper.SetAttribute("CheckContent", BooleanValue(true));
    helper.SetAttribute(setting.first, StringValue(setting.second));
    // To others than senders and receivers FileTopology has no routes: two of them send.
    const auto peers = helper.AddPeers(nodes);
    Delivered delivered;
    for (uint32_t i = 0; i < peers.size(); ++i)
    {
        peers[i]->AssignStreams(10 * i);
        Note(peers[i], i, delivered);
    }
    for (uint32_t i = 0; i < 2; ++i)
    {
        SendMany(peers[i], group);
    }
    Simulator::Stop(Seconds(60));
    Simulator::Run();
    for (uint32_t i = 0; i < peers.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(peers[i]->GetReport().failure, "", "every byte is right");
    }
    NS_TEST_EXPECT_MSG_EQ(delivered.size(), 2 * MESSAGES * (count - 1), "to all others");
    for (const auto& [what, times] : delivered)
    {
        NS_TEST_EXPECT_MSG_EQ(times, 1, "at " << what.first);
    }
    const auto& sent = peers[0]->GetSent();
    NS_TEST_EXPECT_MSG_EQ(sent.msgPackets, 5 * MESSAGES, "counted once on any links");
    NS_TEST_EXPECT_MSG_GT(sent.nackResponses, 10, "losses");
    Finish(topology);
}

/** @brief Two links to one host, by two addresses: it delivers once, and goes by the first. */
LFN_CASE(JrmTwoWaysTestCase)
{
    const Address group = Ipv4Address("239.1.0.1");
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    std::vector<Ptr<NetDevice>> ways;
    for (uint32_t i = 0; i < 2; ++i)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        const auto devices = link.Install(nodes);
        ways.push_back(devices.Get(0));
        addresses.Assign(devices);
        addresses.NewNetwork();
    }
    JrmHelper helper;
    helper.SetAttribute("Grtt", BooleanValue(false));
    const auto peers = helper.AddPeers(nodes);
    for (const auto& device : ways)
    {
        const auto ipv4 = nodes.Get(0)->GetObject<Ipv4>();
        MulticastTree::GetRouting(nodes.Get(0))
            ->AddHostRouteTo(Ipv4Address::ConvertFrom(group),
                             static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device)));
    }
    NS_TEST_EXPECT_MSG_EQ(MulticastTree::GetDevices(nodes.Get(0), group).size(), 2, "two routes");
    NS_TEST_EXPECT_MSG_EQ(peers[0]->Join(group, ways), true, "joins");
    NS_TEST_EXPECT_MSG_EQ(peers[1]->Join(group), true, "joins");
    Delivered delivered;
    Note(peers[1], 1, delivered);
    SendMany(peers[0], group);
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(delivered.size(), MESSAGES, "all");
    for (const auto& [what, times] : delivered)
    {
        NS_TEST_EXPECT_MSG_EQ(times, 1, "once");
    }
    NS_TEST_EXPECT_MSG_EQ(peers[1]->GetReceived(), 2 * 5 * MESSAGES, "by both ways");
    NS_TEST_EXPECT_MSG_EQ(peers[1]->GetDrops(DropReason::UNKNOWN_PEER),
                          5 * MESSAGES - 1,
                          "the number is one address's, from its first datagram on");
    Simulator::Destroy();
}

/// JRM on nodes with several interfaces: participants that are routers, and two ways to a receiver.
const Suite g_suite("lfn-jrm-router", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string chain = "link,n2,n0,100Mbps,1ms\nlink,n0,n1,100Mbps,2ms\n"
                              "link,n1,n3,100Mbps,1ms\nlink,n3,n4,100Mbps,1ms\n";
    const std::string square = "link,n0,n2,100Mbps,1ms\nlink,n0,n3,100Mbps,1ms\n"
                               "link,n2,n1,100Mbps,1ms\nlink,n3,n1,100Mbps,2ms\n";
    const Setting fixed{"Grtt", "false"};
    const Setting reported{"MaxBackoff", "10ms"}; // requests go to the group as well
    for (const bool isIpv6 : {false, true})
    {
        const std::string version = isIpv6 ? ", IPv6" : "";
        suite.Add(new JrmRoutersTestCase("a chain" + version, chain, 5, fixed, isIpv6));
        suite.Add(
            new JrmRoutersTestCase("a chain, suppression" + version, chain, 5, reported, isIpv6));
        suite.Add(new JrmRoutersTestCase("a square" + version, square, 4, fixed, isIpv6));
    }
    suite.Add(new JrmTwoWaysTestCase("two links to one host"));
});

} // namespace
