// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_MAKE_SOCKET_H
#define LFN_MAKE_SOCKET_H

#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <cstdint>

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
 * @brief Set the TOS byte of IPv4 and the traffic class of IPv6 of what a socket sends.
 * @param socket the socket; null does no harm
 * @param tos all 8 bits; TCP sets the two of ECN itself; 0 leaves the socket as it is
 */
void SetTos(Ptr<Socket> socket, uint8_t tos);

/**
 * @brief Take every callback off a TCP socket, which lives on until its FIN is acknowledged and may
 * outlive the application.
 * @param socket the socket
 * @param isClosed close it as well
 */
void AbandonSocket(Ptr<Socket> socket, bool isClosed);

} // namespace ns3::lfn

#endif // LFN_MAKE_SOCKET_H
