// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-window.h"

#include "ns3/vrp-tolerance.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Limits = VrpReceiveWindow::Limits;
using Intervals = std::vector<VrpPacketInterval>;

/** @brief The examples of section 2.3.5, packet by packet; their window of 6 is no power of two. */
LFN_CASE_FROM(VrpExamplesTestCase, VrpWindowTestCase)
{
    // "One packet per window (16%)" and "two packets (32%)": rounded, not cut off (C3).
    const auto losses = [](double rate) {
        return VrpLossRules::MaxLosses(VrpLossRules::RateToByte(rate), 6, VrpLossRounding::NEAREST);
    };
    NS_TEST_EXPECT_MSG_EQ(losses(0.16), 1, "first example");
    NS_TEST_EXPECT_MSG_EQ(losses(0.32), 2, "second example");

    VrpWindowProbe rate(OfRate(20, 6, 1));
    NS_TEST_EXPECT_MSG_EQ(rate.GetState(), " wait 0 next 0 loss 0", "at first");
    Expect(rate, {0}, "store single 0 ack 0 : r wait 1 next 1 loss 0");
    Expect(rate, {1}, "store single 1 ack 1 : rr wait 2 next 2 loss 0");
    Expect(rate, {3}, "store accept 2 single 3 ack 3 : rrar wait 4 next 4 loss 1");
    Expect(rate, {4}, "store single 4 ack 4 : rrarr wait 5 next 5 loss 1");
    Expect(rate, {5}, "store single 5 ack 5 : rrarrr wait 6 next 6 loss 1");
    Expect(rate, {7}, "store nack 6 single 7 ack 5 : rrarrrwr wait 6 next 8 loss 1");
    Expect(rate, {6}, "store single 6 ack 7 : rrarrrrr wait 8 next 8 loss 1");
    Expect(rate, {8}, "store single 8 ack 8 : rrarrrrrr wait 9 next 9 loss 0");

    Limits limits = OfRate(20, 6, 2);
    limits.maxBurst = 1;
    VrpWindowProbe burst(limits);
    Expect(burst, {0, 1, 2, 4}, "store accept 3 single 4 ack 4 : rrrar wait 5 next 5 loss 1");
    Expect(burst, {5, 6}, "store single 6 ack 6 : rrrarrr wait 7 next 7 loss 1");
    Expect(burst,
           {10},
           "store nack 8 accept 7 9 single 10 ack 7 : rrrarrrawar wait 8 next 11 loss 2");
    Expect(burst, {8}, "store single 8 ack 10 : rrrarrrarar wait 11 next 11 loss 2");
    // 7 leaves as 13 enters, 9 two packets later.
    Expect(burst, {11, 12}, "store single 12 ack 12 : rrrarrrararrr wait 13 next 13 loss 2");
    Expect(burst, {13}, "store single 13 ack 13 : rrrarrrararrrr wait 14 next 14 loss 1");
    Expect(burst, {14, 15}, "store single 15 ack 15 : rrrarrrararrrrrr wait 16 next 16 loss 0");
}

/** @brief Short frames, ends of frames, and the window of 64 at its edges. */
class VrpFrameEndsTestCase : public VrpWindowTestCase
{
    using VrpWindowTestCase::VrpWindowTestCase;

    void DoRun() override
    {
        for (const bool basic : {false, true})
        {
            NS_TEST_EXPECT_MSG_EQ(VrpWindowProbe(OfRate(0, 64, 0), basic).window->IsComplete(),
                                  true,
                                  "nothing to wait for");
            VrpWindowProbe nothing(OfRate(0, 64, 0), basic);
            Expect(nothing, {0}, "outside :  wait 0 next 0 loss 0", "it has no packet 0");
            VrpWindowProbe one(OfRate(1, 64, 64), basic);
            NS_TEST_EXPECT_MSG_EQ(one.window->IsComplete(), false, "a packet is missing");
            NS_TEST_EXPECT_MSG_EQ(one.window->GetCumulativeAck().has_value(), false, "C5");
            Expect(one, {1}, "outside :  wait 0 next 0 loss 0", "beyond the end");
            NS_TEST_EXPECT_MSG_EQ(one.window->IsComplete(), false, "still missing");
            one.OnPacket({0});
            NS_TEST_EXPECT_MSG_EQ(one.window->IsComplete(), true, "V5");
            NS_TEST_EXPECT_MSG_EQ(one.window->GetCumulativeAck().value_or(99), 0, "C5");
            NS_TEST_EXPECT_MSG_EQ(one.window->GetLostPackets().empty(), true, "no gap");
            CheckEdges(basic);
            CheckTail(basic);
        }
    }

    /// Two losses, one accepted a window: they must lie 64 packets apart.
    void CheckEdges(bool basic)
    {
        for (const uint32_t packets : {64, 65, 66})
        {
            VrpWindowProbe probe(OfRate(packets, 64, 1), basic);
            const uint32_t second = packets - 2;
            probe.OnPacket(Row(1, second));
            NS_TEST_EXPECT_MSG_EQ(probe.window->GetLossCount(), 1, packets << ": packet 0");
            probe.OnPacket({packets - 1});
            const bool apart = second >= 64;
            NS_TEST_EXPECT_MSG_EQ(probe.window->IsComplete(), apart, packets << ": " << second);
            NS_TEST_EXPECT_MSG_EQ(probe.answer.nacks.size(), (apart ? 0 : 1), packets);
            // With 65 packets, the first loss leaves the window as the last packet enters it.
            NS_TEST_EXPECT_MSG_EQ(probe.window->GetLossCount(),
                                  (packets == 65 && !basic ? 0 : 1),
                                  packets);
            probe.OnPacket({second});
            NS_TEST_EXPECT_MSG_EQ(probe.window->IsComplete(), true, packets);
            NS_TEST_EXPECT_MSG_EQ(probe.window->GetCumulativeAck().value_or(0), packets - 1, "C5");
            const Intervals lost = apart ? Intervals{{0, 0}, {second, second}} : Intervals{{0, 0}};
            NS_TEST_EXPECT_MSG_EQ((probe.window->GetLostPackets() == lost), true, packets);
        }
    }

    /// C13: no later packet reveals a lost tail, so the sender's timers recover it.
    void CheckTail(bool basic)
    {
        Limits limits = OfRate(10, 64, 64);
        VrpWindowProbe tail(limits, basic);
        tail.OnPacket(Row(0, 6));
        NS_TEST_EXPECT_MSG_EQ(tail.window->IsComplete(), false, "6 to 9 may be lost, undecided");
        NS_TEST_EXPECT_MSG_EQ(tail.window->GetAcceptedLosses(), 0, "nothing judged");
        tail.OnPacket({9});
        NS_TEST_EXPECT_MSG_EQ(tail.window->IsComplete(), true, "the last one opens the gap");
        NS_TEST_EXPECT_MSG_EQ(tail.GetState(), "rrrrrraaar wait 10 next 10 loss 3", "accepted now");
        NS_TEST_EXPECT_MSG_EQ((tail.window->GetLostPackets() == Intervals{{6, 8}}), true, "merged");

        limits.maxBurst = 2;
        VrpWindowProbe demanded(limits, basic);
        demanded.OnPacket(Row(0, 6));
        demanded.OnPacket({9});
        NS_TEST_EXPECT_MSG_EQ(demanded.GetState(),
                              "rrrrrraawr wait 8 next 10 loss 2",
                              "or demanded");
        demanded.OnPacket({8});
        NS_TEST_EXPECT_MSG_EQ(demanded.window->IsComplete(), true, "and complete with it");
        NS_TEST_EXPECT_MSG_EQ((demanded.window->GetLostPackets() == Intervals{{6, 7}}), true, "2");
    }
};

LFN_CASE_FROM(VrpLateLossTestCase, VrpWindowTestCase)
{
    Limits limits = OfRate(40, 6, 1);
    VrpWindowProbe inside(limits);
    inside.OnPacket({0, 1, 3});
    Expect(inside,
           {2},
           "store single 2 ack 3 : rrrr wait 4 next 4 loss 0",
           "taken anyway, and the counters updated");
    NS_TEST_EXPECT_MSG_EQ(inside.window->GetAcceptedLosses(), 0, "none any more");
    Expect(inside, {2}, "duplicate single 2 ack 3 : rrrr wait 4 next 4 loss 0", "once only");
    Expect(inside,
           {5},
           "store accept 4 single 5 ack 5 : rrrrar wait 6 next 6 loss 1",
           "there is room for another loss");

    // 2 is the oldest packet in the window of 6 before next_exp = 8, and outside of it at 9.
    VrpWindowProbe oldest(limits);
    oldest.OnPacket({0, 1});
    oldest.OnPacket(Row(3, 8));
    Expect(oldest, {2}, "store single 2 ack 7 : rrrrrrrr wait 8 next 8 loss 0", "just inside");
    VrpWindowProbe gone(limits);
    gone.OnPacket({0, 1});
    gone.OnPacket(Row(3, 9));
    gone.OnPacket({10});
    Expect(gone,
           {2},
           "store single 2 ack 10 : rrrrrrrrrar wait 11 next 11 loss 1",
           "outside the window loss_cnt is another packet's");
    NS_TEST_EXPECT_MSG_EQ(gone.window->GetAcceptedLosses(), 1, "9 alone");

    // Above wait_point: an accepted loss behind a packet that is awaited.
    VrpWindowProbe above(OfBurst(40, 1));
    above.OnPacket({0, 4});
    NS_TEST_EXPECT_MSG_EQ(above.GetState(), "rawar wait 2 next 5 loss 2", "1 and 3 accepted");
    Expect(above, {3}, "store single 3 ack 1 : rawrr wait 2 next 5 loss 1", "3 comes");

    limits.takeLateLoss = false;
    VrpWindowProbe refuse(limits);
    refuse.OnPacket({0, 1, 3});
    Expect(refuse, {2}, "duplicate single 2 ack 3 : rrar wait 4 next 4 loss 1", "left out");
    NS_TEST_EXPECT_MSG_EQ(refuse.window->GetAcceptedLosses(), 1, "it stays lost");

    VrpWindowProbe complete(OfRate(4, 6, 1));
    complete.OnPacket({0, 1, 3});
    NS_TEST_EXPECT_MSG_EQ(complete.window->IsComplete(), true, "delivered without it");
    Expect(complete,
           {2},
           "duplicate single 2 ack 3 : rrar wait 4 next 4 loss 1",
           "what has been delivered does not change");
    NS_TEST_EXPECT_MSG_EQ((complete.window->GetLostPackets() == Intervals{{2, 2}}), true, "2");
}

/** @brief Switches: C6, SINGLE_ACKs of repeats; critical packets, bursts of 0, maxGap. */
LFN_CASE_FROM(VrpSwitchesTestCase, VrpWindowTestCase)
{
    // V4: within the limits, but required.
    Limits limits = OfRate(20, 64, 64);
    limits.critical = {{0, 0}, {4, 5}, {9, 30}};
    VrpWindowProbe critical(limits);
    Expect(critical, {1}, "store nack 0 single 1 : wr wait 0 next 2 loss 0", "V4");
    Expect(critical,
           {12},
           "store nack 4 5 9 10 11 accept 2 3 6 7 8 single 12 : "
           "wraawwaaawwwr wait 0 next 13 loss 5",
           "both ends are included");
    std::string required;
    for (uint32_t i = 0; i < 20; ++i)
    {
        required += critical.window->IsRequired(i) ? '!' : '.';
    }
    NS_TEST_EXPECT_MSG_EQ(required, "!...!!...!!!!!!!!!!!", "asked in order");
    NS_TEST_EXPECT_MSG_EQ(critical.window->IsRequired(5), true, "and out of it");
    NS_TEST_EXPECT_MSG_EQ(critical.window->IsRequired(3), false, "and out of it");
    // A required packet ends a burst: it has to arrive.
    limits.maxBurst = 2;
    VrpWindowProbe broken(limits);
    broken.OnPacket({0, 1, 9});
    NS_TEST_EXPECT_MSG_EQ(broken.GetState(), "rraawwaawr wait 4 next 10 loss 4", "8 is third");

    for (const auto& none : {OfBurst(20, 0), OfRate(20, 64, 0)})
    {
        VrpWindowProbe reliable(none);
        reliable.OnPacket({0, 4});
        NS_TEST_EXPECT_MSG_EQ(reliable.GetState(), "rwwwr wait 1 next 5 loss 0", "no loss");
    }

    Limits quiet = OfBurst(20, 1);
    quiet.ackAcceptedLoss = false;
    VrpWindowProbe c6(quiet);
    Expect(c6,
           {0, 4},
           "store nack 2 single 4 ack 1 : rawar wait 2 next 5 loss 2",
           "C6: accepted losses are not acknowledged one by one");
    quiet.ackAcceptedLoss = true;
    quiet.ackRepeats = false;
    VrpWindowProbe once(quiet);
    Expect(once,
           {0, 4},
           "store nack 2 accept 1 3 single 4 ack 1 : rawar wait 2 next 5 loss 2",
           "the first time");
    Expect(once,
           {4},
           "duplicate ack 1 : rawar wait 2 next 5 loss 2",
           "what arrives twice is not acknowledged on its own");
    Expect(once, {2}, "store ack 4 : rarar wait 5 next 5 loss 2", "nor what was demanded");

    Limits gap = OfRate(1000, 64, 64);
    gap.maxGap = 10;
    VrpWindowProbe far(gap);
    Expect(far, {0, 12}, "outside ack 0 : r wait 1 next 1 loss 0", "1 + 11");
    const uint64_t small = far.window->GetMemory();
    Expect(far,
           {11},
           "store accept 1 2 3 4 5 6 7 8 9 10 single 11 ack 11 : raaaaaaaaaar wait 12 next 12 "
           "loss 10",
           "1 + 10");
    for (const uint32_t packet : {1000U, 0xffffffffU})
    {
        Expect(far,
               {packet},
               "outside ack 11 : raaaaaaaaaar wait 12 next 12 loss 10",
               "no such packet");
    }
    NS_TEST_EXPECT_MSG_LT_OR_EQ(small, 64, "a cell per packet, not the frame that is announced");
    NS_TEST_EXPECT_MSG_EQ(far.window->IsReceived(999), false, "a packet without a cell");
    NS_TEST_EXPECT_MSG_EQ(far.window->IsValid(999), false, "a packet without a cell");
    NS_TEST_EXPECT_MSG_EQ(far.window->IsWaiting(999), false, "a packet without a cell");
    NS_TEST_EXPECT_MSG_EQ(far.window->IsReceived(0xffffffff), false, "no packet at all");
}

const Suite g_suite("lfn-vrp-core", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new VrpExamplesTestCase("section 2.3.5: both examples, state by state"));
    suite.Add(new VrpFrameEndsTestCase("frames of 0, 1, 64 and 65 packets; lost tails"));
    suite.Add(new VrpLateLossTestCase("accepted losses that come late"));
    suite.Add(new VrpSwitchesTestCase(
        "required packets, no loss at all, acknowledgement switches, gaps"));
});

} // namespace
