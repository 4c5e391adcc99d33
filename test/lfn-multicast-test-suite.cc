// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-topology.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-point-to-point-topology.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-star-topology.h"
#include "ns3/lfn-static-route-keeper.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/queue.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Multicast over any topology: who receives what, and how often.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint16_t PORT = 9100; //!< of all datagrams

/** @brief A network of links, and who receives what in it. */
class Listeners
{
  public:
    /// Who received it, from whom, for which group.
    using Received = std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t>;

    NodeContainer nodes; //!< all nodes
    Received received;   //!< how often

    ~Listeners()
    {
        for (const auto& socket : m_sockets)
        {
            socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        }
        Simulator::Destroy();
    }

    /// Make nodes.
    void Make(uint32_t count, bool isIpv6 = false)
    {
        m_isIpv6 = isIpv6;
        nodes.Create(count);
        InternetStackHelper stack;
        stack.SetIpv4StackInstall(!isIpv6);
        stack.SetIpv6StackInstall(isIpv6);
        stack.Install(nodes);
    }

    /// An address of the version of IP: a group's by its index, or any of one's own.
    Address Group(uint32_t index) const
    {
        return m_isIpv6 ? Address(Ipv6Address(("ff15::8000:" + std::to_string(1 + index)).c_str()))
                        : Address(Ipv4Address(Ipv4Address("239.1.0.1").Get() + index));
    }

    /// Connect two nodes.
    void Link(uint32_t from, uint32_t to)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", DataRateValue(DataRate("100Mbps")));
        Assign(link.Install(nodes.Get(from), nodes.Get(to)));
    }

    /// Connect nodes by one link that all of them receive.
    void Lan(const std::vector<uint32_t>& members)
    {
        NodeContainer some;
        for (const auto member : members)
        {
            some.Add(nodes.Get(member));
        }
        Assign(SimpleNetDeviceHelper().Install(some));
    }

    /// Have a datagram sent to each group by each node, and everyone listen.
    void Run(const std::vector<Address>& groups)
    {
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            const auto socket = Socket::CreateSocket(nodes.Get(i), UdpSocketFactory::GetTypeId());
            socket->Bind(m_isIpv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT))
                                  : Address(InetSocketAddress(Ipv4Address::GetAny(), PORT)));
            for (const auto& group : groups)
            {
                if (const auto ipv6 = nodes.Get(i)->GetObject<Ipv6L3Protocol>())
                {
                    ipv6->AddMulticastAddress(Ipv6Address::ConvertFrom(group));
                }
            }
            socket->SetRecvCallback(Callback<void, Ptr<Socket>>([this, i](Ptr<Socket> from) {
                while (const auto packet = from->Recv())
                {
                    uint8_t bytes[2]{};
                    packet->CopyData(bytes, sizeof(bytes));
                    ++received[{i, bytes[0], bytes[1]}];
                }
            }));
            m_sockets.push_back(socket);
        }
        int64_t slot = 0;
        for (uint32_t sender = 0; sender < nodes.GetN(); ++sender)
        {
            for (uint32_t group = 0; group < groups.size(); ++group)
            {
                Simulator::Schedule(
                    MilliSeconds(++slot),
                    [socket = m_sockets[sender], sender, group, to = groups[group]]() {
                        const uint8_t bytes[]{static_cast<uint8_t>(sender),
                                              static_cast<uint8_t>(group)};
                        for (const auto& device : MulticastTree::GetDevices(socket->GetNode(), to))
                        {
                            socket->BindToNetDevice(device);
                            socket->SendTo(Create<Packet>(bytes, sizeof(bytes)),
                                           0,
                                           UdpEndpoint::WithPort(to, PORT));
                        }
                        socket->BindToNetDevice(nullptr);
                    });
            }
        }
        Simulator::Stop(MilliSeconds(slot + 100));
        Simulator::Run();
    }

  private:
    /// Give a link its own network.
    void Assign(const NetDeviceContainer& devices)
    {
        const auto number = std::to_string(m_links++);
        if (m_isIpv6)
        {
            const Ipv6Address network(("fd00:" + number + "::").c_str());
            Ipv6AddressHelper(network, Ipv6Prefix(64)).Assign(devices);
            return;
        }
        const auto network = "10.3." + number + ".0";
        Ipv4AddressHelper(network.c_str(), "255.255.255.0").Assign(devices);
    }

    bool m_isIpv6{false};               //!< IPv6 instead of IPv4
    uint32_t m_links{0};                //!< links so far
    std::vector<Ptr<Socket>> m_sockets; //!< one a node
};

/** @brief A network and its hosts. */
struct Shape
{
    std::string name;                                 //!< what it is
    uint32_t nodes;                                   //!< how many
    std::vector<std::pair<uint32_t, uint32_t>> links; //!< between two nodes each
    std::vector<std::vector<uint32_t>> lans;          //!< among many
    uint32_t root{0};                                 //!< where the tree begins
};

/** @brief Every node receives every other's datagrams once. */
LFN_CASE_OF(MulticastOnceTestCase, Shape shape, uint32_t count, bool isIpv6)
{
    Listeners network;
    network.Make(shape.nodes, isIpv6);
    for (const auto& [from, to] : shape.links)
    {
        network.Link(from, to);
    }
    for (const auto& lan : shape.lans)
    {
        network.Lan(lan);
    }
    NodeContainer nodes(network.nodes.Get(shape.root));
    nodes.Add(network.nodes);
    std::vector<Address> groups;
    for (uint32_t i = 0; i < count; ++i)
    {
        groups.push_back(network.Group(i));
        const auto error = MulticastTree::Install(nodes, groups.back());
        NS_TEST_EXPECT_MSG_EQ(error.value_or(""), "", "a tree");
    }
    network.Run(groups);
    uint32_t others = 0;
    for (uint32_t node = 0; node < shape.nodes; ++node)
    {
        for (uint32_t from = 0; from < shape.nodes; ++from)
        {
            for (uint32_t group = 0; group < count && from != node; ++group)
            {
                const auto times = network.received[{node, from, group}];
                NS_TEST_EXPECT_MSG_EQ(times, 1, "node " << node << " from " << from);
                ++others;
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(network.received.size(), others, "nobody receives itself");
}

/** @brief What no tree can do. */
LFN_CASE(MulticastRefusedTestCase)
{
    const Ipv4Address group("239.1.0.1");
    Listeners network;
    network.Make(5);
    network.Link(0, 1);
    network.Link(1, 2);
    network.Link(3, 4);
    const auto apart = MulticastTree::Install(network.nodes, group);
    NS_TEST_EXPECT_MSG_EQ(apart.value_or(""),
                          "node 3 cannot be reached from node 0 along a tree of links: connect "
                          "it or leave it out",
                          "named");
    const auto count = [&](const NodeContainer& nodes, uint32_t index) {
        return MulticastTree::GetDevices(nodes.Get(index), group).size();
    };
    NS_TEST_EXPECT_MSG_EQ(count(network.nodes, 1), 0, "nothing was done");
    const NodeContainer three(network.nodes.Get(0), network.nodes.Get(1), network.nodes.Get(2));
    const auto unicast = MulticastTree::Install(three, Ipv4Address("10.0.0.1"));
    NS_TEST_EXPECT_MSG_EQ(unicast.value_or("").find("10.0.0.1 is no multicast address"), 0, "");
    NS_TEST_EXPECT_MSG_EQ(MulticastTree::Install({}, group).value_or(""), "", "nobody");
    NS_TEST_EXPECT_MSG_EQ(MulticastTree::Install(three, group).value_or(""), "", "connected");
    NS_TEST_EXPECT_MSG_EQ(count(three, 0), 1, "at an end");
    NS_TEST_EXPECT_MSG_EQ(count(three, 1), 2, "amid the tree");
    NodeContainer bare(three);
    bare.Create(1);
    const auto stackless = MulticastTree::Install(bare, Ipv4Address("239.1.0.2"));
    NS_TEST_EXPECT_MSG_EQ(stackless.value_or("").find("node 5 has no static routing"), 0, "");
    NS_TEST_EXPECT_MSG_EQ(count(bare, 3), 0, "no stack");
    const auto without = MulticastTree::Install(three, Ipv6Address("ff15::8000:1"));
    NS_TEST_EXPECT_MSG_EQ(without.value_or("").find("node 0 has no static routing of IPv6"), 0, "");
    for (const auto* address : {"fd00::1", "ff02::1:2", "ff11::5"})
    {
        const auto error = MulticastTree::Install(three, Ipv6Address(address)).value_or("");
        NS_TEST_EXPECT_MSG_NE(error.find("no multicast address that is routed"),
                              std::string::npos,
                              error);
    }
    const auto port = MulticastTree::Install(three, InetSocketAddress("239.1.0.1", 9));
    NS_TEST_EXPECT_MSG_EQ(port.value_or(""),
                          "a group is an address of IPv4 or IPv6, without a port",
                          "a socket address");
}

/** @brief Build a star. */
Ptr<TransportTopology>
Make(uint32_t hosts, uint32_t senders)
{
    return Build("StarTopology[Hosts=" + std::to_string(hosts) + "|Senders=" +
                 std::to_string(senders) + "|Rtt=8ms|Queue=7p|LinkRate=10Mbps|Mtu=900]");
}

/** @brief The star by itself. */
LFN_CASE(StarTopologyTestCase)
{
    // Check the roles.
    const auto checkRoles = [&](uint32_t senders, uint32_t wantSenders, uint32_t wantReceivers) {
        const auto star = Make(5, senders);
        NS_TEST_EXPECT_MSG_EQ(star->GetSenders().GetN(), wantSenders, "senders");
        NS_TEST_EXPECT_MSG_EQ(star->GetReceivers().GetN(), wantReceivers, "receivers");
        NS_TEST_EXPECT_MSG_EQ(star->GetBottlenecks().size(), wantReceivers, "bottlenecks");
        Finish(star);
    };
    checkRoles(1, 1, 4);
    checkRoles(3, 3, 2);
    checkRoles(5, 5, 5);
    checkRoles(9, 5, 5);

    const auto star = Make(300, 1);
    NS_TEST_EXPECT_MSG_EQ(star->GetRtt(298), MilliSeconds(8), "host to host and back");
    const auto [from, to] = star->GetBottlenecks().back();
    NS_TEST_EXPECT_MSG_EQ((to->GetNode() == star->GetReceivers().Get(298)), true, "to it");
    NS_TEST_EXPECT_MSG_EQ(from->GetMtu(), 900, "MTU");
    const auto queue = DynamicCast<PointToPointNetDevice>(from)->GetQueue();
    NS_TEST_EXPECT_MSG_EQ((queue->GetMaxSize() == QueueSize("7p")), true, "queue");
    const auto control = from->GetNode()->GetObject<TrafficControlLayer>();
    NS_TEST_EXPECT_MSG_EQ(control->GetRootQueueDiscOnDevice(from), nullptr, "no queue disc");

    Echo echo;
    echo.Add(star, 0, 298);
    echo.Run();
    // A datagram with all headers takes 2 * (2 ms + 24.8 us) each way.
    NS_TEST_EXPECT_MSG_EQ(echo.GetRtt(0),
                          MilliSeconds(8) + NanoSeconds(4 * 24'800),
                          "31 bytes on four links");
    Finish(star);
}

/** @brief Build what a command line asks for and describe it. */
std::string
Describe(const std::vector<std::string>& flags)
{
    Scenario scenario("standard", "", {.topologies = {"ns3::lfn::StarTopology"}});
    std::string outcome;
    if (const auto error = scenario.Check(flags))
    {
        return *error;
    }
    const auto star = CreateObject<StarTopology>();
    star->SetAttribute("Hosts", UintegerValue(4));
    const auto topology = scenario.BuildTopology(star);
    const auto device = topology->GetBottlenecks().front().first;
    DataRateValue rate;
    device->GetAttribute("DataRate", rate);
    const auto queue = DynamicCast<PointToPointNetDevice>(device)->GetQueue();
    outcome = topology->GetInstanceTypeId().GetName() + " " + values::PrintRate(rate.Get()) + " " +
              values::PrintTime(topology->GetRtt()) + " " +
              values::PrintQueueSize(queue->GetMaxSize());
    Finish(topology);
    Config::Reset(); // flags are the defaults of Attributes
    return outcome;
}

/** @brief A program's own standard topology. */
LFN_CASE(StandardTopologyTestCase)
{
    NS_TEST_EXPECT_MSG_EQ(Describe({"--linkRate=20Mbps", "--rtt=4ms", "--queue=9p"}),
                          "ns3::lfn::StarTopology 20Mbps 4ms 9p",
                          "the path's flags");
    NS_TEST_EXPECT_MSG_EQ(Describe({"--topology=ns3::lfn::PointToPointTopology[Rtt=6ms|Queue=8p]"}),
                          "ns3::lfn::PointToPointTopology 1Gbps 6ms 8p",
                          "the user's");
}

/** @brief Static routes return with their interface, each once. */
LFN_CASE(StaticRouteKeeperTestCase)
{
    const Ipv4Address group("239.1.0.1");
    Listeners network;
    network.Make(3);
    network.Link(0, 1);
    network.Link(1, 2);
    MulticastTree::Install(network.nodes, group);
    const auto node = network.nodes.Get(1);
    const auto ip = node->GetObject<Ipv4>();
    const auto routing = MulticastTree::GetRouting(node);
    routing->SetDefaultRoute("10.9.9.9", 2, 7);
    routing->SetDefaultMulticastRoute(2);
    const auto list = [&] {
        std::multiset<std::string> routes;
        for (uint32_t i = 0; i < routing->GetNRoutes(); ++i)
        {
            std::ostringstream text;
            text << routing->GetRoute(i) << ", metric " << routing->GetMetric(i);
            routes.insert(text.str());
        }
        return routes;
    };
    const auto before = list();
    NS_TEST_EXPECT_MSG_EQ(before.size(), 7, "loopback, two networks, the group twice, defaults");
    StaticRouteKeeper::Install(node); // it has one
    for (int i = 0; i < 2; ++i)
    {
        ip->SetDown(2);
        ip->SetDown(2);
        NS_TEST_EXPECT_MSG_EQ(list().size(), 3, "of the other interfaces");
        ip->SetUp(2);
        ip->SetUp(2);
        NS_TEST_EXPECT_MSG_EQ((list() == before), true, "as before");
    }
    ip->SetDown(1);
    ip->SetDown(2);
    ip->SetUp(2);
    ip->SetUp(1);
    NS_TEST_EXPECT_MSG_EQ((list() == before), true, "both of them");
    // Of routes that are alike the first one counts, or the last one.
    routing->AddNetworkRouteTo("10.7.0.0", "255.255.0.0", 1);
    routing->AddNetworkRouteTo("10.7.0.0", "255.255.0.0", 2);
    const auto find = [&](const Ipv4Address& to) {
        Ipv4Header header;
        header.SetDestination(to);
        Socket::SocketErrno error{};
        const auto route = ip->GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
        return route ? ip->GetInterfaceForDevice(route->GetOutputDevice()) : -1;
    };
    const std::vector<std::vector<uint32_t>> flaps{{1}, {2}, {1, 2}, {2, 1}};
    for (const auto& downs : flaps)
    {
        const auto all = list();
        for (const auto& ups : {downs, std::vector(downs.rbegin(), downs.rend())})
        {
            for (const auto interface : downs)
            {
                ip->SetDown(interface);
            }
            for (const auto interface : ups)
            {
                ip->SetUp(interface);
            }
            NS_TEST_EXPECT_MSG_EQ((list() == all), true, "as before");
            NS_TEST_EXPECT_MSG_EQ(find(group), 1, "the first one");
            NS_TEST_EXPECT_MSG_EQ(find("10.7.1.1"), 2, "the last one");
        }
    }
    // An address that is removed meanwhile takes the route to its network with it.
    const auto address = ip->GetAddress(2, 0);
    const auto count = list().size();
    ip->SetDown(2);
    ip->RemoveAddress(2, 0);
    ip->AddAddress(2, Ipv4InterfaceAddress("10.66.0.1", "255.255.255.0"));
    ip->SetUp(2);
    NS_TEST_EXPECT_MSG_EQ(find("10.66.0.9"), 2, "its new network");
    ip->RemoveAddress(2, 0);
    const auto removed = address.GetLocal().CombineMask(address.GetMask());
    for (uint32_t i = 0; i < routing->GetNRoutes(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((routing->GetRoute(i).GetDestNetwork() != removed), true, "gone");
    }
    NS_TEST_EXPECT_MSG_EQ(list().size(), count - 1, "all others are there");
    const auto bare = CreateObject<Node>();
    StaticRouteKeeper::Install(bare);
    NS_TEST_EXPECT_MSG_EQ((bare->GetObject<Ipv4>() == nullptr), true, "nothing to keep");
    Simulator::Destroy();
}

const Suite g_suite("lfn-multicast", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::vector<Shape> shapes{
        {"two hosts", 2, {{0, 1}}, {}},
        {"a star", 6, {{0, 5}, {1, 5}, {2, 5}, {3, 5}, {4, 5}}, {}},
        {"a chain of three routers", 7, {{0, 4}, {1, 5}, {2, 6}, {3, 6}, {4, 5}, {5, 6}}, {}},
        {"a mesh with cycles",
         8,
         {{0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {4, 6}, {4, 5}},
         {}},
        {"hosts with two links each", 4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, {}, 2},
        {"hosts on one wire", 4, {}, {{0, 1, 2, 3}}},
        {"wires and links with a cycle", 7, {{4, 6}, {5, 6}}, {{0, 1, 5, 6}, {2, 3, 6}}},
    };
    for (const auto& shape : shapes)
    {
        for (const uint32_t groups : {1, 2})
        {
            const auto name =
                shape.name + ", " + std::to_string(groups) + " groups: each datagram once";
            suite.Add(new MulticastOnceTestCase(name, shape, groups, false));
            suite.Add(new MulticastOnceTestCase(name + ", over IPv6", shape, groups, true));
        }
    }
    suite.Add(new MulticastRefusedTestCase(
        "a node apart, a node without a stack, an address that is no group's"));
    suite.Add(new StarTopologyTestCase(
        "star: roles, addresses, delays, queues; unicast and multicast reach all"));
    suite.Add(new StandardTopologyTestCase(
        "a program's own standard topology takes the path's flags and yields to --topology"));
    suite.Add(new StaticRouteKeeperTestCase("static routes of an interface that was down"));
});

} // namespace
