// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_START_TIMES_H
#define LFN_START_TIMES_H

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Moves the times of the applications that are installed after a moment.
 */
class StartTimes
{
  public:
    /** @brief Leave alone the applications that are installed now: they are the network's own. */
    void Begin();

    /**
     * @brief Move the start and stop times of all applications installed since Begin().
     * @param delay What to add.
     */
    void Move(Time delay) const;

  private:
    std::vector<uint32_t> m_own; //!< Number of the network's own applications, by node.
};

} // namespace ns3::lfn

#endif // LFN_START_TIMES_H
