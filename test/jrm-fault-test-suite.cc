// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "lfn-test-case.h"

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

/** @brief A participant that can be stopped at any time. */
class StoppablePeer : public JrmPeer
{
  public:
    using JrmPeer::StopApplication;
};

/** @brief Each packet of the protocol lost, doubled and late once, by Attributes of all. */
class JrmOneFaultTestCase : public CaseOf<JrmSettings>
{
    using CaseOf::CaseOf;

    /** @brief Which packets. */
    struct Kind
    {
        std::string name;                              //!< of the kind
        bool down;                                     //!< on the way to a host, or from one
        std::function<bool(const JrmTestSight&)> fits; //!< says whether a packet is of that kind
        uint64_t least;                                //!< the number without failures
    };

    void RunWith(JrmSettings settings) override
    {
        const auto part = [](int which) {
            return [which](const JrmTestSight& sight) {
                const auto last = (sight.header.length + PACKET - 1) / PACKET;
                const auto packet = sight.header.packet;
                return sight.Is(JrmType::MSG) &&
                       (packet == 1 ? which == 0 : which == (packet < last ? 1 : 2));
            };
        };
        const auto type = [](JrmType which) {
            return [which](const JrmTestSight& sight) { return sight.Is(which); };
        };
        const bool isCalm = settings.contains("MaxBackoff");
        const std::vector<Kind> kinds{
            {"first packet, from its sender", false, part(0), 6},
            {"first packet, to one receiver", true, part(0), 12},
            {"middle packet", true, part(1), 4},
            {"last packet", true, part(2), 6},
            {"NACK request", false, type(JrmType::NACK_REQ), 3},
            {"NACK request at one participant", true, type(JrmType::NACK_REQ), 3},
            {"NACK response, from its sender", false, type(JrmType::NACK_RESP), 4},
            {"NACK response, to one receiver", true, type(JrmType::NACK_RESP), 8},
            {"heartbeat", false, type(JrmType::HEARTBEAT), 5},
        };
        for (const auto& kind : kinds)
        {
            const auto count = Run(settings, kind, 0, Fate::PASS, Time(0));
            NS_TEST_EXPECT_MSG_GT_OR_EQ(count, kind.least - (isCalm ? 1 : 0), kind.name);
            for (uint64_t k = 1; k <= count; ++k)
            {
                Run(settings, kind, k, Fate::LOSE, Time(0));
                Run(settings, kind, k, Fate::TWICE, Time(0));
                Run(settings, kind, k, Fate::LATE, MilliSeconds(15));
                // When messages are delivered, or no longer kept.
                Run(settings, kind, k, Fate::TWICE, MilliSeconds(300));
                Run(settings, kind, k, Fate::LATE, MilliSeconds(2500));
            }
        }
    }

    /// Run six messages. A packet of the second and all of the third one get lost once at one
    /// receiver, and a packet of the fourth one at both. Packet k, from 1, of a kind has a fault.
    /// Returns how many packets of that kind there were.
    uint64_t Run(const JrmSettings& settings, const Kind& kind, uint64_t k, Fate fate, Time delay)
    {
        JrmTestNetwork network(3);
        network.settings.insert({"Heartbeat", "40ms"});
        network.settings.insert(settings.begin(), settings.end());
        network.replayDelay = delay;
        network.AddPeers();
        uint64_t seen = 0;
        network.judge = [&](const JrmTestSight& sight) {
            if (sight.down == kind.down && kind.fits(sight) && ++seen == k)
            {
                return fate;
            }
            if (!sight.down || !sight.Is(JrmType::MSG))
            {
                return Fate::PASS;
            }
            const auto first = network.sent.begin()->first.message;
            const auto message = sight.header.id.message - first;
            const auto packet = sight.header.packet;
            const bool isLost = (message == 1 && packet == 2 && sight.host == 1) ||
                                (message == 2 && sight.host == 2) || (message == 3 && packet == 1);
            return isLost ? Fate::LOSE : Fate::PASS;
        };
        uint32_t number = 0;
        for (const uint32_t bytes :
             {3 * PACKET, 2 * PACKET + 1, 2 * PACKET, 3 * PACKET - 1, 5U, 0U})
        {
            network.SendMany(0, 1, bytes, MilliSeconds(1 + 33 * number++));
        }
        const auto left = network.Run(Seconds(9));
        const auto message = kind.name + " " + std::to_string(k) + ", fate " +
                             std::to_string(static_cast<int>(fate)) + ", " +
                             std::to_string(delay.GetMilliSeconds()) + " ms";
        NS_TEST_EXPECT_MSG_EQ(left, "", message);
        for (const uint32_t receiver : {1, 2})
        {
            NS_TEST_EXPECT_MSG_EQ(network.CountMissing(receiver, receiver), 0, message);
            NS_TEST_EXPECT_MSG_EQ(network.peers[receiver]->GetReceiver().GetCounters().beginnings,
                                  0,
                                  message);
        }
        NS_TEST_EXPECT_MSG_LT(network.lastDelivery, Seconds(1), message);
        NS_TEST_EXPECT_MSG_EQ(network.sent.size(), 6, message);
        return seen;
    }
};

LFN_CASE(JrmJoinTestCase)
{
    // Two participants talk, a third one joins.
    const auto run = [&](Time when) {
        JrmTestNetwork network(3);
        network.AddPeer(0);
        network.AddPeer(1);
        network.AddPeer(2, when);
        for (const std::size_t peer : {0, 1})
        {
            network.SendMany(peer, 45, 4 * PACKET, MilliSeconds(1 + 7 * peer));
        }
        network.SendMany(2, 10, 2 * PACKET, when + MilliSeconds(100));
        const auto message = std::to_string(when.GetMicroSeconds()) + " us";
        const auto left = network.Run(Seconds(6));
        NS_TEST_EXPECT_MSG_EQ(left, "", message);
        NS_TEST_EXPECT_MSG_EQ(network.CountMissing(0, 0), 0, message);
        NS_TEST_EXPECT_MSG_EQ(network.CountMissing(1, 1), 0, message);
        uint64_t requests = 0;
        uint64_t responses = 0;
        for (const uint32_t from : {0U, 1U})
        {
            // Messages take less than 2 ms: that many were over when it joined.
            const auto over = (when - MilliSeconds(1 + 7 * from)).GetMicroSeconds() / 33'000 + 1;
            const auto got = static_cast<int64_t>(network.Count(2, from));
            NS_TEST_EXPECT_MSG_GT_OR_EQ(got, 45 - over, message);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(got, 45 - over + 1, message);
            NS_TEST_EXPECT_MSG_EQ(network.peers[from]->GetSent().nackRequests, 0, message);
            responses += network.peers[from]->GetSent().nackResponses;
        }
        requests = network.peers[2]->GetSent().nackRequests;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(requests, 1, "only what it received a part of, " << message);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(responses, 3, message);
    };
    for (int step = 0; step < 20; ++step)
    {
        run(MicroSeconds(500'137 + 1710 * step));
    }
}

LFN_CASE(JrmBeginningRepairsTestCase)
{
    JrmTestNetwork network(3);
    network.settings.insert({"Adaptive", "false"});
    network.AddPeer(0);
    network.AddPeer(1);
    network.AddPeer(2, MilliSeconds(1490));
    network.judge = [&](const JrmTestSight& sight) {
        const auto age = sight.header.id.message - network.sent.begin()->first.message;
        const bool isLost = sight.host == 1 && age == 3 && Simulator::Now() < MilliSeconds(900);
        return isLost ? Fate::LOSE : Fate::PASS;
    };
    network.SendMany(0, 30, 100);
    network.SendMany(0, 10, 100, MilliSeconds(2001));
    const auto left = network.Run(Seconds(9));
    NS_TEST_EXPECT_MSG_EQ(left, "", "old repairs");
    NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), 40, "repaired at 1.68 s");
    NS_TEST_EXPECT_MSG_EQ(network.Count(2, 0), 10, "what came after it joined");
    NS_TEST_EXPECT_MSG_EQ(network.peers[2]->GetSent().nackRequests, 0, "and no more");
}

LFN_CASE_OF(JrmFirstLostTestCase, JrmSettings settings)
{
    // Host 1 loses the first sending of the first messages; host 2 is without the option.
    const auto run = [&](const JrmSettings& settings, uint32_t lost, uint32_t messages) {
        JrmTestNetwork network(3);
        network.settings.insert({{"Adaptive", "false"}, {"Heartbeat", "100ms"}});
        network.AddPeer(2);
        network.settings.insert(settings.begin(), settings.end());
        network.AddPeer(0);
        network.AddPeer(1);
        network.judge = [&](const JrmTestSight& sight) {
            const auto age = sight.header.id.message - network.sent.begin()->first.message;
            const bool isLost = sight.down && sight.host > 0 && sight.Is(JrmType::MSG);
            return isLost && age < lost ? Fate::LOSE : Fate::PASS;
        };
        network.SendMany(1, messages, 100);
        const auto left = network.Run(Seconds(20));
        const auto message = std::to_string(lost) + " of " + std::to_string(messages);
        NS_TEST_EXPECT_MSG_EQ(left, "", message);
        const bool isReported = settings.contains("FromBeginning");
        NS_TEST_EXPECT_MSG_EQ(network.Count(2, 0), messages - (isReported ? 0 : lost), message);
        NS_TEST_EXPECT_MSG_EQ(network.Count(0, 0), messages - lost, "without it, " << message);
        NS_TEST_EXPECT_MSG_EQ(network.peers[0]->GetSent().nackRequests, 0, message);
        const auto requests = network.peers[2]->GetSent().nackRequests;
        NS_TEST_EXPECT_MSG_EQ(requests, (isReported ? lost : 0), message);
    };
    // Who joins late gets what is still kept, all or nothing.
    const auto checkLate = [&](const JrmSettings& settings) {
        for (const auto& [keep, has] : std::map<std::string, uint32_t>{{"5s", 60}, {"500ms", 30}})
        {
            JrmTestNetwork network(2);
            network.settings.insert({{"Adaptive", "false"}});
            network.settings.insert(settings.begin(), settings.end());
            network.settings["SendTimeout"] = keep;
            network.AddPeer(0);
            network.AddPeer(1, MilliSeconds(985));
            network.SendMany(0, 60, 100);
            const auto left = network.Run(Seconds(12));
            const bool isReported = settings.contains("FromBeginning");
            NS_TEST_EXPECT_MSG_EQ(left, "", keep);
            NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0),
                                  (isReported ? has : 30),
                                  "kept for " << keep);
        }
    };
    for (const uint32_t lost : {0, 1, 5, 29})
    {
        run(settings, lost, 30);
    }
    run(settings, 1, 1); // only a heartbeat reports it
    checkLate(settings);
}

LFN_CASE_OF(JrmOvertakenTestCase, JrmSettings settings, uint32_t overtaken)
{
    constexpr uint32_t MESSAGES = 400;
    constexpr uint32_t LOST = 8;
    JrmTestNetwork network(3);
    network.settings.insert({{"Adaptive", "false"}, {"Heartbeat", "100ms"}});
    network.settings.insert(settings.begin(), settings.end());
    network.replayDelay = MilliSeconds(40); // messages are 33 ms apart
    network.AddPeers();
    network.judge = [&](const JrmTestSight& sight) {
        if (!sight.down || !sight.Is(JrmType::MSG))
        {
            return Fate::PASS;
        }
        const auto age = sight.header.id.message - network.sent.begin()->first.message;
        return age % 20 == 7 ? Fate::LATE : age % 50 == 11 ? Fate::LOSE : Fate::PASS;
    };
    network.SendMany(0, MESSAGES, 100);
    const auto left = network.Run(Seconds(25));
    NS_TEST_EXPECT_MSG_EQ(left, "", "over");
    for (const uint32_t host : {1, 2})
    {
        const auto& receiver = network.peers[host]->GetReceiver().GetCounters();
        NS_TEST_EXPECT_MSG_EQ(network.CountMissing(host, host), 0, "all came");
        NS_TEST_EXPECT_MSG_EQ(receiver.nacks, LOST + overtaken, "requests of " << host);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(receiver.duplicates, overtaken, "sent redundant");
    }
}

LFN_CASE(JrmLinkDownTestCase)
{
    // One participant sends, another one some, and two only listen; the link of a host goes down.
    const auto run = [&](uint32_t host, Time when, Time length, bool isCalm) {
        JrmTestNetwork network(4);
        if (isCalm)
        {
            network.settings.insert(CALM.begin(), CALM.end());
        }
        network.settings.insert({{"Heartbeat", "40ms"}, {"MaxNackAttempts", "6"}});
        network.AddPeers();
        uint64_t data = 0;
        network.judge = [&](const JrmTestSight& sight) {
            const bool isDown = Simulator::Now() >= when && Simulator::Now() < when + length;
            const bool isBad = sight.down && sight.Is(JrmType::MSG) && ++data % 9 == 0;
            return (isDown && sight.host == host) || isBad ? Fate::LOSE : Fate::PASS;
        };
        network.SendMany(0, 30, 3 * PACKET, MilliSeconds(1));
        network.SendMany(1, 30, 100, MilliSeconds(12));
        const auto message = "host " + std::to_string(host) + " at " +
                             std::to_string(when.GetMicroSeconds()) + " us for " +
                             std::to_string(length.GetMilliSeconds()) + " ms" +
                             (isCalm ? ", calm" : "");
        // All attempts, with timeouts that have grown to their bounds.
        const auto longest = network.peers[0]->GetReceiverSettings().GetLongestRepair();
        NS_TEST_EXPECT_MSG_LT(longest, Seconds(130), "2 s and 2 s doubled five times, and waits");
        const auto left = network.Run(longest + Seconds(5));
        NS_TEST_EXPECT_MSG_EQ(left, "", message);
        const bool isShort = length < Seconds(1);
        for (uint32_t peer = 0; peer < 4; ++peer)
        {
            for (const uint32_t from : {0U, 1U})
            {
                const bool isCut = peer == host || from == host;
                // Heartbeats and requests go on for longer than the short absence.
                if (peer != from && (isShort || !isCut))
                {
                    NS_TEST_EXPECT_MSG_EQ(network.Count(peer, from), 30, message);
                }
            }
        }
        // Those that are up have long repaired everything.
        NS_TEST_EXPECT_MSG_LT(network.lastDelivery, Seconds(5), message);
    };
    for (int step = 0; step < 5; ++step)
    {
        const Time when = MicroSeconds(200'137 + 6900 * step);
        for (const uint32_t host : {0, 1})
        {
            for (const bool isCalm : {false, true})
            {
                run(host, when, MilliSeconds(250), isCalm);
                run(host, when, Seconds(1000), isCalm);
            }
        }
    }
}

LFN_CASE(JrmRefusedTestCase)
{
    JrmTestNetwork network(2);
    network.AddPeers();
    network.AddPeer(1);
    auto& peer = *network.peers[0];
    NS_TEST_EXPECT_MSG_EQ(network.Send(0, 1).has_value(), false, "not yet started");
    NS_TEST_EXPECT_MSG_EQ(peer.Join(Ipv4Address("10.0.0.1")), false, "no group");
    Simulator::Schedule(MilliSeconds(1), [&]() {
        NS_TEST_EXPECT_MSG_EQ(peer.SendMessage(Ipv4Address("224.9.9.9"), 1).has_value(),
                              false,
                              "not joined");
        NS_TEST_EXPECT_MSG_EQ(network.Send(0, 65535 * PACKET + 1).has_value(),
                              false,
                              "too many packets");
    });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.peers[1]->GetReport().failure, "", "the first one");
    NS_TEST_EXPECT_MSG_EQ(network.peers[2]->GetReport().failure,
                          "UDP port 9100 is in use: set Port",
                          "the second one");
}

/// The taker of a message ends the participant, other messages wait behind it; literally,
/// without CompleteImmediately, they are complete at once.
LFN_CASE_OF(JrmStopsTestCase, bool literal, bool dispose)
{
    JrmTestNetwork network(2);
    network.AddPeer(0);
    const auto peer = CreateObject<StoppablePeer>();
    peer->SetAttribute("Participant", UintegerValue(2));
    peer->SetAttribute("CompleteImmediately", BooleanValue(!literal));
    peer->Join(network.groups[0]);
    uint32_t taken = 0;
    peer->SetReceive(
        Callback<void, const JrmReceiverCore::Delivery&>([&](const JrmReceiverCore::Delivery&) {
            if (++taken == 3)
            {
                if (dispose)
                {
                    peer->Dispose();
                }
                else
                {
                    peer->StopApplication();
                }
            }
        }));
    network.hosts.Get(1)->AddApplication(peer);
    // They come at one instant, so that literally all are complete at one instant.
    Simulator::Schedule(MilliSeconds(1), [&]() {
        for (uint32_t i = 0; i < 8; ++i)
        {
            const JrmMessageId id{1, network.groups[0].Get(), i};
            network.Inject(1,
                           {network.addresses[0], JRM_PORT},
                           JrmTestNetwork::MakeData(JrmType::MSG, id, 1, 10));
        }
    });
    const auto left = network.Run(Seconds(6));
    NS_TEST_EXPECT_MSG_EQ(left, "", "literal " << literal);
    NS_TEST_EXPECT_MSG_EQ(taken, 3, "none after the end, literal " << literal);
    NS_TEST_EXPECT_MSG_EQ(peer->IsFinished(), true, "ended");
    NS_TEST_EXPECT_MSG_EQ(peer->SendMessage(network.groups[0], 1).has_value(), false, "ended");
}

LFN_CASE_OF(JrmAnswersTestCase, bool literal)
{
    JrmTestNetwork network(2);
    network.settings.insert({"CompleteImmediately", literal ? "false" : "true"});
    network.settings.insert({"Heartbeat", "40ms"});
    network.settings["SendTimeout"] = "25s"; // longer than adaptive waits may get (J-C15)
    network.AddPeers();
    uint64_t data = 0;
    network.judge = [&](const JrmTestSight& sight) {
        return sight.Is(JrmType::MSG) && ++data % 5 == 0 ? Fate::LOSE : Fate::PASS;
    };
    network.onDelivery = [&](std::size_t peer, const JrmReceiverCore::Delivery& message) {
        if (peer == 1)
        {
            network.Send(1, message.length + 1);
        }
    };
    for (int i = 0; i < 5; ++i)
    {
        network.SendMany(0, 20, 2 * PACKET, MilliSeconds(1 + 80 * i), Time(0));
    }
    const auto left = network.Run(Seconds(120));
    NS_TEST_EXPECT_MSG_EQ(left, "", "literal " << literal);
    NS_TEST_EXPECT_MSG_EQ(network.Count(1, 0), 100, "messages, literal " << literal);
    NS_TEST_EXPECT_MSG_EQ(network.Count(0, 1), 100, "answers, literal " << literal);
}

/**
 * @brief JRM and faults: packets lost, doubled or late, links down, participants that join late,
 * callbacks.
 */
const Suite g_suite("lfn-jrm-fault", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string once = "each kind of packet lost, doubled or late once, ";
    suite.Add(new JrmOneFaultTestCase(once + "plain", {}));
    suite.Add(new JrmOneFaultTestCase(once + "fixed timers", {{"Adaptive", "false"}}));
    suite.Add(new JrmOneFaultTestCase(once + "suppression and aggregation", CALM));
    suite.Add(
        new JrmJoinTestCase("joining late: everything from then on, nothing asked of the past"));
    suite.Add(new JrmBeginningRepairsTestCase(
        "what is repeated for others says nothing of where a stream begins (J-C5)"));
    suite.Add(new JrmFirstLostTestCase("the first messages are lost: never missed", {}));
    suite.Add(new JrmFirstLostTestCase("the first messages are lost: asked for when reported",
                                       {{"FromBeginning", "true"}}));
    suite.Add(new JrmOvertakenTestCase("5 % are overtaken: a request each", {}, 20));
    suite.Add(new JrmOvertakenTestCase("5 % are overtaken: the wait is too short",
                                       {{"ReorderWait", "5ms"}},
                                       20));
    suite.Add(new JrmOvertakenTestCase("5 % are overtaken: none is asked for",
                                       {{"ReorderWait", "10ms"}},
                                       0));
    suite.Add(new JrmLinkDownTestCase(
        "link down for a while or for ever: the others are unaffected, all timers end"));
    for (const bool literal : {false, true})
    {
        const std::string name =
            std::string("from within a delivery") + (literal ? ", literal: " : ": ");
        suite.Add(new JrmStopsTestCase(name + "stopping", literal, false));
        suite.Add(new JrmStopsTestCase(name + "disposing", literal, true));
        suite.Add(new JrmAnswersTestCase(name + "sending", literal));
    }
    suite.Add(new JrmRefusedTestCase("what cannot be sent, and a port that is taken"));
});

} // namespace
