// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_PING_H
#define VRP_PING_H

#include "vrp-header.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief The PINGs that open a sender: the first look at the round-trip time (section 2.5.1).
 */
class VrpPing
{
  public:
    /**
     * @brief Make the tags of another PING.
     * @param now the time, which is stamped on it in whole microseconds
     * @param packetSize data bytes of a data packet, B; the PING is padded to that packet's size
     *        (section 3.1: an unpadded one gives a wrong round-trip time); 0 for no padding
     * @return PING, and PADDING when it is wanted and fits
     */
    std::vector<VrpTag> Make(Time now, uint32_t packetSize);

    /** @brief Take the answer. @return the round-trip time; nothing when no PING had that stamp */
    std::optional<Time> OnPong(const VrpTag& pong, Time now) const;

    /** @brief Count the PINGs made. @return their number */
    std::size_t GetTries() const;

  private:
    std::vector<Time> m_stamps; //!< stamps of the PINGs made
};

} // namespace ns3::lfn

#endif // VRP_PING_H
