// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"
#include "tcp-test-adversary.h"

#include "ns3/lfn-transport.h"
#include "ns3/rng-seed-manager.h"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * Transfers over TCP under replayed, mutated and forged segments, in all states.
 *
 * RngRun sets the first seed. LFN_ADVERSARY_MINUTES=60 goes on with other seeds for an hour and
 * prints each, so that one that ends the program can be run again: RngRun=SEED.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

using Limits = TcpAdversary::Limits; //!< shorter

constexpr uint64_t BYTES = 300'000; //!< of a transfer

/** @brief Transports whose data or control messages go over TCP. */
const std::vector<std::string> TRANSPORTS{"tcp",
                                          "tcp[Congestion=ns3::TcpBbr]",
                                          "parallel-tcp[Streams=3]",
                                          "xcp",
                                          "rbudp"};

/** @brief A transfer and its adversary. */
LFN_CASE_OF(AdversaryCase, std::string name, Limits limits)
{
    // Send a flow under attack.
    const auto attack = [&](const std::string& name, Limits limits, uint64_t seed) {
        const bool isIpv6 = seed % 2 == 0;
        const auto text = name + (isIpv6 ? " IPv6" : " IPv4") + ", RngRun=" + std::to_string(seed);
        std::vector<Ptr<Transport>> made;
        NS_TEST_ASSERT_MSG_EQ(Transport::Read(name, made).value_or(""), "", text);
        const auto transport = made.at(0);
        const auto topology =
            Build(std::string("PointToPointTopology[LinkRate=20Mbps|Rtt=20ms|Queue=100p|Ipv6=") +
                  (isIpv6 ? "true]" : "false]"));
        auto flow = MakeFlow(topology);
        flow.bytes = BYTES;
        flow.start = topology->GetReady() + MilliSeconds(100);
        flow.checkContent = true;
        NS_TEST_ASSERT_MSG_EQ(transport->Prepare(*topology).value_or(""), "", text);
        TransportEnds ends;
        NS_TEST_ASSERT_MSG_EQ(transport->Install(flow, ends).value_or(""), "", text);
        TcpAdversary adversary(topology, limits, seed);
        adversary.Forge(1000, flow.start + Seconds(3));
        adversary.Forge(500, flow.start + Seconds(300)); // retries, TIME_WAIT and CLOSED
        Simulator::Stop(flow.start + Seconds(600));
        Simulator::Run();
        const auto report = transport->GetReport(ends);
        NS_TEST_EXPECT_MSG_GT(adversary.GetForged(), 500, text);
        if (limits == Limits::DETECTABLE)
        {
            NS_TEST_EXPECT_MSG_EQ(report.failure, "", text);
            NS_TEST_EXPECT_MSG_EQ(report.completed, true, text);
            NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, BYTES, text);
            NS_TEST_EXPECT_MSG_EQ(report.lostBytes, 0, text);
        }
        for (const std::size_t host : {0, 1})
        {
            const auto& count = adversary.GetCount(host);
            NS_TEST_EXPECT_MSG_LT(count.sent, 2 * count.received + 4 * BYTES, text);
        }
        Finish(topology);
    };
    const auto* minutes = std::getenv("LFN_ADVERSARY_MINUTES");
    const auto share =
        minutes ? std::strtod(minutes, nullptr) * 60 / static_cast<double>(2 * TRANSPORTS.size())
                : 0; // of all cases
    const std::chrono::duration<double> limit(share);
    const auto start = std::chrono::steady_clock::now();
    const auto first = RngSeedManager::GetRun();
    constexpr uint64_t QUICK = 4; // seeds
    for (uint64_t seed = first;
         minutes ? std::chrono::steady_clock::now() - start < limit : seed < first + QUICK;
         ++seed)
    {
        if (minutes)
        {
            std::cout << name << " RngRun=" << seed << std::endl;
        }
        attack(name, limits, seed);
        if (IsStatusFailure())
        {
            return;
        }
    }
}

/** @brief What hosts send without a request. */
LFN_CASE_OF(AmplificationCase, std::string name, bool isSilent)
{
    std::vector<Ptr<Transport>> made;
    NS_TEST_ASSERT_MSG_EQ(Transport::Read(name, made).value_or(""), "", name);
    const auto topology = Build("PointToPointTopology[LinkRate=20Mbps|Rtt=20ms|Queue=100p]");
    auto flow = MakeFlow(topology);
    flow.bytes = BYTES;
    NS_TEST_ASSERT_MSG_EQ(made.at(0)->Prepare(*topology).value_or(""), "", name);
    TransportEnds ends;
    NS_TEST_ASSERT_MSG_EQ(made.at(0)->Install(flow, ends).value_or(""), "", name);
    TcpAdversary adversary(topology, Limits::DETECTABLE, RngSeedManager::GetRun());
    Simulator::Stop(Seconds(60)); // the transfer is over, and TCP's listeners are there
    Simulator::Run();
    const std::array before{adversary.GetCount(0), adversary.GetCount(1)};
    if (isSilent)
    {
        adversary.Silence();
    }
    for (uint32_t i = 0; i < 4000; ++i)
    {
        Simulator::Schedule(MilliSeconds(i), [&adversary, i, port = flow.port] {
            adversary.ForgeUnknown(i % 2, static_cast<uint16_t>(port + i % 3));
        });
    }
    Simulator::Stop(Seconds(600));
    Simulator::Run();
    for (const std::size_t host : {0, 1})
    {
        const auto& count = adversary.GetCount(host);
        const auto received = count.received - before.at(host).received;
        const auto sent = count.sent - before.at(host).sent;
        const auto syns = count.syns - before.at(host).syns;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(received, 40'000, name << ": asked");
        // A SYN is answered until the peer acknowledges or resets: SynRetries times more.
        const auto repeated = isSilent ? syns * 6 * 20 : 0;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sent, received * 11 / 10 + repeated, name << " at " << host);
    }
    Finish(topology);
}

const Suite g_suite("lfn-tcp-adversary", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const auto& name : TRANSPORTS)
    {
        suite.Add(new AdversaryCase(name + ": what is forged detectably changes nothing",
                                    name,
                                    Limits::DETECTABLE));
        suite.Add(new AdversaryCase(name + ": any forgery ends well or badly", name, Limits::NONE));
        suite.Add(new AmplificationCase(name + ": no amplification", name, false));
        suite.Add(new AmplificationCase(name + ": none of SYNs without an answer", name, true));
    }
});

} // namespace
