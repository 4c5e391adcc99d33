// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-network.h"

#include "ns3/double.h"
#include "ns3/lfn-host-cost.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Fate = VrpTestNetwork::Fate;

constexpr uint32_t PACKET = VrpTestNetwork::PACKET;

/// Get how long an IPv4 packet takes to leave at 100 Mb/s, 80 ns a byte: PPP, IP, UDP, VRP, payload
/// in B.
Time
Wire(uint32_t payload)
{
    return NanoSeconds(80) * int64_t{payload + 2 + 20 + 8 + 6};
}

const Time COST = MicroSeconds(300); //!< of a packet; more than it takes to leave

/// Give an end, "Sender" or "Receiver", a host whose buffer has room for a number of bytes.
void
Set(VrpTestNetwork& network, const std::string& end, uint32_t buffer)
{
    const auto cost = CreateObject<HostCost>();
    cost->SetAttribute("ReadCost", TimeValue(2 * COST / 3));
    cost->SetAttribute("MoveCost", TimeValue(COST / 3));
    cost->SetAttribute("BufferSize", UintegerValue(buffer));
    if (end == "Sender")
    {
        network.helper.SetSourceAttribute("HostCost", PointerValue(cost));
    }
    else
    {
        network.helper.SetSinkAttribute("HostCost", PointerValue(cost));
    }
}

LFN_CASE(VrpHostTestCase)
{
    // Run one frame with a host at an end; how long it took.
    const auto run = [&](const std::string& end, uint32_t packets, uint32_t buffer) {
        VrpTestNetwork network;
        Set(network, end, buffer);
        network.Install();
        network.Send(packets * PACKET);
        VrpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", end);
        NS_TEST_EXPECT_MSG_EQ(network.sent[0].report.counters.timeouts, 0, end);
        return network.sent[0].report.finish;
    };
    const Time rtt = MilliSeconds(10);
    const Time base = Wire(PACKET) + Wire(10) + Wire(12) + Wire(4) + 2 * rtt;
    const Time tail = Wire(PACKET) + rtt + Wire(11);
    NS_TEST_EXPECT_MSG_EQ(run("Sender", 20, 1 << 20), base + 19 * COST + tail, "sender");
    NS_TEST_EXPECT_MSG_EQ(run("Receiver", 20, 1 << 20),
                          base + 2 * COST + tail + 20 * COST, // PING, header and data
                          "receiver");
    // A packet comes every 85 us and takes 300 us: of ten, numbers 6, 7 and 9 find the room for
    // four taken.
    VrpTestNetwork network;
    Set(network, "Receiver", 4 * (PACKET + 6));
    network.Install();
    network.Send(10 * PACKET);
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "a small buffer");
    NS_TEST_EXPECT_MSG_EQ(network.receiver->GetDrops(DropReason::BUFFER_FULL), 3, "dropped");
}

/** @brief An unpadded PING reports a wrong round-trip time on a slow link (VRP-PING). */
LFN_CASE(VrpPadTestCase)
{
    for (const bool pad : {true, false})
    {
        TestLink link;
        link.rate = "1Mbps";
        VrpTestNetwork network(link);
        network.SetPacketSize(2048);
        network.helper.SetSourceAttribute("PadPing", BooleanValue(pad));
        network.helper.SetSourceAttribute("WindowSize", UintegerValue(2));
        network.Install();
        std::vector<Time> timeouts;
        network.sender->TraceConnectWithoutContext(
            "Rtt",
            Callback<void, Time, Time>([&](Time, Time timeout) { timeouts.push_back(timeout); }));
        network.Send(6 * 2048);
        VrpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "pad " << pad);
        NS_TEST_EXPECT_MSG_GT(timeouts.size(), 6, "traced");
        timeouts.resize(std::max<std::size_t>(timeouts.size(), 1));
        // 2 kB take 17 ms to leave; two of them are in the window.
        const Time real = MilliSeconds(10 + 17 + 17);
        NS_TEST_EXPECT_MSG_EQ((timeouts[0] >= real), pad, "first timeout");
        NS_TEST_EXPECT_MSG_EQ((network.sent[0].report.counters.timeouts > 0), !pad, "early");
        NS_TEST_EXPECT_MSG_EQ((network.receiver->GetDrops(DropReason::DUPLICATE) > 0),
                              !pad,
                              "sent redundant");
    }
}

LFN_CASE(VrpCombineTestCase)
{
    // Run one frame, something may happen to its first header; how long it took.
    const auto run = [&](bool combine, uint32_t bytes, Fate fate) {
        VrpTestNetwork network;
        network.helper.SetSourceAttribute("CombineSmall", BooleanValue(combine));
        network.Install();
        network.replayDelay = MilliSeconds(15);
        network.judge = [=, seen = false](int, const VrpTestSight& sight) mutable {
            const bool isFirst = sight.Has(VrpTagCode::FRAME_CREATE) && !seen;
            seen = seen || isFirst;
            return isFirst ? fate : Fate::PASS;
        };
        network.Send(bytes);
        VrpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", bytes << " B");
        const auto& counters = network.sent[0].report.counters;
        NS_TEST_EXPECT_MSG_EQ(counters.headers, (fate == Fate::LOSE ? 2 : 1), "headers");
        NS_TEST_EXPECT_MSG_EQ(counters.dataPackets, counters.headers, "with each header");
        return network.sent[0].report.finish;
    };
    const Time rtt = MilliSeconds(10);
    const Time ping = Wire(PACKET) + Wire(10) + rtt;
    for (const uint32_t bytes : {1U, 500U, PACKET - 12})
    {
        NS_TEST_EXPECT_MSG_EQ(run(false, bytes, Fate::PASS),
                              ping + Wire(12) + Wire(4) + rtt + Wire(bytes) + Wire(11) + rtt,
                              bytes << " B apart");
        NS_TEST_EXPECT_MSG_EQ(run(true, bytes, Fate::PASS),
                              ping + Wire(12 + bytes) + Wire(14) + rtt,
                              bytes << " B combined");
    }
    // One byte too many: header and data travel apart.
    NS_TEST_EXPECT_MSG_EQ(run(true, PACKET - 11, Fate::PASS),
                          run(false, PACKET - 11, Fate::PASS),
                          "does not fit");
    // The timeout is three RTTs of the PING.
    const auto lost = run(true, 500, Fate::LOSE);
    NS_TEST_EXPECT_MSG_EQ_TOL(lost, 4 * ping + Wire(512) + Wire(14) + rtt, MicroSeconds(1), "lost");
    run(true, 500, Fate::TWICE);
    NS_TEST_EXPECT_MSG_EQ(run(true, 500, Fate::LATE),
                          run(true, 500, Fate::PASS) + MilliSeconds(15),
                          "late, but before the timeout");
}

LFN_CASE(VrpCloseTestCase)
{
    VrpTestNetwork network;
    network.Install();
    network.onEnd = [&](std::size_t index) {
        if (index < 9)
        {
            network.Send(5000);
        }
    };
    uint64_t closes = 0;
    network.judge = [&](int, const VrpTestSight& sight) {
        closes += static_cast<uint64_t>(
            std::count(sight.tags.begin(), sight.tags.end(), VrpTagCode::FRAME_CLOSE));
        return Fate::PASS;
    };
    network.Send(5000);
    VrpTestNetwork::Run(Seconds(4));
    NS_TEST_EXPECT_MSG_EQ(closes, 9, "each frame but the last is closed once");
    NS_TEST_ASSERT_MSG_EQ(network.VerifyAll(), "", "frames");
    for (const auto& delivery : network.received)
    {
        NS_TEST_EXPECT_MSG_EQ(delivery.blocks, 1, "the one before is closed");
    }
    NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), 1, "nothing closes the last one");
    NS_TEST_EXPECT_MSG_GT(network.receiver->GetBlockBytes(), 5000, "it is still there");
    NS_TEST_EXPECT_MSG_LT(network.receiver->GetPeakBlockBytes(),
                          2 * network.receiver->GetBlockBytes(),
                          "never two");
    VrpTestNetwork::Run(Seconds(8)); // FrameTimeout is 5 s
    NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), 0, "life timeout");
    NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlockBytes(), 0, "freed");
}

LFN_CASE(VrpLostCloseTestCase)
{
    VrpTestNetwork network;
    network.helper.SetSourceAttribute("FrameTimeout", TimeValue(MilliSeconds(500)));
    network.Install();
    network.Cut(Seconds(1), Seconds(2));
    network.Send(5000);
    Simulator::Schedule(Seconds(1), [&] { network.Send(5001); });
    Simulator::Schedule(Seconds(2), [&] { network.Send(5002); });
    VrpTestNetwork::Run(Seconds(3));
    NS_TEST_EXPECT_MSG_EQ(network.Verify(0), "", "before");
    NS_TEST_EXPECT_MSG_EQ((network.sent[1].report.state == VrpFrameState::TIMED_OUT),
                          true,
                          "its header never arrived");
    NS_TEST_EXPECT_MSG_EQ(network.VerifyFrom(2), "", "after");
    NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), 1, "the first one is closed");
}

LFN_CASE(VrpLifeTestCase)
{
    TestLink link;
    link.rate = "16kbps"; // a packet takes 0.53 s
    VrpTestNetwork network(link);
    network.helper.SetSourceAttribute("WindowSize", UintegerValue(2));
    network.Install();
    network.Send(20 * PACKET);
    network.Send(1);
    Simulator::Schedule(Seconds(9), [&] {
        NS_TEST_EXPECT_MSG_EQ(network.sent[0].ends, 0, "still under way");
        NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), 1, "the other one is gone");
    });
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "frames");
    NS_TEST_EXPECT_MSG_GT(network.sent[0].report.finish, Seconds(10), "slow");
}

LFN_CASE(VrpFreeEarlyTestCase)
{
    uint64_t peak = 0;
    for (const bool early : {false, true})
    {
        TestLink link;
        link.delay = MilliSeconds(20);
        VrpTestNetwork network(link);
        network.helper.SetSinkAttribute("FreeEarly", BooleanValue(early));
        network.Install();
        for (int i = 0; i < 40; ++i)
        {
            Simulator::Schedule(MilliSeconds(50 + 5 * i), [&] { network.Send(20'000); });
        }
        VrpTestNetwork::Run(Seconds(4));
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "early " << early);
        const auto bytes = network.receiver->GetPeakBlockBytes();
        if (!early)
        {
            peak = bytes;
            NS_TEST_EXPECT_MSG_GT(network.receiver->GetBlocks(), 0, "wait for FRAME_CLOSE");
            continue;
        }
        NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), 0, "freed with the delivery");
        // A block lives one RTT instead of two.
        NS_TEST_EXPECT_MSG_LT(bytes, 0.7 * static_cast<double>(peak), "less memory");
    }
}

LFN_CASE_OF(VrpDisposeTestCase, bool close)
{
    VrpTestNetwork network;
    network.helper.SetSourceAttribute("CloseOnDispose", BooleanValue(close));
    network.Install();
    for (int i = 0; i < 5; ++i)
    {
        network.Send(3000);
    }
    Simulator::Schedule(MilliSeconds(200), [&] {
        NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), 5, "delivered");
        network.sender->Finish();
    });
    VrpTestNetwork::Run(MilliSeconds(250));
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "frames");
    NS_TEST_EXPECT_MSG_EQ(network.sender->GetReport().completed, true, "ended");
    NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), (close ? 0 : 5), "blocks");
}

/** @brief The tolerance as an interval, chosen by the load. */
LFN_CASE(VrpIntervalTestCase)
{
    TestLink link;
    link.rate = "10Mbps";
    link.delay = MilliSeconds(10);
    VrpTestNetwork network(link);
    network.helper.SetSourceAttribute("MinLossRate", DoubleValue(0.125));
    network.helper.SetSourceAttribute("MaxLossRate", DoubleValue(0.5));
    network.Install();
    std::vector<double> rates;
    const auto send = [&](uint32_t bytes) {
        const auto estimator = network.sender->GetEstimator();
        const double excess =
            estimator->GetSmoothed().GetSeconds() / estimator->GetSmallest().GetSeconds() - 1;
        rates.push_back(0.125 + 0.375 * std::clamp(excess, 0.0, 1.0)); // FullLoadRatio is 2
        network.Send(bytes);
    };
    Simulator::Schedule(MilliSeconds(100), [&] { send(1000); });
    // 64 packets of 1 kB take 54 ms at 10 Mb/s, the unloaded path 21 ms.
    Simulator::Schedule(MilliSeconds(300), [&] { send(1'000'000); });
    for (int i = 0; i < 15; ++i)
    {
        Simulator::Schedule(MilliSeconds(320 + 40 * i), [&] { send(100); });
    }
    VrpTestNetwork::Run();
    NS_TEST_ASSERT_MSG_EQ(network.VerifyAll(), "", "frames");
    bool isBetween = false;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const double rate = network.sent[i].report.lossRate;
        NS_TEST_EXPECT_MSG_EQ_TOL(rate, rates[i], 1e-6, "frame " << i);
        isBetween = isBetween || (rate > 0.13 && rate < 0.49);
        const auto losses = static_cast<uint32_t>(std::lround(rate * 255)) * 64 / 255;
        NS_TEST_EXPECT_MSG_EQ(network.Get(i).maxLosses, losses, "as the receiver receives");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 0.125, 1e-9, "no load");
    NS_TEST_EXPECT_MSG_EQ_TOL(rates.back(), 0.5, 1e-9, "full load");
    NS_TEST_EXPECT_MSG_EQ(isBetween, true, "linear in between");
}

/** @brief Packets that fit into IP packets of the sender's link (C16). */
LFN_CASE(VrpFitTestCase)
{
    for (const uint32_t wanted : {2048U, 1466U, 1000U, 65501U})
    {
        VrpTestNetwork network;
        network.SetPacketSize(wanted);
        network.helper.SetSourceAttribute("FitMtu", BooleanValue(true));
        network.Install();
        network.Send(100'000);
        uint32_t largest = 0;
        network.sender->TraceConnectWithoutContext(
            "Tx",
            Callback<void, Ptr<const Packet>>(
                [&](Ptr<const Packet> packet) { largest = std::max(largest, packet->GetSize()); }));
        VrpTestNetwork::Run();
        const auto fits = std::min(wanted, 1500U - 28 - 6);
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", wanted);
        NS_TEST_EXPECT_MSG_EQ(network.sender->GetPacketSize(), fits, wanted);
        NS_TEST_EXPECT_MSG_EQ(largest, fits + 6, "PING as well");
        NS_TEST_EXPECT_MSG_EQ(network.sender->GetReport().dataPackets,
                              (100'000 + fits - 1) / fits,
                              "data packets");
    }
}

/** @brief TFRC's rate on a path that loses packets of both directions. */
LFN_CASE(VrpPolicyTestCase)
{
    std::vector<Time> durations;
    for (const auto* policy : {"Fixed", "Tfrc"})
    {
        VrpTestNetwork network;
        uint32_t packets = 0;
        network.loss = [&](int direction, Ptr<const Packet>) {
            return ++packets % (direction == 0 ? 50 : 47) == 0;
        };
        network.helper.SetSourceAttribute("WindowPolicy", StringValue(policy));
        network.Install();
        network.Send(1000 * PACKET);
        network.Send(1);
        VrpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", policy);
        durations.push_back(network.sent[0].report.finish);
        const bool paced = std::string(policy) == "Tfrc";
        NS_TEST_EXPECT_MSG_EQ((network.sender->GetAllowedRate() > 0), paced, policy);
        NS_TEST_EXPECT_MSG_EQ((network.sender->GetLossEventRate() > 0.002), paced, policy);
        NS_TEST_EXPECT_MSG_LT(network.sender->GetLossEventRate(), 0.1, policy);
    }
    NS_TEST_EXPECT_MSG_GT(durations[1], durations[0], "it gives way to losses");
}

/** @brief An application that sends little for a while keeps TFRC's rate (RFC 5348, 4.3). */
LFN_CASE(VrpDataLimitedPolicyTestCase)
{
    VrpTestNetwork network({"10Mbps", MilliSeconds(30), false});
    uint32_t packets = 0;
    network.loss = [&](int direction, Ptr<const Packet>) {
        return direction == 0 && ++packets == 500;
    };
    network.helper.SetSourceAttribute("WindowPolicy", StringValue("Tfrc"));
    network.Install();
    network.Send(5000 * PACKET);
    double before = 0;
    Simulator::Schedule(Seconds(12), [&] {
        NS_TEST_EXPECT_MSG_EQ(network.sender->GetReport().deliveredBytes, 5000 * PACKET, "bulk");
        NS_TEST_EXPECT_MSG_GT(network.sender->GetLossEventRate(), 0, "a loss");
        before = network.sender->GetAllowedRate();
    });
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(Seconds(12) + i * MilliSeconds(100), [&] { network.Send(PACKET); });
    }
    Simulator::Schedule(Seconds(24), [&] {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(network.sender->GetAllowedRate(), before, "little to send");
        network.Send(1000 * PACKET);
    });
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "all");
    const auto& bulk = network.sent.back().report;
    NS_TEST_EXPECT_MSG_LT(bulk.finish - bulk.start, MilliSeconds(1500), "at the rate that it had");
}

const Suite g_suite("lfn-vrp-options", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(
        new VrpHostTestCase("HostCost: what packets cost the sender's host and the receiver's"));
    suite.Add(new VrpPadTestCase("PadPing: padded, the first timeout covers a data packet's RTT"));
    suite.Add(
        new VrpCombineTestCase("CombineSmall: one RTT less; that packet lost, doubled, late"));
    suite.Add(new VrpDisposeTestCase("blocks: the sender ends without CloseOnDispose", false));
    suite.Add(new VrpDisposeTestCase("blocks: the sender ends with CloseOnDispose", true));
    suite.Add(new VrpCloseTestCase("blocks: one frame after the other, never two blocks"));
    suite.Add(
        new VrpLostCloseTestCase("blocks: FRAME_CLOSE in a header that is lost is retransmitted"));
    suite.Add(new VrpLifeTestCase(
        "blocks: a slow frame outlives FrameTimeout, a younger one that is silent does not"));
    suite.Add(new VrpFreeEarlyTestCase(
        "blocks: FreeEarly, many frames under way, delivered one after the other"));
    suite.Add(new VrpFitTestCase("FitMtu: packets that IP does not fragment"));
    suite.Add(new VrpPolicyTestCase("WindowPolicy: TFRC's rate on a lossy path"));
    suite.Add(new VrpDataLimitedPolicyTestCase("WindowPolicy: TFRC's rate with little to send"));
    suite.Add(new VrpIntervalTestCase(
        "MinLossRate and MaxLossRate: the low end without load, the high end with it"));
});

} // namespace
