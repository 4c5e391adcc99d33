// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-repair-budget.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t MAX_ASKERS = 4096; ///< whose allowances are remembered
constexpr double FREE_PACKETS = 16;      ///< retransmitted beyond what was sent, full ones

} // namespace

JrmRepairBudget::JrmRepairBudget(const Limits& limits, uint32_t datagram)
    : m_limits(limits),
      m_burst(FREE_PACKETS * datagram)
{
}

void
JrmRepairBudget::AddMessage(uint64_t bytes)
{
    m_sentBytes += bytes;
    m_keptBytes += bytes;
}

void
JrmRepairBudget::RemoveMessage(uint64_t bytes)
{
    m_keptBytes -= bytes;
}

bool
JrmRepairBudget::Spend(const JrmSource& source, uint32_t bytes)
{
    if (m_askers.size() >= MAX_ASKERS && !m_askers.contains(source.host))
    {
        m_askers.clear(); // what all together may have goes on
    }
    auto& one = m_askers[source.host];
    Refill(one, m_limits.one);
    Refill(m_all, m_limits.all);
    if (one.level < bytes || m_all.level < bytes)
    {
        return false;
    }
    one.level -= bytes;
    m_all.level -= bytes;
    return true;
}

void
JrmRepairBudget::Refill(Allowance& allowance, double limit) const
{
    if (limit <= 0)
    {
        return;
    }
    const auto more = limit * static_cast<double>(m_sentBytes - allowance.mark);
    allowance.level = std::min(allowance.level + more, GetMost(limit));
    allowance.mark = m_sentBytes;
}

double
JrmRepairBudget::GetMost(double limit) const
{
    // All that is kept may be lacking, and repairs may be lost.
    return limit * static_cast<double>(m_keptBytes) + m_burst;
}

double
JrmRepairBudget::GetScarcity()
{
    Refill(m_all, m_limits.all);
    return m_limits.all > 0 ? GetMost(m_limits.all) / 2 / std::max(m_all.level, 1.0) : 0;
}

} // namespace ns3::lfn
