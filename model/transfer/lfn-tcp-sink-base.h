// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TCP_SINK_BASE_H
#define LFN_TCP_SINK_BASE_H

#include "lfn-transfer-application.h"

#include "ns3/address.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Base of the receivers over TCP: listens and accepts connections.
 */
class TcpSinkBase : public TransferApplication
{
  protected:
    /**
     * @brief Add the common Attributes to a subclass, where Config::SetDefault() finds them.
     * @param tid the subclass
     * @return the subclass
     */
    static TypeId AddAttributes(TypeId tid);

    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    bool m_checkContent{false}; //!< attribute CheckContent

  private:
    /**
     * @brief A connection is accepted.
     * @param socket its socket
     */
    virtual void OnConnection(Ptr<Socket> socket) = 0;

    /**
     * @brief Pass on a connection, or close it after the end of the transfer.
     * @param socket its socket
     * @param from address of the peer
     */
    void OnAccepted(Ptr<Socket> socket, const Address& from);

    Address m_local;          //!< attribute Local
    uint16_t m_port{0};       //!< attribute Port
    uint32_t m_rcvBufSize{0}; //!< attribute RcvBufSize
    TypeId m_socketFactory;   //!< attribute SocketFactory
    std::string m_congestion; //!< attribute Congestion

    std::vector<Ptr<Socket>> m_listeners; //!< one, or one per address family
};

} // namespace ns3::lfn

#endif // LFN_TCP_SINK_BASE_H
