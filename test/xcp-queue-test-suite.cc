// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/boolean.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-helper.h"
#include "ns3/xcp-l4-protocol.h"
#include "ns3/xcp-packet-view.h"
#include "ns3/xcp-queue-disc.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief A port that a test checks, and begins all the same. */
struct XcpOpenQueueDisc : public XcpQueueDisc
{
    using XcpQueueDisc::CheckConfig;
    using XcpQueueDisc::InitializeParams;
};

/// Have equal packets come to a port and leave at once.
void
Feed(const Ptr<XcpQueueDisc>& disc, int packets, Time first, Time gap, const XcpTestPacket& packet)
{
    for (int i = 0; i < packets; ++i)
    {
        Simulator::Schedule(first + i * gap, [disc, packet] {
            disc->Enqueue(MakeXcpItem(packet));
            disc->Dequeue();
        });
    }
}

/// Report an arrival to the twin.
void
Report(XcpController& twin, const QueueDiscItem& item, uint32_t bytes)
{
    const auto view = XcpPacketView::Look(item, 253);
    if (view.kind == XcpPacketKind::XCP_DATA)
    {
        twin.OnArrival(bytes, {view.header.x, view.header.rtt, view.header.deltaThroughput});
        return;
    }
    twin.OnArrival(bytes);
}

/** @brief Order, bytes, headers and accounts of packets that pass. */
LFN_CASE_OF(XcpFifoTestCase, bool ipv6)
{
    const XcpTestPort disc;
    disc->SetAttribute("OverheadBytes", UintegerValue(2));
    disc->Initialize();
    // A second controller gets the same.
    const auto twin = CreateObject<XcpController>();
    Time interval = twin->Start();
    std::mt19937 random(5);
    uint32_t rewritten = 0;
    for (int round = 0; round < 5; ++round)
    {
        std::vector<Ptr<QueueDiscItem>> sent;
        std::vector<uint32_t> sizes;
        std::vector<Bytes> bytes;
        for (int i = 0; i < 200; ++i)
        {
            XcpTestPacket wanted{.payload = static_cast<uint32_t>(random() % 1400),
                                 .port = static_cast<uint16_t>(random() % 9),
                                 .ipv6 = ipv6};
            if (i % 3 != 0)
            {
                wanted.xcp = MakeXcpHeader(1e-4 * static_cast<double>(random() % 50),
                                           1e-2,
                                           random() % 2 == 0 ? 1e8 : 10);
                wanted.xcp->format = i % 7 == 0 ? XcpHeader::MINIMAL : XcpHeader::STANDARD;
            }
            const auto item = MakeXcpItem(wanted);
            sent.push_back(item);
            sizes.push_back(item->GetSize());
            bytes.push_back(ToBytes(item->GetPacket()));
            Report(*twin, *item, item->GetSize() + 2);
            NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(item), true, "room");
        }
        const uint32_t all = disc->GetNBytes();
        uint32_t gone = 0;
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            const auto header = PeekXcpHeader(sent[i]);
            const auto seen = XcpPacketView::Look(*sent[i], 253);
            const auto item = disc->Dequeue();
            NS_TEST_ASSERT_MSG_EQ(item, sent[i], "first in, first out");
            NS_TEST_EXPECT_MSG_EQ(item->GetSize(), sizes[i], "size");
            gone += sizes[i];
            NS_TEST_EXPECT_MSG_EQ(disc->GetNBytes(), all - gone, "bytes");
            twin->SampleAtDeparture(all - gone + 2.0 * (sent.size() - i - 1));
            auto now = ToBytes(item->GetPacket());
            if (seen.kind == XcpPacketKind::XCP_DATA)
            {
                const double delta =
                    twin->OnDeparture(sizes[i] + 2, {header.x, header.rtt, header.deltaThroughput});
                const auto after = PeekXcpHeader(item);
                NS_TEST_EXPECT_MSG_EQ(after.deltaThroughput,
                                      static_cast<double>(std::llround(delta)),
                                      "Delta_Throughput of " << i << " in round " << round);
                rewritten += after.deltaThroughput != header.deltaThroughput ? 1 : 0;
                for (std::size_t at = 16; at < 20; ++at)
                {
                    now[at] = bytes[i][at];
                }
            }
            NS_TEST_EXPECT_MSG_EQ((now == bytes[i]), true, "all other bytes as before");
        }
        NS_TEST_EXPECT_MSG_EQ(disc->Dequeue(), nullptr, "empty");
        Pass(interval);
        interval = twin->OnControlTimeout(1e7);
        NS_TEST_EXPECT_MSG_EQ_TOL(disc->GetController()->GetAccount().inputRate,
                                  twin->GetAccount().inputRate,
                                  1e-6,
                                  "y with the link's overhead");
    }
    NS_TEST_EXPECT_MSG_GT(rewritten, 200, "headers were rewritten");
}

/** @brief Copies of a packet share a buffer, and none sees what befalls another. */
LFN_CASE(XcpSharedBufferTestCase)
{
    const XcpTestPort disc;
    disc->Initialize();
    // Four copies of one packet; two pass the port, one of them twice.
    const XcpTestPacket wanted{.xcp = MakeXcpHeader()};
    const auto original = MakeXcpPacket(wanted);
    const auto first = MakeXcpItem(original->Copy(), wanted);
    const auto second = MakeXcpItem(original->Copy(), wanted);
    const auto bystander = original->Copy();
    disc->Enqueue(first);
    disc->Enqueue(second);
    disc->Dequeue();
    NS_TEST_EXPECT_MSG_EQ(PeekXcpHeader(first).deltaThroughput, 0, "no interval yet: cut to 0");
    NS_TEST_EXPECT_MSG_EQ(PeekXcpHeader(second).deltaThroughput, 1e8, "still queued");
    disc->Dequeue();
    NS_TEST_EXPECT_MSG_EQ(PeekXcpHeader(second).deltaThroughput, 0, "cut");
    for (const auto& packet : {original, bystander})
    {
        XcpHeader header;
        packet->PeekHeader(header);
        NS_TEST_EXPECT_MSG_EQ(header.deltaThroughput, 1e8, "no part of it");
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 1040, "size");
    }
}

LFN_CASE(XcpBasicPortTestCase)
{
    const XcpTestPort disc("5p");
    disc->Initialize();
    uint32_t traced = 0;
    ConnectTrace(disc, "MalformedHeader", [&traced](Ptr<const QueueDiscItem> /* item */) {
        ++traced;
    });
    // Each byte of length, version and format wrong, and every length that is too short.
    const XcpTestPacket wanted{.xcp = MakeXcpHeader()};
    uint32_t malformed = 0;
    for (uint32_t i = 0; i < 24; ++i)
    {
        auto bytes = ToBytes(MakeXcpPacket(wanted));
        bytes[1] = i == 20 ? 19 : bytes[1];
        bytes[2] = i == 21 ? 0x41 : (i == 22 ? 0x33 : (i == 23 ? 0x30 : bytes[2]));
        bytes.resize(i < 20 ? i : bytes.size());
        const auto item = MakeXcpItem(ToPacket(bytes), wanted);
        disc->Enqueue(item);
        ++malformed;
        const auto left = disc->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(left, item, "forwarded");
        NS_TEST_EXPECT_MSG_EQ((ToBytes(item->GetPacket()) == bytes), true, "as it was");
    }
    NS_TEST_EXPECT_MSG_EQ(disc->GetMalformedHeaders(), malformed, "counted");
    NS_TEST_EXPECT_MSG_EQ(traced, malformed, "traced");

    // The sixth packet finds no room, and counts as input all the same.
    for (uint32_t i = 0; i < 8; ++i)
    {
        const bool isIn = disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
        NS_TEST_EXPECT_MSG_EQ(isIn, (i < 5), "packet " << i);
    }
    const auto& stats = disc->GetStats();
    NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(XcpPort::LIMIT_EXCEEDED_DROP), 3, "drops");
    const auto head = disc->Peek();
    NS_TEST_EXPECT_MSG_EQ(PeekXcpHeader(head).deltaThroughput, 1e8, "a peek does not cut");
    NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 5, "a peek takes nothing");
    disc->Dequeue();
    NS_TEST_EXPECT_MSG_EQ(PeekXcpHeader(head).deltaThroughput, 0, "a departure does");
    const double before = 20 * 20 + 190 + 4 * 1060;
    Pass(MilliSeconds(50));
    NS_TEST_EXPECT_MSG_EQ_TOL(disc->GetController()->GetAccount().inputRate,
                              (before + 8 * 1060) / 0.05,
                              1e-6,
                              "input with what was dropped");
}

LFN_CASE_OF(XcpFairPortTestCase, bool mark)
{
    uint32_t accepted{0};
    uint64_t bytes{0};
    // Ten packets of each kind, and all leave.
    const auto feed = [&](const Ptr<XcpQueueDisc>& disc) {
        for (int i = 0; i < 10; ++i)
        {
            for (const auto& wanted : {XcpTestPacket{.xcp = MakeXcpHeader(), .port = 1},
                                       XcpTestPacket{.xcp = MakeXcpHeader(), .port = 2},
                                       XcpTestPacket{.port = 3},
                                       XcpTestPacket{.port = 4, .tos = 2},
                                       XcpTestPacket{.protocol = 17, .port = 5},
                                       XcpTestPacket{.payload = 0, .port = 6}})
            {
                const auto item = MakeXcpItem(wanted);
                if (disc->Enqueue(item))
                {
                    ++accepted;
                    bytes += item->GetSize();
                }
            }
        }
        while (disc->Dequeue())
        {
        }
    };
    const auto law = CreateObject<XcpTestFixedLaw>();
    law->probability = 1;
    const auto fairness = MakeExactFairness();
    fairness->SetAttribute("DropLaw", PointerValue(law));
    const XcpTestPort disc;
    disc->SetAttribute("Fairness", PointerValue(fairness));
    disc->SetAttribute("FairnessInterval", TimeValue(MilliSeconds(20)));
    disc->SetAttribute("Mark", BooleanValue(mark));
    std::vector<double> flows;
    ConnectTrace(disc, "TcpFlows", [&flows](double /* old */, double now) {
        flows.push_back(now);
    });
    disc->Initialize();
    NS_TEST_EXPECT_MSG_GT(disc->AssignStreams(9), 1, "streams of both");
    feed(disc);
    NS_TEST_EXPECT_MSG_EQ(accepted, 60, "nothing is dropped in the first interval");
    Pass(MilliSeconds(20));
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 1, "the mechanism's own interval");
    NS_TEST_EXPECT_MSG_EQ_TOL(flows[0], 3, 1e-9, "M: two TCP flows and one of UDP");
    feed(disc);
    const auto& stats = disc->GetStats();
    const uint32_t drops = stats.GetNDroppedPackets(XcpQueueDisc::FAIRNESS_DROP);
    const uint32_t marks = stats.GetNMarkedPackets(XcpQueueDisc::FAIRNESS_MARK);
    // Of 60: 20 XCP and 10 ACKs pass; of 30 data packets 10 are ECN-capable.
    NS_TEST_EXPECT_MSG_EQ(drops, (mark ? 20 : 30), "drops by reason");
    NS_TEST_EXPECT_MSG_EQ(marks, (mark ? 10 : 0), "marks by reason");
    NS_TEST_EXPECT_MSG_EQ(accepted, 120 - drops, "the rest passes");
    NS_TEST_EXPECT_MSG_EQ(stats.nTotalDroppedPackets, drops, "no other drops");
    // Dropped packets are no input; marked ones are.
    Pass(MilliSeconds(30));
    NS_TEST_EXPECT_MSG_EQ_TOL(disc->GetController()->GetAccount().inputRate,
                              static_cast<double>(bytes) / 0.05,
                              1e-6,
                              "input");
}

/// When a port's first control interval ends with jitter.
Time
FirstEnd(int64_t stream)
{
    const XcpTestPort disc;
    disc->SetAttribute("TimerJitter", BooleanValue(true));
    disc->AssignStreams(stream);
    Time end;
    ConnectTrace(disc, "InputRate", [&end](double, double) {
        end = end.IsZero() ? Simulator::Now() : end;
    });
    disc->Initialize();
    Feed(disc, 99, MilliSeconds(1), MilliSeconds(1), {});
    Pass(MilliSeconds(150));
    return end;
}

/** @brief A fault is reported before the simulation begins, and a good port has none. */
LFN_CASE(XcpPortFaultsTestCase)
{
    PointToPointHelper link;
    NodeContainer nodes(2);
    const auto devices = link.Install(nodes);
    XcpHelper helper;
    helper.SetAttribute("Fairness", PointerValue(CreateObject<XcpTcpFairness>()));
    std::array<Ptr<XcpQueueDisc>, 2> ports;
    for (uint32_t i = 0; i < 2; ++i)
    {
        nodes.Get(i)->AggregateObject(CreateObject<TrafficControlLayer>());
        ports[i] = DynamicCast<XcpQueueDisc>(helper.InstallPort(devices.Get(i)));
    }
    NS_TEST_EXPECT_MSG_EQ(ports[0]->FindDefect().value_or(""), "", "the device has a rate");
    NS_TEST_EXPECT_MSG_NE(ports[1]->FindDefect().value_or("").find("serves another port"),
                          std::string::npos,
                          "one mechanism at two ports");
    NS_TEST_EXPECT_MSG_EQ(ports[0]->FindDefect().value_or(""), "", "it stays the first one's");
    const auto estimator = CreateObject<XcpExactEstimator>();
    const auto mechanism = CreateObject<XcpTcpFairness>();
    mechanism->SetAttribute("XcpEstimator", PointerValue(estimator));
    mechanism->SetAttribute("E2eEstimator", PointerValue(estimator));
    ports[1]->SetAttribute("Fairness", PointerValue(mechanism));
    NS_TEST_EXPECT_MSG_NE(ports[1]->FindDefect().value_or("").find("one estimator"),
                          std::string::npos,
                          "one estimator for both classes");
    Simulator::Destroy();
}

/**
 * @brief An interval of unknown RTT ends five RTTs after the first packet that has one, at its
 * planned end at the latest.
 */
LFN_CASE_OF(XcpFirstIntervalTestCase, Time rtt, Time firstPacket, Time wanted)
{
    const XcpTestPort disc;
    std::vector<Time> ends;
    ConnectTrace(disc, "ControlInterval", [&ends](Time, Time now) {
        if (now < MilliSeconds(50))
        {
            ends.push_back(Simulator::Now());
        }
    });
    disc->Initialize();
    Feed(disc, 100, firstPacket, rtt / 10, {.xcp = MakeXcpHeader(1e-4, rtt.GetSeconds())});
    Pass(firstPacket + 9 * rtt);
    NS_TEST_ASSERT_MSG_EQ(ends.empty(), false, "RTT " << rtt);
    NS_TEST_EXPECT_MSG_EQ_TOL(ends.front(), wanted, NanoSeconds(100), "RTT " << rtt);
}

/** @brief What is refused says so, and does no harm where ns-3 goes on. */
LFN_CASE(XcpRefusedPortTestCase)
{
    // Neither a device nor Bandwidth.
    std::ostringstream said;
    auto* const before = std::clog.rdbuf(said.rdbuf());
    const auto bare = CreateObject<XcpOpenQueueDisc>();
    const bool isFine = bare->CheckConfig();
    NS_TEST_EXPECT_MSG_EQ(isFine, false, "no capacity");
    NS_TEST_EXPECT_MSG_NE(said.str().find("Bandwidth"), std::string::npos, said.str());
    bare->InitializeParams();
    for (uint32_t i = 0; i < 3; ++i)
    {
        for (const double delta : {1e8, -5.0})
        {
            const auto item = MakeXcpItem({.xcp = MakeXcpHeader(1e-3, 0.1, delta)});
            NS_TEST_EXPECT_MSG_EQ(bare->Enqueue(item), true, "room");
            NS_TEST_EXPECT_MSG_EQ(bare->Dequeue(), item, "passes");
            NS_TEST_EXPECT_MSG_EQ(PeekXcpHeader(item).deltaThroughput,
                                  std::min(delta, 0.0),
                                  "nothing is granted, nor taken");
        }
        Pass(MilliSeconds(60));
    }
    bare->SetAttribute("Bandwidth", StringValue("1Mbps"));
    NS_TEST_EXPECT_MSG_EQ(bare->CheckConfig(), true, "capacity");
    bare->Dispose();

    // One mechanism at two ports stays that of the first one.
    const auto mechanism = CreateObject<XcpTcpFairness>();
    std::vector<Ptr<XcpOpenQueueDisc>> ports; // both alive
    for (const bool isFirst : {true, false})
    {
        const auto port = CreateObject<XcpOpenQueueDisc>();
        port->SetAttribute("Bandwidth", StringValue("1Mbps"));
        port->SetAttribute("Fairness", PointerValue(mechanism));
        NS_TEST_EXPECT_MSG_EQ(port->CheckConfig(), isFirst, "served");
        NS_TEST_EXPECT_MSG_EQ((port->GetFairness() == mechanism), isFirst, "rules it");
        ports.push_back(port);
    }
    std::clog.rdbuf(before);
    for (const auto& port : ports)
    {
        port->Dispose();
    }
    Simulator::Destroy();
}

/** @brief What PPP adds counts unless something else was chosen; nothing is chosen afterwards. */
LFN_CASE(XcpOverheadTestCase)
{
    for (const uint32_t chosen : {0, 1, 7})
    {
        NodeContainer nodes(2);
        const auto devices = PointToPointHelper().Install(nodes);
        nodes.Get(0)->AggregateObject(CreateObject<TrafficControlLayer>());
        XcpHelper helper;
        helper.SetAttribute("OverheadBytes", UintegerValue(chosen));
        const auto disc = helper.InstallPort(devices.Get(0));
        UintegerValue overhead;
        disc->GetAttribute("OverheadBytes", overhead);
        NS_TEST_EXPECT_MSG_EQ(overhead.Get(), (chosen == 0 ? 2 : chosen), "of " << chosen);
        disc->SetAttribute("OverheadBytes", UintegerValue(0));
        Pass(Seconds(1));
        disc->GetAttribute("OverheadBytes", overhead);
        NS_TEST_EXPECT_MSG_EQ(overhead.Get(), 0, "of the disc that was returned");
        Simulator::Destroy();
    }
}

/** @brief Numbers of other protocols are no numbers of the congestion header. */
LFN_CASE(XcpNumbersTestCase)
{
    const auto shim = CreateObject<XcpL4Protocol>();
    const XcpTestPort disc;
    for (uint32_t number = 0; number < 300; ++number)
    {
        const UintegerValue value(number);
        const bool isFree = number == 253 || number == 254;
        NS_TEST_EXPECT_MSG_EQ(shim->SetAttributeFailSafe("HeaderProtocol", value),
                              isFree,
                              "hosts, " << number);
        NS_TEST_EXPECT_MSG_EQ(disc->SetAttributeFailSafe("ProtocolNumber", value),
                              isFree,
                              "routers, " << number);
    }
    NS_TEST_EXPECT_MSG_EQ(shim->GetProtocolNumber(), 254, "the last one");
}

/** @brief A jittered start: what came before it is in no interval of the mechanism. */
LFN_CASE_OF(XcpJitteredMechanismTestCase, int64_t stream)
{
    const XcpTestPort disc;
    disc->SetAttribute("TimerJitter", BooleanValue(true));
    disc->SetAttribute("Fairness", StringValue("ns3::lfn::XcpTcpFairness"));
    disc->AssignStreams(stream);
    double most = 0;
    ConnectTrace(disc,
                 "ControlInterval", // Not a Ptr: the disc would own what owns it.
                 [&most, &port = *disc](Time, Time) {
                     most = std::max(most, port.GetFairness()->GetAccount().utilisation);
                 });
    disc->Initialize();
    // 1040 bytes a ms of 10,000.
    Feed(disc,
         199,
         MilliSeconds(1),
         MilliSeconds(1),
         {.xcp = MakeXcpHeader(1e-3, 0.03), .payload = 980});
    Pass(MilliSeconds(190));
    most = std::max(most, disc->GetFairness()->GetAccount().utilisation);
    NS_TEST_EXPECT_MSG_GT(most, 0.09, "used to a tenth");
    NS_TEST_EXPECT_MSG_LT(most, 0.113, "and never more");
}

LFN_CASE(XcpTimersTestCase)
{
    // Timers tick until the port is disposed of, and never after.
    const XcpTestPort disc;
    disc->SetAttribute("Fairness", StringValue("ns3::lfn::XcpTcpFairness"));
    disc->SetAttribute("FairnessInterval", TimeValue(MilliSeconds(7)));
    disc->Initialize();
    Pass(Seconds(1));
    NS_TEST_EXPECT_MSG_GT(Simulator::GetEventCount(), 100, "ticks");
    disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
    disc->Dispose();
    const uint64_t events = Simulator::GetEventCount();
    Pass(Seconds(10));
    // The three cancelled timers and the stop count as events, too.
    NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(), events + 5, "no more ticks");
}

LFN_CASE(XcpJitterTestCase)
{
    const Time first = FirstEnd(1);
    NS_TEST_EXPECT_MSG_EQ(FirstEnd(1), first, "one stream, one start");
    NS_TEST_EXPECT_MSG_NE(FirstEnd(2), first, "another stream");
    NS_TEST_EXPECT_MSG_GT(first, MilliSeconds(50), "later than without jitter");
    NS_TEST_EXPECT_MSG_LT(first, MilliSeconds(100), "within an interval");
}

/** @brief The output port of an XCP router, fed by hand. */
const Suite g_suite("lfn-xcp-queue", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpFifoTestCase("a FIFO that rewrites headers, IPv4", false));
    suite.Add(new XcpFifoTestCase("a FIFO that rewrites headers, IPv6", true));
    suite.Add(new XcpFairPortTestCase("the mechanism drops", false));
    suite.Add(new XcpFairPortTestCase("the mechanism marks", true));
    suite.Add(new XcpSharedBufferTestCase("packets in a shared buffer"));
    suite.Add(new XcpBasicPortTestCase("malformed headers, tail drops, peeking"));
    suite.Add(new XcpPortFaultsTestCase("ports that share a mechanism or an estimator"));
    suite.Add(new XcpNumbersTestCase("protocol numbers"));
    suite.Add(new XcpOverheadTestCase("OverheadBytes of a PPP link"));
    for (const int64_t stream : {1, 2, 3, 4, 5})
    {
        suite.Add(new XcpJitteredMechanismTestCase("the mechanism with a jittered start, stream " +
                                                       std::to_string(stream),
                                                   stream));
    }
    suite.Add(new XcpRefusedPortTestCase("a refused configuration does no harm"));
    // In us: the RTT, the first packet, the end. From 50 ms on: the second interval.
    for (const auto& [rtt, packet, end] : {std::array{12, 30, 90},
                                           {2000, 3000, 13000},
                                           {1000, 60000, 65000},
                                           {10000, 60000, 100000},
                                           {40000, 41000, 50000}})
    {
        suite.Add(new XcpFirstIntervalTestCase("the end of an interval of unknown RTT, " +
                                                   std::to_string(rtt) + " us",
                                               MicroSeconds(rtt),
                                               MicroSeconds(packet),
                                               MicroSeconds(end)));
    }
    suite.Add(new XcpTimersTestCase("timers end with the port"));
    suite.Add(new XcpJitterTestCase("jitter of the first interval"));
});

} // namespace
