// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-path.h"

#include "ns3/inet-socket-address.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/parallel-tcp-sink.h"
#include "ns3/parallel-tcp-source.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Content, counts and times over IPv4 and IPv6, with and without losses. */
class ParallelTransferTestCase : public TestCase
{
  public:
    ParallelTransferTestCase()
        : TestCase("parallel TCP: every byte, whoever carries it")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* striping : {"RoundRobin", "Partition", "OnDemand"})
        {
            for (const uint32_t streams : {1, 4, 13})
            {
                Check(striping, streams, "", false, 1'000'003);
                Check(striping, streams, "5,30,31,32,100,620", true, 1'000'003);
            }
        }
        for (const uint64_t bytes : {1, 1424, 1425, 65136, 65137, 130272})
        {
            Check("RoundRobin", 3, "", false, bytes);
        }
    }

    /**
     * @brief Sends a transfer.
     * @param striping which connection carries which chunk
     * @param streams connections
     * @param losses which large packets are lost
     * @param useIpv6 IPv6 instead of IPv4
     * @param bytes user bytes
     */
    void Check(const std::string& striping,
               uint32_t streams,
               const std::string& losses,
               bool useIpv6,
               uint64_t bytes)
    {
        TestPath path("100Mbps", MilliSeconds(5), useIpv6);
        auto source = path.AddSource<ParallelTcpSource>(bytes);
        source->SetAttribute("Striping", StringValue(striping));
        source->SetAttribute("Streams", UintegerValue(streams));
        auto sink = path.AddSink<ParallelTcpSink>();
        path.Lose(1, losses)->SetFilter(IpPacketFilter{.ipProtocol = 6, .minBytes = 200});
        TestPath::Run(Seconds(100));
        const auto what = striping + " over " + std::to_string(streams) + ": " + path.failure;
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
    }
};

/** @brief N windows a round trip, as section 1 of the paper has it: N * W / RTT. */
class ParallelWindowTestCase : public TestCase
{
  public:
    ParallelWindowTestCase()
        : TestCase("parallel TCP: N windows a round trip until the link is full")
    {
    }

  private:
    void DoRun() override
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
            NS_TEST_ASSERT_MSG_EQ(path.completed, 1, path.failure);
            // A window of whole segments, and the slow start at the beginning.
            const double law = 8 * streams * WINDOW / RTT;
            NS_TEST_EXPECT_MSG_LT(source->GetReport().GoodputBps(), law, streams << " windows");
            NS_TEST_EXPECT_MSG_GT(source->GetReport().GoodputBps(), 0.85 * law, streams);
        }
    }
};

/** @brief What ends a transfer badly, in one line; a sink that outlives its sources. */
class ParallelFaultTestCase : public TestCase
{
  public:
    ParallelFaultTestCase()
        : TestCase("parallel TCP: faults and hostile peers")
    {
    }

  private:
    void DoRun() override
    {
        CheckNoSink();
        CheckBlackHole();
        CheckWrong();
        CheckNext();
        CheckHostile();
        CheckStopped();
    }

    /** @brief Nobody listens. */
    void CheckNoSink()
    {
        TestPath path("10Mbps", MilliSeconds(1));
        path.AddSource<ParallelTcpSource>(1000);
        TestPath::Run(Seconds(1000));
        NS_TEST_EXPECT_MSG_EQ(path.failed, 1, "one end");
        NS_TEST_EXPECT_MSG_EQ(path.failure, "connection refused or timed out", "says why");
    }

    /** @brief The link goes down for ever. */
    void CheckBlackHole()
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
        NS_TEST_EXPECT_MSG_EQ(path.failure, "nothing acknowledged for StallTimeout", "says why");
        NS_TEST_EXPECT_MSG_LT(source->GetReport().finish, Seconds(30), "in bounded time");
    }

    /** @brief Settings that cannot be. */
    void CheckWrong()
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
    void CheckNext()
    {
        TestPath path("10Mbps", MilliSeconds(1));
        path.AddSource<ParallelTcpSource>(100'000);
        path.AddSource<ParallelTcpSource>(200'000, Seconds(10));
        auto sink = path.AddSink<ParallelTcpSink>();
        TestPath::Run(Seconds(100));
        NS_TEST_EXPECT_MSG_EQ(path.completed, 2, path.failure);
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 300'000, "both");
    }

    /** @brief A plain TCP sender's pattern is no header: its connection ends, the sink does not. */
    void CheckHostile()
    {
        TestPath path("10Mbps", MilliSeconds(1));
        auto liar = path.AddSource<TcpSource>(1'000'000);
        auto source = path.AddSource<ParallelTcpSource>(100'000, Seconds(10));
        auto sink = path.AddSink<ParallelTcpSink>();
        TestPath::Run(Seconds(100));
        NS_TEST_EXPECT_MSG_EQ(sink->GetDrops(DropReason::MALFORMED), 1, "one bad header");
        NS_TEST_EXPECT_MSG_EQ(liar->GetReport().completed, false, "shown the door");
        NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "the next one is served");
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 100'000, "nothing but that");
    }

    /** @brief Being stopped is the normal end of a sender without a size. */
    void CheckStopped()
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
};

/** @brief Every congestion control on the list carries a transfer through losses. */
class ParallelCongestionTestCase : public TestCase
{
  public:
    ParallelCongestionTestCase()
        : TestCase("TCP: every congestion control by its name")
    {
    }

  private:
    void DoRun() override
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
            NS_TEST_EXPECT_MSG_EQ(path.completed, 2, name << ": " << path.failure);
        }
        NS_TEST_EXPECT_MSG_EQ(CheckTcpCongestion("ns3::TcpCubic").has_value(), false, "known");
        NS_TEST_EXPECT_MSG_EQ((CheckTcpCongestion("ns3::TcpTahoe")->find("ns3::TcpBbr, ") > 0),
                              true,
                              "the list");
    }
};

/** @brief Parallel TCP on the whole stack. */
class ParallelSystemTestSuite : public TestSuite
{
  public:
    ParallelSystemTestSuite()
        : TestSuite("lfn-parallel-system", Type::SYSTEM)
    {
        AddTestCase(new ParallelTransferTestCase, Duration::QUICK);
        AddTestCase(new ParallelWindowTestCase, Duration::QUICK);
        AddTestCase(new ParallelFaultTestCase, Duration::QUICK);
        AddTestCase(new ParallelCongestionTestCase, Duration::QUICK);
    }
};

const ParallelSystemTestSuite g_parallelSystemTestSuite; //!< registers itself

} // namespace
