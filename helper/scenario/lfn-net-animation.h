// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_NET_ANIMATION_H
#define LFN_NET_ANIMATION_H

#include "lfn-net-animation-writer.h"

#include "ns3/lfn-flags.h"
#include "ns3/lfn-topology.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief `--netAnim`: a file for NetAnim, written by ns3::AnimationInterface.
 *
 * Nodes have the names, roles and colours of DrawTopology(). They have its places as well, unless
 * the network gives nodes places of its own; the drawing is scaled to those then. No event is added
 * to the run, and no random number is drawn.
 *
 * Without ns-3's module netanim the flag is refused.
 */
class NetAnimation
{
  public:
    /** @brief Declare the flags. */
    void Declare(Flags& flags);

    /**
     * @brief Check the flags together; before any packet is made.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check(const Flags& flags) const;

    /** @brief Begin the file, if it is wanted; after the network is built, before the run. */
    void Begin(const Flags& flags, const TransportTopology& topology);

    /**
     * @brief End the file, after the simulation is destroyed; a warning on stderr if it does not
     * have the whole run.
     * @return What is wrong with the file, and a remedy; or nothing.
     */
    std::optional<std::string> End(const Flags& flags);

  private:
    std::string m_file;         //!< Value of --netAnim.
    uint64_t m_packets{100000}; //!< Value of --netAnimPackets.
    bool m_metadata{false};     //!< Value of --netAnimMetadata.

    std::unique_ptr<NetAnimationWriter> m_writer; //!< Writes the file; null without one.
};

} // namespace ns3::lfn

#endif // LFN_NET_ANIMATION_H
