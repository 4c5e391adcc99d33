// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_SENDER_CORE_H
#define ATOU_SENDER_CORE_H

#include "atou-congestion.h"
#include "atou-options.h"
#include "atou-state.h"
#include "atou-statistics.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup lfn-atou
 * ns3::lfn::AtouSenderCore declaration.
 */

namespace ns3::lfn
{

class AtouRecovery;

/**
 * @ingroup lfn-atou
 * @brief The engine of an atou client: told of ACKs and times, it says what to send (section 3).
 *
 * After Start(), TakeAck() and Expire() the caller takes what is to be sent with NextSegment()
 * until there is nothing more, and calls Expire() at GetDeadline().
 */
class AtouSenderCore
{
  public:
    /** @brief A segment to send. */
    struct Transmission
    {
        uint32_t segment{0};    //!< its number, from 1
        bool isRepeated{false}; //!< it was sent before
        bool isDropped{false};  //!< droplist: it is not to be put on the wire
    };

    /** @brief How the transfer stands. */
    enum class Status : uint8_t
    {
        RUNNING,  //!< segments are sent or under way
        DONE,     //!< all that was to be sent is acknowledged
        GIVEN_UP, //!< maxidle timeouts in a row
    };

    AtouSenderCore();
    ~AtouSenderCore();

    /**
     * @brief Begin a transfer.
     * @param options the options, settled; they must not change afterwards
     * @param congestion the congestion control
     * @param now the time
     */
    void Start(Ptr<const AtouOptions> options, std::unique_ptr<AtouCongestion> congestion, Time now);

    /**
     * @brief Set who is told of events.
     * @param tell takes them, complete
     */
    void SetTell(std::function<void(const AtouEvent&)> tell);

    /**
     * @brief Take an acknowledgement (sections 3.2 to 3.8).
     * @param ack the acknowledgement
     * @return false when it is a badack: below una or above max, or a block that ends above max
     */
    bool TakeAck(const AtouAck& ack);

    /**
     * @brief Look at the timers: retransmission timeout (section 3.9) and the end of maxtime.
     * @param now the time
     */
    void Expire(Time now);

    /**
     * @brief Get the time of the next Expire().
     * @return the time; nothing when the transfer has ended
     */
    std::optional<Time> GetDeadline() const;

    /**
     * @brief Get the next segment to send.
     * @return the segment, or nothing
     */
    std::optional<Transmission> NextSegment();

    /**
     * @brief Get how the transfer stands.
     * @return the status
     */
    Status GetStatus() const;

    /**
     * @brief Get the state.
     * @return the state
     */
    const AtouState& GetState() const;

    /**
     * @brief Get the congestion control.
     * @return the object given to Start()
     */
    const AtouCongestion& GetCongestion() const;

    /**
     * @brief Get the counters of the summary.
     * @return the counters
     */
    const AtouStatistics& GetStatistics() const;

    // private part: the engine's author
};

} // namespace ns3::lfn

#endif // ATOU_SENDER_CORE_H
