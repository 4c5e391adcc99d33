// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/address.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint16_t PORT = 9; //!< where the sinks listen

/** @brief Two hosts and one link, and what ended on them. */
class TestPath
{
  public:
    /**
     * @brief Builds the hosts and the link.
     * @param rate rate of the link
     * @param delay propagation delay of the link
     * @param useIpv6 IPv6 instead of IPv4
     */
    TestPath(const std::string& rate, Time delay, bool useIpv6 = false)
        : m_nodes(2)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(rate));
        link.SetChannelAttribute("Delay", TimeValue(delay));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000p"));
        m_devices = link.Install(m_nodes);
        InternetStackHelper().Install(m_nodes);
        if (useIpv6)
        {
            Ipv6AddressHelper addresses;
            m_remote = Inet6SocketAddress(addresses.Assign(m_devices).GetAddress(1, 1), PORT);
        }
        else
        {
            Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
            m_remote = InetSocketAddress(addresses.Assign(m_devices).GetAddress(1), PORT);
        }
        TrafficControlHelper().Uninstall(m_devices);
    }

    ~TestPath()
    {
        Simulator::Destroy();
    }

    TestPath(const TestPath&) = delete;
    TestPath& operator=(const TestPath&) = delete;

    /**
     * @brief Puts a sender on the first host.
     * @tparam T class of the sender
     * @param bytes user bytes to send
     * @param start when it starts; addresses are ready after 3 s
     * @return the sender, listened to
     */
    template <typename T>
    Ptr<T> AddSource(uint64_t bytes, Time start = Seconds(3))
    {
        auto source = CreateObject<T>();
        source->SetAttribute("Remote", AddressValue(m_remote));
        source->SetAttribute("Bytes", UintegerValue(bytes));
        source->SetAttribute("CheckContent", BooleanValue(true));
        source->SetStartTime(start);
        m_nodes.Get(0)->AddApplication(source);
        source->TraceConnectWithoutContext(
            "Completed",
            Callback<void, const TransferReport&>([this](const TransferReport&) { ++completed; }));
        source->TraceConnectWithoutContext(
            "Failed",
            Callback<void, const TransferReport&>([this](const TransferReport& report) {
                ++failed;
                failure = report.failure;
            }));
        return source;
    }

    /**
     * @brief Puts a receiver on the second host.
     * @tparam T class of the receiver
     * @return the receiver
     */
    template <typename T>
    Ptr<T> AddSink()
    {
        auto sink = CreateObject<T>();
        sink->SetAttribute("CheckContent", BooleanValue(true));
        m_nodes.Get(1)->AddApplication(sink);
        return sink;
    }

    /**
     * @brief Puts an error model on the way.
     * @param node the host that receives through it
     * @param script the packets that it loses
     * @return the model, still without a filter
     */
    Ptr<ScriptedErrorModel> Lose(uint32_t node, const std::string& script)
    {
        auto model = CreateObjectWithAttributes<ScriptedErrorModel>("Drop", StringValue(script));
        m_devices.Get(node)->SetAttribute("ReceiveErrorModel", PointerValue(model));
        return model;
    }

    /**
     * @brief Runs to the end, or to a limit.
     * @param limit when to stop at the latest
     */
    static void Run(Time limit)
    {
        Simulator::Stop(limit);
        Simulator::Run();
    }

    /**
     * @brief Gives the first host.
     * @return the node
     */
    Ptr<Node> GetSendingNode() const
    {
        return m_nodes.Get(0);
    }

    /**
     * @brief Gives the address of the sink.
     * @return a socket address
     */
    Address GetRemote() const
    {
        return m_remote;
    }

    int completed{0};    //!< how many senders completed
    int failed{0};       //!< how many senders failed
    std::string failure; //!< why the last one failed

  private:
    NodeContainer m_nodes;        //!< the hosts
    NetDeviceContainer m_devices; //!< their devices
    Address m_remote;             //!< address of the second host
};

/** @brief UDP datagrams leave on an exact schedule, whatever the numbers. */
class UdpPacingTestCase : public TestCase
{
  public:
    UdpPacingTestCase()
        : TestCase("UDP source: exact schedule, quantum, host")
    {
    }

  private:
    void DoRun() override
    {
        Check("600Mbps", 1450, 0, "none");
        Check("682Mbps", 1450, 0, "none");
        Check("999999937bps", 1, 0, "none");
        Check("7bps", 65507, 0, "none");
        Check("611Mbps", 1450, 1000, "none");
        Check("725Mbps", 1450, 1000, "none");
        Check("100Gbps", 1450, 1000, "none"); // the interval is shorter than the quantum
        Check("878Mbps", 1450, 0, "pacing-16us");
        Check("400Mbps", 1450, 0, "pacing-16us");
    }

    /**
     * @brief Compares departure times with their definition.
     * @param rate the send rate
     * @param size size of the datagrams, [B]
     * @param quantumNs pacing quantum, [ns]
     * @param host profile of the sending host
     */
    void Check(const std::string& rate, uint32_t size, uint64_t quantumNs, const std::string& host)
    {
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
        source->TraceConnectWithoutContext("Tx", Callback<void, Ptr<const Packet>>([&](auto) {
                                               departures.push_back(Now());
                                           }));
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
    }

    /**
     * @brief Gives the time.
     * @return nanoseconds of simulated time
     */
    static uint64_t Now()
    {
        return static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    }
};

/** @brief UDP delivers what arrives, byte by byte, and refuses anything else. */
class UdpTransferTestCase : public TestCase
{
  public:
    UdpTransferTestCase()
        : TestCase("UDP source and sink: content, losses, strangers")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool useIpv6 : {false, true})
        {
            TestPath path("1Gbps", MilliSeconds(10), useIpv6);
            auto source = path.AddSource<UdpSource>(100000);
            auto sink = path.AddSink<UdpSink>();
            auto model = path.Lose(1, "3,7");
            model->SetFilter(lfn::PacketFilter{.ipProtocol = 17});
            // Somebody else sends nulls to the same port.
            auto stranger =
                Socket::CreateSocket(path.GetSendingNode(), UdpSocketFactory::GetTypeId());
            Simulator::Schedule(Seconds(4), [&]() {
                stranger->Connect(path.GetRemote());
                stranger->Send(Create<Packet>(1450));
                stranger->Send(Create<Packet>(0));
            });
            path.Run(Seconds(10));
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
        CheckBadAttributes();
    }

    /** @brief What cannot work fails with a reason and without an abort. */
    void CheckBadAttributes()
    {
        TestPath path("1Gbps", MilliSeconds(10));
        path.AddSource<UdpSource>(1000)->SetAttribute("SendRate", StringValue("0bps"));
        path.AddSource<UdpSource>(1000)->SetAttribute("Remote",
                                                      AddressValue(Ipv4Address("10.0.0.2")));
        const Address nowhere = InetSocketAddress(Ipv4Address("99.9.9.9"), PORT);
        path.AddSource<UdpSource>(1000)->SetAttribute("Remote", AddressValue(nowhere));
        path.AddSource<TcpSource>(1000)->SetAttribute("Remote",
                                                      AddressValue(Ipv4Address("10.0.0.2")));
        auto udp = path.AddSink<UdpSink>();
        auto secondUdp = path.AddSink<UdpSink>();
        auto tcp = path.AddSink<TcpSink>();
        auto secondTcp = path.AddSink<TcpSink>();
        path.Run(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(path.failed, 4, "four bad senders");
        NS_TEST_EXPECT_MSG_EQ(udp->IsFinished() || tcp->IsFinished(), false, "good sinks");
        NS_TEST_EXPECT_MSG_NE(secondUdp->GetReport().failure, "", "the port is taken");
        NS_TEST_EXPECT_MSG_NE(secondTcp->GetReport().failure, "", "the port is taken");
    }
};

/** @brief A slow host loses from a UDP stream what the Quanta paper says. */
class UdpHostTestCase : public TestCase
{
  public:
    UdpHostTestCase()
        : TestCase("UDP sink: the lines iperf and app_perf")
    {
    }

  private:
    void DoRun() override
    {
        // Steps of 14 us: y/x is 0.6764, and the buffer of 90 datagrams keeps 0.0045 of 20 000.
        CheckDelivered("livelock", true, 0.6809, 0.001);
        CheckDelivered("livelock", false, 1.0, 0.0);
        CheckDelivered("livelock-fast", true, 1.0, 0.0);
    }

    /**
     * @brief Sends 20 000 datagrams into a host.
     * @param host profile of the host
     * @param moves whether it moves the bytes to the application
     * @param share share of the bytes that get through
     * @param tolerance of the share
     */
    void CheckDelivered(const std::string& host, bool moves, double share, double tolerance)
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
        path.Run(Seconds(10));
        const auto& report = sink->GetReport();
        const double delivered = static_cast<double>(report.deliveredBytes) / BYTES;
        NS_TEST_EXPECT_MSG_EQ_TOL(delivered, share, tolerance + 1e-12, host);
        NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes + report.lostBytes, BYTES, "all accounted for");
        NS_TEST_EXPECT_MSG_EQ(1450 * sink->GetDrops(DropReason::BUFFER_FULL),
                              report.lostBytes,
                              "lost in the buffer");
    }
};

/** @brief TCP delivers every byte, in whole segments, and knows when the last one is there. */
class TcpTransferTestCase : public TestCase
{
  public:
    TcpTransferTestCase()
        : TestCase("TCP source and sink: content, whole segments, losses")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool useIpv6 : {false, true})
        {
            for (const auto* losses : {"", "4,30,31,32,100,620"})
            {
                CheckTransfer(useIpv6, losses);
            }
        }
        CheckSizes();
        CheckSeveral();
    }

    /**
     * @brief Sends a megabyte.
     * @param useIpv6 IPv6 instead of IPv4
     * @param losses which segments are lost
     */
    void CheckTransfer(bool useIpv6, const std::string& losses)
    {
        constexpr uint64_t BYTES = 1000000;
        const Time delay = MilliSeconds(20);
        TestPath path("100Mbps", delay, useIpv6);
        auto source = path.AddSource<TcpSource>(BYTES);
        auto sink = path.AddSink<TcpSink>();
        path.Lose(1, losses)->SetFilter(lfn::PacketFilter{.ipProtocol = 6, .minBytes = 200});
        std::set<uint32_t> sizes;
        source->TraceConnectWithoutContext(
            "Tx",
            Callback<void, Ptr<const Packet>>(
                [&](Ptr<const Packet> segment) { sizes.insert(segment->GetSize()); }));
        uint64_t progress = 0;
        source->TraceConnectWithoutContext("Progress",
                                           Callback<void, uint64_t, uint64_t>([&](auto done, auto) {
                                               NS_TEST_EXPECT_MSG_GT(done, progress, "rises");
                                               progress = done;
                                           }));
        path.Run(Seconds(100));
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
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent.retransmittedPackets, lost, "all losses repaired");
        NS_TEST_EXPECT_MSG_EQ((lost > 0 || sent.retransmittedPackets == 0), true, "no repair");
        // The connection takes a round trip; the sender knows a link delay after the delivery,
        // plus what the last acknowledgement is held back.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent.start, Seconds(3) + 2 * delay, "after the handshake");
        NS_TEST_EXPECT_MSG_LT(sent.start, Seconds(3) + 3 * delay, "but not long after");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent.finish, received.lastDelivery + delay, "knows");
        NS_TEST_EXPECT_MSG_LT(sent.finish, received.lastDelivery + delay + MilliSeconds(205), "it");
    }

    /** @brief Sizes around a segment and around the send buffer; segments above the buffer. */
    void CheckSizes()
    {
        for (const uint64_t bytes : {1, 1447, 1448, 1449, 2896, 4000, 4001, 131072, 131073})
        {
            for (const uint32_t buffer : {0, 1000, 4000})
            {
                TestPath path("100Mbps", MilliSeconds(1));
                auto source = path.AddSource<TcpSource>(bytes);
                source->SetAttribute("SndBufSize", UintegerValue(buffer));
                auto sink = path.AddSink<TcpSink>();
                path.Run(Seconds(200));
                NS_TEST_EXPECT_MSG_EQ(path.completed, 1, bytes << " B, buffer " << buffer);
                NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, bytes, "every byte");
            }
        }
    }

    /** @brief One sink takes several connections and checks each stream by itself. */
    void CheckSeveral()
    {
        TestPath path("10Mbps", MilliSeconds(5));
        for (uint64_t i = 1; i <= 5; ++i)
        {
            path.AddSource<TcpSource>(100000 * i, Seconds(3) + MilliSeconds(100 * i));
        }
        auto sink = path.AddSink<TcpSink>();
        path.Run(Seconds(100));
        NS_TEST_EXPECT_MSG_EQ(path.completed, 5, "all five");
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 1500000, "every byte");
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "in its place");
    }
};

/** @brief A slow host slows TCP down to its own rate, without long stalls. */
class TcpHostTestCase : public TestCase
{
  public:
    TcpHostTestCase()
        : TestCase("TCP sink: flow control by a slow host")
    {
    }

  private:
    void DoRun() override
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
            path.Run(Seconds(200));
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
};

/** @brief Whatever happens to the other side, a TCP transfer ends and says why. */
class TcpFaultTestCase : public TestCase
{
  public:
    TcpFaultTestCase()
        : TestCase("TCP source: refused, closed, reset, gone, stopped")
    {
    }

  private:
    void DoRun() override
    {
        {
            TestPath path("10Mbps", MilliSeconds(5));
            path.AddSource<TcpSource>(100000);
            path.Run(Seconds(1000));
            Expect(path, "nobody listens", "connection refused or timed out");
        }
        {
            TestPath path("10Mbps", MilliSeconds(5));
            path.AddSource<TcpSource>(100000);
            path.AddSink<TcpSink>();
            path.Lose(1, "all");
            path.Run(Seconds(1000));
            Expect(path, "no SYN arrives", "connection refused or timed out");
        }
        {
            TestPath path("10Mbps", MilliSeconds(5));
            path.AddSource<TcpSource>(10000000);
            path.AddSink<TcpSink>()->SetStopTime(Seconds(4));
            path.Run(Seconds(1000));
            Expect(path, "the sink stops", "closed by the receiver");
        }
        {
            TestPath path("10Mbps", MilliSeconds(5));
            path.AddSource<TcpSource>(10000000);
            path.AddSink<TcpSink>();
            auto model = path.Lose(1, "");
            Simulator::Schedule(Seconds(4), &ScriptedErrorModel::DropAll, model);
            path.Run(Seconds(1000));
            Expect(path, "the receiver is gone", "connection lost");
        }
        {
            TestPath path("10Mbps", MilliSeconds(5));
            path.AddSource<TcpSource>(10000000)->SetStopTime(Seconds(4));
            auto sink = path.AddSink<TcpSink>();
            path.Run(Seconds(1000));
            Expect(path, "the source is stopped", "stopped");
            NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "what arrived is right");
        }
        CheckClosedWindow();
        CheckEndless();
        CheckOutage();
    }

    /**
     * @brief Expects one failure.
     * @param path the path
     * @param what the fault
     * @param failure the reason that the source gives
     */
    void Expect(const TestPath& path, const std::string& what, const std::string& failure)
    {
        NS_TEST_EXPECT_MSG_EQ(path.completed, 0, what);
        NS_TEST_EXPECT_MSG_EQ(path.failed, 1, what);
        NS_TEST_EXPECT_MSG_EQ(path.failure, failure, what);
    }

    /** @brief A receiver that never reads again cannot hold the sender for ever. */
    void CheckClosedWindow()
    {
        TestPath path("10Mbps", MilliSeconds(5));
        auto source = path.AddSource<TcpSource>(10000000);
        source->SetAttribute("StallTimeout", TimeValue(Seconds(20)));
        auto cost = CreateObject<HostCost>();
        cost->SetAttribute("ReadCost", TimeValue(Hours(1)));
        path.AddSink<TcpSink>()->SetAttribute("HostCost", PointerValue(cost));
        path.Run(Seconds(1000));
        Expect(path, "the window stays closed", "nothing acknowledged for StallTimeout");
        NS_TEST_EXPECT_MSG_LT(source->GetReport().finish, Seconds(30), "in time");
    }

    /** @brief A source without a size ends when it is stopped, neither well nor badly. */
    void CheckEndless()
    {
        TestPath path("10Mbps", MilliSeconds(5));
        auto tcp = path.AddSource<TcpSource>(0);
        tcp->SetStopTime(Seconds(13));
        auto tcpSink = path.AddSink<TcpSink>();
        auto udp = path.AddSource<UdpSource>(0, Seconds(14));
        udp->SetAttribute("SendRate", StringValue("5Mbps"));
        udp->SetStopTime(Seconds(24));
        auto udpSink = path.AddSink<UdpSink>();
        path.Run(Seconds(30));
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
    void CheckOutage()
    {
        TestPath path("10Mbps", MilliSeconds(5));
        path.AddSource<TcpSource>(5000000);
        auto sink = path.AddSink<TcpSink>();
        auto model = path.Lose(1, "");
        Simulator::Schedule(Seconds(4), &ScriptedErrorModel::DropAll, model);
        Simulator::Schedule(Seconds(9), &ScriptedErrorModel::SetScript, model, "");
        path.Run(Seconds(1000));
        NS_TEST_EXPECT_MSG_EQ(path.completed, 1, "completes after the outage");
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 5000000, "every byte");
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalDrops(), 0, "in its place");
    }
};

/** @brief The suite of model/transfer over a network. */
class LfnTransferSystemTestSuite : public TestSuite
{
  public:
    LfnTransferSystemTestSuite()
        : TestSuite("lfn-transfer-system", Type::SYSTEM)
    {
        AddTestCase(new UdpPacingTestCase, Duration::QUICK);
        AddTestCase(new UdpTransferTestCase, Duration::QUICK);
        AddTestCase(new UdpHostTestCase, Duration::QUICK);
        AddTestCase(new TcpTransferTestCase, Duration::QUICK);
        AddTestCase(new TcpHostTestCase, Duration::QUICK);
        AddTestCase(new TcpFaultTestCase, Duration::QUICK);
    }
};

const LfnTransferSystemTestSuite g_lfnTransferSystemTestSuite; //!< registers itself

} // namespace
