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

/// NS_LOG=LongFatTcpSocket; each of these files refers to it as g_log.
extern LogComponent g_longFatTcpLog;

} // namespace ns3::lfn

#endif // LONG_FAT_TCP_LOG_H
