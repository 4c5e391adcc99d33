// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_UDP_SOURCE_H
#define FEC_UDP_SOURCE_H

#include "fec-sender-core.h"

#include "ns3/lfn-udp-source.h"
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
 * The parity follows the last datagram of its block at once. With Offer() the length of the last
 * block is not known before: if it is shorter than k it has no parity. The source has no report of
 * what arrived: join its report with that of the FecUdpSink.
 */
class FecUdpSource : public UdpSource
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    FecUdpSource();
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void CancelEvents() override;

  private:
    bool Prepare() override;
    Ptr<Packet> MakeDatagram(Ptr<Packet> payload) override;
    void OnSent(Ptr<const Packet> payload) override;

    /** @brief Sends the parity of the block. */
    void SendParity();

    uint16_t m_parityPort{0};   //!< attribute ParityPort
    uint32_t m_parities{1};     //!< attribute Parities
    uint32_t m_interleave{1};   //!< attribute Interleave
    uint32_t m_blockPackets{0}; //!< attribute BlockPackets

    Ptr<Socket> m_parity; //!< of the parity; null while not sending
    FecSenderCore m_core; //!< numbers the datagrams

    Ptr<UniformRandomVariable> m_random; //!< the flow's number
};

} // namespace ns3::lfn

#endif // FEC_UDP_SOURCE_H
