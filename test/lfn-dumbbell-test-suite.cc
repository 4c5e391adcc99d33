// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-dumbbell-topology.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint16_t PORT = 9; //!< of the datagrams

/**
 * @brief Makes a dumbbell as the command line does.
 * @param attributes "Name=value|Name=value"
 * @return the topology, built
 */
Ptr<TransportTopology>
Make(const std::string& attributes)
{
    ObjectFactory factory;
    const auto remedy = MakeFactory("ns3::lfn::DumbbellTopology[" + attributes + "]",
                                    TransportTopology::GetTypeId(),
                                    factory);
    const auto topology = remedy ? nullptr : factory.Create<TransportTopology>();
    if (topology)
    {
        topology->Build();
    }
    return topology;
}

/**
 * @brief Sends a datagram from each sender to its receiver at time 0, and back.
 * @param topology the network
 * @param isIpv6 over IPv6
 * @return how long each was on its way; 0 for one that did not come back
 */
std::vector<Time>
MeasureRtts(Ptr<TransportTopology> topology, bool isIpv6)
{
    const uint32_t pairs = topology->GetSenders().GetN();
    std::vector<Time> rtts(pairs);
    for (uint32_t i = 0; i < pairs; ++i)
    {
        auto receiver =
            Socket::CreateSocket(topology->GetReceivers().Get(i), UdpSocketFactory::GetTypeId());
        auto sender =
            Socket::CreateSocket(topology->GetSenders().Get(i), UdpSocketFactory::GetTypeId());
        if (isIpv6)
        {
            receiver->Bind(Inet6SocketAddress(Ipv6Address::GetAny(), PORT));
            sender->Bind(Inet6SocketAddress(topology->GetSenderIpv6Address(i), PORT));
            sender->Connect(Inet6SocketAddress(topology->GetReceiverIpv6Address(i), PORT));
        }
        else
        {
            receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
            sender->Bind(InetSocketAddress(topology->GetSenderAddress(i), PORT));
            sender->Connect(InetSocketAddress(topology->GetReceiverAddress(i), PORT));
        }
        receiver->SetRecvCallback(Callback<void, Ptr<Socket>>([](Ptr<Socket> socket) {
            Address from;
            const auto packet = socket->RecvFrom(from);
            socket->SendTo(packet, 0, from);
        }));
        sender->SetRecvCallback(Callback<void, Ptr<Socket>>([&rtts, i](Ptr<Socket> socket) {
            rtts[i] = Simulator::Now();
            socket->Recv();
        }));
        Simulator::ScheduleNow([sender] { sender->Send(Create<Packet>(1)); });
    }
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    return rtts;
}

/** @brief A packet there and back takes the round-trip time, whatever the IP version. */
class RttCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param name what is special
     * @param attributes of the topology
     * @param rtts expected, in milliseconds
     */
    RttCase(const std::string& name, const std::string& attributes, std::vector<double> rtts)
        : TestCase("round-trip times of " + std::to_string(rtts.size()) + " pairs, " + name),
          m_attributes(attributes),
          m_rtts(std::move(rtts))
    {
    }

  private:
    void DoRun() override
    {
        for (const bool isIpv6 : {false, true})
        {
            const auto topology =
                Make(m_attributes + (isIpv6 ? "|Ipv6=true" : "") + "|LinkRate=1000Gbps");
            NS_TEST_ASSERT_MSG_EQ((topology != nullptr), true, "good attributes are refused");
            NS_TEST_ASSERT_MSG_EQ(topology->GetSenders().GetN(), m_rtts.size(), "senders");
            NS_TEST_ASSERT_MSG_EQ(topology->GetReceivers().GetN(), m_rtts.size(), "receivers");
            const auto measured = MeasureRtts(topology, isIpv6);
            for (uint32_t i = 0; i < m_rtts.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(topology->GetRtt(i).GetSeconds(),
                                          m_rtts[i] / 1e3,
                                          1e-8,
                                          "named round-trip time of pair " << i);
                // Four access links at 500 Mb/s and at most 51 bytes; they do not wait.
                NS_TEST_EXPECT_MSG_GT(measured[i].GetSeconds(), m_rtts[i] / 1e3, "pair " << i);
                NS_TEST_EXPECT_MSG_LT(measured[i].GetSeconds(),
                                      m_rtts[i] / 1e3 + 4e-6,
                                      "pair " << i << (isIpv6 ? ", IPv6" : ", IPv4"));
            }
            topology->Dispose();
            Simulator::Destroy();
        }
    }

    std::string m_attributes;   //!< of the topology
    std::vector<double> m_rtts; //!< expected, ms
};

/** @brief The bottleneck is between the routers and is the slow link; queues are as asked for. */
LFN_CASE(LinkCase)
{
    const auto topology = Make("Pairs=3|LinkRate=10Mbps|AccessRate=1Gbps|Queue=77p|Mtu=9000");
    NS_TEST_ASSERT_MSG_EQ((topology != nullptr), true, "good attributes are refused");
    NS_TEST_ASSERT_MSG_EQ(topology->GetBottlenecks().size(), 1, "bottlenecks");
    const auto [from, to] = topology->GetBottlenecks().front();
    NS_TEST_EXPECT_MSG_EQ(from->GetNode()->GetNDevices(), 5, "loopback, 3 hosts, bottleneck");
    NS_TEST_EXPECT_MSG_EQ(to->GetNode()->GetNDevices(), 5, "loopback, 3 hosts, bottleneck");
    NS_TEST_EXPECT_MSG_EQ((topology->GetSenderIpv6Address(2) == Ipv6Address::GetAny()),
                          true,
                          "an IPv6 address that nobody asked for");
    uint32_t devices = 0;
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        const auto control = (*node)->GetObject<TrafficControlLayer>();
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            const auto device = DynamicCast<PointToPointNetDevice>((*node)->GetDevice(i));
            if (!device)
            {
                continue;
            }
            devices++;
            DataRateValue rate;
            device->GetAttribute("DataRate", rate);
            const bool isBottleneck = device == from || device == to;
            NS_TEST_EXPECT_MSG_EQ(rate.Get().GetBitRate(),
                                  (isBottleneck ? 10'000'000U : 1'000'000'000U),
                                  "rate");
            NS_TEST_EXPECT_MSG_EQ(device->GetMtu(), 9000, "MTU");
            NS_TEST_EXPECT_MSG_EQ(device->GetQueue()->GetMaxSize(),
                                  QueueSize("77p"),
                                  "queue limit");
            NS_TEST_EXPECT_MSG_EQ(control->GetRootQueueDiscOnDevice(device),
                                  nullptr,
                                  "a queue disc that nobody asked for");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(devices, 14, "devices of 7 links");
    topology->Dispose();
    Simulator::Destroy();
}

/** @brief Values that make no sense are refused with a line that says what is taken. */
LFN_CASE(RefusalCase)
{
    const std::vector<std::pair<std::string, std::string>> refused = {
        {"Rtts=20", "such as 20ms,40ms"},
        {"Rtts=20ms,", "such as 20ms,40ms"},
        {"Rtts=20ms,-1ms", "such as 20ms,40ms"},
        {"Rtts=20ms;40ms", "such as 20ms,40ms"},
        {"Rtt=-1ms", "a time"},
        {"Rtt=20", "unit"},
        {"Pairs=0", "Pairs"},
        {"Pairs=10001", "Pairs"},
        {"LinkRate=0bps", "above 0"},
        {"AccessRate=0bps", "above 0"},
        {"Queue=0p", "above 0"},
        {"Mtu=67", "Mtu"},
        {"BottleneckDelay=-1ms", "BottleneckDelay"},
        {"Delay=1ms", "there is no attribute"},
    };
    for (const auto& [attributes, part] : refused)
    {
        ObjectFactory factory;
        const auto remedy = MakeFactory("ns3::lfn::DumbbellTopology[" + attributes + "]",
                                        TransportTopology::GetTypeId(),
                                        factory);
        NS_TEST_ASSERT_MSG_EQ(remedy.has_value(), true, attributes << " is taken");
        NS_TEST_EXPECT_MSG_NE(remedy->find(part), std::string::npos, *remedy);
    }
}

/** @brief The suite. */
const Suite g_suite("lfn-dumbbell", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new RttCase("all alike", "Pairs=2|Rtt=100ms", {100, 100}));
    suite.Add(new RttCase("going round", "Pairs=5|Rtts=20ms,40ms,320ms", {20, 40, 320, 20, 40}));
    suite.Add(new RttCase("one short", "Pairs=2|Rtts=1ms,20ms|BottleneckDelay=10ms", {1, 20}));
    suite.Add(new RttCase("many", "Pairs=300|Rtt=7ms", std::vector<double>(300, 7)));
    suite.Add(new LinkCase("bottleneck, rates and queues"));
    suite.Add(new RefusalCase("bad attributes are refused"));
});

} // namespace
