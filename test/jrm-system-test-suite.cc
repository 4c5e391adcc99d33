// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/jrm-helper.h"
#include "ns3/jrm-peer.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-jrm
 * JRM on whole stacks: two participants on a link, as in the paper's experiments (section 4).
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Two participants that both send to one group over a link of 100 Mb/s.
class JrmPair
{
  public:
    Ipv4Address group{"224.1.1.1"};              //!< MCG
    std::vector<Ptr<JrmPeer>> peers;             //!< the participants
    std::map<JrmMessageId, uint32_t> delivered;  //!< how often each message was delivered
    std::map<std::string, StringValue> settings; //!< Attributes of both

    ~JrmPair()
    {
        Simulator::Destroy();
    }

    /// Build the network and the participants.
    void Build()
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetChannelAttribute("Delay", StringValue("100us"));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000p"));
        const auto devices = link.Install(nodes);
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        TrafficControlHelper::Default().Uninstall(devices);
        JrmHelper helper;
        helper.AddGroup(group);
        helper.SetAttribute("CheckContent", BooleanValue(true));
        for (const auto& [name, value] : settings)
        {
            helper.SetAttribute(name, value);
        }
        peers = helper.Install(nodes);
        for (uint32_t i = 0; i < peers.size(); ++i)
        {
            peers[i]->AssignStreams(10 * i);
            peers[i]->SetReceive(Callback<void, const JrmReceiverCore::Delivery&>(
                [this](const JrmReceiverCore::Delivery& message) { ++delivered[message.id]; }));
        }
    }

    /// Have a participant send messages at 30 a second.
    void Send(uint32_t peer, uint32_t messages, uint32_t bytes)
    {
        for (uint32_t i = 0; i < messages; ++i)
        {
            Simulator::Schedule(MilliSeconds(1) + Seconds(1) * i / 30,
                                [this, peer, bytes]() { peers[peer]->SendMessage(group, bytes); });
        }
    }
};

/** @brief Messages both ways, with and without errors. */
class JrmPairTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param packets packets of a message
     * @param error ErrorRate
     */
    JrmPairTestCase(uint32_t packets, double error)
        : TestCase("two participants, n = " + std::to_string(packets) +
                   ", e = " + std::to_string(error)),
          m_packets(packets),
          m_error(error)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t MESSAGES = 3000;
        JrmPair pair;
        pair.settings = {{"Adaptive", StringValue("false")},
                         {"NackBackoff", StringValue("1")},
                         {"MaxNackAttempts", StringValue("1000")},
                         {"SendTimeout", StringValue("100s")},
                         {"GapNackAllPackets", StringValue("true")},
                         {"Heartbeat", StringValue("100ms")},
                         {"ErrorRate", StringValue(std::to_string(m_error))}};
        pair.Build();
        for (const uint32_t peer : {0, 1})
        {
            pair.Send(peer, MESSAGES, m_packets * 1024 - 5);
        }
        Simulator::Stop(Seconds(160));
        Simulator::Run();

        double rounds = 0; // E[max of n geometrics] beyond the first transmission
        double variance = 0;
        for (int j = 0; j < 100; ++j)
        {
            const double more = 1 - std::pow(1 - std::pow(m_error, j + 1), m_packets);
            rounds += more;
            variance += (2 * j + 1) * more;
        }
        variance -= rounds * rounds;
        const double arrive = 1 - m_error;
        const double law = (m_packets + rounds) / arrive;
        const double sd = std::sqrt(m_packets * m_error) / arrive +
                          std::sqrt(variance + rounds * m_error) / arrive;
        for (const uint32_t peer : {0, 1})
        {
            const auto& mine = pair.peers[peer]->GetSent();
            const auto& other = pair.peers[1 - peer]->GetSent();
            const auto sent =
                static_cast<double>(mine.msgPackets + mine.nackResponses + other.nackRequests);
            NS_TEST_EXPECT_MSG_EQ(mine.msgPackets, MESSAGES * m_packets, "sent once");
            NS_TEST_EXPECT_MSG_EQ_TOL(sent / MESSAGES,
                                      law,
                                      3.5 * sd / std::sqrt(MESSAGES) + 0.002,
                                      "transmissions a message");
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
        if (m_error == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.delivered.size(), 2 * MESSAGES, "each of them");
        }
    }

    uint32_t m_packets; //!< packets of a message
    double m_error;     //!< ErrorRate
};

/** @brief Random and mutated datagrams harm nobody. */
LFN_CASE(JrmHostileTestCase)
{
    constexpr uint32_t MESSAGES = 300;
    JrmPair pair;
    pair.Build();
    pair.Send(0, MESSAGES, 3000);
    const auto stranger =
        Socket::CreateSocket(pair.peers[0]->GetNode(), UdpSocketFactory::GetTypeId());
    stranger->Bind();
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
                                       224,
                                       1,
                                       1,
                                       1};
                std::copy(std::begin(header), std::end(header), bytes.begin());
            }
            stranger->SendTo(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                             0,
                             InetSocketAddress(Ipv4Address("10.0.0.2"), 9100));
        });
    }
    Simulator::Stop(Seconds(15));
    Simulator::Run();
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

/** @brief Suite of JRM on whole stacks. */
const Suite g_suite("lfn-jrm-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(
        new JrmHostileTestCase("hostile datagrams, and a number that is another participant's"));
    for (const uint32_t packets : {1, 10})
    {
        for (const double error : {0.0, 0.3})
        {
            suite.Add(new JrmPairTestCase(packets, error));
        }
    }
});

} // namespace
