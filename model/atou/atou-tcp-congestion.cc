// SPDX-License-Identifier: GPL-2.0-only
#include "atou-tcp-congestion.h"

#include "atou-options.h"

#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

/**
 * @file
 * @ingroup lfn-atou
 * ns3::lfn::AtouTcpCongestion implementation.
 */

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("AtouTcpCongestion");

namespace
{

/** Largest window, B: sums and small multiples of it fit into the 32 bits that ns-3 has. */
constexpr uint32_t MOST_BYTES = 1U << 30;

/** Threshold that no window reaches, B; TcpSocketBase begins with it. */
constexpr uint32_t INFINITE_BYTES = std::numeric_limits<uint32_t>::max();

/** What congestion controls need that atou does not have. */
constexpr std::array<std::pair<const char*, const char*>, 4> REFUSED{{
    {"ns3::TcpBbr", "delivery rate samples and pacing"},
    {"ns3::TcpDctcp", "ECN marks"},
    {"ns3::TcpLedbat", "one-way delays from TCP timestamps"},
    {"ns3::TcpLp", "one-way delays from TCP timestamps"},
}};

} // namespace

std::optional<std::string>
AtouTcpCongestion::Check(TypeId type)
{
    const std::string remedy = ", give another class, such as ns3::TcpLinuxReno or ns3::TcpCubic";
    const TypeId base = TcpCongestionOps::GetTypeId();
    if (!type.IsChildOf(base) || !type.HasConstructor())
    {
        return type.GetName() + " is no congestion control of TCP that can be made" + remedy;
    }
    const auto complain = [&](const std::string& need) {
        return type.GetName() + " needs " + need + ", which atou does not have" + remedy;
    };
    for (const auto& [name, need] : REFUSED)
    {
        TypeId refused;
        if (TypeId::LookupByNameFailSafe(name, &refused) &&
            (type == refused || type.IsChildOf(refused)))
        {
            return complain(need);
        }
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    if (factory.Create<TcpCongestionOps>()->HasCongControl())
    {
        return complain("delivery rate samples");
    }
    return std::nullopt;
}

AtouTcpCongestion::AtouTcpCongestion(Ptr<TcpCongestionOps> ops, Ptr<const AtouOptions> options)
    : m_ops(ops),
      m_tcb(CreateObject<TcpSocketState>()),
      m_segmentSize(options->mss),
      m_floor(options->mss)
{
    m_floor = ToBytes(options->initSegs);
}

uint32_t
AtouTcpCongestion::ToBytes(double segments) const
{
    const double bytes = segments * m_segmentSize;
    return static_cast<uint32_t>(
        std::lround(std::clamp<double>(bytes, m_floor, std::max(MOST_BYTES, m_floor))));
}

void
AtouTcpCongestion::Start(AtouState& state)
{
    NS_LOG_FUNCTION(this << m_ops->GetInstanceTypeId().GetName());
    // TcpWestwoodPlus leaves an event behind that does not keep it alive.
    Simulator::ScheduleDestroy([ops = m_ops] { (void)ops; });
    m_tcb->m_segmentSize = m_segmentSize;
    m_tcb->m_ssThresh = INFINITE_BYTES;
    // The sender never sends less than its window allows: it has no application to wait for.
    m_tcb->m_isCwndLimited = true;
    m_cut = Simulator::Now() - Time(1);
    Push(state);
    m_tcb->m_initialCWnd = state.cwnd < 1 ? 1 : static_cast<uint32_t>(state.cwnd);
    m_tcb->m_initialSsThresh = m_tcb->m_ssThresh;
    m_threshold = m_tcb->m_ssThresh;
    m_ops->Init(m_tcb);
    Enter(TcpSocketState::CA_OPEN);
    Pull(state);
}

void
AtouTcpCongestion::Push(const AtouState& state)
{
    // Only what the sender has changed since Pull(): bytes below a segment must not get lost. The
    // window of recovery counts duplicate ACKs as well, which TcpSocketBase keeps apart.
    const bool isRecovering = m_tcb->m_congState == TcpSocketState::CA_RECOVERY;
    if (state.cwnd != m_cwnd && !isRecovering)
    {
        m_cwnd = state.cwnd;
        m_tcb->m_cWnd = ToBytes(state.cwnd);
    }
    if (state.ssthresh != m_ssthresh)
    {
        m_ssthresh = state.ssthresh;
        m_tcb->m_ssThresh =
            state.ssthresh < AtouOptions::INFINITE ? ToBytes(state.ssthresh) : INFINITE_BYTES;
        m_threshold = m_tcb->m_ssThresh;
    }
    // Segment 1 begins at 0; sequence numbers wrap as in TCP.
    const auto begin = [this](uint32_t segment) {
        return SequenceNumber32((segment - 1) * m_segmentSize);
    };
    m_tcb->m_lastAckedSeq = begin(state.una);
    m_tcb->m_nextTxSequence = begin(state.nxt);
    m_tcb->m_highTxMark = begin(state.max);
    m_tcb->m_bytesInFlight = state.GetFlight() * m_segmentSize;
}

void
AtouTcpCongestion::Pull(AtouState& state)
{
    m_tcb->m_cWnd = std::clamp(m_tcb->m_cWnd.Get(), m_floor, std::max(MOST_BYTES, m_floor));
    state.cwnd = static_cast<double>(m_tcb->m_cWnd.Get()) / m_segmentSize;
    m_cwnd = state.cwnd;
    if (m_tcb->m_ssThresh != m_threshold)
    {
        m_threshold = std::max(m_tcb->m_ssThresh.Get(), m_floor);
        m_tcb->m_ssThresh = m_threshold;
        state.ssthresh = m_threshold / m_segmentSize;
        m_ssthresh = state.ssthresh;
    }
}

void
AtouTcpCongestion::Enter(TcpSocketState::TcpCongState_t next)
{
    NS_LOG_INFO("congestion state " << TcpSocketState::TcpCongStateName[m_tcb->m_congState]
                                    << " -> " << TcpSocketState::TcpCongStateName[next]);
    // In this order: the class is notified while the state is still the old one.
    m_ops->CongestionStateSet(m_tcb, next);
    m_tcb->m_congState = next;
}

void
AtouTcpCongestion::Observe(const AtouState& state, const AtouAck& ack)
{
    Push(state);
    m_tcb->m_lastRtt = ack.rtt;
    const Time before = m_tcb->m_srtt;
    m_tcb->m_srtt = before.IsZero() ? ack.rtt : before + (ack.rtt - before) / 8;
    m_tcb->m_minRtt = std::min(m_tcb->m_minRtt, ack.rtt);
    if (ack.next > state.una)
    {
        m_tcb->m_lastAckedSeq = SequenceNumber32((ack.next - 1) * m_segmentSize);
        // TcpHtcp divides by the time since the last cut.
        if (Simulator::Now() > m_cut)
        {
            m_ops->PktsAcked(m_tcb, ack.next - state.una, ack.rtt);
        }
    }
    else if (m_tcb->m_congState == TcpSocketState::CA_OPEN && state.GetFlight() > 0)
    {
        Enter(TcpSocketState::CA_DISORDER);
    }
}

void
AtouTcpCongestion::Grow(AtouState& state, uint32_t acked, const AtouAck& /* ack */)
{
    Push(state);
    if (m_tcb->m_congState == TcpSocketState::CA_DISORDER ||
        (m_tcb->m_congState == TcpSocketState::CA_LOSS && state.una >= m_lossEnd))
    {
        Enter(TcpSocketState::CA_OPEN);
    }
    // What PktsAcked() was not called for does not count here either: TcpCubic needs the one
    // before the other.
    if (m_tcb->m_congState != TcpSocketState::CA_RECOVERY && acked > 0 && Simulator::Now() > m_cut)
    {
        m_ops->IncreaseWindow(m_tcb, acked);
        Pull(state);
    }
}

uint32_t
AtouTcpCongestion::AskThreshold(const AtouState& state)
{
    // Segments that duplicate ACKs let out beyond the window do not count (RFC 5681, section 3.2).
    const uint32_t window = m_tcb->m_cWnd;
    const uint64_t flight = uint64_t{state.GetFlight()} * m_segmentSize;
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(flight, window));
    m_tcb->m_bytesInFlight = bytes;
    m_cut = Simulator::Now();
    // TcpYeah's wraps round where less than two segments are under way, and TcpWestwoodPlus's may
    // lie above the window.
    const uint32_t threshold =
        std::clamp(m_ops->GetSsThresh(m_tcb, bytes), m_floor, std::max(window, 2 * m_segmentSize));
    // The sender's threshold is a whole number, and its window the same when recovery ends: bytes
    // beyond that would make it look like slow start.
    return threshold - threshold % m_segmentSize;
}

void
AtouTcpCongestion::CutOnLoss(AtouState& state)
{
    Push(state);
    Enter(TcpSocketState::CA_RECOVERY);
    m_tcb->m_ssThresh = AskThreshold(state);
    m_tcb->m_cWnd = std::min(m_tcb->m_cWnd.Get(), m_tcb->m_ssThresh.Get());
    NS_LOG_LOGIC("a loss: in flight " << m_tcb->m_bytesInFlight << " B, ssthresh "
                                      << m_tcb->m_ssThresh << " B, cwnd " << m_tcb->m_cWnd << " B");
    Pull(state);
}

void
AtouTcpCongestion::CutOnTimeout(AtouState& state)
{
    Push(state);
    // Once a loss: further timeouts of the same segment do not lower the threshold any more.
    if (m_tcb->m_congState != TcpSocketState::CA_LOSS || state.una != m_lossUna)
    {
        m_tcb->m_ssThresh = AskThreshold(state);
    }
    m_lossUna = state.una;
    m_lossEnd = state.max;
    m_ops->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_LOSS);
    Enter(TcpSocketState::CA_LOSS);
    m_tcb->m_cWnd = m_floor;
    NS_LOG_LOGIC("a timeout of segment " << m_lossUna << ": ssthresh " << m_tcb->m_ssThresh
                                         << " B, cwnd " << m_tcb->m_cWnd << " B");
    Pull(state);
}

void
AtouTcpCongestion::EndRecovery(AtouState& state)
{
    const auto current = m_tcb->m_congState.Get();
    if (current == TcpSocketState::CA_RECOVERY)
    {
        m_ops->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_COMPLETE_CWR);
    }
    // A timeout ends recovery as well, but not the loss.
    const bool isLost = current == TcpSocketState::CA_LOSS && state.una < m_lossEnd;
    if (current != TcpSocketState::CA_OPEN && !isLost)
    {
        Enter(TcpSocketState::CA_OPEN);
    }
    Push(state);
}

Ptr<const TcpSocketState>
AtouTcpCongestion::GetSocketState() const
{
    return m_tcb;
}

} // namespace ns3::lfn
