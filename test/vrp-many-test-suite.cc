// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-network.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t PACKET = VrpTestNetwork::PACKET;

LFN_CASE(VrpSendersTestCase)
{
    VrpTestNetwork network;
    std::mt19937 random(5);
    network.loss = [&](int, Ptr<const Packet>) { return random() % 20 == 0; };
    network.helper.SetSourceAttribute("LocalPort", UintegerValue(4000));
    network.Install();
    std::vector<Ptr<VrpSender>> senders{network.sender};
    for (int i = 0; i < 4; ++i)
    {
        senders.push_back(network.AddSender(Seconds(0), network.AddHost()));
    }
    for (const auto& sender : senders)
    {
        sender->AssignStreams(3); // the same for all
        for (const uint32_t bytes : {100'000U, 1U, 0U, 30'000U})
        {
            network.Send(bytes, {}, sender);
        }
    }
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "frames");
    std::set<uint16_t> numbers;
    std::set<Address> peers;
    for (const auto& delivery : network.received)
    {
        numbers.insert(delivery.frame.number);
        peers.insert(delivery.frame.from);
    }
    NS_TEST_EXPECT_MSG_EQ(numbers.size(), 4, "the same numbers everywhere");
    NS_TEST_ASSERT_MSG_EQ(peers.size(), 5, "senders");
    uint64_t controlPackets = 0;
    for (const auto& peer : peers)
    {
        const auto totals = network.receiver->GetPeerTotals(peer);
        NS_TEST_EXPECT_MSG_EQ(totals.frames, 4, "of each");
        NS_TEST_EXPECT_MSG_EQ(totals.report.deliveredBytes, 130'001, "of each");
        controlPackets += totals.report.controlPackets;
    }
    const auto& report = network.receiver->GetReport();
    NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, 5 * 130'001, "in all");
    // The answers to PINGs belong to nobody yet.
    NS_TEST_EXPECT_MSG_GT_OR_EQ(report.controlPackets, controlPackets + 5, "in all");
}

/** @brief A small frame alongside a big one (VRP-MT). */
LFN_CASE(VrpOvertakeTestCase)
{
    for (const uint32_t packetSize : {1024U, 2048U})
    {
        TestLink link;
        link.rate = "10Mbps";
        link.delay = MilliSeconds(20);
        VrpTestNetwork network(link);
        network.SetPacketSize(packetSize);
        network.Install();
        network.Send(10'000'000);
        Time rtt;
        network.onEnd = [&](std::size_t index) {
            if (index == 1)
            {
                rtt = network.sender->GetEstimator()->GetEstimate();
                NS_TEST_EXPECT_MSG_EQ(network.sent[0].ends, 0, "the big one is under way");
            }
        };
        Simulator::Schedule(MilliSeconds(100), [&] { network.Send(1000); });
        VrpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", packetSize << " B");
        const auto& report = network.sent[1].report;
        NS_TEST_EXPECT_MSG_GT(rtt, MilliSeconds(45), "there is a queue");
        NS_TEST_EXPECT_MSG_LT(report.finish - report.start, rtt + rtt + rtt, packetSize << " B");
    }
}

/// Send the frames.
void
Start(VrpTestNetwork& network)
{
    network.Install();
    std::vector<Ptr<VrpSender>> senders{network.sender};
    while (senders.size() < 50)
    {
        senders.push_back(network.AddSender(Seconds(0)));
    }
    for (uint32_t i = 0; i < 1000; ++i)
    {
        network.Send(PACKET + i * 3, {}, senders[i % 50]);
    }
}

LFN_CASE(VrpThousandTestCase)
{
    VrpTestNetwork network;
    std::mt19937 random(11);
    network.loss = [&](int, Ptr<const Packet>) { return random() % 25 == 0; };
    network.helper.SetSinkAttribute("MaxIncomingFrames", UintegerValue(1000));
    Start(network);
    std::size_t most = 0;
    network.onReceive = [&](const VrpReceivedFrame&) {
        most = std::max(most, network.receiver->GetBlocks());
    };
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "frames");
    NS_TEST_EXPECT_MSG_EQ(most, 1000, "all at once");
}

LFN_CASE(VrpRefusedTestCase)
{
    VrpTestNetwork network;
    network.helper.SetSinkAttribute("MaxBlocks", UintegerValue(64));
    Start(network);
    VrpTestNetwork::Run();
    uint32_t done = 0;
    uint32_t refused = 0;
    for (std::size_t i = 0; i < network.sent.size(); ++i)
    {
        const auto& frame = network.sent[i];
        if (frame.report.state == VrpFrameState::DONE)
        {
            ++done;
            NS_TEST_EXPECT_MSG_EQ(network.Verify(i), "", "frame " << i);
            continue;
        }
        refused += frame.report.state == VrpFrameState::REFUSED && frame.ends == 1 ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ(frame.report.counters.dataPackets, 0, "no data of a refused frame");
        NS_TEST_EXPECT_MSG_EQ(frame.report.failure.empty(), false, "it says why");
    }
    NS_TEST_EXPECT_MSG_EQ(done, 64, "blocks");
    NS_TEST_EXPECT_MSG_EQ(refused, 936, "the rest");
    NS_TEST_EXPECT_MSG_EQ(network.received.size(), 64, "delivered");
}

LFN_CASE(VrpRefusedFinishTestCase)
{
    VrpTestNetwork network;
    network.helper.SetSinkAttribute("MaxIncomingFrames", UintegerValue(2));
    network.Install();
    for (int i = 0; i < 5; ++i)
    {
        network.Send(5000);
    }
    Simulator::Schedule(Seconds(1), [&] {
        // Its header closes those two, so there is room.
        network.Send(7000);
        network.sender->Finish();
    });
    VrpTestNetwork::Run();
    const auto& report = network.sender->GetReport();
    NS_TEST_EXPECT_MSG_EQ(network.Verify(5), "", "after the others were closed");
    NS_TEST_EXPECT_MSG_EQ(network.sender->GetFrames(), 6, "ended");
    NS_TEST_EXPECT_MSG_EQ(network.sender->GetFailedFrames(), 3, "refused");
    NS_TEST_EXPECT_MSG_EQ(report.completed, false, "not all were delivered");
    NS_TEST_EXPECT_MSG_NE(report.failure.find("3 of 6 frames failed"),
                          std::string::npos,
                          report.failure);
}

LFN_CASE(VrpPassersByTestCase)
{
    // Send one frame each within a second; a receiver with a number of blocks.
    const auto checkServed = [&](uint32_t maxBlocks, std::size_t senders, std::size_t most) {
        VrpTestNetwork network;
        std::mt19937 random(3);
        network.loss = [&](int, Ptr<const Packet>) { return random() % 20 == 0; };
        network.helper.SetSinkAttribute("MaxBlocks", UintegerValue(maxBlocks));
        network.Install();
        std::vector<Ptr<VrpSender>> all{network.sender};
        while (all.size() < senders)
        {
            all.push_back(network.AddSender(MilliSeconds(10 * all.size())));
        }
        for (const auto& sender : all)
        {
            network.Send(3000, {}, sender);
        }
        std::size_t blocks = 0;
        network.onReceive = [&](const VrpReceivedFrame&) {
            blocks = std::max(blocks, network.receiver->GetBlocks());
        };
        VrpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", maxBlocks << " blocks");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(blocks, most, maxBlocks << " blocks");
    };
    checkServed(1024, 100, 100); // the default
    checkServed(8, 100, 8);      // delivered frames make room
}

LFN_CASE(VrpBoundTestCase)
{
    VrpTestNetwork network;
    network.helper.SetSinkAttribute("MaxIncomingFrames", UintegerValue(4));
    network.Install();
    const auto modest = network.AddSender(MilliSeconds(20));
    for (int i = 0; i < 10; ++i)
    {
        network.Send(100'000);
    }
    network.Send(1000, {}, modest);
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.sender->GetFailedFrames(), 6, "more than its share");
    NS_TEST_EXPECT_MSG_EQ(network.Verify(10), "", "the other sender's");
}

/** @brief A sender after another on the same port, which happens to begin with the same number. */
LFN_CASE(VrpSameNumbersTestCase)
{
    VrpTestNetwork network;
    network.helper.SetSourceAttribute("LocalPort", UintegerValue(4000));
    network.helper.SetSinkAttribute("FreeEarly", BooleanValue(true));
    network.Install();
    network.sender->SetStopTime(MilliSeconds(500));
    const auto second = network.AddSender(Seconds(1));
    network.sender->AssignStreams(3);
    second->AssignStreams(3);
    network.Send(5000);
    network.Send(5000, {}, second);
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.sent[0].report.number,
                          network.sent[1].report.number,
                          "the same number");
    NS_TEST_EXPECT_MSG_EQ(network.received.size(), 2, "delivered");
    for (std::size_t i = 0; i < network.received.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((network.received[i].data == network.sent[i].content),
                              true,
                              "its own bytes");
    }
}

const Suite g_suite("lfn-vrp-many", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new VrpSendersTestCase(
        "senders on several nodes, same ports and frame numbers: all frames intact"));
    suite.Add(new VrpSameNumbersTestCase(
        "a new sender's PING: frames of an old one with the same numbers are forgotten"));
    suite.Add(new VrpOvertakeTestCase(
        "a frame of 1 kB, 100 ms after one of 10 MB, takes less than three RTTs"));
    suite.Add(new VrpThousandTestCase("50 senders with 20 frames each: 1000 blocks for all"));
    suite.Add(new VrpRefusedTestCase("50 senders with 20 frames each: 64 blocks for 64"));
    suite.Add(new VrpRefusedFinishTestCase(
        "a sender with refused frames fails at its end, and says how many"));
    suite.Add(new VrpPassersByTestCase("senders of a frame each, never closed: all are served"));
    suite.Add(new VrpBoundTestCase(
        "one that demands more than its share gets it, and no more; others do not suffer"));
});

} // namespace
