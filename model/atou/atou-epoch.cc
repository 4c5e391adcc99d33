// SPDX-License-Identifier: GPL-2.0-only
#include "atou-epoch.h"

#include <algorithm>

namespace ns3::lfn
{

void
AtouEpoch::Begin(uint32_t nxt)
{
    *this = AtouEpoch();
    m_mark = nxt;
    m_before = nxt;
}

void
AtouEpoch::Continue(uint32_t nxt)
{
    const auto before = m_mark;
    Begin(nxt);
    m_before = before;
}

void
AtouEpoch::TakeRtt(Time rtt)
{
    m_last = rtt;
    m_min = m_samples == 0 ? m_last : std::min(m_min, m_last);
    m_max = std::max(m_max, m_last);
    m_sum += m_last;
    ++m_samples;
}

bool
AtouEpoch::IsEndedBy(uint32_t ack) const
{
    return ack > m_mark;
}

uint32_t
AtouEpoch::CountAcked(uint32_t ack) const
{
    return ack - std::min(ack, m_before + 1);
}

uint32_t
AtouEpoch::CountSent(uint32_t nxt) const
{
    return nxt - std::min(nxt, m_mark);
}

double
AtouEpoch::GetLast() const
{
    return m_last.GetSeconds();
}

double
AtouEpoch::GetMin() const
{
    return m_min.GetSeconds();
}

double
AtouEpoch::GetMean() const
{
    return m_samples == 0 ? 0 : m_sum.GetSeconds() / static_cast<double>(m_samples);
}

double
AtouEpoch::GetMax() const
{
    return m_max.GetSeconds();
}

} // namespace ns3::lfn
