// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TCP_CONGESTION_H
#define ATOU_TCP_CONGESTION_H

#include "atou-congestion.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

class AtouOptions;

/**
 * @ingroup lfn-atou
 * @brief Any congestion control of ns-3's TCP as that of an atou sender.
 *
 * The TcpCongestionOps sees a TcpSocketState of its own, kept as TcpSocketBase would: windows in
 * bytes of segments of mss, and the same calls in the same order. Differences: PktsAcked() is
 * configured with the round-trip time of the ACK itself, not the smoothed one, and only of ACKs
 * that advance; the window never falls below initsegs, and a loss never enlarges it. The options
 * increment, multiplier, ssincr and the like have no effect.
 *
 * A window has at most 2^30 bytes here, since ns-3 counts them in 32 bits. TcpHybla's doubling
 * overflows its own numbers where the round-trip time is 21 times its RRTT or longer.
 */
class AtouTcpCongestion : public AtouCongestion
{
  public:
    /**
     * @brief Check whether a class can control an atou sender.
     * @param type the class
     * @return what is wrong and the remedy, in one line; nothing when all is well
     */
    static std::optional<std::string> Check(TypeId type);

    /**
     * @brief Constructor.
     * @param ops the congestion control, which nobody else uses; Check() has nothing against it
     * @param options the options mss and initsegs
     */
    AtouTcpCongestion(Ptr<TcpCongestionOps> ops, Ptr<const AtouOptions> options);

    void Start(AtouState& state) override;
    void Observe(const AtouState& state, const AtouAck& ack) override;
    void Grow(AtouState& state, uint32_t acked, const AtouAck& ack) override;
    void CutOnLoss(AtouState& state) override;
    void CutOnTimeout(AtouState& state) override;
    void EndRecovery(AtouState& state) override;

    /** @brief Get what the congestion control sees. @return the state, windows in bytes */
    Ptr<const TcpSocketState> GetSocketState() const;

  private:
    /**
     * @brief Give the congestion control the sender's state.
     * @param state the sender's state
     */
    void Push(const AtouState& state);

    /**
     * @brief Take over the windows that the congestion control has set.
     * @param state the sender's state
     */
    void Pull(AtouState& state);

    /** @brief Enter a state of the congestion state machine. */
    void Enter(TcpSocketState::TcpCongState_t next);

    /**
     * @brief Ask for the threshold after a loss.
     * @param state the sender's state
     * @return the threshold in whole segments, B
     */
    uint32_t AskThreshold(const AtouState& state);

    /**
     * @brief Convert a window.
     * @param segments the window, segments
     * @return B, within what is allowed here
     */
    uint32_t ToBytes(double segments) const;

    Ptr<TcpCongestionOps> m_ops;     //!< the congestion control
    Ptr<TcpSocketState> m_tcb;       //!< what it sees
    uint32_t m_segmentSize;          //!< mss, B
    uint32_t m_floor;                //!< smallest window: initsegs, B
    double m_cwnd{-1};               //!< the sender's cwnd that m_tcb agrees with, segments
    uint32_t m_ssthresh{UINT32_MAX}; //!< the sender's ssthresh that m_tcb agrees with, segments
    uint32_t m_threshold{0};         //!< the threshold of m_tcb then, B
    uint32_t m_lossUna{0};           //!< una at the last timeout
    uint32_t m_lossEnd{0};           //!< when this is acknowledged, the timeout's recovery ends
    Time m_cut;                      //!< when the window was cut last
};

} // namespace ns3::lfn

#endif // ATOU_TCP_CONGESTION_H
