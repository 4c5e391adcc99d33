// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_SOCKET_FINDER_H
#define XCP_SOCKET_FINDER_H

#include "tcp-xcp.h"
#include "xcp-flow-table.h"

#include "ns3/ptr.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <cstdint>
#include <functional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Looks among the sockets of a node for those of XCP, each socket once.
 *
 * ns-3's TCP gives sockets ascending numbers and never uses one again, so a look begins behind the
 * last one. The Attribute SocketList would cost the square of the number of sockets at each look:
 * ns-3 walks from the first socket to each one.
 */
class XcpSocketFinder
{
  public:
    /**
     * @brief Get the congestion control of a socket.
     * @return the congestion control; null when it is not XCP's
     */
    static Ptr<TcpXcp> GetOps(Ptr<const TcpSocketBase> socket);

    /**
     * @brief Look at the sockets that have been made since the last call.
     * @param tcp of the node, always the same
     * @param key a connection
     * @param watch called with each of them that is XCP's
     * @return the one of the connection; null when none of them is
     */
    Ptr<TcpSocketBase> Find(const TcpL4Protocol& tcp,
                            const XcpFlowKey& key,
                            const std::function<void(Ptr<TcpSocketBase>)>& watch);

  private:
    uint64_t m_next{0}; //!< number of the socket to look at next
};

} // namespace ns3::lfn

#endif // XCP_SOCKET_FINDER_H
