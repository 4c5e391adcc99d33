// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_UDP_SOURCE_H
#define FEC_UDP_SOURCE_H

#include "fec-sender-core.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/lfn-pacer.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-fec
 * @brief Sends datagrams at a constant rate, and after every block of k one parity datagram as a
 * stream of its own.
 *
 * Datagrams of data keep the schedule of UdpSource; the parity follows the last one of its block at
 * once. A source with a size completes when the time of its last datagram has run out. It cannot
 * know what arrived: join its report with that of the FecUdpSink.
 */
class FecUdpSource : public TransferApplication
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    FecUdpSource();
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void CancelEvents() override;
    bool IsEndless() const override;

  private:
    void StartApplication() override;

    /** @brief Sends one datagram, its block's parity if it is the last, and sets the timer. */
    void SendNext();

    /** @brief Ends the transfer: completed, unless the host has refused every datagram. */
    void EndSending();

    /** @brief Sends the parity of the block. */
    void SendParity();

    /**
     * @brief Gives the size of the datagram to send next.
     * @return user bytes, [B]; 0 when everything has been sent
     */
    uint32_t GetNextSize() const;

    Address m_remote;           //!< attribute Remote
    uint16_t m_parityPort{0};   //!< attribute ParityPort
    uint64_t m_bytes{0};        //!< attribute Bytes
    DataRate m_sendRate;        //!< attribute SendRate
    uint32_t m_packetSize{0};   //!< attribute PacketSize
    uint32_t m_blockPackets{0}; //!< attribute BlockPackets
    bool m_checkContent{false}; //!< attribute CheckContent

    Ptr<Socket> m_socket;     //!< of the data; null while not sending
    Ptr<Socket> m_parity;     //!< of the parity; null while not sending
    EventId m_sendEvent;      //!< the next datagram, or the end
    uint64_t m_sentBytes{0};  //!< user bytes sent, [B]
    bool m_isAccepted{false}; //!< the host has taken a datagram
    Time m_first;             //!< when the first datagram left
    Pacer m_pacer;            //!< when the others are due
    FecSenderCore m_core;     //!< numbers the datagrams

    Ptr<UniformRandomVariable> m_random; //!< the flow's number
};

} // namespace ns3::lfn

#endif // FEC_UDP_SOURCE_H
