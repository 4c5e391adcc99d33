// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-xcp.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpXcp");
NS_OBJECT_ENSURE_REGISTERED(TcpXcp);

namespace
{

constexpr uint64_t ANY_RATE = 1'000'000'000'000'000; //!< more than any link has, [bit/s]

} // namespace

TypeId
TcpXcp::GetTypeId()
{
    using Settings = XcpSenderCore::Settings;
    static TypeId tid =
        TypeId("ns3::lfn::TcpXcp")
            .SetParent<TcpNewReno>()
            .SetGroupName("Lfn")
            .AddConstructor<TcpXcp>()
            .AddAttribute("LossPolicy",
                          "What to do about lost packets: Fallback obeys TCP alone until all that "
                          "was lost has been retransmitted (draft); Mix obeys feedback after a "
                          "timeout at once, from one segment on (ns-2).",
                          EnumValue(FALLBACK),
                          MakeEnumAccessor<LossPolicy>(&TcpXcp::m_lossPolicy),
                          MakeEnumChecker(MIX, "Mix", FALLBACK, "Fallback"))
            .AddAttribute(
                "DesiredRate",
                "Rate that the flow asks the routers for; by default more than any link "
                "has.",
                DataRateValue(DataRate(ANY_RATE)),
                MakeFieldAccessor<DataRateValue>(&TcpXcp::m_settings, &Settings::desiredRate),
                MakeDataRateChecker())
            .AddAttribute(
                "AgingWeight",
                "Share of the unused window that is given up in an RTT.",
                DoubleValue(0.5),
                MakeFieldAccessor<DoubleValue>(&TcpXcp::m_settings, &Settings::agingWeight),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ApplyOnNewAcksOnly",
                          "Lose feedback that comes with anything but an acknowledgement of new "
                          "data, as ns-2's code does.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpXcp::m_newAcksOnly),
                          MakeBooleanChecker())
            .AddAttribute(
                "UndividedDemand",
                "Ask for all of DesiredRate with every packet, also while the "
                "application limits, as ns-2's code does; else for the part of what is "
                "missing that falls to a packet of the window (draft).",
                BooleanValue(false),
                MakeFieldAccessor<BooleanValue>(&TcpXcp::m_settings, &Settings::isUndivided),
                MakeBooleanChecker())
            .AddAttribute("PacedGrowth",
                          "A window that has grown by more than this share of it in one or two "
                          "RTTs is sent spread evenly over one, and so is any in a recovery "
                          "and up to two RTTs after it; 0: never, as in ns-2. One "
                          "acknowledgement may grant a burst, and a recovery leaves some, that a "
                          "buffer of less than a bandwidth-delay product does not hold.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&TcpXcp::m_pacedGrowth),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

TcpXcp::TcpXcp() = default;

TcpXcp::TcpXcp(const TcpXcp& other)
    : TcpNewReno(other),
      m_lossPolicy(other.m_lossPolicy),
      m_settings(other.m_settings),
      m_newAcksOnly(other.m_newAcksOnly),
      m_pacedGrowth(other.m_pacedGrowth)
{
}

std::string
TcpXcp::GetName() const
{
    return "TcpXcp";
}

void
TcpXcp::Init(Ptr<TcpSocketState> tcb)
{
    NS_LOG_FUNCTION(this << tcb);
    m_tcb = tcb;
    m_isPaced = tcb->m_pacing;
    m_pacingWritten = m_isPaced;
    if (!m_isPaced)
    {
        // TCP's, 4 Gb/s unless set, is no limit of a flow that routers may grant more.
        m_tcb->m_maxPacingRate = std::max(m_tcb->m_maxPacingRate, m_settings.desiredRate);
        // TCP's 200 % of slow start are to find out what a path holds. Here routers have reported:
        // the window in an RTT, no more, is what the path can hold.
        m_tcb->m_pacingSsRatio = 100;
        m_tcb->m_pacingCaRatio = 100;
    }
    m_core.Reset();
    m_written = 0;
    m_fresh = 0;
    m_isActive = false;
    m_receiverWindow = 1U << 30;
}

Ptr<TcpCongestionOps>
TcpXcp::Fork()
{
    NS_LOG_FUNCTION(this);
    return CopyObject<TcpXcp>(this);
}

void
TcpXcp::IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    NS_LOG_FUNCTION(this << tcb << segmentsAcked);
    const bool isTcpAlone =
        !m_isActive || (m_lossPolicy == FALLBACK && tcb->m_congState == TcpSocketState::CA_LOSS);
    if (!m_isActive && !m_isWarned)
    {
        m_isWarned = true;
        NS_LOG_WARN("no congestion header has come: TcpXcp behaves as TcpNewReno. XCP needs "
                    "XcpHelper::Install() at both ends.");
    }
    if (isTcpAlone)
    {
        TcpNewReno::IncreaseWindow(tcb, segmentsAcked);
        return;
    }
    // TCP has left recovery when it comes here, and has set its window after having said so.
    Sync();
    if (IsObedient())
    {
        m_core.OnFeedback(m_fresh, Look());
    }
    m_fresh = 0;
    Write();
}

void
TcpXcp::OnPeerSpeaks()
{
    NS_LOG_INFO("the peer speaks XCP, the window follows the routers from now on");
    m_isActive = true;
}

void
TcpXcp::OnFeedback(double feedback)
{
    NS_LOG_FUNCTION(this << feedback);
    if (!m_tcb)
    {
        return;
    }
    m_isActive = true;
    Sync();
    const auto sight = Look();
    Advance(sight);
    if (m_newAcksOnly)
    {
        m_fresh = feedback;
    }
    else if (IsObedient())
    {
        m_core.OnFeedback(feedback, sight);
    }
    Write();
}

XcpDemand
TcpXcp::MakeDemand()
{
    NS_LOG_FUNCTION(this);
    if (!m_tcb)
    {
        return {};
    }
    Sync();
    const auto sight = Look();
    if (m_isActive)
    {
        Advance(sight);
        Write();
    }
    else
    {
        m_core.Configure(m_settings);
    }
    return m_core.MakeDemand(sight, m_receiverWindow);
}

void
TcpXcp::OnRttSample(Time rtt)
{
    NS_LOG_FUNCTION(this << rtt);
    if (!m_rtt)
    {
        m_rtt = CreateObject<RttMeanDeviation>();
    }
    m_rtt->Measurement(rtt);
    m_srtt = m_rtt->GetEstimate().GetSeconds();
}

void
TcpXcp::SetReceiverWindow(uint32_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    m_receiverWindow = bytes;
}

double
TcpXcp::GetWindow() const
{
    return m_tcb && m_tcb->m_cWnd != m_written ? m_tcb->m_cWnd.Get() : m_core.GetWindow();
}

bool
TcpXcp::IsObedient() const
{
    switch (m_tcb->m_congState)
    {
    case TcpSocketState::CA_RECOVERY:
    case TcpSocketState::CA_CWR:
        // The recovery writes TCP's window with every acknowledgement. What routers grant meanwhile
        // is for a window that is not there: summed up until the end it makes one that no path has.
        return false;
    case TcpSocketState::CA_LOSS:
        return m_lossPolicy != FALLBACK;
    default:
        return true;
    }
}

XcpSenderCore::Sight
TcpXcp::Look() const
{
    XcpSenderCore::Sight sight;
    sight.now = Simulator::Now().GetSeconds();
    sight.srtt = m_srtt;
    sight.mss = m_tcb->m_segmentSize;
    sight.initialWindow = static_cast<double>(m_tcb->m_initialCWnd) * m_tcb->m_segmentSize;
    sight.inFlight = m_tcb->m_bytesInFlight.Get();
    return sight;
}

void
TcpXcp::Sync()
{
    if (m_tcb->m_cWnd != m_written)
    {
        m_written = m_tcb->m_cWnd;
        m_core.SetWindow(m_written);
    }
    if (m_tcb->m_pacing != m_pacingWritten)
    {
        m_isPaced = m_tcb->m_pacing;
    }
}

void
TcpXcp::Write()
{
    m_written = static_cast<uint32_t>(m_core.GetWindow());
    NS_LOG_DEBUG("cwnd " << m_tcb->m_cWnd << " B -> " << m_written << " B");
    m_tcb->m_cWnd = m_written;
    m_pacingWritten = m_isPaced || (m_pacedGrowth > 0 && m_core.IsGrowing(m_pacedGrowth));
    m_tcb->m_pacing = m_pacingWritten;
}

void
TcpXcp::Advance(const XcpSenderCore::Sight& sight)
{
    m_core.Configure(m_settings);
    if (m_tcb->m_congState == TcpSocketState::CA_OPEN ||
        m_tcb->m_congState == TcpSocketState::CA_DISORDER)
    {
        m_core.Advance(sight);
    }
    else
    {
        m_core.RestartRound(sight);
    }
}

} // namespace ns3::lfn
