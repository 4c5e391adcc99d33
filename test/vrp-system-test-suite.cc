// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-network.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Fate = VrpTestNetwork::Fate;

constexpr uint32_t PACKET = VrpTestNetwork::PACKET;

LFN_CASE_OF(VrpFrameTimeTestCase, bool ipv6, uint32_t bytes, Time delay, uint32_t window)
{
    TestLink link;
    link.delay = delay;
    link.ipv6 = ipv6;
    VrpTestNetwork network(link);
    network.helper.SetSourceAttribute("WindowSize", UintegerValue(window));
    network.Install();
    network.Send(bytes);
    VrpTestNetwork::Run();
    const auto what = std::to_string(bytes) + " B, one way " +
                      std::to_string(delay.GetMilliSeconds()) + " ms, " + (ipv6 ? "IPv6" : "IPv4");
    NS_TEST_ASSERT_MSG_EQ(network.VerifyAll(), "", what);

    // 80 ns a byte; PPP 2, IP 20 or 40, UDP 8, VRP 6.
    const auto wire = [&](uint32_t payload) {
        return NanoSeconds(80) * int64_t{payload + 2 + (ipv6 ? 40 : 20) + 8 + 6};
    };
    const Time rtt = delay + delay;
    const Time ping = wire(PACKET) + wire(10) + rtt; // padded; PONG, LAST
    const Time header = wire(12) + wire(4) + rtt;    // FRAME_CREATE, LOSS_RATE; FRAME_OK
    const Time full = wire(PACKET);                  // a data packet
    const Time answer = wire(11);                    // SINGLE_ACK, ACK, LAST
    Time expected = ping + header;
    if (bytes > 0)
    {
        const uint32_t packets = (bytes + PACKET - 1) / PACKET;
        Time last = wire(bytes - (packets - 1) * PACKET);
        if (packets > 1)
        {
            last = std::max(last, answer); // behind the answer to the packet before
        }
        const Time turn = full + rtt + answer;
        if (window * full > turn)
        {
            expected += (packets - 1) * full + last + rtt + answer;
        }
        else
        {
            expected += int64_t{(packets - 1) / window} * turn + ((packets - 1) % window) * full +
                        last + rtt + answer;
        }
    }
    const auto& report = network.sent[0].report;
    NS_TEST_EXPECT_MSG_EQ((report.finish - network.GetStart()).GetNanoSeconds(),
                          expected.GetNanoSeconds(),
                          what);
    NS_TEST_EXPECT_MSG_EQ(report.start, Seconds(0), "from SendFrame() on");
    NS_TEST_EXPECT_MSG_EQ(report.counters.timeouts + report.counters.nacks, 0, what);
    NS_TEST_EXPECT_MSG_EQ(report.counters.headers, 1, what);
    NS_TEST_EXPECT_MSG_EQ(report.counters.dataPackets, (bytes + PACKET - 1) / PACKET, what);
    NS_TEST_EXPECT_MSG_EQ(network.Get(0).packets, (bytes + PACKET - 1) / PACKET, what);
}

LFN_CASE_OF(VrpContentTestCase, uint32_t seeds)
{
    uint64_t accepted = 0;
    for (uint32_t seed = 0; seed < seeds; ++seed)
    {
        std::mt19937 random(seed);
        TestLink link;
        link.ipv6 = seed % 4 == 3;
        VrpTestNetwork network(link);
        network.Install();
        const uint32_t percent = seed % 3 * 8;
        network.loss = [&](int, Ptr<const Packet>) {
            return Simulator::Now() > Seconds(3) && random() % 100 < percent;
        };
        network.replayDelay = MilliSeconds(7);
        network.judge = [&](int, const VrpTestSight&) {
            return random() % 50 == 0 ? (random() % 2 ? Fate::TWICE : Fate::LATE) : Fate::PASS;
        };
        Simulator::Schedule(Seconds(3), [&] {
            for (const uint32_t packets : {0, 1, 2, 63, 64, 65, 130, 300})
            {
                VrpTolerance tolerance;
                switch (random() % 4)
                {
                case 0:
                    break;
                case 1:
                    tolerance.maxLossRate = 1;
                    tolerance.maxBurst = random() % 4 * PACKET;
                    break;
                default:
                    tolerance.maxLossRate = 0.01 * (random() % 101);
                    break;
                }
                network.Send(packets * PACKET - (packets > 0 ? random() % PACKET : 0), tolerance);
            }
        });
        VrpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "path " << seed);
        for (const auto& delivery : network.received)
        {
            accepted += delivery.frame.acceptedLosses;
        }
    }
    NS_TEST_EXPECT_MSG_GT(accepted, 10, "some losses were accepted");
}

/// Lose packets of these numbers the first time, in every frame.
void
LoseFirst(VrpTestNetwork& network, const std::set<uint32_t>& losses)
{
    network.judge = [losses, seen = std::set<std::pair<uint16_t, uint32_t>>()](
                        int direction,
                        const VrpTestSight& sight) mutable {
        return direction == 0 && !sight.control && losses.contains(sight.packet) &&
                       seen.emplace(sight.frame, sight.packet).second
                   ? Fate::LOSE
                   : Fate::PASS;
    };
}

LFN_CASE(VrpCriticalTestCase)
{
    VrpTestNetwork network;
    network.Install();
    LoseFirst(network, {0, 20, 21, 49, 50, 51, 99});
    VrpTolerance tolerance;
    tolerance.maxLossRate = 1;
    tolerance.critical = {{100 * PACKET - 1, 1}, {0, 1}, {50 * PACKET + 3, 10}};
    const auto index = network.Send(100 * PACKET, tolerance);
    VrpTestNetwork::Run();
    NS_TEST_ASSERT_MSG_EQ(network.VerifyAll(), "", "critical");
    const auto& lost = network.Get(index).lost;
    const std::vector<VrpByteInterval> expected{{20 * PACKET, 2 * PACKET},
                                                {49 * PACKET, PACKET},
                                                {51 * PACKET, PACKET}};
    NS_TEST_EXPECT_MSG_EQ((lost == expected), true, "gaps, exactly");
    const auto& report = network.sent[index].report;
    NS_TEST_EXPECT_MSG_EQ(report.criticalPackets, 3, "critical");
    NS_TEST_EXPECT_MSG_EQ(report.counters.acceptedLosses, 4, "reported to the sender");
    NS_TEST_EXPECT_MSG_EQ(report.counters.nacks, 2, "0 and 50 were demanded");
    NS_TEST_EXPECT_MSG_EQ(network.Get(index).nacks, 2, "by the receiver");
    NS_TEST_EXPECT_MSG_EQ(report.counters.timeouts, 1, "99: nothing behind shows it (C13)");
    NS_TEST_EXPECT_MSG_EQ(report.counters.dataPackets, 103, "sent");
    NS_TEST_EXPECT_MSG_EQ(report.counters.retransmissions, 3, "again");
}

LFN_CASE(VrpToleranceTestCase)
{
    VrpTestNetwork network;
    network.Install();
    const std::set<uint32_t> losses{3, 10, 11, 12, 30, 31};
    LoseFirst(network, losses);
    const auto strict = network.Send(40 * PACKET);
    VrpTolerance any;
    any.maxLossRate = 1;
    const auto all = network.Send(40 * PACKET, any);
    VrpTolerance few;
    few.maxLossRate = 0.06; // 15/255 of 64 packets: 3
    const auto three = network.Send(40 * PACKET, few);
    any.maxBurst = 2 * PACKET;
    const auto bursts = network.Send(40 * PACKET, any);
    VrpTestNetwork::Run();
    NS_TEST_ASSERT_MSG_EQ(network.VerifyAll(), "", "frames");
    const std::map<std::size_t, std::vector<uint32_t>> expected{{strict, {}},
                                                                {all, {3, 10, 11, 12, 30, 31}},
                                                                {three, {3, 10, 11}},
                                                                {bursts, {3, 10, 11, 30, 31}}};
    for (const auto& [index, gaps] : expected)
    {
        const auto& frame = network.Get(index);
        std::vector<uint32_t> lost;
        for (const auto& gap : frame.lost)
        {
            for (auto at = gap.offset; at < gap.offset + gap.size; at += PACKET)
            {
                lost.push_back(static_cast<uint32_t>(at / PACKET));
            }
        }
        NS_TEST_EXPECT_MSG_EQ((lost == gaps), true, "gaps of frame " << index);
        const auto& counters = network.sent[index].report.counters;
        NS_TEST_EXPECT_MSG_EQ(counters.acceptedLosses, frame.acceptedLosses, "both ends agree");
        NS_TEST_EXPECT_MSG_EQ(counters.nacks, frame.nacks, "both ends agree");
        NS_TEST_EXPECT_MSG_EQ(counters.nacks, losses.size() - gaps.size(), "demanded");
        NS_TEST_EXPECT_MSG_EQ(counters.timeouts, 0, "no timer was needed");
        NS_TEST_EXPECT_MSG_EQ(frame.duplicates, 0, "nothing arrived redundantly");
    }
    const auto totals = network.receiver->GetPeerTotals(network.Get(strict).from);
    NS_TEST_EXPECT_MSG_EQ(totals.frames, 4, "frames");
    NS_TEST_EXPECT_MSG_EQ(totals.acceptedLosses, 14, "losses");
    NS_TEST_EXPECT_MSG_EQ(totals.nacks, 10, "demanded");
    NS_TEST_EXPECT_MSG_EQ(totals.report.lostBytes, 14 * PACKET, "lost");
    NS_TEST_EXPECT_MSG_EQ(totals.report.deliveredBytes, 146 * PACKET, "delivered");
    const auto& report = network.receiver->GetReport();
    NS_TEST_EXPECT_MSG_EQ(report.lostBytes, 14 * PACKET, "lost, in all");
    NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, 146 * PACKET, "delivered, in all");
    NS_TEST_EXPECT_MSG_EQ(totals.longestBurstBytes, 3 * PACKET, "longest");
}

/** @brief Packets of 2048 B are two fragments each (C16). */
LFN_CASE(VrpFragmentsTestCase)
{
    for (const uint64_t k : {0, 1, 2})
    {
        VrpTestNetwork network;
        network.SetPacketSize(2048);
        network.Install();
        VrpTolerance tolerance;
        tolerance.maxLossRate = k == 2 ? 1.0 : 0.0;
        network.Send(40 * 2048 - 5, tolerance);
        uint64_t arrivals = 0;
        uint64_t fragment = 0; // of packet 7, sent the first time
        network.loss = [&](int direction, Ptr<const Packet> packet) {
            if (direction != 0)
            {
                return false;
            }
            ++arrivals;
            const auto sight = VrpTestSight::Of(packet, VrpTestNetwork::PORT);
            const bool isSeven = sight && !sight->control && sight->packet == 7;
            if (fragment == 1 || (fragment == 0 && isSeven))
            {
                ++fragment;
                return fragment == k;
            }
            return false;
        };
        VrpTestNetwork::Run();
        NS_TEST_ASSERT_MSG_EQ(network.VerifyAll(), "", "fragment " << k);
        // PING, frame header, packets.
        const uint64_t resent = k == 1 ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ(arrivals, 2 + 1 + 80 + 2 * resent, "fragments");
        const auto& lost = network.Get(0).lost;
        NS_TEST_EXPECT_MSG_EQ(lost.size(), (k == 2 ? 1 : 0), "gaps");
        if (k == 2 && !lost.empty())
        {
            NS_TEST_EXPECT_MSG_EQ((lost.front() == VrpByteInterval{7 * 2048, 2048}), true, "gap");
        }
    }
}

LFN_CASE(VrpNumbersTestCase)
{
    // A stream whose first draw is near the end, as the sender will draw it.
    const auto variable = CreateObject<UniformRandomVariable>();
    int64_t stream = 0;
    uint32_t first = 0;
    while (first < 32'768 - 20)
    {
        variable->SetStream(++stream);
        first = variable->GetInteger(0, 32'767);
    }
    VrpTestNetwork network;
    network.Install();
    network.sender->AssignStreams(stream);
    network.onEnd = [&](std::size_t) {
        if (network.sent.size() < 50)
        {
            network.Send(10 + static_cast<uint32_t>(network.sent.size()));
        }
    };
    network.Send(5000);
    network.Send(5000);
    VrpTestNetwork::Run();
    NS_TEST_ASSERT_MSG_GT_OR_EQ(network.sent.size(), 50, "frames");
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "frames");
    for (std::size_t index = 0; index < network.sent.size(); ++index)
    {
        NS_TEST_EXPECT_MSG_EQ(network.sent[index].report.number,
                              (first + index) % 32'768,
                              "frame " << index);
    }
}

/// Record times and bytes of what a sender sends, perhaps alongside another flow on a link of its
/// own, which is installed first.
std::vector<uint8_t>
Record(uint64_t run, bool alongside)
{
    VrpTestNetwork network;
    RngSeedManager::SetRun(run);
    if (alongside)
    {
        const auto other = network.AddSender(Seconds(0), network.AddHost());
        other->AssignStreams(90);
        network.Send(50'000, {}, other);
    }
    network.Install();
    network.sender->AssignStreams(7);
    std::vector<uint8_t> record;
    network.sender->TraceConnectWithoutContext(
        "Tx",
        Callback<void, Ptr<const Packet>>([&](Ptr<const Packet> packet) {
            const auto now = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
            for (int shift = 0; shift < 64; shift += 8)
            {
                record.push_back(static_cast<uint8_t>(now >> shift));
            }
            record.resize(record.size() + packet->GetSize());
            packet->CopyData(&record[record.size() - packet->GetSize()], packet->GetSize());
        }));
    VrpFrame frame;
    frame.bytes = 50'000;
    network.sender->SendFrame(frame);
    network.sender->SendFrame(frame);
    VrpTestNetwork::Run();
    return record;
}

LFN_CASE(VrpRandomnessTestCase)
{
    const auto once = Record(1, false);
    NS_TEST_EXPECT_MSG_GT(once.size(), 100'000, "frames were sent");
    NS_TEST_EXPECT_MSG_EQ((Record(1, false) == once), true, "the same run");
    NS_TEST_EXPECT_MSG_EQ((Record(1, true) == once), true, "another flow alongside");
    NS_TEST_EXPECT_MSG_EQ((Record(2, false) == once), false, "another run");
}

const Suite g_suite("lfn-vrp-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string takes =
        "lossless: PING, frame header, data and the last ACK take their time, ";
    for (const bool ipv6 : {false, true})
    {
        const auto add = [&](uint32_t bytes, int delayMs, uint32_t window) {
            const auto name = takes + std::to_string(bytes) + (ipv6 ? " B, IPv6" : " B, IPv4");
            suite.Add(new VrpFrameTimeTestCase(name, ipv6, bytes, MilliSeconds(delayMs), window));
        };
        for (const uint32_t bytes :
             {0U, 1U, 700U, PACKET, PACKET + 1, 64 * PACKET, 64 * PACKET - 24})
        {
            add(bytes, 20, 64);
        }
        for (const uint32_t packets : {65, 200, 256})
        {
            add(packets * PACKET, 20, 64); // packet k + 64 leaves when the ACK of packet k comes
        }
        add(200 * PACKET, 1, 32); // a window is more than the path holds: the link is never idle
    }
    suite.Add(new VrpContentTestCase("content, gaps and callbacks with losses, 24 paths", 24));
    suite.Add(new VrpContentTestCase("content, gaps and callbacks with losses, 600 paths", 600),
              TestCase::Duration::EXTENSIVE);
    suite.Add(new VrpCriticalTestCase("tolerance: everything may be lost but some bytes"));
    suite.Add(
        new VrpToleranceTestCase("tolerance a frame: the same losses, all under way at once"));
    suite.Add(new VrpFragmentsTestCase(
        "packets of 2 kB over an MTU of 1500 B: either fragment lost is the packet lost"));
    suite.Add(new VrpNumbersTestCase("frame numbers ascend from a random start and come round"));
    suite.Add(new VrpRandomnessTestCase(
        "equal RngRun, equal bytes; another RngRun, other numbers; no flow shifts another"));
});

} // namespace
