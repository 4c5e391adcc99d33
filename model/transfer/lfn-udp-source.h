// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_UDP_SOURCE_H
#define LFN_UDP_SOURCE_H

#include "lfn-pacer.h"
#include "lfn-transfer-application.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"

#include <cstdint>

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
 * A source with a size completes when the time of its last datagram has run out. It cannot know
 * what arrived: join its report with that of the UdpSink.
 */
class UdpSource : public TransferApplication
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    UdpSource();

  protected:
    void DoDispose() override;
    void CancelEvents() override;
    bool IsEndless() const override;

  private:
    void StartApplication() override;

    /** @brief Sends one datagram and sets the timer for the next. */
    void SendNext();

    /** @brief Ends the transfer: completed, unless the host has refused every datagram. */
    void EndSending();

    /**
     * @brief Gives the size of the datagram to send next.
     * @return user bytes, [B]; 0 when everything has been sent
     */
    uint32_t GetNextSize() const;

    Address m_remote;           //!< attribute Remote
    uint64_t m_bytes{0};        //!< attribute Bytes
    DataRate m_sendRate;        //!< attribute SendRate
    uint32_t m_packetSize{0};   //!< attribute PacketSize
    Time m_pacingQuantum;       //!< attribute PacingQuantum
    bool m_checkContent{false}; //!< attribute CheckContent
    Ptr<HostCost> m_hostCost;   //!< attribute HostCost

    Ptr<Socket> m_socket;     //!< the socket; null while not sending
    EventId m_sendEvent;      //!< the next datagram, or the end
    HostSendGate m_gate;      //!< the sending host
    uint64_t m_sentBytes{0};  //!< user bytes sent, [B]
    bool m_isAccepted{false}; //!< the host has taken a datagram
    Time m_firstDeparture;    //!< when the first datagram left
    Pacer m_pacer;            //!< when the others are due
};

} // namespace ns3::lfn

#endif /* LFN_UDP_SOURCE_H */
