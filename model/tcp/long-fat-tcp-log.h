// SPDX-License-Identifier: GPL-2.0-only

#ifndef LONG_FAT_TCP_LOG_H
#define LONG_FAT_TCP_LOG_H

#include "ns3/log.h"

/**
 * @file
 * @ingroup lfn-tcp
 * The log component of LongFatTcpSocket, for its source files alone: a component is defined once.
 */

namespace ns3::lfn
{

/// NS_LOG=LongFatTcpSocket.
inline LogComponent g_log("LongFatTcpSocket", __FILE__);

} // namespace ns3::lfn

#endif // LONG_FAT_TCP_LOG_H
