// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_STREAM_TABLE_H
#define JRM_STREAM_TABLE_H

#include "jrm-adaptive-timeout.h"
#include "jrm-assembly.h"
#include "jrm-header.h"
#include "jrm-host-budget.h"
#include "jrm-settings.h"
#include "jrm-source.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief What has happened to the messages of senders.
 */
struct JrmReceiverCounters
{
    uint64_t delivered{0};  //!< messages complete
    uint64_t lost{0};       //!< messages given up
    uint64_t nacks{0};      //!< NACK requests made
    uint64_t suppressed{0}; //!< NACK requests not made, since another's was received
    uint64_t duplicates{0}; //!< packets that were there already, or of finished messages
    uint64_t beginnings{0}; //!< streams that began again
    uint64_t withheld{0};   //!< NACK requests not made, or not in full, beyond NackLimit
    uint64_t answers{0};    //!< probes answered

    /**
     * @brief Add the counters of another sender.
     * @param more the counters
     */
    void Add(const JrmReceiverCounters& more);
};

/**
 * @ingroup lfn-jrm
 * @brief What a receiver keeps of a sender in a group.
 */
struct JrmStream
{
    using Key = std::pair<uint32_t, uint32_t>;        //!< VRN, MCG
    using Timers = std::multimap<Time, JrmMessageId>; //!< messages by the end of their timers

    /** @brief What a message's timer is for. */
    enum class Wait
    {
        PACKETS,  //!< recvTimeout: further packets
        BACKOFF,  //!< reorderWait, and with suppression another receiver's request
        RESPONSE, //!< nackTimeout: a response
    };

    /** @brief A message holder. */
    struct Holder
    {
        JrmAssembly parts;        //!< what has come
        uint32_t attempts{0};     //!< requests since the last packet
        Wait wait{Wait::PACKETS}; //!< what the timer is for
        Timers::iterator timer;   //!< the timer
        Time begin;               //!< when it was made
        uint64_t bytes{0};        //!< what it takes: data that came, a bit for each packet, B
    };

    /** @brief A probe to be answered. */
    struct Probe
    {
        uint32_t number{0}; //!< its number
        Time arrival;       //!< when it came
    };

    /**
     * @brief Expect the next message; what was asked for a window before it counts as lost.
     * @param window MSNs that are remembered
     */
    void Advance(uint32_t window);

    /** @brief The group is left: forget what is missing. */
    void Close();

    bool isOpen{true};                  //!< false after Leave(), until it begins again
    JrmSource source;                   //!< where it comes from
    JrmHostBudget::Host* host{nullptr}; //!< the same, without its port
    Time lastArrival;                   //!< when something of it came last
    uint64_t datagrams{0};              //!< how much has come of it
    std::optional<JrmSource> rival;     //!< who had the number before, by one datagram
    std::list<Key>::iterator place;     //!< among all by that time
    uint32_t next{0};                   //!< MSN after the newest one seen
    std::optional<uint32_t> former;     //!< the same before the stream began again
    std::map<uint32_t, Holder> holders; //!< messages begun, by MSN
    std::set<uint32_t> asked;           //!< without createHolderOnGap: missing MSNs
    JrmAdaptiveTimeout recv;            //!< recvTimeout
    JrmAdaptiveTimeout nack;            //!< nackTimeout
    std::optional<Time> grtt;           //!< RTT that it reports
    std::optional<Probe> probe;         //!< its newest probe, until it is answered
    JrmReceiverCounters counters;       //!< what has happened
};

/**
 * @ingroup lfn-jrm
 * @brief The streams of a receiver: which source has which participant's number, and what the
 *        streams of each host take (deviation JRM-D18).
 *
 * A participant's number belongs to the source, address and port in one number, from which its
 * streams come.
 */
class JrmStreamTable
{
  public:
    /** @brief A table without streams. */
    JrmStreamTable() = default;

    /**
     * @brief A table without streams.
     * @param settings what holds for all streams
     */
    explicit JrmStreamTable(const JrmReceiverSettings& settings);

    /**
     * @brief Check whether a participant's number is free, or belongs to this source.
     * @param participant VRN
     * @param source the source
     * @return false when another has it
     */
    bool IsOwner(uint32_t participant, const JrmSource& source) const;

    /**
     * @brief The same for a datagram of a message, with which the number may change hands: when
     *        its owner has sent one datagram alone, or is silent for LongestTimeout and the message
     *        continues its stream (JRM-D18).
     * @param id the message
     * @param source where it came from
     * @param now the time
     * @param isNews whether it may be a new beginning (a repeated packet may not)
     * @return false when another has it
     */
    bool OnNumber(const JrmMessageId& id, const JrmSource& source, Time now, bool isNews);

    /**
     * @brief Find a stream, open or not.
     * @param key its sender and group
     * @return the stream, or null
     */
    JrmStream* Find(const JrmStream::Key& key);

    /**
     * @brief Find the open stream of a message.
     * @param id the message
     * @return the stream, or null when none has begun
     */
    JrmStream* FindOpen(const JrmMessageId& id);

    /**
     * @brief Get the stream of a message; make it, with this message as the first.
     * @param id the message
     * @param source where it came from
     * @param earlier messages before it that a stream never received is to have, too
     * @return the stream, or null when there are too many
     */
    JrmStream* Get(const JrmMessageId& id, const JrmSource& source, uint8_t earlier);

    /**
     * @brief Get the streams of a group.
     * @param group MCG
     * @return the streams, open or not, by VRN
     */
    std::vector<JrmStream*> GetGroup(uint32_t group);

    /**
     * @brief Something of a stream has come.
     * @param stream the stream
     * @param bytes its size, B
     * @param now the time
     */
    void OnArrival(JrmStream& stream, uint32_t bytes, Time now);

    /**
     * @brief A message takes more bytes.
     * @param stream its stream
     * @param holder its holder
     * @param bytes how many, B
     */
    void Charge(JrmStream& stream, JrmStream::Holder& holder, uint64_t bytes);

    /**
     * @brief Check whether there is room for a packet.
     * @param stream its stream
     * @param header its header
     * @param bytes size of its data, B
     * @return false when its host has too many messages or bytes here
     */
    bool HasRoom(const JrmStream& stream, const JrmHeader& header, uint32_t bytes) const;

    /**
     * @brief Find a stream that was silent for streamTimeout.
     * @param now the time
     * @return the one that is silent for longest, or null
     */
    JrmStream* FindSilent(Time now);

    /**
     * @brief Forget a stream; its counters are kept.
     * @param stream the stream, which has no holders
     */
    void Forget(const JrmStream& stream);

    /** @brief Get what the streams of hosts take. @return the budget */
    JrmHostBudget& GetBudget();

    /** @brief Get what the streams of hosts take. @return the budget */
    const JrmHostBudget& GetBudget() const;

    /**
     * @brief Get what has happened with all senders.
     * @return the counters, summed over all streams
     */
    JrmReceiverCounters GetCounters() const;

    /**
     * @brief Get what has happened with one sender's messages.
     * @param participant its VRN
     * @return the counters, summed over its groups, forgotten streams included
     */
    JrmReceiverCounters GetCounters(uint32_t participant) const;

  private:
    /**
     * @brief All streams of a participant come from another source from now on.
     * @param participant VRN
     * @param source the source
     * @return false when that one may have no more streams
     */
    bool ChangeSource(uint32_t participant, const JrmSource& source);

    JrmReceiverSettings m_settings;                 //!< what holds for all streams
    std::map<JrmStream::Key, JrmStream> m_streams;  //!< the senders, by group
    std::list<JrmStream::Key> m_byArrival;          //!< the same, the one longest silent first
    JrmHostBudget m_budget;                         //!< what hosts take, and may ask for
    std::map<uint32_t, JrmReceiverCounters> m_past; //!< of forgotten streams, by VRN; 0 for many
};

} // namespace ns3::lfn

#endif // JRM_STREAM_TABLE_H
