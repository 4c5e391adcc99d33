// SPDX-License-Identifier: GPL-2.0-only

#ifndef LONG_FAT_TCP_HELPER_H
#define LONG_FAT_TCP_HELPER_H

#include "ns3/node-container.h"

/**
 * @defgroup lfn-tcp TCP for long fat networks
 * @ingroup lfn
 * ns-3's TCP at a cost per packet that does not grow with the window.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief Gives nodes the socket factory "ns3::lfn::LongFatTcpSocketFactory", for BulkSendHelper and
 * the like. The transports of lfn need no helper for that.
 */
class LongFatTcpHelper
{
  public:
    /**
     * @brief Install the factory; twice does no harm, and ns-3's own factory stays.
     * @param nodes hosts with an internet stack, or one
     */
    void Install(const NodeContainer& nodes) const;
};

} // namespace ns3::lfn

#endif // LONG_FAT_TCP_HELPER_H
