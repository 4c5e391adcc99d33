// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_VERSION_H
#define LFN_VERSION_H

#include <string>

/**
 * @defgroup lfn Long fat networks
 * Transports for bulk and loss-tolerant data over long, fast or lossy paths, and what they share:
 * reports, paths, topologies, flags, result files.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Get the version of this module, as in the file VERSION.
 */
std::string GetVersion();

/**
 * @ingroup lfn
 * @brief Get the release of ns-3 that this module was built against, such as "3.44"; "unknown" when
 * the build did not give it.
 */
std::string GetNs3Version();

} // namespace ns3::lfn

#endif // LFN_VERSION_H
