// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"
#include "xcp-test-dumbbell.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/lfn-transport.h"
#include "ns3/packet-sink.h"
#include "ns3/xcp-multiplicative-drop-law.h"
#include "ns3/xcp-socket-factory.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Dumbbell = XcpTestDumbbell; //!< shorter

/** @brief Datagrams that obey nobody: the drop probability climbs, and XCP keeps something. */
LFN_CASE_OF(XcpUnresponsiveHostTestCase, double most, std::string rate)
{
    const auto law = CreateObject<XcpMultiplicativeDropLaw>();
    law->SetAttribute("MaxProbability", DoubleValue(most));
    // SRED, as by default.
    XcpTestDumbbell network({.rttMs = 20, .law = law, .isExact = false});
    // 1.01 to the power of 926 is 10^4: that many intervals are needed to climb from 1e-4 to 1.
    network.disc->SetAttribute("FairnessInterval", TimeValue(MilliSeconds(5)));
    // A starved XCP flow waits for its timeouts, longer and longer: it must not be forgotten.
    network.disc->GetFairness()->SetAttribute("SilenceTimeout", TimeValue(Seconds(30)));
    double largest = 0;
    ConnectTrace(network.disc, "DropProbability", [&largest](double, double now) {
        largest = std::max(largest, now);
    });
    network.AddFlow(0, true);
    network.AddUdp(1, rate, Seconds(1));
    Dumbbell::Run(Seconds(9));
    const auto rates = network.Measure(Seconds(12));
    const auto means = network.monitor->Take();
    NS_TEST_EXPECT_MSG_LT_OR_EQ(largest, most, "the ceiling holds");
    NS_TEST_EXPECT_MSG_GT(means.utilisation, 0.9, "the link is used");
    // Where more passes than the link carries, the ceiling is too low to protect anybody.
    const double passing = (1 - most) * static_cast<double>(DataRate(rate).GetBitRate()) * 1.03;
    NS_TEST_EXPECT_MSG_GT(rates[0], (passing < 10e6 ? 20e3 : 0), "XCP keeps something");
    NS_TEST_EXPECT_MSG_GT(network.monitor->GetLosses(false).fairness, 500, "UDP is dropped");
    NS_TEST_EXPECT_MSG_EQ(network.monitor->GetLosses(true).fairness, 0, "XCP is not");
    if (most < 1)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(largest, most, 1e-12, "it is reached");
    }
    else
    {
        // High enough, p cuts what passes down to the fair share, any host that obeys.
        NS_TEST_EXPECT_MSG_EQ_TOL(Dumbbell::GetShare(rates, 0), 0.5, 0.15, "half each");
    }
}

LFN_CASE(XcpCapacityTestCase)
{
    // Change the rate, wait, and look.
    const auto change = [&](XcpTestDumbbell& network, uint32_t rate) {
        network.SetRate(std::to_string(rate) + "Mbps");
        // A control interval is a mean RTT, 40 ms and what the queue adds; 40 of 40 ms:
        const Time start = Simulator::Now() + MilliSeconds(1600);
        Dumbbell::Run(start);
        const auto rates = network.Measure(start + Seconds(1));
        const auto means = network.monitor->Take();
        NS_TEST_EXPECT_MSG_GT(means.utilisation, 0.95, "used at " << rate);
        NS_TEST_EXPECT_MSG_LT(means.queuePackets, 5, "drained at " << rate);
        NS_TEST_EXPECT_MSG_EQ_TOL((rates[0] + rates[1]) / 1e6,
                                  rate * 1000.0 / 1062,
                                  0.05 * rate,
                                  "followed at " << rate);
        NS_TEST_EXPECT_MSG_EQ_TOL(Dumbbell::GetShare(rates, 0), 0.5, 0.1, "equal at " << rate);
    };
    XcpTestDumbbell network({.bufferBdp = 2});
    network.AddFlow(0, true);
    network.AddFlow(1, true);
    Dumbbell::Run(Seconds(4));
    for (const uint32_t rate : {5, 10, 20, 10})
    {
        change(network, rate);
    }
    NS_TEST_EXPECT_MSG_EQ(network.monitor->GetLosses(true).tail, 0, "nothing is lost");
}

LFN_CASE_OF(XcpNoRouterTestCase, bool isIpv6)
{
    XcpTestDumbbell network({.isIpv6 = isIpv6, .isRouter = false});
    for (uint32_t i = 0; i < 2; ++i)
    {
        network.AddFlow(i, true, Time(0), 1000000);
    }
    Dumbbell::Run(Seconds(60));
    for (const auto& flow : network.flows)
    {
        NS_TEST_EXPECT_MSG_EQ(flow.IsWhole(), true, "through without an XCP router");
    }
    NS_TEST_EXPECT_MSG_GT(network.monitor->GetLosses(true).tail, 0, "though not unhurt");
}

LFN_CASE_OF(XcpDownTestCase, bool isIpv6)
{
    XcpTestDumbbell network({.isIpv6 = isIpv6});
    for (uint32_t i = 0; i < 2; ++i)
    {
        network.AddFlow(i, i == 0, Time(0), 4000000);
    }
    uint32_t lost = 0;
    const auto judge = [&lost](XcpTestSight& sight) {
        const bool isDown = sight.time > Seconds(2) && sight.time < Seconds(4);
        lost += isDown ? 1 : 0;
        return isDown;
    };
    const auto& [from, to] = network.topology->GetBottlenecks().front();
    network.Tap(from, judge);
    network.Tap(to, judge);
    Dumbbell::Run(Seconds(4));
    const auto rates = network.Measure(Seconds(8));
    NS_TEST_EXPECT_MSG_GT(lost, 10, "it was down");
    NS_TEST_EXPECT_MSG_GT(rates[0], 0, "XCP is back in 4 s");
    NS_TEST_EXPECT_MSG_GT(rates[0] + rates[1], 5e6, "the link is used again");
    NS_TEST_EXPECT_MSG_GT(Dumbbell::GetShare(rates, 0), 0.5, "XCP has a share again");
    Dumbbell::Run(Seconds(60));
    for (const auto& flow : network.flows)
    {
        NS_TEST_EXPECT_MSG_EQ(flow.IsWhole(), true, "through in the end");
    }
}

LFN_CASE_OF(XcpQuarterBufferTestCase, bool isAlone)
{
    XcpTestDumbbell network(
        {.bufferBdp = 0.25, .law = isAlone ? nullptr : CreateObject<XcpMultiplicativeDropLaw>()});
    network.AddFlow(0, true);
    network.AddFlow(1, isAlone);
    Dumbbell::Run(Seconds(5));
    const auto rates = network.Measure(Seconds(10));
    const auto means = network.monitor->Take();
    NS_TEST_EXPECT_MSG_GT(means.utilisation, (isAlone ? 0.9 : 0.7), "used");
    NS_TEST_EXPECT_MSG_GT(rates[0], 100e3, "XCP goes on");
    NS_TEST_EXPECT_MSG_GT(rates[1], 100e3, "so does the other");
}

/** @brief Granted bursts into a buffer of a quarter of a bandwidth-delay product, without
 * SACK.
 */
LFN_CASE(XcpPacedGrowthTestCase)
{
    std::map<double, double> losses;
    for (const double share : {0.0, 0.25})
    {
        Config::SetDefault("ns3::lfn::TcpXcp::PacedGrowth", DoubleValue(share));
        Config::SetDefault("ns3::lfn::XcpSocketFactory::PartialAckSegments", UintegerValue(1));
        Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
        XcpTestDumbbell network({.rate = "20Mbps", .rttMs = 200, .bufferBdp = 0.25});
        network.AddFlow(0, true);
        network.AddFlow(1, false);
        Dumbbell::Run(Seconds(30));
        losses[share] = static_cast<double>(network.monitor->GetLosses(true).tail);
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_GT(losses[0.0], 100, "bursts overflow the buffer");
    NS_TEST_EXPECT_MSG_LT(losses[0.25], losses[0.0] / 20, "paced growth spares nearly all");
}

/** @brief Two XCP flows alongside TCP, ten packets of buffer: without SACK much as with it. */
LFN_CASE(XcpSmallBufferTestCase)
{
    std::map<bool, double> losses;
    std::map<bool, double> used;
    for (const bool sack : {false, true})
    {
        for (const uint64_t run : {1, 2, 3})
        {
            Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(sack));
            XcpTestDumbbell network({.pairs = 3, .rate = "20Mbps", .bufferBdp = 0.1, .run = run});
            network.AddFlow(0, true, MilliSeconds(100 * run));
            network.AddFlow(1, true);
            network.AddFlow(2, false);
            Dumbbell::Run(Seconds(20));
            losses[sack] += static_cast<double>(network.monitor->GetLosses(true).tail);
            used[sack] += network.monitor->Take().utilisation / 3;
            Simulator::Destroy();
        }
    }
    // What a recovery leaves in flight stands in bursts, on each of which a buffer overflows.
    NS_TEST_EXPECT_MSG_LT(losses[false], 1.5 * losses[true], "few more losses");
    NS_TEST_EXPECT_MSG_GT(used[false], used[true] - 0.03, "little less of the link");
}

/** @brief A flow alone with ns-3's delayed ACKs soon has half of the link, whenever it begins. */
class XcpRestartTestCase : public CaseOf<XcpTestPath>
{
    using CaseOf::CaseOf;

    void RunWith(XcpTestPath path) override
    {
        Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(2));
        Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(path.sendBuffer));
        XcpTestDumbbell network(path);
        const auto receiver = network.topology->GetReceivers().Get(0);
        const auto sink = CreateObject<PacketSink>();
        const auto address = network.GetAddress(0, 9);
        sink->SetAttribute("Protocol", TypeIdValue(XcpSocketFactory::GetTypeId()));
        sink->SetAttribute("Local", AddressValue(address));
        receiver->AddApplication(sink);
        ConnectTrace(sink, "Rx", [this](Ptr<const Packet> packet, const Address&) {
            m_arrivals.emplace_back(Simulator::Now().GetSeconds(), packet->GetSize());
        });
        m_socket = Socket::CreateSocket(network.topology->GetSenders().Get(0),
                                        XcpSocketFactory::GetTypeId());
        m_socket->SetAttribute("SegmentSize", UintegerValue(XcpTestDumbbell::PAYLOAD));
        m_socket->SetAttribute("SndBufSize", UintegerValue(path.sendBuffer));
        m_socket->Bind();
        m_socket->Connect(address);
        m_socket->SetSendCallback(
            Callback<void, Ptr<Socket>, uint32_t>([this](Ptr<Socket>, uint32_t) { Write(); }));
        // Of 5 s each, and what is left in the send buffer: at the start, after some more than 1 s
        // without anything to send, and after a minute.
        for (const double start : {1.0, 8.0, 75.0})
        {
            Simulator::Schedule(Seconds(start) - Simulator::Now(), [this, start] {
                m_arrivals.clear();
                m_end = Seconds(start + 5);
                Write();
            });
            Dumbbell::Run(Seconds(start + 5));
            Check(path, start);
        }
        m_socket = nullptr;
        Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
        Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(131072));
    }

    /** @brief Write as much as fits, until the end. */
    void Write()
    {
        while (Simulator::Now() < m_end && m_socket->GetTxAvailable() >= XcpTestDumbbell::PAYLOAD)
        {
            m_socket->Send(Create<Packet>(XcpTestDumbbell::PAYLOAD), 0);
        }
    }

    /// Look when half of the link was used, after the application began to write at start, in
    /// seconds.
    void Check(const XcpTestPath& path, double start)
    {
        const double rtt = path.rttMs / 1e3;
        const double half = static_cast<double>(DataRate(path.rate).GetBitRate()) / 8 / 2 *
                            XcpTestDumbbell::PAYLOAD / XcpTestDumbbell::PACKET * rtt;
        double reached = -1;
        double bytes = 0;
        std::size_t oldest = 0;
        for (const auto& [time, size] : m_arrivals)
        {
            bytes += size;
            for (; m_arrivals[oldest].first <= time - rtt; ++oldest)
            {
                bytes -= m_arrivals[oldest].second;
            }
            if (bytes >= half && reached < 0)
            {
                // Counted from the first packet at the same place.
                reached = time - m_arrivals.front().first;
            }
        }
        NS_TEST_EXPECT_MSG_GT(reached, 0, "half of the link is used");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(reached / rtt, 10, "RTTs after " << start << " s");
    }

    Ptr<Socket> m_socket;                                //!< the sender's
    Time m_end;                                          //!< of writing
    std::vector<std::pair<double, uint32_t>> m_arrivals; //!< at the receiver, [s] and [B]
};

/**
 * @brief A flow alone on an idle link: from its initial window it has most of the link after some
 * round-trip times, however short these are, at any rate of the link.
 */
LFN_CASE_OF(XcpIdleLinkTestCase, std::string rate, Time rtt, Time start, uint32_t segment)
{
    constexpr double INITIAL_WINDOW = 10; // segments
    const TestSimulation simulation(1);
    const auto topology = Build("PointToPointTopology[Mtu=9000|Queue=2000p|LinkRate=" + rate +
                                "|Rtt=" + std::to_string(rtt.GetNanoSeconds()) + "ns]");
    NS_TEST_ASSERT_MSG_EQ((topology != nullptr), true, rate);
    std::vector<Ptr<Transport>> made;
    NS_TEST_ASSERT_MSG_EQ(Transport::Read("xcp", made).value_or(""), "", rate);
    NS_TEST_ASSERT_MSG_EQ(made[0]->Prepare(*topology).value_or(""), "", rate);
    TransportFlow flow;
    flow.sender = topology->GetSenders().Get(0);
    flow.receiver = topology->GetReceivers().Get(0);
    flow.senderAddress = topology->GetSenderEnd(0);
    flow.receiverAddress = topology->GetReceiverEnd(0);
    flow.rtt = rtt;
    flow.port = 5000;
    flow.windowBytes = 100'000'000;
    flow.start = start;
    flow.packetSize = segment;
    TransportEnds ends;
    NS_TEST_ASSERT_MSG_EQ(made[0]->Install(flow, ends).value_or(""), "", rate);
    const double bytesPerSecond = static_cast<double>(DataRate(rate).GetBitRate()) / 8;
    const auto measure = [&ends](Time length) {
        const auto before = ends.sink->GetReport().deliveredBytes;
        Simulator::Stop(length);
        Simulator::Run();
        return static_cast<double>(ends.sink->GetReport().deliveredBytes - before);
    };
    // The handshake takes one RTT, the interval in which the RTT becomes known five.
    measure(start + 20 * rtt);
    NS_TEST_EXPECT_MSG_GT(measure(10 * rtt),
                          2 * 10 * INITIAL_WINDOW * segment,
                          rate << ": more than the initial window");
    measure(7 * std::max(rtt, MilliSeconds(5)));
    const Time length = MilliSeconds(3);
    NS_TEST_EXPECT_MSG_GT(measure(length) / length.GetSeconds() / bytesPerSecond,
                          0.85,
                          rate << ": used");
    Finish(topology);
}

/** @brief A window of a gibibyte, where no router cuts what is asked for, is paced at its rate. */
LFN_CASE(XcpLargestWindowTestCase)
{
    constexpr uint64_t BYTES = 20'000'000;
    const TestSimulation simulation(1);
    const auto topology = Build("PointToPointTopology[LinkRate=1Gbps|Rtt=1s|Queue=100000p]");
    const auto from = topology->GetSenders().Get(0);
    const auto to = topology->GetReceivers().Get(0);
    XcpHelper::Install(NodeContainer(from, to));
    const TypeIdValue factory(XcpSocketFactory::GetTypeId());
    const UintegerValue buffer(1U << 30);
    const auto source = CreateObject<TcpSource>();
    source->SetAttribute("Remote",
                         AddressValue(InetSocketAddress(topology->GetReceiverAddress(0), 9)));
    source->SetAttribute("Bytes", UintegerValue(BYTES));
    source->SetAttribute("SegmentSize", UintegerValue(1000));
    source->SetAttribute("SndBufSize", buffer);
    source->SetAttribute("SocketFactory", factory);
    const auto sink = CreateObject<TcpSink>();
    sink->SetAttribute("Port", UintegerValue(9));
    sink->SetAttribute("RcvBufSize", buffer);
    sink->SetAttribute("SocketFactory", factory);
    from->AddApplication(source);
    to->AddApplication(sink);
    // The handshake, the initial window, and all the rest in a third RTT.
    Simulator::Stop(Seconds(4));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, BYTES, "all has come");
    Finish(topology);
}

/** @brief XCP among unresponsive senders and broken links. */
const Suite g_suite("lfn-xcp-robust", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(
        new XcpUnresponsiveHostTestCase("unresponsive UDP at 15Mbps, p up to 1", 1, "15Mbps"));
    suite.Add(
        new XcpUnresponsiveHostTestCase("unresponsive UDP at 8Mbps, p up to 0.15", 0.15, "8Mbps"));
    suite.Add(
        new XcpUnresponsiveHostTestCase("unresponsive UDP at 15Mbps, p up to 0.15", 0.15, "15Mbps"),
        TestCase::Duration::EXTENSIVE);
    suite.Add(new XcpCapacityTestCase(
        "capacity halved and doubled: followed within 40 control intervals"));
    for (const auto& path : {XcpTestPath{.rate = "5Mbps"},
                             XcpTestPath{.rate = "5Mbps", .isIpv6 = true},
                             XcpTestPath{.rate = "5Mbps", .rttMs = 200},
                             XcpTestPath{.rate = "50Mbps", .rttMs = 100, .sendBuffer = 2000000},
                             XcpTestPath{.rate = "50Mbps", .rttMs = 10, .isIpv6 = true}})
    {
        suite.Add(new XcpRestartTestCase("a flow alone begins again: " + path.rate + ", " +
                                             std::to_string(path.rttMs) + " ms, IPv" +
                                             (path.isIpv6 ? "6" : "4"),
                                         path));
    }
    suite.Add(new XcpIdleLinkTestCase("an idle link: 40Gbps, 200 us",
                                      "40Gbps",
                                      MicroSeconds(200),
                                      Time(0),
                                      8900));
    suite.Add(new XcpIdleLinkTestCase("an idle link: 40Gbps, 12 us, from the start",
                                      "40Gbps",
                                      MicroSeconds(12),
                                      Time(0),
                                      1400));
    suite.Add(new XcpIdleLinkTestCase("an idle link: 10Gbps, 100 us, after a second",
                                      "10Gbps",
                                      MicroSeconds(100),
                                      MicroSeconds(1'003'000),
                                      1400));
    suite.Add(new XcpLargestWindowTestCase("the largest window is paced"));
    suite.Add(new XcpPacedGrowthTestCase("growth is paced"));
    suite.Add(new XcpSmallBufferTestCase("small buffers without SACK"));
    suite.Add(new XcpNoRouterTestCase("no router of XCP on the path, IPv4", false));
    suite.Add(new XcpNoRouterTestCase("no router of XCP on the path, IPv6", true));
    suite.Add(new XcpDownTestCase("a link that is down for 2 s, IPv4", false));
    suite.Add(new XcpDownTestCase("a link that is down for 2 s, IPv6", true));
    suite.Add(new XcpQuarterBufferTestCase("a buffer of a quarter of the path, XCP alone", true));
    suite.Add(
        new XcpQuarterBufferTestCase("a buffer of a quarter of the path, XCP and TCP", false));
});

} // namespace
