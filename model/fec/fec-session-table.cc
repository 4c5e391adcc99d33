// SPDX-License-Identifier: GPL-2.0-only

#include "fec-session-table.h"

#include <algorithm>

namespace ns3::lfn
{

FecSessionTable::FecSessionTable(const Settings& settings)
    : m_settings(settings)
{
}

FecSessionTable::Session*
FecSessionTable::Find(Time now, uint32_t number)
{
    const auto found = m_sessions.find(number);
    if (found != m_sessions.end())
    {
        return &found->second;
    }
    if (m_sessions.size() >= std::max(m_settings.maxSessions, 1U))
    {
        const auto replaced = FindReplaceable(now);
        if (replaced == m_sessions.end())
        {
            return nullptr;
        }
        Close(replaced);
    }
    auto& session = m_sessions[number];
    session.core = FecReceiverCore(m_settings);
    session.lastArrival = now;
    return &session;
}

FecSessionTable::Sessions::iterator
FecSessionTable::FindReplaceable(Time now)
{
    auto oldest = m_sessions.end(); // of those of a single datagram: a flow may pause
    auto silent = m_sessions.end();
    for (auto session = m_sessions.begin(); session != m_sessions.end(); ++session)
    {
        auto& best = session->second.datagrams < 2 ? oldest : silent;
        if (best == m_sessions.end() || session->second.lastArrival < best->second.lastArrival)
        {
            best = session;
        }
    }
    const bool isSilent =
        silent != m_sessions.end() && now - silent->second.lastArrival > m_settings.timeout;
    return oldest == m_sessions.end() && isSilent ? silent : oldest;
}

void
FecSessionTable::Close(Sessions::iterator session)
{
    session->second.core.Finish();
    m_closed += GetCounters(session->second);
    m_closedLostBytes += GetLostBytes(session->second);
    m_sessions.erase(session);
}

void
FecSessionTable::Finish()
{
    while (!m_sessions.empty())
    {
        Close(m_sessions.begin());
    }
}

std::size_t
FecSessionTable::GetSize() const
{
    return m_sessions.size();
}

FecReceiverCore::Counters
FecSessionTable::GetCounters() const
{
    auto sum = m_closed;
    for (const auto& [number, session] : m_sessions)
    {
        sum += GetCounters(session);
    }
    return sum;
}

uint64_t
FecSessionTable::GetLostBytes() const
{
    uint64_t sum = m_closedLostBytes;
    for (const auto& [number, session] : m_sessions)
    {
        sum += GetLostBytes(session);
    }
    return sum;
}

FecReceiverCore::Counters
FecSessionTable::GetCounters(const Session& session)
{
    auto counters = session.core.GetCounters();
    counters.lost = session.datagrams < 2 ? 0 : counters.lost;
    return counters;
}

uint64_t
FecSessionTable::GetLostBytes(const Session& session)
{
    return GetCounters(session).lost * session.largest;
}

} // namespace ns3::lfn
