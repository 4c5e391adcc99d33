// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-dumbbell.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/queue-size.h"
#include "ns3/xcp-multiplicative-drop-law.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Dumbbell = XcpTestDumbbell; //!< shorter

/// Make a path whose mechanism is as it is by default: SRED and the report's law. The buffer is
/// over the bandwidth-delay product.
XcpTestPath
MakePath(uint32_t rttMs, double bufferBdp)
{
    return {.rttMs = rttMs,
            .bufferBdp = bufferBdp,
            .law = CreateObject<XcpMultiplicativeDropLaw>(),
            .isExact = false};
}

/** @brief What is to come of it in the last window. */
struct Bounds
{
    double leastXcp{0};         //!< goodput of XCP, [Mb/s]
    double mostUdp{0};          //!< goodput of UDP, [Mb/s]
    double utilisation{0};      //!< least of the link
    double leastProbability{0}; //!< p at its end
    double mostProbability{1};  //!< p at its end
};

/**
 * @brief UDP of a rate that obeys nobody, alongside XCP and the mechanism as it is by default, on a
 * link of 10 Mb/s; the last window is from when to when in s.
 */
LFN_CASE_OF(XcpUnresponsiveTestCase, std::string rate, double from, double to, Bounds bounds)
{
    Dumbbell network(MakePath(20, 1));
    network.AddFlow(0, true);
    network.AddUdp(1, rate, Seconds(5));
    Dumbbell::Run(Seconds(from));
    const auto rates = network.Measure(Seconds(to));
    const auto means = network.monitor->Take();
    const auto& account = network.disc->GetFairness()->GetAccount();
    NS_TEST_EXPECT_MSG_GT(rates[0] / 1e6, bounds.leastXcp, "XCP");
    NS_TEST_EXPECT_MSG_LT(rates[1] / 1e6, bounds.mostUdp, "UDP");
    NS_TEST_EXPECT_MSG_GT(means.utilisation, bounds.utilisation, "the link is used");
    NS_TEST_EXPECT_MSG_GT(account.dropProbability, bounds.leastProbability, "p has climbed");
    NS_TEST_EXPECT_MSG_LT(account.dropProbability, bounds.mostProbability, "and stays");
    NS_TEST_EXPECT_MSG_EQ_TOL(account.xcpFlows, 1, 0.01, "XCP is not forgotten");
    NS_TEST_EXPECT_MSG_EQ(network.monitor->GetLosses(true).fairness, 0, "XCP is never dropped");
}

LFN_CASE(XcpSharedCapacityTestCase)
{
    // Look at a window on a link of a given rate: XCP's share is within bounds.
    const auto look =
        [&](Dumbbell& network, uint32_t rate, Time length, double least, double most) {
            const auto rates = network.Measure(Simulator::Now() + length);
            const auto means = network.monitor->Take();
            const double share = Dumbbell::GetShare(rates, 0);
            const double until = Simulator::Now().GetSeconds();
            NS_TEST_EXPECT_MSG_GT(means.utilisation, 0.95, rate << " Mb/s is used, to " << until);
            NS_TEST_EXPECT_MSG_GT(share, least, "XCP's share of " << rate << " Mb/s, to " << until);
            NS_TEST_EXPECT_MSG_LT(share, most, "XCP's share of " << rate << " Mb/s, to " << until);
            NS_TEST_EXPECT_MSG_LT(means.queuePackets, 33, "the queue, to " << until);
        };
    Dumbbell network(MakePath(40, 1));
    network.AddFlow(0, true);
    network.AddFlow(1, false);
    Dumbbell::Run(Seconds(10));
    look(network, 10, Seconds(20), 0.3, 0.55);
    for (const uint32_t rate : {5, 10, 20, 10})
    {
        network.SetRate(std::to_string(rate) + "Mbps");
        // Over- or undershoot of the shares, but no pause; then within the mechanism's spread.
        look(network, rate, Seconds(2), 0.1, 0.85);
        Dumbbell::Run(Simulator::Now() + Seconds(3));
        look(network, rate, Seconds(15), 0.2, 0.6);
    }
}

/** @brief What was seen in 20 s. */
struct Result
{
    std::vector<double> rates; //!< goodput of XCP, then of TCP, [bit/s]
    double utilisation{0};     //!< of the second router's link
    double queue{0};           //!< of the second router, [packets]
    double xcpLosses{0};       //!< at the second router, [packets/s]
};

/// Run: 10 Mb/s and XCP at the first router, 40 ms, 47 packets of buffer at each; a rate of the
/// second router's link, perhaps a TCP flow on the same path.
Result
RunOnce(const std::string& rate, bool hasTcp)
{
    Dumbbell network(MakePath(40, 1));
    const auto receiver = network.topology->GetReceivers().Get(0);
    const auto device = Dumbbell::GetPeer(Dumbbell::GetDevice(receiver));
    device->SetAttribute("DataRate", StringValue(rate));
    XcpHelper plain;
    plain.SetQueueDisc("ns3::FifoQueueDisc");
    plain.SetAttribute("MaxSize", QueueSizeValue(QueueSize("47p")));
    XcpPortMonitor monitor(device, plain.InstallPort(device));
    network.AddFlow(0, true);
    if (hasTcp)
    {
        network.AddFlow(0, false);
    }
    Dumbbell::Run(Seconds(10));
    monitor.Begin();
    const auto before = monitor.GetLosses(true).tail;
    Result result;
    result.rates = network.Measure(Seconds(30));
    const auto means = monitor.Take();
    result.utilisation = means.utilisation;
    result.queue = means.queuePackets;
    result.xcpLosses = static_cast<double>(monitor.GetLosses(true).tail - before) / 20;
    return result;
}

/** @brief A router of XCP, and behind it one without. */
LFN_CASE(XcpMixedPathTestCase)
{
    // Wider: the first router rules, as if it were alone.
    const auto wide = RunOnce("20Mbps", false);
    NS_TEST_EXPECT_MSG_EQ_TOL(wide.rates[0] / 1e6, 10 * 1000.0 / 1062, 0.05, "all of 10 Mb/s");
    NS_TEST_EXPECT_MSG_LT(wide.queue, 2, "no queue at the second router");
    NS_TEST_EXPECT_MSG_EQ(wide.xcpLosses, 0, "no losses");
    const auto wideShared = RunOnce("20Mbps", true);
    NS_TEST_EXPECT_MSG_EQ_TOL(Dumbbell::GetShare(wideShared.rates, 0), 0.45, 0.15, "shared");
    NS_TEST_EXPECT_MSG_EQ(wideShared.xcpLosses, 0, "no losses");
    // Narrower: the first router has bandwidth to give away for ever, and losses alone stop the
    // window, which grows by a buffer in two RTTs. What is lost again in a recovery
    // waits for a timeout.
    Config::SetDefault("ns3::lfn::TcpXcp::PacedGrowth", DoubleValue(0));
    const auto narrow = RunOnce("5Mbps", false);
    NS_TEST_EXPECT_MSG_GT(narrow.rates[0] / 1e6, 2.5, "more than half of it");
    NS_TEST_EXPECT_MSG_LT(narrow.rates[0] / 1e6, 4.2, "timeouts cost something");
    NS_TEST_EXPECT_MSG_GT(narrow.queue, 10, "the buffer is used");
    NS_TEST_EXPECT_MSG_GT(narrow.xcpLosses, 10, "packets/s");
    NS_TEST_EXPECT_MSG_LT(narrow.xcpLosses, 40, "a window is halved, not wound up");
    Config::SetDefault("ns3::lfn::TcpXcp::PacedGrowth", DoubleValue(0.25));
    const auto paced = RunOnce("5Mbps", false);
    NS_TEST_EXPECT_MSG_GT(paced.rates[0], narrow.rates[0], "no bursts, fewer timeouts");
    Config::SetDefault("ns3::lfn::TcpXcp::PacedGrowth", DoubleValue(0));
    // There TCP has the rest.
    const auto narrowShared = RunOnce("5Mbps", true);
    NS_TEST_EXPECT_MSG_GT(Dumbbell::GetShare(narrowShared.rates, 0), 0.6, "XCP takes most");
    // 310 to 820 kb/s, by when it begins.
    NS_TEST_EXPECT_MSG_GT(narrowShared.rates[1], 200e3, "TCP goes on");
    NS_TEST_EXPECT_MSG_GT(narrowShared.utilisation, 0.8, "timeouts cost something");
}

/**
 * @brief XCP with the fairness mechanism as it is by default alongside UDP that obeys nothing, on
 * links that change their rate, and on paths of which a part has no XCP.
 */
const Suite g_suite("lfn-xcp-disturbance", TestSuite::Type::SYSTEM, [](Suite& suite) {
    // XCP is never without its share where UDP leaves some of the link, or p can make it.
    suite.Add(new XcpUnresponsiveTestCase("UDP at 5Mbps alongside XCP, default settings",
                                          "5Mbps",
                                          10,
                                          30,
                                          {4.2, 5.2, 0.99, 0.003, 0.1}));
    suite.Add(new XcpUnresponsiveTestCase("UDP at 9500kbps alongside XCP, default settings",
                                          "9500kbps",
                                          65,
                                          80,
                                          {4, 5.5, 0.99, 0.4, 0.55}),
              TestCase::Duration::EXTENSIVE);
    // Where UDP drowns the link p has to climb for 45 s, and XCP to come out of long timeouts.
    suite.Add(new XcpUnresponsiveTestCase("UDP at 15Mbps alongside XCP, default settings",
                                          "15Mbps",
                                          70,
                                          110,
                                          {0.1, 8.8, 0.8, 0.5, 0.9}));
    suite.Add(new XcpSharedCapacityTestCase(
        "capacity halved and doubled, XCP alongside TCP with the mechanism"));
    suite.Add(new XcpMixedPathTestCase("a router of XCP, then one without, narrower and wider"));
});

} // namespace
