// SPDX-License-Identifier: GPL-2.0-only
#include "atou-vegas.h"

#include "atou-slow-start.h"

#include <algorithm>

namespace ns3::lfn
{

AtouVegas::AtouVegas(const Settings& settings)
    : m_settings(settings),
      m_isOn(settings.rtt != AtouOptions::VegasRtt::OFF)
{
}

void
AtouVegas::Observe(const AtouState& state, const AtouAck& ack)
{
    if (m_settings.rtt == AtouOptions::VegasRtt::OFF)
    {
        return;
    }
    m_base = std::min(m_base, ack.rtt);
    m_epoch.TakeRtt(ack.rtt);
    if (!m_epoch.IsEndedBy(ack.next))
    {
        return;
    }
    const auto chosen = ChooseRtt();
    if (m_isOn && chosen > 0)
    {
        m_rtt = chosen;
        m_delta = state.GetFlight() - m_epoch.CountSent(state.nxt) * m_base.GetSeconds() / chosen;
        m_maxDelta = std::max(m_maxDelta, m_delta);
        m_skips = false;
    }
    m_epoch.Begin(state.nxt);
}

void
AtouVegas::TakeLoss()
{
    m_isOn = false;
    m_isFirst = false;
}

void
AtouVegas::TakeTimeout()
{
    m_isFirst = false;
}

void
AtouVegas::EndRecovery(uint32_t nxt)
{
    m_isOn = m_settings.rtt != AtouOptions::VegasRtt::OFF;
    m_epoch.Begin(nxt);
}

bool
AtouVegas::HasLeftSlowStart() const
{
    return m_isOn && m_isFirst && (m_hasFired || m_delta > m_settings.gamma);
}

void
AtouVegas::SlowStart(AtouState& state)
{
    m_hasFired = true;
    ++m_slowStarts;
    if (m_settings.exit == AtouOptions::VegasExit::LIMITED)
    {
        state.cwnd += AtouSlowStart::LimitedStep(state.cwnd, AtouSlowStart::USUAL_MAX_SSTHRESH);
        return;
    }
    state.cwnd -= m_settings.exit == AtouOptions::VegasExit::DELTA ? m_delta : state.cwnd / 8;
    state.ssthresh = 2;
    m_skips = true;
}

double
AtouVegas::Steer(double increment) const
{
    if (!m_isOn || m_skips || m_delta <= m_settings.alpha)
    {
        return increment;
    }
    return m_delta > m_settings.beta ? -increment : 0;
}

void
AtouVegas::CountDecrease()
{
    ++m_decreases;
}

double
AtouVegas::GetDelta() const
{
    return m_delta;
}

double
AtouVegas::GetMaxDelta() const
{
    return m_maxDelta;
}

double
AtouVegas::GetRtt() const
{
    return m_rtt;
}

uint64_t
AtouVegas::GetSlowStarts() const
{
    return m_slowStarts;
}

uint64_t
AtouVegas::GetDecreases() const
{
    return m_decreases;
}

double
AtouVegas::ChooseRtt() const
{
    switch (m_settings.rtt)
    {
    case AtouOptions::VegasRtt::LAST:
        return m_epoch.GetLast();
    case AtouOptions::VegasRtt::MIN:
        return m_epoch.GetMin();
    case AtouOptions::VegasRtt::AVERAGE:
        return m_epoch.GetMean();
    case AtouOptions::VegasRtt::MAX:
        return m_epoch.GetMax();
    case AtouOptions::VegasRtt::OFF:
        break;
    }
    return 0;
}

} // namespace ns3::lfn
