// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_WATCHED_SCHEDULER_H
#define LFN_WATCHED_SCHEDULER_H

#include "ns3/callback.h"
#include "ns3/priority-queue-scheduler.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief ns-3's usual order of events, with a look now and then between two of them.
 *
 * An event that looks would be one of the run: it could be the last one, and end the run later.
 */
class WatchedScheduler : public PriorityQueueScheduler
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    /**
     * @brief Have it order the events of the simulation, which is one a process.
     * @param look Called between two events, again and again.
     */
    static void Install(Callback<void> look);

    Event RemoveNext() override;

  private:
    static Callback<void> m_check; //!< Called between two events.
    uint32_t m_removed{0};         //!< Events, modulo 2^32.
};

} // namespace ns3::lfn

#endif // LFN_WATCHED_SCHEDULER_H
