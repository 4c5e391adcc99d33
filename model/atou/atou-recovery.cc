// SPDX-License-Identifier: GPL-2.0-only
#include "atou-recovery.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lfn
{

AtouRecovery::AtouRecovery(Parts parts)
    : m_parts(std::move(parts))
{
}

bool
AtouRecovery::FreezesWindow() const
{
    return false;
}

void
AtouRecovery::Send()
{
    auto& state = m_parts.state;
    state.cwnd = std::min<double>(state.cwnd, m_parts.options.rcvrWin);
    const auto whole = std::floor(GetUsable());
    if (whole <= 0)
    {
        return;
    }
    auto usable = static_cast<uint32_t>(whole);
    if (m_parts.output.HasNext()) // the program returns at the end before it counts
    {
        m_parts.statistics.maxBurst = std::max(m_parts.statistics.maxBurst, usable);
    }
    if (m_parts.options.burstLimit > 0)
    {
        usable = std::min(usable, m_parts.options.burstLimit);
    }
    while (usable > 0 && SendOne())
    {
        --usable;
    }
}

double
AtouRecovery::GetUsable() const
{
    return m_parts.state.cwnd - m_parts.state.GetFlight();
}

bool
AtouRecovery::SendOne()
{
    return m_parts.output.SendNext();
}

void
AtouRecovery::ReportRetransmission(uint32_t segment, AtouEvent::Kind kind) const
{
    ++m_parts.statistics.rxmts;
    AtouEvent event;
    event.kind = kind;
    event.packet = segment;
    event.state = m_parts.state;
    m_parts.report(event);
}

void
AtouRecovery::GoBack()
{
    auto& state = m_parts.state;
    if (state.inRecovery)
    {
        state.inRecovery = false;
        m_parts.congestion.EndRecovery(state);
    }
    state.nxt = state.una;
    Send();
}

} // namespace ns3::lfn
