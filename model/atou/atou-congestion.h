// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_CONGESTION_H
#define ATOU_CONGESTION_H

#include "atou-epoch.h"
#include "atou-options.h"
#include "atou-state.h"
#include "atou-statistics.h"

#include <functional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief A congestion control: how the window grows and what a loss does to it.
 *
 * It changes cwnd and ssthresh of the state and nothing else. Loss detection, recovery and the
 * limit by rcvrwin are the sender's.
 */
class AtouCongestion
{
  public:
    virtual ~AtouCongestion() = default;

    /**
     * @brief Begin; cwnd and ssthresh have their first values.
     * @param state the sender's state
     */
    virtual void Start(AtouState& state);

    /**
     * @brief See every ACK that is not above max, before anything else is done with it.
     * @param state the sender's state, una not yet advanced
     * @param ack the acknowledgement
     */
    virtual void Observe(const AtouState& state, const AtouAck& ack);

    /**
     * @brief An RTT has ended, and RTTs are measured.
     * @param state the sender's state, una not yet advanced
     * @param epoch the RTT, with its last time
     */
    virtual void OnEpoch(const AtouState& state, const AtouEpoch& epoch);

    /**
     * @brief Grow the window: one advancing ACK outside SACK recovery (section 3.3).
     * @param state the sender's state, una advanced
     * @param acked segments that it acknowledged
     * @param ack the acknowledgement
     */
    virtual void Grow(AtouState& state, uint32_t acked, const AtouAck& ack) = 0;

    /**
     * @brief Cut the window after duplicate ACKs (section 3.4).
     * @param state the sender's state
     */
    virtual void CutOnLoss(AtouState& state) = 0;

    /**
     * @brief Cut the window after a timeout (section 3.9).
     * @param state the sender's state
     */
    virtual void CutOnTimeout(AtouState& state) = 0;

    /**
     * @brief Recovery was left.
     * @param state the sender's state, cwnd set
     */
    virtual void EndRecovery(AtouState& state);

    /** @brief RTTs are measured again: CAexit. */
    virtual void Resume();

    /**
     * @brief Take options that have changed while the transfer runs; a TcpCongestionOps, which has
     *        Attributes of its own, looks at none.
     * @param options the options, settled
     */
    virtual void OnOptions(const AtouOptions& options);

    /**
     * @brief Get the Vegas delta.
     * @return expected minus actual, segments; 0 where there is none
     */
    virtual double GetDelta() const;

    /**
     * @brief Write this control's own counters (Vegas') into the summary.
     * @param statistics the counters of the summary
     */
    virtual void CountInto(AtouStatistics& statistics) const;

    /**
     * @brief Set who is notified of FLOYD and VSS events.
     * @param observer takes them; time and state need not be filled in
     */
    void SetObserver(std::function<void(const AtouEvent&)> observer);

  protected:
    /** @brief Report an event. */
    void Report(const AtouEvent& event) const;

  private:
    std::function<void(const AtouEvent&)> m_observer; //!< takes events
};

} // namespace ns3::lfn

#endif // ATOU_CONGESTION_H
