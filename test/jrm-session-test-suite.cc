// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-pair.h"
#include "lfn-test-case.h"

#include "ns3/double.h"
#include "ns3/jrm-message-source.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

LFN_CASE(JrmSourceTestCase)
{
    constexpr uint64_t MESSAGES = 3001;
    const Time start = MilliSeconds(40);
    JrmTestPair link;
    link.helper.SetSourceAttribute("Messages", UintegerValue(MESSAGES));
    link.helper.SetSourceAttribute("MessageRate", DoubleValue(30));
    link.helper.SetSourceAttribute("MessageSize", UintegerValue(2000));
    link.helper.SetAttribute("SendTimeout", TimeValue(Seconds(1)));
    link.Build(3);
    const auto source = link.helper.AddSource(link.peers[0]);
    source->SetStartTime(start);
    NS_TEST_EXPECT_MSG_EQ(source->IsDone(), false, "not begun");
    NS_TEST_EXPECT_MSG_EQ(source->GetSendTime({}).has_value(), false, "nothing sent");
    JrmTestPair::Run(Seconds(200));
    NS_TEST_EXPECT_MSG_EQ(source->IsDone(), true, "ended");
    NS_TEST_EXPECT_MSG_EQ(source->GetSent(), MESSAGES, "all of them");
    NS_TEST_ASSERT_MSG_EQ(link.arrived.size(), MESSAGES, "all arrive");
    for (uint32_t k = 0; k < MESSAGES; ++k)
    {
        const auto& message = link.arrived[k];
        const auto due = start + Time::FromDouble(k / 30.0, Time::S);
        const auto sent = source->GetSendTime(message.id);
        NS_TEST_ASSERT_MSG_EQ(sent.value_or(Time(0)), due, "k / rate after the start");
        NS_TEST_ASSERT_MSG_EQ((message.begin > due && message.begin < due + MilliSeconds(1)),
                              true,
                              "it was sent then");
        NS_TEST_ASSERT_MSG_EQ(message.id.group,
                              Ipv4Address("239.1.0.1").Get() + k % 3,
                              "groups in turn");
    }
    NS_TEST_EXPECT_MSG_EQ((source->GetPeakKept() == 30 || source->GetPeakKept() == 31),
                          true,
                          "what one second holds");
    auto other = link.arrived.back().id;
    other.message += 1;
    NS_TEST_EXPECT_MSG_EQ(source->GetSendTime(other).has_value(), false, "never sent");
    other = link.arrived.front().id;
    other.participant = 2;
    NS_TEST_EXPECT_MSG_EQ(source->GetSendTime(other).has_value(), false, "another's");
    other = link.arrived.front().id;
    other.group += 3;
    NS_TEST_EXPECT_MSG_EQ(source->GetSendTime(other).has_value(), false, "another group");
    NS_TEST_EXPECT_MSG_EQ(link.peers[1]->IsQuiet(), true, "nothing left");
}

LFN_CASE(JrmSourceEndTestCase)
{
    {
        JrmTestPair link;
        link.Build(1);
        const auto endless = link.helper.AddSource(link.peers[0]);
        endless->SetStopTime(MilliSeconds(990));
        const auto with = link.helper.AddSource(link.peers[1]);
        link.peers[1]->SetStopTime(MilliSeconds(490));
        link.helper.SetSourceAttribute("MessageSize", UintegerValue(UINT32_MAX));
        const auto large = link.helper.AddSource(link.peers[0]);
        JrmTestPair::Run(Seconds(2));
        NS_TEST_EXPECT_MSG_EQ(endless->GetSent(), 30, "until it was stopped");
        NS_TEST_EXPECT_MSG_EQ(endless->IsDone(), true, "stopped");
        NS_TEST_EXPECT_MSG_EQ(with->GetSent(), 15, "until its participant was");
        NS_TEST_EXPECT_MSG_EQ(with->IsDone(), true, "with its participant");
        NS_TEST_EXPECT_MSG_EQ(large->GetSent(), 0, "more packets than a message has");
        NS_TEST_EXPECT_MSG_EQ(large->IsDone(), true, "it gave up");
    }
    JrmTestPair link;
    link.Build(0);
    const auto nowhere = link.helper.AddSource(link.peers[0]);
    JrmTestPair::Run(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(nowhere->IsDone(), true, "no group");
    NS_TEST_EXPECT_MSG_EQ(nowhere->GetSent(), 0, "nothing");
}

LFN_CASE(JrmCountersTestCase)
{
    constexpr uint64_t MESSAGES = 2000;
    constexpr double LOSS = 0.2;
    JrmTestPair link;
    link.helper.SetSourceAttribute("Messages", UintegerValue(MESSAGES));
    link.helper.SetSourceAttribute("MessageSize", UintegerValue(10 * 1024));
    link.helper.SetAttribute("ReceiveErrorRate", DoubleValue(LOSS));
    link.helper.SetAttribute("ErrorOnNack", BooleanValue(false));
    link.helper.SetAttribute("Adaptive", BooleanValue(false));
    link.helper.SetAttribute("CheckContent", BooleanValue(true));
    link.helper.SetAttribute("Heartbeat", TimeValue(MilliSeconds(50)));
    link.Build(2);
    link.helper.AddSource(link.peers[0]);
    link.helper.SetSourceAttribute("Messages", UintegerValue(MESSAGES / 2));
    link.helper.AddSource(link.peers[1]);
    JrmTestPair::Run(Seconds(80));
    for (const uint32_t i : {0, 1})
    {
        const auto& mine = *link.peers[i];
        const auto& other = *link.peers[1 - i];
        const auto messages = i == 0 ? MESSAGES : MESSAGES / 2;
        const auto counted = other.GetReceiver().GetCounters(i + 1);
        NS_TEST_EXPECT_MSG_EQ(counted.delivered, messages, "all are whole");
        NS_TEST_EXPECT_MSG_EQ(counted.nacks, link.nacks[i + 1], "traced");
        NS_TEST_EXPECT_MSG_EQ(counted.nacks, other.GetSent().nackRequests, "sent");
        NS_TEST_EXPECT_MSG_EQ(counted.nacks,
                              mine.GetSender().GetCounters().requests,
                              "none is lost");
        NS_TEST_EXPECT_MSG_EQ(counted.delivered,
                              other.GetReceiver().GetCounters().delivered,
                              "there is one sender");
        NS_TEST_EXPECT_MSG_EQ(other.GetReceiver().GetCounters(7).delivered, 0, "nobody");
        // n / (1 - e) sends of data a message, of variance n e / (1 - e)^2.
        const auto sends =
            static_cast<double>(mine.GetSent().msgPackets + mine.GetSent().nackResponses);
        const auto sd = std::sqrt(10 * LOSS / static_cast<double>(messages)) / (1 - LOSS);
        NS_TEST_EXPECT_MSG_EQ_TOL(sends / static_cast<double>(messages),
                                  10 / (1 - LOSS),
                                  3.5 * sd,
                                  "sends a message");
        NS_TEST_EXPECT_MSG_GT(other.GetReceived(), sends, "lost ones came, too");
        NS_TEST_EXPECT_MSG_GT(other.GetReceiver().GetPeakHolders(), 0, "messages had gaps");
        NS_TEST_EXPECT_MSG_EQ(other.GetReport().failure, "", "every byte is right");
    }
}

/// Have a message lose a packet and all responses; measure until it is given up.
Time
Measure(const JrmReceiverCore::Settings& settings)
{
    JrmReceiverCore core;
    core.Start(settings, []() { return 1.0; }); // the longest random waits
    core.OnPacket(JrmHeader(JrmType::MSG, {1, 2, 3}, 1, 2000), 1024, {}, Time(0));
    Time now;
    while (const auto deadline = core.GetDeadline())
    {
        now = *deadline;
        core.Expire(now);
    }
    return core.GetCounters().lost == 1 ? now : Time(0);
}

LFN_CASE(JrmLongestRepairTestCase)
{
    JrmReceiverCore::Settings settings;
    settings.adapt.adaptive = false;
    NS_TEST_EXPECT_MSG_EQ(settings.GetLongestRepair(),
                          MilliSeconds(20 + 50 * 63 + 4 * 2000),
                          "20 ms, then 50 ms ten times, doubling up to 2 s");
    for (const uint32_t attempts : {1, 3, 10, 15})
    {
        for (const double backoff : {1.0, 1.5, 2.0})
        {
            for (const auto& random : {Time(0), MilliSeconds(30)})
            {
                for (const bool adaptive : {false, true})
                {
                    settings.maxNackAttempts = attempts;
                    settings.nackBackoff = backoff;
                    settings.maxBackoff = random;
                    settings.adapt.adaptive = adaptive;
                    const auto bound = settings.GetLongestRepair().GetSeconds();
                    const auto measured = Measure(settings).GetSeconds();
                    NS_TEST_EXPECT_MSG_GT(measured, 0, "given up");
                    NS_TEST_EXPECT_MSG_LT(measured, bound + 1e-6, "never longer");
                    if (!adaptive)
                    {
                        NS_TEST_EXPECT_MSG_EQ_TOL(measured, bound, 1e-6, "no shorter either");
                    }
                }
            }
        }
    }
    settings.maxNackAttempts = 1000;
    settings.nackBackoff = 1000;
    settings.adapt.longest = Seconds(JrmCommonSettings::LONGEST_WAIT_S) / 2;
    const auto longest = Seconds(JrmCommonSettings::LONGEST_WAIT_S);
    NS_TEST_EXPECT_MSG_EQ(settings.GetLongestRepair(), longest, "bounded");
}

/** @brief A message that lacks more packets than a request can name. */
LFN_CASE(JrmLongRequestTestCase)
{
    JrmTestPair link;
    link.helper.SetSourceAttribute("Messages", UintegerValue(1));
    link.helper.SetSourceAttribute("MessageSize", UintegerValue(JrmHeader::MAX_PACKETS));
    link.helper.SetAttribute("PacketSize", UintegerValue(1));
    link.helper.SetAttribute("Adaptive", BooleanValue(false));
    link.helper.SetAttribute("CheckContent", BooleanValue(true));
    link.Build(1);
    link.helper.AddSource(link.peers[0]);
    JrmTestPair::Run(Seconds(100));
    NS_TEST_ASSERT_MSG_EQ(link.arrived.size(), 1, "it is whole");
    NS_TEST_EXPECT_MSG_EQ(link.arrived[0].length, JrmHeader::MAX_PACKETS, "all of it");
    NS_TEST_EXPECT_MSG_EQ(link.peers[1]->GetReport().failure, "", "every byte is right");
    NS_TEST_EXPECT_MSG_GT(link.nacks[1], 1, "in several requests");
}

constexpr uint32_t BYTES = 2 * 1024; //!< of a message

/// Count what has arrived of a participant in a group.
std::size_t
Count(const JrmTestPair& link, uint32_t participant, Ipv4Address group)
{
    return static_cast<std::size_t>(
        std::count_if(link.arrived.begin(), link.arrived.end(), [&](const auto& message) {
            return message.id.participant == participant && message.id.group == group.Get();
        }));
}

LFN_CASE(JrmLeaveTestCase)
{
    // Count what has arrived of a participant in a group, from the first of them on all of it.
    const auto countWhole = [&](const JrmTestPair& link, uint32_t participant, Ipv4Address group) {
        std::set<uint32_t> numbers;
        for (const auto& message : link.arrived)
        {
            if (message.id.participant == participant && message.id.group == group.Get())
            {
                numbers.insert(message.id.message);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((*numbers.rbegin() - *numbers.begin() + 1), numbers.size(), "no gap");
        return numbers.size();
    };
    const Ipv4Address left("239.1.0.1");
    const Ipv4Address other("239.1.0.2");
    JrmTestPair link;
    link.helper.SetAttribute("ReceiveErrorRate", DoubleValue(0.25));
    link.helper.SetAttribute("Adaptive", BooleanValue(false));
    link.helper.SetAttribute("NackBackoff", DoubleValue(1));
    link.helper.SetAttribute("MaxNackAttempts", UintegerValue(100));
    link.helper.SetAttribute("Aggregation", TimeValue(MilliSeconds(3)));
    link.helper.SetAttribute("Heartbeat", TimeValue(MilliSeconds(40)));
    link.helper.SetAttribute("BucketRate", DataRateValue(DataRate("5Mbps")));
    link.Build(2);
    auto& leaver = *link.peers[0];
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> sent; // by participant and group
    for (int i = 0; i < 300; ++i)
    {
        Simulator::Schedule(MilliSeconds(1 + 10 * i), [&]() {
            for (const auto& peer : link.peers)
            {
                for (const auto& group : {left, other})
                {
                    const auto id = peer->SendMessage(group, BYTES);
                    sent[{id ? id->participant : 0, group.Get()}] += 1;
                }
            }
        });
    }
    std::vector<std::size_t> counts; // at both ends of the absence
    const auto count = [&]() {
        counts.push_back(Count(link, 2, left));
        return counts.back();
    };
    Simulator::Schedule(MilliSeconds(1003), [&]() {
        const auto holders = leaver.GetReceiver().GetHolders();
        NS_TEST_EXPECT_MSG_EQ(leaver.Leave(left), true, "a member");
        NS_TEST_EXPECT_MSG_EQ(leaver.Leave(left), false, "no member");
        NS_TEST_EXPECT_MSG_EQ(leaver.GetGroups().size(), 1, "the other one");
        NS_TEST_EXPECT_MSG_LT(leaver.GetReceiver().GetHolders(), holders, "given up");
        NS_TEST_EXPECT_MSG_GT(count(), 80, "until then");
    });
    Simulator::Schedule(MilliSeconds(2003), [&]() {
        NS_TEST_EXPECT_MSG_EQ(count(), counts.front(), "nothing while it was away");
        NS_TEST_EXPECT_MSG_EQ(leaver.Join(left), true, "back");
    });
    JrmTestPair::Run(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ((sent[{0, left.Get()}]), 100, "refused while it was away");
    // What it sent is repaired, left or not; only the first ones may never be missed (J-C5).
    const auto own = countWhole(link, 1, left);
    NS_TEST_EXPECT_MSG_EQ_TOL(own, 200, 3, "what it sent");
    for (const uint32_t participant : {1, 2})
    {
        const auto all = countWhole(link, participant, other);
        NS_TEST_EXPECT_MSG_EQ_TOL(all, 300, 3, "the other group");
    }
    const auto after = Count(link, 2, left) - counts.front();
    NS_TEST_EXPECT_MSG_EQ_TOL(after, 100, 3, "all since, none of the time before");
    NS_TEST_EXPECT_MSG_EQ(leaver.GetReceiver().GetCounters().lost, 0, "none counts as lost");
    NS_TEST_EXPECT_MSG_EQ(leaver.GetReceiver().GetHolders(), 0, "nothing is left");
    NS_TEST_EXPECT_MSG_GT(leaver.GetDrops(DropReason::UNEXPECTED), 100, "not its group");
}

/// Have a packet of a given size retransmitted; get how long the next message then takes.
Time
MeasureWait(uint32_t bytes)
{
    const Ipv4Address group("239.1.0.1");
    JrmTestPair link;
    link.helper.SetAttribute("BucketRate", DataRateValue(DataRate("8kbps")));
    link.helper.SetAttribute("BucketCountsRepairs", BooleanValue(true));
    link.helper.SetAttribute("Adaptive", BooleanValue(false));
    link.helper.SetAttribute("RecvTimeout", TimeValue(Seconds(5)));
    link.Build(1);
    auto& sender = *link.peers[0];
    std::optional<JrmMessageId> id;
    Simulator::Schedule(Seconds(1), [&]() { id = sender.SendMessage(group, 1024 + bytes); });
    const Time begin = Seconds(10);
    Simulator::Schedule(begin, [&]() {
        const auto list = JrmNackList::Write(std::vector<uint16_t>{2});
        const auto request = Create<Packet>(list.data(), static_cast<uint32_t>(list.size()));
        request->AddHeader(JrmHeader(JrmType::NACK_REQ, *id, 2, 0));
        const auto socket =
            Socket::CreateSocket(link.peers[1]->GetNode(), UdpSocketFactory::GetTypeId());
        socket->SendTo(request, 0, InetSocketAddress(Ipv4Address("10.0.0.1"), 9100));
    });
    Simulator::Schedule(begin + MilliSeconds(1), [&]() { sender.SendMessage(group, 1024); });
    JrmTestPair::Run(Seconds(20));
    return link.arrived.size() == 2 ? link.arrived.back().end - begin : Time(0);
}

LFN_CASE(JrmReportTestCase)
{
    for (const uint32_t bytes : {5, 1000, 1024})
    {
        // 1 B takes 1 ms: the packet retransmitted, then the message, with 20 B of header each.
        NS_TEST_EXPECT_MSG_EQ_TOL(MeasureWait(bytes),
                                  MilliSeconds(bytes + 20 + 1024 + 20),
                                  MilliSeconds(5),
                                  "a repair counts with its own size");
    }
    JrmHelper helper;
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes.Get(0));
    NS_TEST_EXPECT_MSG_EQ(helper.Install(nodes).GetN(), 0, "one node has no IPv4");
    NS_TEST_EXPECT_MSG_EQ(nodes.Get(0)->GetNApplications(), 0, "nothing was done");
    NS_TEST_EXPECT_MSG_EQ(helper.Install(NodeContainer(nodes.Get(0))).GetN(), 1, "this has");
    Simulator::Destroy();
}

LFN_CASE(JrmProgressTestCase)
{
    constexpr uint32_t MESSAGES = 300;
    constexpr uint32_t BYTES = 3 * 1024;
    JrmTestPair link;
    link.helper.SetAttribute("ReceiveErrorRate", DoubleValue(0.5));
    link.helper.SetAttribute("MaxNackAttempts", UintegerValue(1));
    link.helper.SetSourceAttribute("Messages", UintegerValue(MESSAGES));
    link.helper.SetSourceAttribute("MessageSize", UintegerValue(BYTES));
    link.Build(1);
    link.helper.AddSource(link.peers[0]);
    const auto& receiver = *link.peers[1];
    uint64_t calls = 0;
    uint64_t offered = 0;
    link.peers[1]->TraceConnectWithoutContext(
        "Progress",
        Callback<void, uint64_t, uint64_t>([&](uint64_t delivered, uint64_t known) {
            ++calls;
            NS_TEST_EXPECT_MSG_EQ(delivered, calls * BYTES, "with each message");
            NS_TEST_EXPECT_MSG_EQ((known >= delivered && known >= offered), true, "ascends");
            offered = known;
        }));
    JrmTestPair::Run(Seconds(60));
    const auto counters = receiver.GetReceiver().GetCounters();
    const auto& report = receiver.GetReport();
    NS_TEST_EXPECT_MSG_GT(calls, 50, "some are complete");
    NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, counters.delivered * BYTES, "the report");
    NS_TEST_EXPECT_MSG_GT(report.lostBytes, 20 * BYTES, "some are begun and given up");
    NS_TEST_EXPECT_MSG_LT(report.lostBytes, counters.lost * BYTES, "others never begun");
    NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes + report.lostBytes,
                          receiver.GetReceiver().GetOfferedBytes(),
                          "each one begun has an end");
}

/// The parts of a session besides the protocol: sources, counters by sender, derived times.
const Suite g_suite("lfn-jrm-session", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new JrmSourceTestCase("a source sends on time, repeats the groups and ends"));
    suite.Add(new JrmSourceEndTestCase(
        "a source ends with its participant, when stopped, and with what cannot be sent"));
    suite.Add(new JrmCountersTestCase(
        "requests, losses at arrival and duplicates are counted by sender"));
    suite.Add(new JrmLongestRepairTestCase(
        "the longest repair is what a receiver without any response takes"));
    suite.Add(new JrmLongRequestTestCase(
        "a message of 65535 packets overflows the sender's queue, and gets through"));
    suite.Add(new JrmLeaveTestCase(
        "leaving a group: nothing more of it, one's own messages are still repaired"));
    suite.Add(new JrmReportTestCase("repairs in the bucket, nodes without IPv4"));
    suite.Add(new JrmProgressTestCase("progress, bytes given up"));
});

} // namespace
