// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-network.h"

#include "ns3/xcp-flow-table.h"
#include "ns3/xcp-teardown.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint8_t SYN = TcpHeader::SYN; //!< a flag
constexpr uint8_t ACK = TcpHeader::ACK; //!< a flag
constexpr uint8_t FIN = TcpHeader::FIN; //!< a flag
constexpr uint8_t RST = TcpHeader::RST; //!< a flag

/** @brief Make a TCP header. */
TcpView
Make(uint8_t flags, uint32_t sequence, uint32_t ack)
{
    return {.sequence = sequence, .ack = ack, .flags = flags};
}

LFN_CASE(XcpTeardownTestCase)
{
    // Close from one side, then from the other.
    const auto check = [&](uint32_t base, bool isOwnFirst) {
        XcpTeardown end;
        const auto first = [&](uint8_t flags, uint32_t sequence, uint32_t ack, uint32_t payload) {
            const auto tcp = Make(flags, base + sequence, ack);
            isOwnFirst ? end.OnSend(tcp, payload) : end.OnReceive(tcp, payload);
        };
        const auto second = [&](uint8_t flags, uint32_t sequence, uint32_t ack) {
            const auto tcp = Make(flags, sequence, base + ack);
            isOwnFirst ? end.OnReceive(tcp, 0) : end.OnSend(tcp, 0);
        };
        first(ACK, 0, 500, 2);       // data, lost on the way
        first(FIN | ACK, 2, 500, 3); // with data
        second(ACK, 500, 0);         // the FIN came too early
        NS_TEST_EXPECT_MSG_EQ(end.IsEnding(), !isOwnFirst, "the peer's FIN");
        second(FIN | ACK, 500, 0); // the other side closes as well
        first(ACK, 6, 501, 0);
        NS_TEST_EXPECT_MSG_EQ(end.IsOver(), false, "data are missing");
        NS_TEST_EXPECT_MSG_EQ(end.IsEnding(), true, "the peer's FIN");
        first(FIN | ACK, 2, 501, 3); // again
        second(ACK, 501, 5);
        NS_TEST_EXPECT_MSG_EQ(end.IsOver(), false, "a byte short");
        second(ACK, 501, 6);
        NS_TEST_EXPECT_MSG_EQ(end.IsOver(), true, "all is acknowledged");
        second(FIN | ACK, 500, 6);
        NS_TEST_EXPECT_MSG_EQ(end.IsOver(), true, "and stays so");
    };
    // The numbers wrap round within the last packets; either side may be the first.
    for (const uint32_t base : {1000U, 0xffffffffU, 0xfffffffeU, 0xfffffffdU, 0x7fffffffU})
    {
        for (const bool isOwnFirst : {true, false})
        {
            check(base, isOwnFirst);
        }
    }
    XcpTeardown reset;
    reset.OnSend(Make(RST, 1, 0), 0);
    NS_TEST_EXPECT_MSG_EQ(reset.IsOver(), true, "a reset ends it");
    XcpTeardown none;
    none.OnSend(Make(SYN, 1, 0), 0);
    none.OnReceive(Make(SYN | ACK, 1, 2), 0);
    none.OnSend(Make(ACK, 2, 2), 100);
    NS_TEST_EXPECT_MSG_EQ(none.IsOver() || none.IsEnding(), false, "it has just begun");
}

/** @brief Name a connection. */
XcpFlowKey
Name(uint32_t i)
{
    return {Ipv4Address(1), Ipv4Address(2 + (i >> 16)), 9, static_cast<uint16_t>(i)};
}

/** @brief A packet that ends a connection. */
TcpView
Reset()
{
    return {.sequence = 3, .ack = 4, .flags = RST};
}

LFN_CASE(XcpFlowTableTestCase)
{
    constexpr uint32_t peak = 5000;
    const Time timeout = Seconds(10);
    XcpFlowTable table;
    uint32_t next = 0;
    for (; next < peak; ++next)
    {
        table.Obtain(Name(next), Seconds(0), timeout);
    }
    NS_TEST_EXPECT_MSG_EQ(table.GetSize(), peak, "all may be alive");
    table.Tend(Seconds(9), timeout);
    NS_TEST_EXPECT_MSG_EQ(table.GetSize(), peak, "still");
    table.Tend(Seconds(10.5), timeout);
    NS_TEST_EXPECT_MSG_EQ(table.GetSize(), 0, "a packet is enough to forget the idle");
    for (uint32_t i = 0; i < peak; ++i)
    {
        table.Obtain(Name(next++), Seconds(11), timeout);
    }
    for (uint32_t i = 0; i < 20 * peak; ++i)
    {
        table.Obtain(Name(next++), Seconds(30), timeout).teardown.OnSend(Reset(), 0);
        if (i > peak)
        {
            NS_TEST_ASSERT_MSG_LT_OR_EQ(table.GetSize(), 64, "the peak is forgotten");
        }
    }
    // Closed sockets are not held for longer than that, either.
    auto socket = CreateObject<TcpSocketBase>();
    auto& flow = table.Obtain(Name(next), Seconds(31), timeout);
    flow.socket = socket;
    table.Tend(Seconds(60), timeout);
    NS_TEST_EXPECT_MSG_EQ(table.GetSize(), 0, "a closed socket");
    NS_TEST_EXPECT_MSG_EQ(socket->GetReferenceCount(), 1, "is let go");
}

/// Connect at a time, keep the socket, send bytes, and close.
void
Connect(const XcpTestNetwork& network,
        Time at,
        std::vector<Ptr<Socket>>& kept,
        uint32_t bytes = 5000)
{
    Simulator::Schedule(at, [&network, &kept, bytes] {
        const auto socket = network.MakeSocket(0, true, 2);
        socket->Bind(network.GetEnd(0, static_cast<uint16_t>(5000 + kept.size())));
        socket->Connect(network.GetEnd(1, XcpTestNetwork::PORT));
        socket->Send(Create<Packet>(bytes));
        socket->Close();
        kept.push_back(socket);
    });
}

/**
 * @brief Lose a packet: 0, none; 1, the client's FIN; 2, the server's; 3, the last acknowledgement;
 * 4, data before the FIN.
 */
LFN_CASE_OF(XcpLastLossTestCase, bool isIpv6, bool isXcpSink, uint32_t lost)
{
    XcpTestNetwork network(isIpv6);
    std::array<uint32_t, 5> done{};
    bool hasAnswered = false;
    network.judge = [&](XcpTestSight& sight) {
        const bool isFin = sight.Has(FIN);
        const bool isLast = sight.to == 1 && hasAnswered && !isFin && sight.payload == 0;
        const bool isData = sight.to == 1 && sight.payload > 0;
        hasAnswered = hasAnswered || (sight.to == 0 && isFin);
        const uint32_t which = isFin ? (sight.to == 1 ? 1 : 2) : isLast ? 3 : isData ? 4 : 0;
        return ++done[which] == (which == 4 ? 6U : 1U) && which == lost && which != 0;
    };
    uint64_t received = 0;
    std::vector<Ptr<Socket>> kept;
    network.Serve(network.MakeSocket(1, isXcpSink, 2), received);
    Connect(network, Seconds(3), kept);
    Connect(network, Seconds(60), kept);
    std::array<std::size_t, 2> left{};
    Simulator::Schedule(Seconds(59), [&] {
        left = {network.shims[0]->GetFlows(), network.shims[1]->GetFlows()};
    });
    XcpTestNetwork::Run(Seconds(120));
    const auto message = "lost: " + std::to_string(lost);
    NS_TEST_EXPECT_MSG_EQ(received, 10000, "every byte of both; " << message);
    NS_TEST_EXPECT_MSG_GT_OR_EQ(done[lost], (lost == 0 ? 1U : 2U), "came again; " << message);
    // The client has forgotten all when the server's second FIN comes: its answer is TCP's, and
    // the server's shim learns nothing of it.
    NS_TEST_EXPECT_MSG_EQ(left[0], 0, "the client's host forgets at once; " << message);
    NS_TEST_EXPECT_MSG_LT_OR_EQ(left[1], (lost == 3 ? 1 : 0), "the server's; " << message);
    for (const auto& shim : network.shims)
    {
        NS_TEST_EXPECT_MSG_EQ(shim->GetFlows(), 0, "in the end; " << message);
        NS_TEST_EXPECT_MSG_EQ(shim->GetDrops(DropReason::UNEXPECTED), 0, message);
    }
}

LFN_CASE_OF(XcpResetTestCase, bool isIpv6, bool isXcpSink)
{
    XcpTestNetwork network(isIpv6);
    uint32_t resets = 0;
    network.judge = [&resets](XcpTestSight& sight) {
        resets += sight.Has(RST) ? 1 : 0;
        return false;
    };
    uint64_t received = 0;
    std::vector<Ptr<Socket>> kept;
    network.Serve(network.MakeSocket(1, isXcpSink, 2), received, true);
    constexpr uint32_t bytes = 300; // nothing is under way any more when the reset leaves
    Connect(network, Seconds(3), kept, bytes);
    Connect(network, Seconds(60), kept, bytes);
    Connect(network, Seconds(75), kept, bytes);
    std::size_t left = 9;
    Simulator::Schedule(Seconds(50), [&] { left = network.shims[1]->GetFlows(); });
    XcpTestNetwork::Run(Seconds(90));
    NS_TEST_EXPECT_MSG_GT(resets, 2, "it does");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(left, (isXcpSink ? 1 : 0), "forgotten when the reset leaves");
    // Resets have no header: an XCP socket's host sees that it is closed in the next sweep.
    for (const auto& shim : network.shims)
    {
        NS_TEST_EXPECT_MSG_LT_OR_EQ(shim->GetFlows(), 1, "the last one at most");
    }
}

/** @brief Copies of data and of the FIN come long after the connection has ended. */
LFN_CASE_OF(XcpLateCopyTestCase, bool isXcpSink)
{
    XcpTestNetwork network;
    uint64_t received = 0;
    std::vector<Ptr<Socket>> kept;
    network.Serve(network.MakeSocket(1, isXcpSink, 2), received);
    Connect(network, Seconds(3), kept);
    Simulator::Schedule(Seconds(4), [&] {
        NS_TEST_EXPECT_MSG_EQ(received, 5000, "it is over");
        const auto seen = network.seen;
        for (const auto& sight : seen)
        {
            if (sight.to == 1 && sight.header && !sight.Has(SYN))
            {
                const auto packet = Create<Packet>(sight.payload);
                packet->AddHeader(sight.tcp);
                packet->AddHeader(*sight.header);
                network.Inject(1, packet);
            }
        }
    });
    std::size_t left = 9;
    Simulator::Schedule(Seconds(5), [&] { left = network.shims[1]->GetFlows(); });
    Connect(network, Seconds(20), kept);
    XcpTestNetwork::Run(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(received, 10000, "every byte, once");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(left, 1, "one connection");
    NS_TEST_EXPECT_MSG_EQ(network.shims[1]->GetFlows(), 0, "in the end");
}

/** @brief How XCP hosts forget connections. */
const Suite g_suite("lfn-xcp-teardown", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new XcpTeardownTestCase("the end of a connection, by its packets"));
    suite.Add(new XcpFlowTableTestCase("sweeps of the table of flows"));
    for (const uint32_t bits : {0U, 1U, 2U, 3U})
    {
        const bool isIpv6 = (bits & 1) != 0;
        const bool isXcpSink = (bits & 2) != 0;
        const auto where = std::string(isXcpSink ? ", XCP listens" : ", TCP listens") +
                           (isIpv6 ? ", IPv6" : ", IPv4");
        for (uint32_t lost = 0; lost < 5; ++lost)
        {
            suite.Add(
                new XcpLastLossTestCase("lost segments at the end, " + std::to_string(lost) + where,
                                        isIpv6,
                                        isXcpSink,
                                        lost));
        }
        suite.Add(new XcpResetTestCase("resets" + where, isIpv6, isXcpSink));
    }
    suite.Add(new XcpLateCopyTestCase("late copies, TCP listens", false));
    suite.Add(new XcpLateCopyTestCase("late copies, XCP listens", true));
});

} // namespace
