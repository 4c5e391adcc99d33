// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-rtt-timer.h"

#include <algorithm>

namespace ns3::lfn
{

void
XcpRttTimer::OnSend(SequenceNumber32 begin, uint32_t count, Time now)
{
    if (count == 0)
    {
        return;
    }
    const SequenceNumber32 end = begin + count;
    if (m_hasSent && begin < m_highest)
    {
        m_sent.clear();
        m_highest = std::max(m_highest, end);
        return;
    }
    m_hasSent = true;
    m_highest = end;
    m_sent.push_back({end, now});
}

std::optional<Time>
XcpRttTimer::OnAck(SequenceNumber32 ack, Time now)
{
    Time sum;
    int64_t segments = 0;
    while (!m_sent.empty() && m_sent.front().end <= ack)
    {
        sum += now - m_sent.front().time;
        ++segments;
        m_sent.pop_front();
    }
    return segments > 0 ? std::optional<Time>(sum / segments) : std::nullopt;
}

} // namespace ns3::lfn
