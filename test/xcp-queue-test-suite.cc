// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-drop-law.h"
#include "ns3/xcp-exact-estimator.h"
#include "ns3/xcp-helper.h"
#include "ns3/xcp-l4-protocol.h"
#include "ns3/xcp-packet-view.h"
#include "ns3/xcp-port-monitor.h"
#include "ns3/xcp-queue-disc.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-xcp
 * The output port of an XCP router: fed by hand and on a device.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief A drop law that drops every packet of E2E flows while both classes are there. */
class DropAllLaw : public XcpDropLaw
{
  public:
    Decision Decide(const Observation& /* observation */) override
    {
        return {.probability = 1, .apply = true};
    }

    Decision Rest() override
    {
        return {};
    }
};

/// A queue disc that tells what CheckConfig() says.
class XcpOpenQueueDisc : public XcpQueueDisc
{
  public:
    /// Ask.
    bool Check()
    {
        return CheckConfig();
    }

    /// Begin all the same, as where ns-3 has no assertions.
    void GoOn()
    {
        InitializeParams();
    }
};

/// A queue disc on a link of 80 Mb/s, 10 MB/s.
Ptr<XcpQueueDisc>
MakeDisc(const std::string& size = "1000p")
{
    auto disc = CreateObject<XcpQueueDisc>();
    disc->SetAttribute("Bandwidth", StringValue("80Mbps"));
    disc->SetAttribute("MaxSize", StringValue(size));
    return disc;
}

/// An IPv6 packet with extension headers in front.
Ptr<QueueDiscItem>
MakeExtended(uint8_t first,
             const Bytes& bytes,
             const XcpTestPacket& rest = {.xcp = MakeXcpHeader()})
{
    const auto packet = ToPacket(bytes);
    packet->AddAtEnd(MakeXcpPacket(rest));
    return MakeXcpItem(packet, {.protocol = first, .ipv6 = true});
}

/** @brief A case that compares what packets are taken for. */
class XcpViewCase : public Case
{
  protected:
    using Case::Case;

    /// Compare the kind of an item.
    void Expect(const Ptr<QueueDiscItem>& item, XcpPacketKind kind, const std::string& what)
    {
        const auto view = XcpPacketView::Look(*item, 253);
        NS_TEST_EXPECT_MSG_EQ((view.kind == kind), true, what);
        const bool isData = kind == XcpPacketKind::XCP_DATA || kind == XcpPacketKind::E2E_DATA;
        NS_TEST_EXPECT_MSG_EQ((view.flow != 0), isData, "flow ID of " << what);
        XcpHeader header;
        uint32_t at = 0;
        const bool isRead = XcpPacketView::ReadHeader(*item, 253, header, at);
        NS_TEST_EXPECT_MSG_EQ(isRead, (kind == XcpPacketKind::XCP_DATA), "header of " << what);
    }
};

/** @brief What packets are taken for. */
LFN_CASE_FROM(XcpViewTestCase, XcpViewCase)
{
    using Kind = XcpPacketKind;
    XcpHeader minimal = MakeXcpHeader();
    minimal.format = XcpHeader::MINIMAL;
    for (const bool ipv6 : {false, true})
    {
        const std::string on = ipv6 ? " on IPv6" : " on IPv4";
        Expect(MakeXcpItem({.ipv6 = ipv6}), Kind::E2E_DATA, "TCP data" + on);
        Expect(MakeXcpItem({.payload = 1, .ipv6 = ipv6}), Kind::E2E_DATA, "a byte" + on);
        Expect(MakeXcpItem({.payload = 0, .ipv6 = ipv6}), Kind::OTHER, "an ACK" + on);
        Expect(MakeXcpItem({.protocol = 17, .ipv6 = ipv6}), Kind::E2E_DATA, "UDP data" + on);
        Expect(MakeXcpItem({.protocol = 17, .payload = 0, .ipv6 = ipv6}),
               Kind::OTHER,
               "empty UDP" + on);
        Expect(MakeXcpItem({.protocol = 1, .ipv6 = ipv6}), Kind::OTHER, "ICMP" + on);
        Expect(MakeXcpItem({.protocol = 255, .ipv6 = ipv6}), Kind::OTHER, "unknown" + on);
        Expect(MakeXcpItem({.xcp = MakeXcpHeader(), .ipv6 = ipv6}),
               Kind::XCP_DATA,
               "XCP data" + on);
        Expect(MakeXcpItem({.xcp = MakeXcpHeader(), .payload = 0, .ipv6 = ipv6}),
               Kind::XCP_DATA,
               "XCP SYN" + on);
        Expect(MakeXcpItem({.xcp = minimal, .payload = 0, .ipv6 = ipv6}),
               Kind::XCP_OTHER,
               "an ACK with feedback" + on);
        // TCP data of a peer without XCP do not escape their class by returning feedback.
        const auto returning = MakeXcpItem({.xcp = minimal, .ipv6 = ipv6});
        Expect(returning, Kind::E2E_DATA, "TCP data with feedback" + on);
        NS_TEST_EXPECT_MSG_EQ(XcpPacketView::Look(*returning, 253).flow,
                              XcpPacketView::Look(*MakeXcpItem({.ipv6 = ipv6}), 253).flow,
                              "their flow is that of those without" << on);
        // Cut short anywhere: no kind that asks for more than is there.
        for (uint32_t bytes = 0; bytes < 44; ++bytes)
        {
            for (const auto& wanted :
                 {XcpTestPacket{.ipv6 = ipv6}, XcpTestPacket{.xcp = MakeXcpHeader(), .ipv6 = ipv6}})
            {
                const auto whole = MakeXcpPacket(wanted);
                const auto cut = whole->CreateFragment(0, bytes);
                const Kind kind = wanted.xcp ? (bytes < 20 ? Kind::XCP_OTHER : Kind::XCP_DATA)
                                             : (bytes < 21 ? Kind::OTHER : Kind::E2E_DATA);
                Expect(MakeXcpItem(cut, wanted),
                       kind,
                       std::to_string(bytes) + " bytes" + (wanted.xcp ? " of XCP" : "") + on);
            }
        }
    }
    Expect(MakeXcpItem({.fragmentOffset = 8}), Kind::OTHER, "a later fragment");
    Expect(MakeXcpItem({.xcp = MakeXcpHeader(), .fragmentOffset = 8}),
           Kind::OTHER,
           "a later fragment of XCP");
}

/** @brief Extension headers of IPv6. */
LFN_CASE_FROM(XcpExtensionsTestCase, XcpViewCase)
{
    struct Chain
    {
        uint8_t first;      // number in the IPv6 header
        Bytes bytes;        // of the extension headers
        XcpPacketKind kind; // of the packet
    };

    const Bytes hop{6, 0, 1, 4, 0, 0, 0, 0};
    const Bytes two{60, 0, 1, 4, 0, 0, 0, 0, 6, 0, 1, 4, 0, 0, 0, 0};
    const Bytes endless(320, 0); // hop-by-hop headers of 8 bytes each
    const std::vector<Chain> chains{
        {0, hop, XcpPacketKind::E2E_DATA},
        {43, two, XcpPacketKind::E2E_DATA},
        {44, {6, 0, 0, 1, 0, 0, 0, 9}, XcpPacketKind::E2E_DATA}, // the first fragment
        {44, {6, 0, 1, 0, 0, 0, 0, 9}, XcpPacketKind::OTHER},    // a later one
        {0, {6, 255, 0, 0, 0, 0, 0, 0}, XcpPacketKind::OTHER},   // ends beyond the packet
        {0, endless, XcpPacketKind::OTHER},
        {44, {253, 0, 0, 1, 0, 0, 0, 9}, XcpPacketKind::XCP_OTHER}, // no congestion header
        {44, {253, 0, 1, 0, 0, 0, 0, 9}, XcpPacketKind::OTHER},     // a later one of XCP
    };
    for (const auto& chain : chains)
    {
        Expect(MakeExtended(chain.first, chain.bytes, {}),
               chain.kind,
               "extension headers from " + std::to_string(chain.first));
    }
}

/**
 * @brief XCP behind extension headers of IPv6, such as that of a first fragment: read and
 * rewritten.
 */
LFN_CASE_FROM(XcpBehindExtensionsTestCase, XcpViewCase)
{
    const std::vector<std::pair<uint8_t, Bytes>> chains{
        {44, {253, 0, 0, 1, 0, 0, 0, 9}},
        {0, {253, 0, 1, 4, 0, 0, 0, 0}},
        {0, {60, 0, 1, 4, 0, 0, 0, 0, 253, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}};
    const auto plain =
        XcpPacketView::Look(*MakeXcpItem({.xcp = MakeXcpHeader(1e-3, 0.1, 5000), .ipv6 = true}),
                            253);
    for (const auto& [first, bytes] : chains)
    {
        const auto size = static_cast<uint32_t>(bytes.size());
        const auto item = MakeExtended(first, bytes, {.xcp = MakeXcpHeader(1e-3, 0.1, 5000)});
        const auto packet = item->GetPacket();
        Expect(item, XcpPacketKind::XCP_DATA, "XCP behind " + std::to_string(first));
        NS_TEST_EXPECT_MSG_EQ(XcpPacketView::Look(*item, 253).flow, plain.flow, "one flow");

        auto before = ToBytes(packet);
        XcpHeader header;
        uint32_t at = 0;
        NS_TEST_ASSERT_MSG_EQ(XcpPacketView::ReadHeader(*item, 253, header, at), true, "read");
        NS_TEST_EXPECT_MSG_EQ(at, size, "behind the extensions");
        NS_TEST_EXPECT_MSG_EQ(header.deltaThroughput, 5000, "what was asked for");
        header.deltaThroughput = -3;
        XcpPacketView::WriteHeader(*item, header, at);
        const auto after = ToBytes(item->GetPacket());
        const std::array<uint8_t, 4> wanted{0xff, 0xff, 0xff, 0xfd};
        std::copy(wanted.begin(), wanted.end(), before.begin() + size + 16);
        NS_TEST_EXPECT_MSG_EQ((after == before), true, "Delta changed, and nothing else");
        // A header that is cut short, or behind nothing that is seen, asks for nothing.
        for (uint32_t end = 0; end < size + 20; ++end)
        {
            const auto cut =
                MakeXcpItem(packet->CreateFragment(0, end), {.protocol = first, .ipv6 = true});
            NS_TEST_EXPECT_MSG_EQ((XcpPacketView::ReadHeader(*cut, 253, header, at)),
                                  false,
                                  "of " << end << " bytes");
            NS_TEST_EXPECT_MSG_EQ((XcpPacketView::Look(*cut, 253).kind == XcpPacketKind::XCP_DATA),
                                  false,
                                  "of " << end << " bytes");
        }
    }
}

/** @brief Flow IDs: alike within a flow, and spread well. */
LFN_CASE(XcpFlowIdsTestCase)
{
    for (const bool ipv6 : {false, true})
    {
        for (const auto& xcp : {std::optional<XcpHeader>(), std::optional(MakeXcpHeader())})
        {
            std::set<uint64_t> flows;
            std::array<uint32_t, 64> low{};
            std::array<uint32_t, 64> high{};
            for (uint16_t port = 0; port < 6400; ++port)
            {
                XcpTestPacket wanted{.xcp = xcp, .port = port, .ipv6 = ipv6};
                const auto flow = XcpPacketView::Look(*MakeXcpItem(wanted), 253).flow;
                wanted.payload = 7;
                const auto same = XcpPacketView::Look(*MakeXcpItem(wanted), 253).flow;
                NS_TEST_EXPECT_MSG_EQ(flow, same, "one flow, port " << port);
                flows.insert(flow);
                ++low[flow % 64];
                ++high[flow >> 58];
            }
            NS_TEST_EXPECT_MSG_EQ(flows.size(), 6400, "IDs of as many flows");
            for (std::size_t i = 0; i < 64; ++i)
            {
                // 100 each: ten is a standard deviation.
                NS_TEST_EXPECT_MSG_EQ_TOL(low[i], 100, 45, "flows by the lowest bits");
                NS_TEST_EXPECT_MSG_EQ_TOL(high[i], 100, 45, "flows by the highest bits");
            }
        }
    }
}

/// Tell the twin of an arrival.
void
Tell(XcpController& twin, const QueueDiscItem& item, uint32_t bytes)
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
    const auto disc = MakeDisc();
    disc->SetAttribute("OverheadBytes", UintegerValue(2));
    disc->Initialize();
    // A twin of the controller gets told the same.
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
            Tell(*twin, *item, item->GetSize() + 2);
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
    disc->Dispose();
    Simulator::Destroy();
}

/** @brief Copies of a packet share a buffer, and none sees what befalls another. */
LFN_CASE(XcpSharedBufferTestCase)
{
    const auto disc = MakeDisc();
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
    disc->Dispose();
    Simulator::Destroy();
}

/** @brief Headers that cannot be read, tail drops, peeking. */
LFN_CASE(XcpPlainPortTestCase)
{
    const auto disc = MakeDisc("5p");
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
    disc->Dispose();
    Simulator::Destroy();
}

/** @brief Drops and marks of the fairness mechanism. */
class XcpFairPortTestCase : public CaseOf<bool>
{
    using CaseOf::CaseOf;

    void RunWith(bool mark) override
    {
        const auto fairness = CreateObject<XcpTcpFairness>();
        fairness->SetAttribute("DropLaw", PointerValue(CreateObject<DropAllLaw>()));
        fairness->SetAttribute("XcpEstimator", PointerValue(CreateObject<XcpExactEstimator>()));
        fairness->SetAttribute("E2eEstimator", PointerValue(CreateObject<XcpExactEstimator>()));
        const auto disc = MakeDisc();
        disc->SetAttribute("Fairness", PointerValue(fairness));
        disc->SetAttribute("FairnessInterval", TimeValue(MilliSeconds(20)));
        disc->SetAttribute("Mark", BooleanValue(mark));
        std::vector<double> flows;
        ConnectTrace(disc, "TcpFlows", [&flows](double /* old */, double now) {
            flows.push_back(now);
        });
        disc->Initialize();
        NS_TEST_EXPECT_MSG_GT(disc->AssignStreams(9), 1, "streams of both");
        Feed(disc);
        NS_TEST_EXPECT_MSG_EQ(m_accepted, 60, "nothing is dropped in the first interval");
        Pass(MilliSeconds(20));
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 1, "the mechanism's own interval");
        NS_TEST_EXPECT_MSG_EQ_TOL(flows[0], 3, 1e-9, "M: two TCP flows and one of UDP");
        Feed(disc);
        const auto& stats = disc->GetStats();
        const uint32_t drops = stats.GetNDroppedPackets(XcpQueueDisc::FAIRNESS_DROP);
        const uint32_t marks = stats.GetNMarkedPackets(XcpQueueDisc::FAIRNESS_MARK);
        // Of 60: 20 XCP and 10 ACKs pass; of 30 data packets 10 are ECN-capable.
        NS_TEST_EXPECT_MSG_EQ(drops, (mark ? 20 : 30), "drops by reason");
        NS_TEST_EXPECT_MSG_EQ(marks, (mark ? 10 : 0), "marks by reason");
        NS_TEST_EXPECT_MSG_EQ(m_accepted, 120 - drops, "the rest passes");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalDroppedPackets, drops, "no other drops");
        // Dropped packets are no input; marked ones are.
        Pass(MilliSeconds(30));
        NS_TEST_EXPECT_MSG_EQ_TOL(disc->GetController()->GetAccount().inputRate,
                                  static_cast<double>(m_bytes) / 0.05,
                                  1e-6,
                                  "input");
        disc->Dispose();
        Simulator::Destroy();
    }

    /// Ten packets of each kind, and all leave.
    void Feed(const Ptr<XcpQueueDisc>& disc)
    {
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
                    ++m_accepted;
                    m_bytes += item->GetSize();
                }
            }
        }
        while (disc->Dequeue())
        {
        }
    }

    uint32_t m_accepted{0}; //!< packets
    uint64_t m_bytes{0};    //!< of these
};

/** @brief What a run shows. */
struct Result
{
    std::vector<double> capacity; //!< before and after the change, [B/s]
    double queue{0};              //!< persistent queue in the end, [B]
    double inputRate{0};          //!< in the end, [B/s]
    uint32_t came{0};             //!< packets at the other end
    bool isOrdered{true};         //!< in the order of sending
};

/// A link at 8 Mb/s, at 16 Mb/s after 0.5 s; 2000 packets a second for one second.
Result
RunOnce(const std::string& deviceQueue, bool counts, uint32_t overhead, double rtt = 0.1)
{
    Result result;
    NodeContainer nodes;
    nodes.Create(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("8Mbps"));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(deviceQueue));
    const auto devices = link.Install(nodes);
    const auto control = CreateObject<TrafficControlLayer>();
    nodes.Get(0)->AggregateObject(control);
    const auto disc = CreateObject<XcpQueueDisc>();
    disc->SetAttribute("CountDeviceQueue", BooleanValue(counts));
    disc->SetAttribute("OverheadBytes", UintegerValue(overhead));
    control->SetRootQueueDiscOnDevice(devices.Get(0), disc);
    uint32_t last = 0;
    ConnectTrace(devices.Get(1), "PhyRxEnd", [&result, &last](Ptr<const Packet> packet) {
        // PPP and IPv4, then source port of TCP behind the congestion header.
        std::array<uint8_t, 44> bytes;
        packet->CopyData(bytes.data(), bytes.size());
        const uint32_t port = bytes[42] << 8 | bytes[43];
        result.isOrdered = result.isOrdered && port == last;
        last = port + 1;
        ++result.came;
    });
    for (uint16_t i = 0; i < 2000; ++i)
    {
        // 938 bytes, 940 with PPP: 15 Mb/s.
        Simulator::Schedule(MicroSeconds(500) * i, [control, device = devices.Get(0), i, rtt] {
            control->Send(
                device,
                MakeXcpItem({.xcp = MakeXcpHeader(1e-3, rtt), .payload = 878, .port = i}));
        });
    }
    for (const double at : {0.4, 0.7})
    {
        Simulator::Schedule(Seconds(at),
                            [&result, disc] { result.capacity.push_back(disc->GetCapacity()); });
    }
    Simulator::Schedule(Seconds(0.5), [device = devices.Get(0)] {
        device->SetAttribute("DataRate", StringValue("16Mbps"));
    });
    Simulator::Schedule(Seconds(0.45), [&result, disc] {
        const auto& account = disc->GetController()->GetAccount();
        result.queue = account.persistentQueue;
        result.inputRate = account.inputRate;
    });
    Pass(Seconds(2));
    Simulator::Destroy();
    return result;
}

/** @brief A port on a real device: its rate, its queue, its overhead. */
LFN_CASE(XcpDevicePortTestCase)
{
    const auto plain = RunOnce("1p", true, 0);
    NS_TEST_ASSERT_MSG_EQ(plain.capacity.size(), 2, "asked twice");
    NS_TEST_EXPECT_MSG_EQ(plain.capacity[0], 1e6, "the device's rate, B/s");
    NS_TEST_EXPECT_MSG_EQ(plain.capacity[1], 2e6, "its rate after the change");
    NS_TEST_EXPECT_MSG_EQ(plain.isOrdered, true, "order");
    NS_TEST_EXPECT_MSG_EQ_TOL(plain.inputRate, 938 * 2000, 938 * 20, "y, IP bytes");
    const auto ppp = RunOnce("1p", true, 2);
    NS_TEST_EXPECT_MSG_EQ_TOL(ppp.inputRate / plain.inputRate, 940 / 938.0, 1e-9, "PPP");
    NS_TEST_EXPECT_MSG_EQ(ppp.came, plain.came, "overhead counts and does nothing");

    // The same backlog, of which 400 packets wait in the device: seen only if counted. A short
    // RTT makes queue intervals of 2 ms, in which the backlog grows by two packets.
    const auto whole = RunOnce("1p", true, 2, 1e-3);
    const auto hidden = RunOnce("400p", false, 2, 1e-3);
    const auto counted = RunOnce("400p", true, 2, 1e-3);
    NS_TEST_EXPECT_MSG_EQ(hidden.isOrdered, true, "order");
    NS_TEST_EXPECT_MSG_EQ_TOL(counted.queue - whole.queue, 0, 3 * 940, "what waits in all");
    NS_TEST_EXPECT_MSG_EQ_TOL(counted.queue - hidden.queue, 400 * 940, 3 * 940, "hidden");
}

/** @brief Losses by class, as a monitor of the port counts them. */
class XcpMonitoredPortTestCase : public Case
{
    using Case::Case;

    /// A link, and a monitor of a disc on it that has room for one packet, which is there.
    std::unique_ptr<XcpPortMonitor> Watch(const Ptr<QueueDisc>& disc)
    {
        NodeContainer nodes(2);
        const auto devices = PointToPointHelper().Install(nodes);
        auto monitor = std::make_unique<XcpPortMonitor>(devices.Get(0), disc);
        disc->Initialize();
        NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(MakeXcpItem({})), true, "room");
        return monitor;
    }

    /// Losses of XCP's and of other packets.
    void Expect(const XcpPortMonitor& monitor, uint64_t xcp, uint64_t rest, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(monitor.GetLosses(true).tail, xcp, "XCP's losses, " << what);
        NS_TEST_EXPECT_MSG_EQ(monitor.GetLosses(false).tail, rest, "other losses, " << what);
    }

    void DoRun() override
    {
        const auto disc = MakeDisc("1p");
        const auto monitor = Watch(disc);
        for (const bool ipv6 : {false, true})
        {
            disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(), .ipv6 = ipv6}));
            disc->Enqueue(MakeXcpItem({.ipv6 = ipv6}));
        }
        disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(), .fragmentOffset = 800}));
        Expect(*monitor, 3, 2, "right behind the IP header");
        disc->Enqueue(MakeExtended(0, {253, 0, 1, 4, 0, 0, 0, 0}));
        disc->Enqueue(MakeExtended(0, {60, 0, 1, 4, 0, 0, 0, 0, 253, 0, 1, 4, 0, 0, 0, 0}));
        disc->Enqueue(MakeExtended(44, {253, 0, 0, 1, 0, 0, 0, 9}));
        disc->Enqueue(MakeExtended(44, {253, 0, 1, 0, 0, 0, 0, 9})); // a later fragment
        Expect(*monitor, 7, 2, "behind extension headers");
        disc->Enqueue(MakeExtended(0, {6, 0, 1, 4, 0, 0, 0, 0}));
        disc->Enqueue(MakeExtended(44, {6, 0, 1, 0, 0, 0, 0, 9}));
        Expect(*monitor, 7, 4, "no XCP behind extension headers");
        disc->Dispose();

        // A disc that knows no number: that of the hosts.
        Config::SetDefault("ns3::lfn::XcpL4Protocol::HeaderProtocol", UintegerValue(254));
        const auto fifo = CreateObject<FifoQueueDisc>();
        fifo->SetMaxSize(QueueSize("1p"));
        const auto other = Watch(fifo);
        Config::SetDefault("ns3::lfn::XcpL4Protocol::HeaderProtocol", UintegerValue(253));
        fifo->Enqueue(MakeXcpItem({.protocol = 254}));
        fifo->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
        Expect(*other, 1, 1, "of number 254");
        fifo->Dispose();
        Simulator::Destroy();
    }
};

/** @brief The mean queue that a monitor tells, against what is computed by hand. */
class XcpMeanQueueTestCase : public Case
{
    using Case::Case;

    /// A link of 1000 B/s, with or without a disc in front of its queue.
    struct Link
    {
        explicit Link(bool hasDisc)
        {
            NodeContainer nodes(2);
            PointToPointHelper link;
            link.SetDeviceAttribute("DataRate", StringValue("8kbps"));
            link.SetQueue("ns3::DropTailQueue<Packet>",
                          "MaxSize",
                          StringValue(hasDisc ? "1p" : "100p"));
            device = link.Install(nodes).Get(0);
            control = CreateObject<TrafficControlLayer>();
            nodes.Get(0)->AggregateObject(control);
            if (hasDisc)
            {
                disc = CreateObject<FifoQueueDisc>();
                control->SetRootQueueDiscOnDevice(device, disc);
            }
            monitor = std::make_unique<XcpPortMonitor>(device, disc);
        }

        /// Send packets at a time; sizes are those on the link, PPP's two bytes included.
        void Send(double at, const std::vector<uint32_t>& sizes)
        {
            Simulator::Schedule(Seconds(at) - Simulator::Now(), [this, sizes] {
                for (const auto size : sizes)
                {
                    control->Send(device, MakeXcpItem({.payload = size - 42}));
                }
            });
        }

        Ptr<NetDevice> device;                   //!< that sends
        Ptr<TrafficControlLayer> control;        //!< in front of it
        Ptr<QueueDisc> disc;                     //!< or null
        std::unique_ptr<XcpPortMonitor> monitor; //!< of both
    };

    /// The means from the last call to a time, from packet seconds and byte seconds.
    void Expect(Link& link, double until, double packets, double bytes, const std::string& what)
    {
        const Time length = Seconds(until) - Simulator::Now();
        Pass(length);
        const auto means = link.monitor->Take();
        const double seconds = length.GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(means.queuePackets, packets / seconds, 1e-9, "packets, " << what);
        NS_TEST_EXPECT_MSG_EQ_TOL(means.queueBytes, bytes / seconds, 1e-9, "bytes, " << what);
    }

    void DoRun() override
    {
        {
            // Packets of 1, 0.5 and 0.25 s.
            Link link(false);
            link.Send(0, {1000, 500, 250});
            Expect(link, 2, 2 * 1 + 1 * 0.5, 750 * 1 + 250 * 0.5, "device only");
            NS_TEST_EXPECT_MSG_EQ(link.monitor->TakePeak(), 2, "longest queue");
            NS_TEST_EXPECT_MSG_EQ(link.monitor->TakePeak(), 0, "nothing waits");
            link.Send(2.5, {500});
            Expect(link, 4, 0, 0, "a packet that need not wait");
            link.Send(4, {1000, 500, 250});
            Expect(link, 4.5, 2 * 0.5, 750 * 0.5, "until a packet is being sent");
            XcpPortMonitor late(link.device, nullptr);
            Expect(link, 6, 2 * 0.5 + 1 * 0.5, 750 * 0.5 + 250 * 0.5, "from there on");
            const auto bytes = late.Take().queueBytes;
            NS_TEST_EXPECT_MSG_EQ_TOL(bytes, 500 / 1.5, 1e-9, "a monitor that came late");
            Simulator::Destroy();
        }
        {
            // The device's queue takes the second packet, the disc, which sees no PPP, the others.
            Link link(true);
            link.Send(0, {1000, 500, 250, 125});
            Expect(link,
                   2,
                   3 * 1 + 2 * 0.5 + 1 * 0.25,
                   (500 + 248 + 123) * 1 + (250 + 123) * 0.5 + 125 * 0.25,
                   "disc and device");
            NS_TEST_EXPECT_MSG_EQ(link.monitor->TakePeak(), 3, "longest queue");
            link.Send(2.5, {500});
            Expect(link, 4, 0, 0, "a packet that need not wait");
            Simulator::Destroy();
        }
    }
};

/// When a port's first control interval ends with jitter.
Time
FirstEnd(int64_t stream)
{
    const auto disc = MakeDisc();
    disc->SetAttribute("TimerJitter", BooleanValue(true));
    disc->AssignStreams(stream);
    Time end;
    ConnectTrace(disc, "InputRate", [&end](double, double) {
        end = end.IsZero() ? Simulator::Now() : end;
    });
    disc->Initialize();
    for (int i = 1; i < 100; ++i)
    {
        Simulator::Schedule(MilliSeconds(i), [disc] {
            disc->Enqueue(MakeXcpItem({}));
            disc->Dequeue();
        });
    }
    Pass(MilliSeconds(150));
    disc->Dispose();
    Simulator::Destroy();
    return end;
}

/** @brief A fault is told before the simulation begins, and a good port has none. */
LFN_CASE(XcpPortFaultsTestCase)
{
    PointToPointHelper link;
    NodeContainer nodes(2);
    const auto devices = link.Install(nodes);
    XcpHelper helper;
    helper.SetQueueDiscAttribute("Fairness", PointerValue(CreateObject<XcpTcpFairness>()));
    std::array<Ptr<XcpQueueDisc>, 2> ports;
    for (uint32_t i = 0; i < 2; ++i)
    {
        nodes.Get(i)->AggregateObject(CreateObject<TrafficControlLayer>());
        ports[i] = DynamicCast<XcpQueueDisc>(helper.InstallPort(devices.Get(i)));
    }
    NS_TEST_EXPECT_MSG_EQ(ports[0]->FindFault().value_or(""), "", "the device has a rate");
    NS_TEST_EXPECT_MSG_NE(ports[1]->FindFault().value_or("").find("serves another port"),
                          std::string::npos,
                          "one mechanism at two ports");
    NS_TEST_EXPECT_MSG_EQ(ports[0]->FindFault().value_or(""), "", "it stays the first one's");
    const auto estimator = CreateObject<XcpExactEstimator>();
    const auto mechanism = CreateObject<XcpTcpFairness>();
    mechanism->SetAttribute("XcpEstimator", PointerValue(estimator));
    mechanism->SetAttribute("E2eEstimator", PointerValue(estimator));
    ports[1]->SetAttribute("Fairness", PointerValue(mechanism));
    NS_TEST_EXPECT_MSG_NE(ports[1]->FindFault().value_or("").find("one estimator"),
                          std::string::npos,
                          "one estimator for both classes");
    Simulator::Destroy();
}

/**
 * @brief An interval of unknown RTT ends five RTTs after the first packet that tells one, at its
 * planned end at the latest.
 */
LFN_CASE_OF(XcpFirstIntervalTestCase, Time rtt, Time firstPacket, Time wanted)
{
    const auto disc = MakeDisc();
    std::vector<Time> ends;
    ConnectTrace(disc, "ControlInterval", [&ends](Time, Time now) {
        if (now < MilliSeconds(50))
        {
            ends.push_back(Simulator::Now());
        }
    });
    disc->Initialize();
    for (int i = 0; i < 100; ++i)
    {
        Simulator::Schedule(firstPacket + i * rtt / 10, [disc, rtt] {
            disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(1e-4, rtt.GetSeconds())}));
            disc->Dequeue();
        });
    }
    Pass(firstPacket + 9 * rtt);
    NS_TEST_ASSERT_MSG_EQ(ends.empty(), false, "RTT " << rtt);
    NS_TEST_EXPECT_MSG_EQ_TOL(ends.front(), wanted, NanoSeconds(100), "RTT " << rtt);
    disc->Dispose();
    Simulator::Destroy();
}

/** @brief What is refused says so, and does no harm where ns-3 goes on. */
LFN_CASE(XcpRefusedPortTestCase)
{
    // Neither a device nor Bandwidth.
    std::ostringstream said;
    auto* const before = std::clog.rdbuf(said.rdbuf());
    const auto bare = CreateObject<XcpOpenQueueDisc>();
    const bool isFine = bare->Check();
    NS_TEST_EXPECT_MSG_EQ(isFine, false, "no capacity");
    NS_TEST_EXPECT_MSG_NE(said.str().find("Bandwidth"), std::string::npos, said.str());
    bare->GoOn();
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
    NS_TEST_EXPECT_MSG_EQ(bare->Check(), true, "capacity");
    bare->Dispose();

    // One mechanism at two ports stays that of the first one.
    const auto mechanism = CreateObject<XcpTcpFairness>();
    std::vector<Ptr<XcpOpenQueueDisc>> ports; // both alive
    for (const bool isFirst : {true, false})
    {
        const auto port = CreateObject<XcpOpenQueueDisc>();
        port->SetAttribute("Bandwidth", StringValue("1Mbps"));
        port->SetAttribute("Fairness", PointerValue(mechanism));
        NS_TEST_EXPECT_MSG_EQ(port->Check(), isFirst, "served");
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
        helper.SetQueueDiscAttribute("OverheadBytes", UintegerValue(chosen));
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
    const auto disc = MakeDisc();
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
    disc->Dispose();
}

/** @brief A jittered start: what came before it is in no interval of the mechanism. */
LFN_CASE_OF(XcpJitteredMechanismTestCase, int64_t stream)
{
    const auto disc = MakeDisc();
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
    for (int i = 1; i < 200; ++i)
    {
        // 1040 bytes a ms of 10,000.
        Simulator::Schedule(MilliSeconds(i), [disc] {
            disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(1e-3, 0.03), .payload = 980}));
            disc->Dequeue();
        });
    }
    Pass(MilliSeconds(190));
    most = std::max(most, disc->GetFairness()->GetAccount().utilisation);
    NS_TEST_EXPECT_MSG_GT(most, 0.09, "used to a tenth");
    NS_TEST_EXPECT_MSG_LT(most, 0.113, "and never more");
    disc->Dispose();
    Simulator::Destroy();
}

/** @brief Timers end with the port. */
LFN_CASE(XcpTimersTestCase)
{
    // Timers tick until the port is disposed of, and never after.
    const auto disc = MakeDisc();
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
    Simulator::Destroy();
}

/** @brief The first interval ends at random with jitter. */
LFN_CASE(XcpJitterTestCase)
{
    const Time first = FirstEnd(1);
    NS_TEST_EXPECT_MSG_EQ(FirstEnd(1), first, "one stream, one start");
    NS_TEST_EXPECT_MSG_NE(FirstEnd(2), first, "another stream");
    NS_TEST_EXPECT_MSG_GT(first, MilliSeconds(50), "later than without jitter");
    NS_TEST_EXPECT_MSG_LT(first, MilliSeconds(100), "within an interval");
}

/** @brief Suite of the XCP router's port. */
const Suite g_suite("lfn-xcp-queue", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpViewTestCase("kinds of packets"));
    suite.Add(new XcpExtensionsTestCase("kinds of packets behind extension headers of IPv6"));
    suite.Add(new XcpBehindExtensionsTestCase("XCP behind extension headers of IPv6"));
    suite.Add(new XcpFlowIdsTestCase("flow IDs"));
    suite.Add(new XcpFifoTestCase("a FIFO that rewrites headers, IPv4", false));
    suite.Add(new XcpFifoTestCase("a FIFO that rewrites headers, IPv6", true));
    suite.Add(new XcpFairPortTestCase("the mechanism drops", false));
    suite.Add(new XcpFairPortTestCase("the mechanism marks", true));
    suite.Add(new XcpSharedBufferTestCase("packets in a shared buffer"));
    suite.Add(new XcpPlainPortTestCase("malformed headers, tail drops, peeking"));
    suite.Add(new XcpDevicePortTestCase("a point-to-point device with flow control"));
    suite.Add(new XcpMonitoredPortTestCase(
        "losses by class, over IPv4 and behind IPv6's extension headers"));
    suite.Add(new XcpMeanQueueTestCase("mean queues of windows, exactly, with and without a disc"));
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
    suite.Add(new XcpFirstIntervalTestCase("first interval, RTT 12 us",
                                           MicroSeconds(12),
                                           MicroSeconds(30),
                                           MicroSeconds(90)));
    suite.Add(new XcpFirstIntervalTestCase("first interval, RTT 2 ms",
                                           MilliSeconds(2),
                                           MilliSeconds(3),
                                           MilliSeconds(13)));
    suite.Add(new XcpFirstIntervalTestCase("second interval, RTT 1 ms",
                                           MilliSeconds(1),
                                           MilliSeconds(60),
                                           MilliSeconds(65)));
    suite.Add(new XcpFirstIntervalTestCase("second interval, RTT 10 ms",
                                           MilliSeconds(10),
                                           MilliSeconds(60),
                                           MilliSeconds(100)));
    suite.Add(new XcpFirstIntervalTestCase("first interval, RTT 40 ms",
                                           MilliSeconds(40),
                                           MilliSeconds(41),
                                           MilliSeconds(50)));
    suite.Add(new XcpTimersTestCase("timers end with the port"));
    suite.Add(new XcpJitterTestCase("jitter of the first interval"));
});

} // namespace
