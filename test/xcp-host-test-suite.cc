// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-network.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/node.h"
#include "ns3/object-map.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

LFN_CASE_OF(XcpPacketsTestCase, bool isIpv6, bool isXcpSink)
{
    XcpTestNetwork network(isIpv6);
    std::size_t largest = 0;
    network.judge = [&network, &largest](XcpTestSight& sight) {
        if (sight.header)
        {
            sight.header->deltaThroughput = std::min(sight.header->deltaThroughput, 2000.0);
        }
        for (const auto& shim : network.shims)
        {
            largest = std::max(largest, shim->GetFlows());
        }
        return false;
    };
    const auto xcp = network.AddSource(300000);
    const auto sink = network.AddSink(isXcpSink);
    const auto plain = network.AddSource(300000, false, 10);
    const auto ns3Sink = network.AddSink(false, 10);
    XcpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(xcp->GetReport().completed, true, "XCP is through");
    NS_TEST_EXPECT_MSG_EQ(plain->GetReport().completed, true, "TCP is through");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 300000, "every byte");
    NS_TEST_EXPECT_MSG_EQ(ns3Sink->GetReport().deliveredBytes, 300000, "every byte");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops() + ns3Sink->GetTotalDrops(), 0, "as sent");
    uint32_t data = 0;
    for (const auto& sight : network.seen)
    {
        const bool isPlain =
            sight.tcp.GetSourcePort() == 10 || sight.tcp.GetDestinationPort() == 10;
        if (isPlain)
        {
            NS_TEST_ASSERT_MSG_EQ(+sight.protocol, 6, "plain TCP is left alone");
            continue;
        }
        NS_TEST_ASSERT_MSG_EQ(sight.header.has_value(), true, "XCP has its header");
        const auto& header = *sight.header;
        NS_TEST_ASSERT_MSG_EQ(+header.nextProtocol, 6, "next protocol");
        NS_TEST_ASSERT_MSG_EQ(sight.tcp.HasOption(TcpOption::TS), false, "no timestamps");
        const bool isStandard =
            sight.payload > 0 || (sight.Has(TcpHeader::SYN) && (sight.to == 1 || isXcpSink));
        NS_TEST_ASSERT_MSG_EQ(sight.Is(XcpHeader::STANDARD), isStandard, "format");
        if (sight.payload == 0)
        {
            NS_TEST_ASSERT_MSG_EQ(header.x + header.rtt + header.deltaThroughput, 0, "empty");
            continue;
        }
        ++data;
        NS_TEST_ASSERT_MSG_EQ(sight.ipBytes,
                              sight.payload + 20 + 20 + (isIpv6 ? 40 : 20),
                              "20 bytes more");
        NS_TEST_ASSERT_MSG_GT(header.rtt, 0.0200, "the RTT, from the handshake on");
        NS_TEST_ASSERT_MSG_LT(header.rtt, 0.25, "of this path");
        NS_TEST_ASSERT_MSG_GT(header.x, 0, "X");
        NS_TEST_ASSERT_MSG_LT_OR_EQ(header.x, header.rtt + 1e-8, "is part of it");
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(data, 300, "all data");
    for (const auto& shim : network.shims)
    {
        NS_TEST_EXPECT_MSG_EQ(shim->GetDrops(DropReason::MALFORMED), 0, "nothing refused");
        NS_TEST_EXPECT_MSG_EQ(shim->GetDrops(DropReason::UNEXPECTED), 0, "nothing odd");
        NS_TEST_EXPECT_MSG_EQ(shim->GetFlows(), 0, "nor is XCP's when it is over");
    }
    NS_TEST_EXPECT_MSG_EQ(largest, 1, "the plain connection is not remembered");
}

LFN_CASE_OF(XcpClosedPortTestCase, bool isIpv6)
{
    XcpTestNetwork network(isIpv6);
    const auto source = network.AddSource(1000);
    XcpTestNetwork::Run(Seconds(400));
    NS_TEST_EXPECT_MSG_EQ(source->GetReport().failure,
                          "connection refused or timed out",
                          "refused");
    NS_TEST_ASSERT_MSG_GT_OR_EQ(network.seen.size(), 2, "a SYN and a reset");
    NS_TEST_EXPECT_MSG_EQ(network.seen[0].Is(XcpHeader::STANDARD), true, "the SYN");
    NS_TEST_EXPECT_MSG_EQ(network.seen[1].Has(TcpHeader::RST), true, "the answer");
    for (const auto& sight : network.seen)
    {
        NS_TEST_EXPECT_MSG_EQ((sight.Has(TcpHeader::RST) ? +sight.protocol : 6), 6, "no header");
    }
    NS_TEST_EXPECT_MSG_EQ(network.shims[1]->GetFlows(), 0, "nothing is remembered");
}

/** @brief ns-3's checksums are those of protocol 6 on either side. */
LFN_CASE(XcpChecksumsTestCase)
{
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    for (const bool isIpv6 : {false, true})
    {
        XcpTestNetwork network(isIpv6);
        const auto source = network.AddSource(100000);
        const auto sink = network.AddSink();
        XcpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "with checksums");
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 100000, "every byte");
    }
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
}

LFN_CASE(XcpOversizeTestCase)
{
    for (const uint32_t segment : {1440U, 1441U})
    {
        XcpTestNetwork network;
        const auto source = network.AddSource(20 * segment);
        source->SetAttribute("SegmentSize", UintegerValue(segment));
        const auto sink = network.AddSink();
        uint32_t oversize = 0;
        ConnectTrace(network.shims[0], "Oversize", [&oversize](Ptr<const Packet>) { ++oversize; });
        XcpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "it arrives all the same");
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "as sent");
        NS_TEST_EXPECT_MSG_EQ(oversize, (segment == 1440 ? 0 : 20), "segments of " << segment);
    }
}

/// Set how many segments a node's sockets acknowledge at once, before these are made.
void
SetDelAckCount(Ptr<Node> node, uint32_t delAckCount)
{
    Simulator::Schedule(Seconds(2), [node, delAckCount]() {
        ObjectMapValue sockets;
        node->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
        for (auto entry = sockets.Begin(); entry != sockets.End(); ++entry)
        {
            entry->second->SetAttribute("DelAckCount", UintegerValue(delAckCount));
        }
    });
}

/** @brief The round-trip time of a socket, from what it sends; nothing is lost. */
struct RttSamples
{
    /// Watch a socket.
    explicit RttSamples(Ptr<TcpSocketBase> socket)
    {
        ConnectTrace(
            socket,
            "Tx",
            [this](Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase>) {
                const bool isSyn = (header.GetFlags() & TcpHeader::SYN) != 0;
                if (const uint32_t size = isSyn ? 1 : packet->GetSize(); size > 0)
                {
                    sent.emplace(header.GetSequenceNumber() + size, Simulator::Now());
                }
            });
    }

    /// An acknowledgement arrives.
    void OnAck(SequenceNumber32 ack)
    {
        Time sum;
        int64_t count = 0;
        for (; !sent.empty() && sent.begin()->first <= ack; sent.erase(sent.begin()))
        {
            sum += Simulator::Now() - sent.begin()->second;
            ++count;
        }
        if (count > 0)
        {
            estimator->Measurement(sum / count);
            srtt = estimator->GetEstimate().GetSeconds();
        }
    }

    double srtt{0};                                                    //!< smoothed, [s]
    Ptr<RttMeanDeviation> estimator{CreateObject<RttMeanDeviation>()}; //!< as TCP has it
    std::map<SequenceNumber32, Time> sent;                             //!< end of a segment, when
};

/** @brief Delayed acknowledgements carry the sum; the window is computed here, too. */
LFN_CASE_OF(XcpFeedbackSumTestCase, uint32_t delAckCount)
{
    XcpTestNetwork network(false, 3, "100Mbps");
    std::mt19937 random(5);
    const auto shim = network.shims[0];
    const auto socket = DynamicCast<TcpSocketBase>(network.MakeSocket(0, true));
    PointerValue ops;
    socket->GetAttribute("CongestionOps", ops);
    const auto xcp = DynamicCast<TcpXcp>(ops.GetObject());
    double granted = 0;
    double reported = 0;
    double expected = 0;
    uint32_t acks = 0;
    bool isAgreed = true;
    RttSamples samples(socket);
    network.judge = [&](XcpTestSight& sight) {
        if (sight.to == 1 && sight.Is(XcpHeader::STANDARD) && sight.payload > 0)
        {
            // In the first second there is more to ask for than this.
            const double least = -2000;
            sight.header->deltaThroughput =
                std::min(sight.header->deltaThroughput,
                         std::round(least + static_cast<double>(random() % 5000)));
            granted += sight.header->deltaThroughput;
        }
        if (sight.to == 0 && sight.header && sight.payload == 0)
        {
            acks += sight.header->reverseFeedback != 0 ? 1 : 0;
            reported += sight.header->reverseFeedback;
            isAgreed = isAgreed && (delAckCount > 1 || sight.header->reverseFeedback < 3000);
            expected =
                std::max(xcp->GetWindow() + sight.header->reverseFeedback * samples.srtt, 1000.0);
        }
        if (sight.to == 0 && sight.Has(TcpHeader::ACK))
        {
            samples.OnAck(sight.tcp.GetAckNumber());
        }
        return false;
    };
    uint32_t compared = 0;
    ConnectTrace(socket,
                 "Rx",
                 [&](Ptr<const Packet>, const TcpHeader& header, Ptr<const TcpSocketBase>) {
                     // At the end the sender is idle and its window ages.
                     if (samples.srtt > 0 && (header.GetFlags() & TcpHeader::SYN) == 0 &&
                         header.GetAckNumber() < SequenceNumber32(300000))
                     {
                         ++compared;
                         isAgreed = isAgreed && std::abs(xcp->GetWindow() - expected) < 1e-6;
                     }
                 });
    auto sink = network.AddSink();
    SetDelAckCount(network.nodes.Get(1), delAckCount);
    uint32_t left = 400;
    Simulator::Schedule(Seconds(3), [&]() {
        socket->SetAttribute("SegmentSize", UintegerValue(1000));
        socket->SetAttribute("SndBufSize", UintegerValue(1000000));
        socket->Bind();
        socket->Connect(network.GetEnd(1, XcpTestNetwork::PORT));
        socket->SetConnectCallback(Callback<void, Ptr<Socket>>([&left](Ptr<Socket> opened) {
                                       for (; left > 0; --left)
                                       {
                                           opened->Send(Create<Packet>(1000));
                                       }
                                   }),
                                   MakeNullCallback<void, Ptr<Socket>>());
    });
    sink->SetAttribute("CheckContent", BooleanValue(false));
    XcpTestNetwork::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 400000, "every byte");
    NS_TEST_EXPECT_MSG_EQ(isAgreed, true, "the window before TCP sees the packet");
    NS_TEST_EXPECT_MSG_GT(compared, 300 / delAckCount - 10, "for every acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(reported, granted, "nothing is lost or counted twice");
    NS_TEST_EXPECT_MSG_LT(acks, 400 / delAckCount + 20, "summed");
}

/** @brief A sum that no word carries is reported in parts. */
LFN_CASE(XcpSaturationTestCase)
{
    XcpTestNetwork network(false, 3, "100Mbps");
    uint32_t packets = 0;
    double granted = 0;
    double reported = 0;
    network.judge = [&](XcpTestSight& sight) {
        if (sight.to == 1 && sight.payload > 0)
        {
            // Four words' worth at once; the packets that follow let the rest out.
            const double grant = ++packets <= 4 ? 2000000000 : 0;
            sight.header->deltaThroughput = grant;
            granted += grant;
        }
        else if (sight.to == 0)
        {
            reported += sight.header->reverseFeedback;
            sight.header->reverseFeedback = 0;
        }
        return false;
    };
    const auto source = network.AddSource(20000);
    network.AddSink();
    XcpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "through");
    NS_TEST_EXPECT_MSG_EQ(granted, 8e9, "granted");
    NS_TEST_EXPECT_MSG_EQ(reported, granted, "nothing lost, nothing invented");
}

/** @brief Both ends send over one connection; the accepted socket is forked. */
LFN_CASE_OF(XcpBothWaysTestCase, bool isIpv6)
{
    XcpTestNetwork network(isIpv6);
    std::array<uint32_t, 2> standard{};
    std::array<double, 2> feedback{};
    network.judge = [&](XcpTestSight& sight) {
        if (sight.payload > 0)
        {
            standard[sight.to] += sight.Is(XcpHeader::STANDARD) ? 1 : 0;
            sight.header->deltaThroughput =
                std::min(sight.header->deltaThroughput, sight.to == 1 ? 500.0 : 700.0);
        }
        feedback[sight.to] += sight.header->reverseFeedback;
        return false;
    };
    std::array<uint64_t, 2> received{};
    const auto listener = network.MakeSocket(1, true);
    const auto client = network.MakeSocket(0, true);
    const auto fill = [](Ptr<Socket> socket) {
        for (int i = 0; i < 100; ++i)
        {
            socket->Send(Create<Packet>(1000));
        }
    };
    Ptr<Socket> accepted;
    network.Listen(listener, [&](Ptr<Socket> socket) {
        accepted = socket;
        XcpTestNetwork::Receive(socket, received[1]);
        fill(socket);
    });
    client->SetConnectCallback(Callback<void, Ptr<Socket>>(fill),
                               MakeNullCallback<void, Ptr<Socket>>());
    XcpTestNetwork::Receive(client, received[0]);
    Simulator::Schedule(Seconds(3), [&]() {
        isIpv6 ? DynamicCast<TcpSocketBase>(client)->Bind6() : client->Bind();
        client->Connect(network.GetEnd(1, XcpTestNetwork::PORT));
    });
    XcpTestNetwork::Run(Seconds(60));
    for (uint32_t i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(received[i], 100000, "every byte");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(standard[i], 100, "in standard headers");
        NS_TEST_EXPECT_MSG_GT(feedback[i], 10000, "and feedback for it");
    }
    Ptr<TcpSocketBase> forked = DynamicCast<TcpSocketBase>(accepted);
    PointerValue ops;
    forked->GetAttribute("CongestionOps", ops);
    const auto xcp = DynamicCast<TcpXcp>(ops.GetObject());
    NS_TEST_ASSERT_MSG_NE(xcp, nullptr, "the fork is XCP's");
    accepted = nullptr;
}

LFN_CASE(XcpNoShimTestCase)
{
    for (const bool isIpv6 : {false, true})
    {
        XcpTestNetwork network(isIpv6, 1);
        const auto source = network.AddSource(2000000);
        const auto sink = network.AddSink();
        uint32_t largest = 0;
        ConnectTrace(source, "CongestionWindow", [&largest](uint32_t, uint32_t now) {
            largest = std::max(largest, now);
        });
        XcpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "no stall");
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 2000000, "every byte");
        NS_TEST_EXPECT_MSG_GT(largest, 20000, "it grows as NewReno");
        uint32_t headers = 0;
        for (const auto& sight : network.seen)
        {
            headers += sight.header ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(headers, 2, "two SYNs try it");
        NS_TEST_EXPECT_MSG_LT(source->GetReport().finish, Seconds(20), "in time");
    }
    XcpTestNetwork network(false, 2);
    const auto source = network.AddSource(300000, false);
    const auto sink = network.AddSink(true);
    XcpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "a plain client");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 300000, "every byte");
    for (const auto& sight : network.seen)
    {
        NS_TEST_ASSERT_MSG_EQ(+sight.protocol, 6, "is never sent a header");
    }
}

/** @brief Nobody cuts what is asked for; packets are lost at the link. */
LFN_CASE(XcpNoRouterTestCase)
{
    for (const auto* policy : {"Mix", "Fallback"})
    {
        for (const bool isLossy : {false, true})
        {
            Config::SetDefault("ns3::lfn::TcpXcp::LossPolicy", StringValue(policy));
            XcpTestNetwork network;
            std::mt19937 random(7);
            network.judge = [&](XcpTestSight&) { return isLossy && random() % 100 < 3; };
            const auto source = network.AddSource(300000);
            const auto sink = network.AddSink();
            XcpTestNetwork::Run();
            NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "no stall " << policy);
            NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 300000, "every byte");
            NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "as sent");
        }
    }
    Config::SetDefault("ns3::lfn::TcpXcp::LossPolicy", StringValue("Mix"));
}

LFN_CASE(XcpSocketTypeTestCase)
{
    for (const bool isIpv6 : {false, true})
    {
        XcpTestNetwork network(isIpv6);
        for (uint32_t i = 0; i < 2; ++i)
        {
            network.nodes.Get(i)->GetObject<TcpL4Protocol>()->SetAttribute(
                "SocketType",
                TypeIdValue(TcpXcp::GetTypeId()));
        }
        const auto source = network.AddSource(100000, false);
        const auto sink = network.AddSink(false);
        XcpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "through");
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 100000, "every byte");
        for (const auto& sight : network.seen)
        {
            const bool isStandard = sight.payload > 0 || sight.Has(TcpHeader::SYN);
            NS_TEST_ASSERT_MSG_EQ(sight.Is(isStandard ? XcpHeader::STANDARD : XcpHeader::MINIMAL),
                                  true,
                                  "both ends are XCP's");
        }
    }
}

LFN_CASE(XcpEcnTestCase)
{
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    XcpTestNetwork network;
    const auto source = network.AddSource(100000);
    network.AddSink();
    XcpTestNetwork::Run();
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("Off"));
    NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "through");
    uint32_t packets = 0;
    for (const auto& sight : network.seen)
    {
        if (sight.payload > 0 && sight.Is(XcpHeader::STANDARD))
        {
            ++packets;
            NS_TEST_ASSERT_MSG_EQ(+sight.ecn, 2, "ECT(0)");
        }
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(packets, 100, "all data");
}

/** @brief After lost SYNs, recoveries and timeouts as well, routers receive the path's RTT. */
LFN_CASE(XcpRttTestCase)
{
    // A delayed acknowledgement is part of what TCP takes for the RTT.
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    for (const bool isIpv6 : {false, true})
    {
        XcpTestNetwork network(isIpv6);
        uint32_t syns = 0;
        uint32_t data = 0;
        uint32_t reported = 0;
        network.judge = [&](XcpTestSight& sight) {
            if (sight.to == 0)
            {
                return false;
            }
            if (sight.Has(TcpHeader::SYN))
            {
                return ++syns == 1;
            }
            if (sight.payload == 0 || !sight.header)
            {
                return false;
            }
            sight.header->deltaThroughput = 0; // the window does not grow, no queue
            ++data;
            if (sight.header->rtt > 0)
            {
                ++reported;
                // 20 ms of propagation; what ten segments of 0.9 ms may wait for each other.
                NS_TEST_EXPECT_MSG_GT(sight.header->rtt, 0.02, "data " << data);
                NS_TEST_EXPECT_MSG_LT(sight.header->rtt, 0.032, "data " << data);
            }
            // Gaps, and twice the number that only a timeout helps.
            return data == 30 || data == 60 || data == 62 || (data >= 100 && data < 105) ||
                   data == 150 || (data >= 200 && data < 204);
        };
        const auto source = network.AddSource(300000);
        network.AddSink();
        XcpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "through");
        NS_TEST_EXPECT_MSG_GT(source->GetReport().retransmittedPackets, 9, "retransmissions");
        NS_TEST_EXPECT_MSG_GT(reported, 250, "most data report an RTT");
    }
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
}

LFN_CASE(XcpNoFactoryTestCase)
{
    XcpTestNetwork network(false, 0);
    const auto source = network.AddSource(1000);
    const auto sink = network.AddSink(true);
    XcpTestNetwork::Run();
    const std::string expected = "the node has no TCP, or no ns3::lfn::XcpSocketFactory";
    NS_TEST_EXPECT_MSG_EQ(source->GetReport().failure, expected, "source");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().failure, expected, "sink");
}

/// XCP hosts on real stacks: where the congestion header is, what it says, and what arrives of it.
const Suite g_suite("lfn-xcp-host", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const bool isIpv6 : {false, true})
    {
        const std::string version = isIpv6 ? ", IPv6" : ", IPv4";
        for (const bool isXcpSink : {false, true})
        {
            suite.Add(new XcpPacketsTestCase("headers of all packets" + version +
                                                 (isXcpSink ? ", XCP listens" : ", TCP listens"),
                                             isIpv6,
                                             isXcpSink));
        }
        suite.Add(new XcpClosedPortTestCase("a closed port" + version, isIpv6));
        suite.Add(new XcpBothWaysTestCase("both ends send" + version, isIpv6));
    }
    for (const uint32_t count : {1, 2, 4})
    {
        suite.Add(new XcpFeedbackSumTestCase(
            "feedback summed and obeyed at once, segments per ACK: " + std::to_string(count),
            count));
    }
    suite.Add(new XcpChecksumsTestCase("ns-3's checksums"));
    suite.Add(new XcpOversizeTestCase("segments without room for the header"));
    suite.Add(new XcpSaturationTestCase("feedback that needs several headers"));
    suite.Add(new XcpNoShimTestCase("only one host has the shim"));
    suite.Add(new XcpNoRouterTestCase("no router, with and without losses"));
    suite.Add(new XcpSocketTypeTestCase("ns-3's factory with SocketType TcpXcp"));
    suite.Add(new XcpEcnTestCase("ECN bits of packets with the header"));
    suite.Add(new XcpRttTestCase("the RTT in the header after losses and timeouts"));
    suite.Add(new XcpNoFactoryTestCase("a node without the factory"));
});

} // namespace
