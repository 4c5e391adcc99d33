// SPDX-License-Identifier: GPL-2.0-only
#include "udt-connection.h"

#include <algorithm>

namespace ns3::lfn
{

UdtConnector::UdtConnector(const UdtHandshake& own, Time now)
    : UdtConnector(own, now, Settings())
{
}

UdtConnector::UdtConnector(const UdtHandshake& own, Time now, const Settings& settings)
    : m_settings(settings),
      m_request(own),
      m_answer(own),
      m_start(now),
      m_next(now)
{
    m_request.request = UdtHandshake::REQUEST;
    m_request.cookie = 0;
    m_request.destination = 0;
}

std::optional<Time>
UdtConnector::GetNextRequest() const
{
    return m_next;
}

std::optional<UdtHandshake>
UdtConnector::Request(Time now)
{
    if (!m_next || now - m_start >= m_settings.timeout)
    {
        m_state = m_next ? State::FAILED : m_state;
        m_next.reset();
        return std::nullopt;
    }
    m_next = now + m_settings.repeat;
    return m_request;
}

bool
UdtConnector::OnHandshake(Time now, const UdtHandshake& packet)
{
    // Another initial sequence number comes from somebody who has not seen the request.
    const bool isAnswer = packet.initialSequence == m_request.initialSequence;
    if (!m_next || !isAnswer)
    {
        return false;
    }
    if (packet.request == UdtHandshake::REFUSED)
    {
        m_state = State::REFUSED;
        m_next.reset();
        return true;
    }
    if (m_state == State::REQUESTED && packet.request == UdtHandshake::REQUEST)
    {
        m_request.cookie = packet.cookie;
        m_request.request = UdtHandshake::ANSWER;
        m_state = State::CONFIRMED;
        m_next = now;
        return true;
    }
    const bool isSensible = packet.version == UdtHandshake::VERSION && packet.window > 0 &&
                            packet.mss > m_settings.ipHeaders + UDT_HEADER_SIZE &&
                            packet.mss <= m_request.mss;
    if (m_state == State::CONFIRMED && packet.request == UdtHandshake::ANSWER && isSensible)
    {
        m_answer = packet;
        m_state = State::CONNECTED;
        m_next.reset();
        return true;
    }
    return false;
}

UdtConnector::State
UdtConnector::GetState() const
{
    return m_state;
}

const UdtHandshake&
UdtConnector::GetAnswer() const
{
    return m_answer;
}

UdtListener::UdtListener(const UdtHandshake& own, uint32_t key)
    : m_own(own),
      m_key(key)
{
}

uint32_t
UdtListener::MakeCookie(uint32_t peer, int64_t minute) const
{
    uint32_t hash = m_key;
    for (const uint32_t word : {peer, static_cast<uint32_t>(minute), m_key})
    {
        hash = (hash ^ word) * 0x9e3779b1;
        hash ^= hash >> 15;
    }
    return std::max(hash, 1U);
}

UdtListener::Outcome
UdtListener::OnHandshake(Time now,
                         uint32_t peer,
                         const UdtHandshake& request,
                         uint32_t ipHeaders) const
{
    const int64_t minute = static_cast<int64_t>(now.GetSeconds()) / 60;
    auto reply = request;
    reply.destination = request.socketId;
    if (request.request == UdtHandshake::REQUEST && request.cookie == 0)
    {
        reply.cookie = MakeCookie(peer, minute);
        return {reply, false};
    }
    const bool isKnown = request.cookie == MakeCookie(peer, minute) ||
                         request.cookie == MakeCookie(peer, minute - 1);
    if (request.request != UdtHandshake::ANSWER || !isKnown)
    {
        return {};
    }
    if (request.version != UdtHandshake::VERSION || request.socketType != m_own.socketType ||
        request.mss <= ipHeaders + UDT_HEADER_SIZE || request.window == 0)
    {
        reply.request = UdtHandshake::REFUSED;
        return {reply, false};
    }
    reply.socketId = m_own.socketId;
    reply.mss = std::min(request.mss, m_own.mss);
    reply.window = m_own.window;
    return {reply, true};
}

} // namespace ns3::lfn
