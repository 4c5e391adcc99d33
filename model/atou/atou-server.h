// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_SERVER_H
#define ATOU_SERVER_H

#include "atou-receiver-core.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/lfn-host-queue.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief An atou server: acknowledges the segments of one client (web page, section 1; spec 1.2).
 *
 * It serves the first client that it hears, and nobody else, as a run of the original did.
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
    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /** @brief Read what has come. */
    void OnDatagrams(Ptr<Socket> socket);

    /**
     * @brief Get how long a datagram keeps the host.
     * @param packet the datagram
     * @return the time to read and move it
     */
    Time GetServiceTime(Ptr<const Packet> packet);

    /**
     * @brief Handle a datagram that the host has read.
     * @param packet the datagram
     * @param from where it came from
     */
    void TakePacket(Ptr<Packet> packet, const Address& from);

    /** @brief The heartbeat. */
    void OnTimer();

    /** @brief Send the acknowledgements that are due and set the heartbeat. */
    void SendAcks();

    Address m_local;           //!< attribute Local
    uint16_t m_port{0};        //!< attribute Port
    uint32_t m_bufferBytes{0}; //!< attribute RcvBufSize, B
    bool m_sack{false};        //!< attribute Sack
    Time m_ackDelay;           //!< attribute AckDelay
    AtouReceiverCore::DelayRule m_delayRule{
        AtouReceiverCore::DelayRule::HEARTBEAT}; //!< attribute DelayRule
    Time m_phase;                                //!< attribute HeartbeatPhase
    uint32_t m_holeLimit{0};                     //!< attribute HoleLimit
    bool m_padBlocks{false};                     //!< attribute PadBlocks
    bool m_checkContent{false};                  //!< attribute CheckContent
    Ptr<HostCost> m_hostCost;                    //!< attribute HostCost; null for none

    Ptr<UniformRandomVariable> m_random; //!< the heartbeat's phase
    std::vector<Ptr<Socket>> m_sockets;  //!< one a family
    Ptr<Socket> m_socket;                //!< the one that the client is heard on
    Address m_client;                    //!< the client; unset before its first datagram
    uint32_t m_segmentSize{0};           //!< size of its datagrams, B
    Time m_first;                        //!< when its first datagram came
    Time m_last;                         //!< when its last one came
    Ptr<HostQueue> m_host;               //!< the receiving host; null for none
    AtouReceiverCore m_core;             //!< the receiving half
    EventId m_timer;                     //!< the heartbeat, never later than due
    Time m_timerTime;                    //!< when it beats
    TracedCallback<const AtouReceiverCore::Ack&> m_ackTrace; //!< an ACK is sent
};

} // namespace ns3::lfn

#endif // ATOU_SERVER_H
