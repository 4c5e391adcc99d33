// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TEST_DUMBBELL_H
#define XCP_TEST_DUMBBELL_H

#include "xcp-test-item.h"
#include "xcp-test-network.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-dumbbell-topology.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/xcp-helper.h"
#include "ns3/xcp-port-monitor.h"
#include "ns3/xcp-queue-disc.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace ns3::lfn::tests
{

/** @brief What an XcpTestDumbbell is. */
struct XcpTestPath
{
    uint32_t pairs{2};           //!< of hosts
    std::string rate{"10Mbps"};  //!< of the bottleneck
    uint32_t rttMs{40};          //!< of propagation, [ms]
    double bufferBdp{1};         //!< of the bottleneck, over the bandwidth-delay product
    Ptr<XcpDropLaw> law{};       //!< of the fairness mechanism; null: none
    bool isIpv6{false};          //!< version of IP
    bool isExact{true};          //!< the mechanism has the numbers of flows; else SRED
    bool isMarking{false};       //!< the mechanism marks
    bool isRouter{true};         //!< the bottleneck has XCP
    uint32_t sendBuffer{300000}; //!< of each sender, [B]; ns-3 is slow with many losses in one
    uint64_t run{1};             //!< RngRun
    std::string rtts{};          //!< instead of rttMs: with commas between, one a pair
};

/**
 * @ingroup lfn-xcp
 * @brief Pairs of hosts around a bottleneck with an XcpQueueDisc and exact counts of flows.
 */
class XcpTestDumbbell : public TestSimulation
{
  public:
    static constexpr uint32_t PAYLOAD = 1000; //!< user bytes per packet, [B]
    static constexpr uint32_t PACKET = 1060;  //!< the same with headers, [B]

    /** @brief One transfer. */
    struct Flow
    {
        Ptr<TransferApplication> source; //!< sends
        Ptr<TransferApplication> sink;   //!< receives
        uint64_t before{0};              //!< delivered when Measure() was called, [B]

        /// Get the user bytes that have come.
        uint64_t GetDelivered() const
        {
            return sink->GetReport().deliveredBytes;
        }

        /// Check whether all came, and as it was sent.
        bool IsWhole() const
        {
            return source->GetReport().completed && sink->GetTotalDrops() == 0 &&
                   GetDelivered() == source->GetReport().offeredBytes;
        }
    };

    Ptr<TransportTopology> topology;         //!< the network
    Ptr<XcpQueueDisc> disc;                  //!< of the bottleneck; null without isRouter
    std::unique_ptr<XcpPortMonitor> monitor; //!< of the same
    std::vector<Flow> flows;                 //!< in the order of AddFlow() and AddUdp()
    uint32_t largestQueue{0};                //!< of the disc, [packets]

    /// A network.
    explicit XcpTestDumbbell(const XcpTestPath& path = {})
        : TestSimulation(path.run),
          m_path(path)
    {
        topology = CreateObject<DumbbellTopology>();
        topology->SetAttribute("Pairs", UintegerValue(path.pairs));
        topology->SetAttribute("LinkRate", StringValue(path.rate));
        topology->SetAttribute("AccessRate", StringValue("500Mbps"));
        topology->SetAttribute("Rtt", TimeValue(MilliSeconds(path.rttMs)));
        topology->SetAttribute("Rtts", StringValue(path.rtts));
        topology->SetAttribute("Ipv6", BooleanValue(path.isIpv6));
        topology->Build();
        for (const auto& hosts : {topology->GetSenders(), topology->GetReceivers()})
        {
            XcpHelper::Install(hosts);
            for (auto host = hosts.Begin(); host != hosts.End(); ++host)
            {
                (*host)->GetObject<TcpL4Protocol>()->SetAttribute(
                    "SocketType",
                    TypeIdValue(TcpNewReno::GetTypeId()));
            }
        }
        MakePort();
    }

    ~XcpTestDumbbell()
    {
        topology->Dispose();
    }

    /// Get what the path holds, the bandwidth-delay product in packets.
    double GetBdp() const
    {
        return static_cast<double>(DataRate(m_path.rate).GetBitRate()) / 8 * m_path.rttMs / 1e3 /
               PACKET;
    }

    /// Get the socket address where a receiver is reached.
    Address GetAddress(uint32_t pair, uint16_t port) const
    {
        return m_path.isIpv6
                   ? Address(Inet6SocketAddress(topology->GetReceiverIpv6Address(pair), port))
                   : Address(InetSocketAddress(topology->GetReceiverAddress(pair), port));
    }

    /// Add a transfer of XCP or plain TCP; 0 bytes are without end.
    Flow& AddFlow(uint32_t pair, bool isXcp, Time start = Time(0), uint64_t bytes = 0)
    {
        const auto source = CreateObject<TcpSource>();
        const auto sink = CreateObject<TcpSink>();
        const TypeId factory = XcpTestNetwork::GetFactory(isXcp);
        source->SetAttribute("Bytes", UintegerValue(bytes));
        source->SetAttribute("SegmentSize", UintegerValue(PAYLOAD));
        source->SetAttribute("SndBufSize", UintegerValue(m_path.sendBuffer));
        source->SetAttribute("SocketFactory", TypeIdValue(factory));
        sink->SetAttribute("RcvBufSize", UintegerValue(2000000));
        sink->SetAttribute("SocketFactory", TypeIdValue(factory));
        return Add(pair, start, source, sink);
    }

    /// Add datagrams that obey nobody, at a rate of user bytes.
    Flow& AddUdp(uint32_t pair, const std::string& rate, Time start = Time(0))
    {
        const auto source = CreateObject<UdpSource>();
        source->SetAttribute("PacketSize", UintegerValue(PAYLOAD));
        source->SetAttribute("SendRate", StringValue(rate));
        source->SetAttribute("Bytes", UintegerValue(0));
        return Add(pair, start, source, CreateObject<UdpSink>());
    }

    /// Look at all that arrives at a device; a judge may change headers, and says whether a packet
    /// is lost.
    void Tap(Ptr<NetDevice> device, const std::function<bool(XcpTestSight& sight)>& judge) const
    {
        const auto tap = CreateObject<XcpTestTap>();
        tap->isIpv6 = m_path.isIpv6;
        tap->judge = judge;
        device->SetAttribute("ReceiveErrorModel", PointerValue(tap));
    }

    /// Get a host's device.
    static Ptr<NetDevice> GetDevice(Ptr<Node> host)
    {
        for (uint32_t i = 0; i < host->GetNDevices(); ++i)
        {
            if (DynamicCast<PointToPointNetDevice>(host->GetDevice(i)))
            {
                return host->GetDevice(i);
            }
        }
        return nullptr;
    }

    /// Get the other end of a device's link.
    static Ptr<NetDevice> GetPeer(Ptr<NetDevice> device)
    {
        const auto channel = device->GetChannel();
        return channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
    }

    /// Change the rate of the bottleneck.
    void SetRate(const std::string& rate) const
    {
        const auto& [from, to] = topology->GetBottlenecks().front();
        from->SetAttribute("DataRate", StringValue(rate));
        to->SetAttribute("DataRate", StringValue(rate));
    }

    /// Run until a time.
    static void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    /// Run until a time, and measure what the flows deliver meanwhile: a rate each, in bit/s of
    /// user data.
    std::vector<double> Measure(Time until)
    {
        const Time from = Simulator::Now();
        for (auto& flow : flows)
        {
            flow.before = flow.GetDelivered();
        }
        if (monitor)
        {
            monitor->Begin();
        }
        Run(until);
        std::vector<double> rates;
        rates.reserve(flows.size());
        for (const auto& flow : flows)
        {
            rates.push_back(8.0 * static_cast<double>(flow.GetDelivered() - flow.before) /
                            (until - from).GetSeconds());
        }
        return rates;
    }

    /// Get the part of one flow in the sum of the rates.
    static double GetShare(const std::vector<double>& rates, std::size_t flow)
    {
        return rates[flow] / std::max(1.0, std::accumulate(rates.begin(), rates.end(), 0.0));
    }

  private:
    /** @brief Make the bottleneck a router of XCP, or a plain one with the same buffer. */
    void MakePort()
    {
        const auto device = topology->GetBottlenecks().front().first;
        const auto packets = static_cast<uint32_t>(std::max(1.0, m_path.bufferBdp * GetBdp()));
        const QueueSizeValue size(QueueSize(QueueSizeUnit::PACKETS, packets));
        XcpHelper helper;
        if (!m_path.isRouter)
        {
            helper.SetQueueDisc("ns3::FifoQueueDisc");
        }
        helper.SetAttribute("MaxSize", size);
        const auto port = helper.InstallPort(device);
        monitor = std::make_unique<XcpPortMonitor>(device, port);
        port->TraceConnectWithoutContext(
            "PacketsInQueue",
            Callback<void, uint32_t, uint32_t>(
                [this](uint32_t, uint32_t now) { largestQueue = std::max(largestQueue, now); }));
        disc = DynamicCast<XcpQueueDisc>(port);
        if (!disc)
        {
            return;
        }
        disc->SetAttribute("Mark", BooleanValue(m_path.isMarking));
        if (m_path.law)
        {
            const auto fairness =
                m_path.isExact ? MakeExactFairness() : CreateObject<XcpTcpFairness>();
            fairness->SetAttribute("DropLaw", PointerValue(m_path.law));
            disc->SetAttribute("Fairness", PointerValue(fairness));
        }
        disc->AssignStreams(100);
    }

    /// Install a transfer, with content that is checked.
    Flow& Add(uint32_t pair,
              Time start,
              Ptr<TransferApplication> source,
              Ptr<TransferApplication> sink)
    {
        const auto port = static_cast<uint16_t>(XcpTestNetwork::PORT + flows.size());
        source->SetAttribute("Remote", AddressValue(GetAddress(pair, port)));
        source->SetAttribute("CheckContent", BooleanValue(true));
        source->SetStartTime(start);
        sink->SetAttribute("Port", UintegerValue(port));
        sink->SetAttribute("CheckContent", BooleanValue(true));
        topology->GetSenders().Get(pair)->AddApplication(source);
        topology->GetReceivers().Get(pair)->AddApplication(sink);
        flows.push_back({source, sink});
        return flows.back();
    }

    XcpTestPath m_path; //!< what it is
};

} // namespace ns3::lfn::tests

#endif // XCP_TEST_DUMBBELL_H
