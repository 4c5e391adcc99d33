// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LOG_NAMES_H
#define LFN_LOG_NAMES_H

#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Check a text for NS_LOG as ns-3 does with its first event, where it aborts the program.
 * @param text components, separated by ':', each with levels as in "TcpSource=info|prefix_all"
 * @return nothing if ns-3 takes it; else what is wrong, beginning with "NS_LOG="
 */
std::optional<std::string> CheckLogNames(const std::string& text);

/**
 * @ingroup lfn
 * @brief Check NS_LOG of the environment, and end the program if ns-3 does not take it.
 *
 * The components that exist go to stdout, one line with what is wrong to stderr; the exit status
 * is 1. Where the libraries were compiled without logs, a line on stderr says so.
 *
 * @param program the program's name, with which the line begins
 */
void CheckLogEnvironment(const std::string& program);

} // namespace ns3::lfn

#endif // LFN_LOG_NAMES_H
