// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_SOCKET_FACTORY_H
#define XCP_SOCKET_FACTORY_H

#include "ns3/node.h"
#include "ns3/socket-factory.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Makes XCP sockets on a host, alongside ns-3's factory of TCP sockets, so that both kinds
 * live on one host.
 *
 * The sockets have the congestion control TcpXcp, no timestamps, since these measure the RTT in
 * whole milliseconds, send more than a segment again for a partial ACK, and are watched by the
 * host's XcpL4Protocol.
 */
class XcpSocketFactory : public SocketFactory
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Give a node the shim and the factory; twice does no harm.
     * @return the node's factory, or null when it has no TCP
     */
    static Ptr<XcpSocketFactory> Install(Ptr<Node> node);

    /** @brief Make a socket. @return the socket; null when the node has no TCP */
    Ptr<Socket> CreateSocket() override;

  private:
    uint32_t m_partialAckSegments{2}; //!< attribute PartialAckSegments
};

} // namespace ns3::lfn

#endif // XCP_SOCKET_FACTORY_H
