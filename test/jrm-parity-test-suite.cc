// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "jrm-test-probe.h"
#include "lfn-test-case.h"

#include "ns3/jrm-assembly.h"
#include "ns3/jrm-sender-core.h"
#include "ns3/lfn-erasure-code.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Reason = DropReason;

/// A receiver's answer to a parity of a message of packets of 100 bytes.
std::optional<DropReason>
TakeParity(JrmReceiverProbe& probe,
           int64_t ms,
           uint32_t message,
           uint16_t first,
           uint32_t length,
           const JrmParity& parity)
{
    const auto bytes = std::min(100U, length - (first - 1U) * 100);
    probe.core.Expire(MilliSeconds(ms));
    return probe.core.OnPacket(MakeJrmHeader(message, first, length, JrmType::PARITY),
                               bytes,
                               {},
                               MilliSeconds(ms),
                               JrmSource{},
                               parity);
}

/// Settings of a receiver that takes parities.
JrmReceiverCore::Settings
MakeCodedSettings()
{
    auto settings = MakeBasicSettings();
    settings.parityBlock = 4;
    return settings;
}

LFN_CASE(JrmParityReceiverTestCase)
{
    // Seven packets: a block of four, one of three. 2, 4 and 6 are lost.
    JrmReceiverProbe probe(MakeCodedSettings());
    for (const uint16_t packet : {1, 3, 5, 7})
    {
        probe.Take(0, 1, packet, 650);
    }
    NS_TEST_EXPECT_MSG_EQ(probe.At(20), "N1:2,4,6", "all that is missing");
    NS_TEST_EXPECT_MSG_EQ(TakeParity(probe, 21, 1, 1, 650, {4, 9}).has_value(), false, "taken");
    NS_TEST_EXPECT_MSG_EQ((TakeParity(probe, 21, 1, 1, 650, {4, 9}) == Reason::DUPLICATE),
                          true,
                          "twice");
    NS_TEST_EXPECT_MSG_EQ((TakeParity(probe, 21, 1, 1, 650, {2, 0}) == Reason::WRONG_LENGTH),
                          true,
                          "other blocks");
    NS_TEST_EXPECT_MSG_EQ((TakeParity(probe, 21, 1, 2, 650, {4, 1}) == Reason::OUT_OF_RANGE),
                          true,
                          "no block begins with packet 2");
    NS_TEST_EXPECT_MSG_EQ(probe.At(41), "N1:4,6", "one of the first block is enough");
    probe.Take(42, 1, 2, 650, JrmType::NACK_RESP);
    NS_TEST_EXPECT_MSG_EQ((probe.Take(42, 1, 4, 650, JrmType::NACK_RESP) == Reason::DUPLICATE),
                          true,
                          "the block is whole");
    NS_TEST_EXPECT_MSG_EQ((TakeParity(probe, 42, 1, 1, 650, {4, 1}) == Reason::DUPLICATE),
                          true,
                          "more of it is of no use");
    NS_TEST_EXPECT_MSG_EQ(probe.At(62), "N1:6", "of the other block");
    NS_TEST_EXPECT_MSG_EQ(TakeParity(probe, 63, 1, 5, 650, {4, 0}).has_value(), false, "taken");
    NS_TEST_EXPECT_MSG_EQ(probe.At(63), "D1", "whole");
    NS_TEST_EXPECT_MSG_EQ((TakeParity(probe, 64, 1, 5, 650, {4, 1}) == Reason::DUPLICATE),
                          true,
                          "over");

    // A message that is found missing: a parity reports its length, three more make it whole.
    probe.Take(70, 3, 1, 50);
    NS_TEST_EXPECT_MSG_EQ(probe.At(70), "N2:1 D3", "2 is missing");
    TakeParity(probe, 71, 2, 1, 400, {4, 0});
    NS_TEST_EXPECT_MSG_EQ(probe.At(91), "N2:2,3,4", "one stands for a packet");
    for (const uint8_t index : {1, 2, 3})
    {
        TakeParity(probe, 92, 2, 1, 400, {4, index});
    }
    NS_TEST_EXPECT_MSG_EQ(probe.At(92), "D2", "of parities alone");

    JrmReceiverProbe other(MakeCodedSettings());
    NS_TEST_EXPECT_MSG_EQ((TakeParity(other, 0, 1, 1, 400, {4, 0}) == Reason::UNEXPECTED),
                          true,
                          "they begin no stream");
    other.Take(0, 1, 1, 50);
    NS_TEST_EXPECT_MSG_EQ((TakeParity(other, 0, 2, 1, 100, {4, 0}) == Reason::OUT_OF_RANGE),
                          true,
                          "a packet alone has none");
    JrmReceiverProbe plain(MakeBasicSettings());
    plain.Take(0, 1, 1, 400);
    NS_TEST_EXPECT_MSG_EQ((TakeParity(plain, 0, 1, 1, 400, {4, 0}) == Reason::UNEXPECTED),
                          true,
                          "without the option");
}

/** @brief Suppression: another's request for as many packets of each block is as good. */
LFN_CASE(JrmParitySuppressionTestCase)
{
    const JrmMessageId id{PARTICIPANT, GROUP, 1};
    const auto count = [&](const std::vector<uint16_t>& requested, bool parities, uint8_t block) {
        auto settings = MakeCodedSettings();
        settings.maxBackoff = MilliSeconds(100);
        settings.parityBlock = block;
        JrmReceiverProbe probe(settings);
        for (const uint16_t packet : {1, 4, 5, 7, 8})
        {
            probe.Take(0, 1, packet, 800); // 2, 3 and 6 are lost
        }
        probe.At(20);
        probe.core.OnForeignNack(id, requested, false, MilliSeconds(20), parities);
        return probe.core.GetCounters().suppressed;
    };
    NS_TEST_EXPECT_MSG_EQ(count({1, 4, 8}, true, 4), 1, "two of the first block, one of the other");
    NS_TEST_EXPECT_MSG_EQ(count({1, 7, 8}, true, 4), 0, "one of the first block");
    NS_TEST_EXPECT_MSG_EQ(count({1, 4, 8}, false, 4), 0, "packets are asked for");
    NS_TEST_EXPECT_MSG_EQ(count({2, 3, 6}, false, 4), 1, "the same packets");
    NS_TEST_EXPECT_MSG_EQ(count({1, 4, 8}, true, 0), 0, "without the option parities are no help");
}

/**
 * @brief Messages of any length and block, packets and parities in any order, some twice: what is
 *        missing, counted a second time from the sets of what came; the bytes at the end.
 */
LFN_CASE(JrmAssemblyTestCase)
{
    std::mt19937 random(7);
    const auto draw = [&random](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    for (uint32_t message = 0; message < 300; ++message)
    {
        const uint32_t length = 1 + draw(2000);
        const auto packets = JrmAssembly::CountPackets(length, 100);
        const auto block = static_cast<uint8_t>(1 + draw(7));
        std::vector<std::vector<uint8_t>> sent;
        std::vector<uint8_t> all;
        for (uint64_t packet = 0; packet < packets; ++packet)
        {
            sent.emplace_back(std::min<uint64_t>(100, length - packet * 100));
            std::generate(sent.back().begin(), sent.back().end(), random);
            all.insert(all.end(), sent.back().begin(), sent.back().end());
        }
        JrmAssembly parts;
        NS_TEST_EXPECT_MSG_EQ(parts.CountMissing(), 1, "unknown");
        NS_TEST_EXPECT_MSG_EQ((parts.ListMissing(9) == std::vector<uint16_t>{1}), true, "unknown");
        parts.Begin(length, 100, true);
        std::set<uint64_t> came;                        // packets
        std::map<uint64_t, std::set<uint8_t>> parities; // by block
        const auto list = [&] {
            std::vector<uint16_t> missing;
            for (uint64_t first = 0; first < packets; first += block)
            {
                auto covered = parities[first / block].size();
                for (auto packet = first; packet < std::min(first + block, packets); ++packet)
                {
                    const bool isMissing = !came.contains(packet);
                    if (isMissing && covered == 0)
                    {
                        missing.push_back(static_cast<uint16_t>(packet + 1));
                    }
                    covered -= isMissing && covered > 0 ? 1 : 0;
                }
            }
            return missing;
        };
        while (!list().empty())
        {
            const uint64_t packet = draw(static_cast<uint32_t>(packets));
            const uint64_t first = packet / block * block;
            const auto size = std::min<uint64_t>(block, packets - first);
            auto& others = parities[first / block];
            uint64_t had = others.size();
            for (auto one = first; one < first + size; ++one)
            {
                had += came.contains(one) ? 1 : 0;
            }
            const bool isWhole = had == size;
            if (draw(3) > 0)
            {
                const bool isNew = !isWhole && came.insert(packet).second;
                const auto refused =
                    parts.Store(static_cast<uint16_t>(packet + 1), std::nullopt, sent[packet]);
                NS_TEST_EXPECT_MSG_EQ(!refused, isNew, "a packet");
            }
            else
            {
                const auto index = static_cast<uint8_t>(draw(4));
                const bool isNew = !isWhole && others.insert(index).second;
                const std::span<const std::vector<uint8_t>> pieces(sent.data() + first, size);
                auto parity = ErasureCode::MakeParity(pieces, index);
                const auto refused = parts.Store(static_cast<uint16_t>(first + 1),
                                                 JrmParity{block, index},
                                                 std::move(parity));
                NS_TEST_EXPECT_MSG_EQ(!refused, isNew, "a parity");
            }
            const auto missing = list();
            NS_TEST_EXPECT_MSG_EQ((parts.ListMissing(packets) == missing), true, "what is missing");
            NS_TEST_EXPECT_MSG_EQ(parts.CountMissing(), missing.size(), "how much");
        }
        NS_TEST_EXPECT_MSG_EQ((parts.GetData() == all), true, "the bytes of message " << message);
    }
}

/// The sending half of the tests, after a message of seven packets.
JrmSenderCore
MakeSender(JrmSenderCore::Settings settings, JrmMessageId& id)
{
    settings.participant = PARTICIPANT;
    settings.packetSize = 100;
    settings.adapt = MakeFixedRules();
    settings.parityBlock = 4;
    JrmSenderCore core;
    core.Start(settings);
    id = *core.Send(GROUP, 650, Time(0));
    return core;
}

/// What a sender sends: packets, and parities as first PSN and index, such as "3 1+0".
std::string
TakeResponses(JrmSenderCore& core)
{
    std::string words;
    while (const auto response = core.NextResponse())
    {
        words += (words.empty() ? "" : " ") + std::to_string(response->packet);
        words += response->parity ? "+" + std::to_string(response->parity->index) : "";
    }
    return words;
}

/** @brief A sender: as many as the one that lacks most of a block asks for, new ones each time. */
LFN_CASE(JrmParitySenderTestCase)
{
    JrmMessageId id;
    JrmSenderCore::Settings settings;
    settings.aggregation = MilliSeconds(10);
    auto core = MakeSender(settings, id);
    using List = std::vector<uint16_t>;
    const auto ask = [&](const List& packets, int64_t ms, uint64_t who, bool parities = true) {
        return core.OnNack(id, packets, false, MilliSeconds(ms), JrmSource{{who}, 0}, parities);
    };
    ask({2, 6}, 0, 1);
    ask({1, 3, 3, 3}, 1, 2);
    ask({4}, 2, 3);
    NS_TEST_EXPECT_MSG_EQ(TakeResponses(core), "", "they are gathered");
    core.Expire(MilliSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(TakeResponses(core), "1+0 1+1 5+0", "the most of each block");
    ask({2}, 30, 1);
    core.Expire(MilliSeconds(40));
    NS_TEST_EXPECT_MSG_EQ(TakeResponses(core), "1+2", "a new one");
    ask({2}, 50, 1, false);
    core.Expire(MilliSeconds(60));
    NS_TEST_EXPECT_MSG_EQ(TakeResponses(core), "2", "without support of parities it gets packets");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().parities, 4, "counted");
    NS_TEST_EXPECT_MSG_EQ(core.GetCounters().responses, 5, "of all");
    for (int64_t ms = 100; ms < 100 + 252; ++ms) // 256 - 4 of them there are, three were sent
    {
        ask({2}, ms, 1);
        core.Expire(MilliSeconds(ms + 10));
    }
    const auto words = TakeResponses(core);
    NS_TEST_EXPECT_MSG_EQ((words.find("1+251 1+0 1+1") != std::string::npos),
                          true,
                          "after the last one the first ones again");

    // Without gathering each request has its own answer; one packet alone is repeated.
    core = MakeSender({}, id);
    ask({2, 3}, 0, 1);
    ask({4}, 0, 2);
    NS_TEST_EXPECT_MSG_EQ(TakeResponses(core), "1+0 1+1 1+2", "at once");
    const auto single = core.Send(GROUP, 50, Time(0));
    core.OnNack(*single, List{1}, false, Time(0), JrmSource{}, true);
    NS_TEST_EXPECT_MSG_EQ(TakeResponses(core), "1", "a copy");
    const auto beyond = ask({8}, 0, 1);
    NS_TEST_EXPECT_MSG_EQ((beyond == Reason::OUT_OF_RANGE), true, "there is no packet 8");

    // Bounds: the same asker within the hold-off; what it may have; spacing where it gets scarce.
    settings = {};
    settings.holdOff = MilliSeconds(10);
    core = MakeSender(settings, id);
    ask({2}, 0, 1);
    const auto early = ask({3}, 9, 1);
    const auto other = ask({3}, 9, 2);
    const auto again = ask({3}, 18, 2);
    const auto later = ask({3}, 19, 2);
    NS_TEST_EXPECT_MSG_EQ((early == Reason::DUPLICATE), true, "it is on its way");
    NS_TEST_EXPECT_MSG_EQ(other.has_value(), false, "to another");
    NS_TEST_EXPECT_MSG_EQ((again == Reason::DUPLICATE), true, "the same for the other");
    NS_TEST_EXPECT_MSG_EQ(later.has_value(), false, "later");
    NS_TEST_EXPECT_MSG_EQ(TakeResponses(core), "1+0 1+1 1+2", "three of five");
    settings.holdOff = Time(0);
    settings.repairs = {1, 2};
    core = MakeSender(settings, id);
    uint32_t sent = 0;
    for (int64_t ms = 0; ms < 1000; ms += 10)
    {
        ask({1, 2, 3, 4}, ms, 1);
        while (core.NextResponse())
        {
            ++sent;
        }
    }
    // 790 B of datagrams were sent, 16 of 120 B are free: 2710 B, or 22 of 122 B.
    NS_TEST_EXPECT_MSG_EQ(sent, 22, "what one may have");
    NS_TEST_EXPECT_MSG_GT(core.GetCounters().denied, 90, "the rest is denied");
    settings.repairs = {0, 2};
    settings.spacing = MilliSeconds(20);
    core = MakeSender(settings, id);
    std::vector<int64_t> times;
    for (int64_t ms = 0; ms < 1000; ++ms)
    {
        core.Expire(MilliSeconds(ms));
        ask({1}, ms, 1 + static_cast<uint64_t>(ms));
        while (core.NextResponse())
        {
            times.push_back(ms);
        }
    }
    // 3500 B: 14 of 122 B at once, then 20 ms apart and more.
    NS_TEST_ASSERT_MSG_GT(times.size(), 18, "they go on");
    NS_TEST_EXPECT_MSG_EQ(times[13], 13, "one for each");
    NS_TEST_EXPECT_MSG_GT(times[17] - times[16], 19, "one for all");
}

/** @brief A message of any size survives any losses: whole stacks, content compared. */
LFN_CASE(JrmParityContentTestCase)
{
    for (const uint32_t bytes : {2 * PACKET, 7 * PACKET - 1, 8 * PACKET, 20 * PACKET + 1, PACKET})
    {
        for (const double loss : {0.05, 0.5})
        {
            JrmTestNetwork network(3);
            network.settings["ParityBlock"] = "4";
            network.settings["Heartbeat"] = "50ms";
            network.settings["MaxNackAttempts"] = "30";
            network.settings["SendTimeout"] = "50s";
            network.settings["KeepData"] =
                bytes % 2 == 0 ? "true" : "false"; // checked all the same
            network.AddPeers();
            std::mt19937 random(bytes);
            uint32_t parities = 0;
            network.judge = [&](const JrmTestSight& sight) {
                parities += sight.down && sight.Is(JrmType::PARITY) ? 1 : 0;
                const bool isFirst = sight.header.id == network.sent.begin()->first;
                const bool isBad = std::uniform_real_distribution<>()(random) < loss;
                return sight.down && isBad && !isFirst ? Fate::LOSE : Fate::PASS;
            };
            network.SendMany(0, 20, bytes);
            NS_TEST_EXPECT_MSG_EQ(network.Run(Seconds(120)), "", bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(network.CountMissing(1, 1), 0, bytes << " bytes: all came");
            NS_TEST_EXPECT_MSG_EQ(network.CountMissing(2, 2), 0, bytes << " bytes: all came");
            NS_TEST_EXPECT_MSG_EQ((parities > 0), (bytes > PACKET), bytes << " bytes: parities");
        }
    }
}

/** @brief One of three does not support the option: it gets packets, the others parities. */
LFN_CASE(JrmParityMixedTestCase)
{
    for (const uint32_t old : {0U, 2U})
    {
        JrmTestNetwork network(3);
        network.settings["Heartbeat"] = "50ms";
        network.settings["Aggregation"] = "5ms";
        for (uint32_t host = 0; host < 3; ++host)
        {
            network.settings["ParityBlock"] = host == old ? "0" : "5";
            network.AddPeer(host);
        }
        network.judge = [&](const JrmTestSight& sight) {
            const bool isLost = sight.down && sight.Is(JrmType::MSG) &&
                                sight.header.packet == 1 + sight.host &&
                                sight.header.id != network.sent.begin()->first;
            return isLost ? Fate::LOSE : Fate::PASS;
        };
        network.SendMany(0, 11, 10 * PACKET, MilliSeconds(1), MilliSeconds(200));
        NS_TEST_EXPECT_MSG_EQ(network.Run(Seconds(20)), "", "over");
        NS_TEST_EXPECT_MSG_EQ(network.CountMissing(1, 1), 0, "all came");
        NS_TEST_EXPECT_MSG_EQ(network.CountMissing(2, 2), 0, "all came");
        const auto& sent = network.peers[0]->GetSent();
        NS_TEST_EXPECT_MSG_EQ(sent.parities, (old == 0 ? 0 : 10), "for the one who takes them");
        NS_TEST_EXPECT_MSG_EQ(sent.nackResponses, 20, "each its own");
    }
}

/**
 * @brief R receivers lose with probability e each: k packets and parities are sent until the
 *        unluckiest has k of them.
 *
 * That is k and the maximum of R negative binomial variables (Nonnenmacher, Biersack and Towsley,
 * IEEE/ACM Transactions on Networking 6(4), 1998).
 */
LFN_CASE_OF(JrmParityLawTestCase, uint32_t receivers, uint32_t packets, double loss)
{
    constexpr uint32_t MESSAGES = 400;
    JrmTestNetwork network(1 + receivers);
    network.settings.insert({{"Adaptive", "false"},
                             {"NackTimeout", "60ms"},
                             {"NackBackoff", "1"},
                             {"MaxNackAttempts", "1000"},
                             {"Aggregation", "10ms"},
                             {"Heartbeat", "300ms"},
                             {"ParityBlock", std::to_string(packets)}});
    network.settings["SendTimeout"] = "20s";
    network.AddPeers();
    std::mt19937 random(receivers);
    uint64_t sends = 0;
    network.judge = [&](const JrmTestSight& sight) {
        const bool isData = sight.Is(JrmType::MSG) || sight.Is(JrmType::PARITY);
        const bool isFirst = sight.header.id == network.sent.begin()->first;
        sends += isData && !sight.down && !isFirst ? 1 : 0;
        const bool isBad = std::uniform_real_distribution<>()(random) < loss;
        return isData && sight.down && isBad && !isFirst ? Fate::LOSE : Fate::PASS;
    };
    network.SendMany(0, MESSAGES + 1, packets * PACKET, MilliSeconds(1), MilliSeconds(1000));
    const auto left = network.Run(Seconds(MESSAGES + 30));
    NS_TEST_EXPECT_MSG_EQ(left, "", "R = " << receivers);
    double mean = 0;
    double square = 0;
    for (uint32_t extra = 0; extra < 100; ++extra)
    {
        // A receiver lacks nothing if at most "extra" of packets + extra are lost.
        double enough = 0;
        for (uint32_t lost = 0; lost <= extra; ++lost)
        {
            enough += std::exp(std::lgamma(packets + extra + 1) - std::lgamma(lost + 1) -
                               std::lgamma(packets + extra - lost + 1) + lost * std::log(loss) +
                               (packets + extra - lost) * std::log(1 - loss));
        }
        const double more = 1 - std::pow(std::min(enough, 1.0), receivers);
        mean += more;
        square += (2 * extra + 1) * more;
    }
    const double error = std::sqrt((square - mean * mean) / MESSAGES);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(sends) / MESSAGES,
                              packets + mean,
                              3.5 * error,
                              "sends a message to " << receivers);
    NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetSent().parities,
                          network.peers[0]->GetSent().nackResponses,
                          "nothing else is retransmitted");
}

/**
 * @brief Repair by parity (JRM-D21): both cores step by step, the law of group sizes on whole
 * stacks, participants without the option.
 */
const Suite g_unit("lfn-jrm-parity", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new JrmParityReceiverTestCase("a receiver: what it asks for, what it refuses"));
    suite.Add(new JrmAssemblyTestCase("a message as far as it has come, in any order"));
    suite.Add(new JrmParitySuppressionTestCase("requests for as many packets suppress others"));
    suite.Add(new JrmParitySenderTestCase("a sender: the most of each block, new parities"));
});

const Suite g_suite("lfn-jrm-parity-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new JrmParityContentTestCase("messages of any size, losses of any kind"));
    suite.Add(new JrmParityMixedTestCase("participants without the option"));
    for (const uint32_t receivers : {1U, 3U, 10U})
    {
        const auto name = "law of " + std::to_string(receivers) + " receivers, ";
        suite.Add(new JrmParityLawTestCase(name + "7 packets, 10 % loss", receivers, 7U, 0.1));
        suite.Add(new JrmParityLawTestCase(name + "20 packets, 3 % loss", receivers, 20U, 0.03));
    }
});

} // namespace
