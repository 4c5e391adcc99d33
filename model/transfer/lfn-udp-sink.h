// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_UDP_SINK_H
#define LFN_UDP_SINK_H

#include "lfn-transfer-application.h"

#include "ns3/address.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Receives datagrams through a host that may be too slow for them.
 *
 * With MoveData off it reads and forgets, as iperf does; with it on it also moves the bytes to the
 * application, as the Quanta paper's app_perf does. Its report: offeredBytes and dataPackets
 * reached the host, deliveredBytes got through it. UDP does not say what was lost on the way, so
 * lostBytes counts what was lost inside the host.
 */
class UdpSink : public TransferApplication
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    UdpSink();

  protected:
    void CancelEvents() override;
    bool IsEndless() const override;

  private:
    void StartApplication() override;

    /** @brief Takes what has arrived off a socket and hands it to the host. */
    void OnReadable(Ptr<Socket> socket);

    /**
     * @brief Gives what a datagram takes of the host.
     * @param packet the datagram
     * @return time to read it, and to move it if that is wanted
     */
    HostWork GetWork(Ptr<const Packet> packet);

    /**
     * @brief Takes a datagram that got through the host.
     * @param packet the datagram
     * @param from where it came from
     */
    void Deliver(Ptr<Packet> packet, const Address& from);

    Address m_local;            //!< attribute Local
    uint16_t m_port{0};         //!< attribute Port
    bool m_moveData{false};     //!< attribute MoveData
    bool m_checkContent{false}; //!< attribute CheckContent

    std::vector<Ptr<Socket>> m_sockets; //!< one, or one per address family

    TracedCallback<Ptr<const Packet>> m_deliveredTrace; //!< a datagram is delivered
};

} // namespace ns3::lfn

#endif /* LFN_UDP_SINK_H */
