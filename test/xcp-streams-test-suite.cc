// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-bloom-estimator.h"
#include "ns3/xcp-exact-estimator.h"
#include "ns3/xcp-helper.h"
#include "ns3/xcp-multiplicative-drop-law.h"
#include "ns3/xcp-queue-disc.h"
#include "ns3/xcp-sred-estimator.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What each variable of two ports led to. */
struct Outcome
{
    std::vector<double> timers;  //!< when the first control intervals ended, [s]
    std::vector<double> drops;   //!< packets that the mechanisms dropped
    std::vector<double> xcpHits; //!< P of XCP
    std::vector<double> e2eHits; //!< P of E2E
    int64_t used{0};             //!< streams

    bool operator==(const Outcome&) const = default;
};

/// Let two ports work, by nodes or by devices, after random variables that were made before and
/// took streams; a negative first stream assigns none.
Outcome
RunOnce(uint32_t earlier, int64_t first, bool byNode = false)
{
    for (uint32_t i = 0; i < earlier; ++i)
    {
        CreateObject<UniformRandomVariable>()->GetValue();
    }
    NodeContainer nodes(2);
    const auto devices = PointToPointHelper().Install(nodes);
    Outcome outcome;
    std::vector<Ptr<XcpQueueDisc>> discs;
    outcome.timers.resize(2);
    for (uint32_t i = 0; i < 2; ++i)
    {
        nodes.Get(i)->AggregateObject(CreateObject<TrafficControlLayer>());
        const auto law = CreateObject<XcpMultiplicativeDropLaw>();
        law->SetAttribute("MinProbability", DoubleValue(0.3));
        law->SetAttribute("UtilisationThreshold", DoubleValue(0));
        const auto fairness = CreateObject<XcpTcpFairness>();
        fairness->SetAttribute("DropLaw", PointerValue(law));
        fairness->SetAttribute("InspectProbability", DoubleValue(0.7));
        for (const auto* name : {"XcpEstimator", "E2eEstimator"})
        {
            const auto sred = CreateObject<XcpSredEstimator>();
            sred->SetAttribute("TableSize", UintegerValue(20));
            fairness->SetAttribute(name, PointerValue(sred));
        }
        XcpHelper helper;
        helper.SetAttribute("Bandwidth", StringValue("100Mbps"));
        helper.SetAttribute("TimerJitter", BooleanValue(true));
        helper.SetAttribute("Fairness", PointerValue(fairness));
        discs.push_back(DynamicCast<XcpQueueDisc>(helper.InstallPort(devices.Get(i))));
        ConnectTrace(discs.back(), "InputRate", [&end = outcome.timers[i]](double, double) {
            end = end > 0 ? end : Simulator::Now().GetSeconds();
        });
    }
    if (first >= 0)
    {
        outcome.used = byNode ? XcpHelper::AssignStreams(nodes, first)
                              : XcpHelper::AssignStreams(devices, first);
    }
    for (const auto& disc : discs)
    {
        disc->Initialize();
        for (uint16_t i = 0; i < 2000; ++i)
        {
            Simulator::Schedule(MicroSeconds(100) * i, [disc, i] {
                const auto port = static_cast<uint16_t>(i % 3);
                disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(), .port = port}));
                disc->Enqueue(MakeXcpItem({.port = port}));
                disc->Dequeue();
                disc->Dequeue();
            });
        }
    }
    Pass(MilliSeconds(250));
    for (const auto& disc : discs)
    {
        const auto hits = [&](XcpTcpFairness::TrafficClass trafficClass) {
            return DynamicCast<XcpSredEstimator>(disc->GetFairness()->GetEstimator(trafficClass))
                ->GetHitFrequency();
        };
        outcome.drops.push_back(disc->GetStats().GetNDroppedPackets(XcpQueueDisc::FAIRNESS_DROP));
        outcome.xcpHits.push_back(hits(XcpTcpFairness::TrafficClass::XCP));
        outcome.e2eHits.push_back(hits(XcpTcpFairness::TrafficClass::E2E));
    }
    Simulator::Destroy();
    return outcome;
}

/** @brief AssignStreams() reaches all that draw. */
LFN_CASE(XcpStreamsTestCase)
{
    const auto first = RunOnce(0, 50);
    NS_TEST_EXPECT_MSG_EQ(first.used, 8, "a port: timers, mechanism and two estimators");
    NS_TEST_EXPECT_MSG_EQ((RunOnce(7, 50) == first), true, "with any objects made before");
    NS_TEST_EXPECT_MSG_EQ((RunOnce(7, 50, true) == first), true, "by nodes");
    const auto free = RunOnce(0, -1);
    const auto shifted = RunOnce(7, -1);
    const auto other = RunOnce(0, 60);
    for (const auto member :
         {&Outcome::timers, &Outcome::drops, &Outcome::xcpHits, &Outcome::e2eHits})
    {
        NS_TEST_EXPECT_MSG_EQ((free.*member == shifted.*member), false, "each one is random");
        NS_TEST_EXPECT_MSG_EQ((first.*member == other.*member), false, "as its stream says");
        NS_TEST_EXPECT_MSG_NE((first.*member)[0], (first.*member)[1], "each port on its own");
    }
    // Ports that are not XCP's have no streams, nor have devices without any.
    NodeContainer nodes(2);
    const auto devices = PointToPointHelper().Install(nodes);
    NS_TEST_EXPECT_MSG_EQ(XcpHelper::AssignStreams(devices, 1), 0, "no port");
    nodes.Get(0)->AggregateObject(CreateObject<TrafficControlLayer>());
    XcpHelper fifo;
    fifo.SetQueueDisc("ns3::FifoQueueDisc");
    fifo.InstallPort(devices.Get(0));
    NS_TEST_EXPECT_MSG_EQ(XcpHelper::AssignStreams(nodes, 1), 0, "no port of XCP");
    Simulator::Destroy();
    // As many as there are variables.
    const auto disc = CreateObject<XcpQueueDisc>();
    NS_TEST_EXPECT_MSG_EQ(disc->AssignStreams(1), 1, "no mechanism");
    const auto fairness = CreateObject<XcpTcpFairness>();
    disc->SetAttribute("Fairness", PointerValue(fairness));
    NS_TEST_EXPECT_MSG_EQ(disc->AssignStreams(1), 4, "with SRED, the default");
    fairness->SetAttribute("E2eEstimator", PointerValue(CreateObject<XcpBloomEstimator>()));
    NS_TEST_EXPECT_MSG_EQ(disc->AssignStreams(1), 3, "with one Bloom filter");
    fairness->SetAttribute("XcpEstimator", PointerValue(CreateObject<XcpExactEstimator>()));
    NS_TEST_EXPECT_MSG_EQ(disc->AssignStreams(1), 2, "with estimators that draw nothing");
    disc->Dispose();
}

/** @brief Random streams of XCP's routers. */
const Suite g_suite("lfn-xcp-streams", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpStreamsTestCase(
        "random streams of routers: every variable is reached, none is shared"));
});

} // namespace
