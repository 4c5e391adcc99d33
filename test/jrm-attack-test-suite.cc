// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "jrm-test-speaker.h"
#include "lfn-test-case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// A NACK request.
Ptr<Packet>
MakeNack(const JrmMessageId& id, const std::vector<uint16_t>& asked, bool all = false)
{
    return Make({JrmType::NACK_REQ, id, 1, 0, all ? JrmHeader::ALL_PACKETS : uint8_t{0}},
                JrmNackList::Write(asked));
}

/// Host 0 sends these messages: a hundred packets, then three, at 1 and 34 ms.
constexpr uint32_t LONG = 100 * PACKET;

constexpr uint32_t SHORT = 3 * PACKET - 10; //!< see above

/// Makes the attack, given the long message.
using Attack = std::function<std::vector<Ptr<Packet>>(const JrmMessageId& id)>;

/** @brief Single attacks, and what exactly comes of them. */
class JrmAttackCase : public Case
{
  protected:
    using Case::Case;

    /// Attack a host at 50 ms, when two messages have come; all datagrams have to be counted under
    /// the reason (COUNT_ for none).
    void Expect(uint32_t host,
                uint32_t from,
                const Attack& attack,
                DropReason reason,
                const std::string& what)
    {
        JrmTestNetwork network(3);
        network.settings.insert({"Adaptive", "false"});
        network.AddPeers();
        network.SendMany(0, 1, LONG, MilliSeconds(1));
        network.SendMany(0, 1, SHORT, MilliSeconds(34));
        network.SendMany(0, 10, SHORT, MilliSeconds(67));
        std::size_t made = 0;
        Simulator::Schedule(MilliSeconds(50), [&]() {
            const InetSocketAddress source(network.addresses[from], JRM_PORT);
            const auto datagrams = attack(network.sent.begin()->first);
            made = datagrams.size();
            for (const auto& datagram : datagrams)
            {
                network.Inject(host, source, datagram);
            }
        });
        const auto left = network.Run(Seconds(6));
        NS_TEST_EXPECT_MSG_EQ(left, "", what);
        const auto& victim = *network.peers[host];
        const auto drops = victim.GetTotalDrops();
        NS_TEST_EXPECT_MSG_EQ(drops, (reason == DropReason::COUNT_ ? 0 : made), what);
        NS_TEST_EXPECT_MSG_EQ((reason == DropReason::COUNT_ || victim.GetDrops(reason) == drops),
                              true,
                              what);
        NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetSent().nackResponses, 0, what);
        NS_TEST_EXPECT_MSG_EQ(network.peers[1]->GetSent().nackRequests, 0, what);
        NS_TEST_EXPECT_MSG_EQ(network.CountMissing(1, 1) + network.CountMissing(2, 2), 0, what);
    }

    /// Ask host 0 for its long message many times, 100 us apart; get the number of responses.
    uint64_t Flood(const std::string& aggregation,
                   uint32_t requests,
                   const std::function<Ptr<Packet>(const JrmMessageId&)>& request,
                   bool isAllHeeded = false)
    {
        JrmTestNetwork network(3);
        network.settings.insert({{"Adaptive", "false"},
                                 {"Aggregation", aggregation},
                                 {"GapNackAllPackets", isAllHeeded ? "true" : "false"}});
        network.AddPeers();
        network.SendMany(0, 1, LONG, MilliSeconds(1));
        network.SendMany(0, 20, SHORT, MilliSeconds(34));
        for (uint32_t i = 0; i < requests; ++i)
        {
            Simulator::Schedule(MilliSeconds(50) + MicroSeconds(100) * static_cast<int64_t>(i),
                                [&]() {
                                    const auto lie = request(network.sent.begin()->first);
                                    network.Inject(0, UNKNOWN_HOST, lie, network.addresses[0]);
                                });
        }
        const auto left = network.Run(Seconds(9));
        NS_TEST_EXPECT_MSG_EQ(left, "", "flood");
        NS_TEST_EXPECT_MSG_EQ(network.CountMissing(1, 1) + network.CountMissing(2, 2), 0, "flood");
        return network.peers[0]->GetSent().nackResponses;
    }
};

LFN_CASE_FROM(JrmAttackRequestsTestCase, JrmAttackCase)
{
    const auto at = [](int32_t delta, std::vector<uint16_t> asked, bool all) {
        return [=](JrmMessageId id) {
            id.message += static_cast<uint32_t>(delta);
            return std::vector<Ptr<Packet>>(20, MakeNack(id, asked, all));
        };
    };
    const auto range = DropReason::OUT_OF_RANGE;
    for (const int32_t delta : {2, 3, 1000, INT32_MAX, INT32_MIN, -1, -2, -1000})
    {
        Expect(0, 1, at(delta, {1, 2}, false), range, "never sent " + std::to_string(delta));
        Expect(0, 1, at(delta, {1}, true), range, "all never sent " + std::to_string(delta));
    }
    Expect(0, 1, at(0, {101, 60'000}, false), range, "no such packets");
    Expect(0, 1, at(0, {}, false), range, "nothing asked for");
    Expect(0, 1, at(0, {1, 0}, false), DropReason::MALFORMED, "packet 0");
    for (const Bytes& body :
         {Bytes{}, Bytes{0}, Bytes{0, 1}, Bytes{0, 1, 0}, Bytes{255, 255, 0, 1}})
    {
        const auto lie = [&](const JrmMessageId& id) {
            return std::vector<Ptr<Packet>>{Make({JrmType::NACK_REQ, id, 1, 0}, body)};
        };
        Expect(0, 1, lie, DropReason::MALFORMED, "a list cut short");
    }
    const auto other = [](JrmMessageId id) {
        ++id.group;
        return std::vector<Ptr<Packet>>{MakeNack(id, {1}, true)};
    };
    Expect(0, 1, other, DropReason::UNEXPECTED, "another group");
}

LFN_CASE_FROM(JrmAttackPacketsTestCase, JrmAttackCase)
{
    const auto at = [](int32_t delta,
                       uint16_t packet,
                       uint32_t length,
                       uint32_t bytes,
                       JrmType type = JrmType::MSG) {
        return [=](JrmMessageId id) {
            id.message += static_cast<uint32_t>(delta);
            return std::vector<Ptr<Packet>>(5, Make({type, id, packet, length}, Bytes(bytes)));
        };
    };
    const auto resp = JrmType::NACK_RESP;
    using Reason = DropReason;
    Expect(1, 0, at(2, 0, 100, 100), Reason::OUT_OF_RANGE, "PSN 0");
    Expect(1, 0, at(2, 2, 1024, 100), Reason::OUT_OF_RANGE, "beyond the end");
    Expect(1, 0, at(2, 1, 65535 * PACKET + 1, 1024), Reason::OUT_OF_RANGE, "too many packets");
    Expect(1, 0, at(2, 65535, UINT32_MAX, 1024), Reason::OUT_OF_RANGE, "far too many");
    Expect(1, 0, at(2, 1, 100, 99), Reason::WRONG_LENGTH, "too short");
    Expect(1, 0, at(2, 1, 100, 101), Reason::WRONG_LENGTH, "too long");
    Expect(1, 0, at(2, 1, 0, 1), Reason::WRONG_LENGTH, "bytes of nothing");
    Expect(1, 0, at(2, 1, 2000, 976), Reason::WRONG_LENGTH, "the last one's length");
    Expect(1, 0, at(2, 2, 2000, 1024), Reason::WRONG_LENGTH, "the first one's length");
    for (const int32_t old : {1, 0, -1, -1000, -1022})
    {
        Expect(1, 0, at(old, 1, 10, 10), Reason::DUPLICATE, "old " + std::to_string(old));
        Expect(1, 0, at(old, 1, 10, 10, resp), Reason::DUPLICATE, "old repeat");
    }
    // Repeats prove no return, wherever they are.
    for (const int32_t far : {-1023, -100'000, 1100, INT32_MAX, INT32_MIN})
    {
        Expect(1, 0, at(far, 1, 10, 10, resp), Reason::DUPLICATE, "far " + std::to_string(far));
    }
    Expect(1, 2, at(2, 1, 10, 10), Reason::UNKNOWN_PEER, "another's number");
    Expect(0, 0, at(2, 1, 10, 10), Reason::UNKNOWN_PEER, "one's own number");
    const auto unknown = [](JrmMessageId id) {
        id.participant = 9;
        return std::vector<Ptr<Packet>>(5, Make({JrmType::NACK_RESP, id, 1, 10}, Bytes(10)));
    };
    Expect(1, 2, unknown, Reason::UNEXPECTED, "a repeat of nobody");
    const auto noise = [](const JrmMessageId& id) {
        const auto cut = Make({JrmType::MSG, id, 1, 10});
        cut->RemoveAtEnd(1);
        const auto type = [&id](int value) {
            return Make({static_cast<JrmType>(value), id, 1, 10}, Bytes(10));
        };
        return std::vector<Ptr<Packet>>{Create<Packet>(), cut, type(0), type(7), type(255)};
    };
    Expect(1, 0, noise, Reason::MALFORMED, "no header");
}

LFN_CASE_FROM(JrmAttackHeartbeatsTestCase, JrmAttackCase)
{
    const auto at = [](int32_t delta, uint32_t participant) {
        return [=](JrmMessageId id) {
            id.message += static_cast<uint32_t>(delta);
            id.participant = participant;
            return std::vector<Ptr<Packet>>(5, Make({JrmType::HEARTBEAT, id, 0, 0}));
        };
    };
    for (const int32_t delta : {1026, 100'000, INT32_MAX})
    {
        Expect(1, 0, at(delta, 1), DropReason::OUT_OF_RANGE, "ahead " + std::to_string(delta));
    }
    for (const int32_t delta : {1, 0, -1, -5000, INT32_MIN + 2})
    {
        Expect(1, 0, at(delta, 1), DropReason::COUNT_, "known " + std::to_string(delta));
    }
    Expect(1, 2, at(7, 1), DropReason::UNKNOWN_PEER, "another's number");
    Expect(1, 2, at(7, 9), DropReason::COUNT_, "nobody received before: nothing is missing");
}

LFN_CASE_FROM(JrmAttackFloodTestCase, JrmAttackCase)
{
    // The longest list that UDP carries, each number many times: each packet once.
    const auto longest = [](const JrmMessageId& id) {
        std::vector<uint16_t> asked(32'742);
        for (std::size_t i = 0; i < asked.size(); ++i)
        {
            asked[i] = static_cast<uint16_t>(1 + i % 150);
        }
        return MakeNack(id, asked);
    };
    const auto all = [](const JrmMessageId& id) { return MakeNack(id, {}, true); };
    const auto three = [](const JrmMessageId& id) { return MakeNack(id, {7, 8, 7, 9, 9}); };
    NS_TEST_EXPECT_MSG_EQ(Flood("0s", 1, longest), 100, "no more than the message has");
    NS_TEST_EXPECT_MSG_EQ(Flood("0s", 1, all), 0, "a flag that nobody uses here");
    NS_TEST_EXPECT_MSG_EQ(Flood("0s", 1, all, true), 100, "all of it");
    NS_TEST_EXPECT_MSG_EQ(Flood("0s", 1, three), 3, "each once");
    // No receiver asks again within 10 ms, half of its shortest timeout.
    NS_TEST_EXPECT_MSG_EQ(Flood("0s", 100, three), 3, "all in 10 ms");
    NS_TEST_EXPECT_MSG_EQ(Flood("0s", 1000, three), 30, "all in 100 ms");
    NS_TEST_EXPECT_MSG_EQ(Flood("10ms", 100, three), 3, "all in 10 ms, gathered");
    NS_TEST_EXPECT_MSG_EQ(Flood("10ms", 1000, three), 30, "all in 100 ms, gathered");
    // Five times what was sent until then, 100 packets and up to four short messages, and 16.
    const auto most = Flood("0s", 1000, all, true);
    NS_TEST_EXPECT_MSG_GT(most, 530, "not denied before");
    NS_TEST_EXPECT_MSG_LT(most, 580, "no more than RepairLimit");
}

LFN_CASE_FROM(JrmAttackGapsTestCase, JrmAttackCase)
{
    const std::map<uint32_t, uint32_t> expected{{1, 1},
                                                {2, 2},
                                                {1022, 1022},
                                                {1023, 1023},
                                                {1024, 1024},
                                                {1025, 0},
                                                {1U << 31, 0},
                                                {UINT32_MAX, 0}};
    for (const auto& [gap, holders] : expected)
    {
        for (const bool isBeat : {false, true})
        {
            JrmTestNetwork network(2);
            network.settings.insert({{"Adaptive", "false"}, {"MaxNackAttempts", "2"}});
            network.unknownHosts = true;
            network.AddPeers();
            network.SendMany(0, 3, SHORT);
            network.SendMany(0, 3, SHORT, MilliSeconds(701));
            std::size_t most = 0;
            Simulator::Schedule(MilliSeconds(100), [&, gap = gap]() {
                auto id = network.sent.rbegin()->first;
                id.message += 1 + gap - (isBeat ? 1 : 0);
                network.Inject(1,
                               {network.addresses[0], JRM_PORT},
                               isBeat ? Make({JrmType::HEARTBEAT, id, 0, 0})
                                      : JrmTestNetwork::MakeData(JrmType::MSG, id, 1, 10));
            });
            Simulator::Schedule(MilliSeconds(101),
                                [&]() { most = network.peers[1]->GetReceiver().GetHolders(); });
            const auto left = network.Run(Seconds(6));
            const auto what = std::to_string(gap) + (isBeat ? ", heartbeat" : "");
            NS_TEST_EXPECT_MSG_EQ(left, "", what);
            NS_TEST_EXPECT_MSG_EQ(most, holders, what);
            // The sender refuses them, and each ends after its attempts. No more than twice
            // the bytes of nine packets and of the forged one are asked for, 52 each time.
            const auto& sender = network.peers[0]->GetSender().GetCounters();
            const uint32_t came = 3 * (SHORT + 3 * 48) + (isBeat ? 48 : 58);
            NS_TEST_EXPECT_MSG_EQ(sender.refused, std::min(2 * holders, 2 * came / 52), what);
            NS_TEST_EXPECT_MSG_EQ(sender.responses, 0, what);
            // What lies before the forged number seems old; beyond the window it is a return.
            const bool isOld = gap < 1024 || (gap == 1024 && isBeat);
            const auto taken =
                gap == UINT32_MAX || holders == 0 ? 3 : 3 - std::min(gap + (isBeat ? 0 : 1), 3U);
            NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0),
                                  3 + (isOld ? taken : 3) + (isBeat || gap == UINT32_MAX ? 0 : 1),
                                  what);
        }
    }
}

LFN_CASE_FROM(JrmAttackNumbersTestCase, JrmAttackCase)
{
    JrmTestNetwork network(2);
    network.AddPeers();
    const JrmMessageId id{1, network.groups[0].Get(), 77};
    const std::vector<Ptr<Packet>> bad{Make({JrmType::MSG, id, 0, 10}, Bytes(10)),
                                       Make({JrmType::MSG, id, 1, 10}, Bytes(9)),
                                       Make({JrmType::NACK_RESP, id, 1, 10}, Bytes(10))};
    Simulator::Schedule(MicroSeconds(500), [&]() {
        for (const auto& datagram : bad)
        {
            network.Inject(1, UNKNOWN_HOST, datagram);
        }
    });
    network.SendMany(0, 5, SHORT);
    const auto left = network.Run(Seconds(6));
    NS_TEST_EXPECT_MSG_EQ(left, "", "numbers");
    NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), 5, "the honest one is received");
    NS_TEST_EXPECT_MSG_EQ(network.peers[1]->GetTotalDrops(), 3, "those were refused");
}

LFN_CASE_FROM(JrmAttackStreamsTestCase, JrmAttackCase)
{
    constexpr uint32_t FORGED = 6000;
    JrmTestNetwork network(3);
    network.settings.insert({"MaxNackAttempts", "2"});
    network.unknownHosts = true;
    network.AddPeer(0);
    network.AddPeer(1);
    network.AddPeer(2, Seconds(1));
    network.SendMany(0, 60, SHORT);
    network.SendMany(2, 1, SHORT, MilliSeconds(1500));
    for (uint32_t i = 0; i < FORGED; ++i)
    {
        Simulator::Schedule(MilliSeconds(100) + MicroSeconds(50) * static_cast<int64_t>(i),
                            [&, i]() {
                                const JrmMessageId id{100 + i, network.groups[0].Get(), i};
                                const uint32_t bytes = i % 3 == 0 ? 5000 : 10;
                                network.Inject(
                                    1,
                                    UNKNOWN_HOST,
                                    JrmTestNetwork::MakeData(JrmType::MSG, id, 1, bytes));
                            });
    }
    const auto left = network.Run(Seconds(12));
    NS_TEST_EXPECT_MSG_EQ(left, "", "streams");
    const auto& victim = *network.peers[1];
    NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), 60, "whom it knew is received");
    NS_TEST_EXPECT_MSG_EQ(network.Count(1, 2), 1, "there is room for an honest newcomer");
    NS_TEST_EXPECT_MSG_EQ(victim.GetDrops(DropReason::BUFFER_FULL),
                          FORGED - 2048,
                          "half of the room is for others");
}

LFN_CASE_FROM(JrmAttackSilencingTestCase, JrmAttackCase)
{
    JrmTestNetwork network(2);
    network.settings.insert({{"Adaptive", "false"}, {"MaxBackoff", "50ms"}, {"GroupSize", "2"}});
    network.settings["SendTimeout"] = "9s";
    network.AddPeers();
    network.judge = [&](const JrmTestSight& sight) {
        const auto number = sight.header.id.message - network.sent.begin()->first.message;
        return sight.Is(JrmType::MSG) && sight.down && number == 1 ? Fate::LOSE : Fate::PASS;
    };
    network.SendMany(0, 3, 10);
    for (uint32_t i = 0; i < 200; ++i)
    {
        Simulator::Schedule(MilliSeconds(68 + static_cast<int64_t>(i)), [&]() {
            auto id = network.sent.begin()->first;
            ++id.message;
            network.Inject(1, UNKNOWN_HOST, MakeNack(id, {9, 1, 9}));
        });
    }
    const auto left = network.Run(Seconds(12));
    NS_TEST_EXPECT_MSG_EQ(left, "", "silencing");
    NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), 3, "repaired when it ends");
    NS_TEST_EXPECT_MSG_GT(network.peers[1]->GetReceiver().GetCounters().suppressed, 1, "silenced");
    NS_TEST_EXPECT_MSG_GT(network.lastDelivery, MilliSeconds(160), "by then");
}

/** @brief With content checks, wrong bytes of a known sender end the participant, undelivered.
 */
LFN_CASE_FROM(JrmAttackContentTestCase, JrmAttackCase)
{
    JrmTestNetwork network(2);
    network.AddPeers();
    network.SendMany(0, 5, 10);
    Simulator::Schedule(MilliSeconds(80), [&]() {
        auto id = network.sent.rbegin()->first;
        ++id.message;
        network.Inject(1,
                       {network.addresses[0], JRM_PORT},
                       Make({JrmType::MSG, id, 1, 10}, Bytes(10, 1)));
    });
    Simulator::Stop(Seconds(9));
    Simulator::Run();
    const auto& victim = *network.peers[1];
    NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), 3, "those before");
    NS_TEST_EXPECT_MSG_EQ(victim.IsFinished(), true, "ended");
    NS_TEST_EXPECT_MSG_NE(victim.GetReport().failure.find("is not what was sent"),
                          std::string::npos,
                          "why");
    NS_TEST_EXPECT_MSG_EQ(victim.GetDrops(DropReason::CORRUPT), 1, "counted");
}

LFN_CASE_FROM(JrmAttackWrapTestCase, JrmAttackCase)
{
    for (const bool isLiteral : {false, true})
    {
        JrmTestNetwork network(3);
        network.settings.insert({{"Adaptive", "false"},
                                 {"NackBackoff", "1"},
                                 {"MaxNackAttempts", "50"},
                                 {"CreateHolderOnGap", isLiteral ? "false" : "true"}});
        network.AddPeer(1);
        network.AddPeer(2);
        JrmTestSpeaker speaker(network, 0, UINT32_MAX - 30);
        uint32_t data = 0;
        network.judge = [&](const JrmTestSight& sight) {
            const bool isData = sight.down && sight.Is(JrmType::MSG);
            data += isData ? 1 : 0;
            return isData && data % 3 == 0 && data < 200 ? Fate::LOSE : Fate::PASS;
        };
        Simulator::Schedule(MilliSeconds(1), [&]() { speaker.Start(); });
        for (uint32_t i = 0; i < 60; ++i)
        {
            Simulator::Schedule(MilliSeconds(2 + 5 * static_cast<int64_t>(i)),
                                [&, i]() { speaker.Send(i % 2 == 0 ? SHORT : 10); });
        }
        const auto left = network.Run(Seconds(9));
        NS_TEST_EXPECT_MSG_EQ(left, "", "wrap");
        NS_TEST_EXPECT_MSG_EQ(network.delivered[0].size(), 60, "all, literal " << isLiteral);
        NS_TEST_EXPECT_MSG_EQ(network.delivered[1].size(), 60, "all, literal " << isLiteral);
        NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetReceiver().GetCounters().beginnings,
                              0,
                              "one stream");
    }
}

LFN_CASE_FROM(JrmAttackLongListsTestCase, JrmAttackCase)
{
    JrmTestNetwork network(2);
    network.settings["KeepData"] = "false";
    network.settings["CheckContent"] = "false";
    network.settings.insert(
        {{"RecvTimeout", "200ms"}, {"NackTimeout", "5s"}, {"Adaptive", "false"}});
    network.AddPeers();
    std::size_t largest = 0;
    network.judge = [&](const JrmTestSight& sight) {
        largest = sight.Is(JrmType::NACK_REQ) ? std::max(largest, sight.asked.size()) : largest;
        const auto packet = sight.header.packet;
        return sight.Is(JrmType::MSG) && sight.down && packet > 1 ? Fate::LOSE : Fate::PASS;
    };
    network.unknownHosts = true;
    Simulator::Schedule(MilliSeconds(1),
                        [&]() { network.peers[0]->SendMessage(network.groups[0], 3000 * PACKET); });
    std::size_t delivered = 0;
    network.peers[1]->SetReceive(Callback<void, const JrmReceiverCore::Delivery&>(
        [&](const JrmReceiverCore::Delivery&) { ++delivered; }));
    const auto left = network.Run(Seconds(9));
    NS_TEST_EXPECT_MSG_EQ(left, "", "long lists");
    NS_TEST_EXPECT_MSG_EQ(delivered, 1, "a long message");
    NS_TEST_EXPECT_MSG_EQ(largest, 511, "what the data of a packet hold");
    NS_TEST_EXPECT_MSG_EQ(network.peers[1]->GetSent().nackRequests, 6, "2999 in six datagrams");
    NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetSent().nackResponses, 2999, "each once");
}

/** @brief JRM under attack: lies, floods, absurd numbers, forged participants. */
const Suite g_suite("lfn-jrm-attack", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new JrmAttackRequestsTestCase("requests for what there is not"));
    suite.Add(new JrmAttackPacketsTestCase("packets of messages that lie"));
    suite.Add(new JrmAttackHeartbeatsTestCase("heartbeats with absurd numbers"));
    suite.Add(new JrmAttackFloodTestCase("requests multiply: how far"));
    suite.Add(new JrmAttackGapsTestCase("a forged number ahead makes holders, up to a limit"));
    suite.Add(new JrmAttackNumbersTestCase(
        "a number belongs to whom something good was received first, not to any header"));
    suite.Add(new JrmAttackStreamsTestCase("forged participants by the thousand"));
    suite.Add(new JrmAttackSilencingTestCase(
        "forged requests silence others, where suppression is on: only for so long"));
    suite.Add(new JrmAttackContentTestCase(
        "with content checks, wrong bytes of a known sender end the participant, undelivered"));
    suite.Add(new JrmAttackWrapTestCase("numbers wrap in mid-stream, with losses"));
    suite.Add(new JrmAttackLongListsTestCase(
        "a message of very many packets, most of them lost: lists longer than a datagram"));
});

} // namespace
