// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-flow.h"

#include "ns3/udt-blast-control.h"
#include "ns3/udt-estimates.h"
#include "ns3/udt-native-control.h"
#include "ns3/udt-sender-core.h"
#include "ns3/udt-variant.h"

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

// The variant Srt: what SRT in file mode does otherwise than UDT4.

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Get the settings of a variant. */
UdtSettings
GetVariant(UdtVariant variant)
{
    UdtSettings settings;
    ApplyUdtVariant(variant, settings);
    return settings;
}

/** @brief Make a control of SRT that has left slow start with P = 1e6 / R. */
UdtNativeControl
MakeControl(UdtPathState& path, uint32_t rate)
{
    UdtNativeControl control(GetVariant(UdtVariant::SRT).control, []() { return 1.0; });
    path.arrivalRate = rate;
    control.OnTimeout(path);
    return control;
}

/** @brief A NAK decreases the rate from 2 % of the packets in flight on. */
LFN_CASE(ToleranceCase)
{
    UdtPathState path;
    path.rttUs = 100000; // 800 packets of 125 us
    auto control = MakeControl(path, 8000);
    NS_TEST_ASSERT_MSG_EQ(control.GetPeriod(), 125, "start");
    path.largestSent = 1000;
    path.lost = 15;
    control.OnLoss(900, path);
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 125, "15 of 800");
    NS_TEST_EXPECT_MSG_EQ(control.GetAverageNaks(), 0, "no period of congestion");
    path.capacity = 8333;
    control.OnAck(Seconds(1), 1, path);
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 125, "no increase after it");
    path.lost = 16;
    control.OnLoss(901, path);
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 129, "16 of 800: ceil(1.03 * 125)");
    path.rttUs = 100;
    path.lost = 1000;
    path.largestSent = 3000;
    control.OnLoss(2000, path);
    NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), 129, "nothing in flight");
}

/** @brief Decreases by 3 %, rounded up to whole microseconds. */
LFN_CASE(SrtDecreaseCase)
{
    UdtPathState path;
    path.lost = 1000000;
    for (const auto& [rate, periods] :
         {std::pair<uint32_t, std::vector<double>>{8000, {129, 133, 137}},
          std::pair<uint32_t, std::vector<double>>{80000, {13, 14, 15}},
          std::pair<uint32_t, std::vector<double>>{800000, {2, 3, 4}}})
    {
        auto control = MakeControl(path, rate);
        for (const double period : periods)
        {
            path.largestSent += 100;
            control.OnLoss(path.largestSent, path);
            NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), period, rate << " packets/s");
        }
    }
    uint32_t average = 0;
    for (const auto& [naks, expected] :
         {std::pair<uint32_t, uint32_t>{1, 1}, {5, 2}, {5, 3}, {5, 4}, {5, 5}})
    {
        average = UdtNativeControl::UpdateAverageNaks(average, naks, 0.03);
        NS_TEST_EXPECT_MSG_EQ(average, expected, naks << " NAKs");
    }
}

/** @brief The capacity counts up to twice the rate at the last loss. */
LFN_CASE(LossRateCapCase)
{
    UdtPathState path;
    auto control = MakeControl(path, 8000);
    path.capacity = 83333;
    path.lost = 1000000;
    path.largestSent = 100;
    control.OnLoss(100, path);
    NS_TEST_ASSERT_MSG_EQ(control.GetPeriod(), 129, "decreased");
    control.OnAck(Seconds(1), 1, path);
    // B = min(16000 - 7751, 16000 / 9): 0.1 packets; of L alone it were 1 packet.
    control.OnAck(Seconds(1.02), 2, path);
    NS_TEST_EXPECT_MSG_EQ_TOL(control.GetPeriod(), 1290000 / 10012.9, 1e-9, "0.1 per SYN");
    // Without free capacity by 1/MSS.
    path.capacity = 1000;
    const double before = control.GetPeriod();
    control.OnAck(Seconds(1.04), 3, path);
    NS_TEST_EXPECT_MSG_EQ_TOL(control.GetPeriod(),
                              before * 10000 / (before / 1500 + 10000),
                              1e-9,
                              "1/MSS per SYN");
}

/** @brief The NAK that ends slow start counts as every other one. */
LFN_CASE(SlowStartLossCase)
{
    for (const auto& [variant, lost, period] :
         {std::tuple<UdtVariant, int64_t, double>{UdtVariant::SRT, 3, 125},
          {UdtVariant::SRT, 4, 129},
          {UdtVariant::UDT4, 4, 125}})
    {
        UdtNativeControl control(GetVariant(variant).control);
        UdtPathState path;
        path.arrivalRate = 8000;
        path.rttUs = 20000; // 160 packets
        path.largestSent = 500;
        path.lost = lost;
        control.OnLoss(400, path);
        NS_TEST_EXPECT_MSG_EQ(control.GetPeriod(), period, lost << " lost");
    }
}

/** @brief Rates of intervals, pairs, and the round-trip time. */
LFN_CASE(SrtEstimatesCase)
{
    const auto measure = [](UdtFilter filter, int64_t first, int64_t second) {
        UdtArrivalRate rate(16, filter, MicroSeconds(1));
        Time now = Seconds(1);
        rate.OnPacket(now);
        for (uint32_t i = 0; i < 16; ++i)
        {
            now += MicroSeconds(i < 8 ? first : second);
            rate.OnPacket(now);
        }
        return rate.GetRate();
    };
    NS_TEST_EXPECT_MSG_EQ(measure(UdtFilter::SRT, 120, 121), 8299, "120.5 us");
    NS_TEST_EXPECT_MSG_EQ(measure(UdtFilter::UDT4, 120, 121), 8334, "120 us");
    NS_TEST_EXPECT_MSG_EQ(measure(UdtFilter::SRT, 100, 1000), 0, "the larger one: only 8 near");
    NS_TEST_EXPECT_MSG_EQ(measure(UdtFilter::EXACT, 100, 1000), 1819, "550 us");

    for (const bool isStrict : {true, false})
    {
        UdtCapacity capacity(4, UdtFilter::SRT, MicroSeconds(1), isStrict);
        Time now = Seconds(1);
        uint32_t sequence = 0;
        const auto pair = [&](int64_t us, const UdtCapacity::Sample& second) {
            capacity.OnPacket({sequence}, now);
            capacity.OnPacket(second, now + MicroSeconds(us));
            sequence += 16;
            now += MilliSeconds(1);
        };
        for (uint32_t i = 0; i < 4; ++i)
        {
            pair(120, {sequence + 1});
        }
        NS_TEST_EXPECT_MSG_EQ(capacity.GetRate(), 8334, "120 us");
        for (uint32_t i = 0; i < 4; ++i)
        {
            pair(300, {sequence + 1, false}); // a retransmission
            pair(300, {sequence + 33});       // of a later pair
            capacity.OnPacket({sequence}, now - MicroSeconds(1));
            capacity.OnPacket({sequence, false}, now);
            capacity.OnPacket({sequence + 1}, now + MicroSeconds(300));
            sequence += 16;
        }
        NS_TEST_EXPECT_MSG_EQ(capacity.GetRate(), isStrict ? 8334 : 3334, "no pairs");
        for (uint32_t i = 0; i < 4; ++i)
        {
            pair(30, {sequence + 1, true, 0.5});
        }
        NS_TEST_EXPECT_MSG_EQ(capacity.GetRate(), isStrict ? 16667 : 33334, "half a packet");
    }

    UdtRttEstimator rtt(true);
    NS_TEST_EXPECT_MSG_EQ(rtt.GetRtt(), 100000, "start");
    rtt.OnSample(20048);
    NS_TEST_EXPECT_MSG_EQ(rtt.GetRtt(), 20048, "first");
    NS_TEST_EXPECT_MSG_EQ(rtt.GetVariation(), 10024, "first");
    rtt.OnSample(20848);
    NS_TEST_EXPECT_MSG_EQ(rtt.GetRtt(), 20148, "second");
    NS_TEST_EXPECT_MSG_EQ(rtt.GetVariation(), 7718, "second");
}

/** @brief A sender at a constant rate. */
class Sender
{
  public:
    /// A sender of a variant that starts at 1 s.
    Sender(UdtVariant variant, double periodUs, uint32_t sendBuffer = 8192)
    {
        auto settings = GetVariant(variant).sender;
        settings.sendBuffer = sendBuffer;
        UdtHandshake peer;
        peer.window = 8192;
        peer.initialSequence = 0;
        core.Start(settings,
                   std::make_unique<UdtBlastControl>(periodUs),
                   peer,
                   1000000,
                   Seconds(1));
    }

    /// Send at a time after the start, us. Returns when the next one is due, us; -1 for never.
    int64_t Send(int64_t us)
    {
        core.Send(At(us));
        return GetNext();
    }

    /// When the next one is due, us after the start; -1 for never.
    int64_t GetNext() const
    {
        const auto next = core.GetNextDeparture();
        return next ? (*next - Seconds(1)).GetMicroSeconds() : -1;
    }

    /// A time after the start.
    static Time At(int64_t us)
    {
        return Seconds(1) + MicroSeconds(us);
    }

    UdtSenderCore core; //!< the engine
};

/** @brief The mean rate is kept, in whole microseconds, and a NAK does not disturb it. */
LFN_CASE(PacingCase)
{
    Sender srt(UdtVariant::SRT, 100.9);
    NS_TEST_EXPECT_MSG_EQ(srt.Send(0), 0, "a pair");
    NS_TEST_EXPECT_MSG_EQ(srt.Send(0), 200, "and the time that it took");
    NS_TEST_EXPECT_MSG_EQ(srt.Send(200), 300, "whole microseconds");
    NS_TEST_EXPECT_MSG_EQ(srt.Send(350), 400, "after a late one");
    for (const int64_t next : {700, 700, 700, 800})
    {
        NS_TEST_EXPECT_MSG_EQ(srt.Send(700), next, "after a very late one");
    }
    srt.core.OnPacket(Sender::At(750), UdtNak{{{2, 2}}, 0});
    NS_TEST_EXPECT_MSG_EQ(srt.GetNext(), 800, "after a NAK");

    Sender udt4(UdtVariant::UDT4, 100.9);
    udt4.Send(0);
    NS_TEST_EXPECT_MSG_EQ(udt4.Send(0), 100, "UDT4 exceeds the rate by the pair");
    NS_TEST_EXPECT_MSG_EQ(udt4.Send(350), 450, "and does not catch up");
    udt4.core.OnPacket(Sender::At(400), UdtNak{{{1, 1}}, 0});
    NS_TEST_EXPECT_MSG_EQ(udt4.GetNext(), 400, "and sends at once after a NAK");
}

/** @brief Light ACKs, rates of 0, and ACK2. */
LFN_CASE(SrtAckCase)
{
    for (const auto variant : {UdtVariant::SRT, UdtVariant::UDT4})
    {
        const bool isSrt = variant == UdtVariant::SRT;
        Sender sender(variant, 100, 4);
        int64_t now = 0;
        for (; sender.GetNext() >= 0; now += 200)
        {
            sender.Send(now);
        }
        NS_TEST_ASSERT_MSG_EQ(sender.core.GetCounters().packets, 4, "the buffer is full");
        UdtAck light;
        light.next = 2;
        sender.core.OnPacket(Sender::At(now), light);
        NS_TEST_EXPECT_MSG_EQ(sender.GetNext(), isSrt ? now : -1, "a light ACK");
        const auto ack = [&](uint32_t number, uint32_t next, int64_t us, uint32_t rate) {
            sender.core.TakeReplies();
            sender.core.OnPacket(Sender::At(us),
                                 UdtAck{number,
                                        next,
                                        UdtAck::Path{20000, 10000, 8192},
                                        UdtAck::Rates{rate, rate},
                                        0});
            return sender.core.TakeReplies().size();
        };
        NS_TEST_EXPECT_MSG_EQ(ack(1, 3, 20000, 8000), 1, "the first ACK");
        NS_TEST_EXPECT_MSG_EQ(sender.core.GetPath().capacity, 1000, "smoothed");
        NS_TEST_EXPECT_MSG_EQ(ack(2, 3, 29000, 0), isSrt ? 0 : 1, "9 ms later");
        NS_TEST_EXPECT_MSG_EQ(ack(1, 3, 29500, 0), 1, "a number that repeats");
        NS_TEST_EXPECT_MSG_EQ(ack(3, 4, 40000, 0), 1, "more than 10 ms later");
        NS_TEST_EXPECT_MSG_EQ(sender.core.GetPath().capacity, isSrt ? 875 : 1000, "a rate of 0");
    }
}

/** @brief The timer from the last ACK on, and when the peer is dead. */
LFN_CASE(SrtTimersCase)
{
    const auto run = [](UdtVariant variant, std::vector<int64_t>& expirations) {
        Sender sender(variant, 1000);
        sender.Send(0);
        sender.Send(0);
        for (int64_t ms = 1; ms < 100000; ++ms)
        {
            const auto before = sender.core.GetCounters().expirations;
            if (!sender.core.OnCheck(Sender::At(1000 * ms)))
            {
                return ms;
            }
            if (sender.core.GetCounters().expirations > before)
            {
                expirations.push_back(ms);
            }
        }
        return int64_t{0};
    };
    std::vector<int64_t> srt;
    // RTT + 4 RTTVar is 300 ms: 17 times that and SYN.
    NS_TEST_EXPECT_MSG_EQ(run(UdtVariant::SRT, srt), 5110, "dead");
    NS_TEST_ASSERT_MSG_EQ((srt.size() > 2), true, "expirations");
    NS_TEST_EXPECT_MSG_EQ(srt[0], 330, "320 ms and SYN");
    NS_TEST_EXPECT_MSG_EQ(srt[1], 650, "twice 320 ms and SYN");
    NS_TEST_EXPECT_MSG_EQ(srt[2], 970, "three times");
    std::vector<int64_t> udt4;
    NS_TEST_EXPECT_MSG_GT(run(UdtVariant::UDT4, udt4), 45000, "UDT4 waits for 0.3 (1 + .. + 17) s");
    NS_TEST_EXPECT_MSG_EQ(udt4[0], 310, "300 ms and SYN");
    NS_TEST_EXPECT_MSG_EQ(udt4[1], 920, "and twice that");
}

/** @brief Whole transfers: SRT bears few random losses; UDT4 does not. */
LFN_CASE(SrtTransferCase)
{
    const auto run = [&](UdtVariant variant, double loss) {
        UdtTestTransfer::Settings settings;
        settings.variant = variant;
        settings.bytes = 20000000;
        ApplyUdtVariant(variant, settings.udt);
        if (loss > 0)
        {
            settings.path.isLost = UdtTestLosses(1, loss);
        }
        UdtTestTransfer transfer(std::move(settings));
        transfer.Run();
        NS_TEST_EXPECT_MSG_EQ(transfer.Get().m_sender.IsComplete(), true, "complete");
        NS_TEST_EXPECT_MSG_EQ(transfer.Get().m_counters.deliveredBytes, 20000000, "delivered");
        return transfer.GetGoodput();
    };
    NS_TEST_EXPECT_MSG_GT(run(UdtVariant::SRT, 0), 60, "without losses");
    NS_TEST_EXPECT_MSG_GT(run(UdtVariant::SRT, 0.001),
                          1.5 * run(UdtVariant::UDT4, 0.001),
                          "losses of 0.1 %");
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-srt", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new ToleranceCase("few losses"));
    suite.Add(new SrtDecreaseCase("decrease"));
    suite.Add(new LossRateCapCase("capacity after a loss"));
    suite.Add(new SlowStartLossCase("losses in slow start"));
    suite.Add(new SrtEstimatesCase("estimates"));
    suite.Add(new PacingCase("pacing"));
    suite.Add(new SrtAckCase("acknowledgements"));
    suite.Add(new SrtTimersCase("timers"));
    suite.Add(new SrtTransferCase("transfers"));
});

} // namespace
