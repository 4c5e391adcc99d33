// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/lfn-dumbbell-topology.h"
#include "ns3/lfn-transport.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What came of a transfer. */
struct Outcome
{
    std::vector<uint32_t> ranks; //!< Of the sender's and the receiver's node.
    uint64_t offered{0};         //!< User bytes that the source took.
    uint64_t delivered{0};       //!< User bytes that came.
    Time last;                   //!< When the last did.
    Time end;                    //!< Of the run.
};

constexpr uint64_t BYTES = 104'000; // thirteen messages of JRM

/** @brief A dumbbell in one process, split over ranks or not. */
LFN_CASE_OF(RanksCase, std::string transport, bool isIpv6)
{
    // Transfer BYTES.
    const auto transfer = [&](const std::string& name, bool isIpv6, uint32_t ranks, bool leaves) {
        const auto topology = CreateObject<DumbbellTopology>();
        topology->SetAttribute("Pairs", UintegerValue(1));
        topology->SetAttribute("Ranks", UintegerValue(ranks));
        if (isIpv6)
        {
            topology->SetAttribute("Ipv6", BooleanValue(true));
            topology->UseIpv6();
        }
        topology->Build();
        std::vector<Ptr<Transport>> transports;
        Transport::Read(name, transports);
        transports.at(0)->Prepare(*topology);
        auto flow = MakeFlow(topology);
        flow.bytes = BYTES;
        flow.sendRate = DataRate("10Mbps");
        flow.packetSize = 1000;
        flow.windowBytes = BYTES;
        TransportEnds ends;
        NS_TEST_EXPECT_MSG_EQ(transports[0]->Install(flow, ends).value_or(""), "", name);
        if (leaves)
        {
            LeaveOtherRanks(ends);
        }
        else
        {
            Simulator::Stop(Seconds(20));
        }
        Simulator::Run();
        const auto& sunk = ends.sink->GetReport();
        Outcome outcome{{flow.sender->GetSystemId(), flow.receiver->GetSystemId()},
                        ends.source->GetReport().offeredBytes,
                        sunk.deliveredBytes,
                        sunk.lastDelivery,
                        Simulator::Now()};
        NS_TEST_EXPECT_MSG_GT(outcome.offered, 0, name << ": the source is of this rank");
        Finish(topology);
        return outcome;
    };
    const auto whole = transfer(transport, isIpv6, 1, false);
    const auto split = transfer(transport, isIpv6, 2, false);
    NS_TEST_EXPECT_MSG_EQ(whole.delivered, BYTES, "of one rank");
    NS_TEST_EXPECT_MSG_EQ(split.delivered, whole.delivered, "of two ranks");
    NS_TEST_EXPECT_MSG_EQ(split.last, whole.last, "the links between ranks are as the others");
    NS_TEST_EXPECT_MSG_EQ((whole.ranks == std::vector<uint32_t>{0, 0}), true, "one rank");
    NS_TEST_EXPECT_MSG_EQ((split.ranks == std::vector<uint32_t>{0, 1}), true, "two ranks");
    const auto own = transfer(transport, isIpv6, 2, true);
    NS_TEST_EXPECT_MSG_EQ(own.delivered, 0, "the sink is the other process's");
    NS_TEST_EXPECT_MSG_LT(own.end, Seconds(1e6), "nor does it start at the end of all time");
}

const Suite g_suite("lfn-ranks", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const auto* name :
         {"udp", "fec-udp", "tcp", "parallel-tcp", "xcp", "atou", "vrp", "rbudp", "jrm", "udt"})
    {
        for (const bool isIpv6 : {false, true})
        {
            suite.Add(new RanksCase(std::string(name) + (isIpv6 ? " over IPv6" : " over IPv4"),
                                    name,
                                    isIpv6));
        }
    }
});

} // namespace
