// SPDX-License-Identifier: GPL-2.0-only
#include "udt-port.h"

#include "udt-header.h"

#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"

#include <array>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("UdtPort");

namespace
{

/** @brief Read the destination socket ID of a packet; 0 when it is too short. */
uint32_t
ReadDestination(Ptr<const Packet> packet)
{
    std::array<uint8_t, UDT_HEADER_SIZE> header{};
    if (packet->CopyData(header.data(), header.size()) < header.size())
    {
        return 0;
    }
    return ReadBigEndian<uint32_t>(header, 12);
}

} // namespace

const std::shared_ptr<UdtPort::Registry>&
UdtPort::GetRegistry()
{
    // Ports have it as well: a program that ends early may close them after its static objects.
    static const auto registry = std::make_shared<Registry>();
    return registry;
}

Ptr<UdtPort>
UdtPort::Open(Ptr<Node> node, const Address& local, std::string& failure)
{
    NS_LOG_FUNCTION(node << local);
    auto& ports = *GetRegistry();
    if (const auto found = ports.find({PeekPointer(node), local}); found != ports.end())
    {
        return found->second;
    }
    auto port = Create<UdtPort>();
    failure = UdpEndpoint::Listen(node,
                                  local,
                                  0,
                                  MakeCallback(&UdtPort::OnDatagrams, PeekPointer(port)),
                                  port->m_sockets);
    if (!failure.empty())
    {
        UdpEndpoint::Close(port->m_sockets);
        return nullptr;
    }
    port->m_registry = GetRegistry();
    port->m_node = PeekPointer(node);
    port->m_local = UdpEndpoint::WithPort(local, UdpEndpoint::GetLocalPort(port->m_sockets[0]));
    ports[{port->m_node, port->m_local}] = PeekPointer(port);
    NS_LOG_INFO("node " << node->GetId() << " opens " << port->m_local);
    return port;
}

UdtPort::~UdtPort()
{
    Close();
}

void
UdtPort::Close()
{
    if (!m_sockets.empty())
    {
        m_registry->erase({m_node, m_local});
        UdpEndpoint::Close(m_sockets);
    }
}

bool
UdtPort::Add(uint32_t id, const Receiver& receiver)
{
    NS_LOG_FUNCTION(this << id);
    return m_receivers.emplace(id, receiver).second;
}

void
UdtPort::Remove(uint32_t id)
{
    NS_LOG_FUNCTION(this << id);
    m_receivers.erase(id);
    if (m_receivers.empty())
    {
        Close();
    }
}

bool
UdtPort::IsIpv6() const
{
    return Inet6SocketAddress::IsMatchingType(m_local);
}

void
UdtPort::Send(Ptr<Packet> packet, const Address& to, uint8_t tos)
{
    for (const auto& socket : m_sockets)
    {
        if (m_tos != tos)
        {
            socket->SetIpTos(tos);
            socket->SetIpv6Tclass(tos);
            m_tos = tos;
        }
        socket->SendTo(packet, 0, to);
    }
}

void
UdtPort::OnDatagrams(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const Ptr<UdtPort> self(this); // the last end may be removed on the way
    Address from;
    while (!m_receivers.empty())
    {
        const auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            return;
        }
        const auto id = ReadDestination(packet);
        const auto found = m_receivers.find(id);
        NS_LOG_LOGIC("a packet of " << from << " for socket ID " << id
                                    << (found == m_receivers.end() ? ", which is unknown" : ""));
        const auto receiver = (found == m_receivers.end() ? m_receivers.begin() : found)->second;
        receiver(packet, from);
    }
}

} // namespace ns3::lfn
