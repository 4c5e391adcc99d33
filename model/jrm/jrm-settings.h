// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_SETTINGS_H
#define JRM_SETTINGS_H

#include "jrm-adaptive-timeout.h"
#include "jrm-host-budget.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief Parameters that both halves of a participant share.
 */
struct JrmCommonSettings
{
    /** Where backing off ends: about 30 years, so that sums of times stay below their limit. */
    static constexpr int64_t LONGEST_WAIT_S = 1'000'000'000;

    /**
     * @brief Get a time that is cut off where sums of times would pass their limit.
     * @param seconds the time, s
     * @return the time; LONGEST_WAIT_S for all that is longer
     */
    static Time Limit(double seconds);

    uint32_t packetSize{1024};       //!< data bytes of a packet, the same at all participants
    JrmAdaptiveTimeout::Rules adapt; //!< how timeouts adapt
    Time aggregation;       //!< how long a sender gathers requests; 0: each is answered at once
    uint8_t parityBlock{0}; //!< packets of a block that parities repair; 0: there are no parities
};

/**
 * @ingroup lfn-jrm
 * @brief What the receiving half goes by, and the waits that follow from it.
 */
struct JrmReceiverSettings : JrmCommonSettings
{
    Time recvTimeout{MilliSeconds(20)}; //!< recvTimeout, first value
    Time nackTimeout{MilliSeconds(50)}; //!< nackTimeout, first value
    double nackBackoff{2};              //!< factor of nackTimeout after an unanswered request
    uint32_t maxNackAttempts{10};       //!< unanswered requests after which a message is lost
    bool gapNackAllPackets{false};      //!< ask for all of a missing message, not for PSN 1 (J-C6)
    bool createHolderOnGap{true};       //!< ask for a missing message again (J-C7)
    Time reorderWait;                   //!< a gap is asked for only after it; 0: at once
    bool fromBeginning{false};          //!< ask for what a new stream had before, as sent (J-C5)
    bool completeImmediately{true};     //!< deliver when complete, not when the timer ends (J-C8)
    uint32_t maxGap{1024};              //!< a larger step of MSNs is a new beginning, messages
    uint32_t finishedWindow{1024};      //!< MSNs this far back are old, not a new beginning (J-C9)
    JrmHostBudget::Limits limits;       //!< what hosts may make it hold and ask for
    Time streamTimeout;       //!< a stream not received for so long is forgotten; 0: never
    bool keepData{false};     //!< keep the bytes of messages
    Time maxBackoff;          //!< suppression: longest random wait; 0 for none
    uint32_t groupSize{1000}; //!< suppression: receivers that it expects
    bool grtt{false};         //!< probes are answered, and nackTimeout follows them
    double grttFactor{2};     //!< nackTimeout over the RTT that a sender reports

    /**
     * @brief Get how long a message may be asked for without any response (deviation J-C15).
     *
     * The sum of recvTimeout, or a longer reorderWait, and of all waits for a response and
     * random waits, with the timeouts as long as they may become. A sender has to keep its
     * messages longer.
     *
     * @return the sum; LONGEST_WAIT_S for all that is longer
     */
    Time GetLongestRepair() const;

    /**
     * @brief Get how long to wait for the first response.
     * @param timeout nackTimeout as it is now
     * @param reported the RTT that the sender reports, if it does
     * @return nackTimeout, by the RTT where there is one
     */
    Time GetNackTimeout(Time timeout, std::optional<Time> reported) const;

    /**
     * @brief Get how long to wait for the response to a request. Backing off ends at the bound of
     *        what adapts (deviation JRM-D3).
     * @param timeout nackTimeout as it is now
     * @param attempts requests before this one
     * @return the wait
     */
    Time GetResponseWait(Time timeout, uint32_t attempts) const;

    /**
     * @brief Get the random wait before a request with suppression: truncated exponential (RFC
     *        5740, section 5.3).
     * @param uniform a random number, 0 to 1
     * @return the wait, up to maxBackoff, which is above 0
     */
    Time GetBackoff(double uniform) const;
};

} // namespace ns3::lfn

#endif // JRM_SETTINGS_H
