// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TCP_CONGESTION_H
#define LFN_TCP_CONGESTION_H

#include "ns3/application.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/** The congestion control of transports that name none, in place of ns-3's default. */
inline constexpr const char* DEFAULT_TCP_CONGESTION = "ns3::TcpCubic";

/**
 * @brief List the congestion controls that any TCP socket can use.
 * @return sorted TypeId names of ns-3's TcpCongestionOps and of a user's own; those of this module
 *         need sockets of their own and are left out
 */
std::vector<std::string> ListTcpCongestion();

/**
 * @brief Find the congestion control that a word means.
 * @param word such as "bbr", "TcpBbr" or "ns3::TcpBbr", in capitals or not
 * @return its TypeId's name, or nothing
 */
std::optional<std::string> FindTcpCongestion(const std::string& word);

/**
 * @brief Check the name of a congestion control.
 * @param name a TypeId's name; empty for the node's own
 * @return a remedy that names the one that is meant or lists all, or nothing when the name is good
 */
std::optional<std::string> CheckTcpCongestion(const std::string& name);

/**
 * @brief Give one socket per congestion control of its own, before it connects or listens.
 * @param socket the socket
 * @param name a TypeId's name; empty leaves the node's own. Connections that a listening socket
 *        accepts have it as well, which controls that need both ends (ns3::TcpDctcp) rely on
 * @param stream random stream of a control that draws lots (ns3::TcpBbr); below 0 for one of ns-3's
 * @return false when the name is not in the list or the socket is not of ns-3's TCP
 */
bool UseTcpCongestion(Ptr<Socket> socket, const std::string& name, int64_t stream = -1);

/**
 * @brief Get the congestion control of a sender.
 * @param sender an application with an Attribute Congestion, on a node
 * @return the value of Congestion; where it is empty the node's own, TcpL4Protocol::SocketType, or
 *         nothing on a node without TCP
 */
std::string GetTcpCongestion(const Application& sender);

} // namespace ns3::lfn

#endif // LFN_TCP_CONGESTION_H
