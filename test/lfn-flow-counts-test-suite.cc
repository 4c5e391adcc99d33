// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-files.h"

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-captures.h"
#include "ns3/lfn-flow-classifier.h"
#include "ns3/lfn-flow-counts.h"
#include "ns3/lfn-receiving-loss.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/network-module.h"
#include "ns3/udp-header.h"
#include "ns3/xcp-header.h"
#include "ns3/xcp-l4-protocol.h"

#include <sstream>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * ns3::FlowMonitor with the module's classifier and probes, and captures of devices of any kind.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Make an IPv4 header.
Ipv4Header
MakeIpv4(uint8_t protocol, const char* destination = "10.0.0.2")
{
    Ipv4Header ip;
    ip.SetSource("10.0.0.1");
    ip.SetDestination(destination);
    ip.SetProtocol(protocol);
    return ip;
}

/// Make an IPv6 header.
Ipv6Header
MakeIpv6(uint8_t protocol)
{
    Ipv6Header ip;
    ip.SetSource("2001::1");
    ip.SetDestination("2001::2");
    ip.SetNextHeader(protocol);
    return ip;
}

/// Make what is behind the IP header: ports, behind XCP's header when it is wanted.
Ptr<Packet>
MakeSegment(uint16_t source, uint16_t destination, bool isXcp, uint8_t next = 6)
{
    const std::vector<uint8_t> ports{static_cast<uint8_t>(source >> 8),
                                     static_cast<uint8_t>(source),
                                     static_cast<uint8_t>(destination >> 8),
                                     static_cast<uint8_t>(destination)};
    const auto packet = Create<Packet>(ports.data(), static_cast<uint32_t>(ports.size()));
    if (isXcp)
    {
        XcpHeader header;
        header.nextProtocol = next;
        packet->AddHeader(header);
    }
    return packet;
}

/** @brief Flows of IPv4 and IPv6, of TCP, UDP and XCP have numbers of their own. */
LFN_CASE(FlowClassifierTestCase)
{
    constexpr uint8_t TCP = TcpL4Protocol::PROT_NUMBER;
    constexpr uint8_t UDP = UdpL4Protocol::PROT_NUMBER;
    constexpr uint8_t XCP = XcpL4Protocol::PROT_NUMBER;
    TransportFlowClassifier classifier;
    const auto number = [&](const auto& ip, Ptr<const Packet> payload) {
        return classifier.Classify(ip, payload).value_or(TransportFlowClassifier::Numbers{0, 0});
    };
    using Numbers = TransportFlowClassifier::Numbers;
    const auto check = [&](const Numbers& found, FlowId flow, FlowPacketId packet) {
        NS_TEST_EXPECT_MSG_EQ(found.first, flow, "flow");
        NS_TEST_EXPECT_MSG_EQ(found.second, packet, "packet");
    };
    check(number(MakeIpv4(TCP), MakeSegment(1, 2, false)), 1, 0);
    check(number(MakeIpv4(XCP), MakeSegment(1, 2, true)), 2, 0);
    check(number(MakeIpv6(XCP), MakeSegment(1, 2, true)), 3, 0);
    check(number(MakeIpv6(TCP), MakeSegment(1, 2, false)), 4, 0);
    check(number(MakeIpv4(UDP, "239.1.0.1"), MakeSegment(1, 2, false)), 5, 0);
    check(number(MakeIpv4(XCP), MakeSegment(1, 2, true)), 2, 1);
    check(number(MakeIpv4(XCP), MakeSegment(1, 3, true)), 6, 0);
    check(number(MakeIpv4(XCP), MakeSegment(1, 2, true, 1)), 0, 0); // ICMP behind it
    check(number(MakeIpv4(1), MakeSegment(1, 2, false)), 0, 0);
    NS_TEST_EXPECT_MSG_EQ(classifier.IsMulticast(5), true, "a group");
    NS_TEST_EXPECT_MSG_EQ(classifier.IsMulticast(1), false, "no group");
    NS_TEST_EXPECT_MSG_EQ(classifier.IsMulticast(0) || classifier.IsMulticast(7), false, "none");
    NS_TEST_EXPECT_MSG_EQ(classifier.IsBetween(1, MakeIpv4(TCP)), true, "its addresses");
    NS_TEST_EXPECT_MSG_EQ(classifier.IsBetween(1, MakeIpv4(TCP, "10.0.0.3")), false, "others");
    NS_TEST_EXPECT_MSG_EQ(classifier.IsBetween(1, MakeIpv6(TCP)), false, "another version");
    for (uint32_t size = 0; size < XcpHeader::SIZE + 4; ++size)
    {
        const auto cut = MakeSegment(1, 2, true);
        cut->RemoveAtEnd(cut->GetSize() - size);
        check(number(MakeIpv4(XCP), cut), 0, 0);
    }
    auto later = MakeIpv4(TCP);
    later.SetFragmentOffset(8);
    check(number(later, MakeSegment(1, 2, false)), 0, 0);
    std::ostringstream text;
    classifier.SerializeToXmlStream(text, 0);
    NS_TEST_EXPECT_MSG_NE(
        text.str().find(
            "<Flow flowId=\"3\" sourceAddress=\"2001::1\" destinationAddress=\"2001::2\""
            " protocol=\"253\" sourcePort=\"1\" destinationPort=\"2\" />"),
        std::string::npos,
        text.str());
}

/** @brief Two hosts on a device that is neither point-to-point nor CSMA. */
LFN_CASE(FlowCountsTestCase)
{
    NodeContainer nodes(2);
    SimpleNetDeviceHelper link;
    const auto devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    const auto interfaces = addresses.Assign(devices);
    const auto loss = CreateObject<ReceiveListErrorModel>();
    loss->SetList({4}); // the fourth one, after the request of ARP
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(loss));

    ScratchFolder scratch;
    Captures captures;
    FlowCounts counts;
    counts.Install();
    for (uint32_t i = 0; i < 2; ++i)
    {
        for (uint32_t k = 0; k < nodes.Get(i)->GetNDevices(); ++k)
        {
            captures.Open((scratch / "x").string(), nodes.Get(i)->GetDevice(k));
        }
    }
    const auto sink = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
    sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
    const auto source = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    source->Connect(InetSocketAddress(interfaces.GetAddress(1), 9));
    constexpr uint32_t PACKETS = 10; // far enough apart for ARP, which keeps three
    for (uint32_t i = 0; i < PACKETS; ++i)
    {
        Simulator::Schedule(MilliSeconds(100 * i), [source] { source->Send(Create<Packet>(100)); });
    }
    Simulator::Run(); // and it ends, though nobody stops it
    NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(2), "no look each second");

    const auto& stats = counts.GetMonitor()->GetFlowStats();
    NS_TEST_ASSERT_MSG_EQ(stats.size(), 1, "one flow");
    const auto& flow = stats.begin()->second;
    NS_TEST_EXPECT_MSG_EQ(flow.txPackets, PACKETS, "all were sent, the first one at 0");
    NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, PACKETS - 1, "one was lost");
    NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 1, "and is known to be");
    NS_TEST_EXPECT_MSG_EQ(flow.rxBytes, (PACKETS - 1) * 128, "IP header included");

    NS_TEST_EXPECT_MSG_EQ(captures.Close().has_value(), false, "whole");
    // The global header, then 16 bytes and the IP packet for each.
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::file_size(scratch / "x-node0-device0-ip.pcap"),
                          24 + PACKETS * (16 + 128),
                          "what was sent");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::file_size(scratch / "x-node1-device0-ip.pcap"),
                          24 + (PACKETS - 1) * (16 + 128),
                          "what came");
    Simulator::Destroy();
}

/** @brief What no probe sees lost is lost when it cannot be under way any more. */
LFN_CASE(FlowLossesTestCase)
{
    NodeContainer nodes(2);
    SimpleNetDeviceHelper link;
    const auto devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    const auto loss = CreateObject<ScriptedErrorModel>();
    loss->Drop(4);
    loss->Drop(10); // the last one
    NS_TEST_ASSERT_MSG_EQ(ReceivingLoss::AddTo(devices.Get(1), loss), true, "added");
    FlowCounts counts;
    counts.Install();
    const auto sink = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
    sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
    const auto source = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    source->Connect(InetSocketAddress(interfaces.GetAddress(1), 9));
    for (uint32_t i = 0; i < 10; ++i)
    {
        Simulator::Schedule(MilliSeconds(100 * i), [source] { source->Send(Create<Packet>(100)); });
    }
    Simulator::Stop(MilliSeconds(950));
    Simulator::Run();
    const auto& flow = counts.GetMonitor()->GetFlowStats().begin()->second;
    NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, 8, "two did not come");
    counts.GetMonitor()->CheckForLostPackets();
    NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 0, "ns-3 waits for ten seconds");
    counts.CountLosses(Seconds(1), Seconds(1), Time(0));
    NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 0, "it may be that late");
    counts.CountLosses(Seconds(1), Time(0), Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 1, "later ones have come; the last one may come");
    counts.CountLosses(MilliSeconds(50), Time(0), Time(0));
    NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 2, "no path takes that long");
    counts.CountLosses(Time(0), Time(0), Time(0));
    NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 2, "no packet twice");
    Simulator::Destroy();
}

const Suite g_suite("lfn-flow-counts", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new FlowClassifierTestCase("flows are distinguished with any packet content"));
    suite.Add(new FlowCountsTestCase("a network of other devices is counted and captured"));
    suite.Add(new FlowLossesTestCase("losses that no probe sees are counted"));
});

} // namespace
