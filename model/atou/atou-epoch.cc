// SPDX-License-Identifier: GPL-2.0-only
#include "atou-epoch.h"

#include <algorithm>

namespace ns3::lfn
{

void
AtouEpoch::Begin(uint32_t nxt)
{
    const auto base = m_base;
    *this = AtouEpoch();
    m_base = base;
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

double
AtouEpoch::GetBase() const
{
    return m_base.GetSeconds();
}

} // namespace ns3::lfn
