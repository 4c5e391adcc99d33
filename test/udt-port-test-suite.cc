// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-network.h"

#include "ns3/lfn-udp-endpoint.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/udt-port.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint16_t SHARED = 5000; //!< local port of the sources
constexpr uint16_t SINKS = 9000;  //!< port of the sinks

/** @brief Several transfers between the two hosts. */
class SharedNetwork : public UdtTestNetwork
{
  public:
    /// A network.
    explicit SharedNetwork(bool ipv6)
        : UdtTestNetwork({.ipv6 = ipv6})
    {
        loss = [this](int direction, Ptr<const Packet> frame) {
            UdpHeader udp;
            if (OpenDatagram(frame, udp))
            {
                ports.at(static_cast<std::size_t>(direction))
                    .insert({udp.GetSourcePort(), udp.GetDestinationPort()});
            }
            return false;
        };
    }

    /// Add a source.
    Ptr<UdtSource> AddSource(uint32_t node, uint16_t local, uint16_t remote, uint64_t bytes)
    {
        const auto source = helper.AddSource(nodes.Get(node), GetEnd(1 - node, remote));
        source->SetAttribute("LocalPort", UintegerValue(local));
        source->SetAttribute("Bytes", UintegerValue(bytes));
        source->SetStartTime(GetStart());
        ends.emplace_back().Watch(source);
        sources.push_back(source);
        return source;
    }

    /// Add a sink.
    Ptr<UdtSink> AddSink(uint32_t node, uint16_t port)
    {
        helper.SetPort(port);
        const auto sink = helper.AddSink(nodes.Get(node));
        sinkEnds.emplace_back().Watch(sink);
        sinks.push_back(sink);
        return sink;
    }

    /// Bytes delivered by all sinks.
    uint64_t GetDelivered() const
    {
        uint64_t bytes = 0;
        for (const auto& sink : sinks)
        {
            bytes += sink->GetReport().deliveredBytes;
        }
        return bytes;
    }

    /// Datagrams that the ends have dropped.
    uint64_t GetDropped() const
    {
        uint64_t drops = 0;
        for (const auto& source : sources)
        {
            drops += source->GetTotalDrops();
        }
        for (const auto& sink : sinks)
        {
            drops += sink->GetTotalDrops();
        }
        return drops;
    }

    std::vector<Ptr<UdtSource>> sources;                          //!< all sources
    std::vector<Ptr<UdtSink>> sinks;                              //!< all sinks
    std::deque<TestEnd> ends;                                     //!< how the sources ended
    std::deque<TestEnd> sinkEnds;                                 //!< whether sinks failed
    std::array<std::set<std::pair<uint16_t, uint16_t>>, 2> ports; //!< seen on the link
};

LFN_CASE_OF(UdtSharedPortTestCase, bool ipv6, uint16_t sinks)
{
    // Five sources of one port: to one sink, or each to its own.
    constexpr uint16_t SOURCES = 5;
    SharedNetwork network(ipv6);
    for (uint16_t i = 0; i < sinks; ++i)
    {
        network.AddSink(1, SINKS + i);
    }
    uint64_t bytes = 0;
    for (uint16_t i = 0; i < SOURCES; ++i)
    {
        const uint64_t own = 200'000 + 1000 * i;
        network.AddSource(0, SHARED, SINKS + i % sinks, own);
        bytes += own;
    }
    UdtTestNetwork::Run();
    for (std::size_t i = 0; i < SOURCES; ++i)
    {
        const auto& report = network.ends[i].report;
        NS_TEST_EXPECT_MSG_EQ(network.ends[i].completed, 1, report.failure);
        NS_TEST_EXPECT_MSG_EQ(report.deliveredBytes, 200'000 + 1000 * i, "source " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(network.GetDelivered(), bytes, "delivered once");
    std::set<std::pair<uint16_t, uint16_t>> expected;
    for (uint16_t i = 0; i < sinks; ++i)
    {
        expected.insert({SHARED, SINKS + i});
        NS_TEST_EXPECT_MSG_EQ(network.sinks[i]->GetConnections(), 0, "closed");
        NS_TEST_EXPECT_MSG_EQ(network.sinkEnds[i].failed, 0, "sink " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((network.ports[0] == expected), true, "one port of the sources");
    NS_TEST_EXPECT_MSG_EQ(network.GetDropped(), 0, "no packet went to another end");
}

LFN_CASE_OF(UdtBothDirectionsTestCase, bool ipv6)
{
    // Each host has a sink and two sources at one port.
    SharedNetwork network(ipv6);
    for (const uint32_t node : {0U, 1U})
    {
        network.AddSink(node, SINKS);
        network.AddSource(node, SINKS, SINKS, 150'000);
        network.AddSource(node, SINKS, SINKS, 250'000);
    }
    UdtTestNetwork::Run();
    for (const auto& end : network.ends)
    {
        NS_TEST_EXPECT_MSG_EQ(end.completed, 1, end.report.failure);
    }
    for (const auto& sink : network.sinks)
    {
        NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 400'000, "of the other host");
        NS_TEST_EXPECT_MSG_EQ(sink->GetConnections(), 0, "closed");
    }
    for (const auto& direction : network.ports)
    {
        NS_TEST_EXPECT_MSG_EQ(direction.size(), 1, "one port at each host");
    }
    NS_TEST_EXPECT_MSG_EQ(network.GetDropped(), 0, "no packet went to another end");
}

LFN_CASE(UdtPortLifeTestCase)
{
    // A port is open as long as one of its ends is.
    SharedNetwork network(false);
    network.AddSink(1, SINKS);
    network.AddSource(0, SHARED, SINKS, 100'000);
    const auto stopped = network.AddSource(0, SHARED, SINKS, 0);
    stopped->SetStopTime(Seconds(1));
    const auto late = network.AddSource(0, SHARED, SINKS, 50'000);
    late->SetStartTime(Seconds(2));
    std::map<int64_t, bool> isFree;
    for (const int64_t ms : {10, 900, 1500, 2010, 5000})
    {
        Simulator::Schedule(MilliSeconds(ms), [&isFree, &network, ms]() {
            const auto socket =
                Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
            isFree[ms] = socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), SHARED)) == 0;
            socket->Close();
        });
    }
    UdtTestNetwork::Run();
    const std::map<int64_t, bool> expected{{10, false},
                                           {900, false},
                                           {1500, true},
                                           {2010, false},
                                           {5000, true}};
    NS_TEST_EXPECT_MSG_EQ((isFree == expected), true, "open while it has ends");
    NS_TEST_EXPECT_MSG_EQ(network.ends[0].completed, 1, network.ends[0].report.failure);
    NS_TEST_EXPECT_MSG_EQ(network.ends[2].completed, 1, network.ends[2].report.failure);
    NS_TEST_EXPECT_MSG_EQ(network.sinks[0]->GetConnections(), 0, "closed");
}

LFN_CASE(UdtPortRefusalTestCase)
{
    SharedNetwork network(false);
    network.AddSink(1, SINKS);
    network.AddSink(1, SINKS);
    // A socket that is not of UDT.
    const auto socket = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), SHARED));
    network.AddSource(0, SHARED, SINKS, 1000);
    network.AddSource(0, 0, SINKS, 1000);
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.sinkEnds[1].report.failure,
                          "UDP port 9000 has a UdtSink already: set Port",
                          "one sink per port");
    NS_TEST_EXPECT_MSG_EQ(network.ends[0].report.failure,
                          "UDP port 5000 is in use: set LocalPort",
                          "not UDT's");
    NS_TEST_EXPECT_MSG_EQ(network.ends[1].completed, 1, network.ends[1].report.failure);
    NS_TEST_EXPECT_MSG_EQ(network.sinks[0]->GetReport().deliveredBytes, 1000, "the first sink");
}

LFN_CASE_OF(UdtPortNonsenseTestCase, bool ipv6)
{
    // Unknown IDs, an ID of another end of the port, short packets, requests without a sink: each
    // is dropped by one end, with a reason, and ends nothing.
    SharedNetwork network(ipv6);
    network.AddSink(1, SINKS);
    network.AddSink(1, SINKS + 1);
    network.AddSource(0, SHARED, SINKS, 300'000);
    network.AddSource(0, SHARED, SINKS + 1, 300'000);
    std::array<uint32_t, 2> ids{}; // of the sources, by their sink
    const auto see = network.loss;
    network.loss = [&](int direction, Ptr<const Packet> frame) {
        UdpHeader udp;
        OpenDatagram(frame, udp);
        if (const auto packet = OpenUdt(frame); direction == 1 && packet)
        {
            ids.at(udp.GetSourcePort() - SINKS) = GetUdtDestination(*packet);
        }
        return see(direction, frame);
    };
    uint64_t injected = 0;
    const auto inject = [&](uint16_t from, Ptr<Packet> packet) {
        const auto datagram = AddUdpHeader(from, SHARED, packet);
        Arrive(network.GetDevice(1),
               MakeFrame(network.addresses[1], network.addresses[0], 17, datagram));
        ++injected;
    };
    const auto attack = [&]() {
        const auto send = [&](uint16_t from, const UdtPacket& content) {
            const auto packet = Create<Packet>();
            packet->AddHeader(UdtPacketHeader(content));
            inject(from, packet);
        };
        const auto shutdown = [](uint32_t id) { return UdtSignal{UdtType::SHUTDOWN, 0, id}; };
        send(SINKS, shutdown(ids[1]));     // the other source's ID
        send(SINKS + 1, shutdown(ids[0])); // and the other way round
        send(SINKS + 2, shutdown(ids[0])); // of a third address
        send(SINKS, shutdown(ids[0] + 1)); // of an unknown ID
        send(SINKS, shutdown(0));
        UdtHandshake request;
        request.window = 100;
        send(SINKS, request); // there is no sink at this port
        inject(SINKS, Create<Packet>(15));
        inject(SINKS, Create<Packet>(0));
    };
    for (const int64_t ms : {30, 35, 40})
    {
        Simulator::Schedule(network.GetStart() + MilliSeconds(ms), attack);
    }
    UdtTestNetwork::Run();
    for (const auto& end : network.ends)
    {
        NS_TEST_EXPECT_MSG_EQ(end.completed, 1, end.report.failure);
    }
    NS_TEST_EXPECT_MSG_EQ(network.GetDelivered(), 600'000, "delivered once");
    NS_TEST_EXPECT_MSG_EQ((ids[0] != ids[1] && ids[0] > 0), true, "IDs");
    NS_TEST_EXPECT_MSG_EQ(injected, 24, "packets");
    NS_TEST_EXPECT_MSG_EQ(network.GetDropped(), injected, "each is dropped, by one end");
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-port", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const bool ipv6 : {false, true})
    {
        const std::string version = ipv6 ? ", IPv6" : ", IPv4";
        suite.Add(new UdtSharedPortTestCase("One port to one sink" + version, ipv6, 1));
        suite.Add(new UdtSharedPortTestCase("One port to five sinks" + version, ipv6, 5));
        suite.Add(new UdtBothDirectionsTestCase("A sink and sources at one port" + version, ipv6));
        suite.Add(new UdtPortNonsenseTestCase("Packets for no end of a port" + version, ipv6));
    }
    suite.Add(new UdtPortLifeTestCase("A port is open as long as it has ends"));
    suite.Add(new UdtPortRefusalTestCase("Ports that are taken"));
});

} // namespace
