// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_SERVER_H
#define ATOU_SERVER_H

#include "atou-receiver-core.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <deque>
#include <memory>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief An atou server: acknowledges the segments of one client (web page, section 1; spec 1.2).
 *
 * It serves the first client that it receives two segments of, and nobody else. A host that has
 * sent one alone may be forged, so each has a transfer of its own until then.
 */
class AtouServer : public TransferApplication
{
  public:
    /**
     * @brief Signature of the trace source AckSent.
     * @param ack the acknowledgement
     */
    typedef void (*AckTracedCallback)(const AtouReceiverCore::Ack& ack);

    /** @return the object TypeId */
    static TypeId GetTypeId();

    AtouServer();

    /**
     * @brief Get the receiving half.
     * @return the core, with the counters of the server's summary
     */
    const AtouReceiverCore& GetCore() const;

    /**
     * @brief Get the time from the first datagram to the last one.
     * @return the time, by which the server's summary divides
     */
    Time GetElapsed() const;

    /**
     * @brief Get the size of the datagrams.
     * @return payload bytes of the first one, header included; 0 before it
     */
    uint32_t GetSegmentSize() const;

    int64_t AssignStreams(int64_t stream) override;

  private:
    /** @brief A host that has sent a segment, and what has come of it. */
    struct Client
    {
        Address address;         //!< where it is; unset before the first datagram
        Ptr<Socket> socket;      //!< the socket that it is received on
        uint32_t segmentSize{0}; //!< size of its datagrams, B
        uint64_t datagrams{0};   //!< its datagrams that came
        Time first;              //!< when its first datagram came
        Time last;               //!< when its last one came
        TransferReport report;   //!< its transfer, while another host is the client

        std::unique_ptr<AtouReceiverCore> core{
            std::make_unique<AtouReceiverCore>()}; //!< the receiving half
    };

    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /** @brief Get what a datagram takes of the host. @return time to read it, and to move it */
    HostWork GetWork(Ptr<const Packet> packet);

    /** @brief Read what has come. */
    void OnDatagrams(Ptr<Socket> socket);

    /**
     * @brief Have a host be the client for now, and set the one before aside.
     * @param socket where its datagram came
     * @param from the host
     * @param bytes size of its datagram, B
     */
    void ChangeClient(Ptr<Socket> socket, const Address& from, uint32_t bytes);

    /**
     * @brief Handle a datagram that the host has read.
     * @param packet the datagram
     * @param from where it came from
     */
    void OnPacket(Ptr<Packet> packet, const Address& from);

    /** @brief The heartbeat. */
    void OnTimer();

    /** @brief Send the acknowledgements that are due and set the heartbeat. */
    void SendAcks();

    Address m_local;            //!< attribute Local
    uint16_t m_port{0};         //!< attribute Port
    uint32_t m_bufferBytes{0};  //!< attribute RcvBufSize, B
    Time m_phase;               //!< attribute HeartbeatPhase
    bool m_checkContent{false}; //!< attribute CheckContent

    Ptr<UniformRandomVariable> m_random;   //!< the heartbeat's phase
    std::vector<Ptr<Socket>> m_sockets;    //!< one a family
    AtouReceiverCore::Settings m_settings; //!< of the receiving half
    Client m_client;                       //!< the client
    TransferReport m_blank;                //!< the report before the first datagram
    std::deque<Client> m_others;           //!< hosts that have sent a single datagram each
    EventId m_timer;                       //!< the heartbeat, never later than due
    Time m_timerTime;                      //!< when it beats
    TracedCallback<const AtouReceiverCore::Ack&> m_ackTrace; //!< an ACK is sent
};

} // namespace ns3::lfn

#endif // ATOU_SERVER_H
