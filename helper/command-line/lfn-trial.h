// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TRIAL_H
#define LFN_TRIAL_H

#include "ns3/object-factory.h"

#include <functional>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Run something in a child process, because it may end the process or never end.
 * @param trial What to run; it tells whether all is well.
 * @return Nothing if it ran to its end in time and said so; else what ns-3 said, or nothing but an
 * empty text.
 */
std::optional<std::string> TryInChild(const std::function<bool()>& trial);

/**
 * @ingroup lfn
 * @brief Send packets of TCP and UDP over a link of two hosts for some simulated seconds; for a
 * child of TryInChild(), since it may end the process.
 * @param disc Makes the sender's queue disc; null for none.
 */
bool RunSmallNetwork(const ObjectFactory* disc);

} // namespace ns3::lfn

#endif // LFN_TRIAL_H
