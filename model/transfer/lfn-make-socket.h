// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_MAKE_SOCKET_H
#define LFN_MAKE_SOCKET_H

#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

namespace ns3::lfn
{

/**
 * @brief Make a socket; Socket::CreateSocket() ends the program on a node without the protocol.
 * @param node where; gets a LongFatTcpSocketFactory when that is asked for
 * @param factory TypeId of the SocketFactory
 * @return the socket; null when the node has no such factory
 */
Ptr<Socket> MakeSocket(Ptr<Node> node, TypeId factory);

/**
 * @brief Take every callback off a TCP socket, which lives on until its FIN is acknowledged and may
 * outlive the application.
 * @param socket the socket
 * @param isClosed close it as well
 */
void AbandonSocket(Ptr<Socket> socket, bool isClosed);

} // namespace ns3::lfn

#endif // LFN_MAKE_SOCKET_H
