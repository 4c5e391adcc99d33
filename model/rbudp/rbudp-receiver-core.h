// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_RECEIVER_CORE_H
#define RBUDP_RECEIVER_CORE_H

#include "rbudp-arrival-map.h"
#include "rbudp-blast-schedule.h"
#include "rbudp-header.h"

#include "ns3/lfn-drop-reason.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief The receiving side of RBUDP (section 4): arrivals the blast, answer DONE with the bitmap.
 *
 * Independent of sockets and simulator. Accepts one payload after the other.
 */
class RbudpReceiverCore
{
  public:
    /** @brief Where the receiver stands. */
    enum class State : uint8_t
    {
        IDLE,      //!< no payload announced, or the last one complete and acknowledged
        RECEIVING, //!< a payload is announced and not yet acknowledged as complete
    };

    /** @brief What moves the receiver on. */
    enum class Event : uint8_t
    {
        ANNOUNCED, //!< the size of a payload arrived
        DONE_GAPS, //!< DONE arrived and datagrams are missing
        DONE_FULL, //!< DONE arrived and nothing is missing
    };

    /** @brief Where a datagram belongs, or why it is refused. */
    struct Placement
    {
        std::optional<DropReason> refused; //!< set when the datagram is not wanted
        uint64_t offset{0};                //!< place of its first byte in the payload, B
    };

    /** @brief What has happened to the payload in work. */
    struct Counters
    {
        uint64_t deliveredBytes{0};     //!< distinct user bytes that arrived
        uint64_t duplicatePackets{0};   //!< datagrams that had arrived before
        uint64_t unpredictedPackets{0}; //!< datagrams read that were not the expected one
        uint32_t rounds{0};             //!< DONE messages answered
    };

    /**
     * @brief The transitions.
     * @param state where the receiver stands
     * @param event what happens
     * @return the new state; nothing when the event does not belong there
     */
    static std::optional<State> Transition(State state, Event event);

    /**
     * @brief Take the announcement of a payload.
     * @param announcement what is coming; bytes above 0
     * @return false when a payload is still in work or this one is empty
     */
    bool OnAnnouncement(const RbudpAnnouncement& announcement);

    /**
     * @brief Say whether a datagram is the one expected next, and expect the one after it.
     *
     * To be asked when a datagram is read off the socket, which is before OnDatagram(): the
     * scatter/gather receiver reads it straight to where it expects it (section 4). In the first
     * blast that is behind the last one read; in a later one, the next that the bitmap reported
     * missing.
     * @param sequence number in its header
     * @return whether it was predicted
     */
    bool Predict(uint32_t sequence);

    /**
     * @brief Take a datagram.
     * @param sequence number in its header
     * @param bytes user bytes it carries
     * @return where it belongs, or why it is refused
     */
    Placement OnDatagram(uint32_t sequence, uint32_t bytes);

    /**
     * @brief Take DONE.
     * @param done the message
     * @return the acknowledgement to send; nothing when DONE was not expected or its round is not
     *         the next
     */
    std::optional<std::vector<uint8_t>> OnDone(const RbudpDone& done);

    /** @brief Where the receiver stands. @return the state */
    State GetState() const;

    /** @brief The payload in work, or the last one. @return its announcement */
    const RbudpAnnouncement& GetPayload() const;

    /**
     * @brief Whether every datagram of the payload has arrived.
     * @return true when nothing is missing, and before the first payload
     */
    bool IsComplete() const;

    /** @brief What has happened to the payload. @return the counters */
    const Counters& GetCounters() const;

  private:
    State m_state{State::IDLE};          //!< where the receiver stands
    RbudpAnnouncement m_payload;         //!< what is coming
    RbudpArrivalMap m_arrivals;          //!< what has arrived
    RbudpBlastSchedule m_expected;       //!< the order in which this blast should arrive
    std::optional<uint64_t> m_predicted; //!< datagram expected next
    Counters m_counters;                 //!< what has happened
};

/**
 * @brief Print a state.
 * @param os where to
 * @param state the state
 * @return os
 */
std::ostream& operator<<(std::ostream& os, RbudpReceiverCore::State state);

} // namespace ns3::lfn

#endif // RBUDP_RECEIVER_CORE_H
