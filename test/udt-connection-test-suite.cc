// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/udt-connection.h"
#include "ns3/udt-rendezvous.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t PEER = 77;

/** @brief Make a client's request. @return it */
UdtHandshake
MakeClient()
{
    UdtHandshake client;
    client.initialSequence = 1000;
    client.window = 8192;
    client.socketId = 5;
    return client;
}

/** @brief Make a server. @return it */
UdtListener
MakeServer()
{
    UdtHandshake server;
    server.mss = 1400;
    server.window = 512;
    server.socketId = 6;
    return {server, 12345};
}

/** @brief Two RTTs; packet k of each kind lost costs 250 ms each. */
LFN_CASE_OF(SetUpCase, uint32_t lostRequest, uint32_t lostReply, Time expected)
{
    const auto server = MakeServer();
    Time now = Seconds(1);
    UdtConnector client(MakeClient(), now);
    uint32_t requests = 0;
    uint32_t replies = 0;
    while (client.GetNextRequest())
    {
        now = std::max(now, *client.GetNextRequest());
        const auto request = client.Request(now);
        if (!request || ++requests == lostRequest)
        {
            continue;
        }
        const auto outcome = server.OnHandshake(now, PEER, *request);
        NS_TEST_ASSERT_MSG_EQ(outcome.reply.has_value(), true, "a reply");
        NS_TEST_EXPECT_MSG_EQ(outcome.reply->destination, 5, "to the client");
        if (++replies != lostReply)
        {
            now += MilliSeconds(20);
            NS_TEST_EXPECT_MSG_EQ(client.OnHandshake(now, *outcome.reply), true, "awaited");
        }
    }
    NS_TEST_EXPECT_MSG_EQ((client.GetState() == UdtConnector::State::CONNECTED), true, "connected");
    NS_TEST_EXPECT_MSG_EQ(now - Seconds(1), expected, "time");
    NS_TEST_EXPECT_MSG_EQ(client.GetAnswer().socketId, 6, "the server's");
    NS_TEST_EXPECT_MSG_EQ(client.GetAnswer().mss, 1400, "the smaller one");
    NS_TEST_EXPECT_MSG_EQ(client.GetAnswer().window, 512, "the server's");
    NS_TEST_EXPECT_MSG_EQ(client.GetAnswer().initialSequence, 1000, "the client's");
}

/** @brief A server that is silent, or refuses; packets that nobody waits for. */
LFN_CASE(ClientFailsCase)
{
    UdtConnector silent(MakeClient(), Seconds(1));
    uint32_t requests = 0;
    while (silent.GetNextRequest())
    {
        requests += silent.Request(*silent.GetNextRequest()) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ((silent.GetState() == UdtConnector::State::FAILED), true, "gives up");
    NS_TEST_EXPECT_MSG_EQ(requests, 12, "within 3 s");
    UdtConnector client(MakeClient(), Seconds(1));
    auto answer = MakeClient();
    answer.request = UdtHandshake::ANSWER;
    NS_TEST_EXPECT_MSG_EQ(client.OnHandshake(Seconds(1), answer), false, "before the cookie");
    auto other = MakeClient();
    other.initialSequence = 1001;
    NS_TEST_EXPECT_MSG_EQ(client.OnHandshake(Seconds(1), other), false, "not its number");
    NS_TEST_EXPECT_MSG_EQ(client.OnHandshake(Seconds(1), MakeClient()), true, "a cookie");
    for (const uint32_t mss : {0U, 44U, 1501U, 1U << 31})
    {
        answer.mss = mss;
        NS_TEST_EXPECT_MSG_EQ(client.OnHandshake(Seconds(1), answer), false, "MSS " << mss);
    }
    answer = MakeClient();
    answer.request = UdtHandshake::REFUSED;
    NS_TEST_EXPECT_MSG_EQ(client.OnHandshake(Seconds(1), answer), true, "refused");
    NS_TEST_EXPECT_MSG_EQ((client.GetState() == UdtConnector::State::REFUSED), true, "refused");
    NS_TEST_EXPECT_MSG_EQ(client.GetNextRequest().has_value(), false, "the end");
}

/** @brief Cookies are good for one client and for two minutes; wrong requests get no answer. */
LFN_CASE(CookieCase)
{
    const auto server = MakeServer();
    auto request = server.OnHandshake(Seconds(59), PEER, MakeClient()).reply.value();
    request.request = UdtHandshake::ANSWER;
    const auto isAccepted = [&](Time now, uint32_t peer) {
        return server.OnHandshake(now, peer, request).isAccepted;
    };
    NS_TEST_EXPECT_MSG_EQ(isAccepted(Seconds(59), PEER), true, "at once");
    NS_TEST_EXPECT_MSG_EQ(isAccepted(Seconds(59), PEER), true, "repeated");
    NS_TEST_EXPECT_MSG_EQ(isAccepted(Seconds(119), PEER), true, "a minute later");
    NS_TEST_EXPECT_MSG_EQ(isAccepted(Seconds(120), PEER), false, "too late");
    NS_TEST_EXPECT_MSG_EQ(isAccepted(Seconds(59), PEER + 1), false, "another client");
    const auto good = request;
    request.cookie ^= 1;
    NS_TEST_EXPECT_MSG_EQ(server.OnHandshake(Seconds(59), PEER, request).reply.has_value(),
                          false,
                          "no answer to a forged cookie");
    for (const uint32_t mss : {0U, 44U})
    {
        request = good;
        request.mss = mss;
        const auto outcome = server.OnHandshake(Seconds(59), PEER, request);
        NS_TEST_EXPECT_MSG_EQ(outcome.isAccepted, false, "MSS " << mss);
        NS_TEST_EXPECT_MSG_EQ(outcome.reply->request, UdtHandshake::REFUSED, "MSS " << mss);
    }
    request = good;
    request.window = 0;
    NS_TEST_EXPECT_MSG_EQ(isAccepted(Seconds(59), PEER), false, "window 0");
    request = good;
    request.version = 3;
    NS_TEST_EXPECT_MSG_EQ(isAccepted(Seconds(59), PEER), false, "version 3");
}

/** @brief Two ends that both connect, the second one later; packets are lost at random. */
LFN_CASE_OF(RendezvousCase, Time later, double loss)
{
    for (uint32_t seed = 0; seed < 100; ++seed)
    {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> draw;
        auto own = MakeClient();
        UdtRendezvous first(own, Seconds(1));
        own.initialSequence = 2000;
        own.mss = 1400;
        own.socketId = 6;
        UdtRendezvous second(own, Seconds(1) + later);
        const std::array<UdtRendezvous*, 2> ends{&first, &second};
        std::multimap<Time, std::pair<std::size_t, UdtHandshake>> flying;
        const auto send = [&](Time now, std::size_t to, const UdtHandshake& packet) {
            // The second end's socket is not there before it begins.
            if (draw(random) >= loss && (to == 0 || now >= Seconds(1) + later))
            {
                flying.emplace(now + MilliSeconds(10), std::pair(to, packet));
            }
        };
        while (first.GetNextRequest() || second.GetNextRequest() || !flying.empty())
        {
            Time now = flying.empty() ? Time::Max() : flying.begin()->first;
            for (const auto* end : ends)
            {
                now = std::min(now, end->GetNextRequest().value_or(Time::Max()));
            }
            if (!flying.empty() && flying.begin()->first == now)
            {
                const auto [to, packet] = flying.begin()->second;
                flying.erase(flying.begin());
                if (const auto answer = ends[to]->OnHandshake(now, packet))
                {
                    send(now, 1 - to, *answer);
                }
            }
            for (std::size_t end = 0; end < ends.size(); ++end)
            {
                if (ends[end]->GetNextRequest() == now)
                {
                    if (const auto request = ends[end]->Request(now))
                    {
                        send(now, 1 - end, *request);
                    }
                }
            }
        }
        for (const auto* end : ends)
        {
            NS_TEST_ASSERT_MSG_EQ((end->GetState() == UdtRendezvous::State::CONNECTED),
                                  true,
                                  "connected, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(end->GetPeer().mss, 1400, "the smaller one");
        }
        NS_TEST_EXPECT_MSG_EQ(first.GetPeer().initialSequence, 2000, "the peer's");
        NS_TEST_EXPECT_MSG_EQ(second.GetPeer().initialSequence, 1000, "the peer's");
    }
}

/** @brief What an end of a rendezvous refuses, and when it gives up. */
LFN_CASE(RendezvousRefusedCase)
{
    UdtRendezvous end(MakeClient(), Seconds(1));
    const auto bad = [&end](void (*spoil)(UdtHandshake&)) {
        auto packet = MakeClient();
        packet.request = 0;
        spoil(packet);
        return !end.OnHandshake(Seconds(1), packet) &&
               end.GetState() == UdtRendezvous::State::REQUESTED;
    };
    NS_TEST_EXPECT_MSG_EQ(bad([](UdtHandshake& packet) { packet.request = 1; }), true, "a client");
    NS_TEST_EXPECT_MSG_EQ(bad([](UdtHandshake& packet) { packet.version = 3; }), true, "version");
    NS_TEST_EXPECT_MSG_EQ(bad([](UdtHandshake& packet) { packet.window = 0; }), true, "window");
    NS_TEST_EXPECT_MSG_EQ(bad([](UdtHandshake& packet) { packet.mss = 44; }), true, "MSS");
    NS_TEST_EXPECT_MSG_EQ(bad([](UdtHandshake& packet) { packet.socketType = 2; }), true, "type");
    uint32_t requests = 0;
    while (end.GetNextRequest())
    {
        requests += end.Request(*end.GetNextRequest()) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(requests, 120, "within 30 s");
    NS_TEST_EXPECT_MSG_EQ((end.GetState() == UdtRendezvous::State::FAILED), true, "gives up");
}

const Suite g_suite("lfn-udt-connection", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new SetUpCase("two RTTs", 0, 0, MilliSeconds(40)));
    suite.Add(new SetUpCase("the request is lost", 1, 0, MilliSeconds(290)));
    suite.Add(new SetUpCase("the second request is lost", 2, 0, MilliSeconds(290)));
    suite.Add(new SetUpCase("the cookie is lost", 0, 1, MilliSeconds(290)));
    suite.Add(new SetUpCase("the answer is lost", 0, 2, MilliSeconds(290)));
    suite.Add(new ClientFailsCase("a server that is silent or refuses"));
    suite.Add(new CookieCase("cookies"));
    suite.Add(new RendezvousCase("rendezvous at the same time", Time(0), 0));
    suite.Add(new RendezvousCase("rendezvous, one end later", MilliSeconds(400), 0));
    suite.Add(new RendezvousCase("rendezvous with losses", MilliSeconds(3), 0.3));
    suite.Add(new RendezvousRefusedCase("rendezvous: what is refused"));
});

} // namespace
