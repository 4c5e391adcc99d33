// SPDX-License-Identifier: GPL-2.0-only
#include "atou-output.h"

#include <algorithm>

namespace ns3::lfn
{

void
AtouOutput::Start(AtouState& state,
                  AtouStatistics& statistics,
                  uint32_t maxPkts,
                  const std::vector<uint32_t>& dropList)
{
    m_state = &state;
    m_statistics = &statistics;
    m_end = maxPkts == 0 ? LAST : std::min(maxPkts, LAST);
    m_sent = state.max;
    m_drops = dropList;
    m_segments.clear();
}

void
AtouOutput::Close()
{
    m_end = m_state->max;
}

bool
AtouOutput::SendNext()
{
    if (!HasNext())
    {
        return false;
    }
    Put(m_state->nxt);
    ++m_state->nxt;
    m_state->max = std::max(m_state->max, m_state->nxt);
    return true;
}

void
AtouOutput::Retransmit(uint32_t segment)
{
    m_state->max = std::max(m_state->max, m_state->nxt + 1);
    Put(segment);
}

bool
AtouOutput::HasNext() const
{
    return m_state->nxt < m_end;
}

bool
AtouOutput::IsDone() const
{
    return m_state->una >= m_end;
}

std::optional<AtouTransmission>
AtouOutput::Take()
{
    if (m_segments.empty())
    {
        return std::nullopt;
    }
    const auto next = m_segments.front();
    m_segments.pop_front();
    return next;
}

void
AtouOutput::Put(uint32_t segment)
{
    const bool isRepeated = segment < m_sent;
    m_sent = std::max(m_sent, segment + 1);
    const auto drop = std::find(m_drops.begin(), m_drops.end(), segment);
    const bool isDropped = drop != m_drops.end();
    if (isDropped)
    {
        m_drops.erase(drop);
    }
    m_statistics->packetsOut += isDropped ? 0 : 1;
    m_statistics->repeated += isRepeated ? 1 : 0;
    m_segments.push_back({segment, isRepeated, isDropped});
}

} // namespace ns3::lfn
