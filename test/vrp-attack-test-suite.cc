// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-forger.h"

#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What an attack led to. */
struct Effect
{
    uint64_t control{0};   //!< control packets more than without it
    uint64_t peak{0};      //!< most bytes of blocks
    std::size_t blocks{0}; //!< most blocks
};

/** @brief Single attacks on the receiver, an honest frame alongside. */
class VrpReceiverAttackCase : public Case
{
  protected:
    using Case::Case;

    /// Attack while a frame is under way: an unauthenticated host sends messages in this order, so
    /// often; drops are counted under a reason, or COUNT_ for none.
    Effect Run(const std::vector<Bytes>& messages,
               uint32_t repeat,
               DropReason reason,
               uint64_t drops)
    {
        VrpTestNetwork network;
        network.helper.SetSourceAttribute("LocalPort", UintegerValue(VrpForger::SENDER_PORT));
        network.Install();
        network.Send(200'000);
        Effect result;
        const InetSocketAddress unknownHost(Ipv4Address::ConvertFrom(network.addresses[0]), 666);
        const auto all = repeat * messages.size();
        for (std::size_t i = 0; i < all; ++i)
        {
            Simulator::Schedule(MilliSeconds(30) + MicroSeconds(20 * i), [&, i] {
                VrpForger::Inject(network,
                                  0,
                                  unknownHost,
                                  VrpTestNetwork::PORT,
                                  messages[i % messages.size()]);
            });
        }
        Simulator::Schedule(MilliSeconds(31) + MicroSeconds(20 * all),
                            [&] { result.blocks = network.receiver->GetBlocks(); });
        VrpTestNetwork::Run(Seconds(20));
        const auto name = std::string(ToString(reason));
        NS_TEST_EXPECT_MSG_EQ(network.Verify(0), "", name);
        NS_TEST_EXPECT_MSG_EQ(network.received.size(), 1, name);
        // What shares the link may delay ACKs beyond a timeout that has come close to the RTT.
        const auto twice = network.sent[0].report.counters.timeouts;
        NS_TEST_EXPECT_MSG_EQ(network.receiver->GetDrops(DropReason::DUPLICATE), twice, name);
        NS_TEST_EXPECT_MSG_EQ(network.receiver->GetTotalDrops(), drops + twice, name);
        NS_TEST_EXPECT_MSG_EQ(network.receiver->GetDrops(reason), drops, name);
        NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), 0, "life timeout");
        result.control = network.receiver->GetReport().controlPackets;
        result.peak = network.receiver->GetPeakBlockBytes();
        return result;
    }
};

LFN_CASE_FROM(VrpReceiverAttackTestCase, VrpReceiverAttackCase)
{
    const auto quiet = Run({}, 0, DropReason::COUNT_, 0);
    const auto expect = [&](const std::string& what,
                            const std::vector<Bytes>& messages,
                            uint32_t repeat,
                            DropReason reason,
                            uint64_t drops,
                            uint64_t control,
                            uint64_t peak) {
        const auto result = Run(messages, repeat, reason, drops);
        NS_TEST_EXPECT_MSG_EQ(result.control - quiet.control, control, what);
        NS_TEST_EXPECT_MSG_LT(result.peak, quiet.peak + peak, what);
    };
    const auto create = [](uint16_t number, uint32_t size, uint16_t packetSize) {
        return VrpTag{.code = VrpTagCode::FRAME_CREATE,
                      .frame = number,
                      .dataSize = size,
                      .packetSize = packetSize};
    };
    using Tags = std::vector<VrpTag>;
    const auto none = DropReason::COUNT_;
    // 2^32 - 1 packets of one byte are above MaxFrameSize.
    expect("huge", {VrpForger::Control(1, Tags{create(1, UINT32_MAX, 1)})}, 3, none, 0, 3, 1);
    // 2^30 packets of one byte: memory grows with what has come, and gaps are bounded.
    expect("many packets",
           {VrpForger::Control(1, Tags{create(1, 1U << 30, 1)}),
            VrpForger::Data(1, UINT32_MAX, 1),
            VrpForger::Data(1, (1U << 30) - 1, 1),
            VrpForger::Data(1, 1U << 31, 1),
            VrpForger::Data(1, 4097, 1)},
           1,
           DropReason::OUT_OF_RANGE,
           4,
           5,
           2000);
    // A gap as wide as MaxGap: 4096 NACKs in packets of 1472 B, of which 290 are tags.
    expect("a wide gap",
           {VrpForger::Control(1, Tags{create(1, 1U << 30, 1)}), VrpForger::Data(1, 4096, 1)},
           1,
           none,
           0,
           1 + 15,
           60'000);
    expect("a packet too long",
           {VrpForger::Control(1, Tags{create(1, 50, 10)}), VrpForger::Data(1, 0, 11)},
           1,
           DropReason::WRONG_LENGTH,
           1,
           2,
           2000);
    expect("unannounced", {VrpForger::Data(77, 3, 100)}, 50, DropReason::UNANNOUNCED, 50, 50, 1);
    expect("packet size 0",
           {VrpForger::Control(1, Tags{create(1, 50, 0)})},
           20,
           DropReason::MALFORMED,
           20,
           0,
           1);
    expect("no header", {Bytes{0x80, 0, 0}, Bytes{}}, 20, DropReason::MALFORMED, 40, 0, 1);
    auto cut = VrpForger::Control(1, Tags{create(1, 50, 10)});
    cut.pop_back();
    expect("LAST is missing", {cut}, 20, DropReason::MALFORMED, 20, 0, 1);
    // PADDING of more bytes than there are, code 15.
    expect("PADDING lies",
           {Bytes{0x80, 1, 0, 0, 0, 0, 15, 0xff, 0xff, 0, 0}, Bytes{0x80, 1, 0, 0, 0, 0, 15}},
           20,
           DropReason::MALFORMED,
           40,
           0,
           1);
    expect("an unknown tag",
           {Bytes{0x80, 1, 0, 0, 0, 0, 16, 0}},
           20,
           DropReason::MALFORMED,
           20,
           0,
           1);
    // Tags for a sender say nothing to a receiver.
    expect("the wrong direction",
           {VrpForger::Control(1,
                               Tags{VrpTag::OfFrame(VrpTagCode::FRAME_OK, 1),
                                    VrpTag::OfPacket(VrpTagCode::NACK, 1),
                                    VrpTag::OfPacket(VrpTagCode::ACK, 1)})},
           20,
           DropReason::UNEXPECTED,
           20,
           0,
           1);
}

LFN_CASE_FROM(VrpClosingTestCase, VrpReceiverAttackCase)
{
    std::vector<Bytes> messages;
    std::vector<VrpTag> tags;
    for (uint32_t number = 0; number < VrpHeader::FRAME_NUMBERS; ++number)
    {
        tags.push_back(VrpTag::OfFrame(VrpTagCode::FRAME_CLOSE, static_cast<uint16_t>(number)));
        if (tags.size() == 400)
        {
            messages.push_back(VrpForger::Control(0, tags));
            tags.clear();
        }
    }
    messages.push_back(VrpForger::Control(0, tags));
    Run(messages, 2, DropReason::UNEXPECTED, 2 * messages.size());
}

LFN_CASE_FROM(VrpFloodTestCase, VrpReceiverAttackCase)
{
    std::vector<Bytes> messages;
    for (uint16_t number = 0; number < 5000; ++number)
    {
        const VrpTag tag{.code = VrpTagCode::FRAME_CREATE,
                         .frame = number,
                         .dataSize = 1'000'000,
                         .packetSize = 1000};
        messages.push_back(VrpForger::Control(number, std::vector<VrpTag>{tag}));
    }
    const auto result = Run(messages, 1, DropReason::COUNT_, 0);
    NS_TEST_EXPECT_MSG_EQ(result.blocks, 64 + 1, "MaxIncomingFrames, and the honest frame");
    NS_TEST_EXPECT_MSG_LT(result.peak, 500'000, "nothing is reserved for data to come");
}

using Tags = std::vector<VrpTag>;

constexpr int64_t STREAM = 1; //!< of the sender's random numbers

/// The number of the frame that is attacked.
uint16_t
GetNumber()
{
    const auto variable = CreateObject<UniformRandomVariable>();
    variable->SetStream(STREAM);
    return static_cast<uint16_t>(variable->GetInteger(0, VrpHeader::FRAME_NUMBERS - 1));
}

/// Set a network up whose frame has a number that is known.
void
Prepare(VrpTestNetwork& network)
{
    network.helper.SetSourceAttribute("LocalPort", UintegerValue(VrpForger::SENDER_PORT));
    network.Install();
    network.sender->AssignStreams(STREAM);
    network.Send(200'000);
}

/// Send a message in the receiver's name now, so often.
void
Inject(const VrpTestNetwork& network, const Tags& tags, uint32_t repeat)
{
    const auto message = VrpForger::Control(GetNumber(), tags);
    const auto from = VrpForger::OfReceiver(network);
    for (uint32_t i = 0; i < repeat; ++i)
    {
        VrpForger::Inject(network, 1, from, VrpForger::SENDER_PORT, message);
    }
}

LFN_CASE(VrpSenderAttackTestCase)
{
    // Attack in the receiver's name while a frame is under way, which it has to survive: of the
    // message, whose header has the frame's number, a number is dropped as unexpected, and a number
    // are counted by the frame as ignored.
    const auto expect = [&](const std::string& what,
                            const Tags& tags,
                            uint32_t repeat,
                            uint64_t drops,
                            uint64_t ignored) {
        VrpTestNetwork network;
        Prepare(network);
        Simulator::Schedule(MilliSeconds(33), [&] { Inject(network, tags, repeat); });
        VrpTestNetwork::Run(Seconds(20));
        const auto& report = network.sent[0].report;
        NS_TEST_EXPECT_MSG_EQ(report.number, GetNumber(), "the number that is attacked");
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", what);
        NS_TEST_EXPECT_MSG_EQ(network.sender->GetDrops(DropReason::UNEXPECTED), drops, what);
        NS_TEST_EXPECT_MSG_EQ(network.sender->GetTotalDrops(), drops, what);
        NS_TEST_EXPECT_MSG_EQ(report.counters.ignoredAcks + report.counters.ignoredNacks,
                              ignored,
                              what);
        NS_TEST_EXPECT_MSG_EQ(report.counters.dataPackets, 196, what);
    };
    using Code = VrpTagCode;
    const auto tag = [](Code code, uint32_t packet) {
        return Tags{VrpTag::OfPacket(code, packet)};
    };
    for (const uint32_t seconds : {1U, UINT32_MAX})
    {
        const VrpTag pong{.code = Code::PONG, .seconds = seconds, .microseconds = UINT32_MAX};
        expect("forged PONG", {pong}, 200, 200, 0);
    }
    for (const uint32_t packet : {195U, 1000U, UINT32_MAX - 1, UINT32_MAX})
    {
        expect("ACK of what was never sent", tag(Code::ACK, packet), 50, 0, 50);
        expect("SINGLE_ACK of what was never sent", tag(Code::SINGLE_ACK, packet), 50, 0, 50);
        expect("NACK of what was never sent", tag(Code::NACK, packet), 50, 0, 50);
    }
    expect("NACKs of what was acknowledged", tag(Code::NACK, 0), 200, 0, 200);
    expect("tags for a receiver", {VrpTag::OfFrame(Code::FRAME_CLOSE, 0)}, 40, 40, 0);
    expect("FRAME_OK again", {VrpTag::OfFrame(Code::FRAME_OK, GetNumber())}, 40, 0, 0);
    expect("FRAME_REFUSED too late", {VrpTag::OfFrame(Code::FRAME_REFUSED, GetNumber())}, 40, 0, 0);
    expect("another frame's", {VrpTag::OfFrame(Code::MISSING_HDR, GetNumber() ^ 1)}, 40, 40, 0);
}

LFN_CASE(VrpNacksTestCase)
{
    VrpTestNetwork network;
    Prepare(network);
    Tags tags;
    for (uint32_t packet = 0; packet < 196; ++packet)
    {
        tags.push_back(VrpTag::OfPacket(VrpTagCode::NACK, packet));
    }
    Simulator::Schedule(MilliSeconds(33), [&] { Inject(network, tags, 200); });
    VrpTestNetwork::Run(Seconds(20));
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "NACKs");
    const auto& counters = network.sent[0].report.counters;
    NS_TEST_EXPECT_MSG_GT(counters.nacks, 0, "some had an effect");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.nacks, 200 * 64, "a window each");
    NS_TEST_EXPECT_MSG_EQ(counters.nacks + counters.ignoredNacks, 200 * 196, "all counted");
    NS_TEST_EXPECT_MSG_EQ(counters.dataPackets, 196 + counters.retransmissions, "sent");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.retransmissions,
                                counters.nacks + counters.timeouts,
                                "again");
}

LFN_CASE(VrpAlternatingTestCase)
{
    VrpTestNetwork network;
    network.helper.SetSourceAttribute("LocalPort", UintegerValue(VrpForger::SENDER_PORT));
    network.sender = network.AddSender(Seconds(0));
    network.sender->AssignStreams(STREAM);
    network.Send(200'000);
    network.judge = [&](int direction, const VrpTestSight& sight) {
        if (direction == 1)
        {
            return VrpTestNetwork::Fate::PASS;
        }
        auto answer = VrpTag::OfFrame(VrpTagCode::MISSING_HDR, GetNumber());
        if (sight.Has(VrpTagCode::PING))
        {
            answer = {.code = VrpTagCode::PONG}; // the PING was sent at 0
        }
        else if (sight.Has(VrpTagCode::FRAME_CREATE))
        {
            answer.code = VrpTagCode::FRAME_OK;
        }
        else if (sight.control || sight.packet > 0)
        {
            return VrpTestNetwork::Fate::LOSE;
        }
        Simulator::Schedule(MilliSeconds(5), [&network, answer] { Inject(network, {answer}, 1); });
        return VrpTestNetwork::Fate::LOSE;
    };
    VrpTestNetwork::Run(Seconds(60));
    const auto& report = network.sent[0].report;
    NS_TEST_EXPECT_MSG_EQ(network.sent[0].ends, 1, "it ends");
    NS_TEST_EXPECT_MSG_EQ((report.state == VrpFrameState::TIMED_OUT), true, "redundant");
    NS_TEST_EXPECT_MSG_LT(report.finish, Seconds(6), "FrameTimeout");
    NS_TEST_EXPECT_MSG_GT(report.counters.headers, 100, "a header every 20 ms");
    NS_TEST_EXPECT_MSG_LT(report.counters.headers, 300, "a header every 20 ms");
    NS_TEST_EXPECT_MSG_LT(report.counters.dataPackets, 300 * 130, "windows");
}

LFN_CASE(VrpUnauthenticatedTestCase)
{
    VrpTestNetwork network;
    Prepare(network);
    Simulator::Schedule(MilliSeconds(33), [&] {
        auto unknownHost = VrpForger::OfReceiver(network);
        unknownHost.SetPort(VrpTestNetwork::PORT + 1);
        for (const auto code : {VrpTagCode::FRAME_REFUSED, VrpTagCode::MISSING_HDR})
        {
            const auto message =
                VrpForger::Control(GetNumber(), Tags{VrpTag::OfFrame(code, GetNumber())});
            VrpForger::Inject(network, 1, unknownHost, VrpForger::SENDER_PORT, message);
            VrpForger::Inject(network,
                              1,
                              InetSocketAddress("192.0.2.1", VrpTestNetwork::PORT),
                              VrpForger::SENDER_PORT,
                              message);
        }
    });
    VrpTestNetwork::Run(Seconds(20));
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "unknownHosts");
    NS_TEST_EXPECT_MSG_EQ(network.sender->GetDrops(DropReason::UNKNOWN_PEER), 4, "counted");
    NS_TEST_EXPECT_MSG_EQ(network.sender->GetTotalDrops(), 4, "counted");
}

const Suite g_suite("lfn-vrp-attack", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new VrpReceiverAttackTestCase(
        "attacks on the receiver: counted, bounded, the honest frame is intact"));
    suite.Add(new VrpClosingTestCase("FRAME_CLOSE of all frame numbers, from elsewhere"));
    suite.Add(new VrpFloodTestCase(
        "thousands of frames: all that have no block are refused, blocks come free again"));
    suite.Add(new VrpSenderAttackTestCase("attacks on the sender: counted and bounded"));
    suite.Add(new VrpNacksTestCase(
        "NACKs of what is under way: each has one packet retransmitted at most"));
    suite.Add(new VrpAlternatingTestCase(
        "a receiver that takes every header and then misses it: the frame ends in time"));
    suite.Add(
        new VrpUnauthenticatedTestCase("what arrives from elsewhere is ignored for any content"));
});

} // namespace
