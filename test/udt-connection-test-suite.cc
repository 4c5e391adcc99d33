// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/udt-connection.h"

#include <algorithm>
#include <cstdint>

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

/** @brief Two round trips; packet k of each kind lost costs 250 ms each. */
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

const Suite g_suite("lfn-udt-connection", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new SetUpCase("two round trips", 0, 0, MilliSeconds(40)));
    suite.Add(new SetUpCase("the request is lost", 1, 0, MilliSeconds(290)));
    suite.Add(new SetUpCase("the second request is lost", 2, 0, MilliSeconds(290)));
    suite.Add(new SetUpCase("the cookie is lost", 0, 1, MilliSeconds(290)));
    suite.Add(new SetUpCase("the answer is lost", 0, 2, MilliSeconds(290)));
    suite.Add(new ClientFailsCase("a server that is silent or refuses"));
    suite.Add(new CookieCase("cookies"));
});

} // namespace
