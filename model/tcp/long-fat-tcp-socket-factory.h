// SPDX-License-Identifier: GPL-2.0-only

#ifndef LONG_FAT_TCP_SOCKET_FACTORY_H
#define LONG_FAT_TCP_SOCKET_FACTORY_H

#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket-factory.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/type-id.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief Makes LongFatTcpSocket sockets on a host, alongside ns-3's factory of TCP sockets.
 *
 * They are what ns-3's factory would make of the Attributes SocketType, RecoveryType and
 * RttEstimatorType of the node's TcpL4Protocol.
 */
class LongFatTcpSocketFactory : public SocketFactory
{
  public:
    /** @brief Get the type ID. @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Give a node the factory and a TcpSegmentDispatch; twice does no harm.
     * @param node the node
     * @return the node's factory
     */
    static Ptr<LongFatTcpSocketFactory> Install(Ptr<Node> node);

    /**
     * @brief Make a socket of a congestion control, not the node's.
     * @param tcp the TCP of a node
     * @param congestion TypeId of a TcpCongestionOps
     * @return the socket
     */
    static Ptr<TcpSocketBase> Make(Ptr<TcpL4Protocol> tcp, TypeId congestion);

    /** @brief Make a socket. @return the socket; null when the node has no TCP */
    Ptr<Socket> CreateSocket() override;
};

} // namespace ns3::lfn

#endif /* LONG_FAT_TCP_SOCKET_FACTORY_H */
