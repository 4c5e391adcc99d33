// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/icmpv4.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/lfn-live-ends.h"
#include "ns3/lfn-live-packet.h"
#include "ns3/lfn-point-to-point-topology.h"
#include "ns3/lfn-real-host-routing.h"
#include "ns3/lfn-static-route-keeper.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-winscale.h"
#include "ns3/udp-header.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint8_t ICMP = 1;
constexpr uint8_t TCP = 6;
constexpr uint8_t UDP = 17;
constexpr std::size_t IP = 20; //!< bytes of its header

/** @brief Write 16 bits. */
void
Put16(Bytes& bytes, std::size_t at, std::size_t value)
{
    bytes[at] = static_cast<uint8_t>(value >> 8);
    bytes[at + 1] = static_cast<uint8_t>(value);
}

/** @brief Make an IPv4 packet from 10.1.1.1 to 10.1.1.2. */
Bytes
MakeIp(uint8_t protocol, const Bytes& payload)
{
    Bytes packet(IP);
    packet[0] = 0x45;
    packet[8] = 64;
    packet[9] = protocol;
    const Bytes addresses{10, 1, 1, 1, 10, 1, 1, 2};
    std::ranges::copy(addresses, packet.begin() + 12);
    packet.insert(packet.end(), payload.begin(), payload.end());
    Put16(packet, 2, packet.size());
    return packet;
}

/** @brief Make a UDP datagram with content of a size. */
Bytes
MakeUdp(std::size_t content)
{
    Bytes datagram(8 + content);
    Put16(datagram, 4, datagram.size());
    return datagram;
}

/** @brief Make a TCP segment with options, whose header ends with them. */
Bytes
MakeTcp(const Bytes& options)
{
    Bytes segment(20);
    segment[12] = static_cast<uint8_t>((5 + options.size() / 4) << 4);
    segment.insert(segment.end(), options.begin(), options.end());
    return segment;
}

/** @brief Make an ICMP message that quotes bytes. */
Bytes
MakeIcmp(uint8_t type, const Bytes& quoted)
{
    Bytes message(8);
    message[0] = type;
    message.insert(message.end(), quoted.begin(), quoted.end());
    return message;
}

/** @brief Change a byte of a packet. */
Bytes
With(Bytes packet, std::size_t at, uint8_t value)
{
    packet[at] = value;
    return packet;
}

/** @brief Add a byte to a packet. */
Bytes
Longer(Bytes packet)
{
    packet.push_back(0);
    return packet;
}

/** @brief Packets as hosts send them, all sound. */
std::vector<std::pair<std::string, Bytes>>
ListSound()
{
    const Bytes options{2, 4, 5, 180, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, 7};
    return {{"UDP", MakeIp(UDP, MakeUdp(100))},
            {"empty UDP", MakeIp(UDP, MakeUdp(0))},
            {"TCP", MakeIp(TCP, MakeTcp({}))},
            {"SYN of Linux", MakeIp(TCP, MakeTcp(options))},
            {"SACK", MakeIp(TCP, MakeTcp({1, 1, 5, 10, 0, 0, 0, 1, 0, 0, 0, 2}))},
            {"options with an end", MakeIp(TCP, MakeTcp({0, 77, 77, 77}))},
            {"an unknown option", MakeIp(TCP, MakeTcp({99, 4, 0, 0}))},
            {"a window scale of 15", MakeIp(TCP, MakeTcp({3, 3, 15, 1}))},
            {"SACK without blocks", MakeIp(TCP, MakeTcp({1, 1, 5, 2}))},
            {"padding of more than a word", MakeIp(TCP, MakeTcp({0, 0, 0, 0, 0, 0, 0, 0}))},
            {"echo", MakeIp(ICMP, MakeIcmp(8, Bytes(56)))},
            {"port unreachable", MakeIp(ICMP, MakeIcmp(3, MakeIp(UDP, MakeUdp(0))))},
            {"another protocol", MakeIp(132, Bytes(12))},
            {"first fragment", With(MakeIp(UDP, MakeUdp(8)), 6, 0x20)},
            {"later fragment", With(MakeIp(UDP, Bytes(3)), 7, 185)}};
}

/** @brief Every kind of packet is distinguished from the others. */
LFN_CASE(KindsCase)
{
    for (const auto& [name, packet] : ListSound())
    {
        NS_TEST_EXPECT_MSG_EQ((InspectLivePacket(packet) == LivePacket::SOUND), true, name);
        for (std::size_t size = 1; size < packet.size(); ++size)
        {
            const std::span<const uint8_t> cut(packet.data(), size);
            NS_TEST_EXPECT_MSG_EQ((InspectLivePacket(cut) == LivePacket::UNSOUND),
                                  true,
                                  name << " cut to " << size << " B");
        }
    }
    const auto udp = MakeIp(UDP, MakeUdp(100));
    const auto quoting = MakeIp(ICMP, MakeIcmp(3, MakeIp(UDP, MakeUdp(0))));
    const std::vector<std::pair<std::string, Bytes>> unsound = {
        {"longer than it says", Longer(MakeIp(UDP, MakeUdp(0)))},
        {"IP options", With(udp, 0, 0x46)},
        {"UDP that is shorter inside", With(udp, IP + 5, 100)},
        {"UDP header in two fragments", With(MakeIp(UDP, Bytes(4)), 6, 0x20)},
        {"a fragment of nothing", With(MakeIp(UDP, {}), 7, 1)},
        {"a fragment beyond 64 KiB", With(With(MakeIp(UDP, Bytes(8)), 6, 0x1f), 7, 0xff)},
        {"TCP's header too short", MakeIp(TCP, With(MakeTcp({}), 12, 0x40))},
        {"TCP's header beyond its end", MakeIp(TCP, With(MakeTcp({}), 12, 0x60))},
        {"an option of 0 B", MakeIp(TCP, MakeTcp({99, 0, 0, 0}))},
        {"an option of 1 B", MakeIp(TCP, MakeTcp({99, 1, 0, 0}))},
        {"an option beyond the header", MakeIp(TCP, MakeTcp({1, 1, 8, 10}))},
        {"an option without its length", MakeIp(TCP, MakeTcp({1, 1, 1, 8}))},
        {"a segment size of 3 B", MakeIp(TCP, MakeTcp({2, 3, 5, 1}))},
        {"a window scale of 4 B", MakeIp(TCP, MakeTcp({3, 4, 7, 0}))},
        {"SACK permitted in 4 B", MakeIp(TCP, MakeTcp({4, 4, 0, 0}))},
        {"half a SACK block", MakeIp(TCP, MakeTcp({1, 1, 5, 6, 0, 0, 0, 1}))},
        {"a time stamp alone", MakeIp(TCP, MakeTcp({1, 1, 8, 6, 0, 0, 0, 1}))},
        {"an error that quotes IP options", With(quoting, IP + 8, 0x46)}};
    for (const auto& [name, packet] : unsound)
    {
        NS_TEST_EXPECT_MSG_EQ((InspectLivePacket(packet) == LivePacket::UNSOUND), true, name);
    }
    const std::vector<std::pair<std::string, Bytes>> foreign = {{"nothing", {}},
                                                                {"IPv6", With(udp, 0, 0x60)},
                                                                {"multicast", With(udp, 16, 224)},
                                                                {"broadcast", With(udp, 16, 255)},
                                                                {"this network", With(udp, 16, 0)}};
    for (const auto& [name, packet] : foreign)
    {
        NS_TEST_EXPECT_MSG_EQ((InspectLivePacket(packet) == LivePacket::FOREIGN), true, name);
    }
}

/** @brief Only what ns-3 would misread is changed, and only TCP. */
LFN_CASE(ReadableCase)
{
    for (const auto& [name, packet] : ListSound())
    {
        const bool isChanged =
            name == "a window scale of 15" || name == "padding of more than a word";
        auto changed = packet;
        MakeTcpReadable(changed);
        NS_TEST_EXPECT_MSG_EQ((changed != packet), isChanged, name);
        changed = packet;
        changed[9] = ICMP;
        const auto other = changed;
        MakeTcpReadable(changed);
        NS_TEST_EXPECT_MSG_EQ((changed == other), true, name);
    }
}

/** @brief ns-3 reads all that is called sound, and would end the program if it could not. */
LFN_CASE(SpoiltCase)
{
    std::mt19937 random(1);
    const auto draw = [&random](std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };
    uint32_t read = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        const auto all = ListSound();
        auto packet = all[draw(all.size())].second;
        for (auto changes = draw(4); changes > 0; --changes)
        {
            packet[draw(packet.size())] = static_cast<uint8_t>(draw(256));
        }
        if (InspectLivePacket(packet) != LivePacket::SOUND)
        {
            continue;
        }
        MakeTcpReadable(packet);
        const auto whole = ToPacket(packet);
        Ipv4Header header;
        whole->RemoveHeader(header);
        NS_TEST_EXPECT_MSG_EQ(header.GetPayloadSize(), whole->GetSize(), "all of it");
        if (header.GetFragmentOffset() > 0)
        {
            continue;
        }
        ++read;
        if (header.GetProtocol() == TCP)
        {
            const auto words = packet[IP + 12] / 16;
            TcpHeader tcp;
            tcp.EnableChecksums();
            whole->RemoveHeader(tcp);
            NS_TEST_EXPECT_MSG_EQ(+tcp.GetLength(), words, "no padding is left as data");
            const auto scale =
                DynamicCast<const TcpOptionWinScale>(tcp.GetOption(TcpOption::WINSCALE));
            NS_TEST_EXPECT_MSG_LT((scale ? +scale->GetScale() : 0), 15, "as RFC 7323 has it");
        }
        else if (header.GetProtocol() == UDP)
        {
            UdpHeader udp;
            whole->RemoveHeader(udp);
        }
        else if (header.GetProtocol() == ICMP)
        {
            Icmpv4Header icmp;
            whole->RemoveHeader(icmp);
            Icmpv4DestinationUnreachable unreachable;
            Icmpv4TimeExceeded exceeded;
            if (icmp.GetType() == Icmpv4Header::ICMPV4_DEST_UNREACH)
            {
                whole->RemoveHeader(unreachable);
            }
            else if (icmp.GetType() == Icmpv4Header::ICMPV4_TIME_EXCEEDED)
            {
                whole->RemoveHeader(exceeded);
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(read, 1000, "packets that were read");
}

/** @brief The text of --live is read as what it means, or refused. */
LFN_CASE(EndsCase)
{
    using End = LiveEnds::End;
    const std::vector<std::pair<std::string, std::vector<End>>> good = {
        {"sender", {{true, 0, "sender0", ""}}},
        {"receiver", {{false, 0, "receiver0", ""}}},
        {"receiver12=tun0", {{false, 12, "tun0", ""}}},
        {"sender@left", {{true, 0, "sender0", "left"}}},
        {"sender1=a@left,receiver1=a@right", {{true, 1, "a", "left"}, {false, 1, "a", "right"}}}};
    for (const auto& [text, expected] : good)
    {
        std::vector<End> ends;
        NS_TEST_EXPECT_MSG_EQ(LiveEnds::Read(text, ends).value_or(""), "", text);
        NS_TEST_ASSERT_MSG_EQ(ends.size(), expected.size(), text);
        for (std::size_t i = 0; i < ends.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(ends[i].isSender, expected[i].isSender, text);
            NS_TEST_EXPECT_MSG_EQ(ends[i].index, expected[i].index, text);
            NS_TEST_EXPECT_MSG_EQ(ends[i].device, expected[i].device, text);
            NS_TEST_EXPECT_MSG_EQ(ends[i].networkNamespace, expected[i].networkNamespace, text);
        }
    }
    for (const std::string text : {"both",
                                   "sender-1",
                                   "sender1x",
                                   "sender99999999999",
                                   "sender=",
                                   "sender@",
                                   "sender=a/b",
                                   "sender=sixteenletters16",
                                   "receiver10000000",
                                   "sender@../../x",
                                   "sender@..",
                                   "sender,,receiver",
                                   "sender,sender",
                                   "sender=a,receiver=a",
                                   "Sender"})
    {
        std::vector<End> ends;
        NS_TEST_EXPECT_MSG_EQ(LiveEnds::Read(text, ends).has_value(), true, text);
    }
}

/** @brief Hosts that are not there are refused before any device is made. */
LFN_CASE(PlacesCase)
{
    const auto topology = CreateObject<PointToPointTopology>();
    topology->Build();
    LiveEnds live;
    const auto trouble = live.TakePlaces({{true, 1, "lfntest", ""}}, *topology);
    NS_TEST_EXPECT_MSG_EQ(trouble.value_or(""),
                          "this topology has 1 senders, give a lower index",
                          "the second sender of one");
    NS_TEST_EXPECT_MSG_EQ(live.IsReal(topology->GetSenders().Get(0)), false, "a simulated one");
    NS_TEST_EXPECT_MSG_EQ(live.HasBegun(), false, "nobody");
    live.Close();
    topology->Dispose();
    Simulator::Destroy();
}

/** @brief The routing of a node that a real host replaces. */
LFN_CASE(RoutingCase)
{
    const auto topology = CreateObject<PointToPointTopology>();
    topology->SetAttribute("HashedRouting", BooleanValue(false));
    topology->Build();
    const auto ipv4 = topology->GetSenders().Get(0)->GetObject<Ipv4>();
    const auto node = topology->GetSenders().Get(0);
    const auto staticRouting = Ipv4StaticRoutingHelper().GetStaticRouting(ipv4);
    StaticRouteKeeper::Install(node);
    const auto routing = CreateObject<RealHostRouting>();
    uint32_t delivered = 0;
    routing->Set(ipv4->GetRoutingProtocol(),
                 RealHostRouting::Deliver([&](auto, const auto&) { ++delivered; }));
    ipv4->SetRoutingProtocol(routing);
    StaticRouteKeeper::Install(node); // it has one

    uint32_t forwarded = 0;
    const auto arrive = [&](Ipv4Address to) {
        Ipv4Header header;
        header.SetDestination(to);
        return routing->RouteInput(
            Create<Packet>(9),
            header,
            ipv4->GetNetDevice(1),
            Ipv4RoutingProtocol::UnicastForwardCallback(
                [&](auto, auto, const auto&) { ++forwarded; }),
            {},
            {},
            Ipv4RoutingProtocol::ErrorCallback([](auto, const auto&, auto) {}));
    };
    NS_TEST_EXPECT_MSG_EQ(arrive(topology->GetSenderAddress()), true, "its own");
    NS_TEST_EXPECT_MSG_EQ(delivered, 1, "goes to the real host");
    NS_TEST_EXPECT_MSG_EQ(arrive(topology->GetReceiverAddress()), true, "another's");
    NS_TEST_EXPECT_MSG_EQ(delivered, 1, "does not");
    NS_TEST_EXPECT_MSG_EQ(forwarded, 1, "goes on");

    staticRouting->AddNetworkRouteTo("10.7.0.0", "255.255.0.0", topology->GetReceiverAddress(), 1);
    const auto routes = staticRouting->GetNRoutes();
    const auto find = [&] {
        Ipv4Header header;
        header.SetDestination("10.7.1.1");
        auto error = Socket::ERROR_NOTERROR;
        return routing->RouteOutput(Create<Packet>(9), header, nullptr, error) != nullptr;
    };
    NS_TEST_EXPECT_MSG_EQ(find(), true, "a route");
    ipv4->SetDown(1);
    NS_TEST_EXPECT_MSG_EQ(find(), false, "the interface is down");
    ipv4->SetUp(1);
    NS_TEST_EXPECT_MSG_EQ(find(), true, "and up");
    NS_TEST_EXPECT_MSG_EQ(staticRouting->GetNRoutes(), routes, "each route once");
    ipv4->AddAddress(1, Ipv4InterfaceAddress("10.8.0.1", "255.255.0.0"));
    NS_TEST_EXPECT_MSG_EQ(staticRouting->GetNRoutes(), routes + 1, "the network of a new address");
    ipv4->RemoveAddress(1, Ipv4Address("10.8.0.1"));
    NS_TEST_EXPECT_MSG_EQ(staticRouting->GetNRoutes(), routes, "which is gone with it");
    std::ostringstream table;
    routing->PrintRoutingTable(Create<OutputStreamWrapper>(&table));
    NS_TEST_EXPECT_MSG_NE(table.str().find("10.7.0.0"), std::string::npos, "is printed");
    topology->Dispose();
    Simulator::Destroy();
}

const Suite g_suite("lfn-live", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new KindsCase("sound packets are distinguished from others"));
    suite.Add(new ReadableCase("a TCP header that ns-3 would misread is changed"));
    suite.Add(new SpoiltCase("ns-3 reads all that is called sound"));
    suite.Add(new EndsCase("ends are read as what they mean, or refused"));
    suite.Add(new PlacesCase("hosts that are not there are refused"));
    suite.Add(new RoutingCase("what is for the node goes to the real host, all else as before"));
});

} // namespace
