// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_SEGMENT_DISPATCH_H
#define TCP_SEGMENT_DISPATCH_H

#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv6-interface.h"
#include "ns3/lfn-tcp-view.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/type-id.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief Hands what a node receives for TCP to its sockets, in front of ns-3's TcpL4Protocol.
 *
 * TcpL4Protocol reads the whole header of each segment, and makes an object per option of it, only
 * to find the endpoint. The socket reads the same header again. This protocol reads the ports, and
 * looks them up in TcpL4Protocol's own endpoints. TcpL4Protocol gets everything else.
 *
 * A segment whose header TcpView refuses is dropped: ns-3's TcpHeader would read behind its end, or
 * for ever. The LongFatTcpSocket that it is for traces that (Refused). A header that ns-3 would
 * misread is changed into one that says the same.
 */
class TcpSegmentDispatch : public IpL4Protocol
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Take the place of a node's TcpL4Protocol in its IPv4 and IPv6; twice does no harm.
     *
     * A protocol that is not a TcpL4Protocol keeps its place.
     *
     * @param node the node
     */
    static void Install(Ptr<Node> node);

    /**
     * @brief Hand a segment to the socket it is for.
     *
     * Without a socket, and where checksums are on, TcpL4Protocol has to receive it.
     *
     * @param tcp the TCP of the node
     * @param view the segment's header
     * @param packet begins with the header of TCP; the socket removes that
     * @param header the header of IP
     * @param interface where it came in
     * @return false if TcpL4Protocol has to receive it
     */
    static bool Forward(const TcpL4Protocol& tcp,
                        const TcpView& view,
                        Ptr<Packet> packet,
                        const Ipv4Header& header,
                        Ptr<Ipv4Interface> interface);

    /**
     * @brief Hand a segment to the socket it is for, with IPv6.
     * @param tcp the TCP of the node
     * @param view the segment's header
     * @param packet begins with the header of TCP; the socket removes that
     * @param header the header of IP
     * @param interface where it came in; null for none
     * @return false if TcpL4Protocol has to receive it
     */
    static bool Forward(const TcpL4Protocol& tcp,
                        const TcpView& view,
                        Ptr<Packet> packet,
                        const Ipv6Header& header,
                        Ptr<Ipv6Interface> interface);

    /**
     * @brief Constructor.
     * @param tcp the TCP of the node
     */
    explicit TcpSegmentDispatch(Ptr<TcpL4Protocol> tcp);

    int GetProtocolNumber() const override;

    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> interface) override;
    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> interface) override;

    void ReceiveIcmp(Ipv4Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv4Address payloadSource,
                     Ipv4Address payloadDestination,
                     const uint8_t payload[8]) override;
    void ReceiveIcmp(Ipv6Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv6Address payloadSource,
                     Ipv6Address payloadDestination,
                     const uint8_t payload[8]) override;

    void SetDownTarget(DownTargetCallback callback) override;
    void SetDownTarget6(DownTargetCallback6 callback) override;
    DownTargetCallback GetDownTarget() const override;
    DownTargetCallback6 GetDownTarget6() const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<TcpL4Protocol> m_tcp; //!< behind it
};

} // namespace ns3::lfn

#endif /* TCP_SEGMENT_DISPATCH_H */
