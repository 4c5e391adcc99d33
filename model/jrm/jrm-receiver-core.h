// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_RECEIVER_CORE_H
#define JRM_RECEIVER_CORE_H

#include "jrm-assembly.h"
#include "jrm-header.h"
#include "jrm-settings.h"
#include "jrm-source.h"
#include "jrm-stream-table.h"

#include "ns3/lfn-drop-reason.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief The receiving half of a participant: message holders, gaps, NACK requests (section 2).
 *
 * It gets the datagrams that arrive, says with GetDeadline() when Expire() has to be called, and
 * is asked for the NACK requests to send and the messages to deliver. Streams, one a sender and
 * group, are independent of each other. A participant's number belongs to the source, address and
 * port in one number, from which its streams come. What a host makes a receiver hold and ask for is
 * in proportion to what it has sent (deviation JRM-D18).
 */
class JrmReceiverCore
{
  public:
    /** @brief What holds for all messages. */
    using Settings = JrmReceiverSettings;

    /** @brief A NACK request to send. */
    struct Nack
    {
        JrmMessageId id;               //!< the message
        std::vector<uint16_t> packets; //!< PSNs asked for, ascending
        bool all{false};               //!< everything is asked for
        JrmSource source;              //!< whom to ask
    };

    /** @brief An answer to a probe, to send. */
    struct Answer
    {
        JrmMessageId id;  //!< VRN, MCG, and the probe's number
        Time held;        //!< how long it was held back
        JrmSource source; //!< whom to answer
    };

    /** @brief A message to deliver. */
    struct Delivery
    {
        JrmMessageId id;           //!< the message
        uint32_t length{0};        //!< its length, B
        Time begin;                //!< when its first packet came, or it was found missing
        Time end;                  //!< when its last packet came
        std::vector<uint8_t> data; //!< its bytes, when they are kept
    };

    /** @brief What has happened so far. */
    using Counters = JrmReceiverCounters;

    /** @brief What was decided of a message, with the numbers that decided, for an observer. */
    struct Decision
    {
        JrmMessageId id;      //!< the message
        const char* what{""}; //!< what was decided, and why
        uint64_t missing{0};  //!< packets missing; 0 if its length is unknown
        uint32_t attempts{0}; //!< requests since the last packet
        Time wait;            //!< how long the timer runs from now on
    };

    /**
     * @brief Start again.
     * @param settings what holds for all messages
     * @param uniform gives random numbers from 0 to 1, for suppression; may be empty without it
     */
    void Start(const Settings& settings, std::function<double()> uniform = {});
    /**
     * @brief Set an observer, until the next Start().
     * @param observer is called with each decision
     */
    void SetObserver(std::function<void(const Decision&)> observer);

    /**
     * @brief Take a MSG, NACK_RESP or PARITY datagram.
     * @param header its header
     * @param bytes size of its data, B
     * @param data its data, when they are kept; empty otherwise
     * @param now the time
     * @param source where it came from
     * @param parity which parity it is, if it is one
     * @return nothing when the packet was taken; otherwise why not: DUPLICATE also for what is old
     *         or finished, WRONG_LENGTH also for another length, or other blocks, of a known
     *         message, UNEXPECTED for what is no MSG of a sender never received before and for
     *         parities without the option, UNKNOWN_PEER for a number that belongs to another
     *         source, BUFFER_FULL for too many streams, messages or bytes
     */
    std::optional<DropReason> OnPacket(const JrmHeader& header,
                                       uint32_t bytes,
                                       std::span<const uint8_t> data,
                                       Time now,
                                       const JrmSource& source = {},
                                       std::optional<JrmParity> parity = {});

    /**
     * @brief Take a HEARTBEAT: the newest message of a sender.
     * @param id the message
     * @param now the time
     * @param source where it came from
     * @param earlier messages of its stream so far, as it reports: 0 for none that are to be had
     * @return nothing when it was of use, or is old; otherwise why not: OUT_OF_RANGE when it is too
     *         far ahead, UNKNOWN_PEER for a number that belongs to another source, BUFFER_FULL for
     *         too many streams
     */
    std::optional<DropReason> OnHeartbeat(const JrmMessageId& id,
                                          Time now,
                                          const JrmSource& source = {},
                                          uint8_t earlier = 0);

    /**
     * @brief Take a PROBE: nackTimeout follows what it reports, and it is answered after a random
     *        wait of up to an RTT (JRM-D19).
     * @param id VRN, MCG, and the probe's number
     * @param reported the RTT that it announces, see JrmGrtt::Quantise()
     * @param now the time
     * @param source where it came from
     * @return nothing when it was of use; otherwise why not: UNEXPECTED without the option, and of
     *         a sender never received before; UNKNOWN_PEER for a number that belongs to another
     *         source; OUT_OF_RANGE when it reports what nothing is
     */
    std::optional<DropReason> OnProbe(const JrmMessageId& id,
                                      uint16_t reported,
                                      Time now,
                                      const JrmSource& source = {});

    /**
     * @brief Another receiver's NACK request was received (suppression).
     * @param id the message
     * @param packets PSNs that it asks for
     * @param all it asks for everything
     * @param now the time
     * @param parities as many parities will do
     */
    void OnForeignNack(const JrmMessageId& id,
                       std::span<const uint16_t> packets,
                       bool all,
                       Time now,
                       bool parities = false);

    /**
     * @brief Forget a group: its messages are neither asked for nor delivered any more.
     *
     * What is sent to it later begins its streams again, if it is taken at all.
     *
     * @param group MCG
     */
    void Leave(uint32_t group);

    /** @brief Handle the timers that are due. */
    void Expire(Time now);

    /** @brief Get the time of the next Expire(). @return the time; nothing when no timer runs */
    std::optional<Time> GetDeadline() const;

    /** @brief Get the next NACK request to send. @return the request, or nothing */
    std::optional<Nack> NextNack();

    /** @brief Get the next answer to a probe. @return the answer, or nothing */
    std::optional<Answer> NextAnswer();

    /** @brief Get the next message to deliver. @return the message, or nothing */
    std::optional<Delivery> NextDelivery();

    /** @brief Count the message holders. @return messages begun and not finished */
    std::size_t GetHolders() const;

    /**
     * @brief Get the largest number of message holders so far.
     * @return the most messages that were begun and not finished at a time
     */
    std::size_t GetPeakHolders() const;

    /** @brief Get the length of all messages of which a packet has come. @return their bytes, B */
    uint64_t GetOfferedBytes() const;

    /**
     * @brief Get the length of the messages that were given up.
     * @return their bytes, as far as a packet of them has given the length, B
     */
    uint64_t GetLostBytes() const;

    /**
     * @brief Get what has happened with all senders.
     * @return the counters, summed over all streams
     */
    Counters GetCounters() const
    {
        return m_streams.GetCounters();
    }

    /**
     * @brief Get what has happened with one sender's messages.
     * @param participant its VRN
     * @return the counters, summed over its groups, forgotten streams included
     */
    Counters GetCounters(uint32_t participant) const
    {
        return m_streams.GetCounters(participant);
    }

  private:
    using Stream = JrmStream;         //!< what is kept of a sender in a group
    using Holder = JrmStream::Holder; //!< a message in the making
    using Timers = JrmStream::Timers; //!< messages by the end of their timers
    using Wait = JrmStream::Wait;     //!< what a message's timer is for

    /**
     * @brief Check what a datagram of a message says, by itself.
     * @param header its header
     * @param bytes size of its data, B
     * @param parity which parity it is, if it is one
     * @return why it is refused, or nothing
     */
    std::optional<DropReason> Check(const JrmHeader& header,
                                    uint32_t bytes,
                                    const std::optional<JrmParity>& parity);

    /**
     * @brief Store a packet of a message that has a holder.
     * @param stream its stream
     * @param holder the holder
     * @param header its header
     * @param bytes size of its data, B
     * @param data its data, when they are kept; empty otherwise
     * @param now the time
     * @param parity which parity it is, if it is one
     * @return why it is refused, or nothing
     */
    std::optional<DropReason> Store(Stream& stream,
                                    Holder& holder,
                                    const JrmHeader& header,
                                    uint32_t bytes,
                                    std::span<const uint8_t> data,
                                    Time now,
                                    const std::optional<JrmParity>& parity);

    /** @brief Answer the probes that are due. */
    void AnswerProbes(Time now);

    /**
     * @brief Report a decision to the observer.
     * @param what what was decided, and why
     * @param id the message
     * @param holder its holder; null if it has none
     * @param wait how long the timer runs from now on
     */
    void Report(const char* what,
                const JrmMessageId& id,
                const Holder* holder,
                Time wait = {}) const;

    /** @brief Forget the streams that have not been received for streamTimeout. */
    void ForgetSilent(Time now);

    /**
     * @brief Take notice of a message number: find gaps, or a new beginning.
     * @param stream its stream
     * @param id the message
     * @param isNews whether it may be a new beginning (a repeated packet may not)
     * @param earlier messages before it that a new beginning is to have, too
     * @param now the time
     */
    void OnNumber(Stream& stream, const JrmMessageId& id, bool isNews, uint8_t earlier, Time now);

    /**
     * @brief Give up all of a stream's messages and begin again.
     * @param stream the stream
     * @param message its next MSN
     */
    void Restart(Stream& stream, uint32_t message);

    /** @brief Make a holder. @return the holder, whose timer is not set */
    Holder& MakeHolder(Stream& stream, const JrmMessageId& id, Time now);

    /**
     * @brief Set a holder's timer.
     * @param holder the holder
     * @param id the message
     * @param wait what it is for
     * @param until when it ends
     */
    void SetTimer(Holder& holder, const JrmMessageId& id, Wait wait, Time until);

    /**
     * @brief A message lacks packets: request them, at once or after a random wait.
     * @param stream its stream
     * @param holder its holder
     * @param id the message
     * @param now the time
     * @param wait before any random wait
     */
    void Request(Stream& stream,
                 Holder& holder,
                 const JrmMessageId& id,
                 Time now,
                 Time wait = Time(0));

    /**
     * @brief Make the request and wait for the response.
     *
     * A long list takes several datagrams, none of them larger than a packet of a message, or
     * 1024 B (deviation JRM-D9).
     */
    void MakeNack(Stream& stream, Holder& holder, const JrmMessageId& id, Time now);

    /** @brief Wait for the response to a request, one's own or another's. */
    void AwaitResponse(Stream& stream, Holder& holder, const JrmMessageId& id, Time now);

    /** @brief Deliver a complete message and forget its holder. */
    void Complete(Stream& stream, const JrmMessageId& id, Time now);

    /** @brief Count a message as lost and remove its holder. */
    void GiveUp(Stream& stream, std::map<uint32_t, Holder>::iterator holder);

    /** @brief Remove a holder and its timer. */
    void Forget(Stream& stream, std::map<uint32_t, Holder>::iterator holder);

    Settings m_settings;                             //!< what holds for all messages
    std::function<double()> m_uniform;               //!< random numbers
    std::function<void(const Decision&)> m_observer; //!< called with decisions; may be empty
    JrmStreamTable m_streams;                        //!< the senders, by group
    Timers m_timers;                                 //!< running timers
    std::deque<Nack> m_nacks;                        //!< requests to send
    std::multimap<Time, JrmStream::Key> m_due;       //!< probes to answer
    std::deque<Answer> m_answers;                    //!< answers to send
    std::deque<Delivery> m_deliveries;               //!< messages to deliver
    uint64_t m_offeredBytes{0}; //!< length of messages of which a packet has come, B
    uint64_t m_lostBytes{0};    //!< length of messages given up, if known, B
};

} // namespace ns3::lfn

#endif // JRM_RECEIVER_CORE_H
