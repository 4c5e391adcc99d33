// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_OUTGOING_FRAME_H
#define VRP_OUTGOING_FRAME_H

#include "vrp-frame-header.h"
#include "vrp-rate-control.h"
#include "vrp-rtt-estimator.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/** @brief States of an outgoing frame (section 3.2.1). */
enum class VrpFrameState : uint8_t
{
    CREATED,     //!< nothing has been sent
    HEADER_SENT, //!< the frame header is on its way
    SEND,        //!< the receiver has the header, data flow
    DONE,        //!< every packet is acknowledged
    REFUSED,     //!< the receiver has no room
    ERROR,       //!< the receiver has forgotten this frame, or broke a strict rule
    TIMED_OUT,   //!< the life timeout: nothing new was received for too long
};

/** @brief Get a state's name. @return its name in lower case, such as "timed-out" */
const char* ToString(VrpFrameState state);

/**
 * @ingroup lfn-vrp
 * @brief The sender's half of a frame: outgoing frame information block (sections 2.3.2 and 3.2.1).
 *
 * Next() returns what to send; it gets what was acknowledged, and says with GetDeadline()
 * when to ask again. The timeout belongs to the sender and is shared by its frames. Work a packet
 * does not depend on the window or on the size of the frame: timers are kept in the order of
 * their deadlines, in which a new one nearly always comes last.
 */
class VrpOutgoingFrame
{
  public:
    /** @brief What does not change during a frame. */
    struct Settings
    {
        VrpFrameHeader header;    //!< the frame
        uint32_t windowSize{64};  //!< packets from ack_expected on that may be under way (C11)
        bool countUnacked{false}; //!< it limits the packets not acknowledged, not their span
        Time frameTimeout;        //!< life timeout
        Time backoffLimit{Time::Max()}; //!< no doubling lifts the timeout above it (VRP-D23)
        bool strictErrors{false};       //!< ACK or NACK outside the window is an error (C9)
        bool dataWithHeader{false};     //!< packet 0 rides with the frame header
    };

    /** @brief A packet to send now. */
    struct Step
    {
        bool header{false}; //!< the frame header (with packet 0 when dataWithHeader)
        uint32_t packet{0}; //!< data packet, when it is no header
        bool repeat{false}; //!< it has been sent before
    };

    /** @brief What has happened so far. */
    struct Counters
    {
        uint64_t headers{0};         //!< frame headers sent
        uint64_t dataPackets{0};     //!< data packets sent, repetitions included
        uint64_t nacks{0};           //!< NACKs that had a packet retransmitted
        uint64_t timeouts{0};        //!< timers of data packets that expired
        uint64_t ignoredAcks{0};     //!< ACKs of packets never sent (C9)
        uint64_t ignoredNacks{0};    //!< NACKs for packets acknowledged, unsent or about to be sent
        uint64_t acceptedLosses{0};  //!< losses that the receiver reported it accepted
        uint64_t retransmissions{0}; //!< data packets retransmitted

        /**
         * @brief Add up.
         * @param other another frame's
         * @return the sum
         */
        Counters& operator+=(const Counters& other);
    };

    /**
     * @brief A frame, not yet started.
     * @param settings what does not change
     * @param timeout the sender's adaptive timeout
     * @param rate the sender's rate control, which gets what is sent, arrived and was lost; or
     * null
     */
    VrpOutgoingFrame(const Settings& settings,
                     Ptr<VrpRttEstimator> timeout,
                     std::shared_ptr<VrpRateControl> rate = nullptr);

    /**
     * @brief Ask for the next packet to send.
     * @return the packet, which is then taken as sent now; nothing until GetDeadline() or until
     *         something is received
     */
    std::optional<Step> Next(Time now);

    /**
     * @brief What Next() said leaves only now: its RTT and its timer begin now.
     * @param step what Next() said
     * @param now the time
     */
    void MarkLeft(const Step& step, Time now);

    /**
     * @brief Get the time at which Next() has to be asked again though nothing was received.
     * @return the time; Time::Max() when the frame has ended
     */
    Time GetDeadline() const;

    /**
     * @brief End the frame as an error.
     * @param reason why, one line
     */
    void Abort(const std::string& reason);

    /** @brief FRAME_OK has come. */
    void OnFrameOk(Time now);

    /** @brief FRAME_REFUSED has come. */
    void OnRefused();

    /** @brief MISSING_HDR has come: the header is retransmitted, or the frame is lost. */
    void OnMissingHeader();

    /**
     * @brief SINGLE_ACK has come.
     * @param packet its packet
     * @param accepted it stands for an accepted loss: no sample for the timeout (C6)
     * @param now the time
     */
    void OnSingleAck(uint32_t packet, bool accepted, Time now);

    /**
     * @brief ACK has come: the packet and all before it.
     *
     * Among those may be accepted losses whose SINGLE_ACK was lost, so an ACK gives no sample
     * where the receiver sends SINGLE_ACKs, and else only for the packet that it names (C6).
     *
     * @param packet its packet
     * @param now the time
     */
    void OnAck(uint32_t packet, Time now);

    /** @brief NACK has come. */
    void OnNack(uint32_t packet, Time now);

    /** @return the state */
    VrpFrameState GetState() const;

    /**
     * @brief Check whether the frame has ended, well or not.
     * @return true in DONE, REFUSED, ERROR and TIMED_OUT
     */
    bool IsEnded() const;

    /** @brief Get why the frame failed. @return one line; empty when it has not */
    const std::string& GetFailure() const;

    /** @brief Get ack_expected. @return the lowest packet not acknowledged */
    uint32_t GetAckExpected() const;

    /** @brief Get next_to_send. @return the lowest packet never sent */
    uint32_t GetNextToSend() const;

    /** @brief Get what has happened. @return the counters */
    const Counters& GetCounters() const;

    /** @brief Get the frame header. @return what both ends have of the frame */
    const VrpFrameHeader& GetHeader() const;

  private:
    /// Packets by what StartTimer() gave.
    using Timers = std::multimap<Time, uint32_t>;

    /** @brief State of a packet in the window. */
    struct Cell
    {
        bool acked{false};         //!< acknowledged
        bool retransmitted{false}; //!< sent more than once: no sample (Karn)
        bool queued{false};        //!< waits to be retransmitted
        Time sent;                 //!< when it was sent last
        uint64_t order{0};         //!< what the rate control calls that sending
        Timers::iterator timer;    //!< its timer, unless acked or queued
    };

    /**
     * @brief The only place where the state changes.
     * @param state the new state
     * @param failure why, when it is a bad end
     */
    void SetState(VrpFrameState state, const std::string& failure = "");

    /**
     * @brief Ask for the frame header, before the receiver has it.
     * @return the header, or nothing until its timer expires
     */
    std::optional<Step> NextHeader(Time now);

    /**
     * @brief Get the cell of a packet.
     * @param packet between ack_expected and next_to_send
     * @return the cell
     */
    Cell& At(uint32_t packet);

    /**
     * @brief Start a timer: its end, or its beginning where timers follow the estimate.
     * @param now the time
     * @return what GetDue() makes the end of
     */
    Time StartTimer(Time now) const;

    /**
     * @brief Get when a timer ends, as things are now.
     * @param timer what StartTimer() gave
     * @return the time
     */
    Time GetDue(Time timer) const;

    /** @brief Let the next packet into the window. */
    void Open();

    /**
     * @brief Take a packet as sent now.
     * @param packet its number
     * @param now the time
     */
    void MarkSent(uint32_t packet, Time now);

    /**
     * @brief Take a packet as acknowledged.
     * @param packet in the window
     * @param sample whether it may yield a sample
     * @param came whether it came; otherwise it is an accepted loss
     * @param now the time
     */
    void MarkAcked(uint32_t packet, bool sample, bool came, Time now);

    /**
     * @brief Have a packet retransmitted.
     * @param packet in the window, under way
     * @param now the time
     */
    void Requeue(uint32_t packet, Time now);

    /**
     * @brief Check whether an ACK or NACK names a packet that it may name; strict rules may end the
     * frame (C9).
     * @param packet its packet
     * @param ignored counts those that are ignored
     * @param what what names it, for the failure
     * @return true if the packet has been sent and the frame is alive
     */
    bool Accept(uint32_t packet, uint64_t& ignored, const char* what);

    /** @brief An ACK of data that rode with the header says as much as a FRAME_OK. */
    void OnPiggybackedAck(uint32_t packet, Time now);

    /** @brief Forget what was sent: the receiver never saw the frame header. */
    void Rewind();

    /** @brief Expire the timers that are due. */
    void Expire(Time now);

    /** @brief Move ack_expected over what is acknowledged; the frame may be done. */
    void Slide();

    Settings m_settings;                           //!< what does not change
    Ptr<VrpRttEstimator> m_timeout;                //!< the sender's timeout
    std::shared_ptr<VrpRateControl> m_rate;        //!< the sender's rate control, or null
    VrpFrameState m_state{VrpFrameState::CREATED}; //!< the state
    std::string m_failure;                         //!< why it failed
    uint32_t m_packets{0};                         //!< packets of the frame
    uint32_t m_ackExpected{0};                     //!< ack_expected
    uint32_t m_nextToSend{0};                      //!< next_to_send
    std::deque<Cell> m_cells;                      //!< from ack_expected to next_to_send
    uint32_t m_unacked{0};                         //!< packets sent and not acknowledged
    Timers m_timers;                               //!< running timers
    std::deque<uint32_t> m_resend;                 //!< packets to retransmit
    bool m_headerDue{true};                        //!< the header is to be sent
    bool m_headerKnown{false};                     //!< FRAME_OK came once
    bool m_anyAcked{false};                        //!< some packet was acknowledged
    uint32_t m_everSent{0};                        //!< packets below were sent, if before Rewind()
    Time m_headerSent;                             //!< when the header was sent last
    Time m_headerTimer;                            //!< the header's timer, see StartTimer()
    bool m_singleAcks{false};                      //!< the receiver sends SINGLE_ACKs
    Time m_lastNews;                               //!< when something new was received last
    Counters m_counters;                           //!< what has happened
};

} // namespace ns3::lfn

#endif // VRP_OUTGOING_FRAME_H
