// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_SACK_RECOVERY_H
#define ATOU_SACK_RECOVERY_H

#include "atou-recovery.h"
#include "atou-scoreboard.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Recovery with SACK blocks, and FACK (section 3.8).
 *
 * SACK estimates what is under way as "pipe"; FACK as what is beyond the forward-most segment that
 * came, plus what was sent again. The window is frozen in recovery; rampdown lets it shrink over a
 * round trip instead of at once.
 */
class AtouSackRecovery : public AtouRecovery
{
  public:
    /**
     * @brief Constructor.
     * @param parts the parts of the sender; they outlive the recovery
     */
    explicit AtouSackRecovery(Parts parts);

    void TakeDuplicate(const AtouAck& ack) override;
    void TakeAdvance(const AtouAck& ack, uint32_t from) override;
    void TakeTimeout() override;
    bool FreezesWindow() const override;

  protected:
    double GetUsable() const override;
    bool SendOne() override;

  private:
    /**
     * @brief Note an ACK's blocks.
     * @param ack the acknowledgement
     * @return segments that were not known to have come
     */
    uint32_t Mark(const AtouAck& ack);

    /**
     * @brief A duplicate ACK in recovery.
     * @param newlySacked segments that it told of
     */
    void Continue(uint32_t newlySacked);

    /**
     * @brief Enter recovery.
     * @param ack the acknowledgement that told of a loss
     */
    void Enter(const AtouAck& ack);

    /**
     * @brief Leave recovery.
     * @param ack the acknowledgement that ended it
     */
    void Leave(const AtouAck& ack);

    /**
     * @brief Take segments out of pipe, which is never negative.
     * @param segments how many
     */
    void Drain(uint32_t segments);

    /** @brief A segment that was sent again has come. */
    void TakeResent();

    AtouScoreboard m_board; //!< what the blocks told
    uint32_t m_forward;     //!< fack: forward-most segment that came, plus 1
    uint32_t m_lost{0};     //!< FACK: segments below it were taken for lost by a timeout
    uint32_t m_resent{0};   //!< retran: sent again and under way, segments
    uint32_t m_pipe{0};     //!< under way, segments
    double m_trim{0};       //!< wintrim: what rampdown adds to cwnd, segments
};

} // namespace ns3::lfn

#endif // ATOU_SACK_RECOVERY_H
