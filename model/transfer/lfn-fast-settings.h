// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FAST_SETTINGS_H
#define LFN_FAST_SETTINGS_H

namespace ns3::lfn
{

/**
 * @brief Keeps the C library from handing memory back to the system between packets.
 *
 * A simulation allocates and frees around one level for its whole life. By default glibc trims the
 * top of its heap whenever enough of it is free and grows it again at once, which can cost as much
 * processor time as the simulation itself. Scenario calls this for every program; with another C
 * library it does nothing.
 */
void UseFastAllocator();

/**
 * @ingroup lfn
 * @brief Has ns-3 keep its events in a PriorityQueueScheduler, where no scheduler was chosen.
 *
 * ns-3's own default, MapScheduler, makes a node of a tree for each event. Events come in the same
 * order, and results have the same bytes. Scenario calls this for every program.
 */
void UseFastScheduler();

} // namespace ns3::lfn

#endif /* LFN_FAST_SETTINGS_H */
