// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-files.h"

#include "ns3/error-model.h"
#include "ns3/lfn-file-topology.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-topology.h"
#include "ns3/parallel-tcp-transport.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <fstream>
#include <set>
#include <string>

/**
 * @file
 * @ingroup lfn
 * Random streams of a scenario: none serves two purposes, however large the network is.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief The stream of the losses of the first link of a star. */
int64_t
GetStreamOf(uint32_t nodes)
{
    const ScratchFolder folder;
    const auto file = (folder / "star.csv").string();
    {
        std::ofstream stream(file);
        stream << "node,n0,sender\nnode,n1,receiver\n";
        for (uint32_t i = 1; i < nodes; ++i)
        {
            stream << (i > 1 ? "node,n" + std::to_string(i) + "\n" : "") << "link,n0,n" << i
                   << ",1Gbps,1ms,,0.5\n";
        }
    }
    Scenario scenario("streams", "");
    const auto error = scenario.Check({"--topology=ns3::lfn::FileTopology[File=" + file + "]",
                                       "--outputDir=" + (folder / "out").string()});
    int64_t stream = -1;
    if (!error)
    {
        const auto topology = scenario.BuildTopology();
        PointerValue model;
        topology->GetBottlenecks().front().first->GetAttribute("ReceiveErrorModel", model);
        PointerValue variable;
        model.Get<ErrorModel>()->GetAttribute("RanVar", variable);
        stream = variable.Get<RandomVariableStream>()->GetStream();
        topology->Dispose();
    }
    Simulator::Destroy();
    return stream;
}

/** @brief Losses of many bottlenecks, of large topologies, many ports, and flows. */
LFN_CASE(StreamsCase)
{
    std::set<int64_t> taken;
    uint32_t count = 0;
    const auto take = [&](int64_t stream) {
        taken.insert(stream);
        ++count;
    };
    for (uint32_t i = 0; i < 20000; ++i)
    {
        take(RandomStreams::Loss(i));
        take(RandomStreams::ReverseLoss(i));
    }
    for (int64_t i = 0; i < RandomStreams::RANGE; ++i)
    {
        take(RandomStreams::TOPOLOGY + i);
    }
    for (int64_t i = 0; i < 20000; ++i)
    {
        take(RandomStreams::MANY_TOPOLOGY + i);
    }
    for (uint32_t port = 0; port < 2000; ++port)
    {
        for (int64_t i = 0; i < 10; ++i)
        {
            take(RandomStreams::Port(port) + i);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(taken.size(), count, "each has one purpose");
    NS_TEST_EXPECT_MSG_EQ((*taken.rbegin() > 0), true, "and is a stream");
    int64_t next = RandomStreams::Port(599) + 10;
    const auto takeRange = [&](int64_t first, int64_t length, const std::string& what) {
        const auto used = taken.lower_bound(first);
        NS_TEST_EXPECT_MSG_EQ((used == taken.end() || *used >= first + length), true, what);
        NS_TEST_EXPECT_MSG_EQ((first >= next), true, what << ", behind the one before");
        next = first + length;
    };
    for (uint32_t flow = 0; flow < 5000; ++flow)
    {
        takeRange(RandomStreams::Flow(flow), 1000, "flow " + std::to_string(flow));
    }
    for (uint32_t flow = 0; flow <= 200000; ++flow)
    {
        takeRange(RandomStreams::ManyFlow(flow), 10000, "large flow " + std::to_string(flow));
    }
    NS_TEST_EXPECT_MSG_LT(next, int64_t{1} << 32, "as many bits as ns3::TcpBbr takes");
    NS_TEST_EXPECT_MSG_EQ(RandomStreams::Port(7), 4070, "as ever in small networks");
    NS_TEST_EXPECT_MSG_EQ(RandomStreams::Loss(7), 1007, "as ever in small networks");
    NS_TEST_EXPECT_MSG_EQ(RandomStreams::ReverseLoss(7), 2007, "likewise");
    NS_TEST_EXPECT_MSG_EQ(GetStreamOf(3), RandomStreams::TOPOLOGY, "two links with loss");
    NS_TEST_EXPECT_MSG_EQ(GetStreamOf(502), RandomStreams::MANY_TOPOLOGY, "501 of them");
}

/** @brief Connections of flows alongside each other, up to as many as a flow may have. */
LFN_CASE(ConnectionStreamsCase)
{
    for (const uint32_t streams : {1U, 4U, 1000U, 1001U, 10000U})
    {
        int64_t next = 0;
        for (uint32_t i = 0; i < 5; ++i)
        {
            TransportFlow flow;
            flow.index = i;
            flow.stream = RandomStreams::Flow(i);
            const auto first = ParallelTcpTransport::GetFirstStream(flow, streams);
            NS_TEST_EXPECT_MSG_EQ((first >= next), true, streams << ", flow " << i);
            if (streams <= 1000)
            {
                NS_TEST_EXPECT_MSG_EQ(first, flow.stream, "the flow's own");
            }
            next = first + streams;
        }
    }
}

const Suite g_suite("lfn-streams", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new StreamsCase(
        "streams of losses, topologies, ports and flows are apart in large networks"));
    suite.Add(new ConnectionStreamsCase("connections of parallel-tcp have streams of their own"));
});

} // namespace
