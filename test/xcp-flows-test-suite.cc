// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-network.h"

#include "ns3/global-value.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/// Make a packet that nobody should have sent; what follows the IP header.
Ptr<Packet>
MakeMalformed(std::mt19937& random)
{
    std::vector<uint8_t> tcp(random() % 3 == 0 ? random() % 20 : 20 + random() % 41);
    std::generate(tcp.begin(), tcp.end(), [&random]() { return static_cast<uint8_t>(random()); });
    if (tcp.size() > 13)
    {
        tcp[2] = 77; // a closed port
        tcp[12] = static_cast<uint8_t>((random() % 2 == 0 ? 5 : random() % 16) << 4);
    }
    const auto packet = Create<Packet>(tcp.data(), static_cast<uint32_t>(tcp.size()));
    XcpHeader header;
    header.reverseFeedback = 1e6;
    header.deltaThroughput = -1e9;
    if (random() % 6 == 0)
    {
        header.nextProtocol = static_cast<uint8_t>(17 + random() % 100);
    }
    packet->AddHeader(header);
    if (random() % 6 != 0)
    {
        return packet;
    }
    auto bytes = ToBytes(packet);
    bytes[1 + random() % 2] = static_cast<uint8_t>(random() % 19);
    return Create<Packet>(bytes.data(),
                          static_cast<uint32_t>(random() % 2 == 0 ? bytes.size() : random() % 20));
}

LFN_CASE(XcpHostMalformedTestCase)
{
    XcpTestNetwork network;
    network.judge = [](XcpTestSight& sight) {
        if (sight.header)
        {
            sight.header->deltaThroughput = std::min(sight.header->deltaThroughput, 100.0);
        }
        return false;
    };
    const auto source = network.AddSource(2000000);
    const auto sink = network.AddSink();
    std::mt19937 random(11);
    uint64_t traced = 0;
    ConnectTrace(network.shims[1], "Drop", [&traced](Ptr<const Packet>, DropReason) { ++traced; });
    for (int i = 0; i < 3000; ++i)
    {
        const auto packet = MakeMalformed(random);
        Simulator::Schedule(Seconds(3.1) + MicroSeconds(300 * i),
                            [&network, packet]() { network.Inject(1, packet); });
    }
    XcpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(source->GetReport().completed, true, "the connection lives");
    NS_TEST_EXPECT_MSG_EQ(sink->GetReport().deliveredBytes, 2000000, "every byte");
    const auto& shim = *network.shims[1];
    const auto malformed = shim.GetDrops(DropReason::MALFORMED);
    const auto wrong = shim.GetDrops(DropReason::WRONG_LENGTH);
    const auto unexpected = shim.GetDrops(DropReason::UNEXPECTED);
    NS_TEST_EXPECT_MSG_GT(malformed, 500, "counted");
    NS_TEST_EXPECT_MSG_GT(wrong, 200, "counted");
    NS_TEST_EXPECT_MSG_GT(unexpected, 200, "counted");
    NS_TEST_EXPECT_MSG_EQ(traced, malformed + wrong + unexpected, "each under one reason");
    NS_TEST_EXPECT_MSG_LT(shim.GetFlows(), 3, "nothing is remembered of them");
}

/// Of segments, [s]: ns-3's TCP itself searches all its sockets, those in TIME_WAIT included.
constexpr double LIFETIME = 0.01;

/** @brief Who has the sockets of XCP, and how. */
enum class Kind
{
    XCP,         //!< both ends, by XcpSocketFactory
    NS3_SINK,    //!< the client, by XcpSocketFactory; the server's are TCP's
    SOCKET_TYPE, //!< both ends, by TcpL4Protocol::SocketType
};

/// Make a socket of a kind at host 0, the client, or 1, the server.
Ptr<Socket>
MakeSocket(const XcpTestNetwork& network, uint32_t host, Kind kind)
{
    if (kind == Kind::SOCKET_TYPE)
    {
        const auto tcp = network.nodes.Get(host)->GetObject<TcpL4Protocol>();
        tcp->SetAttribute("SocketType", TypeIdValue(TcpXcp::GetTypeId()));
    }
    const bool isXcp = kind == Kind::XCP || (kind == Kind::NS3_SINK && host == 0);
    return network.MakeSocket(host, isXcp, LIFETIME);
}

/** @brief Thousands of short connections: the table stays small. */
LFN_CASE_OF(XcpHostManyTestCase, uint32_t connections, Kind kind, bool isIpv6)
{
    XcpTestNetwork network(isIpv6, 3, "100Mbps", MicroSeconds(100));
    network.isKeeping = false;
    uint64_t asking = 0;
    network.judge = [&asking](XcpTestSight& sight) {
        asking += sight.payload > 0 && sight.Is(XcpHeader::STANDARD) ? 1 : 0;
        return false;
    };
    uint64_t received = 0;
    network.Serve(MakeSocket(network, 1, kind), received);
    std::vector<Ptr<Socket>> kept; // an application may keep sockets for ever
    std::size_t largest = 0;
    for (uint32_t i = 0; i < connections; ++i)
    {
        Simulator::Schedule(Seconds(3) + MilliSeconds(2 * static_cast<int64_t>(i)), [&]() {
            const auto socket = MakeSocket(network, 0, kind);
            isIpv6 ? socket->Bind6() : socket->Bind();
            socket->Connect(network.GetEnd(1, XcpTestNetwork::PORT));
            socket->Send(Create<Packet>(500));
            socket->Close();
            kept.push_back(socket);
            largest =
                std::max({largest, network.shims[0]->GetFlows(), network.shims[1]->GetFlows()});
        });
    }
    XcpTestNetwork::Run(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(received, connections * uint64_t{500}, "every byte");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(asking, connections, "by XCP");
    NS_TEST_EXPECT_MSG_EQ(largest, 1, "no more than is alive");
    NS_TEST_EXPECT_MSG_EQ(network.shims[0]->GetFlows(), 0, "nothing is left");
    NS_TEST_EXPECT_MSG_EQ(network.shims[1]->GetFlows(), 0, "nothing is left");
    kept.clear();
}

/**
 * @brief Connect two hosts twice, between the same ports; either the first or the second client is
 * XCP's.
 */
LFN_CASE_OF(XcpHostReuseTestCase, bool isXcpFirst, bool isXcpServer, bool isIpv6)
{
    XcpTestNetwork network(isIpv6);
    uint64_t received = 0;
    network.Serve(network.MakeSocket(1, isXcpServer, LIFETIME), received);
    std::vector<Ptr<Socket>> kept;
    for (const uint32_t i : {0U, 1U})
    {
        Simulator::Schedule(Seconds(3 + 20 * i), [&, i]() {
            const auto socket = network.MakeSocket(0, (i == 0) == isXcpFirst, LIFETIME);
            NS_TEST_EXPECT_MSG_EQ(socket->Bind(network.GetEnd(0, 5000)), 0, "the port");
            socket->Connect(network.GetEnd(1, XcpTestNetwork::PORT));
            socket->Send(Create<Packet>(5000));
            socket->Close();
            kept.push_back(socket);
        });
    }
    XcpTestNetwork::Run(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(received, 10000, "every byte of both");
    std::array<uint32_t, 2> data{};
    for (const auto& sight : network.seen)
    {
        const uint32_t connection = sight.time < Seconds(20) ? 0 : 1;
        const bool isXcp = (connection == 0) == isXcpFirst;
        data[connection] += sight.payload > 0 ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ(sight.header.has_value(), isXcp, "at " << sight.time);
        if (isXcp && sight.payload > 0)
        {
            NS_TEST_EXPECT_MSG_EQ(sight.Is(XcpHeader::STANDARD), true, "it asks routers");
        }
    }
    NS_TEST_EXPECT_MSG_GT(std::min(data[0], data[1]), 3, "both have sent");
}

/**
 * @brief Fill the receiver's buffer, and read half a minute later; the client sends, or the server
 * back.
 */
LFN_CASE_OF(XcpHostLateReaderTestCase, bool isBack, bool isXcpServer, bool isIpv6)
{
    constexpr uint32_t BYTES = 60000;
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    XcpTestNetwork network(isIpv6);
    uint64_t received = 0;
    std::vector<Ptr<Socket>> kept;
    const auto use = [&](Ptr<Socket> socket, bool isSender) {
        kept.push_back(socket);
        if (isSender)
        {
            socket->Send(Create<Packet>(BYTES));
            return;
        }
        Simulator::Schedule(Seconds(35),
                            [socket, &received]() { XcpTestNetwork::Receive(socket, received); });
    };
    const auto make = [&network](uint32_t host, bool isXcp) {
        const auto socket = network.MakeSocket(host, isXcp);
        socket->SetAttribute("SegmentSize", UintegerValue(1000));
        socket->SetAttribute("RcvBufSize", UintegerValue(20000));
        return socket;
    };
    network.Listen(make(1, isXcpServer),
                   [&use, isBack](Ptr<Socket> socket) { use(socket, isBack); });
    Simulator::Schedule(Seconds(3), [&]() {
        const auto client = make(0, true);
        client->Connect(network.GetEnd(1, XcpTestNetwork::PORT));
        use(client, !isBack);
    });
    XcpTestNetwork::Run(Seconds(150));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    NS_TEST_EXPECT_MSG_EQ(received, BYTES, "every byte");
    uint32_t probes = 0;
    for (const auto& sight : network.seen)
    {
        probes += sight.payload == 1 ? 1 : 0;
        if (isBack && !isXcpServer)
        {
            continue; // what it knew of its peer ends after EchoTimeout, and it is plain TCP
        }
        NS_TEST_EXPECT_MSG_EQ(sight.header.has_value(), true, "the header");
        NS_TEST_EXPECT_MSG_EQ(sight.Has(TcpHeader::SYN) || sight.Has(TcpHeader::ACK),
                              true,
                              "segments of TCP");
    }
    NS_TEST_EXPECT_MSG_GT(probes, 1, "the window was closed");
    for (const auto& shim : network.shims)
    {
        NS_TEST_EXPECT_MSG_EQ(shim->GetDrops(DropReason::MALFORMED), 0, "nothing refused");
        NS_TEST_EXPECT_MSG_EQ(shim->GetDrops(DropReason::UNEXPECTED), 0, "nothing odd");
    }
}

/** @brief XCP hosts on real stacks: malformed headers, closed windows, and very many connections.
 */
const Suite g_suite("lfn-xcp-flows", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new XcpHostMalformedTestCase("malformed and unexpected headers"));
    for (const uint32_t bits : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U})
    {
        const bool isOne = (bits & 1) != 0;
        const bool isXcpServer = (bits & 2) != 0;
        const bool isIpv6 = (bits & 4) != 0;
        const auto where = std::string(isXcpServer ? ", XCP listens" : ", TCP listens") +
                           (isIpv6 ? ", IPv6" : ", IPv4");
        suite.Add(new XcpHostReuseTestCase((isOne ? "XCP, then TCP" : "TCP, then XCP") + where +
                                               ", the same ports",
                                           isOne,
                                           isXcpServer,
                                           isIpv6));
        suite.Add(new XcpHostLateReaderTestCase((isOne ? "a client" : "a server") +
                                                    std::string(" that reads late") + where,
                                                isOne,
                                                isXcpServer,
                                                isIpv6));
    }
    for (const auto kind : {Kind::XCP, Kind::NS3_SINK, Kind::SOCKET_TYPE})
    {
        for (const bool isIpv6 : {false, true})
        {
            const auto what =
                std::string(" short connections, ") +
                std::array{"XCP sockets", "TCP sinks", "SocketType"}[static_cast<int>(kind)] +
                (isIpv6 ? ", IPv6" : ", IPv4");
            suite.Add(new XcpHostManyTestCase("2000" + what, 2000, kind, isIpv6));
            suite.Add(new XcpHostManyTestCase("10000" + what, 10000, kind, isIpv6),
                      TestCase::Duration::EXTENSIVE);
        }
    }
});

} // namespace
