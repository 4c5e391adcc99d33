// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-tcp-fairness.h"

#include "xcp-multiplicative-drop-law.h"
#include "xcp-sred-estimator.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpTcpFairness");
NS_OBJECT_ENSURE_REGISTERED(XcpTcpFairness);

namespace
{

constexpr int64_t SILENT_INTERVALS = 10; //!< default silence timeout, in intervals
constexpr double LEAST_SILENCE = 1.0;    //!< least default silence timeout, [s]
constexpr double RTT_MEMORY = 4.0;       //!< in which what is known of TCP's RTT fades, [s]

/**
 * @brief Make sure of a number that others computed.
 * @param value what they gave
 * @return it, or 0 if it is negative or no finite number
 */
double
Sane(double value)
{
    return std::isfinite(value) && value > 0.0 ? value : 0.0;
}

} // namespace

TypeId
XcpTcpFairness::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpTcpFairness")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpTcpFairness>()
            .AddAttribute("InspectProbability",
                          "Probability that a packet is shown to its class's estimator.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&XcpTcpFairness::m_inspectProbability),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("XcpEstimator",
                          "Counts the XCP flows; an XcpSredEstimator if none is given.",
                          PointerValue(),
                          MakePointerAccessor(&XcpTcpFairness::m_xcpEstimator),
                          MakePointerChecker<XcpFlowCountEstimator>())
            .AddAttribute("E2eEstimator",
                          "Counts the E2E flows, and must not be XcpEstimator as well; an "
                          "XcpSredEstimator if none is given.",
                          PointerValue(),
                          MakePointerAccessor(&XcpTcpFairness::m_e2eEstimator),
                          MakePointerChecker<XcpFlowCountEstimator>())
            .AddAttribute("DropLaw",
                          "Adapts the drop probability; an XcpMultiplicativeDropLaw, as published, "
                          "if none is given.",
                          PointerValue(),
                          MakePointerAccessor(&XcpTcpFairness::m_dropLaw),
                          MakePointerChecker<XcpDropLaw>())
            .AddAttribute("SilenceTimeout",
                          "A class of which no packet came for so long has no flows; 0 stands for "
                          "the larger of 1 s and ten intervals.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&XcpTcpFairness::m_silenceTimeout),
                          MakeTimeChecker(Time()))
            .AddAttribute("LossTimeout",
                          "The same for a class whose latest packet was dropped here: its sender "
                          "may be waiting for a timeout, of which TCP's last up to 60 s. Less than "
                          "SilenceTimeout: that one holds.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&XcpTcpFairness::m_lossTimeout),
                          MakeTimeChecker(Time()))
            .AddAttribute("ForgetSilent",
                          "Whether the estimator of a class that falls silent forgets all; else "
                          "the class counts 0 while it is silent, and as before when it is back.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&XcpTcpFairness::m_forgetSilent),
                          MakeBooleanChecker())
            .AddAttribute("RateMeasured",
                          "Which bytes of E2E flows are compared with their fair share: all that "
                          "arrive, those that this mechanism accepts, or those that leave.",
                          EnumValue(RateMeasured::ACCEPTED),
                          MakeEnumAccessor<RateMeasured>(&XcpTcpFairness::m_rateMeasured),
                          MakeEnumChecker(RateMeasured::ACCEPTED,
                                          "Accepted",
                                          RateMeasured::ARRIVED,
                                          "Arrived",
                                          RateMeasured::DEPARTED,
                                          "Departed"));
    return tid;
}

XcpTcpFairness::XcpTcpFairness()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
XcpTcpFairness::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    Prepare();
    Object::DoInitialize();
}

void
XcpTcpFairness::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_xcpEstimator = nullptr;
    m_e2eEstimator = nullptr;
    m_dropLaw = nullptr;
    Object::DoDispose();
}

void
XcpTcpFairness::Prepare()
{
    if (!m_xcpEstimator)
    {
        m_xcpEstimator = CreateObject<XcpSredEstimator>();
    }
    if (!m_e2eEstimator)
    {
        m_e2eEstimator = CreateObject<XcpSredEstimator>();
    }
    if (!m_dropLaw)
    {
        m_dropLaw = CreateObject<XcpMultiplicativeDropLaw>();
    }
}

XcpTcpFairness::ClassState&
XcpTcpFairness::StateOf(TrafficClass trafficClass)
{
    return trafficClass == TrafficClass::XCP ? m_xcp : m_e2e;
}

Ptr<XcpFlowCountEstimator>
XcpTcpFairness::GetEstimator(TrafficClass trafficClass)
{
    Prepare();
    return trafficClass == TrafficClass::XCP ? m_xcpEstimator : m_e2eEstimator;
}

bool
XcpTcpFairness::Serve(const void* port)
{
    m_port = m_port ? m_port : port;
    return m_port == port;
}

bool
XcpTcpFairness::SharesEstimator() const
{
    return m_xcpEstimator && m_xcpEstimator == m_e2eEstimator;
}

void
XcpTcpFairness::BeginInterval()
{
    for (auto* state : {&m_xcp, &m_e2e})
    {
        state->packets = 0;
        state->arrived = 0;
        state->accepted = 0;
    }
    m_departed = 0;
    m_e2eDeparted = 0;
}

void
XcpTcpFairness::OnTcpSyn(uint64_t connection, Time now, double wait)
{
    NS_LOG_FUNCTION(this << connection << now << wait);
    m_handshakes.OnSyn(connection, now.ToDouble(Time::S), Sane(wait));
}

void
XcpTcpFairness::OnTcp(uint64_t connection, bool isData, Time now, double backlog)
{
    const double rtt = m_handshakes.OnPacket(connection, now.ToDouble(Time::S));
    if (isData && rtt > 0.0)
    {
        m_rttSum += rtt;
        m_backlogSum += backlog;
        m_rttPackets += 1.0;
    }
}

void
XcpTcpFairness::TakeE2eRtt(double seconds, double capacity)
{
    if (m_e2e.isSilent)
    {
        m_rttSum = 0.0;
        m_backlogSum = 0.0;
        m_rttPackets = 0.0;
    }
    // Flows send at rates as 1/RTT, so a mean over packets is the harmonic mean over flows, which
    // is what the sum of their rates goes by.
    const bool isKnown = m_rttPackets > 0.0;
    m_account.e2eRtt = isKnown ? m_rttSum / m_rttPackets : 0.0;
    m_account.e2eWait = isKnown && capacity > 0.0 ? m_backlogSum / m_rttPackets / capacity : 0.0;
    const double fade = std::exp(-seconds / RTT_MEMORY);
    m_rttSum *= fade;
    m_backlogSum *= fade;
    m_rttPackets *= fade;
}

bool
XcpTcpFairness::OnArrival(TrafficClass trafficClass, uint64_t flow, uint32_t bytes)
{
    Prepare();
    ClassState& state = StateOf(trafficClass);
    state.packets++;
    state.arrived += bytes;
    if (m_inspectProbability >= 1.0 || m_random->GetValue() < m_inspectProbability)
    {
        const auto& estimator = trafficClass == TrafficClass::XCP ? m_xcpEstimator : m_e2eEstimator;
        estimator->See(flow);
    }
    const bool isChosen = trafficClass == TrafficClass::E2E && m_account.isApplied &&
                          m_random->GetValue() < m_account.dropProbability;
    state.accepted += isChosen ? 0 : bytes;
    if (isChosen)
    {
        NS_LOG_LOGIC("a packet of " << bytes << " B is chosen, drop probability "
                                    << m_account.dropProbability);
    }
    state.isLost = isChosen;
    return isChosen;
}

void
XcpTcpFairness::OnTailDrop(TrafficClass trafficClass)
{
    StateOf(trafficClass).isLost = true;
}

void
XcpTcpFairness::OnMarked(TrafficClass trafficClass, uint32_t bytes)
{
    ClassState& state = StateOf(trafficClass);
    state.accepted += bytes;
    state.isLost = false;
}

bool
XcpTcpFairness::MeasuresDepartures() const
{
    return m_rateMeasured == RateMeasured::DEPARTED;
}

void
XcpTcpFairness::OnDeparture(uint32_t bytes, bool isE2e)
{
    m_departed += bytes;
    m_e2eDeparted += isE2e ? bytes : 0;
}

uint64_t
XcpTcpFairness::GetE2eBytes() const
{
    switch (m_rateMeasured)
    {
    case RateMeasured::ARRIVED:
        return m_e2e.arrived;
    case RateMeasured::DEPARTED:
        return m_e2eDeparted;
    default:
        return m_e2e.accepted;
    }
}

Time
XcpTcpFairness::GetPatience(const ClassState& state, Time length) const
{
    const Time silence = m_silenceTimeout.IsStrictlyPositive()
                             ? m_silenceTimeout
                             : std::max(Seconds(LEAST_SILENCE), SILENT_INTERVALS * length);
    return state.isLost ? std::max(silence, m_lossTimeout) : silence;
}

double
XcpTcpFairness::Count(TrafficClass trafficClass, Time length)
{
    ClassState& state = StateOf(trafficClass);
    const auto estimator = GetEstimator(trafficClass);
    if (state.packets > 0)
    {
        state.silence = Time();
        state.isSilent = false;
    }
    else if (!state.isSilent)
    {
        // Silent until a packet comes, even where later intervals, and so the patience, are longer.
        state.silence += length;
        state.isSilent = state.silence >= GetPatience(state, length);
    }
    if (state.packets > 0 || state.isSilent)
    {
        // An interval in which flows wait says nothing of their number: it belongs to no period.
        estimator->EndInterval();
    }
    if (!state.isSilent)
    {
        return Sane(estimator->GetCount());
    }
    if (m_forgetSilent)
    {
        estimator->Reset();
    }
    return 0.0;
}

void
XcpTcpFairness::OnInterval(Time length, double capacity, double meanRtt)
{
    NS_LOG_FUNCTION(this << length << capacity << meanRtt);
    const double seconds = length.ToDouble(Time::S);
    if (seconds <= 0.0)
    {
        return;
    }
    Prepare();
    const double full = Sane(capacity);
    Account& account = m_account;
    account.xcpFlows = Count(TrafficClass::XCP, length);
    account.e2eFlows = Count(TrafficClass::E2E, length);
    account.xcpRate = static_cast<double>(m_xcp.accepted) / seconds;
    account.e2eRate = static_cast<double>(GetE2eBytes()) / seconds;
    account.utilisation = full > 0.0 ? static_cast<double>(m_departed) / (full * seconds) : 0.0;
    const bool isShared = account.xcpFlows > 0.0 && account.e2eFlows > 0.0 && full > 0.0;
    account.e2eFairShare =
        account.e2eFlows > 0.0 ? full / (1.0 + account.xcpFlows / account.e2eFlows) : 0.0;

    TakeE2eRtt(seconds, full);

    XcpDropLaw::Decision decision;
    if (isShared)
    {
        XcpDropLaw::Observation seen;
        seen.length = seconds;
        seen.utilisation = account.utilisation;
        seen.e2eRate = account.e2eRate;
        seen.e2eFairShare = account.e2eFairShare;
        seen.e2eFlows = account.e2eFlows;
        seen.meanRtt = Sane(meanRtt);
        seen.e2eRtt = account.e2eRtt + account.e2eWait;
        seen.meanPacket = m_e2e.packets > 0 ? static_cast<double>(m_e2e.arrived) /
                                                  static_cast<double>(m_e2e.packets)
                                            : 0.0;
        decision = m_dropLaw->Decide(seen);
    }
    else
    {
        decision = m_dropLaw->Rest();
    }
    account.dropProbability = std::min(1.0, Sane(decision.probability));
    account.isApplied = decision.apply;

    NS_LOG_LOGIC("flows: XCP " << account.xcpFlows << ", TCP " << account.e2eFlows
                               << "; rates: XCP " << account.xcpRate << " B/s, TCP "
                               << account.e2eRate << " B/s, fair share " << account.e2eFairShare
                               << " B/s; drop probability " << account.dropProbability
                               << ", applied " << account.isApplied);
    BeginInterval();
}

bool
XcpTcpFairness::IsSteady() const
{
    const auto isOver = [](const ClassState& state) {
        return state.isSilent && state.packets == 0;
    };
    return isOver(m_xcp) && isOver(m_e2e) && m_departed == 0 && m_account.utilisation == 0.0 &&
           m_xcpEstimator->IsSteady() && m_e2eEstimator->IsSteady();
}

void
XcpTcpFairness::SkipIntervals(uint64_t intervals)
{
    if (!m_forgetSilent)
    {
        m_xcpEstimator->SkipIntervals(intervals);
        m_e2eEstimator->SkipIntervals(intervals);
    }
}

const XcpTcpFairness::Account&
XcpTcpFairness::GetAccount() const
{
    return m_account;
}

int64_t
XcpTcpFairness::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    Prepare();
    m_random->SetStream(stream);
    int64_t used = 1;
    used += m_xcpEstimator->AssignStreams(stream + used);
    used += m_e2eEstimator->AssignStreams(stream + used);
    return used;
}

} // namespace ns3::lfn
