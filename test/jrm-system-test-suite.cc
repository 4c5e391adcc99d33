// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-pair.h"
#include "jrm-test-probe.h"
#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Have a participant send messages at 30 a second.
void
Send(JrmTestPair& pair, uint32_t peer, uint32_t messages, uint32_t bytes)
{
    for (uint32_t i = 0; i < messages; ++i)
    {
        Simulator::Schedule(MilliSeconds(1) + Seconds(1) * i / 30, [&pair, peer, bytes]() {
            pair.peers[peer]->SendMessage(Ipv4Address("239.1.0.1"), bytes);
        });
    }
}

LFN_CASE_OF(JrmPairTestCase, uint32_t packets, double error)
{
    constexpr uint32_t MESSAGES = 3000;
    JrmTestPair pair;
    const std::map<std::string, std::string> settings{{"Adaptive", "false"},
                                                      {"NackBackoff", "1"},
                                                      {"MaxNackAttempts", "1000"},
                                                      {"SendTimeout", "100s"},
                                                      {"GapNackAllPackets", "true"},
                                                      {"Heartbeat", "100ms"},
                                                      {"CheckContent", "true"},
                                                      {"ErrorRate", std::to_string(error)}};
    for (const auto& [name, value] : settings)
    {
        pair.helper.SetAttribute(name, StringValue(value));
    }
    pair.Build();
    for (const uint32_t peer : {0, 1})
    {
        Send(pair, peer, MESSAGES, packets * 1024 - 5);
    }
    JrmTestPair::Run(Seconds(160));

    const JrmRounds rounds(packets, error);
    const double arrive = 1 - error;
    const double law = (packets + rounds.mean) / arrive;
    const double sd = std::sqrt(packets * error) / arrive +
                      std::sqrt(rounds.variance + rounds.mean * error) / arrive;
    for (const uint32_t peer : {0, 1})
    {
        const auto& mine = pair.peers[peer]->GetSent();
        const auto& other = pair.peers[1 - peer]->GetSent();
        const auto sent =
            static_cast<double>(mine.msgPackets + mine.nackResponses + other.nackRequests);
        NS_TEST_EXPECT_MSG_EQ(mine.msgPackets, MESSAGES * packets, "sent once");
        NS_TEST_EXPECT_MSG_EQ_TOL(sent / MESSAGES,
                                  law,
                                  3.5 * sd / std::sqrt(MESSAGES) + 0.002,
                                  "transmissions per message");
        NS_TEST_EXPECT_MSG_EQ(pair.peers[peer]->GetReceiver().GetHolders(), 0, "nothing left");
        NS_TEST_EXPECT_MSG_EQ(pair.peers[peer]->GetReport().failure, "", "every byte is right");
    }
    uint32_t twice = 0;
    for (const auto& [id, times] : pair.delivered)
    {
        twice += times > 1 ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(twice, 0, "no message is delivered twice");
    // The first messages may be lost before anything is known of their sender (J-C5).
    NS_TEST_EXPECT_MSG_GT(pair.delivered.size(), 2 * MESSAGES - 20, "all are delivered");
    if (error == 0)
    {
        NS_TEST_EXPECT_MSG_EQ(pair.delivered.size(), 2 * MESSAGES, "each of them");
    }
}

LFN_CASE(JrmMalformedTestCase)
{
    constexpr uint32_t MESSAGES = 300;
    JrmTestPair pair;
    pair.helper.SetAttribute("CheckContent", BooleanValue(true));
    pair.Build();
    Send(pair, 0, MESSAGES, 3000);
    const auto unknownHost =
        Socket::CreateSocket(pair.peers[0]->GetNode(), UdpSocketFactory::GetTypeId());
    unknownHost->Bind();
    std::mt19937 random(5);
    for (int i = 0; i < 20000; ++i)
    {
        Simulator::Schedule(MicroSeconds(500) * (i + 10), [&, i]() {
            std::vector<uint8_t> bytes(random() % 200);
            for (auto& byte : bytes)
            {
                byte = static_cast<uint8_t>(random());
            }
            if (bytes.size() >= JrmHeader::SIZE && i % 4 != 0) // nearly a good one
            {
                const uint8_t header[]{static_cast<uint8_t>(1 + random() % 4),
                                       static_cast<uint8_t>(random() % 2),
                                       0,
                                       static_cast<uint8_t>(random() % 4),
                                       0,
                                       0,
                                       0,
                                       static_cast<uint8_t>(random() % 4),
                                       239,
                                       1,
                                       0,
                                       1};
                std::copy(std::begin(header), std::end(header), bytes.begin());
            }
            unknownHost->SendTo(ToPacket(bytes),
                                0,
                                InetSocketAddress(Ipv4Address("10.0.0.2"), 9100));
        });
    }
    JrmTestPair::Run(Seconds(15));
    uint32_t whole = 0;
    for (const auto& [id, times] : pair.delivered)
    {
        whole += id.participant == 1 && times == 1 ? 1 : 0;
    }
    const auto& victim = *pair.peers[1];
    NS_TEST_EXPECT_MSG_EQ(whole, MESSAGES, "the honest messages, each once");
    NS_TEST_EXPECT_MSG_GT(victim.GetDrops(DropReason::MALFORMED), 1000, "no header");
    NS_TEST_EXPECT_MSG_GT(victim.GetDrops(DropReason::UNKNOWN_PEER), 1000, "another's number");
    NS_TEST_EXPECT_MSG_LT(victim.GetReceiver().GetHolders(), 10000, "bounded");
    NS_TEST_EXPECT_MSG_EQ(victim.GetSender().GetCounters().responses, 0, "it sent nothing");
}

/** @brief JRM on whole stacks: two participants on a link. */
const Suite g_suite("lfn-jrm-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new JrmMalformedTestCase(
        "malformed datagrams, and a number that is another participant's"));
    for (const uint32_t packets : {1, 10})
    {
        for (const double error : {0.0, 0.3})
        {
            const auto name = "two participants, n = " + std::to_string(packets) +
                              ", e = " + std::to_string(error);
            suite.Add(new JrmPairTestCase(name, packets, error));
        }
    }
});

} // namespace
