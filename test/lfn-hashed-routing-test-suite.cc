// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-hashed-routing.h"
#include "ns3/lfn-link-addresses.h"
#include "ns3/lfn-topology.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Routes by hash are those of ns-3's static routing.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint32_t DEVICES = 6; //!< of a node that is asked for routes

using Settings = std::vector<std::pair<std::string, std::string>>; //!< Attributes and values

/** @brief Two nodes alike, but that one has routes by hash. */
class Twins
{
  public:
    /// Make them.
    Twins()
    {
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
        {
            m_nodes[i] = CreateObject<Node>();
            InstallInternet(m_nodes[i], true, i == 1);
            for (uint32_t j = 0; j < DEVICES; ++j)
            {
                const auto device = CreateObject<SimpleNetDevice>();
                device->SetAddress(Mac48Address::Allocate());
                m_nodes[i]->AddDevice(device);
                const auto ipv4 = m_nodes[i]->GetObject<Ipv4>();
                ipv4->SetUp(ipv4->AddInterface(device));
                const auto ipv6 = m_nodes[i]->GetObject<Ipv6>();
                ipv6->SetUp(ipv6->AddInterface(device));
            }
        }
    }

    /// Do the same to both.
    template <typename Action>
    void Do(Action action)
    {
        std::ranges::for_each(m_nodes, action);
    }

    /// Say which of two texts each of them makes; empty when both make the same.
    template <typename Describe>
    std::string Compare(Describe describe) const
    {
        const auto theirs = describe(m_nodes[0]);
        const auto ours = describe(m_nodes[1]);
        return theirs == ours ? "" : "ns-3: " + theirs + "; by hash: " + ours;
    }

    /// The one with routes by hash.
    Ptr<Node> GetOurs() const
    {
        return m_nodes[1];
    }

  private:
    std::array<Ptr<Node>, 2> m_nodes; ///< ns-3's first
};

/// Get a node's static routing of IPv4.
Ptr<Ipv4StaticRouting>
GetIpv4Routing(Ptr<Node> node)
{
    return Ipv4StaticRoutingHelper().GetStaticRouting(node->GetObject<Ipv4>());
}

/// Get a node's static routing of IPv6.
Ptr<Ipv6StaticRouting>
GetIpv6Routing(Ptr<Node> node)
{
    return Ipv6StaticRoutingHelper().GetStaticRouting(node->GetObject<Ipv6>());
}

/// Describe a route.
template <typename Route>
std::string
Print(Ptr<Route> route)
{
    if (!route)
    {
        return "no route";
    }
    std::ostringstream text;
    text << "to " << route->GetDestination() << " by " << route->GetGateway() << " from "
         << route->GetSource() << " out of " << route->GetOutputDevice()->GetIfIndex();
    return text.str();
}

/// What a node does with a packet of its own.
template <typename Ip, typename Header, typename Address>
std::string
Send(Ptr<Node> node, Address to, uint32_t device)
{
    Header header;
    header.SetDestination(to);
    auto error = Socket::ERROR_NOTERROR;
    const auto route = node->GetObject<Ip>()->GetRoutingProtocol()->RouteOutput(
        Create<Packet>(),
        header,
        device > 0 ? node->GetDevice(device) : nullptr,
        error);
    return Print(route) + ", error " + std::to_string(error);
}

/// What a node does with a packet of IPv4 that a device receives.
std::string
Receive(Ptr<Node> node, Ipv4Address to, uint32_t device)
{
    std::string text;
    Ipv4Header header;
    header.SetDestination(to);
    header.SetSource("192.0.2.1");
    const bool isTaken = node->GetObject<Ipv4>()->GetRoutingProtocol()->RouteInput(
        Create<Packet>(),
        header,
        node->GetDevice(device),
        Ipv4RoutingProtocol::UnicastForwardCallback(
            [&](Ptr<Ipv4Route> route, Ptr<const Packet>, const Ipv4Header&) {
                text += "forward " + Print(route);
            }),
        Ipv4RoutingProtocol::MulticastForwardCallback(
            [&](Ptr<Ipv4MulticastRoute> route, Ptr<const Packet>, const Ipv4Header&) {
                text += "forward to " + std::to_string(route->GetOutputTtlMap().size());
            }),
        Ipv4RoutingProtocol::LocalDeliverCallback(
            [&](Ptr<const Packet>, const Ipv4Header&, uint32_t interface) {
                text += "deliver " + std::to_string(interface);
            }),
        Ipv4RoutingProtocol::ErrorCallback(
            [&](Ptr<const Packet>, const Ipv4Header&, Socket::SocketErrno error) {
                text += "fail " + std::to_string(error);
            }));
    return text + (isTaken ? ", taken" : ", not taken");
}

/// What a node's routing does with a packet of IPv6 that a device receives.
std::string
Receive(Ptr<Node> node, Ipv6Address to, uint32_t device)
{
    std::string text;
    Ipv6Header header;
    header.SetDestination(to);
    header.SetSource("2001:db8::1");
    const bool isTaken = node->GetObject<Ipv6>()->GetRoutingProtocol()->RouteInput(
        Create<Packet>(),
        header,
        node->GetDevice(device),
        Ipv6RoutingProtocol::UnicastForwardCallback(
            [&](Ptr<const NetDevice>, Ptr<Ipv6Route> route, Ptr<const Packet>, const Ipv6Header&) {
                text += "forward " + Print(route);
            }),
        Ipv6RoutingProtocol::MulticastForwardCallback([&](Ptr<const NetDevice>,
                                                          Ptr<Ipv6MulticastRoute> route,
                                                          Ptr<const Packet>,
                                                          const Ipv6Header&) {
            text += "forward to " + std::to_string(route->GetOutputTtlMap().size());
        }),
        Ipv6RoutingProtocol::LocalDeliverCallback(
            [&](Ptr<const Packet>, const Ipv6Header&, uint32_t interface) {
                text += "deliver " + std::to_string(interface);
            }),
        Ipv6RoutingProtocol::ErrorCallback(
            [&](Ptr<const Packet>, const Ipv6Header&, Socket::SocketErrno error) {
                text += "fail " + std::to_string(error);
            }));
    return text + (isTaken ? ", taken" : ", not taken");
}

/** @brief Chance, the same in every run. */
class Dice
{
  public:
    /// Make it.
    Dice()
    {
        m_random->SetStream(1);
    }

    /// A number below another one.
    uint32_t Throw(uint32_t end)
    {
        return m_random->GetInteger(0, end - 1);
    }

    /// One of several.
    template <typename T>
    T Pick(const std::vector<T>& from)
    {
        return from[Throw(static_cast<uint32_t>(from.size()))];
    }

    /// An address of few.
    Ipv4Address PickIpv4()
    {
        return Ipv4Address(0x0a000000 + Throw(64));
    }

    /// An address of few.
    Ipv6Address PickIpv6()
    {
        std::ostringstream text;
        text << "fd00:" << std::hex << Throw(3) << "::" << Throw(4) << ":0:0:" << Throw(8);
        return Ipv6Address(text.str().c_str());
    }

  private:
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< its source
};

/// Compare what the twins do with packets of IPv4 to all that has to do with their addresses.
std::string
CompareIpv4(const Twins& twins, Dice& dice)
{
    std::vector<Ipv4Address> destinations{"255.255.255.255", "239.1.2.3", "127.0.0.1", "8.8.8.8"};
    for (int i = 0; i < 12; ++i)
    {
        destinations.push_back(dice.PickIpv4());
    }
    for (const auto& to : destinations)
    {
        const auto in = 1 + dice.Throw(DEVICES);
        const auto out = dice.Throw(DEVICES + 1);
        for (const auto& text :
             {twins.Compare([&](Ptr<Node> node) { return Receive(node, to, in); }),
              twins.Compare([&](Ptr<Node> node) { return Send<Ipv4, Ipv4Header>(node, to, out); }),
              twins.Compare([&](Ptr<Node> node) { return Send<Ipv4, Ipv4Header>(node, to, 0); })})
        {
            if (!text.empty())
            {
                std::ostringstream where;
                where << to << ": " << text;
                return where.str();
            }
        }
    }
    return "";
}

/** @brief Any addresses and routes of IPv4, equal ones as well; later any change that ns-3 has. */
LFN_CASE(RandomIpv4TestCase)
{
    Dice dice;
    for (int round = 0; round < 60; ++round)
    {
        Twins twins;
        const bool isStrong = dice.Throw(4) == 0;
        twins.Do([&](Ptr<Node> node) {
            node->GetObject<Ipv4>()->SetAttribute("StrongEndSystemModel", BooleanValue(isStrong));
        });
        const bool doesChange = round >= 20;
        std::string different;
        for (int step = 0; step < 60 && different.empty(); ++step)
        {
            const auto device = 1 + dice.Throw(DEVICES);
            const auto what = dice.Throw(doesChange ? 13 : 9);
            const auto address = dice.PickIpv4();
            const auto gateway = dice.Throw(2) == 0 ? Ipv4Address::GetZero() : dice.PickIpv4();
            const Ipv4Mask mask(dice.Pick<uint32_t>(
                {0xffffffff, 0xffffffff, 0xfffffffc, 0xfffffff0, 0xffffff00, 0}));
            const auto metric = dice.Throw(3);
            twins.Do([&](Ptr<Node> node) {
                const auto ipv4 = node->GetObject<Ipv4>();
                if (what < 4 || ipv4->GetNAddresses(device) == 0)
                {
                    ipv4->AddAddress(device, {address, mask == Ipv4Mask::GetZero() ? "/8" : mask});
                }
                else if (what < 8)
                {
                    AddRoute(node->GetDevice(device), address.CombineMask(mask), mask, gateway);
                }
                else if (what == 8)
                {
                    ipv4->SetForwarding(device, !ipv4->IsForwarding(device));
                }
                else if (what == 9 && ipv4->GetNAddresses(device) > 1)
                {
                    ipv4->RemoveAddress(device, 0);
                }
                else if (what == 10)
                {
                    GetIpv4Routing(node)->AddNetworkRouteTo(address.CombineMask(mask),
                                                            mask,
                                                            gateway,
                                                            device,
                                                            metric);
                }
                else if (what == 11)
                {
                    GetIpv4Routing(node)->AddMulticastRoute(Ipv4Address::GetAny(),
                                                            "239.1.2.3",
                                                            device,
                                                            {1, 2});
                }
                else if (what == 12)
                {
                    ipv4->IsUp(device) ? ipv4->SetDown(device) : ipv4->SetUp(device);
                }
            });
            different = dice.Throw(2) == 0 ? CompareIpv4(twins, dice) : "";
        }
        NS_TEST_EXPECT_MSG_EQ(different, "", "round " << round);
        NS_TEST_EXPECT_MSG_EQ((GetIpv4Routing(twins.GetOurs())->GetNRoutes() > 0),
                              doesChange,
                              "ns-3's static routing has the routes after such a change only");
        Simulator::Destroy();
    }
}

/** @brief Any addresses and routes of IPv6; later any change that ns-3 has. */
LFN_CASE(RandomIpv6TestCase)
{
    Dice dice;
    for (int round = 0; round < 40; ++round)
    {
        Twins twins;
        const auto address =
            [&](Ptr<Node> node, uint32_t device, Ipv6Address local, uint8_t length) {
                node->GetObject<Ipv6>()->AddAddress(device, {local, Ipv6Prefix(length)});
            };
        for (uint32_t device = 1; device <= DEVICES; ++device)
        {
            const auto local = dice.PickIpv6();
            twins.Do([&](Ptr<Node> node) { address(node, device, local, 64); });
        }
        const bool doesChange = round >= 20;
        std::string different;
        for (int step = 0; step < 60 && different.empty(); ++step)
        {
            const auto device = 1 + dice.Throw(DEVICES);
            const auto what = dice.Throw(doesChange ? 12 : 7);
            const auto local = dice.PickIpv6();
            const auto other = dice.PickIpv6();
            const auto gateway = dice.Throw(2) == 0 ? Ipv6Address::GetAny() : dice.PickIpv6();
            const auto length = dice.Pick<uint8_t>({128, 128, 96, 64, 48, 0});
            const auto network = local.CombinePrefix(Ipv6Prefix(length));
            const bool withPrefix = dice.Throw(2) == 0;
            twins.Do([&](Ptr<Node> node) {
                const auto ipv6 = node->GetObject<Ipv6>();
                const auto routing = ipv6->GetRoutingProtocol();
                const auto theirs = GetIpv6Routing(node);
                if (what < 2)
                {
                    address(node, device, local, length == 0 ? 128 : length);
                }
                else if (what < 6)
                {
                    AddRoute(node->GetDevice(device), network, Ipv6Prefix(length), gateway);
                }
                else if (what == 6)
                {
                    routing->NotifyAddRoute(Ipv6Address::GetAny(),
                                            Ipv6Prefix::GetZero(),
                                            "fe80::99",
                                            device,
                                            withPrefix ? network : Ipv6Address::GetAny());
                }
                else if (what == 7)
                {
                    ipv6->SetDown(device);
                    address(node, device, other, 64);
                    if (withPrefix)
                    {
                        ipv6->RemoveAddress(device, other);
                    }
                    ipv6->SetUp(device);
                    address(node, device, local, 64);
                }
                else if (what == 8 && ipv6->GetNAddresses(device) > 2)
                {
                    ipv6->RemoveAddress(device, 2);
                }
                else if (what == 9)
                {
                    theirs->AddNetworkRouteTo(network, Ipv6Prefix(length), gateway, device, 1);
                }
                else if (what == 10)
                {
                    routing->NotifyRemoveRoute(withPrefix ? network : Ipv6Address::GetAny(),
                                               Ipv6Prefix(withPrefix ? length : 0),
                                               gateway,
                                               device,
                                               Ipv6Address::GetAny());
                }
                else if (what == 11)
                {
                    theirs->AddMulticastRoute(Ipv6Address::GetAny(), "ff15::1", device, {1, 2});
                }
            });
            std::vector<Ipv6Address> destinations{"ff15::1", "::1", "2001:db8::7"};
            for (int i = 0; i < 12; ++i)
            {
                destinations.push_back(dice.PickIpv6());
            }
            for (const auto& to : destinations)
            {
                const auto in = 1 + dice.Throw(DEVICES);
                const auto out = dice.Throw(DEVICES + 1);
                for (const auto& text :
                     {twins.Compare([&](Ptr<Node> node) { return Receive(node, to, in); }),
                      twins.Compare(
                          [&](Ptr<Node> node) { return Send<Ipv6, Ipv6Header>(node, to, out); }),
                      twins.Compare([&](Ptr<Node> node) {
                          return Send<Ipv6, Ipv6Header>(node, Ipv6Address("fe80::7"), in)
                              .substr(0, 20);
                      })})
                {
                    different = different.empty() ? text : different;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(different, "", "round " << round);
        NS_TEST_EXPECT_MSG_EQ((GetIpv6Routing(twins.GetOurs())->GetNRoutes() > 0),
                              doesChange,
                              "ns-3's static routing has the routes after such a change only");
        Simulator::Destroy();
    }
}

/** @brief The ways of a topology are the same without hashes. */
LFN_CASE_OF(SameWaysTestCase, std::string type, Settings attributes)
{
    // The devices of all ways, and the routes of IPv6 at their nodes.
    const auto describe = [&](bool hashed) {
        ObjectFactory factory("ns3::lfn::" + type);
        for (const auto& [name, value] : attributes)
        {
            factory.Set(name, StringValue(value));
        }
        factory.Set("HashedRouting", BooleanValue(hashed));
        factory.Set("Ipv6", BooleanValue(true));
        const auto topology = factory.Create<TransportTopology>();
        topology->Build();
        std::ostringstream text;
        for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
        {
            const bool isByHash = GetIpv4Routing(*node)->GetNRoutes() == 0 &&
                                  GetIpv6Routing(*node)->GetNRoutes() == 0;
            NS_TEST_EXPECT_MSG_EQ(isByHash, hashed, "node " << (*node)->GetId());
        }
        for (uint32_t i = 0; i < topology->GetSenders().GetN(); ++i)
        {
            for (uint32_t j = 0; j < topology->GetReceivers().GetN(); ++j)
            {
                const auto way = topology->FindWay(i, j);
                text << i << " to " << j << ":";
                for (const auto& device : way.value_or(std::vector<Ptr<NetDevice>>{}))
                {
                    const auto node = device->GetNode();
                    text << " " << node->GetId() << "." << device->GetIfIndex() << " "
                         << Send<Ipv6, Ipv6Header>(node, topology->GetReceiverIpv6Address(j), 0);
                }
                text << "\n";
            }
        }
        topology->Dispose();
        Simulator::Destroy();
        return text.str();
    };
    const auto ways = describe(true);
    NS_TEST_EXPECT_MSG_EQ(ways, describe(false), type);
    NS_TEST_EXPECT_MSG_EQ((ways.find("0 to 0: ") == 0), true, "there is one: " << ways);
}

const Suite g_suite("lfn-hashed-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new RandomIpv4TestCase("any addresses and routes of IPv4, as ns-3's static routing"));
    suite.Add(new RandomIpv6TestCase("any addresses and routes of IPv6, as ns-3's static routing"));
    const std::vector<std::pair<std::string, Settings>> topologies = {
        {"PointToPointTopology", {}},
        {"DumbbellTopology", {{"Pairs", "4"}}},
        {"ParkingLotTopology", {{"Hops", "3"}, {"CrossPairs", "2"}}},
        {"StarTopology", {{"Hosts", "5"}}},
        {"MulticastTreeTopology", {{"Depth", "3"}, {"Fanout", "2"}}},
        {"CsmaTopology", {}},
        {"WifiTopology", {}},
    };
    for (const auto& [type, attributes] : topologies)
    {
        suite.Add(new SameWaysTestCase("the ways through " + type + ", with and without hashes",
                                       type,
                                       attributes));
    }
});

} // namespace
