// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TOPOLOGY_DRAWING_H
#define LFN_TOPOLOGY_DRAWING_H

#include "lfn-topology.h"

#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Draw a network: nodes, links with their rates and delays, bottlenecks with their queues,
 * and which nodes send and receive data.
 *
 * A column holds the nodes that are equally many links away from the nearest sender. A medium of
 * several devices is a point that all of them are linked to.
 *
 * @param topology A network that is built.
 * @return A picture in SVG.
 */
std::string DrawTopology(const TransportTopology& topology);

} // namespace ns3::lfn

#endif // LFN_TOPOLOGY_DRAWING_H
