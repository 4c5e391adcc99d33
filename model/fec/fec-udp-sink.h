// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_UDP_SINK_H
#define FEC_UDP_SINK_H

#include "fec-session-table.h"

#include "ns3/lfn-transfer-application.h"
#include "ns3/socket.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-fec
 * @brief Receives what a FecUdpSource sends, and makes good what single losses took.
 *
 * A flow is known by the session number in its headers, from any address. A sender
 * that starts again has another number, and blocks from 0 on. As any UDP socket does, the sink
 * takes the datagrams of all flows: unauthenticated ones are counted, but they do not change what
 * becomes of the others. deliveredBytes counts what came and what was made good, lostBytes what
 * closed blocks lack, in datagrams of the largest size seen in the flow. Ends when it is stopped,
 * and all blocks are closed then.
 */
class FecUdpSink : public TransferApplication
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    FecUdpSink();

    /**
     * @brief Signature of the trace source Delivered.
     * @param number of the datagram, from 0 on
     * @param bytes its user bytes, [B]
     */
    typedef void (*DeliveredTracedCallback)(uint64_t number, uint64_t bytes);

    /** @brief Get what was counted. @return the counts */
    FecReceiverCore::Counters GetCounters() const;

    /**
     * @brief Get how many user bytes were made good.
     * @return user bytes that are delivered and never came, [B]
     */
    uint64_t GetRecoveredBytes() const;

  protected:
    void CancelEvents() override;
    bool IsEndless() const override;

  private:
    void StartApplication() override;

    /**
     * @brief Takes what has arrived.
     * @param isParity on the port of the parity
     * @param socket the socket
     */
    void OnReadable(bool isParity, Ptr<Socket> socket);

    /**
     * @brief Gives what a datagram takes of the host.
     * @param packet the datagram
     * @return time to read it, and for data to move it
     */
    HostWork GetWork(Ptr<const Packet> packet);

    /**
     * @brief Takes a datagram that got through the host.
     * @param packet the datagram
     * @param at where it came in: only the port counts
     */
    void OnPacket(Ptr<Packet> packet, const Address& at);

    /**
     * @brief Takes a datagram of the sender.
     * @param isParity on the port of the parity
     * @param packet the datagram
     * @return why it does no good; nothing when it does
     */
    std::optional<DropReason> OnDatagram(bool isParity, Ptr<const Packet> packet);

    /**
     * @brief Takes a datagram of data.
     * @param session its flow
     * @param header its header
     * @param payload its user bytes
     * @return what became of it
     */
    FecReceiverCore::Outcome OnData(FecSessionTable::Session& session,
                                    const FecDataHeader& header,
                                    std::span<const uint8_t> payload);

    /**
     * @brief Delivers user bytes.
     * @param session their flow
     * @param header their place
     * @param payload the bytes
     * @return false when they are not what was sent
     */
    bool Deliver(FecSessionTable::Session& session,
                 const FecDataHeader& header,
                 std::span<const uint8_t> payload);

    FecSessionTable::Settings m_settings; //!< of the flows
    uint16_t m_port{0};                   //!< attribute Port
    uint16_t m_parityPort{0};             //!< attribute ParityPort
    bool m_checkContent{false};           //!< attribute CheckContent

    std::vector<Ptr<Socket>> m_sockets; //!< of both ports, one per address family
    uint64_t m_recoveredBytes{0};       //!< user bytes made good, [B]
    FecSessionTable m_sessions;         //!< the flows

    TracedCallback<uint64_t, uint64_t> m_deliveredTrace; //!< a datagram: number, user bytes
};

} // namespace ns3::lfn

#endif // FEC_UDP_SINK_H
