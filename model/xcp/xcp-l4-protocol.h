// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_L4_PROTOCOL_H
#define XCP_L4_PROTOCOL_H

#include "tcp-xcp.h"
#include "xcp-header.h"

#include "ns3/ip-l4-protocol.h"
#include "ns3/node.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <cstdint>
#include <unordered_map>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The shim between TCP and IP that puts the congestion header on packets of XCP sockets and
 * takes it off what arrives (draft-falk-xcp-spec-03, section 3.1), one a node, for IPv4 and IPv6.
 *
 * Packets of other sockets, and resets, pass untouched. A receiver needs no XCP socket: what its
 * peer's data packets were granted goes back with the acknowledgements whatever socket sends them.
 * ns-3's files stay as they are: the shim takes TCP's down targets, and hears from a socket's Tx
 * trace, which forked sockets inherit, that a packet is XCP's.
 */
class XcpL4Protocol : public IpL4Protocol
{
  public:
    static constexpr uint8_t PROT_NUMBER = 253; //!< none was assigned: RFC 3692's experimental one

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    XcpL4Protocol();
    ~XcpL4Protocol() override;

    /**
     * @brief Put the shim between a node's TCP and IP; twice does no harm.
     * @param node the node; with an internet stack, else nothing happens
     * @return the node's shim, or null when it has no TCP
     */
    static Ptr<XcpL4Protocol> Install(Ptr<Node> node);

    /**
     * @brief Have a socket's packets carry the congestion header.
     * @param socket the socket; its congestion control is a TcpXcp
     */
    void Watch(Ptr<TcpSocketBase> socket);

    /**
     * @brief Get the size of the flow table.
     * @return connections that are remembered
     */
    std::size_t GetFlows() const;

    int GetProtocolNumber() const override;
    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;
    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> incomingInterface) override;
    void SetDownTarget(DownTargetCallback callback) override;
    void SetDownTarget6(DownTargetCallback6 callback) override;
    DownTargetCallback GetDownTarget() const override;
    DownTargetCallback6 GetDownTarget6() const override;
};

} // namespace ns3::lfn

#endif // XCP_L4_PROTOCOL_H
