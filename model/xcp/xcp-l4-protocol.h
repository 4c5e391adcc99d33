// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_L4_PROTOCOL_H
#define XCP_L4_PROTOCOL_H

#include "xcp-flow-table.h"
#include "xcp-header.h"
#include "xcp-socket-finder.h"

#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv6-route.h"
#include "ns3/lfn-drop-reason.h"
#include "ns3/lfn-tcp-view.h"
#include "ns3/node.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The shim between TCP and IP that puts the congestion header on packets of XCP sockets and
 * takes it off what arrives (draft-falk-xcp-spec-03, section 3.1), one a node, for IPv4 and IPv6.
 *
 * Packets of other sockets, and resets, pass untouched. A receiver needs no XCP socket: what its
 * peer's data packets were granted goes back with the acknowledgements of any socket.
 * ns-3's files stay as they are: the shim takes TCP's down targets, and receives from a socket's Tx
 * trace, which forked sockets inherit, that a packet is XCP's.
 *
 * A host without the shim cannot read packets that carry the header. So a connection uses it when
 * both SYNs do: the first Attribute XcpSyns SYNs of an XCP socket carry it, later ones do not, and
 * a SYN-ACK does when the SYN did. Without it an XCP socket is a NewReno socket.
 *
 * XcpSocketFactory watches the sockets that it makes. Sockets of ns-3's own factory on a node whose
 * SocketType is TcpXcp are found when the next SYN is sent, each looked at once: one that gets its
 * TcpXcp later has to be given to Watch().
 */
class XcpL4Protocol : public IpL4Protocol
{
  public:
    static constexpr uint8_t PROT_NUMBER = 253; //!< none was assigned: RFC 3692's experimental one

    /** @return the object TypeId */
    static TypeId GetTypeId();

    XcpL4Protocol() = default;

    /**
     * @brief Put the shim between a node's TCP and IP; twice does no harm.
     * @param node the node; with an internet stack, else nothing happens
     * @return the node's shim, or null when it has no TCP
     */
    static Ptr<XcpL4Protocol> Install(Ptr<Node> node);

    /**
     * @brief Have a socket's packets carry the congestion header.
     * @param socket the socket; its congestion control is a TcpXcp
     */
    void Watch(Ptr<TcpSocketBase> socket);

    /** @brief Get the size of the flow table. @return connections that are remembered */
    std::size_t GetFlows() const;

    /**
     * @brief Get how much was refused.
     * @param reason why: MALFORMED, the congestion header is invalid, or TCP's has neither SYN, ACK
     * nor RST; WRONG_LENGTH, no whole TCP header follows it, or one with options of a length that
     * they cannot have; UNEXPECTED, feedback for a connection without an XCP socket, of which
     * only the feedback is dropped, or an ICMP error, which shows no ports
     * @return packets
     */
    uint64_t GetDrops(DropReason reason) const;

    int GetProtocolNumber() const override;
    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;
    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> incomingInterface) override;
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
    /** @brief What came of a packet. */
    struct Noted
    {
        bool isNew{false};  //!< its connection was not remembered before, but now is
        bool mayEnd{false}; //!< it may be the last one of its connection
    };

    /**
     * @brief Take a packet from IP: note what its congestion header says, and pass it on to TCP.
     * @param packet begins with the congestion header
     * @param header of IP
     * @param incomingInterface where it came in
     * @return what TCP says of it; RX_OK of one that is dropped here
     */
    template <typename Header, typename Interface>
    RxStatus Deliver(Ptr<Packet> packet, const Header& header, Ptr<Interface> incomingInterface);

    /** @brief Take the place between TCP and all versions of IP of the node. */
    void Hook();

    /**
     * @brief A socket is about to send a packet.
     * @param packet the packet, without its TCP header
     * @param header its TCP header
     * @param socket the socket, which is being watched
     */
    void OnTransmit(Ptr<const Packet> packet,
                    const TcpHeader& header,
                    Ptr<const TcpSocketBase> socket);

    /**
     * @brief Send what TCP hands down over IPv4.
     * @param packet the packet
     * @param source source address
     * @param destination destination address
     * @param protocol TCP's number
     * @param route the route; may be null
     */
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route);

    /**
     * @brief Send what TCP hands down over IPv6.
     * @param packet the packet
     * @param source source address
     * @param destination destination address
     * @param protocol TCP's number
     * @param route the route; may be null
     */
    void Send6(Ptr<Packet> packet,
               Ipv6Address source,
               Ipv6Address destination,
               uint8_t protocol,
               Ptr<Ipv6Route> route);

    /**
     * @brief Put the congestion header on a packet if it is to have one.
     *
     * ns-3's window probes have no flag set. RFC 9293, section 3.10.7.4, drops such a segment, and
     * so does a host of XCP: a probe of an XCP connection gets the flag of its ACK number.
     * @tparam IpAddress of the version of IP
     * @param packet the packet, beginning with its TCP header
     * @param source address
     * @param destination address
     * @return whether it has got one
     */
    template <typename IpAddress>
    bool Wrap(Ptr<Packet> packet, IpAddress source, IpAddress destination);

    /**
     * @brief Decide on the header of a packet, and note what it says.
     * @param packet the packet, beginning with its TCP header
     * @param tcp its TCP header
     * @param key the connection
     * @param header the header to be
     * @return whether the packet gets it
     */
    bool Fill(Ptr<const Packet> packet,
              const TcpView& tcp,
              const XcpFlowKey& key,
              XcpHeader& header);

    /**
     * @brief Decide on the header of a packet of an XCP socket.
     * @param socket the socket
     * @param tcp the packet's TCP header
     * @param payload what follows it, [B]
     * @param flow the connection
     * @param header the header to be; its format, X, RTT and Delta_Throughput are filled in
     * @return whether the packet gets a header
     */
    bool Ask(Ptr<const TcpSocketBase> socket,
             const TcpView& tcp,
             uint32_t payload,
             XcpFlow& flow,
             XcpHeader& header) const;

    /**
     * @brief Count and trace a packet that exceeds what its link takes.
     * @param packet the packet with the congestion header
     * @param ipBytes what IP adds, [B]
     * @param device where it leaves; may be null
     */
    void CheckSize(Ptr<const Packet> packet, uint32_t ipBytes, Ptr<NetDevice> device);

    /**
     * @brief Take the congestion header off a packet and look at what follows.
     * @param packet the packet
     * @param header what was taken off
     * @return the TCP header, if both are well formed; else the packet is counted as dropped
     */
    std::optional<TcpView> Strip(Ptr<Packet> packet, XcpHeader& header);

    /**
     * @brief Obey and remember what a congestion header says.
     * @param packet the packet without it
     * @param header the header
     * @param tcp the packet's TCP header
     * @param key the connection
     * @return what came of it
     */
    Noted Record(Ptr<const Packet> packet,
                 const XcpHeader& header,
                 const TcpView& tcp,
                 const XcpFlowKey& key);

    /**
     * @brief Look for the XCP socket of a SYN that nobody announced, and watch it and its like.
     * @param key the connection
     * @return the socket; null when it is not of XCP
     */
    Ptr<const TcpSocketBase> FindSocket(const XcpFlowKey& key);

    /**
     * @brief Count and trace a drop.
     * @param packet the packet
     * @param reason why
     */
    void Drop(Ptr<const Packet> packet, DropReason reason);

    Time m_echoTimeout;                   //!< Attribute EchoTimeout
    uint32_t m_xcpSyns{0};                //!< Attribute XcpSyns
    uint8_t m_number{0};                  //!< Attribute HeaderProtocol
    Ptr<TcpL4Protocol> m_tcp;             //!< above
    Ptr<Node> m_node;                     //!< where it is
    DownTargetCallback m_down;            //!< below, IPv4
    DownTargetCallback6 m_down6;          //!< below, IPv6
    XcpFlowTable m_flows;                 //!< connections
    XcpSocketFinder m_finder;             //!< of sockets that nobody announced
    const Packet* m_announced{nullptr};   //!< what OnTransmit() was notified of
    Ptr<const TcpSocketBase> m_announcer; //!< who sends it
    std::array<uint64_t, static_cast<std::size_t>(DropReason::COUNT_)> m_drops{}; //!< by reason
    TracedCallback<Ptr<const Packet>, DropReason> m_dropTrace; //!< what was refused
    TracedCallback<Ptr<const Packet>> m_oversizeTrace;         //!< what IP will fragment
};

} // namespace ns3::lfn

#endif // XCP_L4_PROTOCOL_H
