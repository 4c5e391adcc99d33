// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_NET_ANIMATION_WRITER_H
#define LFN_NET_ANIMATION_WRITER_H

#include "ns3/lfn-topology-drawing.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Writes a file for NetAnim, from its construction until it is destroyed.
 */
class NetAnimationWriter
{
  public:
    virtual ~NetAnimationWriter() = default;

    /** @brief Check whether there were more packets than the file takes. */
    virtual bool IsCut() const = 0;
};

} // namespace ns3::lfn

extern "C"
{
    /**
     * @ingroup lfn
     * @brief Begin a file for NetAnim; found by its name at run time.
     * @param file The file, which can be written.
     * @param nodes All nodes as drawn, by their number.
     * @param packets Most packets in the file.
     * @param hasMetadata Whether the file has the headers of packets.
     * @return The writer, which the caller destroys after the simulation.
     */
    ns3::lfn::NetAnimationWriter* LfnOpenNetAnimation(const std::string& file,
                                                      const std::vector<ns3::lfn::DrawnNode>& nodes,
                                                      uint64_t packets,
                                                      bool hasMetadata);
}

#endif // LFN_NET_ANIMATION_WRITER_H
