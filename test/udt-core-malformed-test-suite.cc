// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-flow.h"

#include "ns3/udt-blast-control.h"
#include "ns3/udt-message-buffer.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Bytes = std::vector<uint8_t>;
using Random = std::mt19937;

/**
 * @brief Draw a number.
 * @param random random numbers
 * @param below limit
 * @return 0 to below - 1
 */
uint32_t
Draw(Random& random, uint32_t below)
{
    return static_cast<uint32_t>(random() % below);
}

/**
 * @brief Draw a sequence number: near one, or any.
 * @param random random numbers
 * @param near the one
 * @return 31 bits
 */
uint32_t
DrawSequence(Random& random, uint32_t near)
{
    const auto any = static_cast<uint32_t>(random());
    return (Draw(random, 3) > 0 ? near + Draw(random, 300) - 150 : any) % UDT_SEQUENCES;
}

/**
 * @brief Draw the length of a run: short, or up to 2^30.
 * @param random random numbers
 * @return below 2^30
 */
uint32_t
DrawLength(Random& random)
{
    return Draw(random, 4) == 0 ? Draw(random, 1U << 30) : Draw(random, 40);
}

/**
 * @brief Forge a control packet.
 * @param random random numbers
 * @param near sequence number that makes sense
 * @return the packet
 */
UdtPacket
ForgeControl(Random& random, uint32_t near)
{
    const auto any = [&random]() { return static_cast<uint32_t>(random()); };
    switch (Draw(random, 5))
    {
    case 4: {
        const auto first = DrawSequence(random, near);
        const auto last = (first + DrawLength(random)) % UDT_SEQUENCES;
        return UdtDrop{any() % (1U << 29), {first, last}, 0};
    }
    case 0: {
        UdtAck ack;
        ack.next = DrawSequence(random, near);
        if (Draw(random, 2) == 0)
        {
            ack.number = any() % UDT_SEQUENCES;
            ack.path = UdtAck::Path{any(), any(), Draw(random, 2) == 0 ? any() : 100};
        }
        if (ack.path && Draw(random, 2) == 0)
        {
            ack.rates = UdtAck::Rates{any(), any()};
        }
        return ack;
    }
    case 1: {
        UdtNak nak;
        for (uint32_t i = 0; i <= Draw(random, 20); ++i)
        {
            const auto first = DrawSequence(random, near);
            nak.lost.push_back({first, (first + DrawLength(random)) % UDT_SEQUENCES});
        }
        return nak;
    }
    case 2: {
        UdtHandshake handshake;
        handshake.version = Draw(random, 2) == 0 ? UdtHandshake::VERSION : any();
        handshake.mss = any();
        handshake.window = any();
        handshake.request = static_cast<int32_t>(Draw(random, 5)) - 2;
        handshake.cookie = any();
        handshake.initialSequence = DrawSequence(random, near);
        return handshake;
    }
    default:
        return UdtSignal{Draw(random, 2) == 0 ? UdtType::ACK2 : UdtType::MESSAGE_DROP, any(), 0};
    }
}

/** @brief Packets with flipped, missing and additional bytes: read or refused. */
LFN_CASE(MutatedCase)
{
    Random random(7);
    for (uint32_t run = 0; run < 100000; ++run)
    {
        auto bytes = WriteUdtControl(ForgeControl(random, 1000));
        for (uint32_t i = 0; i < Draw(random, 4); ++i)
        {
            bytes[Draw(random, static_cast<uint32_t>(bytes.size()))] ^=
                static_cast<uint8_t>(1U << Draw(random, 8));
        }
        bytes.resize(Draw(random, 4) == 0 ? Draw(random, 100) : bytes.size());
        const auto packet = ReadUdtPacket(bytes);
        const auto* malformed = std::get_if<UdtMalformed>(&packet);
        NS_TEST_ASSERT_MSG_EQ((!malformed || !std::string(malformed->problem).empty()),
                              true,
                              "what is wrong with it");
        const auto written = WriteUdtControl(packet);
        if (!written.empty())
        {
            NS_TEST_ASSERT_MSG_EQ((WriteUdtControl(ReadUdtPacket(written)) == written),
                                  true,
                                  "run " << run);
        }
    }
}

/** @brief A sender under forged packets: sends what it has, remembers what is not acknowledged. */
LFN_CASE(SenderCase)
{
    constexpr uint32_t FIRST = UDT_SEQUENCES - 300; // wraps soon
    constexpr uint64_t BYTES = 5000000;
    uint64_t given = 0;
    for (uint32_t seed = 0; seed < 40; ++seed)
    {
        Random random(seed);
        UdtSenderCore core;
        UdtHandshake peer;
        peer.window = 200;
        peer.initialSequence = FIRST;
        UdtSenderCore::Settings settings;
        settings.messages = seed % 2 == 1;
        settings.writeSize = settings.messages ? 10000 : settings.writeSize;
        settings.timeToLive = MilliSeconds(seed % 2 * 50);
        core.Start(settings,
                   std::make_unique<UdtNativeControl>(UdtNativeControl::Settings()),
                   peer,
                   BYTES,
                   Seconds(1));
        Time now = Seconds(1);
        int64_t sent = 0;
        for (uint32_t step = 0; step < 3000; ++step)
        {
            now += MicroSeconds(Draw(random, 20000));
            const UdtNumbering numbering(FIRST);
            core.OnPacket(now, ForgeControl(random, numbering.GetSequence(sent)));
            NS_TEST_ASSERT_MSG_EQ((core.TakeReplies().size() <= 1), true, "one answer at most");
            if (now >= core.GetNextCheck())
            {
                core.OnCheck(now);
                core.TakeReplies();
            }
            while (core.GetNextDeparture() && *core.GetNextDeparture() <= now)
            {
                const auto departure = core.Send(now);
                for (const auto& reply : core.TakeReplies())
                {
                    const auto& dropped = std::get<UdtDrop>(reply).range;
                    const auto next = numbering.GetIndex(dropped.last, sent) + 1;
                    NS_TEST_ASSERT_MSG_LT_OR_EQ(next, sent + 7, "a message that was begun");
                    sent = std::max(sent, next);
                }
                if (departure)
                {
                    NS_TEST_ASSERT_MSG_EQ(
                        (departure->offset + departure->bytes <= BYTES && departure->bytes > 0),
                        true,
                        "bytes that there are");
                    sent += departure->isRetransmission ? 0 : 1;
                }
            }
            const auto lost = core.GetLost().GetSize();
            const auto intervals = core.GetLost().GetIntervals().size();
            NS_TEST_ASSERT_MSG_EQ((lost >= 0 && lost <= sent), true, "only what was sent");
            NS_TEST_ASSERT_MSG_LT(intervals, 8192U, "the loss list is bounded");
            NS_TEST_ASSERT_MSG_EQ((core.GetPath().rttUs <= 10000000), true, "RTT");
        }
        NS_TEST_EXPECT_MSG_GT(core.GetCounters().refused, 100, "nonsense is counted");
        NS_TEST_EXPECT_MSG_EQ(core.IsBroken(), false, "and not fatal");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(core.GetCounters().lostBytes, BYTES, "given up once");
        given += core.GetCounters().lostMessages;
    }
    NS_TEST_EXPECT_MSG_GT(given, 100, "messages are given up");
}

/** @brief A receiver under forged packets: remembers what fits its buffer, and answers little. */
LFN_CASE(ReceiverCase)
{
    constexpr uint32_t FIRST = UDT_SEQUENCES - 300;
    constexpr uint32_t BUFFER = 256;
    for (uint32_t seed = 0; seed < 40; ++seed)
    {
        Random random(seed);
        UdtHandshake peer;
        peer.initialSequence = FIRST;
        UdtReceiverCore::Settings settings;
        settings.buffer = BUFFER;
        settings.repeatNak = seed % 2 == 1;
        settings.flowControl = seed % 3 == 1;
        UdtReceiverCore core(settings, peer, Seconds(1));
        Time now = Seconds(1);
        const UdtNumbering numbering(FIRST);
        for (uint32_t step = 0; step < 3000; ++step)
        {
            now += MicroSeconds(Draw(random, 3000));
            if (Draw(random, 3) == 0)
            {
                core.OnSignal(now, {UdtType::ACK2, Draw(random, 3000), 0});
            }
            else
            {
                UdtData data;
                data.sequence = DrawSequence(random, numbering.GetSequence(core.GetReadable()));
                const auto arrival = core.OnData(now, data, Draw(random, 1457));
                NS_TEST_ASSERT_MSG_EQ((arrival.refused || arrival.index >= 0),
                                      true,
                                      "a place in the stream");
            }
            core.SetRead(core.GetReadable());
            std::size_t bytes = 0;
            for (const auto& packet : core.TakeReplies())
            {
                bytes += WriteUdtControl(packet).size();
                if (const auto* ack = std::get_if<UdtAck>(&packet); ack && ack->path)
                {
                    NS_TEST_ASSERT_MSG_EQ((ack->path->buffer <= BUFFER), true, "window");
                }
            }
            // A NAK of one range, an ACK, and a repeated NAK that fills a packet at most.
            NS_TEST_ASSERT_MSG_EQ((bytes <= 24 + 40 + 1500), true, "answers are bounded");
            NS_TEST_ASSERT_MSG_LT(core.GetLost().GetSize(), BUFFER, "what fits the buffer");
        }
        NS_TEST_EXPECT_MSG_LT(core.GetReadable(), 3000, "nothing that did not arrive");
    }
}

/** @brief Messages under forged packets and drops: a bounded buffer that loses count of nothing. */
LFN_CASE(MessageCase)
{
    constexpr uint32_t FIRST = UDT_SEQUENCES - 300;
    constexpr uint32_t BUFFER = 256;
    uint64_t delivered = 0;
    uint64_t drops = 0;
    for (uint32_t seed = 0; seed < 40; ++seed)
    {
        Random random(seed);
        UdtHandshake peer;
        peer.initialSequence = FIRST;
        UdtReceiverCore::Settings settings;
        settings.buffer = BUFFER;
        UdtReceiverCore core(settings, peer, Seconds(1));
        UdtMessageBuffer buffer;
        const UdtNumbering numbering(FIRST);
        uint64_t put = 0;
        uint64_t taken = 0;
        Time now = Seconds(1);
        for (uint32_t step = 0; step < 3000; ++step)
        {
            now += MicroSeconds(Draw(random, 3000));
            const auto near = numbering.GetSequence(core.GetReadable());
            if (Draw(random, 20) == 0)
            {
                const auto first = DrawSequence(random, near);
                const auto last = (first + DrawLength(random)) % UDT_SEQUENCES;
                const auto range =
                    Draw(random, 9) == 0
                        ? UdtRange{near, (near + UDT_SEQUENCES / 2 - 1) % UDT_SEQUENCES}
                        : UdtRange{first, last};
                if (const auto gone = core.OnDrop(now, UdtDrop{Draw(random, 9), range, 0}))
                {
                    buffer.Drop(gone->first, gone->second);
                }
            }
            else
            {
                UdtData data;
                data.sequence = DrawSequence(random, near);
                data.message = Draw(random, 9);
                data.isFirst = Draw(random, 2) == 0;
                data.isLast = Draw(random, 2) == 0;
                data.isInOrder = Draw(random, 2) == 0;
                const auto bytes = 1 + Draw(random, 1456);
                const auto arrival = core.OnData(now, data, bytes);
                if (!arrival.refused)
                {
                    buffer.Put(arrival.index, data, bytes);
                    put += bytes;
                }
            }
            while (const auto message = buffer.Take(core.GetReadable()))
            {
                taken += message->bytes;
                ++delivered;
            }
            core.SetRead(buffer.GetNext());
            core.TakeReplies();
            NS_TEST_ASSERT_MSG_EQ(taken + buffer.GetDiscarded() + buffer.GetBytes(),
                                  put,
                                  "delivered, discarded or waiting");
            NS_TEST_ASSERT_MSG_LT_OR_EQ(buffer.GetBytes(), BUFFER * 1456U, "bounded");
            NS_TEST_ASSERT_MSG_LT(core.GetLost().GetSize(), BUFFER, "what fits the buffer");
        }
        drops += core.GetCounters().drops;
    }
    NS_TEST_EXPECT_MSG_GT(delivered, 1000, "messages");
    NS_TEST_EXPECT_MSG_GT(drops, 100, "drops");
}

/** @brief A transfer with nonsense injected at both ends is the transfer without. */
LFN_CASE(InjectedCase)
{
    const auto run = [](bool isInjected) {
        UdtTestTransfer::Settings settings;
        settings.window = 512;
        settings.bytes = 5000000;
        settings.drops = {{1000, 1}};
        auto random = std::make_shared<Random>(3);
        UdtTestTransfer transfer(std::move(settings));
        auto& flow = transfer.Get();
        flow.m_onControl = [&flow, random, isInjected](const UdtPacket&) {
            if (!isInjected)
            {
                return;
            }
            // Never sent by now.
            const uint32_t far = (0x7167a0ba + 100000 + Draw(*random, 1U << 29)) % UDT_SEQUENCES;
            const Time now = Seconds(1);
            flow.m_sender.OnPacket(now, UdtAck{1, far, UdtAck::Path{1, 1, 1}, {}, 0});
            flow.m_sender.OnPacket(now, UdtAck{0, far, {}, {}, 0});
            flow.m_sender.OnPacket(now, UdtNak{{{far, far}}, 0});
            flow.m_sender.OnPacket(now, UdtNak{{{0x7167a0ba, far}}, 0});
        };
        transfer.Run();
        return std::pair(flow.m_sender.GetCounters(), flow.GetSpan());
    };
    const auto clean = run(false);
    const auto dirty = run(true);
    NS_TEST_EXPECT_MSG_GT(dirty.first.refused, 100, "refused");
    NS_TEST_EXPECT_MSG_EQ(clean.first.refused, 0, "nothing to refuse");
    NS_TEST_EXPECT_MSG_EQ(dirty.first.packets, clean.first.packets, "packets");
    NS_TEST_EXPECT_MSG_EQ(dirty.second, clean.second, "time");
}

/** @brief A sender to which only nonsense comes gives up, as after silence. */
LFN_CASE(OnlyNonsenseCase)
{
    UdtSenderCore core;
    UdtHandshake peer;
    peer.window = 8192;
    core.Start(UdtSenderCore::Settings(),
               std::make_unique<UdtBlastControl>(100),
               peer,
               1000000,
               Seconds(1));
    core.Send(Seconds(1));
    Time now = Seconds(1);
    bool isAlive = true;
    while (isAlive && now < Seconds(100))
    {
        now += MilliSeconds(100);
        core.OnPacket(now, UdtNak{{{1000000, 1000000}}, 0});
        isAlive = now < core.GetNextCheck() || core.OnCheck(now);
    }
    NS_TEST_EXPECT_MSG_EQ(isAlive, false, "gives up");
}

/** @brief Forged cookies open nothing, and no request gets more bytes than it has. */
LFN_CASE(ForgedCookieCase)
{
    Random random(11);
    UdtHandshake own;
    own.window = 512;
    const UdtListener server(own, 12345);
    uint64_t asked = 0;
    uint64_t answered = 0;
    for (uint32_t i = 0; i < 100000; ++i)
    {
        UdtHandshake request;
        request.window = 8192;
        request.request =
            Draw(random, 2) == 0 ? UdtHandshake::ANSWER : static_cast<int32_t>(Draw(random, 5)) - 2;
        request.cookie = Draw(random, 4) == 0 ? 0 : static_cast<uint32_t>(random());
        request.initialSequence = static_cast<uint32_t>(random()) % UDT_SEQUENCES;
        const Time now = Seconds(Draw(random, 100000));
        const auto outcome = server.OnHandshake(now, Draw(random, 3), request);
        NS_TEST_ASSERT_MSG_EQ(outcome.isAccepted, false, "a forged cookie");
        asked += request.Write().size();
        answered += outcome.reply ? outcome.reply->Write().size() : 0;
    }
    NS_TEST_EXPECT_MSG_EQ((answered <= asked), true, "no amplification");
    NS_TEST_EXPECT_MSG_GT(answered, 0, "first requests are answered");
    // A cookie is bound to the client: replayed from another address it opens nothing.
    UdtHandshake request;
    request.window = 8192;
    auto second = server.OnHandshake(Seconds(1), 1, request).reply.value();
    second.request = UdtHandshake::ANSWER;
    NS_TEST_EXPECT_MSG_EQ(server.OnHandshake(Seconds(1), 1, second).isAccepted, true, "its own");
    for (uint32_t peer = 2; peer < 1000; ++peer)
    {
        NS_TEST_ASSERT_MSG_EQ(server.OnHandshake(Seconds(1), peer, second).isAccepted,
                              false,
                              "replayed");
    }
}

const Suite g_suite("lfn-udt-core-malformed", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new MutatedCase("mutated packets"));
    suite.Add(new SenderCase("forged packets to a sender"));
    suite.Add(new ReceiverCase("forged packets to a receiver"));
    suite.Add(new MessageCase("forged packets to a receiver of messages"));
    suite.Add(new InjectedCase("nonsense injected into a transfer"));
    suite.Add(new OnlyNonsenseCase("nothing but nonsense"));
    suite.Add(new ForgedCookieCase("forged cookies"));
});

} // namespace
