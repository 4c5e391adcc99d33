// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_SACK_RECOVERY_H
#define ATOU_SACK_RECOVERY_H

#include "atou-recovery.h"
#include "atou-scoreboard.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Recovery with SACK blocks, and FACK (section 3.8).
 *
 * SACK estimates what is under way as "pipe"; FACK as what is beyond the forward-most segment that
 * came, plus what was retransmitted. The window is frozen in recovery; rampdown lets it shrink over
 * an RTT instead of at once.
 *
 * By default the account is the program's: blocks are noted in recovery only, a timeout forgets
 * nothing of what was retransmitted, and nothing is sent once nxt has come to the end. With
 * AtouOptions::carefulSack blocks are always noted, a timeout takes all that is under way for lost,
 * gaps are retransmitted to the last, and no count is negative.
 */
class AtouSackRecovery : public AtouRecovery
{
  public:
    /**
     * @brief Constructor.
     * @param parts the parts of the sender; they outlive the recovery
     */
    explicit AtouSackRecovery(Parts parts);

    void OnDuplicateAck(const AtouAck& ack) override;
    void OnNewAck(const AtouAck& ack) override;
    void OnTimeout() override;
    bool FreezesWindow() const override;

  protected:
    double GetUsable() const override;
    bool SendOne() override;

  private:
    /**
     * @brief Note blocks.
     * @param una the oldest segment that is not acknowledged
     * @param blocks the blocks
     */
    void Mark(uint32_t una, std::span<const AtouBlock> blocks);

    /** @brief A duplicate ACK in recovery. */
    void Continue();

    /** @brief A duplicate ACK in recovery, or the one that begins it: grow below ssthresh. */
    void Grow();

    /**
     * @brief Enter recovery.
     * @param ack the acknowledgement that reported a loss
     */
    void Enter(const AtouAck& ack);

    /** @brief Leave recovery. */
    void Leave();

    /** @brief Recover after a timeout as if all that was under way were lost. */
    void OnTimeoutCarefully();

    /**
     * @brief Take segments out of pipe.
     * @param segments how many
     */
    void Drain(uint32_t segments);

    /** @brief A segment that was retransmitted has come. */
    void OnRetransmissions();

    AtouScoreboard m_board;        //!< what the blocks reported
    uint32_t m_first{1};           //!< gaps are looked for from it on: una at the last blocks
    std::vector<AtouBlock> m_last; //!< blocks of the last ACK
    uint32_t m_fresh{0};           //!< SACKed: noted and not yet taken out of pipe, segments
    uint32_t m_forward;            //!< fack: forward-most segment that came, plus 1
    uint32_t m_lost{0};            //!< careful FACK: segments below it a timeout took for lost
    int64_t m_resent{0};           //!< retran_data: retransmitted and under way, segments
    int64_t m_pipe{0};             //!< under way, segments
    double m_trim{0};              //!< wintrim: what rampdown adds to cwnd, segments
};

} // namespace ns3::lfn

#endif // ATOU_SACK_RECOVERY_H
