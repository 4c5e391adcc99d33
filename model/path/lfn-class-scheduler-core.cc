// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-class-scheduler-core.h"

#include <algorithm>
#include <bit>

namespace ns3::lfn
{

ClassSchedulerCore::ClassSchedulerCore(std::size_t classes)
    : m_shares(classes)
{
}

void
ClassSchedulerCore::SetWeight(std::size_t index, double weight)
{
    m_shares[index].weight = weight;
}

std::optional<std::size_t>
ClassSchedulerCore::Choose(ClassSet ready) const
{
    std::optional<std::size_t> chosen;
    for (; ready != 0; ready &= ready - 1)
    {
        const auto index = static_cast<std::size_t>(std::countr_zero(ready));
        if (!chosen || m_shares[index].lead < m_shares[*chosen].lead)
        {
            chosen = index;
        }
    }
    return chosen;
}

void
ClassSchedulerCore::OnSent(std::size_t index, uint32_t bytes, ClassSet ready)
{
    m_shares[index].lead += bytes / m_shares[index].weight;
    if (index + 1 == m_shares.size())
    {
        Rebase();
    }
    ready |= ClassSet{1} << index;
    double least = m_shares[index].lead;
    for (auto rest = ready; rest != 0; rest &= rest - 1)
    {
        least = std::min(least, m_shares[std::countr_zero(rest)].lead);
    }
    for (std::size_t i = 0; i < m_shares.size(); ++i)
    {
        const bool isReady = (ready >> i & 1) != 0;
        if (!isReady)
        {
            m_shares[i].lead = std::max(m_shares[i].lead, least);
        }
    }
    if (m_shares.back().lead != 0)
    {
        Rebase();
    }
}

double
ClassSchedulerCore::GetLead(std::size_t index) const
{
    return m_shares[index].lead;
}

void
ClassSchedulerCore::Rebase()
{
    const double base = m_shares.back().lead;
    for (auto& share : m_shares)
    {
        share.lead -= base;
    }
}

} // namespace ns3::lfn
