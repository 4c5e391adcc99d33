// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_TOPOLOGY_H
#define LFN_TEST_TOPOLOGY_H

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-attribute-check.h"
#include "ns3/lfn-topology.h"
#include "ns3/lfn-transport.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Topologies by name, and datagrams there and back.
 */

namespace ns3::lfn::tests
{

/// Make a topology of "Class[Name=value|Name=value]" as the command line does: not built, or null
/// when an attribute is refused.
inline Ptr<TransportTopology>
Make(const std::string& text)
{
    ObjectFactory factory;
    const auto remedy = MakeFactory("ns3::lfn::" + text, TransportTopology::GetTypeId(), factory);
    return remedy ? nullptr : factory.Create<TransportTopology>();
}

/// The same, built.
inline Ptr<TransportTopology>
Build(const std::string& text)
{
    const auto topology = Make(text);
    if (topology && !topology->Check())
    {
        topology->Build();
        topology->AssignStreams(1);
    }
    return topology;
}

/// Take a topology apart, and end the simulation.
inline void
Finish(Ptr<TransportTopology> topology)
{
    topology->Dispose();
    Simulator::Destroy();
}

/// Make a flow of 1 MB at 15 Mb/s between the first hosts of a topology.
inline TransportFlow
MakeFlow(Ptr<TransportTopology> topology)
{
    TransportFlow flow;
    flow.sender = topology->GetSenders().Get(0);
    flow.receiver = topology->GetReceivers().Get(0);
    flow.senderAddress = topology->GetSenderEnd();
    flow.receiverAddress = topology->GetReceiverEnd();
    flow.port = 20'024;
    flow.rtt = topology->GetRtt();
    flow.windowBytes = 262'144;
    flow.bytes = 1'000'000;
    flow.sendRate = DataRate("15Mbps");
    flow.packetSize = 1400;
    flow.stream = 10'000;
    return flow;
}

/**
 * @brief Datagrams from any host to any other one and back, one after the other.
 *
 * Every host answers from the address that it was asked at, and takes an answer only from the
 * address that it asked.
 */
class Echo
{
  public:
    static constexpr uint16_t PORT = 9;  //!< of those who answer
    static constexpr uint32_t BYTES = 1; //!< of user data in a datagram

    ~Echo()
    {
        for (const auto& socket : m_sockets)
        {
            socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        }
    }

    /**
     * @brief Add a datagram and its answer.
     * @param from who asks
     * @param to who answers
     * @param address where: InetSocketAddress or Inet6SocketAddress with PORT
     * @return its number
     */
    std::size_t Add(Ptr<Node> from, Ptr<Node> to, const Address& address)
    {
        const bool isIpv6 = Inet6SocketAddress::IsMatchingType(address);
        if (m_answering.emplace(to->GetId(), isIpv6).second)
        {
            const auto answer = Socket::CreateSocket(to, UdpSocketFactory::GetTypeId());
            answer->Bind(isIpv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT))
                                : Address(InetSocketAddress(Ipv4Address::GetAny(), PORT)));
            answer->SetRecvCallback(Callback<void, Ptr<Socket>>([](Ptr<Socket> socket) {
                Address peer;
                const auto packet = socket->RecvFrom(peer);
                socket->SendTo(packet, 0, peer);
            }));
            m_sockets.push_back(answer);
        }
        const auto number = m_rtts.size();
        m_rtts.emplace_back();
        const auto ask = Socket::CreateSocket(from, UdpSocketFactory::GetTypeId());
        if (isIpv6)
        {
            ask->Bind6();
        }
        else
        {
            ask->Bind();
        }
        const Time start = Seconds(10) * static_cast<int64_t>(number);
        ask->SetRecvCallback(
            Callback<void, Ptr<Socket>>([this, number, start, address](Ptr<Socket> socket) {
                Address peer;
                socket->RecvFrom(peer);
                if (peer == address)
                {
                    m_rtts[number] = Simulator::Now() - start;
                }
            }));
        Simulator::Schedule(start,
                            [ask, address] { ask->SendTo(Create<Packet>(BYTES), 0, address); });
        m_sockets.push_back(ask);
        return number;
    }

    /// Add a datagram from a sender to a receiver of a network, by their indices.
    std::size_t Add(Ptr<TransportTopology> network, uint32_t from, uint32_t to, bool isIpv6 = false)
    {
        return Add(network->GetSenders().Get(from),
                   network->GetReceivers().Get(to),
                   isIpv6 ? Address(Inet6SocketAddress(network->GetReceiverIpv6Address(to), PORT))
                          : Address(InetSocketAddress(network->GetReceiverAddress(to), PORT)));
    }

    /** @brief Run the simulation until the last one is back or lost. */
    void Run()
    {
        Simulator::Stop(Seconds(10) * static_cast<int64_t>(m_rtts.size()));
        Simulator::Run();
    }

    /// How long a datagram and its answer took; 0 when no answer came.
    Time GetRtt(std::size_t number) const
    {
        return m_rtts.at(number);
    }

  private:
    std::vector<Time> m_rtts;                        //!< one a datagram
    std::vector<Ptr<Socket>> m_sockets;              //!< of all
    std::set<std::pair<uint32_t, bool>> m_answering; //!< nodes, and whether over IPv6
};

} // namespace ns3::lfn::tests

#endif // LFN_TEST_TOPOLOGY_H
