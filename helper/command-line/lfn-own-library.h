// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_OWN_LIBRARY_H
#define LFN_OWN_LIBRARY_H

#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Load the libraries that a command line names, so that their classes are known by name.
 *
 * It comes before everything that reads the command line, since any argument may name such a class.
 *
 * @param arguments The command line; `--library=<file>[,<file>...]` of it counts.
 * @return The error line without the program's name, or nothing.
 */
std::optional<std::string> LoadLibraries(const std::vector<std::string>& arguments);

} // namespace ns3::lfn

#endif // LFN_OWN_LIBRARY_H
