// SPDX-License-Identifier: GPL-2.0-only
#ifndef LFN_UDP_ENDPOINT_H
#define LFN_UDP_ENDPOINT_H

#include "ns3/address.h"
#include "ns3/node.h"
#include "ns3/socket.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief What every transport over UDP needs from its node, for IPv4 and IPv6 alike.
 */
class UdpEndpoint
{
  public:
    /**
     * @brief Give an address a port.
     * @param address an IPv4 or IPv6 address, with or without a port
     * @param port the port, which replaces one in the address
     * @return the socket address; an invalid one when the address is neither
     */
    static Address WithPort(const Address& address, uint16_t port);

    /**
     * @brief Open a UDP socket that knows its peer.
     * @param node where
     * @param peer where datagrams go, with its port
     * @param localPort port to bind to
     * @param bufferBytes receive buffer, B
     * @return the socket; null when the port is in use, the peer's address is unusable or the node
     * has no UDP
     */
    static Ptr<Socket> Open(Ptr<Node> node,
                            const Address& peer,
                            uint16_t localPort,
                            uint32_t bufferBytes);

    /**
     * @brief Get the port that a socket is bound to.
     * @param socket a UDP socket
     * @return the port; 0 when it is not bound
     */
    static uint16_t GetLocalPort(Ptr<Socket> socket);

    /**
     * @brief Find the MTU of the link on which datagrams to a peer leave.
     * @param node where they leave
     * @param peer where they go
     * @return bytes; nothing when there is no route at present
     */
    static std::optional<uint32_t> FindMtu(Ptr<Node> node, const Address& peer);

    /**
     * @brief Bytes of the IP and UDP headers of a datagram.
     * @param peer where it goes
     * @return 28 for IPv4, 48 for IPv6
     */
    static uint32_t GetHeaderBytes(const Address& peer);
};

} // namespace ns3::lfn

#endif // LFN_UDP_ENDPOINT_H
