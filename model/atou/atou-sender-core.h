// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_SENDER_CORE_H
#define ATOU_SENDER_CORE_H

#include "atou-congestion.h"
#include "atou-epoch.h"
#include "atou-options.h"
#include "atou-output.h"
#include "atou-state.h"
#include "atou-statistics.h"
#include "atou-timer.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::lfn
{

class AtouRecovery;

/**
 * @ingroup lfn-atou
 * @brief The engine of an atou client: it gets ACKs and times and returns what to send (section 3).
 *
 * After Start(), OnAck() and Expire() the caller takes what is to be sent with NextSegment()
 * until there is nothing more, and calls Expire() at GetDeadline().
 */
class AtouSenderCore
{
  public:
    using Transmission = AtouTransmission; //!< a segment to send

    /** @brief How the transfer stands. */
    enum class Status : uint8_t
    {
        RUNNING,  //!< segments are sent or under way
        DONE,     //!< all that was to be sent is acknowledged
        GIVEN_UP, //!< maxidle timeouts in a row
    };

    AtouSenderCore();
    ~AtouSenderCore();

    // Its parts refer to each other by address.
    AtouSenderCore(const AtouSenderCore&) = delete;
    AtouSenderCore& operator=(const AtouSenderCore&) = delete;

    /**
     * @brief Begin a transfer.
     * @param options the options, settled; when they change afterwards, OnOptions() is to follow
     *        at once
     * @param congestion the congestion control
     * @param now the time
     * @param first the state to begin with, in no recovery: one of an earlier transfer, say;
     *        segments below its max count as sent. Nothing: segment 1, initsegs, thresh_init
     */
    void Start(Ptr<const AtouOptions> options,
               std::unique_ptr<AtouCongestion> congestion,
               Time now,
               const std::optional<AtouState>& first = std::nullopt);

    /**
     * @brief Go on with the options as they have become; see AtouOptions::CheckChange() for what
     *        may change.
     */
    void OnOptions();

    /**
     * @brief Set who is notified of events.
     * @param observer takes them, complete
     */
    void SetObserver(std::function<void(const AtouEvent&)> observer);

    /**
     * @brief Take an acknowledgement (sections 3.2 to 3.8).
     * @param ack the acknowledgement
     * @return false when it is a badack: below una or above max; a block that ends above max is
     *         left out
     */
    bool OnAck(const AtouAck& ack);

    /**
     * @brief Look at the timers: retransmission timeout (section 3.9) and the end of maxtime.
     * @param now the time; before GetDeadline() nothing happens
     */
    void Expire(Time now);

    /**
     * @brief Get the time of the next Expire().
     * @return the time; nothing when the transfer has ended
     */
    std::optional<Time> GetDeadline() const;

    /** @brief Get the next segment to send. @return the segment, or nothing */
    std::optional<Transmission> NextSegment();

    /** @brief Get how the transfer stands. @return the status */
    Status GetStatus() const;

    /** @return the state */
    const AtouState& GetState() const;

    /** @brief Get the congestion control. @return the object given to Start() */
    const AtouCongestion& GetCongestion() const;

    /** @brief Get the counters of the summary. @return the counters */
    const AtouStatistics& GetStatistics() const;

  private:
    /** @return the options that are the timer's */
    AtouTimer::Settings GetTimes() const;

    /**
     * @brief Take an ACK that advances una.
     * @param ack the acknowledgement
     */
    void Advance(const AtouAck& ack);

    /**
     * @brief Take an ACK that is no badack, without blocks that end above max.
     *
     * Somebody has had the server take a segment that was never sent: what else the server says may
     * still be true, and without it the transfer would never end.
     *
     * @param ack the acknowledgement
     */
    void OnValidAck(const AtouAck& ack);

    /**
     * @brief Get the number that the program has for an ACK.
     * @param ack the acknowledgement
     * @return the next segment expected; with SACK the last good one
     */
    uint32_t GetNumber(const AtouAck& ack) const;

    /**
     * @brief Take an ACK's round-trip time; when it ends an RTT, see how that went.
     * @param ack the acknowledgement
     */
    void MeasureEpoch(const AtouAck& ack);

    /**
     * @brief Measure RTTs again if the loss or the exit since which they are not is over.
     * @param ack the acknowledgement
     */
    void Resume(const AtouAck& ack);

    /** @brief Look at the retransmission timer. */
    void CheckTimer();

    /** @brief Stop sending new segments when maxtime is over. */
    void CheckMaxTime();

    /**
     * @brief Report an event.
     * @param event the event, without time and delta
     */
    void Report(AtouEvent event) const;

    Ptr<const AtouOptions> m_options;                 //!< the options
    std::unique_ptr<AtouCongestion> m_congestion;     //!< grows and cuts the window
    std::unique_ptr<AtouRecovery> m_recovery;         //!< detects and recovers losses
    std::function<void(const AtouEvent&)> m_observer; //!< takes events
    AtouState m_state;                                //!< windows
    mutable AtouStatistics m_statistics; //!< counters, the congestion control's when asked
    AtouOutput m_output;                 //!< what is to be sent
    AtouTimer m_timer;                   //!< retransmission timer
    AtouEpoch m_epoch;                   //!< the RTT under way
    Time m_start;                        //!< when the transfer began
    Time m_now;                          //!< the time of the last call
    uint32_t m_idle{0};                  //!< timeouts since una advanced
    Status m_status{Status::DONE};       //!< how the transfer stands
};

} // namespace ns3::lfn

#endif // ATOU_SENDER_CORE_H
