// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/atou-helper.h"
#include "ns3/baseline-helper.h"
#include "ns3/config.h"
#include "ns3/fec-helper.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/parallel-tcp-helper.h"
#include "ns3/rbudp-helper.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"
#include "ns3/vrp-helper.h"
#include "ns3/xcp-helper.h"
#include "ns3/xcp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint64_t BYTES = 1'000'000;      //!< to send
constexpr double LINK = 10e6;              //!< rate of the link, bit/s
constexpr const char* SEND_RATE = "9Mbps"; //!< of transports that need one

/// Puts a transfer on a network and returns its sender.
using Installer = std::function<Ptr<TransferApplication>(TestNetwork& network)>;

/** @brief In a plain script the sender's report has the goodput. */
LFN_CASE_OF(GoodputTestCase, Installer install)
{
    TestNetwork network({"10Mbps", MilliSeconds(5), false});
    const auto sender = install(network);
    TestNetwork::Run(Seconds(60));
    const auto& report = sender->GetReport();
    NS_TEST_ASSERT_MSG_EQ(report.completed, true, report.failure);
    NS_TEST_EXPECT_MSG_GT_OR_EQ(report.deliveredBytes, BYTES, "every byte");
    NS_TEST_EXPECT_MSG_LT(report.GoodputBps(), LINK, "no more than the link carries");
    NS_TEST_EXPECT_MSG_GT(report.GoodputBps(), 0.5 * LINK, "and no less than expected");
}

/** @brief Memory follows the data in flight: a large send buffer is not filled at once. */
LFN_CASE_OF(BacklogTestCase, Installer install)
{
    constexpr uint64_t AHEAD = 257 * 1500;  // segments that are written and not sent
    constexpr uint64_t FLIGHT = 120 * 1500; // a queue of 100 packets and the path
    TestNetwork network({"10Mbps", MilliSeconds(5), false});
    const auto sender = install(network);
    uint64_t most = 0;
    for (int i = 1; i < 100; ++i)
    {
        Simulator::Schedule(MilliSeconds(7 * i), [&most] {
            const auto sockets =
                Config::LookupMatches("/NodeList/0/$ns3::TcpL4Protocol/SocketList/*");
            for (std::size_t j = 0; j < sockets.GetN(); ++j)
            {
                const auto socket = DynamicCast<TcpSocketBase>(sockets.Get(j));
                most = std::max<uint64_t>(most, socket->GetTxBuffer()->Size());
            }
        });
    }
    TestNetwork::Run(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(sender->GetReport().completed, true, sender->GetReport().failure);
    NS_TEST_EXPECT_MSG_GT(most, 0, "some data");
    NS_TEST_EXPECT_MSG_LT(most, AHEAD + FLIGHT, "in a socket");
}

/// Install TCP or UDP.
Ptr<TransferApplication>
InstallBaseline(const TestNetwork& network, const std::string& protocol)
{
    BaselineHelper helper(protocol);
    helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
    if (protocol == "Udp")
    {
        helper.SetSourceAttribute("SendRate", StringValue(SEND_RATE));
    }
    return helper.Install(network.nodes.Get(0), network.nodes.Get(1), network.GetEnd(1, 9)).source;
}

/// Install FEC.
Ptr<TransferApplication>
InstallFec(const TestNetwork& network)
{
    FecHelper helper;
    helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
    helper.SetSourceAttribute("BlockPackets", UintegerValue(10));
    helper.SetSourceAttribute("SendRate", StringValue("8Mbps"));
    return helper.Install(network.nodes.Get(0), network.nodes.Get(1), network.GetEnd(1, 9)).source;
}

/// Install parallel TCP.
Ptr<TransferApplication>
InstallParallel(const TestNetwork& network)
{
    ParallelTcpHelper helper;
    helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
    return helper.Install(network.nodes.Get(0), network.nodes.Get(1), network.GetEnd(1, 9)).source;
}

/// Install XCP, with no router.
Ptr<TransferApplication>
InstallXcp(const TestNetwork& network)
{
    XcpHelper::Install(network.nodes);
    BaselineHelper helper("Tcp");
    const TypeIdValue factory(XcpSocketFactory::GetTypeId());
    helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
    helper.SetAttribute("SocketFactory", factory);
    return helper.Install(network.nodes.Get(0), network.nodes.Get(1), network.GetEnd(1, 9)).source;
}

/// Install RBUDP.
Ptr<TransferApplication>
InstallRbudp(const TestNetwork& network)
{
    RbudpHelper helper;
    helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
    helper.SetSourceAttribute("SendRate", StringValue(SEND_RATE));
    return helper
        .Install(network.nodes.Get(0),
                 network.GetEnd(0, 0),
                 network.nodes.Get(1),
                 network.GetEnd(1, 0))
        .source;
}

/// Install VRP.
Ptr<TransferApplication>
InstallVrp(const TestNetwork& network)
{
    VrpHelper helper;
    helper.SetFrameSourceAttribute("Bytes", UintegerValue(BYTES));
    const auto receiver = helper.AddSink(network.nodes.Get(1));
    const auto remote = network.GetEnd(1, helper.GetPort());
    return helper.Install(network.nodes.Get(0), receiver, remote).source;
}

/// Install atou.
Ptr<TransferApplication>
InstallAtou(const TestNetwork& network)
{
    AtouHelper helper;
    helper.ReadOptions("rcvrwin 100; maxpkts 800");
    return helper.Install(network.nodes.Get(0), network.nodes.Get(1), network.GetEnd(1, 0)).source;
}

/** @brief The suite of what reports say without a scenario program. */
/// Set a transfer whose send buffer has room for all of it.
template <typename Helper>
Ptr<TransferApplication>
InstallLarge(Helper helper, const TestNetwork& network)
{
    helper.SetSourceAttribute("Bytes", UintegerValue(15'000'000));
    helper.SetSourceAttribute("SndBufSize", UintegerValue(30'000'000));
    return helper.Install(network.nodes.Get(0), network.nodes.Get(1), network.GetEnd(1, 9)).source;
}

const Suite g_suite("lfn-goodput", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const auto add = [&suite](const std::string& name, const Installer& install) {
        suite.Add(new GoodputTestCase("goodput of a sender's report: " + name, install));
    };
    add("TCP", [](auto& network) { return InstallBaseline(network, "Tcp"); });
    add("UDP", [](auto& network) { return InstallBaseline(network, "Udp"); });
    add("FEC", InstallFec);
    add("parallel TCP", InstallParallel);
    add("XCP", InstallXcp);
    add("RBUDP", InstallRbudp);
    add("VRP", InstallVrp);
    add("atou", InstallAtou);
    suite.Add(new BacklogTestCase("what tcp writes ahead", [](const TestNetwork& network) {
        return InstallLarge(BaselineHelper("Tcp"), network);
    }));
    suite.Add(new BacklogTestCase("what parallel-tcp writes ahead", [](const TestNetwork& network) {
        ParallelTcpHelper helper;
        helper.SetSourceAttribute("Streams", UintegerValue(1));
        return InstallLarge(helper, network);
    }));
    suite.Add(new BacklogTestCase("what xcp writes ahead", [](const TestNetwork& network) {
        XcpHelper::Install(network.nodes);
        BaselineHelper helper("Tcp");
        helper.SetAttribute("SocketFactory", TypeIdValue(XcpSocketFactory::GetTypeId()));
        return InstallLarge(helper, network);
    }));
});

} // namespace
