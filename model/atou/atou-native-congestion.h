// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_NATIVE_CONGESTION_H
#define ATOU_NATIVE_CONGESTION_H

#include "atou-congestion.h"
#include "atou-options.h"
#include "atou-response.h"
#include "atou-slow-start.h"
#include "atou-vegas.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief atou's own congestion control (sections 3.3, 3.4, 3.7): slow start, AIMD, HighSpeed or
 *        Scalable TCP, with Vegas over them.
 *
 * It counts ACKs, not segments: delayed ACKs slow it down.
 */
class AtouNativeCongestion : public AtouCongestion
{
  public:
    /**
     * @brief Constructor.
     * @param options the options, settled
     */
    explicit AtouNativeCongestion(const AtouOptions& options);

    void OnEpoch(const AtouState& state, const AtouEpoch& epoch) override;
    void Grow(AtouState& state, uint32_t acked, const AtouAck& ack) override;
    void CutOnLoss(AtouState& state) override;
    void CutOnTimeout(AtouState& state) override;
    void Resume() override;
    void OnOptions(const AtouOptions& options) override;
    double GetDelta() const override;
    void CountInto(AtouStatistics& statistics) const override;

  private:
    /**
     * @brief Grow in slow start.
     * @param state the sender's state
     */
    void SlowStart(AtouState& state);

    /**
     * @brief Grow in congestion avoidance, or shrink as Vegas says.
     * @param state the sender's state
     */
    void AvoidCongestion(AtouState& state);

    /**
     * @brief Look the response's parameters up before a cut, and report new ones.
     * @param cwnd the window, segments
     */
    void LookUp(double cwnd);

    uint32_t m_floor;          //!< of cwnd and ssthresh: initsegs, segments
    AtouSlowStart m_slowStart; //!< growth in slow start
    AtouResponse m_response;   //!< growth and cuts in congestion avoidance
    AtouVegas m_vegas;         //!< watches the queue
};

} // namespace ns3::lfn

#endif // ATOU_NATIVE_CONGESTION_H
