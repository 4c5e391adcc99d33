// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "lfn-test-case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-jrm
 * JRM among enemies: random and mutated datagrams in all modes.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Datagrams at random, to all participants, in all modes: runs of 400 each. */
class JrmFuzzTestCase : public CaseOf<uint32_t>
{
    using CaseOf::CaseOf;

    static constexpr uint32_t DATAGRAMS = 400; //!< a run

    void RunWith(uint32_t runs) override
    {
        for (uint32_t seed = 0; seed < runs; ++seed)
        {
            Run(seed);
        }
    }

    /// A number below a limit.
    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>(m_random() % below);
    }

    /// A message number: one that is in use, nearly one, or any.
    uint32_t DrawMessage(const JrmTestNetwork& network, uint32_t participant)
    {
        const auto& sent = network.sent;
        const auto after = sent.lower_bound({participant + 1, 0, 0});
        const bool isKnown = after != sent.begin() &&
                             std::prev(after)->first.participant == participant && Draw(10) > 0;
        const auto near = isKnown ? std::prev(after)->first.message - Draw(6) + 2
                                  : static_cast<uint32_t>(m_random());
        return Draw(40) == 0 ? near + Draw(3000) - 1500 : near;
    }

    /// A datagram that is good, nearly good, or no good at all.
    Ptr<Packet> Forge(const JrmTestNetwork& network)
    {
        Bytes body(Draw(3) == 0 ? Draw(1100) : 100 * Draw(3));
        std::generate(body.begin(), body.end(), [this]() { return m_random() & 0xff; });
        if (Draw(8) == 0)
        {
            return Create<Packet>(body.data(), static_cast<uint32_t>(body.size()));
        }
        JrmMessageId id;
        id.participant = Draw(5) == 0 ? Draw(50) : 1 + Draw(3);
        id.group = Draw(12) == 0 ? Draw(UINT32_MAX) : network.groups[0].Get();
        id.message = DrawMessage(network, id.participant);
        const auto type = static_cast<JrmType>(1 + Draw(7));
        const auto length = Draw(4) == 0 ? static_cast<uint32_t>(m_random()) : 100 * Draw(60);
        const auto packet = static_cast<uint16_t>(Draw(6) == 0 ? m_random() : 1 + Draw(6));
        if (type == JrmType::NACK_REQ && Draw(4) > 0)
        {
            std::vector<uint16_t> asked(Draw(20));
            std::generate(asked.begin(), asked.end(), [this]() {
                return static_cast<uint16_t>(Draw(30) == 0 ? m_random() : 1 + Draw(6));
            });
            body = JrmNackList::Write(asked);
        }
        if (type == JrmType::MSG || type == JrmType::NACK_RESP)
        {
            const auto rest = length - std::min<uint64_t>((packet - 1ULL) * PACKET, length);
            body.resize(Draw(5) == 0 ? body.size() : std::min<uint64_t>(rest, PACKET));
            PatternPayload::Fill(JrmTestNetwork::GetOffset(id, packet), body); // content is checked
        }
        if (type == JrmType::PARITY && Draw(5) > 0)
        {
            const JrmParity parity{static_cast<uint8_t>(Draw(6) == 0 ? m_random() : 3),
                                   static_cast<uint8_t>(Draw(6) == 0 ? m_random() : Draw(4))};
            const auto first = static_cast<uint16_t>(Draw(6) == 0 ? packet : 1 + 3 * Draw(3));
            const auto claimed = Draw(4) == 0 ? length % 200'000 : 2500;
            return JrmTestNetwork::MakeParity(id, std::max<uint16_t>(first, 1), claimed, parity);
        }
        const auto flags = static_cast<uint8_t>(Draw(4) == 0 ? m_random() : Draw(4));
        const auto datagram = Make({type, id, packet, length, flags}, body);
        if (Draw(10) == 0)
        {
            datagram->RemoveAtEnd(Draw(datagram->GetSize()));
        }
        return datagram;
    }

    /// Run three participants that talk, with losses, and their enemies.
    void Run(uint32_t seed)
    {
        m_random.seed(seed);
        const bool isSpoofed = seed % 2 == 1;
        JrmTestNetwork network(3);
        network.strangers = true;
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
            Simulator::Schedule(MilliSeconds(20) + MicroSeconds(Draw(1'100'000)), [&]() {
                const auto host = Draw(3);
                const auto from =
                    isSpoofed ? InetSocketAddress(network.addresses[Draw(3)], JRM_PORT) : STRANGER;
                network.Inject(host, from, Forge(network));
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
            // Strangers cannot touch what honest participants say, nor ask for what it was not.
            NS_TEST_EXPECT_MSG_EQ(good, 0, message);
        }
    }

    std::mt19937_64 m_random; //!< what is forged
};

/** @brief The suite of JRM among enemies. */
const Suite g_suite("lfn-jrm-hostile", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string fuzz = " datagrams at random, of strangers and in others' names";
    suite.Add(new JrmFuzzTestCase("9600" + fuzz, 24));
    suite.Add(new JrmFuzzTestCase("800000" + fuzz, 2000), TestCase::Duration::TAKES_FOREVER);
});

} // namespace
