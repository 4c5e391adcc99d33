// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-path.h"

#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Nanoseconds of simulated time. */
uint64_t
Now()
{
    return static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
}

/** @brief UDP datagrams leave on an exact schedule, for any numbers. */
LFN_CASE(UdpPacingTestCase)
{
    // Compare departure times with their definition, for datagrams of size bytes.
    const auto check = [&](const std::string& rate,
                           uint32_t size,
                           uint64_t quantumNs,
                           const std::string& host) {
        constexpr uint64_t PACKETS = 300;
        const uint64_t bytes = (PACKETS - 1) * size + 1; // the last one is short
        TestPath path("1000Gbps", MilliSeconds(1));
        auto source = path.AddSource<UdpSource>(bytes);
        source->SetAttribute("SendRate", StringValue(rate));
        source->SetAttribute("PacketSize", UintegerValue(size));
        source->SetAttribute("PacingQuantum", TimeValue(NanoSeconds(quantumNs)));
        if (const auto cost = *HostCost::FindProfile(host))
        {
            // ns-3 refuses a null pointer as the value of an Attribute.
            source->SetAttribute("HostCost", PointerValue(cost));
        }
        std::vector<uint64_t> departures;
        ConnectTrace(source, "Tx", [&](Ptr<const Packet>) { departures.push_back(Now()); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(departures.size(), PACKETS, "all are sent");
        NS_TEST_ASSERT_MSG_EQ(path.completed, 1, "completed");
        const uint64_t bitRate = DataRate(rate).GetBitRate();
        const uint64_t hostNs = host == "none" ? 0 : 16000;
        const uint64_t startNs = departures[0];
        uint64_t expected = startNs;
        for (uint64_t i = 1; i <= PACKETS; ++i)
        {
            const uint64_t scaledBits = uint64_t{8} * size * 1000000000; // 300 of them fit
            uint64_t dueNs = startNs + scaledBits * i / bitRate;
            if (quantumNs > 0)
            {
                const uint64_t quanta = std::max<uint64_t>(scaledBits / bitRate / quantumNs, 1);
                dueNs = startNs + quanta * quantumNs * i;
            }
            if (i == PACKETS)
            {
                const auto finish = source->GetReport().finish.GetNanoSeconds();
                expected = std::max(expected, dueNs);
                NS_TEST_ASSERT_MSG_EQ(static_cast<uint64_t>(finish), expected, "end of " << rate);
                break;
            }
            expected = std::max(dueNs, expected + hostNs);
            NS_TEST_ASSERT_MSG_EQ(departures[i], expected, "datagram " << i << " at " << rate);
        }
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().offeredBytes, bytes, "offered");
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().dataPackets, PACKETS, "packets");
    };
    check("600Mbps", 1450, 0, "none");
    check("682Mbps", 1450, 0, "none");
    check("999999937bps", 1, 0, "none");
    check("7bps", 65507, 0, "none");
    check("611Mbps", 1450, 1000, "none");
    check("725Mbps", 1450, 1000, "none");
    check("100Gbps", 1450, 1000, "none"); // the interval is shorter than the quantum
    check("878Mbps", 1450, 0, "pacing-16us");
    check("400Mbps", 1450, 0, "pacing-16us");
}

/** @brief UDP delivers what arrives, byte by byte, and refuses anything else. */
LFN_CASE_OF(UdpTransferTestCase, bool useIpv6)
{
    TestPath path("1Gbps", MilliSeconds(10), useIpv6);
    auto source = path.AddSource<UdpSource>(100000);
    auto sink = path.AddSink<UdpSink>();
    auto model = path.Lose(1, "3,7");
    model->SetFilter(IpPacketFilter{.ipProtocol = 17});
    // Somebody else sends nulls to the same port.
    auto unknownHost = Socket::CreateSocket(path.nodes.Get(0), UdpSocketFactory::GetTypeId());
    Simulator::Schedule(Seconds(4), [&]() {
        unknownHost->Connect(path.GetRemote());
        unknownHost->Send(Create<Packet>(1450));
        unknownHost->Send(Create<Packet>(0));
    });
    TestPath::Run(Seconds(10));
    const auto& sent = source->GetReport();
    const auto& received = sink->GetReport();
    NS_TEST_EXPECT_MSG_EQ(path.completed, 1, "a UDP source always completes");
    NS_TEST_EXPECT_MSG_EQ(sent.dataPackets, 69, "ceil(100000 / 1450)");
    NS_TEST_EXPECT_MSG_EQ(received.deliveredBytes, 100000 - 2 * 1450, "two are lost");
    NS_TEST_EXPECT_MSG_EQ(received.dataPackets, 69 - 2 + 2, "and two come from elsewhere");
    NS_TEST_EXPECT_MSG_EQ(sink->GetDrops(DropReason::CORRUPT), 1, "one of them is wrong");
    NS_TEST_EXPECT_MSG_EQ(received.lostBytes, 1450, "and given up");
    const Time first = Seconds(3) + MilliSeconds(10);
    NS_TEST_EXPECT_MSG_GT(received.start, first, "after the link's delay");
    NS_TEST_EXPECT_MSG_LT(received.start, first + MicroSeconds(50), "and no later");
}

/** @brief What cannot work fails with a reason and without an abort. */
LFN_CASE(UdpBadAttributesTestCase)
{
    TestPath path("1Gbps", MilliSeconds(10));
    path.AddSource<UdpSource>(1000)->SetAttribute("SendRate", StringValue("0bps"));
    path.AddSource<UdpSource>(1000)->SetAttribute("Remote", AddressValue(Ipv4Address("10.0.0.2")));
    const Address nowhere = InetSocketAddress(Ipv4Address("99.9.9.9"), PORT);
    path.AddSource<UdpSource>(1000)->SetAttribute("Remote", AddressValue(nowhere));
    path.AddSource<TcpSource>(1000)->SetAttribute("Remote", AddressValue(Ipv4Address("10.0.0.2")));
    auto udp = path.AddSink<UdpSink>();
    auto secondUdp = path.AddSink<UdpSink>();
    auto tcp = path.AddSink<TcpSink>();
    auto secondTcp = path.AddSink<TcpSink>();
    TestPath::Run(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(path.failed, 4, "four bad senders");
    NS_TEST_EXPECT_MSG_EQ(udp->IsFinished() || tcp->IsFinished(), false, "good sinks");
    NS_TEST_EXPECT_MSG_NE(secondUdp->GetReport().failure, "", "the port is taken");
    NS_TEST_EXPECT_MSG_NE(secondTcp->GetReport().failure, "", "the port is taken");
}

/** @brief A slow host loses from a UDP stream what the Quanta paper says. */
LFN_CASE_OF(UdpHostTestCase, std::string host, bool moves, double share, double tolerance)
{
    constexpr uint64_t BYTES = uint64_t{20000} * 1450;
    TestPath path("1Gbps", MilliSeconds(1));
    auto source = path.AddSource<UdpSource>(BYTES);
    source->SetAttribute("CheckContent", BooleanValue(false));
    source->SetAttribute("SendRate", StringValue("828571428bps"));
    source->SetAttribute("PacingQuantum", TimeValue(MicroSeconds(1)));
    auto sink = path.AddSink<UdpSink>();
    sink->SetAttribute("CheckContent", BooleanValue(false));
    sink->SetAttribute("MoveData", BooleanValue(moves));
    sink->SetAttribute("HostCost", PointerValue(*HostCost::FindProfile(host)));
    TestPath::Run(Seconds(10));
    const auto& report = sink->GetReport();
    const double delivered = static_cast<double>(report.deliveredBytes) / BYTES;
    NS_TEST_EXPECT_MSG_EQ_TOL(delivered, share, tolerance + 1e-12, host);
    NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes + report.lostBytes, BYTES, "all accounted for");
    NS_TEST_EXPECT_MSG_EQ(1450 * sink->GetDrops(DropReason::BUFFER_FULL),
                          report.lostBytes,
                          "lost in the buffer");
}

const Suite g_suite("lfn-transfer-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new UdpPacingTestCase("UDP source: exact schedule, quantum, host"));
    suite.Add(new UdpTransferTestCase("UDP source and sink: content, losses, unauthenticated hosts",
                                      false));
    suite.Add(new UdpTransferTestCase("UDP source and sink over IPv6: the same", true));
    suite.Add(new UdpBadAttributesTestCase("UDP and TCP: what cannot be sent or received"));
    // Steps of 14 us: y/x is 0.6764, and the buffer of 90 datagrams keeps 0.0045 of 20 000.
    suite.Add(new UdpHostTestCase("UDP sink: the line app_perf", "livelock", true, 0.6809, 0.001));
    suite.Add(new UdpHostTestCase("UDP sink: the line iperf", "livelock", false, 1.0, 0.0));
    suite.Add(new UdpHostTestCase("UDP sink: a fast host", "livelock-fast", true, 1.0, 0.0));
});

} // namespace
