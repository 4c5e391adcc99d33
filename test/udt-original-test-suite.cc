// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-flow.h"

#include "ns3/udt-blast-control.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What the original program did. */
struct Measured
{
    double goodput;              //!< Mb/s
    uint64_t packets;            //!< data packets sent
    uint64_t retransmitted;      //!< of these, sent before
    uint64_t naks;               //!< loss reports
    uint64_t lost;               //!< packets in them
    uint64_t acks;               //!< acknowledgements with rates
    uint64_t lightAcks;          //!< light ones
    std::vector<double> periods; //!< P after each second, us
};

using Settings = UdtTestTransfer::Settings;

/** @brief A transfer over a path without random losses, against the original (repetition 1). */
LFN_CASE_OF(OriginalCase, std::function<void(Settings&)> prepare, Measured measured)
{
    Settings settings;
    settings.window = 512;
    prepare(settings);
    UdtTestTransfer transfer(std::move(settings));
    transfer.Run();
    const auto& flow = transfer.Get();
    const auto& sent = flow.m_sender.GetCounters();
    const auto& received = flow.m_receiver.GetCounters();
    NS_TEST_EXPECT_MSG_EQ_TOL(transfer.GetGoodput() / measured.goodput, 1, 0.001, "goodput");
    NS_TEST_EXPECT_MSG_EQ(sent.packets, measured.packets, "packets");
    NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, measured.retransmitted, "retransmitted");
    NS_TEST_EXPECT_MSG_EQ(received.naks, measured.naks, "NAKs");
    NS_TEST_EXPECT_MSG_EQ(received.lost, measured.lost, "packets in them");
    NS_TEST_EXPECT_MSG_EQ_TOL(received.acks, measured.acks, 1, "acknowledgements");
    NS_TEST_EXPECT_MSG_EQ_TOL(received.lightAcks, measured.lightAcks, 1, "light ones");
    NS_TEST_ASSERT_MSG_EQ(flow.m_periods.size(), measured.periods.size(), "seconds");
    for (std::size_t i = 0; i < measured.periods.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_periods[i] / measured.periods[i],
                                  1,
                                  0.001,
                                  "period after " << i + 1 << " s");
    }
}

/** @brief A path that goes dead: both ends notice (V12). */
LFN_CASE(DeadCase)
{
    Settings settings;
    settings.bytes = 100000000;
    settings.dead = Seconds(5);
    UdtTestTransfer transfer(std::move(settings));
    auto& flow = transfer.Get();
    uint32_t keepAlives = 0;
    flow.m_onControl = [&](const UdtPacket& packet) {
        const auto* signal = std::get_if<UdtSignal>(&packet);
        keepAlives += signal && signal->type == UdtType::KEEP_ALIVE ? 1 : 0;
    };
    transfer.Run();
    NS_TEST_EXPECT_MSG_EQ(flow.m_isDead, true, "an end gives up");
    NS_TEST_EXPECT_MSG_EQ(keepAlives, 16, "keep-alives");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.GetSpan(), 50.910938, 1e-5, "until it does");
    const auto& sent = flow.m_sender.GetCounters();
    NS_TEST_EXPECT_MSG_EQ(sent.expirations, 16, "EXP");
    NS_TEST_EXPECT_MSG_EQ(sent.packets, 39982, "packets");
    NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, 5310, "retransmitted");
    NS_TEST_EXPECT_MSG_EQ(flow.m_receiver.GetCounters().naks, 14, "NAKs");
}

/** @brief A packet of the set-up is lost: what the original needed (V12). */
LFN_CASE_OF(LostHandshakeCase, std::map<UdtTestFlow::Handshake, uint32_t> lost, uint64_t packets)
{
    Settings settings;
    settings.bytes = 1000000;
    settings.lost = lost;
    UdtTestTransfer transfer(std::move(settings));
    transfer.Run();
    const auto& flow = transfer.Get();
    const double setUp = lost.empty() ? 0.040030 : 0.290130;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_start.GetSeconds(), setUp, 1e-6, "set-up");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.GetSpan(), 0.205816, 1e-6, "transfer");
    NS_TEST_EXPECT_MSG_EQ(flow.m_counters.handshakes, packets, "packets of the set-up");
    NS_TEST_EXPECT_MSG_EQ(flow.m_sender.GetCounters().packets, 687, "data packets");
}

/** @brief UDT3 behind a host that needs 116 us per packet, against the original. */
LFN_CASE_OF(Udt3Case, uint32_t rttMs, std::size_t queue, Measured measured)
{
    Settings settings;
    settings.variant = UdtVariant::UDT3;
    ApplyUdtVariant(UdtVariant::UDT3, settings.udt);
    settings.hostCost = MicroSeconds(116);
    settings.bytes = 50000000;
    settings.rtt = MilliSeconds(rttMs);
    settings.path.queue = queue;
    UdtTestTransfer transfer(std::move(settings));
    transfer.Run();
    const auto& flow = transfer.Get();
    const auto& sent = flow.m_sender.GetCounters();
    NS_TEST_EXPECT_MSG_EQ_TOL(transfer.GetGoodput() / measured.goodput, 1, 0.001, "goodput");
    NS_TEST_EXPECT_MSG_EQ(sent.packets, measured.packets, "packets");
    NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, measured.retransmitted, "retransmitted");
    NS_TEST_EXPECT_MSG_EQ(flow.m_receiver.GetCounters().naks, measured.naks, "NAKs");
    NS_TEST_EXPECT_MSG_EQ(flow.m_receiver.GetCounters().lost, measured.lost, "packets in them");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_receiver.GetCounters().acks,
                              measured.acks,
                              1,
                              "acknowledgements");
    NS_TEST_ASSERT_MSG_EQ((flow.m_periods.size() >= measured.periods.size()), true, "seconds");
    for (std::size_t i = 0; i < measured.periods.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_periods[i], measured.periods[i], 0.001, "after " << i);
    }
}

/**
 * @brief The random losses of the emulator and the sequence number of repetition 1: the same
 *        transfer packet by packet.
 */
LFN_CASE_OF(RandomLossCase, uint32_t rttMs, Measured measured)
{
    Settings settings;
    settings.bytes = 100000000;
    settings.rtt = MilliSeconds(rttMs);
    settings.path.isLost = UdtTestLosses(1, 0.001);
    UdtTestTransfer transfer(std::move(settings));
    transfer.Run();
    const auto& flow = transfer.Get();
    const auto& sent = flow.m_sender.GetCounters();
    const auto& received = flow.m_receiver.GetCounters();
    NS_TEST_EXPECT_MSG_EQ_TOL(transfer.GetGoodput(), measured.goodput, 1e-4, "goodput");
    NS_TEST_EXPECT_MSG_EQ(sent.packets, measured.packets, "packets");
    NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, measured.retransmitted, "retransmitted");
    NS_TEST_EXPECT_MSG_EQ(received.naks, measured.naks, "NAKs");
    NS_TEST_EXPECT_MSG_EQ(received.lost, measured.lost, "packets in them");
    NS_TEST_EXPECT_MSG_EQ(received.acks, measured.acks, "acknowledgements");
    NS_TEST_EXPECT_MSG_EQ(received.lightAcks, measured.lightAcks, "light ones");
}

/** @brief Sequence numbers that wrap in the middle change nothing. */
LFN_CASE(WrapCase)
{
    const auto run = [](uint32_t initial) {
        Settings settings;
        settings.window = 512;
        settings.initial = initial;
        settings.drops = {{3, 1}, {20000, 1}};
        UdtTestTransfer transfer(std::move(settings));
        transfer.Run();
        return std::pair(transfer.Get().m_sender.GetCounters().packets, transfer.Get().GetSpan());
    };
    const auto there = run(0x10000000);
    const auto wraps = run(UDT_SEQUENCES - 5000 * 16);
    NS_TEST_EXPECT_MSG_EQ(there.first, wraps.first, "packets");
    NS_TEST_EXPECT_MSG_EQ_TOL(there.second, wraps.second, 0.01, "time");
    NS_TEST_EXPECT_MSG_EQ(run(UDT_SEQUENCES - 5).first, there.first, "at once");
}

/** @brief Reports about packets never sent, and other nonsense, change nothing (UDT-37, UDT-59). */
LFN_CASE(NonsenseCase)
{
    UdtSenderCore core;
    UdtHandshake peer;
    peer.window = 8192;
    peer.initialSequence = 1000;
    core.Start(UdtSenderCore::Settings(),
               std::make_unique<UdtNativeControl>(UdtNativeControl::Settings()),
               peer,
               1000000,
               Seconds(1));
    while (core.GetNextDeparture())
    {
        core.Send(*core.GetNextDeparture());
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().packets, 16, "the first window");
    const std::vector<UdtPacket> nonsense{
        UdtAck{1, 1017, UdtAck::Path{1, 1, 8192}, {}, 0},
        UdtAck{0, 1017, {}, {}, 0},
        UdtNak{{{1016, 1016}}, 0},
        UdtNak{{{1000, 1016}}, 0},
        UdtNak{{{1000, 1000 + (1U << 30) - 1}}, 0},
        UdtNak{{{1000, 1001}, {5000, 5000}}, 0},
    };
    for (const auto& packet : nonsense)
    {
        NS_TEST_EXPECT_MSG_EQ(core.OnPacket(Seconds(2), packet), false, "refused");
        NS_TEST_EXPECT_MSG_EQ(core.GetNextDeparture().has_value(), false, "nothing leaves");
        NS_TEST_EXPECT_MSG_EQ(core.TakeReplies().size(), 0, "no answer");
    }
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().refused, nonsense.size(), "counted");
    NS_TEST_EXPECT_MSG_EQ(core.IsBroken(), false, "not fatal");
    const UdtAck huge{1,
                      1001,
                      UdtAck::Path{UINT32_MAX, UINT32_MAX, UINT32_MAX},
                      UdtAck::Rates{UINT32_MAX, UINT32_MAX},
                      0};
    NS_TEST_EXPECT_MSG_EQ(core.OnPacket(Seconds(2), huge), true, "numbers of any size");
    NS_TEST_EXPECT_MSG_EQ(core.GetPath().rttUs, (7 * 100000 + 10000000) / 8, "10 s at most");
    NS_TEST_EXPECT_MSG_EQ(core.OnPacket(Seconds(2), UdtNak{{{1001, 1003}}, 0}), true, "a report");
    NS_TEST_EXPECT_MSG_EQ(core.Send(Seconds(2))->header.sequence, 1001, "retransmitted");
}

/** @brief A receiver that does not read stops the sender down to two packets per acknowledgement.
 */
LFN_CASE(FullBufferCase)
{
    UdtHandshake peer;
    UdtReceiverCore::Settings settings;
    settings.buffer = 16;
    UdtReceiverCore core(settings, peer, Time(0));
    UdtData data;
    for (uint32_t i = 0; i < 40; ++i)
    {
        data.sequence = i;
        const auto arrival = core.OnData(MilliSeconds(11 * i), data, 1456);
        NS_TEST_EXPECT_MSG_EQ(arrival.refused.has_value(), (i >= 15), "packet " << i);
        for (const auto& packet : core.TakeReplies())
        {
            if (const auto* ack = std::get_if<UdtAck>(&packet))
            {
                const uint32_t left = 15 - std::min(i + 1, 15U);
                NS_TEST_EXPECT_MSG_EQ(ack->path->buffer, std::max(left, 2U), "at least 2");
            }
        }
    }
    core.SetRead(10);
    data.sequence = 15;
    NS_TEST_EXPECT_MSG_EQ(core.OnData(Seconds(1), data, 1456).refused.has_value(), false, "room");
    data.sequence = 3;
    NS_TEST_EXPECT_MSG_EQ((core.OnData(Seconds(1), data, 1456).refused == DropReason::DUPLICATE),
                          true,
                          "it has it");
    data.sequence = 0x7fffffff;
    NS_TEST_EXPECT_MSG_EQ(core.OnData(Seconds(1), data, 1456).refused.has_value(),
                          true,
                          "before the first");
}

/** @brief Losses are reported again when that is set, and a lost retransmission is recovered. */
LFN_CASE(RepeatNakCase)
{
    const auto run = [](bool isRepeated) {
        Settings settings;
        settings.window = 512;
        settings.drops = {{20000, 2}};
        settings.udt.receiver.repeatNak = isRepeated;
        settings.udt.receiver.nakMinimum = MilliSeconds(10);
        UdtTestTransfer transfer(std::move(settings));
        transfer.Run();
        return transfer.Get().m_sender.GetCounters();
    };
    NS_TEST_EXPECT_MSG_EQ(run(false).expirations, 1, "EXP");
    NS_TEST_EXPECT_MSG_EQ(run(true).expirations, 0, "no EXP");
    NS_TEST_EXPECT_MSG_EQ(run(true).naks, 2, "the second report");
}

/** @brief A constant rate delivers in spite of losses. */
LFN_CASE(BlastTransferCase)
{
    Settings settings;
    settings.otherControl = std::make_unique<UdtBlastControl>(200);
    settings.path.isLost = [count = 0]() mutable { return ++count % 1000 == 0; };
    UdtTestTransfer transfer(std::move(settings));
    transfer.Run();
    NS_TEST_EXPECT_MSG_EQ(transfer.Get().m_sender.IsComplete(), true, "everything is delivered");
    NS_TEST_EXPECT_MSG_GT(transfer.GetGoodput(), 54, "at nearly the rate less losses");
}

const Suite g_suite("lfn-udt-original", TestSuite::Type::UNIT, [](Suite& suite) {
    const auto drop = [](std::map<uint32_t, uint32_t> drops) {
        return [drops](Settings& settings) { settings.drops = drops; };
    };
    std::map<uint32_t, uint32_t> seven;
    std::map<uint32_t, uint32_t> run;
    for (uint32_t i = 0; i < 7; ++i)
    {
        seven[20000 + 10 * i] = 1;
    }
    for (uint32_t i = 0; i < 20; ++i)
    {
        run[20000 + i] = 1;
    }
    const std::vector<double> none{135.666, 131.960, 130.242, 128.584, 126.968};
    const std::vector<double> one{135.666, 131.960, 140.316, 132.454, 130.740};
    suite.Add(new OriginalCase("no loss", drop({}), {91.6594, 40000, 0, 0, 0, 498, 488, none}));
    suite.Add(
        new OriginalCase("one loss", drop({{20000, 1}}), {89.5641, 40001, 1, 1, 1, 508, 498, one}));
    suite.Add(new OriginalCase(
        "seven losses",
        drop(seven),
        {78.8076, 40007, 7, 7, 7, 579, 388, {135.666, 131.960, 219.582, 180.047, 152.809}}));
    suite.Add(
        new OriginalCase("a run of 20", drop(run), {89.5635, 40020, 20, 1, 20, 508, 497, one}));
    suite.Add(new OriginalCase(
        "a loss and its retransmission",
        drop({{20000, 2}}),
        {84.3884, 40137, 137, 1, 1, 508, 500, {135.666, 131.960, 146.912, 133.018, 131.272}}));
    suite.Add(new OriginalCase("the last packet",
                               drop({{39999, 1}}),
                               {84.6559, 40001, 1, 0, 0, 499, 488, none}));
    suite.Add(new OriginalCase(
        "a queue that overflows",
        [](Settings& settings) {
            settings.window = 8192;
            settings.bytes = 100000000;
        },
        {87.9798,
         69816,
         1134,
         14,
         1134,
         883,
         747,
         {200.220, 167.098, 143.379, 132.581, 130.864, 129.190, 127.542, 125.952, 124.401}}));
    suite.Add(new OriginalCase(
        "writes that end with a short packet",
        [](Settings& settings) {
            settings.window = 8192;
            settings.bytes = 100000000;
            settings.udt.sender.writeSize = 100000;
        },
        {84.8955,
         70233,
         1233,
         27,
         1233,
         599,
         842,
         {209.448, 179.712, 154.453, 142.766, 132.829, 131.796, 130.779, 129.778, 128.775}}));
    suite.Add(new DeadCase("a path that goes dead"));
    using Handshake = UdtTestFlow::Handshake;
    suite.Add(new LostHandshakeCase("set-up", {}, 4));
    suite.Add(new LostHandshakeCase("the request is lost", {{Handshake::REQUEST, 1}}, 5));
    suite.Add(new LostHandshakeCase("the cookie is lost", {{Handshake::COOKIE, 1}}, 6));
    suite.Add(new LostHandshakeCase("the answer is lost", {{Handshake::ANSWER, 1}}, 6));
    suite.Add(new Udt3Case("UDT3, RTT 20 ms",
                           20,
                           1000,
                           {95.4702, 34403, 62, 31, 32, 663, 0, {104.4, 104.4, 104.4}}));
    suite.Add(new Udt3Case("UDT3, RTT 100 ms",
                           100,
                           833,
                           {90.0946, 34435, 94, 47, 48, 664, 0, {104.4, 104.4, 104.4}}));
    suite.Add(new RandomLossCase("losses of 0.1 % at 20 ms",
                                 20,
                                 {36.6684, 69451, 769, 70, 769, 2047, 40, {}}));
    suite.Add(new RandomLossCase("losses of 0.1 % at 100 ms",
                                 100,
                                 {28.9161, 68841, 159, 64, 159, 1778, 53, {}}));
    suite.Add(new WrapCase("sequence numbers wrap"));
    suite.Add(new NonsenseCase("nonsense"));
    suite.Add(new FullBufferCase("a receiver that does not read"));
    suite.Add(new RepeatNakCase("losses are reported again"));
    suite.Add(new BlastTransferCase("a constant rate"));
});

} // namespace
