// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/xcp-packet-view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

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

LFN_CASE_FROM(XcpViewTestCase, XcpViewCase)
{
    using Kind = XcpPacketKind;
    const auto xcp = MakeXcpHeader();
    auto minimal = xcp;
    minimal.format = XcpHeader::MINIMAL;

    struct Row
    {
        XcpTestPacket packet; // over either IP
        Kind kind;            // of the packet
        std::string what;     // for messages
    };

    const std::vector<Row> rows{
        {{}, Kind::E2E_DATA, "TCP data"},
        {{.payload = 1}, Kind::E2E_DATA, "a byte"},
        {{.payload = 0}, Kind::OTHER, "an ACK"},
        {{.protocol = 17}, Kind::E2E_DATA, "UDP data"},
        {{.protocol = 17, .payload = 0}, Kind::OTHER, "empty UDP"},
        {{.protocol = 1}, Kind::OTHER, "ICMP"},
        {{.protocol = 255}, Kind::OTHER, "unknown"},
        {{.xcp = xcp}, Kind::XCP_DATA, "XCP data"},
        {{.xcp = xcp, .payload = 0}, Kind::XCP_DATA, "XCP SYN"},
        {{.xcp = minimal, .payload = 0}, Kind::XCP_OTHER, "an ACK with feedback"},
    };
    for (const bool ipv6 : {false, true})
    {
        const std::string on = ipv6 ? " on IPv6" : " on IPv4";
        for (auto [packet, kind, what] : rows)
        {
            packet.ipv6 = ipv6;
            Expect(MakeXcpItem(packet), kind, what + on);
        }
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
                 {XcpTestPacket{.ipv6 = ipv6}, XcpTestPacket{.xcp = xcp, .ipv6 = ipv6}})
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
    Expect(MakeXcpItem({.xcp = xcp, .fragmentOffset = 8}), Kind::OTHER, "a later fragment of XCP");
}

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

/** @brief What an XCP router takes packets for. */
const Suite g_suite("lfn-xcp-view", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpViewTestCase("kinds of packets"));
    suite.Add(new XcpExtensionsTestCase("kinds of packets behind extension headers of IPv6"));
    suite.Add(new XcpBehindExtensionsTestCase("XCP behind extension headers of IPv6"));
    suite.Add(new XcpFlowIdsTestCase("flow IDs"));
});

} // namespace
