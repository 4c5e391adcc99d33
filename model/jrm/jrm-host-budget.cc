// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-host-budget.h"

#include "jrm-header.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr double MOST_CREDIT = 1 << 18; ///< for requests, B: more than the longest message needs

/// Size of a request for nothing, B.
double
GetNackSize(const JrmHostBudget::Host& host)
{
    return host.headers + JrmHeader::SIZE + 2;
}

} // namespace

JrmHostBudget::JrmHostBudget(const Limits& limits)
    : m_limits(limits)
{
}

JrmHostBudget::Host*
JrmHostBudget::AddStream(const JrmSource& source)
{
    const bool isRoom = m_streams < m_limits.maxStreams && HasShare(source.host, 1);
    return isRoom ? MoveStream(source) : nullptr;
}

bool
JrmHostBudget::HasShare(const JrmHost& host, std::size_t more) const
{
    const auto most = m_limits.hostShare * static_cast<double>(m_limits.maxStreams);
    const auto known = m_hosts.find(host);
    const auto mine = known == m_hosts.end() ? 0 : known->second.streams;
    return static_cast<double>(mine + more) <= most;
}

bool
JrmHostBudget::MayMove(const JrmSource& from, const JrmSource& to, std::size_t streams) const
{
    return from.host == to.host || HasShare(to.host, streams);
}

JrmHostBudget::Host*
JrmHostBudget::MoveStream(const JrmSource& to)
{
    auto& host = m_hosts[to.host];
    host.headers = to.host.GetHeaderBytes();
    ++host.streams;
    ++m_streams;
    return &host;
}

void
JrmHostBudget::RemoveStream(const JrmSource& source)
{
    const auto host = m_hosts.find(source.host);
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
    const auto size = bytes + JrmHeader::SIZE + host.headers;
    host.credit = std::min(host.credit + m_limits.nackLimit * size, MOST_CREDIT);
}

std::size_t
JrmHostBudget::GetRequestRoom(const Host& host) const
{
    const auto most = std::size_t{JrmHeader::MAX_PACKETS};
    const double room = (host.credit - GetNackSize(host)) / 2; // a PSN takes 2 bytes
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
        host.credit -= GetNackSize(host) + 2 * static_cast<double>(packets);
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
