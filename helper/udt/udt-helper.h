// SPDX-License-Identifier: GPL-2.0-only

#ifndef UDT_HELPER_H
#define UDT_HELPER_H

#include "ns3/lfn-transfer-helper.h"
#include "ns3/nstime.h"
#include "ns3/udt-sink.h"
#include "ns3/udt-source.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Installs transfers over UDT.
 */
class UdtHelper : public TransferHelper<UdtSource, UdtSink>
{
  public:
    /**
     * @brief Get the Attribute Mss with which a full packet carries some user bytes.
     * @param payloadSize user bytes of a packet, B
     * @param remote where packets go, of IPv4 or IPv6
     * @return the packet with the headers of IP, UDP and UDT, B
     */
    static uint32_t GetMss(uint32_t payloadSize, const Address& remote);

    /**
     * @brief Set the windows of the transfers to come: the buffers of both ends, and the sink's
     *        largest flow window.
     * @param packets how many are sent and not acknowledged at most, 32 or more
     */
    void SetWindow(uint32_t packets);

    /**
     * @brief Have both ends of a transfer connect, by rendezvous (UDT-14).
     * @param transfer both ends
     * @param from socket address of the source, with the port that it gets
     */
    static void Meet(const Transfer& transfer, const Address& from);

    /**
     * @brief Have the timers of a transfer follow the round-trip time, as lfn::FollowRtt() does.
     * @param transfer both ends
     * @param rtt the round-trip time of propagation
     */
    static void FollowRtt(const Transfer& transfer, Time rtt);
};

} // namespace ns3::lfn

#endif // UDT_HELPER_H
