// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_STATE_H
#define ATOU_STATE_H

#include "atou-header.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <span>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief The sender's state, in segments; names as in the original's output.
 */
struct AtouState
{
    uint32_t una{1};        //!< oldest segment not acknowledged (snd_una)
    uint32_t nxt{1};        //!< next segment to send (snd_nxt)
    uint32_t max{1};        //!< highest segment sent, plus 1 (snd_max)
    double cwnd{0};         //!< congestion window (snd_cwnd)
    uint32_t ssthresh{0};   //!< slow-start threshold (thresh)
    uint32_t recover{0};    //!< recovery ends here
    uint32_t dupacks{0};    //!< duplicate ACKs in a row
    bool inRecovery{false}; //!< loss recovery is under way
    bool isMeasured{true};  //!< bwe_pkt: RTTs are measured, Vegas acts; not from a loss or
                            //!< Vegas's exit from slow start on, until CAexit

    /**
     * @brief Count the segments under way.
     * @return nxt - una; beyond any window where nxt is below una, as SACK leaves it after
     *         go-back-N: nothing goes until the next timeout
     */
    uint32_t GetFlight() const
    {
        return nxt - una;
    }
};

/**
 * @ingroup lfn-atou
 * @brief An acknowledgement as the algorithms see it.
 */
struct AtouAck
{
    uint32_t next{1};                    //!< the next segment that the receiver expects
    std::span<const AtouBlock> blocks{}; //!< SACK blocks
    Time rtt;                            //!< time since the segment that caused it was sent
    Time now;                            //!< when it came
};

/**
 * @ingroup lfn-atou
 * @brief An entry of the event log.
 */
struct AtouEvent
{
    /** @brief Kinds of entries, by the original's names. */
    enum class Kind : uint8_t
    {
        DUP_RXMT,   //!< 3duprxmit: duplicate ACKs reported a loss
        PAC_RXMT,   //!< packrxmit: a partial ACK or SACK blocks reported another one
        TIMER_RXMT, //!< timerxmit: the retransmission timer expired
        BAD_ACK,    //!< badack: an ACK below una or above max
        CA_EXIT,    //!< CAexit: RTTs are measured again
        VSS,        //!< vss: Vegas left the first slow start
        FLOYD,      //!< floyd: HighSpeed TCP's parameters changed
        BWERTT,     //!< bwertt: bandwidth of an RTT
    };

    Kind kind{Kind::DUP_RXMT}; //!< what happened
    Time time;                 //!< when, since the start
    uint32_t packet{0};        //!< the segment that was retransmitted; the ACK of BAD_ACK, CA_EXIT,
                               //!< less 1 with SACK
    AtouState state;           //!< the state just before the window was cut, as the program logs
    double delta{0};           //!< Vegas delta, segments
    double value{0};           //!< increment (FLOYD), Mb/s (BWERTT), ignored otherwise
    double second{0};          //!< multiplier (FLOYD), round-trip time in s (BWERTT, VSS)
    uint32_t count{0};         //!< segments (BWERTT), number of the HighSpeed table's row (FLOYD)
};

} // namespace ns3::lfn

#endif // ATOU_STATE_H
