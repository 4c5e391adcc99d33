// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_NEWRENO_RECOVERY_H
#define ATOU_NEWRENO_RECOVERY_H

#include "atou-recovery.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Reno's and NewReno's fast retransmit and fast recovery (sections 3.5 and 3.6).
 */
class AtouNewRenoRecovery : public AtouRecovery
{
  public:
    using AtouRecovery::AtouRecovery;

    void OnDuplicateAck(const AtouAck& ack) override;
    void OnNewAck(const AtouAck& ack) override;
    void OnTimeout() override;

  private:
    /**
     * @brief The duplicate ACK that reports a loss.
     * @param ack the acknowledgement
     */
    void Trigger(const AtouAck& ack);

    /**
     * @brief Retransmit the next gap: an ACK below recover.
     * @param ack the acknowledgement
     */
    void OnPartialAck(const AtouAck& ack);

    /**
     * @brief Leave recovery.
     * @param ack the acknowledgement
     */
    void Leave(const AtouAck& ack);
};

} // namespace ns3::lfn

#endif // ATOU_NEWRENO_RECOVERY_H
