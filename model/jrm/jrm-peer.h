// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_PEER_H
#define JRM_PEER_H

#include "jrm-errors.h"
#include "jrm-groups.h"
#include "jrm-grtt.h"
#include "jrm-header.h"
#include "jrm-leaky-bucket.h"
#include "jrm-message-content.h"
#include "jrm-receiver-core.h"
#include "jrm-sender-core.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief A participant of a JRM session: it sends messages to multicast groups and receives those
 *        of all others (paper, section 2).
 *
 * MCG, the number of a group, is its IPv4 address, or the group ID of its IPv6 address, which is
 * the lowest 32 bits (RFC 3307, section 4). Messages and NACK responses go to the group, NACK
 * requests to the message's sender. Before every send a datagram may be discarded, as in the
 * paper's experiments (section 4); it is counted as sent all the same.
 */
class JrmPeer : public TransferApplication
{
  public:
    /** @brief Takes a message that is complete. */
    using ReceiveCallback = Callback<void, const JrmReceiverCore::Delivery&>;

    /** @brief Datagrams sent, by kind, those that were discarded before the send included. */
    struct Sent
    {
        uint64_t msgPackets{0};    //!< packets of messages, first sending
        uint64_t nackRequests{0};  //!< NACK requests
        uint64_t nackResponses{0}; //!< packets retransmitted, and parities
        uint64_t parities{0};      //!< of these, parities
        uint64_t heartbeats{0};    //!< heartbeats
        uint64_t probes{0};        //!< probes of the RTT
        uint64_t answers{0};       //!< answers to others' probes
        uint64_t discarded{0};     //!< of all these, those discarded by ErrorRate
    };

    /** @brief Signature of the trace source MessageReceived. */
    typedef void (*MessageTracedCallback)(const JrmReceiverCore::Delivery& message);

    /**
     * @brief Signature of the trace source NackSent.
     * @param message the message that is asked for
     */
    typedef void (*NackTracedCallback)(const JrmMessageId& message);

    /** @return the object TypeId */
    static TypeId GetTypeId();

    JrmPeer();

    /**
     * @brief Set who takes the messages.
     * @param receive the taker
     */
    void SetReceive(ReceiveCallback receive);

    /**
     * @brief Get the number of a group.
     * @param group an IPv4 or IPv6 address, without a port
     * @return MCG; nothing when it is no multicast address, or one of IPv6 that routers do not
     *         forward (scopes up to the link's)
     */
    static std::optional<uint32_t> GetGroupNumber(const Address& group);

    /**
     * @brief Take part in a group: receive what is sent to it.
     * @param group its multicast address, of IPv4 or IPv6
     * @param devices out of each of them leaves what is sent to the group, with a route there;
     *        without any routing chooses one, as it does for unicast. Receivers identify a
     * participant by one address: who receives it through two of its devices goes by the first
     * @return false, and nothing is done, when it is not a group, see GetGroupNumber(), another
     * group has its number, or the participant was in groups of the other IP: its number belongs to
     *         one address
     */
    bool Join(const Address& group, const std::vector<Ptr<NetDevice>>& devices = {});

    /**
     * @brief Take part in a group no longer.
     *
     * Nothing of it is delivered or asked for any more, from now on. Requests for the messages that
     * the participant has sent to it are still answered.
     *
     * @param group its multicast address
     * @return false, and nothing is done, when it was not joined
     */
    bool Leave(const Address& group);

    /**
     * @brief Get the groups that were joined and not left.
     * @return their addresses, by their numbers, ascending
     */
    std::vector<Address> GetGroups() const;

    /**
     * @brief Send a message to a group that was joined.
     * @param group its multicast address
     * @param bytes its length, B
     * @return its identity, or nothing when the peer does not run, has not joined the group, or the
     *         message has too many packets
     */
    std::optional<JrmMessageId> SendMessage(const Address& group, uint32_t bytes);

    /** @brief SendMessage() to the first of GetGroups(), under the name that all senders have. */
    bool Offer(uint64_t bytes) override;

    /** @brief Get what was sent. @return the counters */
    const Sent& GetSent() const;

    /**
     * @brief Get the estimate of the longest RTT to a group.
     * @param group its multicast address
     * @return the RTT; nothing without the option, and before the first answer
     */
    std::optional<Time> GetGrtt(const Address& group) const;

    /** @brief Count the datagrams that came. @return their number, of any kind and from anyone */
    uint64_t GetReceived() const;

    /**
     * @brief Check whether there is nothing to be done unless something comes or is sent.
     * @return true when no packet waits to be sent, no message is incomplete and no heartbeat is
     *         due; messages may still be kept for requests
     */
    bool IsQuiet() const;

    /**
     * @brief Get the settings of the receiving half, as the Attributes say.
     * @return the settings
     */
    const JrmReceiverCore::Settings& GetReceiverSettings() const;

    /** @brief Get the sending half. @return the core */
    const JrmSenderCore& GetSender() const;

    /** @brief Get the receiving half. @return the core */
    const JrmReceiverCore& GetReceiver() const;

    int64_t AssignStreams(int64_t stream) override;

  private:
    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /**
     * @brief Check whether the receiving half keeps the bytes of messages.
     * @return true for delivery, and to check what is restored from parities
     */
    bool IsDataKept() const;

    /** @brief The heartbeats of a group. */
    struct Beat
    {
        JrmMessageId newest; //!< newest message that has left
        Time wait;           //!< before the next heartbeat; doubles
        EventId event;       //!< the next heartbeat
    };

    /** @brief Start both halves with what the Attributes say. */
    void StartCores();

    /**
     * @brief Listen to a group.
     * @param group its multicast address
     */
    void Listen(const Address& group);

    /** @brief Read what has come. */
    void OnDatagrams(Ptr<Socket> socket);

    /** @brief Get what a datagram takes of the host. @return reading, and for data moving */
    HostWork GetWork(Ptr<const Packet> packet);

    /** @brief Handle a datagram that got through the host. */
    void OnServed(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Handle a datagram.
     * @param packet the datagram
     * @param from where it came from
     */
    void OnDatagram(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Handle a NACK request.
     * @param header its header
     * @param packet what follows it
     * @param source where it came from
     */
    void OnNack(const JrmHeader& header, Ptr<Packet> packet, const JrmSource& source);

    /**
     * @brief Handle an answer to a probe.
     * @param header its header
     * @return why it was refused, or nothing
     */
    std::optional<DropReason> OnAnswer(const JrmHeader& header);

    /**
     * @brief Handle a packet of a message.
     * @param header its header
     * @param packet its data
     * @param source where it came from
     * @return why it was refused, or nothing
     */
    std::optional<DropReason> OnData(const JrmHeader& header,
                                     Ptr<Packet> packet,
                                     const JrmSource& source);

    /** @brief Send and deliver what the cores have to, and set the timer. */
    void SendPending();

    /**
     * @brief Deliver the messages that are complete.
     * @return false when the participant has ended meanwhile
     */
    bool Deliver();

    /** @brief Set the timer of the cores, unless it is early enough. */
    void SetTimer();

    /** @brief A timer of a core has expired. */
    void OnTimer();

    /** @brief Send the message packets whose time has come, and wait for the next one's. */
    void SendQueued();

    /**
     * @brief Get what a datagram reports the messages before one.
     * @param id the message
     * @return their number with FromBeginning, when they are to be had; 0 otherwise
     */
    uint8_t GetEarlier(const JrmMessageId& id) const;

    /**
     * @brief Send a group's newest message, and again after twice the time.
     * @param group MCG
     */
    void SendHeartbeat(uint32_t group);

    /**
     * @brief Probe the RTT to a group, if it is time to.
     * @param group MCG
     */
    void Probe(uint32_t group);

    /**
     * @brief Answer a probe.
     * @param answer the answer
     */
    void SendAnswer(const JrmReceiverCore::Answer& answer);

    /**
     * @brief Check whether a message is what was sent (CheckContent), as its packets cannot report
     *        where some of them were restored from parities.
     * @param delivery the message
     * @return false when it is not, and the participant has failed
     */
    bool CheckWhole(const JrmReceiverCore::Delivery& delivery);

    /**
     * @brief Make and send a packet of a message, or a parity.
     * @param type MSG, NACK_RESP or PARITY
     * @param packet the packet
     */
    void SendData(JrmType type, const JrmSenderCore::Response& packet);

    /**
     * @brief Send a NACK request.
     * @param nack the request
     */
    void SendNack(const JrmReceiverCore::Nack& nack);

    /**
     * @brief Draw whether a datagram is discarded before it is sent (ErrorRate).
     * @param packet the datagram
     * @param isNack whether it is NACK traffic of a receiver
     * @return true when it is
     */
    bool IsDiscarded(Ptr<const Packet> packet, bool isNack);

    /**
     * @brief Send a datagram to a group, unless it is discarded before that.
     * @param packet the datagram
     * @param group MCG
     * @param isNack whether it is NACK traffic of a receiver
     */
    void SendToGroup(Ptr<Packet> packet, uint32_t group, bool isNack);

    JrmReceiverCore::Settings m_receiving; //!< settings of the receiving half
    JrmSenderCore::Settings m_sending;   //!< settings of the sending half, but those that both have
    JrmGrtt::Settings m_probing;         //!< settings of the estimates of the RTT
    uint16_t m_port{0};                  //!< attribute Port
    double m_holdOff{0};                 //!< attribute HoldOff
    Time m_heartbeat;                    //!< attribute Heartbeat
    DataRate m_bucketRate;               //!< attribute BucketRate
    uint32_t m_bucketDepth{0};           //!< attribute BucketDepth, B
    bool m_bucketCountsRepairs{false};   //!< attribute BucketCountsRepairs
    bool m_checkContent{false};          //!< attribute CheckContent
    JrmErrors m_errors;                  //!< discards datagrams
    Ptr<UniformRandomVariable> m_random; //!< first numbers and random waits

    bool m_running{false};                                        //!< it is started
    JrmGroups m_groups;                                           //!< the groups, and their sockets
    JrmMessageContent m_content;                                  //!< the bytes of messages
    JrmSenderCore m_sender;                                       //!< the sending half
    JrmReceiverCore m_receiver;                                   //!< the receiving half
    JrmLeakyBucket m_bucket;                                      //!< limits message packets
    HostSendGate m_gate;                                          //!< the sending host
    std::deque<std::pair<Time, JrmSenderCore::Response>> m_queue; //!< message packets, when to send
    EventId m_timer;                     //!< of the cores, never later than due
    Time m_timerTime;                    //!< when it expires
    EventId m_queueEvent;                //!< the next message packet
    std::map<uint32_t, Beat> m_beats;    //!< heartbeats, by MCG
    std::map<uint32_t, JrmGrtt> m_grtts; //!< estimates of the RTT, by MCG
    Sent m_sent;                         //!< what was sent
    uint64_t m_received{0};              //!< datagrams that came
    ReceiveCallback m_receive;           //!< takes the messages
    TracedCallback<const JrmReceiverCore::Delivery&> m_messageTrace; //!< a message is complete
    TracedCallback<const JrmMessageId&> m_nackTrace;                 //!< a NACK request is sent
};

} // namespace ns3::lfn

#endif // JRM_PEER_H
