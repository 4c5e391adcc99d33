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
AtouVegas::SetSettings(const Settings& settings)
{
    m_settings = settings;
    m_isOn = settings.rtt != AtouOptions::VegasRtt::OFF;
}

void
AtouVegas::Observe(const AtouState& state, Time rtt, uint32_t ack)
{
    m_base = std::min(m_base, rtt);
    m_epoch.TakeRtt(rtt);
    if (!state.isMeasured || !m_epoch.IsEndedBy(ack))
    {
        return;
    }
    const auto chosen = ChooseRtt();
    if (chosen > 0)
    {
        m_rtt = chosen;
        m_delta = state.GetFlight() - m_epoch.CountSent(state.nxt) * m_base.GetSeconds() / chosen;
        m_maxDelta = std::max(m_maxDelta, m_delta);
    }
    m_epoch.Continue(state.nxt);
}

void
AtouVegas::Resume(uint32_t nxt)
{
    m_isFirst = false;
    m_epoch.Begin(nxt);
}

bool
AtouVegas::HasLeftSlowStart(const AtouState& state) const
{
    return m_isOn && m_isFirst && state.isMeasured && (m_hasFired || m_delta > m_settings.gamma);
}

void
AtouVegas::SlowStart(AtouState& state)
{
    m_slowStarts += m_hasFired ? 0 : 1;
    m_hasFired = true;
    if (m_settings.exit == AtouOptions::VegasExit::LIMITED)
    {
        state.cwnd += AtouSlowStart::LimitedStep(state.cwnd, AtouSlowStart::USUAL_MAX_SSTHRESH);
        return;
    }
    state.cwnd -= m_settings.exit == AtouOptions::VegasExit::DELTA ? m_delta : state.cwnd / 8;
    state.ssthresh = 2;
    state.isMeasured = false;
    m_isFirst = false;
}

double
AtouVegas::Steer(const AtouState& state, double increment)
{
    m_hasFired = false;
    if (!m_isOn || !state.isMeasured || m_delta <= m_settings.alpha)
    {
        return increment;
    }
    if (m_delta <= m_settings.beta)
    {
        ++m_holds;
        return 0;
    }
    ++m_decreases;
    return -increment;
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

uint64_t
AtouVegas::GetHolds() const
{
    return m_holds;
}

double
AtouVegas::ChooseRtt() const
{
    switch (m_settings.rtt)
    {
    case AtouOptions::VegasRtt::MIN:
        return m_epoch.GetMin();
    case AtouOptions::VegasRtt::AVERAGE:
        return m_epoch.GetMean();
    case AtouOptions::VegasRtt::MAX:
        return m_epoch.GetMax();
    case AtouOptions::VegasRtt::LAST:
    case AtouOptions::VegasRtt::OFF:
        break;
    }
    return m_epoch.GetLast();
}

} // namespace ns3::lfn
