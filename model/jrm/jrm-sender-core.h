// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_SENDER_CORE_H
#define JRM_SENDER_CORE_H

#include "jrm-adaptive-timeout.h"
#include "jrm-header.h"
#include "jrm-repair-budget.h"
#include "jrm-settings.h"
#include "jrm-source.h"

#include "ns3/lfn-drop-reason.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief The sending half of a participant: numbers, retention, NACK responses (section 2).
 *
 * Every message is kept until nobody has asked for it for sendTimeout. A NACK request is answered
 * by the packets that it names, at once, or, with aggregation, together with what others ask for
 * within a while (NORM, RFC 5740). Where it may, it answers by new parities of a block instead, as
 * many as the one that lacks most of it asks for (JRM-D21). Anybody may ask: what is retransmitted
 * stays in proportion to what was sent first, for each host that asks and in all (deviation
 * JRM-D18).
 */
class JrmSenderCore
{
  public:
    /** @brief What holds for all messages. */
    struct Settings : JrmCommonSettings
    {
        uint32_t participant{0};       //!< VRN of this participant
        Time sendTimeout{Seconds(25)}; //!< sendTimeout, first value
        bool sendTimeoutFloor{true};   //!< it does not fall below its first value (JRM-D8)
        uint32_t firstMessage{0};      //!< MSN of the first message of every group
        bool answerAll{true};          //!< ALL_PACKETS is heeded (J-C6)
        bool copyWaiting{false};       //!< what waits to leave is retransmitted, too (JRM-D11)
        Time holdOff;                  //!< a packet goes again to the same asker; 0: at any time
        Time spacing; //!< between two repairs of a packet where they get scarce, at least
        JrmRepairBudget::Limits repairs; //!< what hosts that ask may make it retransmit
    };

    /** @brief A packet to retransmit, or a parity. */
    struct Response
    {
        JrmMessageId id;                   //!< the message
        uint16_t packet{0};                //!< PSN; of a parity the first one of its block
        uint32_t length{0};                //!< length of the message, B
        std::optional<JrmParity> parity{}; //!< which parity it is, if it is one
    };

    /** @brief What has happened so far. */
    struct Counters
    {
        uint64_t messages{0};  //!< messages sent
        uint64_t requests{0};  //!< NACK requests that were of use
        uint64_t responses{0}; //!< packets to retransmit, and parities
        uint64_t parities{0};  //!< of these, parities
        uint64_t late{0};      //!< requests for messages that are gone
        uint64_t early{0};     //!< requests for packets that have not left yet
        uint64_t refused{0};   //!< requests for what was never sent
        uint64_t held{0};      //!< requests for what their sender was just sent
        uint64_t denied{0};    //!< requests beyond RepairLimit
    };

    /**
     * @brief Start again.
     * @param settings what holds for all messages
     */
    void Start(const Settings& settings);

    /**
     * @brief Send a message: number it and keep it.
     * @param group MCG
     * @param length its length, B, at most 65535 packets
     * @param now the time
     * @return its identity, or nothing when it is too long
     */
    std::optional<JrmMessageId> Send(uint32_t group, uint32_t length, Time now);

    /**
     * @brief A message leaves later than it was given: its sendTimeout starts then.
     *
     * Its packets are not retransmitted before Release() reports that they have left, unless
     * Settings::copyWaiting is set.
     *
     * @param id a message just given to Send()
     * @param from when its last packet leaves
     */
    void Retain(const JrmMessageId& id, Time from);

    /**
     * @brief A packet of a message that leaves later has left, and all before it.
     * @param id the message
     * @param packet PSN
     */
    void Release(const JrmMessageId& id, uint16_t packet);

    /**
     * @brief Set how long a packet of a group does not go to the same asker again.
     * @param group MCG
     * @param holdOff the time, where it is longer than that of the settings
     */
    void SetHoldOff(uint32_t group, Time holdOff);

    /**
     * @brief Check whether a group has had messages.
     * @param group MCG
     * @return true when at least one was sent to it
     */
    bool HasSentTo(uint32_t group) const;

    /**
     * @brief Count the messages of a stream before one, for who has not received them (J-C5).
     * @param id the message, or the one that is next
     * @return messages; 0 when they are more than 255, or the first of them is not kept any more
     */
    uint8_t CountEarlier(const JrmMessageId& id) const;

    /**
     * @brief Take a NACK request.
     * @param id the message asked for
     * @param packets PSNs asked for
     * @param all everything is asked for
     * @param now the time
     * @param source who asks
     * @param parities parities will do
     * @return nothing when it was of use, early or late; otherwise why not: OUT_OF_RANGE when it
     *         asks for another participant's message or for what was never sent, DUPLICATE within
     *         the hold-off, BUFFER_FULL beyond the limit
     */
    std::optional<DropReason> OnNack(const JrmMessageId& id,
                                     std::span<const uint16_t> packets,
                                     bool all,
                                     Time now,
                                     const JrmSource& source = {},
                                     bool parities = false);

    /** @brief Handle the timers that are due. */
    void Expire(Time now);

    /** @brief Get the time of the next Expire(). @return the time; nothing when no timer runs */
    std::optional<Time> GetDeadline() const;

    /** @brief Get the next packet to retransmit. @return the packet, or nothing */
    std::optional<Response> NextResponse();

    /** @brief Count the messages kept. @return their number */
    std::size_t GetKept() const;

    /** @brief Get what has happened. @return the counters */
    const Counters& GetCounters() const;

    /**
     * @brief Count the packets of a message.
     * @param length its length, B
     * @return packets, at least one
     */
    uint64_t CountPackets(uint32_t length) const;

  private:
    /** @brief A packet that was asked for. */
    struct Repair
    {
        Time at;           //!< when it went last, or goes
        JrmSource source;  //!< who asked
        bool waits{false}; //!< it goes later, once for all who ask until then
    };

    /** @brief A block of packets of which some were asked for. */
    struct Block
    {
        uint32_t next{0};   //!< number of its next parity
        uint32_t wanted{0}; //!< parities asked for, by the one who lacks most, not yet answered
        Time at;            //!< when they went last, or go
        JrmSource source;   //!< who asked last for more
    };

    /** @brief A message kept. */
    struct Kept
    {
        JrmMessageId id;                    //!< the message
        uint32_t length{0};                 //!< its length, B
        uint64_t left{0};                   //!< packets that have left, PSN 1 first
        Time since;                         //!< when it was sent, or asked for last
        std::set<uint16_t> wanted;          //!< packets asked for, not yet answered
        bool gathering{false};              //!< requests are gathered
        std::map<uint16_t, Repair> repairs; //!< packets asked for
        std::map<uint16_t, Block> blocks;   //!< blocks asked for, by their first PSN
        std::set<uint16_t> wantedBlocks;    //!< of those, the ones not yet answered
    };

    /** @brief What came of a request, packet by packet. */
    struct Verdict
    {
        bool isUseful{false};                                        //!< something will be sent
        bool isEarly{false};                                         //!< something has not left yet
        std::optional<DropReason> refused{DropReason::OUT_OF_RANGE}; //!< why the rest was refused

        /// Take notice of what came of a part of it.
        void Add(std::optional<DropReason> why);
    };

    /** @brief A packet or a block that goes later. */
    struct Spaced
    {
        uint64_t key{0};     //!< of its message
        uint16_t packet{0};  //!< PSN, or the first one of the block
        bool isBlock{false}; //!< parities go
    };

    /** @brief Get the key of a message. @return MCG and MSN in one number */
    static uint64_t GetKey(const JrmMessageId& id);

    /**
     * @brief Get the size of all datagrams of a message.
     * @param length its length, B
     * @return size, headers of 20 bytes included, B
     */
    uint64_t GetSize(uint32_t length) const;

    /**
     * @brief Ask for what a NACK request names.
     * @param kept the message
     * @param packets PSNs
     * @param all everything is asked for
     * @param now the time
     * @param source who asks
     * @param parities parities will do
     * @return what came of it
     */
    Verdict Ask(Kept& kept,
                std::span<const uint16_t> packets,
                bool all,
                Time now,
                const JrmSource& source,
                bool parities);

    /**
     * @brief Ask for a packet of a message that has left.
     * @return nothing when it is wanted now; otherwise why not, as OnNack() returns
     */
    std::optional<DropReason> Want(Kept& kept, uint16_t packet, const JrmSource& source, Time now);

    /**
     * @brief Ask for as many parities of each block as packets of it are listed.
     * @param kept the message
     * @param packets PSNs that have left
     * @param source who asks
     * @param now the time
     * @param verdict learns what came of it
     */
    void WantParities(Kept& kept,
                      const std::set<uint16_t>& packets,
                      const JrmSource& source,
                      Time now,
                      Verdict& verdict);

    /**
     * @brief Ask for parities of a block.
     * @param kept the message
     * @param first PSN
     * @param lacking how many
     * @param source who asks
     * @param now the time
     * @return as Want()
     */
    std::optional<DropReason> WantParities(Kept& kept,
                                           uint16_t first,
                                           uint32_t lacking,
                                           const JrmSource& source,
                                           Time now);

    /**
     * @brief Get the size of the datagram of a packet.
     * @return size, header of 20 bytes included, B
     */
    uint32_t GetPacketSize(const Kept& kept, uint16_t packet) const;

    /**
     * @brief Send the parities of a block that are wanted.
     * @param kept the message
     * @param first PSN
     */
    void SendParities(Kept& kept, uint16_t first);

    /**
     * @brief Get how long a packet of a group does not go to the same asker again.
     * @return the hold-off
     */
    Time GetHoldOff(uint32_t group) const;

    /**
     * @brief Get how long after its last time a packet may go again.
     *
     * At once, unless repairs are scarce. Then it goes once for all who ask within a while, which
     * is the longer the less is left.
     *
     * @return the while
     */
    Time GetSpacing();

    /**
     * @brief Answer what is wanted of a message.
     * @param kept the message
     */
    void Respond(Kept& kept);

    Settings m_settings;                 //!< what holds for all messages
    JrmAdaptiveTimeout m_sendTimeout;    //!< sendTimeout
    std::map<uint32_t, uint32_t> m_next; //!< next MSN by group
    std::map<uint32_t, Time> m_holdOffs; //!< hold-offs by group, as given
    std::list<Kept> m_kept;              //!< messages kept, the one longest without request first
    std::unordered_map<uint64_t, std::list<Kept>::iterator> m_places; //!< the same, by key
    std::deque<std::pair<Time, uint64_t>> m_gathered; //!< ends of gathering and keys, in order
    std::multimap<Time, Spaced> m_spaced;             //!< packets and blocks that wait
    std::deque<Response> m_responses;                 //!< packets to retransmit
    JrmRepairBudget m_budget;                         //!< what may be retransmitted
    Counters m_counters;                              //!< what has happened
};

} // namespace ns3::lfn

#endif // JRM_SENDER_CORE_H
