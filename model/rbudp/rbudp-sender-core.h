// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_SENDER_CORE_H
#define RBUDP_SENDER_CORE_H

#include "rbudp-blast-schedule.h"
#include "rbudp-header.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-pacer.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief The sending side of RBUDP (section 4): blast, DONE, bitmap, retransmit, until all is
 * there.
 *
 * Independent of sockets and simulator: it is configured with the time and the acknowledgements,
 * and says which datagram leaves when. One payload at a time; the next one may start when this one
 * is complete.
 */
class RbudpSenderCore
{
  public:
    /** @brief Where a payload stands. */
    enum class State : uint8_t
    {
        IDLE,         //!< no payload yet
        BLASTING,     //!< A to B in figure 4
        AWAITING_ACK, //!< DONE has been sent (C), the bitmap (D) not yet there
        COMPLETE,     //!< the bitmap was full
        FAILED,       //!< given up, see GetFailure()
    };

    /** @brief What moves a payload on. */
    enum class Event : uint8_t
    {
        START,      //!< a payload is handed over
        BLAST_SENT, //!< the last datagram of the blast has left
        ACK_FULL,   //!< bitmap with nothing missing
        ACK_GAPS,   //!< bitmap with missing datagrams
        GIVE_UP,    //!< too many rounds, no progress, or an unusable acknowledgement
    };

    /** @brief What happens to the send rate after the first blast of a payload. */
    enum class RateAdapt : uint8_t
    {
        NONE,       //!< keep it (the paper)
        LOSS_BASED, //!< the rate times 1 - loss - 0.05, as in the tools' disabled code
    };

    /** @brief What the user sets. */
    struct Settings
    {
        DataRate sendRate{600'000'000};       //!< B_send, rate of payload bits, bit/s
        uint32_t payloadSize{1450};           //!< S_packet, user bytes per datagram
        Time pacingQuantum;                   //!< granularity of the pacing interval; 0 = ideal
        uint32_t maxRounds{1000};             //!< most blasts of a payload
        uint32_t noProgressRounds{10};        //!< most consecutive useless blasts
        RateAdapt rateAdapt{RateAdapt::NONE}; //!< what to do after a lossy first blast
    };

    /** @brief What has happened to the payload in work. */
    struct Counters
    {
        uint32_t blasts{0};                    //!< blasts begun, the first included
        uint64_t dataPackets{0};               //!< datagrams sent, retransmissions included
        uint64_t retransmittedPackets{0};      //!< datagrams retransmitted
        uint64_t firstBlastPackets{0};         //!< datagrams of the first blast, N
        uint64_t residualPacketsFirstBlast{0}; //!< missing after the first blast
        uint64_t acknowledgedBytes{0};         //!< user bytes the last bitmap reported
    };

    /** @brief A datagram that is due. */
    struct Departure
    {
        Time time;            //!< when it leaves, absolute
        uint64_t offset{0};   //!< place of its first byte in the payload, B
        uint32_t bytes{0};    //!< user bytes it carries
        uint32_t sequence{0}; //!< number in its header
    };

    /**
     * @brief The transitions.
     * @param state where the payload stands
     * @param event what happens
     * @return the new state; nothing when the event does not belong there
     */
    static std::optional<State> Transition(State state, Event event);

    /**
     * @brief Start a payload.
     * @param settings the user's values; payloadSize 1 to RbudpAnnouncement::MAX_PAYLOAD_SIZE,
     *        sendRate above 0
     * @param bytes size of the payload, S_total, above 0
     * @param now the present
     * @return what to announce; nothing when a payload is still in work or the values are out of
     *         range
     */
    std::optional<RbudpAnnouncement> Start(const Settings& settings, uint64_t bytes, Time now);

    /**
     * @brief Take the next datagram of this blast.
     * @return what leaves when; nothing when the blast has been sent
     */
    std::optional<Departure> Next();

    /**
     * @brief When the blast that Next() has handed out ends: one interval after its last datagram.
     * @return T_udpSend after the start of the blast, absolute
     */
    Time GetBlastEnd() const;

    /**
     * @brief End the blast.
     * @return the DONE message to send; nothing when no blast was under way
     */
    std::optional<RbudpDone> EndBlast();

    /**
     * @brief Take an acknowledgement.
     * @param message its bytes, as long as GetAckSize() says
     * @param now the present; a retransmission blast starts at once
     * @return the new state
     */
    State OnAck(std::span<const uint8_t> message, Time now);

    /** @brief Size of the acknowledgement that is awaited. @return bytes */
    uint64_t GetAckSize() const;

    /** @brief Where the payload stands. @return the state */
    State GetState() const;

    /** @brief Why the payload was given up. @return a short sentence, empty unless FAILED */
    const std::string& GetFailure() const;

    /** @brief What has happened to the payload. @return the counters */
    const Counters& GetCounters() const;

    /**
     * @brief What the last bitmap reported missing.
     * @return datagrams; all before the first bitmap
     */
    uint64_t GetMissing() const;
    /** @brief The rate of the present blast. @return rate of payload bits */
    DataRate GetSendRate() const;

  private:
    /**
     * @brief Begin a blast.
     * @param schedule what it sends
     * @param now when it starts
     */
    void BeginBlast(RbudpBlastSchedule schedule, Time now);

    /**
     * @brief Give the payload up.
     * @param why a short sentence
     */
    void GiveUp(const std::string& why);

    State m_state{State::IDLE};      //!< where the payload stands
    Settings m_settings;             //!< the user's values
    RbudpAnnouncement m_payload;     //!< what is being sent
    RbudpBlastSchedule m_schedule;   //!< the datagrams of this blast
    Pacer m_pacer;                   //!< when they leave
    DataRate m_rate{0};              //!< rate of this blast
    Time m_blastStart;               //!< when this blast began
    Counters m_counters;             //!< what has happened
    uint64_t m_missing{0};           //!< datagrams missing at the last bitmap
    uint32_t m_uselessRounds{0};     //!< blasts in a row that brought nothing
    uint32_t m_nextFirstSequence{0}; //!< first sequence number of the next payload
    std::string m_failure;           //!< why it was given up
};

/**
 * @brief Print a state.
 * @param os where to
 * @param state the state
 * @return os
 */
std::ostream& operator<<(std::ostream& os, RbudpSenderCore::State state);

} // namespace ns3::lfn

#endif // RBUDP_SENDER_CORE_H
