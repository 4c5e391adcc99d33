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
AtouVegas::OnEpoch(const AtouState& state, const AtouEpoch& epoch)
{
    const auto chosen = ChooseRtt(epoch);
    if (chosen > 0)
    {
        m_rtt = chosen;
        m_delta = state.GetFlight() - epoch.CountSent(state.nxt) * epoch.GetBase() / chosen;
        m_maxDelta = std::max(m_maxDelta, m_delta);
    }
}

void
AtouVegas::Resume()
{
    m_isFirst = false;
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
AtouVegas::ChooseRtt(const AtouEpoch& epoch) const
{
    switch (m_settings.rtt)
    {
    case AtouOptions::VegasRtt::MIN:
        return epoch.GetMin();
    case AtouOptions::VegasRtt::AVERAGE:
        return epoch.GetMean();
    case AtouOptions::VegasRtt::MAX:
        return epoch.GetMax();
    case AtouOptions::VegasRtt::LAST:
    case AtouOptions::VegasRtt::OFF:
        break;
    }
    return epoch.GetLast();
}

} // namespace ns3::lfn
