// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-path.h"

#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief TCP delivers every byte, in whole segments, and detects when the last one is there. */
LFN_CASE(TcpTransferTestCase)
{
    // Send a megabyte.
    const auto checkTransfer = [&](bool useIpv6, const std::string& losses) {
        constexpr uint64_t BYTES = 1000000;
        const Time delay = MilliSeconds(20);
        TestPath path("100Mbps", delay, useIpv6);
        auto source = path.AddSource<TcpSource>(BYTES);
        auto sink = path.AddSink<TcpSink>();
        path.Lose(1, losses)->SetFilter(IpPacketFilter{.ipProtocol = 6, .minBytes = 200});
        std::set<uint32_t> sizes;
        ConnectTrace(source, "Tx", [&](Ptr<const Packet> segment) {
            sizes.insert(segment->GetSize());
        });
        uint64_t progress = 0;
        ConnectTrace(source, "Progress", [&](uint64_t done, uint64_t) {
            NS_TEST_EXPECT_MSG_GT(done, progress, "rises");
            progress = done;
        });
        TestPath::Run(Seconds(100));
        const auto& sent = source->GetReport();
        const auto& received = sink->GetReport();
        NS_TEST_ASSERT_MSG_EQ(path.completed, 1, "completed");
        NS_TEST_EXPECT_MSG_EQ(received.deliveredBytes, BYTES, "every byte");
        NS_TEST_EXPECT_MSG_EQ(received.lostBytes, 0, "as it was sent");
        NS_TEST_EXPECT_MSG_EQ(sent.deliveredBytes, BYTES, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(progress, BYTES, "traced");
        const std::set<uint32_t> expected{1448, BYTES % 1448};
        NS_TEST_EXPECT_MSG_EQ((sizes == expected), true, "whole segments only");
        const uint64_t needed = BYTES / 1448 + 1;
        NS_TEST_EXPECT_MSG_EQ(sent.dataPackets, needed + sent.retransmittedPackets, "segments");
        const uint64_t lost = losses.empty() ? 0 : 6;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent.retransmittedPackets, lost, "all losses recovered");
        NS_TEST_EXPECT_MSG_EQ((lost > 0 || sent.retransmittedPackets == 0), true, "no recovery");
        // The connection takes an RTT; the sender detects it a link delay after the delivery,
        // since the last acknowledgement is not held back.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent.start, Seconds(3) + 2 * delay, "after the handshake");
        NS_TEST_EXPECT_MSG_LT(sent.start, Seconds(3) + 3 * delay, "but not long after");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent.finish, received.lastDelivery + delay, "detects");
        NS_TEST_EXPECT_MSG_LT(sent.finish, received.lastDelivery + delay + MilliSeconds(1), "it");
    };
    for (const bool useIpv6 : {false, true})
    {
        for (const auto* losses : {"", "4,30,31,32,100,620"})
        {
            checkTransfer(useIpv6, losses);
        }
    }
}

/** @brief Sizes around a segment and around the send buffer; segments above the buffer. */
LFN_CASE(SizesCase)
{
    for (const uint64_t bytes : {1, 1447, 1448, 1449, 2896, 4000, 4001, 131072, 131073})
    {
        for (const uint32_t buffer : {0, 1000, 4000})
        {
            TestPath path("100Mbps", MilliSeconds(1));
            auto source = path.AddSource<TcpSource>(bytes);
            source->SetAttribute("SndBufSize", UintegerValue(buffer));
            auto sink = path.AddSink<TcpSink>();
            TestPath::Run(Seconds(200));
            NS_TEST_EXPECT_MSG_EQ(path.completed, 1, bytes << " B, buffer " << buffer);
            NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, bytes, "every byte");
        }
    }
}

/** @brief One sink takes several connections and checks each stream by itself. */
LFN_CASE(SeveralCase)
{
    TestPath path("10Mbps", MilliSeconds(5));
    for (uint64_t i = 1; i <= 5; ++i)
    {
        path.AddSource<TcpSource>(100000 * i, Seconds(3) + MilliSeconds(100 * i));
    }
    auto sink = path.AddSink<TcpSink>();
    TestPath::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 5, "all five");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 1500000, "every byte");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "in its place");
}

/** @brief A slow host slows TCP down to its own rate, without long stalls. */
LFN_CASE(TcpHostTestCase)
{
    for (const uint32_t buffer : {3000U, 20000U, 131072U})
    {
        TestPath path("1Gbps", MicroSeconds(10));
        constexpr uint64_t BYTES = 2000000;
        auto first = path.AddSource<TcpSource>(BYTES);
        auto second = path.AddSource<TcpSource>(BYTES);
        auto sink = path.AddSink<TcpSink>();
        auto cost = CreateObject<HostCost>();
        cost->SetAttribute("InterruptCost", TimeValue(MicroSeconds(10)));
        cost->SetAttribute("ReadCost", TimeValue(MicroSeconds(50)));
        cost->SetAttribute("MoveCost", TimeValue(MicroSeconds(40)));
        sink->SetAttribute("HostCost", PointerValue(cost));
        sink->SetAttribute("RcvBufSize", UintegerValue(buffer));
        TestPath::Run(Seconds(200));
        NS_TEST_ASSERT_MSG_EQ(path.completed, 2, "both");
        const auto& report = sink->GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, 2 * BYTES, "every byte");
        const double seconds = (report.lastDelivery - report.start).GetSeconds();
        const double atLeast = 2.0 * BYTES / 1448 * 100e-6;
        NS_TEST_EXPECT_MSG_GT(seconds, atLeast * 0.99, "100 us a segment");
        NS_TEST_EXPECT_MSG_LT(seconds, atLeast * 1.15, "and hardly more, buffer " << buffer);
        NS_TEST_EXPECT_MSG_EQ(first->GetReport().retransmittedPackets, 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(second->GetReport().retransmittedPackets, 0, "nothing is lost");
    }
}

/** @brief Makes the receiver of a transfer, if any, and what happens to it. */
using Fault = std::function<Ptr<TcpSink>(TestPath& path, Ptr<TcpSource> source)>;

/** @brief For any failure of the other side, a TCP transfer ends in time and says why. */
LFN_CASE_OF(TcpFaultTestCase, Fault fault, std::string failure, Time limit)
{
    TestPath path("10Mbps", MilliSeconds(5));
    const auto sink = fault(path, path.AddSource<TcpSource>(10'000'000));
    TestPath::Run(Seconds(1000));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 0, failure);
    NS_TEST_EXPECT_MSG_EQ(path.failed, 1, failure);
    NS_TEST_EXPECT_MSG_EQ(path.report.failure, failure, "says why");
    NS_TEST_EXPECT_MSG_LT(path.report.finish, limit, failure << ": in time");
    NS_TEST_EXPECT_MSG_EQ((sink ? sink->GetTotalDrops() : 0), 0, "what arrived is right");
}

/** @brief A source without a size ends when it is stopped, neither well nor badly. */
LFN_CASE(EndlessCase)
{
    TestPath path("10Mbps", MilliSeconds(5));
    auto tcp = path.AddSource<TcpSource>(0);
    tcp->SetStopTime(Seconds(13));
    auto tcpSink = path.AddSink<TcpSink>();
    auto udp = path.AddSource<UdpSource>(0, Seconds(14));
    udp->SetAttribute("SendRate", StringValue("5Mbps"));
    udp->SetStopTime(Seconds(24));
    auto udpSink = path.AddSink<UdpSink>();
    TestPath::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(path.completed + path.failed, 0, "they just end");
    NS_TEST_EXPECT_MSG_EQ(tcp->GetReport().finish, Seconds(13), "when stopped");
    const double goodput = tcp->GetReport().GoodputBps();
    NS_TEST_EXPECT_MSG_GT(goodput, 9e6, "TCP fills the link");
    NS_TEST_EXPECT_MSG_LT(goodput, 10e6, "but no more");
    NS_TEST_EXPECT_MSG_EQ(tcp->GetReport().offeredBytes,
                          tcpSink->GetReport().deliveredBytes,
                          "what was written still arrives");
    NS_TEST_EXPECT_MSG_EQ(udp->GetReport().finish, Seconds(24), "when stopped");
    NS_TEST_EXPECT_MSG_EQ(udp->GetReport().offeredBytes,
                          udpSink->GetReport().deliveredBytes,
                          "everything arrives");
    NS_TEST_EXPECT_MSG_EQ_TOL(udp->GetReport().offeredBytes, 5e6 / 8 * 10, 1450, "at its rate");
}

/** @brief A link that is down for 5 s delays the transfer and no more. */
LFN_CASE(OutageCase)
{
    TestPath path("10Mbps", MilliSeconds(5));
    path.AddSource<TcpSource>(5000000);
    auto sink = path.AddSink<TcpSink>();
    auto model = path.Lose(1, "");
    Simulator::Schedule(Seconds(4), &ScriptedErrorModel::DropAll, model);
    Simulator::Schedule(Seconds(9), &ScriptedErrorModel::SetScript, model, "");
    TestPath::Run(Seconds(1000));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 1, "completes after the outage");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 5000000, "every byte");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "in its place");
}

/** @brief A transfer of any size ends when its last byte is acknowledged at once. */
LFN_CASE(TcpEndTestCase)
{
    constexpr uint64_t SEGMENT = 1448;
    const Time delay = MilliSeconds(10);
    for (const auto& factory :
         {LongFatTcpSocketFactory::GetTypeId(), TcpSocketFactory::GetTypeId()})
    {
        for (uint64_t bytes = SEGMENT / 2; bytes <= 20 * SEGMENT; bytes += SEGMENT / 2)
        {
            TestPath path("100Mbps", delay);
            const auto source = path.AddSource<TcpSource>(bytes);
            source->SetAttribute("SocketFactory", TypeIdValue(factory));
            const auto sink = path.AddSink<TcpSink>();
            sink->SetAttribute("SocketFactory", TypeIdValue(factory));
            TestPath::Run(Seconds(20));
            NS_TEST_ASSERT_MSG_EQ(path.completed, 1, path.report.failure);
            NS_TEST_EXPECT_MSG_LT(source->GetReport().finish,
                                  sink->GetReport().lastDelivery + delay + MilliSeconds(1),
                                  bytes << " B by " << factory.GetName());
        }
    }
}

constexpr uint32_t PACKETS = 16; //!< more than reach either end

/** @brief A connection that its source closes early survives the loss of any packet. */
LFN_CASE(TcpCloseTestCase)
{
    // Lose packets that arrive at an end; a slow host reads long after the last one.
    const auto check = [&](std::size_t end, const std::string& losses, bool isSlow) {
        constexpr uint64_t BYTES = 14'480;
        TestPath path("100Mbps", MilliSeconds(10));
        const auto source = path.AddSource<TcpSource>(BYTES);
        const auto sink = path.AddSink<TcpSink>();
        if (isSlow)
        {
            const auto cost = CreateObject<HostCost>();
            cost->SetAttribute("ReadCost", TimeValue(Seconds(1)));
            sink->SetAttribute("HostCost", PointerValue(cost));
        }
        path.Lose(end, losses)->SetFilter(IpPacketFilter{.ipProtocol = 6});
        TestPath::Run(Seconds(1000));
        const auto what = "packets " + losses + " to end " + std::to_string(end) + " lost";
        auto report = source->GetReport();
        NS_TEST_EXPECT_MSG_EQ(path.completed, 1, what << ": " << path.report.failure);
        report.MergeReceiver(sink->GetReport());
        NS_TEST_EXPECT_MSG_EQ(report.completed, true, what);
        NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, BYTES, what);
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().failure, "", what);
    };
    for (const std::size_t end : {0, 1})
    {
        for (uint32_t lost = 1; lost <= PACKETS; ++lost)
        {
            check(end, std::to_string(lost), false);
            check(end, std::to_string(lost), true);
            check(end, std::to_string(lost) + "," + std::to_string(lost + 1), true);
        }
    }
}

const Suite g_suite("lfn-tcp-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new TcpTransferTestCase("TCP source and sink: content, whole segments, losses"));
    suite.Add(new SizesCase(
        "sizes around a segment and around the send buffer; segments above the buffer"));
    suite.Add(
        new SeveralCase("one sink takes several connections and checks each stream by itself"));
    suite.Add(new TcpEndTestCase("TCP source: ends of any size without a delayed ACK"));
    suite.Add(new TcpCloseTestCase("TCP source: closes early, any packet lost, slow hosts"));
    suite.Add(new TcpHostTestCase("TCP sink: flow control by a slow host"));
    const auto addFault = [&suite](const std::string& name,
                                   const std::string& failure,
                                   const Fault& fault,
                                   Time limit = Seconds(1000)) {
        suite.Add(new TcpFaultTestCase("TCP: " + name, fault, failure, limit));
    };
    const std::string refused = "connection refused or timed out";
    addFault(
        "nobody listens",
        refused,
        [](TestPath&, Ptr<TcpSource>) { return nullptr; },
        Seconds(3.1));
    addFault("no SYN arrives", refused, [](TestPath& path, Ptr<TcpSource>) {
        path.Lose(1, "all");
        return path.AddSink<TcpSink>();
    });
    addFault("the sink stops", "closed by the receiver", [](TestPath& path, Ptr<TcpSource>) {
        const auto sink = path.AddSink<TcpSink>();
        sink->SetStopTime(Seconds(4));
        return sink;
    });
    addFault("the receiver is gone", "connection lost", [](TestPath& path, Ptr<TcpSource>) {
        const auto model = path.Lose(1, "");
        Simulator::Schedule(Seconds(4), &ScriptedErrorModel::DropAll, model);
        return path.AddSink<TcpSink>();
    });
    addFault("the source is stopped", "stopped", [](TestPath& path, Ptr<TcpSource> source) {
        source->SetStopTime(Seconds(4));
        return path.AddSink<TcpSink>();
    });
    addFault(
        "the window stays closed",
        "nothing acknowledged for StallTimeout",
        [](TestPath& path, Ptr<TcpSource> source) {
            source->SetAttribute("StallTimeout", TimeValue(Seconds(20)));
            const auto cost = CreateObject<HostCost>();
            cost->SetAttribute("ReadCost", TimeValue(Hours(1)));
            const auto sink = path.AddSink<TcpSink>();
            sink->SetAttribute("HostCost", PointerValue(cost));
            return sink;
        },
        Seconds(30));
    suite.Add(new EndlessCase("TCP and UDP: a source without a size ends when it is stopped"));
    suite.Add(new OutageCase("TCP: a link that is down for 5 s delays a transfer"));
});

} // namespace
