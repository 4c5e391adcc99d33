// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-host-flags.h"

#include "ns3/lfn-host-cost.h"

#include <algorithm>
#include <array>

namespace ns3::lfn
{

HostFlags::HostFlags(Flags& flags)
    : m_flags(flags)
{
}

void
HostFlags::Declare(const std::string& name, const std::string& help, std::string& profile)
{
    m_flags.Choice(name, help, profile, HostCost::GetProfileNames());
    m_hosts.emplace_back(name, &profile);
}

std::optional<std::string>
HostFlags::Check() const
{
    const auto isAny = [this](const auto& matches) {
        return std::ranges::any_of(m_hosts,
                                   [&](const auto& host) { return matches(*host.second); });
    };
    if (m_hosts.empty() || isAny([](const auto& profile) { return profile == "custom"; }))
    {
        return std::nullopt;
    }
    const std::string prefix = HostCost::GetTypeId().GetName() + "::";
    const bool isHost = isAny([](const auto& profile) { return profile != "none"; });
    const std::array own{"InterruptCost", "ReadCost", "MoveCost", "BufferSize"}; // of a profile
    for (const auto& [name, value] : m_flags.Values())
    {
        if (name.starts_with(prefix) &&
            !(isHost && std::ranges::none_of(own, [&](const std::string& attribute) {
                  return name == prefix + attribute;
              })))
        {
            return m_flags.Complaint(name,
                                     "no host takes it, give --" + m_hosts.front().first +
                                         "=custom");
        }
    }
    return std::nullopt;
}

} // namespace ns3::lfn
