// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_RTT_TIMER_H
#define XCP_RTT_TIMER_H

#include "ns3/nstime.h"
#include "ns3/sequence-number.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Times the segments of a sender, for the RTT that it reports to routers
 * (draft-falk-xcp-spec-03, section 3.2).
 *
 * A router's feedback is multiplied by that RTT, so a sample must not contain the time that a gap
 * stood in the receiver's data: what is under way when something is retransmitted is not timed any
 * more. (ns-3's TCP without timestamps takes the earliest segment that an acknowledgement covers,
 * which after a recovery is as old as the gap.)
 */
class XcpRttTimer
{
  public:
    /**
     * @brief A segment is sent.
     * @param begin its first sequence number
     * @param count how many it has; of 0 nothing is noted
     * @param now the time
     */
    void OnSend(SequenceNumber32 begin, uint32_t count, Time now);

    /**
     * @brief An acknowledgement arrives.
     * @param ack the next sequence number that the peer expects
     * @param now the time
     * @return how long the segments took, on average, that it acknowledges; nothing when none was
     * timed. A window of w segments passes w in the mean of their times (Little's law), so with
     * delayed acknowledgements, whose first segment waits for the second, neither the earliest nor
     * the latest gives the throughput.
     */
    std::optional<Time> OnAck(SequenceNumber32 ack, Time now);

  private:
    /** @brief A segment under way. */
    struct Sent
    {
        SequenceNumber32 end; //!< the number behind it
        Time time;            //!< when it was sent
    };

    std::deque<Sent> m_sent;    //!< under way and timed, in order
    SequenceNumber32 m_highest; //!< the number behind all that was sent
    bool m_hasSent{false};      //!< m_highest is known
};

} // namespace ns3::lfn

#endif // XCP_RTT_TIMER_H
