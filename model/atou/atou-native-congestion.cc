// SPDX-License-Identifier: GPL-2.0-only
#include "atou-native-congestion.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

/// What of the options is slow start's.
AtouSlowStart
MakeSlowStart(const AtouOptions& options)
{
    return {options.ssIncr, options.maxSsthresh};
}

/// What of the options is congestion avoidance's.
AtouResponse
MakeResponse(const AtouOptions& options)
{
    return AtouResponse({options.increment, options.multiplier, options.floyd, options.kai});
}

/// What of the options is Vegas'.
AtouVegas::Settings
GetVegas(const AtouOptions& options)
{
    return {options.vegas, options.vAlpha, options.vBeta, options.vGamma, options.vss};
}

} // namespace

AtouNativeCongestion::AtouNativeCongestion(const AtouOptions& options)
    : m_floor(options.initSegs),
      m_slowStart(MakeSlowStart(options)),
      m_response(MakeResponse(options)),
      m_vegas(GetVegas(options))
{
}

void
AtouNativeCongestion::OnOptions(const AtouOptions& options)
{
    m_floor = options.initSegs;
    m_slowStart = MakeSlowStart(options);
    m_response = MakeResponse(options); // looks its row up again
    m_vegas.SetSettings(GetVegas(options));
}

void
AtouNativeCongestion::OnEpoch(const AtouState& state, const AtouEpoch& epoch)
{
    m_vegas.OnEpoch(state, epoch);
}

void
AtouNativeCongestion::Grow(AtouState& state, uint32_t /* acked */, const AtouAck& /* ack */)
{
    if (state.cwnd <= state.ssthresh)
    {
        SlowStart(state);
    }
    else
    {
        AvoidCongestion(state);
    }
}

void
AtouNativeCongestion::SlowStart(AtouState& state)
{
    if (!m_vegas.HasLeftSlowStart(state))
    {
        state.cwnd += m_slowStart.Step(state.cwnd);
        return;
    }
    if (m_vegas.GetSlowStarts() == 0)
    {
        AtouEvent event;
        event.kind = AtouEvent::Kind::VSS;
        event.packet = state.una;
        event.delta = m_vegas.GetDelta();
        event.second = m_vegas.GetRtt();
        Report(event);
    }
    m_vegas.SlowStart(state);
    state.cwnd = std::max<double>(state.cwnd, m_floor);
}

void
AtouNativeCongestion::AvoidCongestion(AtouState& state)
{
    m_response.LookUp(state.cwnd); // no event: the program reports reductions only
    const auto increment = m_vegas.Steer(state, m_response.GetIncrement());
    state.cwnd += m_response.Step(state.cwnd, increment);
    state.cwnd = std::max<double>(state.cwnd, m_floor);
}

void
AtouNativeCongestion::CutOnLoss(AtouState& state)
{
    LookUp(state.cwnd);
    state.cwnd = std::max<double>(m_floor, state.cwnd * m_response.GetMultiplier());
    state.ssthresh = static_cast<uint32_t>(state.cwnd);
}

void
AtouNativeCongestion::CutOnTimeout(AtouState& state)
{
    LookUp(state.cwnd);
    const auto left = std::max<double>(m_floor, state.cwnd * m_response.GetMultiplier());
    state.ssthresh = static_cast<uint32_t>(left);
    state.cwnd = m_floor;
}

void
AtouNativeCongestion::Resume()
{
    m_vegas.Resume();
}

double
AtouNativeCongestion::GetDelta() const
{
    return m_vegas.GetDelta();
}

void
AtouNativeCongestion::CountInto(AtouStatistics& statistics) const
{
    statistics.vssCount = m_vegas.GetSlowStarts();
    statistics.vDecreases = m_vegas.GetDecreases();
    statistics.vHolds = m_vegas.GetHolds();
    statistics.vRtt = m_vegas.GetRtt();
    statistics.maxDelta = m_vegas.GetMaxDelta();
}

void
AtouNativeCongestion::LookUp(double cwnd)
{
    if (m_response.LookUp(cwnd))
    {
        AtouEvent event;
        event.kind = AtouEvent::Kind::FLOYD;
        event.value = m_response.GetIncrement();
        event.second = m_response.GetMultiplier();
        event.count = m_response.GetRow();
        Report(event);
    }
}

} // namespace ns3::lfn
