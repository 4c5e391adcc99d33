// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_HOST_FLAGS_H
#define LFN_HOST_FLAGS_H

#include "ns3/lfn-flags.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Flags for the speed of hosts: names of profiles of HostCost.
 *
 * With `custom` a host has the Attributes of HostCost that the command line gives
 * (`--ns3::lfn::HostCost::ReadCost=50us`); one that no host takes is refused.
 */
class HostFlags
{
  public:
    /**
     * @brief Constructor.
     * @param flags The command line; it outlives this.
     */
    explicit HostFlags(Flags& flags);

    /**
     * @brief Declare a flag.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param profile Default and result; it outlives this.
     */
    void Declare(const std::string& name, const std::string& help, std::string& profile);

    /**
     * @brief Check that hosts take the Attributes of HostCost that were given.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check() const;

  private:
    Flags& m_flags; //!< The command line.
    /** Names of the flags and their values. */
    std::vector<std::pair<std::string, const std::string*>> m_hosts;
};

} // namespace ns3::lfn

#endif // LFN_HOST_FLAGS_H
