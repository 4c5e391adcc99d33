// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_OPEN_FILES_H
#define LFN_OPEN_FILES_H

#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Make room for a packet capture of every point-to-point device, each of which keeps a file
 * open.
 *
 * Raises the process's soft limit of open files (RLIMIT_NOFILE) as far as captures and 32 other
 * files need it, if the hard one allows that. To be called when the network is built.
 *
 * @return A remedy, or nothing when there is room.
 */
std::optional<std::string> MakeRoomForCaptures();

} // namespace ns3::lfn

#endif // LFN_OPEN_FILES_H
