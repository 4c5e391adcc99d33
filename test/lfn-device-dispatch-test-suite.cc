// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-device-dispatch.h"
#include "ns3/lfn-link-addresses.h"
#include "ns3/node-container.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Packets that devices receive reach IP once.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief A packet reaches IP once, by a device of any time, and by ARP and its like. */
LFN_CASE(DispatchTestCase)
{
    constexpr uint16_t PORT = 9200;
    for (const bool hashed : {false, true})
    {
        NodeContainer nodes(5);
        InstallInternet(nodes, true, hashed);
        const auto hub = nodes.Get(0);
        SimpleNetDeviceHelper link;
        const auto connect = [&](uint32_t host) {
            const auto devices = link.Install(NodeContainer(hub, nodes.Get(host)));
            std::ostringstream network;
            network << "10.9." << host << ".0";
            AssignAddresses(devices,
                            Ipv4Address(network.str().c_str()),
                            MakeIpv6Network(9, static_cast<uint16_t>(host)));
        };
        connect(1);
        const auto unused = CreateObject<SimpleNetDevice>();
        unused->SetAddress(Mac48Address::Allocate());
        hub->AddDevice(unused);
        hub->GetObject<Ipv6>()->AddInterface(unused); // and it never comes up
        connect(2);
        connect(3);
        Simulator::Schedule(Seconds(1), [&] { connect(4); });
        std::vector<std::pair<uint32_t, uint32_t>> received; // node, bytes
        const auto listen = [&](Ptr<Node> node, const Address& any) {
            const auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
            socket->Bind(any);
            socket->SetRecvCallback(Callback<void, Ptr<Socket>>([&, node](Ptr<Socket> from) {
                Address peer;
                while (const auto packet = from->RecvFrom(peer))
                {
                    received.emplace_back(node->GetId(), packet->GetSize());
                }
            }));
            return socket;
        };
        std::vector<Ptr<Socket>> sockets;
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            sockets.push_back(listen(nodes.Get(i), InetSocketAddress(Ipv4Address::GetAny(), PORT)));
            sockets.push_back(
                listen(nodes.Get(i), Inet6SocketAddress(Ipv6Address::GetAny(), PORT)));
        }
        Simulator::Schedule(Seconds(2), [&] {
            for (uint32_t host = 0; host < nodes.GetN(); ++host)
            {
                // Each to the hub, which has an address per link, and by loopback to itself.
                const auto ipv4 = nodes.Get(host)->GetObject<Ipv4>();
                const auto ipv6 = nodes.Get(host)->GetObject<Ipv6>();
                sockets[2 * host]->SendTo(Create<Packet>(10 + host),
                                          0,
                                          InetSocketAddress(Ipv4Address::GetLoopback(), PORT));
                sockets[2 * host + 1]->SendTo(Create<Packet>(20 + host),
                                              0,
                                              Inet6SocketAddress(Ipv6Address::GetLoopback(), PORT));
                if (host == 0)
                {
                    continue;
                }
                const auto own = ipv4->GetAddress(1, 0).GetLocal();
                sockets[2 * host]->SendTo(Create<Packet>(30 + host),
                                          0,
                                          InetSocketAddress(Ipv4Address(own.Get() - 1), PORT));
                sockets[0]->SendTo(Create<Packet>(40 + host), 0, InetSocketAddress(own, PORT));
                sockets[1]->SendTo(Create<Packet>(50 + host),
                                   0,
                                   Inet6SocketAddress(ipv6->GetAddress(1, 1).GetAddress(), PORT));
            }
        });
        Simulator::Run();
        std::ranges::sort(received);
        std::vector<std::pair<uint32_t, uint32_t>> expected;
        for (uint32_t host = 0; host < nodes.GetN(); ++host)
        {
            expected.emplace_back(host, 10 + host);
            expected.emplace_back(host, 20 + host);
            if (host > 0)
            {
                expected.emplace_back(0, 30 + host);
                expected.emplace_back(host, 40 + host);
                expected.emplace_back(host, 50 + host);
            }
        }
        std::ranges::sort(expected);
        NS_TEST_EXPECT_MSG_EQ((received == expected), true, "each once, by hash: " << hashed);
        NS_TEST_EXPECT_MSG_EQ((hub->GetObject<DeviceDispatch>() != nullptr), hashed, "installed");
        Simulator::Destroy();
    }
}

const Suite g_suite("lfn-device-dispatch", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new DispatchTestCase("packets reach IP once, also by a device that comes later"));
});

} // namespace
