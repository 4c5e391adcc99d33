// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-outgoing.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using State = VrpFrameState;

/** @brief Option CombineSmall: packet 0 rides with the frame header. */
LFN_CASE_FROM(VrpDataWithHeaderTestCase, VrpOutgoingTestCase)
{
    auto settings = OfPackets(1);
    settings.dataWithHeader = true;
    OutgoingProbe small(settings);
    Expect(small, 0, "H", "both in one");
    small.now = 120;
    small.frame.OnFrameOk(small.Now());
    small.Single(0);
    small.Ack(0);
    ExpectEnd(small, State::DONE, "after one RTT");

    OutgoingProbe lost(settings);
    lost.At(0);
    Expect(lost, 300, "H*", "both again");
    lost.now = 400;
    lost.frame.OnFrameOk(lost.Now());
    lost.Single(0);
    NS_TEST_EXPECT_MSG_EQ(lost.rtt->GetNSamples(), 1, "Karn");
    ExpectEnd(lost, State::DONE, "in the end");

    // FRAME_OK alone: packet 0 is still to be acknowledged, and has a timer of its own.
    OutgoingProbe alone(settings);
    alone.At(0);
    alone.now = 100;
    alone.frame.OnFrameOk(alone.Now());
    ExpectState(alone, State::SEND, "half of it");
    bool sent = false;
    for (int i = 0; i < 10 && !sent; ++i)
    {
        sent = !alone.At(std::max(alone.Deadline(), alone.now)).empty();
    }
    NS_TEST_EXPECT_MSG_EQ(sent, true, "packet 0 again");
    NS_TEST_EXPECT_MSG_LT(alone.now, 2000, "soon");
    alone.Ack(0);
    ExpectEnd(alone, State::DONE, "acknowledged");

    auto more = OfPackets(10);
    more.dataWithHeader = true;
    OutgoingProbe big(more);
    Expect(big, 0, "H", "the first");
    big.now = 100;
    big.frame.OnFrameOk(big.Now());
    big.Single(0);
    big.Ack(0);
    Expect(big, 100, "1 2 3 4", "0 has gone with the header");
    big.Ack(9);
    big.Ack(4);
    Expect(big, 101, "5 6 7 8", "and so on");

    auto none = OfPackets(0);
    none.dataWithHeader = true;
    OutgoingProbe empty(none);
    Expect(empty, 0, "H", "no packet 0");
    empty.frame.OnFrameOk(empty.Now());
    ExpectEnd(empty, State::DONE, "nothing to wait for");
    NS_TEST_EXPECT_MSG_EQ(empty.frame.GetCounters().dataPackets, 0, "no data");
}

/** @brief Anything in any order: a second bookkeeping says what may be sent. */
class VrpOutgoingFuzzTestCase : public VrpOutgoingTestCase
{
    using VrpOutgoingTestCase::VrpOutgoingTestCase;

    void DoRun() override
    {
        Simulator::Run(); // from here on, Time values are no longer registered
        std::mt19937 random(5);
        for (int frame = 0; frame < 2000 && !IsStatusFailure(); ++frame)
        {
            const uint32_t packets = 1 + random() % 40;
            auto settings = OfPackets(packets);
            settings.windowSize = 1U << (random() % 6);
            settings.frameTimeout = Seconds(100000);
            settings.dataWithHeader = random() % 4 == 0;
            OutgoingProbe probe(settings);
            probe.rtt->SetAttribute("MaxRto", TimeValue(Seconds(1)));
            std::set<uint32_t> sent;
            std::set<uint32_t> acked;
            for (int i = 0; i < 150 && !probe.frame.IsEnded(); ++i)
            {
                Drain(probe, settings, sent, acked, frame);
                for (auto times = random() % 3; times > 0; --times)
                {
                    Disturb(probe, random, sent, acked, packets, settings.dataWithHeader);
                }
            }
            Drain(probe, settings, sent, acked, frame);
            Finish(probe, settings, sent, acked, frame);
        }
    }

    /// Let something happen to a frame of a number of packets; what it acknowledges goes to a set.
    static void Disturb(OutgoingProbe& probe,
                        std::mt19937& random,
                        const std::set<uint32_t>& sent,
                        std::set<uint32_t>& acked,
                        uint32_t packets,
                        bool withHeader)
    {
        const uint32_t packet = random() % (packets + 2);
        // What rides with the header may be acknowledged without a FRAME_OK.
        const bool rides = withHeader && packet == 0 && !probe.frame.IsEnded();
        const bool sending = rides || probe.frame.GetState() == State::SEND;
        switch (random() % 8)
        {
        case 0:
            probe.frame.OnFrameOk(probe.Now());
            break;
        case 1:
            if (!probe.frame.IsEnded())
            {
                // Deadlines hold once Next() has been asked; without, only the life may be left.
                probe.now = std::clamp(probe.Deadline(), probe.now, probe.now + 1000);
            }
            break;
        case 2:
        case 3:
            probe.now += random() % 200;
            break;
        case 4:
            probe.Nack(packet);
            break;
        case 5:
        case 6:
            probe.Single(packet, random() % 3 == 0);
            if (sending && sent.contains(packet))
            {
                acked.insert(packet);
            }
            break;
        default:
            // ACKs of what has not been sent are left to other tests.
            if (sending && sent.contains(packet))
            {
                probe.Ack(packet);
                for (uint32_t i = 0; i <= packet; ++i)
                {
                    acked.insert(i);
                }
            }
        }
    }

    /// Send what is to be sent, check it, and add it to the set of what was sent.
    void Drain(OutgoingProbe& probe,
               const VrpOutgoingFrame::Settings& settings,
               std::set<uint32_t>& sent,
               const std::set<uint32_t>& acked,
               int number)
    {
        const uint32_t packets = settings.header.GetPackets();
        uint32_t lowest = 0;
        while (acked.contains(lowest))
        {
            ++lowest;
        }
        NS_TEST_ASSERT_MSG_EQ(probe.frame.GetAckExpected(), lowest, "frame " << number);
        NS_TEST_ASSERT_MSG_EQ((probe.frame.GetState() == State::DONE),
                              (lowest == packets),
                              "frame " << number);
        int burst = 0;
        while (const auto step = IsStatusFailure() ? std::nullopt : probe.frame.Next(probe.Now()))
        {
            NS_TEST_ASSERT_MSG_LT(++burst, 200, "frame " << number << " does not come to rest");
            if (step->header)
            {
                NS_TEST_ASSERT_MSG_EQ((probe.frame.GetState() == State::HEADER_SENT),
                                      true,
                                      "a header late");
                if (settings.dataWithHeader)
                {
                    sent.insert(0);
                }
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(acked.contains(step->packet), false, "sent redundant");
            NS_TEST_ASSERT_MSG_EQ(sent.contains(step->packet), step->repeat, "frame " << number);
            NS_TEST_ASSERT_MSG_LT(step->packet,
                                  std::min(packets, lowest + settings.windowSize),
                                  "frame " << number);
            sent.insert(step->packet);
        }
        if (!probe.frame.IsEnded())
        {
            NS_TEST_ASSERT_MSG_GT(probe.frame.GetDeadline(), probe.Now(), "frame " << number);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(probe.frame.GetDeadline(),
                                        probe.Now() + Seconds(1),
                                        "a timer runs");
        }
        if (probe.frame.GetState() == State::SEND)
        {
            NS_TEST_ASSERT_MSG_EQ(probe.frame.GetNextToSend(),
                                  std::min(packets, lowest + settings.windowSize),
                                  "the window is used up");
        }
    }

    /// Nothing is received for a while, then everything is acknowledged: no packet is forgotten.
    void Finish(OutgoingProbe& probe,
                const VrpOutgoingFrame::Settings& settings,
                std::set<uint32_t>& sent,
                std::set<uint32_t>& acked,
                int number)
    {
        if (probe.frame.GetState() == State::HEADER_SENT)
        {
            probe.frame.OnFrameOk(probe.Now());
            Drain(probe, settings, sent, acked, number);
        }
        std::map<uint32_t, int> again;
        const int64_t end = probe.now + 2100; // two timeouts
        while (!probe.frame.IsEnded() && probe.Deadline() < end && !IsStatusFailure())
        {
            probe.now = std::max(probe.now, probe.Deadline());
            while (const auto step = probe.frame.Next(probe.Now()))
            {
                ++again[step->packet];
            }
            ++probe.now;
        }
        for (auto packet = probe.frame.GetAckExpected(); packet < probe.frame.GetNextToSend();
             ++packet)
        {
            NS_TEST_ASSERT_MSG_EQ((again[packet] > 0),
                                  !acked.contains(packet),
                                  "frame " << number << ", packet " << packet);
        }
        while (!probe.frame.IsEnded() && !IsStatusFailure())
        {
            const auto last = probe.frame.GetNextToSend() - 1;
            probe.Ack(last);
            for (uint32_t i = 0; i <= last; ++i)
            {
                acked.insert(i);
            }
            Drain(probe, settings, sent, acked, number);
        }
        NS_TEST_ASSERT_MSG_EQ((probe.frame.GetState() == State::DONE), true, "frame " << number);
        NS_TEST_ASSERT_MSG_EQ(probe.frame.GetCounters().dataPackets -
                                  probe.frame.GetCounters().retransmissions,
                              settings.header.GetPackets(),
                              "each packet was new once");
    }
};

const Suite g_suite("lfn-vrp-outgoing-fuzz", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new VrpDataWithHeaderTestCase("packet 0 with the frame header"));
    suite.Add(
        new VrpOutgoingFuzzTestCase("anything in any order: never stuck, never out of the window"));
});

} // namespace
