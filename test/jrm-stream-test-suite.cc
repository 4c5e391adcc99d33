// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-probe.h"
#include "lfn-test-case.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/jrm-assembly.h"
#include "ns3/jrm-errors.h"
#include "ns3/jrm-groups.h"
#include "ns3/jrm-message-content.h"
#include "ns3/jrm-settings.h"
#include "ns3/jrm-stream-table.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A message of participant 1 in the group.
constexpr JrmMessageId
Message(uint32_t number)
{
    return {1, GROUP, number};
}

/// A host's source.
constexpr JrmSource
From(uint64_t host)
{
    return {{host}, 9};
}

/** @brief A number belongs to one source; silent streams are forgotten, not what they counted. */
LFN_CASE(JrmStreamTableTestCase)
{
    auto settings = MakeBasicSettings();
    settings.streamTimeout = Seconds(10);
    JrmStreamTable table(settings);
    NS_TEST_EXPECT_MSG_EQ((table.FindOpen(Message(5)) == nullptr), true, "none has begun");
    NS_TEST_EXPECT_MSG_EQ(table.IsOwner(1, From(1)), true, "the number is free");
    auto* const stream = table.Get(Message(5), From(1), 2);
    NS_TEST_ASSERT_MSG_EQ((stream != nullptr), true, "it begins");
    NS_TEST_EXPECT_MSG_EQ(stream->next, 3, "with two earlier ones");
    table.OnArrival(*stream, 100, Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(table.IsOwner(1, From(2)), false, "it has an owner");
    NS_TEST_EXPECT_MSG_EQ(table.OnNumber(Message(5), From(2), Seconds(1), false), false, "no");
    NS_TEST_EXPECT_MSG_EQ(table.OnNumber(Message(5), From(2), Seconds(1), true), true, "one sent");
    NS_TEST_EXPECT_MSG_EQ(table.IsOwner(1, From(2)), true, "it has changed hands");
    NS_TEST_EXPECT_MSG_EQ((stream->rival == From(1)), true, "from this one");
    table.OnArrival(*stream, 100, Seconds(1));
    table.OnArrival(*stream, 100, Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(table.OnNumber(Message(5), From(1), Seconds(1), true), false, "kept");
    NS_TEST_EXPECT_MSG_EQ(table.GetGroup(GROUP).size(), 1, "of the group");
    NS_TEST_EXPECT_MSG_EQ(table.GetGroup(GROUP + 1).size(), 0, "of no other");
    stream->Close();
    NS_TEST_EXPECT_MSG_EQ((table.FindOpen(Message(5)) == nullptr), true, "it is left");
    NS_TEST_EXPECT_MSG_EQ((table.Find({1, GROUP}) == stream), true, "and there");
    stream->counters.delivered = 7;
    NS_TEST_EXPECT_MSG_EQ((table.FindSilent(Seconds(10)) == nullptr), true, "for 9 s");
    NS_TEST_ASSERT_MSG_EQ((table.FindSilent(Seconds(11)) == stream), true, "for 10 s");
    table.Forget(*stream);
    NS_TEST_EXPECT_MSG_EQ((table.Find({1, GROUP}) == nullptr), true, "gone");
    NS_TEST_EXPECT_MSG_EQ(table.GetCounters(1).delivered, 7, "counted");
    NS_TEST_EXPECT_MSG_EQ(table.GetCounters().delivered, 7, "in all");
}

LFN_CASE(JrmWaitsTestCase)
{
    auto settings = MakeBasicSettings();
    settings.nackBackoff = 2;
    settings.adapt.longest = MilliSeconds(300);
    const Time first = MilliSeconds(50);
    NS_TEST_EXPECT_MSG_EQ(settings.GetResponseWait(first, 0), first, "the first one");
    NS_TEST_EXPECT_MSG_EQ(settings.GetResponseWait(first, 2), MilliSeconds(200), "doubled twice");
    NS_TEST_EXPECT_MSG_EQ(settings.GetResponseWait(first, 3), MilliSeconds(300), "the bound");
    NS_TEST_EXPECT_MSG_EQ(settings.GetNackTimeout(first, {}), first, "without an RTT");
    settings.grttFactor = 3;
    settings.aggregation = MilliSeconds(10);
    NS_TEST_EXPECT_MSG_EQ(settings.GetNackTimeout(first, MilliSeconds(20)),
                          MilliSeconds(70),
                          "three RTTs, and the aggregation");
    settings.maxBackoff = Seconds(1);
    NS_TEST_EXPECT_MSG_EQ(settings.GetBackoff(0), Time(0), "the least");
    NS_TEST_EXPECT_MSG_EQ_TOL(settings.GetBackoff(1).GetSeconds(), 1, 1e-6, "the most");

    JrmAssembly parts;
    parts.Begin(350, 100, false);
    parts.Store(1, {}, {});
    const std::vector<uint16_t> some{2, 3};
    const std::vector<uint16_t> all{2, 3, 4};
    const std::vector<uint16_t> others{1, 1, 2};
    NS_TEST_EXPECT_MSG_EQ(parts.IsCoveredBy(some, false, 0), false, "4 is missing");
    NS_TEST_EXPECT_MSG_EQ(parts.IsCoveredBy(all, false, 0), true, "all three");
    NS_TEST_EXPECT_MSG_EQ(parts.IsCoveredBy(others, false, 4), false, "others, without parities");
    NS_TEST_EXPECT_MSG_EQ(parts.IsCoveredBy(others, true, 4), true, "three of the block");
    NS_TEST_EXPECT_MSG_EQ(parts.IsCoveredBy(some, true, 4), false, "two of the block");
}

LFN_CASE(JrmGroupsTestCase)
{
    const Address one = Ipv4Address("239.1.2.3");
    const Address ipv6 = Ipv6Address("ff0e::ef01:203");
    NS_TEST_EXPECT_MSG_EQ(JrmGroups::GetNumber(one).value_or(0), 0xef010203, "the address");
    NS_TEST_EXPECT_MSG_EQ(JrmGroups::GetNumber(ipv6).value_or(0), 0xef010203, "the lowest bits");
    NS_TEST_EXPECT_MSG_EQ(JrmGroups::GetNumber(Ipv4Address("10.0.0.1")).has_value(), false, "no");
    NS_TEST_EXPECT_MSG_EQ(JrmGroups::GetNumber(Ipv6Address("ff02::1")).has_value(), false, "link");
    JrmGroups groups;
    NS_TEST_EXPECT_MSG_EQ((groups.Join(one, {}) == true), true, "new");
    NS_TEST_EXPECT_MSG_EQ((groups.Join(one, {}) == false), true, "known");
    NS_TEST_EXPECT_MSG_EQ(groups.Join(ipv6, {}).has_value(), false, "the other IP");
    NS_TEST_EXPECT_MSG_EQ(groups.IsJoined(0xef010203), true, "joined");
    const auto from4 = InetSocketAddress(Ipv4Address("10.0.0.1"), 7);
    const auto from6 = Inet6SocketAddress(Ipv6Address("2001::1"), 7);
    NS_TEST_EXPECT_MSG_EQ(groups.IsSameIp(0xef010203, from4), true, "IPv4");
    NS_TEST_EXPECT_MSG_EQ(groups.IsSameIp(0xef010203, from6), false, "IPv6");
    NS_TEST_EXPECT_MSG_EQ(groups.Leave(one).value_or(0), 0xef010203, "left");
    NS_TEST_EXPECT_MSG_EQ(groups.Leave(one).has_value(), false, "left before");
    NS_TEST_EXPECT_MSG_EQ(groups.GetJoined().size(), 0, "none");
    NS_TEST_EXPECT_MSG_EQ(groups.GetAll().size(), 1, "requests are answered");
    for (const Address& from : {Address(from4), Address(from6)})
    {
        const auto source = JrmGroups::GetSource(from);
        NS_TEST_EXPECT_MSG_EQ(JrmGroups::GetAddress(source), from, "there and back");
    }

    JrmGroups sixes; // two addresses of IPv6 with the same lowest 32 bits
    NS_TEST_EXPECT_MSG_EQ(sixes.Join(ipv6, {}).has_value(), true, "new");
    const auto same = sixes.Join(Ipv6Address("ff0e::1:ef01:203"), {});
    NS_TEST_EXPECT_MSG_EQ(same.has_value(), false, "another group has its number");
}

LFN_CASE(JrmContentTestCase)
{
    const JrmMessageContent content(100, true);
    const JrmSenderCore::Response last{Message(3), 4, 350, {}};
    NS_TEST_EXPECT_MSG_EQ(content.GetSize(last), 50, "the rest");
    const auto packet = content.Make(last);
    NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 50, "its size");
    NS_TEST_EXPECT_MSG_EQ(content.Matches(Message(3), 4, packet), true, "what was sent");
    NS_TEST_EXPECT_MSG_EQ(content.Matches(Message(3), 3, packet), false, "another packet");
    NS_TEST_EXPECT_MSG_EQ(content.Matches(Message(4), 4, packet), false, "another message");
    const JrmSenderCore::Response parity{Message(3), 1, 350, JrmParity{4, 0}};
    NS_TEST_EXPECT_MSG_EQ(content.Make(parity)->GetSize(), 100 + JrmParity::SIZE, "a parity");

    JrmErrors errors;
    NS_TEST_EXPECT_MSG_EQ(errors.IsDiscarded(false), false, "no errors");
    errors.sendRate = 1;
    errors.onData = false;
    NS_TEST_EXPECT_MSG_EQ(errors.IsDiscarded(false), false, "not data");
    NS_TEST_EXPECT_MSG_EQ(errors.IsDiscarded(true), true, "requests");
    NS_TEST_EXPECT_MSG_EQ(errors.IsLost(packet), false, "before the send alone");
    errors.receiveRate = 1;
    NS_TEST_EXPECT_MSG_EQ(errors.IsLost(packet), true, "at arrival");
    errors.onNack = false;
    packet->AddHeader(JrmHeader(JrmType::NACK_REQ, Message(3), 4, 0));
    NS_TEST_EXPECT_MSG_EQ(errors.IsLost(packet), false, "no request");
}

/// The parts of a JRM participant by themselves: streams, waits, groups, contents, errors.
const Suite g_suite("lfn-jrm-stream", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmStreamTableTestCase("streams: owners of numbers, silence"));
    suite.Add(new JrmWaitsTestCase("waits, and what a request covers"));
    suite.Add(new JrmGroupsTestCase("groups: numbers, joining, addresses"));
    suite.Add(new JrmContentTestCase("contents and errors"));
});

} // namespace
