// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TEST_FORGER_H
#define XCP_TEST_FORGER_H

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-raw-socket-factory.h"
#include "ns3/ipv6-raw-socket-factory.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-header.h"

#include <cstdint>

namespace ns3::lfn::tests
{

/** @brief Sends what the test gives from a host. */
class XcpTestForger
{
  public:
    /// Open a raw socket for a protocol number of IP.
    XcpTestForger(Ptr<Node> host, const Address& to, uint8_t protocol)
        : m_to(to)
    {
        const bool isIpv6 = Inet6SocketAddress::IsMatchingType(to);
        m_socket = Socket::CreateSocket(host,
                                        isIpv6 ? Ipv6RawSocketFactory::GetTypeId()
                                               : Ipv4RawSocketFactory::GetTypeId());
        m_socket->SetAttribute("Protocol", UintegerValue(protocol));
        if (isIpv6)
        {
            m_socket->Bind(Inet6SocketAddress(Ipv6Address::GetAny(), 0));
        }
        else
        {
            m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 0));
        }
        m_socket->ShutdownRecv(); // answers are nothing to it
    }

    /// Send a packet, which is what follows the IP header.
    void Send(Ptr<Packet> packet)
    {
        m_socket->SendTo(packet, 0, m_to);
    }

  private:
    Ptr<Socket> m_socket; //!< raw
    Address m_to;         //!< where all goes
};

/// Make a TCP packet between ports, with a number of bytes of payload and a congestion header that
/// nobody asked for.
inline Ptr<Packet>
MakeForged(uint16_t from, uint16_t to, uint8_t flags, uint32_t payload)
{
    const auto packet = Create<Packet>(payload);
    TcpHeader tcp;
    tcp.SetSourcePort(from);
    tcp.SetDestinationPort(to);
    tcp.SetFlags(flags);
    tcp.SetSequenceNumber(SequenceNumber32(from * 7919U));
    tcp.SetWindowSize(1000);
    packet->AddHeader(tcp);
    XcpHeader header;
    header.x = 0.01;
    header.rtt = 0.1;
    header.deltaThroughput = 1e9;
    header.reverseFeedback = 1e9;
    packet->AddHeader(header);
    return packet;
}

} // namespace ns3::lfn::tests

#endif // XCP_TEST_FORGER_H
