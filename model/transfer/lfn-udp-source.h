// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_UDP_SOURCE_H
#define LFN_UDP_SOURCE_H

#include "lfn-pacer.h"
#include "lfn-transfer-application.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/socket.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Sends datagrams at a constant rate and asks for nothing back.
 *
 * The baseline of the RBUDP figures: what a plain UDP stream gets through (the lines "iperf" and
 * "app_perf" of the Quanta paper, figures 5 and 6). Datagram i is due at start + i * T with
 * T = 8 * PacketSize / SendRate, kept exactly, so the rate does not drift; a pacing quantum q
 * rounds T down to a multiple of q, at least one, as a program does whose timer counts
 * microseconds. The sending host may delay a datagram, but not the schedule.
 *
 * A source with a size completes when the time of its last datagram has run out. It has no report
 * what arrived: join its report with that of the UdpSink.
 */
class UdpSource : public TransferApplication
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    UdpSource();
    bool Offer(uint64_t bytes) override;
    void Finish() override;

  protected:
    /**
     * @brief Add the common Attributes to a subclass, where Config::SetDefault() finds them.
     * @param tid the subclass
     * @param sendRate default of SendRate
     * @param packetSize default of PacketSize, [B]
     * @param maxPacketSize most that PacketSize takes, [B]
     * @return the subclass
     */
    static TypeId AddAttributes(TypeId tid,
                                const std::string& sendRate,
                                uint32_t packetSize,
                                uint32_t maxPacketSize);

    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /**
     * @brief Open a socket to send with; the transfer fails when that cannot be.
     * @param remote where its datagrams go
     * @return the socket, or null
     */
    Ptr<Socket> OpenSocket(const Address& remote);

    static constexpr uint32_t MAX_DATAGRAM = 65507; //!< what IPv4 leaves to UDP's user, [B]

    Address m_remote;           //!< attribute Remote
    uint64_t m_bytes{0};        //!< attribute Bytes
    uint32_t m_packetSize{0};   //!< attribute PacketSize
    bool m_checkContent{false}; //!< attribute CheckContent
    HostSendGate m_gate;        //!< the sending host

  private:
    /** @brief Get ready to send. @return false when the transfer has failed */
    virtual bool Prepare();

    /**
     * @brief Make the datagram that carries a payload.
     * @param payload the user bytes
     * @return the datagram; the payload itself unless there is a header
     */
    virtual Ptr<Packet> MakeDatagram(Ptr<Packet> payload);

    /**
     * @brief A datagram was sent.
     * @param payload its user bytes
     */
    virtual void OnSent(Ptr<const Packet> payload);

    /** @brief Send one datagram and set the timer for the next. */
    void SendNext();

    /** @brief Begin to send what is offered at the rate, not before the last datagram's time is
     * over. */
    void StartPacing();

    /** @brief End the transfer: completed, unless the host has refused every datagram. */
    void EndSending();

    /**
     * @brief Get the size of the datagram to send next.
     * @return user bytes, [B]; 0 when everything has been sent
     */
    uint32_t GetNextSize() const;

    DataRate m_sendRate;  //!< attribute SendRate
    Time m_pacingQuantum; //!< attribute PacingQuantum

    Ptr<Socket> m_socket;     //!< the socket; null while not sending
    EventId m_sendEvent;      //!< the next datagram, or the end
    bool m_isWaiting{false};  //!< for an offer
    uint64_t m_sentBytes{0};  //!< user bytes sent, [B]
    bool m_isAccepted{false}; //!< the host has taken a datagram
    Time m_firstDeparture;    //!< when the first datagram left, of those without a pause
    Pacer m_pacer;            //!< when the others are due
};

} // namespace ns3::lfn

#endif // LFN_UDP_SOURCE_H
