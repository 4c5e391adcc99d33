// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TOPOLOGY_DRAWING_H
#define LFN_TOPOLOGY_DRAWING_H

#include "lfn-topology.h"

#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A node as DrawTopology() draws it.
 */
struct DrawnNode
{
    std::string name;   //!< Its name, or its number.
    std::string role;   //!< What it sends and receives, such as "sender 0"; empty for a router.
    std::string colour; //!< By its role, "#rrggbb".
    double x{0};        //!< Of the centre, from the left (pixels).
    double y{0};        //!< Of the centre, from the top (pixels).
};

/**
 * @ingroup lfn
 * @brief Get the places of all nodes in the drawing of a network.
 * @param topology A network that is built.
 * @return The nodes by their number in ns3::NodeList.
 */
std::vector<DrawnNode> PlaceNodes(const TransportTopology& topology);

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
