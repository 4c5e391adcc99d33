// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-controller.h"
#include "ns3/xcp-multiplicative-drop-law.h"
#include "ns3/xcp-queue-disc.h"
#include "ns3/xcp-sender-core.h"
#include "ns3/xcp-sred-estimator.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Class = XcpTcpFairness::TrafficClass;

/// Count the flows that a port sees: three ports of TCP, two of UDP, three of XCP, all between
/// the same hosts. An empty value of the Attribute is its default.
XcpTcpFairness::Account
Count(const std::string& flowId, bool isIpv6)
{
    const XcpTestPort disc;
    const auto fairness = MakeExactFairness();
    disc->SetAttribute("Fairness", PointerValue(fairness));
    disc->SetAttribute("FairnessInterval", TimeValue(MilliSeconds(10)));
    if (!flowId.empty())
    {
        disc->SetAttribute("FlowId", StringValue(flowId));
    }
    disc->Initialize();
    Pass(MilliSeconds(1));
    for (uint16_t port = 1; port <= 3; ++port)
    {
        disc->Enqueue(MakeXcpItem({.port = port, .ipv6 = isIpv6}));
        disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(), .port = port, .ipv6 = isIpv6}));
        if (port > 1)
        {
            disc->Enqueue(MakeXcpItem({.protocol = 17, .port = port, .ipv6 = isIpv6}));
        }
    }
    Pass(MilliSeconds(10));
    return fairness->GetAccount();
}

LFN_CASE(XcpFlowIdTestCase)
{
    for (const bool isIpv6 : {false, true})
    {
        for (const auto* name : {"", "AddressesAndPorts"})
        {
            const auto account = Count(name, isIpv6);
            NS_TEST_EXPECT_MSG_EQ(account.xcpFlows, 3, "ports of XCP");
            NS_TEST_EXPECT_MSG_EQ(account.e2eFlows, 5, "ports of TCP and UDP");
        }
        const auto account = Count("Addresses", isIpv6);
        NS_TEST_EXPECT_MSG_EQ(account.xcpFlows, 1, "a pair of hosts");
        NS_TEST_EXPECT_MSG_EQ(account.e2eFlows, 1, "a pair of hosts, with any protocol");
    }
    // Other addresses are another flow still, either way round.
    const auto item = MakeXcpItem({});
    Ipv4Header back;
    back.SetSource("10.0.0.2");
    back.SetDestination("10.0.0.1");
    back.SetProtocol(6);
    const auto reverse = Create<Ipv4QueueDiscItem>(MakeXcpPacket({}), Mac48Address(), 0x0800, back);
    constexpr auto addresses = XcpFlowId::ADDRESSES;
    NS_TEST_EXPECT_MSG_NE(XcpPacketView::Look(*item, 253, addresses).flow,
                          XcpPacketView::Look(*reverse, 253, addresses).flow,
                          "the other direction");
}

/// Let 40 packets of 1000 B come in an interval of 10 ms, all of which the mechanism lets pass;
/// the buffer takes ten and four leave. In the next interval the mechanism drops all. Returns
/// the rates of both intervals in B/s; an empty value of the Attribute is its default.
std::vector<double>
RunOnce(const std::string& measured)
{
    const XcpTestPort disc("10p", "8Mbps");
    const auto fairness = MakeExactFairness();
    const auto law = CreateObject<XcpMultiplicativeDropLaw>();
    law->SetAttribute("MinProbability", DoubleValue(1));
    law->SetAttribute("UtilisationThreshold", DoubleValue(0.1));
    fairness->SetAttribute("DropLaw", PointerValue(law));
    if (!measured.empty())
    {
        fairness->SetAttribute("RateMeasured", StringValue(measured));
    }
    disc->SetAttribute("Fairness", PointerValue(fairness));
    disc->SetAttribute("FairnessInterval", TimeValue(MilliSeconds(10)));
    disc->Initialize();
    Pass(MilliSeconds(1));
    std::vector<double> rates;
    for (int interval = 0; interval < 2; ++interval)
    {
        // XCP's packet first, so that it finds room; its departure is no byte of E2E's.
        disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
        for (int i = 0; i < 40; ++i)
        {
            disc->Enqueue(MakeXcpItem({.payload = 960}));
        }
        for (int i = 0; i < 5; ++i)
        {
            disc->Dequeue();
        }
        Pass(MilliSeconds(10));
        rates.push_back(fairness->GetAccount().e2eRate);
    }
    return rates;
}

/** @brief Which bytes are E2E's rate. */
LFN_CASE(XcpRateMeasuredTestCase)
{
    const std::vector<double> accepted{4e6, 0};
    const std::vector<double> arrived{4e6, 4e6};
    // One of XCP and four of E2E, then five of E2E's that were left.
    const std::vector<double> departed{4e5, 5e5};
    NS_TEST_EXPECT_MSG_EQ((RunOnce("") == accepted), true, "accepted unless said otherwise");
    NS_TEST_EXPECT_MSG_EQ((RunOnce("Accepted") == accepted), true, "accepted");
    NS_TEST_EXPECT_MSG_EQ((RunOnce("Arrived") == arrived), true, "arrived");
    NS_TEST_EXPECT_MSG_EQ((RunOnce("Departed") == departed), true, "departed");
}

LFN_CASE(XcpForgetSilentTestCase)
{
    for (const bool forgets : {false, true})
    {
        const auto fairness = CreateObject<XcpTcpFairness>();
        fairness->SetAttribute("ForgetSilent", BooleanValue(forgets));
        fairness->AssignStreams(3);
        const auto step = [&](uint32_t ofXcp) {
            for (uint32_t i = 0; i < ofXcp; ++i)
            {
                fairness->OnArrival(Class::XCP, 1 + i % 2, 1000);
            }
            fairness->OnArrival(Class::E2E, 7, 1000);
            fairness->OnInterval(MilliSeconds(100), 1e6, 0.1);
            return fairness->GetAccount().xcpFlows;
        };
        for (int i = 0; i < 100; ++i)
        {
            step(100);
        }
        const double before = fairness->GetAccount().xcpFlows;
        NS_TEST_EXPECT_MSG_EQ_TOL(before, 2, 0.2, "two flows");
        for (int i = 0; i < 9; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((step(0)), before, "less than 1 s, " << i);
        }
        for (int i = 0; i < 100; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((step(0)), 0, "silent");
        }
        const double after = step(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(after, (forgets ? 0 : before), 0.01, "back");
    }
}

LFN_CASE(XcpLossTimeoutTestCase)
{
    const auto fairness = CreateObject<XcpTcpFairness>();
    const auto end = [&] {
        fairness->OnInterval(MilliSeconds(100), 1e6, 0.1);
        return fairness->GetAccount().xcpFlows;
    };
    const auto arrive = [&](uint32_t packets) {
        for (uint32_t i = 0; i < packets; ++i)
        {
            fairness->OnArrival(Class::XCP, 1, 1000);
        }
    };
    arrive(2000);
    fairness->OnTailDrop(Class::XCP);
    NS_TEST_EXPECT_MSG_EQ((end()), 1, "a flow");
    for (int i = 0; i < 599; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((end()), 1, "may be waiting, " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((end()), 0, "60 s are over");
    // A packet that gets in after a drop: nothing is owed.
    arrive(1);
    fairness->OnTailDrop(Class::XCP);
    arrive(1);
    NS_TEST_EXPECT_MSG_EQ((end()), 1, "back");
    for (int i = 0; i < 9; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((end()), 1, "less than 1 s, " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((end()), 0, "silent after 1 s");
    // The other class's drops are not its own, and the time is an Attribute.
    fairness->SetAttribute("LossTimeout", TimeValue(Seconds(2)));
    arrive(1);
    fairness->OnTailDrop(Class::E2E);
    for (int i = 0; i <= 10; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((end()), (i < 10 ? 1 : 0), "of the other class, " << i);
    }
    arrive(1);
    fairness->OnTailDrop(Class::XCP);
    for (int i = 0; i <= 20; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((end()), (i < 20 ? 1 : 0), "2 s, " << i);
    }
}

/** @brief A port reports the mechanism of what its buffer has no room for. */
LFN_CASE(XcpLossyPortTestCase)
{
    for (const bool isFull : {false, true})
    {
        const XcpTestPort disc(isFull ? "4p" : "5p", "8Mbps");
        const auto fairness = CreateObject<XcpTcpFairness>();
        const auto sred = CreateObject<XcpSredEstimator>();
        sred->SetAttribute("TableSize", UintegerValue(2));
        fairness->SetAttribute("XcpEstimator", PointerValue(sred));
        disc->SetAttribute("Fairness", PointerValue(fairness));
        disc->SetAttribute("FairnessInterval", TimeValue(MilliSeconds(100)));
        disc->Initialize();
        for (int i = 0; i < 5; ++i)
        {
            disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
        }
        Pass(Seconds(5));
        NS_TEST_EXPECT_MSG_EQ(fairness->GetAccount().xcpFlows, (isFull ? 1 : 0), "after 5 s");
    }
}

/** @brief A drop law that records the RTTs that it gets. */
class NotingLaw : public XcpDropLaw
{
  public:
    Decision Decide(const Observation& observation) override
    {
        rtts.push_back(observation.meanRtt);
        return {};
    }

    Decision Rest() override
    {
        return {};
    }

    std::vector<double> rtts; //!< one an interval, [s]
};

LFN_CASE(XcpKnownRttTestCase)
{
    const XcpTestPort disc("1000p", "8Mbps");
    const auto fairness = CreateObject<XcpTcpFairness>();
    const auto law = CreateObject<NotingLaw>();
    fairness->SetAttribute("DropLaw", PointerValue(law));
    for (const auto* name : {"XcpEstimator", "E2eEstimator"})
    {
        const auto sred = CreateObject<XcpSredEstimator>();
        sred->SetAttribute("TableSize", UintegerValue(2));
        fairness->SetAttribute(name, PointerValue(sred));
    }
    disc->SetAttribute("Fairness", PointerValue(fairness));
    disc->Initialize();
    const auto come = [&](double rtt) {
        for (int i = 0; i < 5; ++i)
        {
            disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(1e-3, rtt)}));
            disc->Enqueue(MakeXcpItem({}));
        }
    };
    // After 50 ms, 250 ms and then each 50 ms.
    come(0.2);
    Pass(MilliSeconds(520));
    NS_TEST_EXPECT_MSG_EQ(law->rtts.size(), 7, "both classes still count");
    for (const double rtt : law->rtts)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(rtt, 0.2, 1e-6, "the last one that was reported");
    }
    come(0.1);
    Pass(MilliSeconds(50));
    NS_TEST_EXPECT_MSG_EQ_TOL(law->rtts.back(), 0.1, 1e-6, "another one");
}

LFN_CASE(XcpUndividedDemandTestCase)
{
    constexpr double mss = 1000;
    for (const bool isUndivided : {false, true})
    {
        XcpSenderCore core;
        core.Configure({DataRate(8e8), 0.5, isUndivided});
        core.SetWindow(20 * mss);
        NS_TEST_EXPECT_MSG_EQ(core.MakeDemand({1, 0, mss, 0}, 1e9).delta, 0, "without a RTT");
        const XcpSenderCore::Sight busy{1, 0.1, mss, 20 * mss};
        core.Advance(busy);
        const double share = (1e8 - 2e5) / 20;
        const auto demand = core.MakeDemand(busy, 1e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(demand.delta, (isUndivided ? 1e8 : share), 1e-3, "busy");
        NS_TEST_EXPECT_MSG_EQ_TOL(demand.x, 0.005, 1e-12, "X is the same");
        // Two rounds in which hardly anything was in flight.
        for (const double now : {1.15, 1.3, 1.45})
        {
            core.Advance({now, 0.1, mss, mss});
        }
        const XcpSenderCore::Sight idle{1.46, 0.1, mss, mss};
        NS_TEST_EXPECT_MSG_EQ(core.IsApplicationLimited(idle), true, "nothing to send");
        NS_TEST_EXPECT_MSG_EQ(core.MakeDemand(idle, 1e9).delta, (isUndivided ? 1e8 : 0), "idle");
    }
}

LFN_CASE(XcpSilentSumTestCase)
{
    for (const bool isGiven : {false, true})
    {
        const auto controller = CreateObject<XcpController>();
        controller->SetAttribute("SilentSum", StringValue(isGiven ? "Second" : "None"));
        controller->Start();
        // Other traffic: a tenth of the link in the first interval of 50 ms.
        controller->OnArrival(5000);
        controller->OnControlTimeout(1e6);
        // 0.4 (C - y), as if X had summed up to a second.
        const double factor = 0.4 * 9e5;
        const auto& account = controller->GetAccount();
        NS_TEST_EXPECT_MSG_EQ_TOL(account.positiveFactor, (isGiven ? factor : 0), 1e-6, "Cp");
        NS_TEST_EXPECT_MSG_EQ(account.negativeFactor, 0, "Cn");
        const XcpDemand demand{.x = 0.01, .rtt = 0.1, .delta = 1e9};
        NS_TEST_EXPECT_MSG_EQ_TOL(controller->OnDeparture(1000, demand),
                                  (isGiven ? factor * 0.01 : 0),
                                  1e-6,
                                  "the first packet");
        // With XCP traffic it is the same either way.
        controller->OnArrival(1000, demand);
        controller->OnControlTimeout(1e6);
        NS_TEST_EXPECT_MSG_EQ_TOL(account.positiveFactor,
                                  0.4 * (1e6 - 1000 / 0.05) / 0.01,
                                  1e-3,
                                  "one packet's X");
    }
}

LFN_CASE(XcpLastSumTestCase)
{
    const auto controller = CreateObject<XcpController>();
    controller->Start();
    controller->OnControlTimeout(1e6);
    const auto& account = controller->GetAccount();
    NS_TEST_EXPECT_MSG_EQ(account.positiveFactor, 0, "there was none yet");
    controller->OnArrival(1000, {.x = 0.02, .rtt = 0.1, .delta = 1e9});
    controller->OnArrival(1000, {.x = 0.03, .rtt = 0.1, .delta = 1e9});
    controller->OnControlTimeout(1e6);
    for (int i = 0; i < 3; ++i)
    {
        controller->OnControlTimeout(1e6);
        NS_TEST_EXPECT_MSG_EQ_TOL(account.positiveFactor, 0.4 * 1e6 / 0.05, 1e-3, "Cp " << i);
    }
    controller->Start();
    controller->OnControlTimeout(1e6);
    NS_TEST_EXPECT_MSG_EQ(account.positiveFactor, 0, "again");
}

/** @brief Readings of XCP and of the fairness mechanism that are not the default ones. */
const Suite g_suite("lfn-xcp-options", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpFlowIdTestCase("flow IDs of addresses and ports, and of addresses alone"));
    suite.Add(
        new XcpRateMeasuredTestCase("the rate of end-to-end flows: arrived, accepted or departed"));
    suite.Add(new XcpForgetSilentTestCase("a class that was silent"));
    suite.Add(new XcpLossTimeoutTestCase("a class whose latest packet was dropped"));
    suite.Add(new XcpLossyPortTestCase("a port reports tail drops to the mechanism"));
    suite.Add(new XcpKnownRttTestCase("a drop law keeps XCP's RTT while no packet of XCP comes"));
    suite.Add(new XcpUndividedDemandTestCase("ns-2: a sender's demand is not divided"));
    suite.Add(new XcpSilentSumTestCase("ns-2: the grant without XCP traffic"));
    suite.Add(new XcpLastSumTestCase("the last sum of X stands for that of a silent interval"));
});

} // namespace
