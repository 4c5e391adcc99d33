// SPDX-License-Identifier: GPL-2.0-only
#include "udt-rendezvous.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr int32_t FIRST = 0;
constexpr int32_t CONFIRMATION = -1;
constexpr int32_t LAST = -2;

/** @brief A request is repeated so often. @return the time */
Time
GetRepeatTime()
{
    return MilliSeconds(250);
}

} // namespace

Time
UdtRendezvous::GetPatience()
{
    return Seconds(30);
}

UdtRendezvous::UdtRendezvous(const UdtHandshake& own, Time now, uint32_t ipHeaders)
    : m_request(own),
      m_peer(own),
      m_headers(ipHeaders + UDT_HEADER_SIZE),
      m_start(now),
      m_next(now)
{
    m_request.request = FIRST;
    m_request.cookie = 0;
    m_request.destination = 0;
}

std::optional<Time>
UdtRendezvous::GetNextRequest() const
{
    return m_next;
}

std::optional<UdtHandshake>
UdtRendezvous::Request(Time now)
{
    if (!m_next || now - m_start >= GetPatience())
    {
        m_state = m_next ? State::FAILED : m_state;
        m_next.reset();
        return std::nullopt;
    }
    m_next = now + GetRepeatTime();
    return m_request;
}

std::optional<UdtHandshake>
UdtRendezvous::OnHandshake(Time now, const UdtHandshake& packet)
{
    // A client that connects the usual way has a positive type.
    const bool isSensible = packet.request <= FIRST && packet.request >= LAST &&
                            packet.version == UdtHandshake::VERSION && packet.window > 0 &&
                            packet.mss > m_headers && packet.socketType == m_request.socketType;
    if (!isSensible || m_state == State::FAILED)
    {
        return std::nullopt;
    }
    if (m_state == State::CONNECTED)
    {
        if (packet.request == LAST)
        {
            return std::nullopt;
        }
        auto answer = m_request;
        answer.request = LAST;
        answer.destination = packet.socketId;
        return answer;
    }
    if (m_request.request == FIRST || packet.request == FIRST)
    {
        m_request.request = CONFIRMATION;
        m_request.destination = packet.socketId;
        m_state = State::CONFIRMED;
        m_next = now;
        return std::nullopt;
    }
    m_peer = packet;
    m_peer.mss = std::min(packet.mss, m_request.mss);
    m_state = State::CONNECTED;
    m_next.reset();
    if (packet.request == LAST)
    {
        return std::nullopt;
    }
    auto answer = m_request;
    answer.request = LAST;
    return answer;
}

UdtRendezvous::State
UdtRendezvous::GetState() const
{
    return m_state;
}

const UdtHandshake&
UdtRendezvous::GetPeer() const
{
    return m_peer;
}

} // namespace ns3::lfn
