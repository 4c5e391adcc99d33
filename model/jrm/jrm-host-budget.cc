// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-host-budget.h"

#include "jrm-header.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr uint32_t PORT_BITS = 16;                         ///< a host has many ports
constexpr uint32_t IP_UDP = 28;                            ///< bytes of IP and UDP headers
constexpr double NACK_SIZE = IP_UDP + JrmHeader::SIZE + 2; ///< of a request for nothing, B
constexpr double MOST_CREDIT = 1 << 18; ///< for requests, B: more than the longest message needs

} // namespace

JrmHostBudget::JrmHostBudget(const Limits& limits)
    : m_limits(limits)
{
}

JrmHostBudget::Host*
JrmHostBudget::AddStream(uint64_t source)
{
    const auto most = m_limits.hostShare * static_cast<double>(m_limits.maxStreams);
    const auto known = m_hosts.find(source >> PORT_BITS);
    const auto mine = known == m_hosts.end() ? 0 : known->second.streams;
    if (m_streams >= m_limits.maxStreams || static_cast<double>(mine) + 1 > most)
    {
        return nullptr;
    }
    auto& host = m_hosts[source >> PORT_BITS];
    ++host.streams;
    ++m_streams;
    return &host;
}

void
JrmHostBudget::RemoveStream(uint64_t source)
{
    const auto host = m_hosts.find(source >> PORT_BITS);
    if (host == m_hosts.end())
    {
        return;
    }
    --m_streams;
    if (--host->second.streams == 0)
    {
        m_hosts.erase(host);
    }
}

bool
JrmHostBudget::HasRoom(const Host& host, std::size_t holders, uint64_t bytes) const
{
    const auto share = [this](auto most) { return m_limits.hostShare * static_cast<double>(most); };
    return m_holders + holders <= m_limits.maxHolders && m_bytes + bytes <= m_limits.maxBytes &&
           static_cast<double>(host.holders + holders) <= share(m_limits.maxHolders) &&
           static_cast<double>(host.bytes + bytes) <= share(m_limits.maxBytes);
}

void
JrmHostBudget::AddHolder(Host& host)
{
    PassHolder();
    ++m_holders;
    ++host.holders;
}

void
JrmHostBudget::RemoveHolder(Host& host, uint64_t bytes)
{
    m_bytes -= bytes;
    host.bytes -= bytes;
    --host.holders;
    --m_holders;
}

void
JrmHostBudget::Charge(Host& host, uint64_t bytes)
{
    host.bytes += bytes;
    m_bytes += bytes;
}

void
JrmHostBudget::Credit(Host& host, uint32_t bytes) const
{
    host.credit = std::min(host.credit + m_limits.nackLimit * (bytes + JrmHeader::SIZE + IP_UDP),
                           MOST_CREDIT);
}

std::size_t
JrmHostBudget::GetRequestRoom(const Host& host) const
{
    const auto most = std::size_t{JrmHeader::MAX_PACKETS};
    const double room = (host.credit - NACK_SIZE) / 2; // a PSN takes 2 bytes
    return m_limits.nackLimit <= 0
               ? most
               : static_cast<std::size_t>(std::clamp(room, 0.0, static_cast<double>(most)));
}

std::size_t
JrmHostBudget::Afford(Host& host, std::size_t wanted) const
{
    const auto packets = std::min(GetRequestRoom(host), wanted);
    if (m_limits.nackLimit > 0 && packets > 0)
    {
        host.credit -= NACK_SIZE + 2 * static_cast<double>(packets);
    }
    return packets;
}

std::size_t
JrmHostBudget::GetHolders() const
{
    return m_holders;
}

std::size_t
JrmHostBudget::GetPeakHolders() const
{
    return m_peakHolders;
}

void
JrmHostBudget::PassHolder()
{
    m_peakHolders = std::max(m_peakHolders, m_holders + 1);
}

} // namespace ns3::lfn
