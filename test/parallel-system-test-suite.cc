// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-path.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/parallel-tcp-helper.h"
#include "ns3/parallel-tcp-sink.h"
#include "ns3/parallel-tcp-source.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-factory.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Content, counts and times over IPv4 and IPv6, with and without losses. */
LFN_CASE(ParallelTransferTestCase)
{
    // Send a transfer; losses are numbers of large packets.
    const auto check = [&](const std::string& striping,
                           uint32_t streams,
                           const std::string& losses,
                           bool useIpv6,
                           uint64_t bytes) {
        TestPath path("100Mbps", MilliSeconds(5), useIpv6);
        auto source = path.AddSource<ParallelTcpSource>(bytes);
        source->SetAttribute("Striping", StringValue(striping));
        source->SetAttribute("Streams", UintegerValue(streams));
        auto sink = path.AddSink<ParallelTcpSink>();
        path.Lose(1, losses)->SetFilter(IpPacketFilter{.ipProtocol = 6, .minBytes = 200});
        TestPath::Run(Seconds(100));
        const auto what =
            striping + " over " + std::to_string(streams) + ": " + path.report.failure;
        const auto& sent = source->GetReport();
        const auto& received = sink->GetReport();
        NS_TEST_EXPECT_MSG_EQ(path.completed, 1, what);
        NS_TEST_EXPECT_MSG_EQ(sent.deliveredBytes, bytes, what);
        NS_TEST_EXPECT_MSG_EQ(received.deliveredBytes, bytes, what);
        NS_TEST_EXPECT_MSG_EQ(received.lostBytes, 0, what);
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, what);
        NS_TEST_EXPECT_MSG_EQ(sink->GetCore().GetInOrder(), bytes, what);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent.retransmittedPackets, (losses.empty() ? 0 : 6), what);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent.finish, received.lastDelivery + MilliSeconds(5), what);
        NS_TEST_EXPECT_MSG_LT(sent.finish, received.lastDelivery + MilliSeconds(6), what);
    };
    for (const auto* striping : {"RoundRobin", "Partition", "OnDemand"})
    {
        for (const uint32_t streams : {1, 4, 13})
        {
            check(striping, streams, "", false, 1'000'003);
            check(striping, streams, "5,30,31,32,100,620", true, 1'000'003);
        }
    }
    // A segment, and a chunk of 45, less the header.
    for (const uint64_t bytes : {1, 1420, 1421, 65132, 65133, 130264})
    {
        check("RoundRobin", 3, "", false, bytes);
    }
}

/** @brief Connections that are closed one after the other survive the loss of any packet. */
LFN_CASE(ParallelCloseTestCase)
{
    constexpr uint64_t BYTES = 40'003;
    constexpr uint32_t PACKETS = 50; // more than reach either end
    for (const auto* striping : {"RoundRobin", "Partition", "OnDemand"})
    {
        for (uint32_t lost = 1; lost <= 2 * PACKETS; ++lost)
        {
            TestPath path("100Mbps", MilliSeconds(5));
            const auto source = path.AddSource<ParallelTcpSource>(BYTES);
            source->SetAttribute("Striping", StringValue(striping));
            source->SetAttribute("ChunkSize", UintegerValue(3000));
            const auto sink = path.AddSink<ParallelTcpSink>();
            path.Lose(lost % 2, std::to_string((lost + 1) / 2))
                ->SetFilter(IpPacketFilter{.ipProtocol = 6});
            TestPath::Run(Seconds(100));
            NS_TEST_EXPECT_MSG_EQ(path.completed, 1, striping << lost << path.report.failure);
            NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, BYTES, striping << lost);
            NS_TEST_EXPECT_MSG_EQ(sink->GetCore().GetInOrder(), BYTES, striping << lost);
        }
    }
}

/** @brief N windows per RTT, as section 1 of the paper has it: N * W / RTT. */
LFN_CASE(ParallelWindowTestCase)
{
    constexpr double WINDOW = 32768;
    constexpr double RTT = 0.1;
    for (const uint32_t streams : {1, 2, 4, 8})
    {
        TestPath path("100Mbps", MilliSeconds(50));
        auto source = path.AddSource<ParallelTcpSource>(streams * uint64_t{1'500'000});
        source->SetAttribute("Streams", UintegerValue(streams));
        source->SetAttribute("SndBufSize", UintegerValue(1 << 20));
        auto sink = path.AddSink<ParallelTcpSink>();
        sink->SetAttribute("RcvBufSize", UintegerValue(static_cast<uint32_t>(WINDOW)));
        TestPath::Run(Seconds(200));
        NS_TEST_ASSERT_MSG_EQ(path.completed, 1, path.report.failure);
        // A window of whole segments, and the slow start at the beginning.
        const double law = 8 * streams * WINDOW / RTT;
        NS_TEST_EXPECT_MSG_LT(source->GetReport().GoodputBps(), law, streams << " windows");
        NS_TEST_EXPECT_MSG_GT(source->GetReport().GoodputBps(), 0.85 * law, streams);
    }
}

/** @brief Nobody listens. */
LFN_CASE(ParallelNoSinkTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    path.AddSource<ParallelTcpSource>(1000);
    TestPath::Run(Seconds(1000));
    NS_TEST_EXPECT_MSG_EQ(path.failed, 1, "one end");
    NS_TEST_EXPECT_MSG_EQ(path.report.failure, "connection refused or timed out", "says why");
}

/** @brief The link goes down for ever. */
LFN_CASE(ParallelLinkDownTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    auto source = path.AddSource<ParallelTcpSource>(1'000'000);
    source->SetAttribute("StallTimeout", TimeValue(Seconds(20)));
    path.AddSink<ParallelTcpSink>();
    std::string all = "60";
    for (uint32_t i = 61; i < 2000; ++i)
    {
        all += "," + std::to_string(i);
    }
    path.Lose(1, all);
    TestPath::Run(Seconds(1000));
    NS_TEST_EXPECT_MSG_EQ(path.failed, 1, "one end");
    NS_TEST_EXPECT_MSG_EQ(path.report.failure, "nothing acknowledged for StallTimeout", "says why");
    NS_TEST_EXPECT_MSG_LT(source->GetReport().finish, Seconds(30), "in bounded time");
}

/** @brief Settings that cannot be. */
LFN_CASE(ParallelWrongTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    auto endless = path.AddSource<ParallelTcpSource>(0);
    endless->SetAttribute("Striping", StringValue("Partition"));
    auto unknown = path.AddSource<ParallelTcpSource>(1000);
    unknown->SetAttribute("Congestion", StringValue("ns3::TcpNone"));
    auto plain = path.AddSource<TcpSource>(1000);
    plain->SetAttribute("Congestion", StringValue("ns3::TcpNone"));
    TestPath::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(path.failed, 3, "all fail");
    NS_TEST_EXPECT_MSG_EQ(endless->GetReport().failure,
                          "Striping=Partition needs Bytes above 0",
                          "says why");
    NS_TEST_EXPECT_MSG_EQ((plain->GetReport().failure.find("Congestion") == 0), true, "why");
}

/** @brief One transfer after the other to the same sink. */
LFN_CASE(ParallelNextTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    path.AddSource<ParallelTcpSource>(100'000);
    path.AddSource<ParallelTcpSource>(200'000, Seconds(10));
    auto sink = path.AddSink<ParallelTcpSink>();
    TestPath::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 2, path.report.failure);
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 300'000, "both");
}

/** @brief A connection that says nothing and stays: transfers before and alongside it go on. */
LFN_CASE(ParallelIdleTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    path.AddSource<ParallelTcpSource>(100'000);
    path.AddSource<ParallelTcpSource>(200'000, Seconds(3));
    path.AddSource<ParallelTcpSource>(100'000, Seconds(10));
    auto sink = path.AddSink<ParallelTcpSink>();
    Ptr<Socket> idle;
    Simulator::Schedule(Seconds(2), [&] {
        idle = MakeSocket(path.nodes.Get(0), TcpSocketFactory::GetTypeId());
        idle->Bind();
        idle->Connect(path.GetRemote());
    });
    TestPath::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 3, path.report.failure);
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 400'000, "all, each once");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "nothing redundant");
}

/** @brief The FIN of a transfer is lost; the next one, of the same size, comes before it. */
LFN_CASE(ParallelLingeringTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    for (const auto& start : {Seconds(3), MilliSeconds(3500)})
    {
        auto source = path.AddSource<ParallelTcpSource>(10'000, start);
        source->SetAttribute("Streams", UintegerValue(1));
    }
    auto sink = path.AddSink<ParallelTcpSink>();
    // SYN, ACK, FIN: all else that comes is data.
    path.Lose(1, "3")->SetFilter(IpPacketFilter{.ipProtocol = 6, .maxBytes = 100});
    TestPath::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 2, path.report.failure);
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 20'000, "both");
    NS_TEST_EXPECT_MSG_EQ(sink->GetDrops(DropReason::DUPLICATE), 0, "apart");
}

/** @brief A handshake that is under way when a sink stops brings it no connection. */
LFN_CASE(ParallelLateConnectionTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    path.AddSource<ParallelTcpSource>(100'000);
    auto plain = path.AddSource<TcpSource>(100'000);
    plain->SetAttribute("Remote", AddressValue(UdpEndpoint::WithPort(path.GetRemote(), 99)));
    auto sink = path.AddSink<ParallelTcpSink>();
    auto ns3Sink = path.AddSink<TcpSink>();
    ns3Sink->SetAttribute("Port", UintegerValue(99));
    sink->SetStopTime(MicroSeconds(3'002'000));
    ns3Sink->SetStopTime(MicroSeconds(3'002'000));
    TestPath::Run(Seconds(1000));
    NS_TEST_EXPECT_MSG_EQ(path.completed, 0, "nobody is there");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().started, false, "nothing is taken");
    NS_TEST_EXPECT_MSG_EQ(ns3Sink->GetReport().started, false, "nothing is taken");
}

/** @brief A node without TCP ends the transfer, not the program. */
LFN_CASE(ParallelNoStackTestCase)
{
    const auto node = CreateObject<Node>();
    const auto source = CreateObject<ParallelTcpSource>();
    const auto sink = CreateObject<ParallelTcpSink>();
    const auto plain = CreateObject<TcpSource>();
    const auto ns3Sink = CreateObject<TcpSink>();
    const std::vector<Ptr<TransferApplication>> all = {source, sink, plain, ns3Sink};
    for (const auto& end : all)
    {
        end->SetAttributeFailSafe("Remote", AddressValue(InetSocketAddress("10.0.0.1", PORT)));
        node->AddApplication(end);
    }
    TestPath::Run(Seconds(1));
    for (const auto& end : all)
    {
        NS_TEST_EXPECT_MSG_EQ(end->GetReport().failure,
                              "the node has no TCP, or no ns3::lfn::LongFatTcpSocketFactory",
                              "says why");
    }
    Simulator::Destroy();
}

/** @brief The helper installs what the tests install by hand. */
LFN_CASE(ParallelHelperTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    ParallelTcpHelper helper;
    helper.SetPort(7);
    helper.SetSourceAttribute("Bytes", UintegerValue(100'000));
    helper.SetSinkAttribute("RcvBufSize", UintegerValue(20'000));
    const auto transfer = helper.Install(path.nodes.Get(0), path.nodes.Get(1), path.GetRemote());
    transfer.source->SetStartTime(Seconds(3));
    TestPath::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(transfer.source->GetReport().completed, true, "it runs");
    NS_TEST_EXPECT_MSG_EQ(transfer.sink->GetReport().deliveredBytes, 100'000, "all");
}

/** @brief A plain TCP sender's pattern is no header: its connection ends, the sink does not. */
LFN_CASE(ParallelMalformedTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    auto misbehaving = path.AddSource<TcpSource>(1'000'000);
    auto source = path.AddSource<ParallelTcpSource>(100'000, Seconds(10));
    auto sink = path.AddSink<ParallelTcpSink>();
    TestPath::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(sink->GetDrops(DropReason::MALFORMED), 1, "one bad header");
    NS_TEST_EXPECT_MSG_EQ(misbehaving->GetReport().completed, false, "refused");
    NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "the next one is served");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 100'000, "nothing but that");
}

/** @brief Being stopped is the normal end of a sender without a size. */
LFN_CASE(ParallelStoppedTestCase)
{
    TestPath path("10Mbps", MilliSeconds(1));
    auto endless = path.AddSource<ParallelTcpSource>(0);
    endless->SetStopTime(Seconds(5));
    auto sink = path.AddSink<ParallelTcpSink>();
    TestPath::Run(Seconds(20));
    NS_TEST_EXPECT_MSG_EQ(path.failed, 0, "a normal end");
    const auto offered = endless->GetReport().offeredBytes;
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, offered, "all of it arrives");
    NS_TEST_EXPECT_MSG_GT(offered, 1'500'000, "a good part of the link");
}

/** @brief Every congestion control on the list carries a transfer through losses. */
LFN_CASE(ParallelCongestionTestCase)
{
    const auto names = ListTcpCongestion();
    NS_TEST_EXPECT_MSG_GT_OR_EQ(names.size(), 15, "those of ns-3");
    for (const auto& name : names)
    {
        NS_TEST_EXPECT_MSG_EQ((name.find("Xcp") == std::string::npos), true, "any socket's");
        TestPath path("50Mbps", MilliSeconds(5));
        auto source = path.AddSource<TcpSource>(1'000'000);
        source->SetAttribute("Congestion", StringValue(name));
        auto streams = path.AddSource<ParallelTcpSource>(1'000'000);
        streams->SetAttribute("Congestion", StringValue(name));
        streams->SetAttribute("Remote",
                              AddressValue(InetSocketAddress(
                                  InetSocketAddress::ConvertFrom(path.GetRemote()).GetIpv4(),
                                  PORT + 1)));
        path.AddSink<TcpSink>();
        auto sink = path.AddSink<ParallelTcpSink>();
        sink->SetAttribute("Port", UintegerValue(PORT + 1));
        path.Lose(1, "100,200,300,301")
            ->SetFilter(IpPacketFilter{.ipProtocol = 6, .minBytes = 200});
        TestPath::Run(Seconds(100));
        NS_TEST_EXPECT_MSG_EQ(path.completed, 2, name << ": " << path.report.failure);
    }
    NS_TEST_EXPECT_MSG_EQ(CheckTcpCongestion("ns3::TcpCubic").has_value(), false, "known");
    const auto remedy = CheckTcpCongestion("ns3::TcpTahoe").value_or("");
    NS_TEST_EXPECT_MSG_EQ((remedy.find("ns3::TcpBbr, ") != std::string::npos), true, remedy);
}

/** @brief A control that needs the receiver's help is the receiver's: it takes the offer of ECN. */
LFN_CASE_OF(BothEndsTestCase, std::string name, bool isAnswered)
{
    for (const bool isParallel : {false, true})
    {
        TestPath path("10Mbps", MilliSeconds(1));
        Ptr<Application> source;
        Ptr<Application> sink;
        if (isParallel)
        {
            source = path.AddSource<ParallelTcpSource>(100'000);
            sink = path.AddSink<ParallelTcpSink>();
        }
        else
        {
            source = path.AddSource<TcpSource>(100'000);
            sink = path.AddSink<TcpSink>();
        }
        source->SetAttribute("Congestion", StringValue(name));
        sink->SetAttribute("Congestion", StringValue(name));
        bool isTaken = false;
        ConnectTrace(path.nodes.Get(0)->GetObject<Ipv4>(),
                     "Rx",
                     [&isTaken](Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t) {
                         const auto copy = packet->Copy();
                         Ipv4Header ip;
                         TcpHeader tcp;
                         copy->RemoveHeader(ip);
                         copy->RemoveHeader(tcp);
                         const auto flags = tcp.GetFlags();
                         isTaken =
                             isTaken || ((flags & TcpHeader::SYN) && (flags & TcpHeader::ECE));
                     });
        TestPath::Run(Seconds(100));
        NS_TEST_EXPECT_MSG_EQ(path.completed, 1, name << ": " << path.report.failure);
        NS_TEST_EXPECT_MSG_EQ(isTaken, isAnswered, name << (isParallel ? " parallel" : ""));
    }
}

/** @brief A control that draws lots draws them from the flow's own stream. */
LFN_CASE(CongestionStreamTestCase)
{
    std::set<Time> ends;
    for (const int64_t stream : {1, 1, 2, 3, 4, 5, 6})
    {
        TestPath path("10Mbps", MilliSeconds(20));
        auto source = path.AddSource<TcpSource>(5'000'000);
        source->SetAttribute("Congestion", StringValue("ns3::TcpBbr"));
        source->AssignStreams(stream);
        path.AddSink<TcpSink>();
        path.Lose(1, "500,1500,2500");
        TestPath::Run(Seconds(100));
        NS_TEST_EXPECT_MSG_EQ(path.completed, 1, path.report.failure);
        ends.insert(source->GetReport().finish);
        NS_TEST_EXPECT_MSG_EQ((stream > 1 || ends.size() == 1), true, "equal streams");
    }
    NS_TEST_EXPECT_MSG_GT(ends.size(), 1, "other streams, other lots");
}

const Suite g_suite("lfn-parallel-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new ParallelTransferTestCase("parallel TCP: every byte, any host that carries it"));
    suite.Add(new ParallelWindowTestCase("parallel TCP: N windows per RTT until the link is full"));
    suite.Add(new ParallelCloseTestCase("parallel TCP: closes early, any packet lost"));
    suite.Add(new ParallelNoSinkTestCase("parallel TCP: nobody listens"));
    suite.Add(new ParallelLinkDownTestCase("parallel TCP: the link goes down for ever"));
    suite.Add(new ParallelWrongTestCase("parallel TCP: settings that cannot be"));
    suite.Add(
        new ParallelNextTestCase("parallel TCP: one transfer after the other to the same sink"));
    suite.Add(new ParallelIdleTestCase("parallel TCP: a connection that says nothing and stays: "
                                       "transfers before and alongside it go on"));
    suite.Add(new ParallelLingeringTestCase("parallel TCP: the FIN of a transfer is lost; the next "
                                            "one, of the same size, comes before it"));
    suite.Add(new ParallelLateConnectionTestCase(
        "parallel TCP: a handshake that is under way when a sink stops brings it no connection"));
    suite.Add(new ParallelNoStackTestCase(
        "parallel TCP: a node without TCP ends the transfer, not the program"));
    suite.Add(new ParallelHelperTestCase(
        "parallel TCP: the helper installs what the tests install by hand"));
    suite.Add(new ParallelMalformedTestCase("parallel TCP: a plain TCP sender's pattern is no "
                                            "header: its connection ends, the sink does not"));
    suite.Add(new ParallelStoppedTestCase(
        "parallel TCP: being stopped is the normal end of a sender without a size"));
    suite.Add(new ParallelCongestionTestCase("TCP: every congestion control by its name"));
    suite.Add(new BothEndsTestCase("TCP: no congestion control that needs ECN", "", false));
    suite.Add(new BothEndsTestCase("TCP: DCTCP at both ends", "ns3::TcpDctcp", true));
    suite.Add(new CongestionStreamTestCase("TCP: a congestion control has the flow's stream"));
});

} // namespace
