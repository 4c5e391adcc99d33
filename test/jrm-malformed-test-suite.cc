// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "lfn-test-case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Random = std::mt19937_64; //!< what is forged

constexpr uint32_t DATAGRAMS = 400; //!< a run

/// A message number: one that is in use, nearly one, or any.
uint32_t
DrawMessage(Random& random, const JrmTestNetwork& network, uint32_t participant)
{
    const auto& sent = network.sent;
    const auto after = sent.lower_bound({participant + 1, 0, 0});
    const bool isKnown = after != sent.begin() &&
                         std::prev(after)->first.participant == participant && Draw(random, 10) > 0;
    const auto near = isKnown ? std::prev(after)->first.message - Draw(random, 6) + 2
                              : static_cast<uint32_t>(random());
    return Draw(random, 40) == 0 ? near + Draw(random, 3000) - 1500 : near;
}

/// A datagram that is good, nearly good, or no good at all.
Ptr<Packet>
Forge(Random& random, const JrmTestNetwork& network)
{
    Bytes body(Draw(random, 3) == 0 ? Draw(random, 1100) : 100 * Draw(random, 3));
    std::generate(body.begin(), body.end(), [&]() { return random() & 0xff; });
    if (Draw(random, 8) == 0)
    {
        return Create<Packet>(body.data(), static_cast<uint32_t>(body.size()));
    }
    JrmMessageId id;
    id.participant = Draw(random, 5) == 0 ? Draw(random, 50) : 1 + Draw(random, 3);
    id.group = Draw(random, 12) == 0 ? Draw(random, UINT32_MAX) : network.groups[0].Get();
    id.message = DrawMessage(random, network, id.participant);
    const auto type = static_cast<JrmType>(1 + Draw(random, 7));
    const auto length =
        static_cast<uint32_t>(Draw(random, 4) == 0 ? random() : 100 * Draw(random, 60));
    const auto packet =
        static_cast<uint16_t>(Draw(random, 6) == 0 ? random() : 1 + Draw(random, 6));
    if (type == JrmType::NACK_REQ && Draw(random, 4) > 0)
    {
        std::vector<uint16_t> asked(Draw(random, 20));
        std::generate(asked.begin(), asked.end(), [&]() {
            return static_cast<uint16_t>(Draw(random, 30) == 0 ? random() : 1 + Draw(random, 6));
        });
        body = JrmNackList::Write(asked);
    }
    if (type == JrmType::MSG || type == JrmType::NACK_RESP)
    {
        const auto rest = length - std::min<uint64_t>((packet - 1ULL) * PACKET, length);
        body.resize(Draw(random, 5) == 0 ? body.size() : std::min<uint64_t>(rest, PACKET));
        PatternPayload::Fill(JrmTestNetwork::GetOffset(id, packet), body); // content is checked
    }
    if (type == JrmType::PARITY && Draw(random, 5) > 0)
    {
        const JrmParity parity{
            static_cast<uint8_t>(Draw(random, 6) == 0 ? random() : 3),
            static_cast<uint8_t>(Draw(random, 6) == 0 ? random() : Draw(random, 4))};
        const auto first =
            static_cast<uint16_t>(Draw(random, 6) == 0 ? packet : 1 + 3 * Draw(random, 3));
        const auto claimed = Draw(random, 4) == 0 ? length % 200'000 : 2500;
        return JrmTestNetwork::MakeParity(id, std::max<uint16_t>(first, 1), claimed, parity);
    }
    const auto flags = static_cast<uint8_t>(Draw(random, 4) == 0 ? random() : Draw(random, 4));
    const auto datagram = Make({type, id, packet, length, flags}, body);
    if (Draw(random, 10) == 0)
    {
        datagram->RemoveAtEnd(Draw(random, datagram->GetSize()));
    }
    return datagram;
}

LFN_CASE_OF(JrmFuzzTestCase, uint32_t runs)
{
    for (uint32_t seed = 0; seed < runs; ++seed)
    {
        Random random(seed);
        const bool isSpoofed = seed % 2 == 1;
        JrmTestNetwork network(3);
        network.unknownHosts = true;
        network.settings.insert({{"MaxNackAttempts", "5"},
                                 {"Adaptive", seed % 3 == 0 ? "true" : "false"},
                                 {"MaxBackoff", seed % 4 < 2 ? "0s" : "10ms"},
                                 {"Aggregation", seed % 5 < 3 ? "0s" : "8ms"},
                                 {"Heartbeat", seed % 7 < 4 ? "0s" : "30ms"},
                                 {"GapNackAllPackets", seed % 11 < 6 ? "false" : "true"},
                                 {"CreateHolderOnGap", seed % 13 < 10 ? "true" : "false"},
                                 {"CompleteImmediately", seed % 17 < 13 ? "true" : "false"}});
        network.settings["Grtt"] = seed % 19 < 9 ? "false" : "true";
        network.settings["ReorderWait"] = seed % 29 < 15 ? "0s" : "15ms";
        network.settings["FromBeginning"] = seed % 23 < 12 ? "false" : "true";
        network.settings["ParityBlock"] = seed % 5 < 2 ? "0" : "3";
        network.AddPeers();
        network.spoofed = isSpoofed;
        uint64_t traced = 0;
        for (const auto& peer : network.peers)
        {
            peer->TraceConnectWithoutContext("Drop",
                                             Callback<void, Ptr<const Packet>, DropReason>(
                                                 [&](Ptr<const Packet>, DropReason) { ++traced; }));
        }
        uint64_t data = 0;
        network.judge = [&](const JrmTestSight& sight) {
            const bool isData = sight.down && sight.Is(JrmType::MSG);
            data += isData ? 1 : 0;
            return isData && data > 40 && data % 9 == 0 ? Fate::LOSE : Fate::PASS;
        };
        for (const std::size_t peer : {0, 1, 2})
        {
            network.SendMany(peer, 30, 2500, MilliSeconds(1 + peer));
        }
        std::size_t most = 0;
        for (uint32_t i = 0; i < DATAGRAMS; ++i)
        {
            // Numbers belong to those who spoke first.
            Simulator::Schedule(MilliSeconds(20) + MicroSeconds(Draw(random, 1'100'000)), [&]() {
                const auto host = Draw(random, 3);
                const auto from =
                    isSpoofed ? InetSocketAddress(network.addresses[Draw(random, 3)], JRM_PORT)
                              : UNKNOWN_HOST;
                network.Inject(host, from, Forge(random, network));
                most = std::max(most, network.peers[host]->GetReceiver().GetHolders());
            });
        }
        const auto left = network.Run(Seconds(75)); // 2 s, doubled four times, is the longest
        const auto message = "seed " + std::to_string(seed);
        NS_TEST_EXPECT_MSG_EQ(left, "", message);
        uint64_t drops = 0;
        uint64_t good = 0;
        for (uint32_t i = 0; i < 3; ++i)
        {
            drops += network.peers[i]->GetTotalDrops();
            good += network.CountMissing(i, i);
            NS_TEST_EXPECT_MSG_EQ(network.peers[i]->IsFinished(), false, message);
        }
        NS_TEST_EXPECT_MSG_EQ(drops, traced, message);
        NS_TEST_EXPECT_MSG_GT(drops, DATAGRAMS / 4, message);
        NS_TEST_EXPECT_MSG_LT(most, 30 * 1025, message);
        if (!isSpoofed && seed % 13 < 10 && seed % 7 >= 4)
        {
            // Unauthenticated hosts cannot touch what honest participants say, nor ask for what it
            // was not.
            NS_TEST_EXPECT_MSG_EQ(good, 0, message);
        }
    }
}

/** @brief JRM among enemies: random and mutated datagrams in all modes. */
const Suite g_suite("lfn-jrm-malformed", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string fuzz = " datagrams at random, of unauthenticated hosts and in others' names";
    suite.Add(new JrmFuzzTestCase("9600" + fuzz, 24));
    suite.Add(new JrmFuzzTestCase("800000" + fuzz, 2000), TestCase::Duration::TAKES_FOREVER);
});

} // namespace
