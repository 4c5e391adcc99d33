// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "lfn-test-case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t LONG = 100 * PACKET;   ///< an honest message
constexpr uint32_t SHORT = 3 * PACKET;    ///< the others
constexpr uint32_t HUGE = 65534 * PACKET; ///< and a byte more: as many packets as there may be

/// A forged datagram: at whom it is aimed, and from where it seems to come.
struct Forged
{
    uint32_t host;          ///< where it arrives
    InetSocketAddress from; ///< source
    Ptr<Packet> datagram;   ///< what it holds
    bool isUnicast{false};  ///< to the host, not to the group
};

/// Makes the k-th datagram of an attack.
using Attack = std::function<Forged(const JrmTestNetwork& network, uint32_t k)>;

/// A NACK request for packets of an honest message.
Ptr<Packet>
MakeNack(const JrmMessageId& id, const std::vector<uint16_t>& asked, bool all)
{
    return Make({JrmType::NACK_REQ, id, 1, 0, all ? JrmHeader::ALL_PACKETS : uint8_t{0}},
                JrmNackList::Write(asked));
}

/// The same, which parities will do for.
Ptr<Packet>
MakeParityNack(const JrmMessageId& id, const std::vector<uint16_t>& asked)
{
    return Make({JrmType::NACK_REQ, id, 1, 0, JrmHeader::PARITIES}, JrmNackList::Write(asked));
}

/// A source that changes with k.
InetSocketAddress
Spoof(uint32_t k)
{
    return {Ipv4Address(Ipv4Address("10.200.0.0").Get() + k), 666};
}

/** @brief What all participants sent, and whether honest messages came. */
struct Outcome
{
    uint64_t sent{0};    ///< bytes of IP packets
    uint64_t forged{0};  ///< the same of the attack
    uint64_t first{0};   ///< bytes of what host 0 sent for the first time
    uint64_t missing{0}; ///< honest messages not delivered
    std::string left;    ///< what is not over
};

/// Run three participants under an attack of a number of datagrams, which may be none: host 0 sends
/// long before it and, when steady, while it lasts; host 2 is a newcomer in its midst.
Outcome
RunAttack(const JrmSettings& settings,
          const Attack& attack,
          uint32_t count,
          Time interval,
          bool isSteady = false,
          bool isIpv6 = false)
{
    const uint32_t headers = isIpv6 ? 48 : 28; // of IP and UDP
    JrmTestNetwork network(3, 1, MicroSeconds(250), isIpv6);
    network.settings.insert({{"Adaptive", "false"}});
    for (const auto& [name, value] : settings)
    {
        network.settings[name] = value;
    }
    network.unknownHosts = true;
    network.AddPeers();
    Outcome outcome;
    for (const auto& peer : network.peers)
    {
        peer->TraceConnectWithoutContext(
            "Tx",
            Callback<void, Ptr<const Packet>>([&outcome, headers](Ptr<const Packet> packet) {
                outcome.sent += packet->GetSize() + headers;
            }));
    }
    network.SendMany(0, 1, LONG);
    network.SendMany(0, 20, SHORT, MilliSeconds(34));
    const Time middle = Seconds(1) + interval * static_cast<int64_t>(count / 2);
    network.SendMany(2, 5, SHORT, middle);
    const auto steady = interval * static_cast<int64_t>(count) / MilliSeconds(33);
    network.SendMany(0, isSteady ? static_cast<uint32_t>(steady.GetHigh()) : 0, SHORT, Seconds(1));
    for (uint32_t k = 0; attack && k < count; ++k)
    {
        Simulator::Schedule(Seconds(1) + interval * static_cast<int64_t>(k), [&, k]() {
            const auto forged = attack(network, k);
            outcome.forged += forged.datagram->GetSize() + headers;
            network.Inject(forged.host,
                           forged.from,
                           forged.datagram,
                           forged.isUnicast ? network.addresses[forged.host] : network.groups[0]);
        });
    }
    outcome.left = network.Run(Seconds(31) + interval * static_cast<int64_t>(count));
    outcome.first = network.peers[0]->GetSent().msgPackets * (PACKET + JrmHeader::SIZE + headers);
    outcome.missing = network.CountMissing(1, 1);
    return outcome;
}

constexpr uint32_t COUNT = 2000; //!< datagrams of an attack, 10 ms apart

/// An attack and how long it takes.
struct Plan
{
    std::string name; //!< what it is
    uint32_t times;   //!< datagrams, in COUNT; 0 for one alone
    Attack attack;    //!< makes them
};

/// The honest long message.
JrmMessageId
GetLong(const JrmTestNetwork& network)
{
    return network.sent.begin()->first;
}

/// A stream of the attacker.
JrmMessageId
GetForged(const JrmTestNetwork& network, uint32_t who, uint32_t message)
{
    return {1000 + who, network.groups[0].Get(), message};
}

/// The attacks, by name.
std::vector<Plan>
MakeAttacks()
{
    using Network = const JrmTestNetwork&;
    const auto data = [](const JrmMessageId& id, uint16_t packet, uint32_t length) {
        return JrmTestNetwork::MakeData(JrmType::MSG, id, packet, length);
    };
    const std::vector<uint16_t> one{1};
    std::vector<uint16_t> hundred(100);
    for (uint16_t i = 0; i < 100; ++i)
    {
        hundred[i] = static_cast<uint16_t>(i + 1);
    }
    const auto request = [=](bool isSpoofed, const std::vector<uint16_t>& list, bool all) {
        return [=](Network network, uint32_t k) {
            return Forged{0,
                          isSpoofed ? Spoof(k) : UNKNOWN_HOST,
                          MakeNack(GetLong(network), list, all),
                          true};
        };
    };
    return {
        {"all packets asked for", 4, request(false, {}, true)},
        {"a list of all packets asked for", 2, request(false, hundred, false)},
        {"one packet asked for", 4, request(false, one, false)},
        {"all packets asked for, a source each", 12, request(true, {}, true)},
        {"one packet asked for, a source each", 8, request(true, one, false)},
        {"65535 packets claimed, a participant each",
         1,
         [=](Network network, uint32_t k) {
             return Forged{1, UNKNOWN_HOST, data(GetForged(network, k, 7), 65535, HUGE + 1)};
         }},
        {"65535 packets claimed, a source each",
         1,
         [=](Network network, uint32_t k) {
             return Forged{1, Spoof(k), data(GetForged(network, k, 7), 65535, HUGE + 1)};
         }},
        {"65535 packets claimed, one participant",
         1,
         [=](Network network, uint32_t k) {
             return Forged{1, UNKNOWN_HOST, data(GetForged(network, 0, k), 65535, HUGE + 1)};
         }},
        {"1024 messages missing, one participant",
         1,
         [=](Network network, uint32_t k) {
             return Forged{1, UNKNOWN_HOST, data(GetForged(network, 0, 1024 * k), 1, 10)};
         }},
        {"1024 messages missing, by heartbeats",
         1,
         [=](Network network, uint32_t k) {
             return Forged{1,
                           UNKNOWN_HOST,
                           Make({JrmType::HEARTBEAT, GetForged(network, 0, 1024 * k), 0, 0})};
         }},
        {"1024 messages missing, in the name of an honest host",
         4,
         [=](Network network, uint32_t k) {
             auto id = network.sent.begin()->first;
             id.message += 21 + 1024 * (k + 1);
             return Forged{1, {network.addresses[0], JRM_PORT}, data(id, 1, 10)};
         }},
        {"probes in the name of an honest host",
         1,
         [=](Network network, uint32_t k) {
             const JrmMessageId id{1, network.groups[0].Get(), k};
             return Forged{1,
                           {network.addresses[0], JRM_PORT},
                           Make({JrmType::PROBE, id, static_cast<uint16_t>(k % 300), 0})};
         }},
        {"a message and a probe of it, by turns",
         1,
         [=](Network network, uint32_t k) {
             const auto id = GetForged(network, k / 2, k);
             return k % 2 == 0 ? Forged{1, UNKNOWN_HOST, data(id, 1, 10)}
                               : Forged{1, UNKNOWN_HOST, Make({JrmType::PROBE, id, 1, 0})};
         }},
        {"answers",
         1,
         [=](Network network, uint32_t k) {
             const JrmMessageId id{1, network.groups[0].Get(), k};
             return Forged{0, Spoof(k), Make({JrmType::ANSWER, id, 0, 0}), true};
         }},
    };
}

/// Claims of earlier messages, which are heeded with FromBeginning.
std::vector<Plan>
MakeClaims()
{
    using Network = const JrmTestNetwork&;
    const auto claim = [](const JrmMessageId& id, uint8_t earlier, JrmType type) {
        if (type == JrmType::HEARTBEAT)
        {
            return Make({type, id, 0, 0, earlier});
        }
        const auto datagram = JrmTestNetwork::MakeData(type, id, 1, 10);
        JrmHeader header;
        datagram->RemoveHeader(header);
        header.flags = earlier;
        datagram->AddHeader(header);
        return datagram;
    };
    const auto claims = [=](uint8_t earlier, JrmType type) {
        return [=](Network network, uint32_t k) {
            return Forged{1, Spoof(k), claim(GetForged(network, k, 7), earlier, type)};
        };
    };
    return {{"255 earlier messages claimed, once", 0, claims(255, JrmType::MSG)},
            {"254 earlier messages claimed, once", 0, claims(254, JrmType::MSG)},
            {"255 messages claimed by a heartbeat, once", 0, claims(255, JrmType::HEARTBEAT)},
            {"255 earlier messages claimed, a source each", 1, claims(255, JrmType::MSG)},
            {"254 earlier messages claimed, a source each", 1, claims(254, JrmType::MSG)},
            {"255 messages claimed by heartbeats", 1, claims(255, JrmType::HEARTBEAT)},
            {"255 earlier messages claimed, a participant each",
             1,
             [=](Network network, uint32_t k) {
                 return Forged{1, UNKNOWN_HOST, claim(GetForged(network, k, 7), 255, JrmType::MSG)};
             }},
            {"255 earlier messages claimed by returns of an honest host",
             4,
             [=](Network network, uint32_t k) {
                 auto id = network.sent.begin()->first;
                 id.message += 1400 * (k + 1);
                 return Forged{1, {network.addresses[0], JRM_PORT}, claim(id, 255, JrmType::MSG)};
             }}};
}

/// Requests that parities answer, and parities.
std::vector<Plan>
MakeParityAttacks()
{
    using Network = const JrmTestNetwork&;
    std::vector<uint16_t> hundred(100);
    std::iota(hundred.begin(), hundred.end(), uint16_t{1});
    const auto request = [](bool isSpoofed, const std::vector<uint16_t>& list) {
        return [=](Network network, uint32_t k) {
            const auto datagram = MakeParityNack(GetLong(network), list);
            return Forged{0, isSpoofed ? Spoof(k) : UNKNOWN_HOST, datagram, true};
        };
    };
    // A message begins, or is found missing, and parities of it go on.
    const auto parity = [](const JrmMessageId& id, uint32_t k, uint32_t length) {
        const auto index = static_cast<uint8_t>(k % 8);
        return JrmTestNetwork::MakeParity(id, 1, length, {20, index});
    };
    return {
        {"parities for all packets asked for", 4, request(false, hundred)},
        {"a parity asked for", 4, request(false, {1})},
        {"parities for all packets asked for, a source each", 12, request(true, hundred)},
        {"a parity asked for, a source each", 8, request(true, {1})},
        {"one more of each block asked for, by turns",
         8,
         [=](Network network, uint32_t k) {
             const std::vector<uint16_t> list(hundred.begin(), hundred.begin() + 1 + k % 20);
             return Forged{0, Spoof(k % 7), MakeParityNack(GetLong(network), list), true};
         }},
        {"parities of messages that claim 65535 packets",
         1,
         [=](Network network, uint32_t k) {
             const auto id = GetForged(network, k / 2, k);
             return Forged{1,
                           UNKNOWN_HOST,
                           k % 2 == 0 ? JrmTestNetwork::MakeData(JrmType::MSG, id, 1, 10)
                                      : parity(id, 0, HUGE + 1)};
         }},
        {"parities in the name of an honest host",
         4,
         [=](Network network, uint32_t k) {
             auto id = network.sent.begin()->first;
             id.message += 21 + 1024 * (k / 8 + 1);
             return Forged{1, {network.addresses[0], JRM_PORT}, parity(id, k, 20 * PACKET)};
         }},
    };
}

LFN_CASE_OF(JrmAmplificationTestCase, JrmSettings settings, bool isIpv6)
{
    const auto interval = MilliSeconds(10);
    const auto honest = RunAttack(settings, {}, COUNT, interval, false, isIpv6);
    NS_TEST_ASSERT_MSG_EQ(honest.left + std::to_string(honest.missing), "0", "no attack");
    for (const auto& [name, times, attack] : settings.contains("FromBeginning") ? MakeClaims()
                                             : settings.contains("ParityBlock")
                                                 ? MakeParityAttacks()
                                                 : MakeAttacks())
    {
        const auto count = std::max(times * COUNT, 1U);
        const auto outcome = RunAttack(settings, attack, count, interval, false, isIpv6);
        const auto more = static_cast<double>(outcome.sent) - static_cast<double>(honest.sent);
        const double ratio = more / static_cast<double>(outcome.forged);
        NS_TEST_EXPECT_MSG_EQ(outcome.left, "", name);
        NS_TEST_EXPECT_MSG_LT(ratio, 3, name << ": bytes sent for each forged byte");
        NS_TEST_EXPECT_MSG_EQ(outcome.missing, 0, name << ": honest messages");
    }
}

/**
 * @brief Requests for all packets of the newest message of a host that goes on sending: a receiver
 *        that gets nothing would ask for as much. Repairs are in proportion to what is sent.
 */
class JrmInsatiableTestCase : public CaseOf<bool>
{
    using CaseOf::CaseOf;

    void RunWith(bool isCoded) override;
};

void
JrmInsatiableTestCase::RunWith(bool isCoded)
{
    const std::vector<uint16_t> three{1, 2, 3};
    const JrmSettings settings{{"ParityBlock", isCoded ? "20" : "0"}};
    for (const bool isSpoofed : {false, true})
    {
        const auto attack = [&](const JrmTestNetwork& network, uint32_t k) {
            const auto newest = std::prev(network.sent.lower_bound({2, 0, 0}))->first;
            return Forged{0,
                          isSpoofed ? Spoof(k) : UNKNOWN_HOST,
                          isCoded ? MakeParityNack(newest, three) : MakeNack(newest, three, false),
                          true};
        };
        const auto honest = RunAttack(settings, {}, 10'000, MilliSeconds(1), true);
        const auto outcome = RunAttack(settings, attack, 10'000, MilliSeconds(1), true);
        const auto repairs = static_cast<double>(outcome.sent - honest.sent);
        const auto first = static_cast<double>(outcome.first);
        const double limit = isSpoofed ? 16 : 5;
        NS_TEST_EXPECT_MSG_GT(repairs, first, "it gets a lot");
        NS_TEST_EXPECT_MSG_EQ(outcome.left, "", "over");
        NS_TEST_EXPECT_MSG_EQ(outcome.missing, 0, "honest messages");
        NS_TEST_EXPECT_MSG_LT(repairs, limit * first + 17 * 1072, "RepairLimit");
    }
}

/**
 * @brief Honest sessions whose timers are far below the RTT: every receiver asks for each
 *        packet several times before an answer can come. They are served all the same.
 */
LFN_CASE_OF(JrmHonestTestCase, JrmSettings settings)
{
    JrmTestNetwork network(50, 1, MilliSeconds(50));
    network.settings.insert({{"Heartbeat", "100ms"}});
    for (const auto& [name, value] : settings)
    {
        network.settings[name] = value;
    }
    network.settings["SendTimeout"] = "25s";
    network.AddPeers();
    network.SendMany(0, 15, 10 * PACKET);
    NS_TEST_EXPECT_MSG_EQ(network.Run(Seconds(70)), "", "over");
    std::size_t missing = 0;
    uint64_t lost = 0;
    for (uint32_t host = 1; host < 50; ++host)
    {
        missing += network.CountMissing(host, host);
        lost += network.peers[host]->GetReceiver().GetCounters().lost;
    }
    const auto& sender = network.peers[0]->GetSender().GetCounters();
    NS_TEST_EXPECT_MSG_EQ(lost, 0, "given up");
    NS_TEST_EXPECT_MSG_EQ(missing, 0, "messages that did not come");
    NS_TEST_EXPECT_MSG_EQ(sender.denied, 0, "requests beyond RepairLimit");
    NS_TEST_EXPECT_MSG_GT(sender.responses, 15 * 10 * 5, "many were asked for");
}

/// Add what arrives of attacks on participants with some settings.
void
AddAttacks(Suite& suite,
           const std::string& name,
           const JrmSettings& settings,
           bool isIpv6 = false,
           TestCase::Duration duration = TestCase::Duration::QUICK)
{
    suite.Add(new JrmAmplificationTestCase(name, settings, isIpv6), duration);
}

// Other settings of the same rules, and expensive.
constexpr auto RARELY = TestCase::Duration::EXTENSIVE;

/// JRM under long attacks: what participants send because of unauthenticated hosts is bounded by
/// what came.
const Suite g_suite("lfn-jrm-amplification", TestSuite::Type::SYSTEM, [](Suite& suite) {
    AddAttacks(suite, "what is sent for what is forged", {{"Grtt", "true"}});
    AddAttacks(suite, "the same, over IPv6", {}, true, RARELY);
    AddAttacks(suite, "the same, ALL_PACKETS is heeded", {{"GapNackAllPackets", "true"}});
    AddAttacks(suite, "the same, suppression and aggregation", CALM, false, RARELY);
    AddAttacks(suite, "the same, RTTs are not probed", {}, false, RARELY);
    suite.Add(new JrmInsatiableTestCase("repairs are in proportion to what is sent", false));
    const std::string honest = "honest receivers do not feel it, ";
    suite.Add(new JrmHonestTestCase(honest + "20 % of loss, timers far too short",
                                    {{"Adaptive", "false"}, {"ReceiveErrorRate", "0.2"}}));
    suite.Add(new JrmHonestTestCase(honest + "30 % of loss, timers far too short",
                                    {{"Adaptive", "false"}, {"ReceiveErrorRate", "0.3"}}));
    suite.Add(new JrmHonestTestCase(honest + "30 % of loss, timers that adapt",
                                    {{"Adaptive", "true"}, {"ReceiveErrorRate", "0.3"}}));
    suite.Add(new JrmHonestTestCase(
        honest + "30 % of loss, timers that suit the path",
        {{"Adaptive", "false"}, {"NackTimeout", "433ms"}, {"ReceiveErrorRate", "0.3"}}));
});

const Suite g_options("lfn-jrm-amplification-options", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const JrmSettings parities{{"ParityBlock", "20"}};
    auto calm = CALM;
    calm.insert(parities.begin(), parities.end());
    AddAttacks(suite, "earlier messages are claimed, and asked for", {{"FromBeginning", "true"}});
    AddAttacks(suite, "parities are asked for, and forged", parities);
    AddAttacks(suite, "parities are asked for, and forged, over IPv6", parities, true, RARELY);
    AddAttacks(suite, "parities, suppression and aggregation", calm);
    suite.Add(new JrmInsatiableTestCase("parities are in proportion to what is sent", true));
});

} // namespace
