// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FLOW_COUNTER_H
#define LFN_FLOW_COUNTER_H

#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-ip-view.h"
#include "ns3/lfn-tcp-view.h"
#include "ns3/lfn-transfer-report.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/xcp-header.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Counts a flow's packets where they come in at a host, without its applications.
 *
 * It listens to IPv4 and IPv6 of the hosts, where packets arrive from the devices, and reads the
 * bytes itself: ports and lengths of UDP and TCP, TCP behind XCP's shim as well. A flow is
 * identified by its ports at the receiver or, for control connections that the receiver opens, at
 * the sender; no two flows between the same hosts may share one. Nothing is known of any protocol
 * above. A datagram in fragments is counted when all of them have come.
 *
 * It must outlive the simulation.
 */
class FlowCounter
{
  public:
    /** @brief A flow to be watched. */
    struct Flow
    {
        Ptr<Node> sender;   //!< where data come from
        Ptr<Node> receiver; //!< where data go
        uint16_t port{0};   //!< its first port, to which data go at the receiver
        uint16_t ports{1};  //!< ports that belong to it, from that one on
    };

    /** @brief What came. */
    struct Account
    {
        uint64_t packets{0};        //!< at the receiver, to the first port, not empty
        uint64_t payloadBytes{0};   //!< of those, behind the headers of UDP or TCP, [B]
        uint64_t controlPackets{0}; //!< all others of the flow, at either host
        uint64_t controlBytes{0};   //!< of those, IP headers included, [B]
    };

    /** @brief How what came may differ from what the applications say. */
    struct Bounds
    {
        uint32_t headerBytes{0};   //!< of the transport in each packet of data, [B]
        uint64_t repairedBytes{0}; //!< delivered without having come, [B]
        uint64_t surplusBytes{0};  //!< that may have arrived redundantly, [B], headers not counted
        uint64_t surplusPackets{
            0}; //!< that may have arrived in addition to the sender's dataPackets
    };

    FlowCounter() = default;
    FlowCounter(const FlowCounter&) = delete;
    FlowCounter& operator=(const FlowCounter&) = delete;

    /**
     * @brief Watch a flow from now on.
     * @param flow the flow
     * @return its number, from 0 on
     */
    std::size_t Watch(const Flow& flow);

    /**
     * @brief Get what came of a flow.
     * @param flow its number
     * @return the account so far
     */
    const Account& Get(std::size_t flow) const;

    /**
     * @brief Check whether a report can be true.
     *
     * With U the payload that came less headerBytes a packet, and D the bytes delivered less those
     * repaired: D <= U <= D + surplusBytes; no more packets came than dataPackets and
     * surplusPackets together; no more bytes were repaired than came as control; and the report
     * does not contradict itself: no more packets were retransmitted than sent, no more bytes
     * delivered and lost than offered. What the surplus is, the transport says: this finds no
     * report that is wrong within it.
     * @param account what came
     * @param report the transfer's report, joined with that of the receiver
     * @param bounds how far they may differ
     * @return true if it can
     */
    static bool Agrees(const Account& account, const TransferReport& report, const Bounds& bounds);

    /** Most bytes of headers behind the IP header: XCP's and TCP's. */
    static constexpr uint32_t MOST_HEADERS = XcpHeader::SIZE + TcpView::MAX_BYTES;

    /** @brief What the transport header says. */
    struct Transport
    {
        PortView ports;     //!< ports
        uint32_t header{0}; //!< length of the headers behind the IP header, [B]
    };

    /**
     * @brief Read the header of the transport.
     * @param protocol what is behind the IP header
     * @param bytes what is behind the IP header
     * @return what it says; nothing when it is neither UDP nor TCP
     */
    static std::optional<Transport> ReadTransport(uint8_t protocol, std::span<const uint8_t> bytes);

  private:
    using Bytes16 = std::array<uint8_t, 16>; //!< an IPv6 address, or one of IPv4 and zeros

    /** @brief A datagram of which fragments came. */
    struct Datagram
    {
        std::optional<Transport> transport; //!< what the first one says, once it is there
        uint32_t came{0};                   //!< bytes behind the IP headers, [B]
        uint32_t headers{0};                //!< of the IP headers, [B]
        uint32_t end{0};                    //!< length, [B]; 0 before the last one is there
    };

    /** @brief The host, and what is said of the datagram: addresses, number, protocol. */
    using FragmentKey = std::tuple<uint32_t, Bytes16, Bytes16, uint32_t, uint8_t>;

    /**
     * @brief A packet has come in at a host.
     * @tparam Ip Ipv4 or Ipv6
     * @param packet the packet, IP header first
     * @param ip the host's
     * @param interface where it came in
     */
    template <typename Ip>
    void OnPacket(Ptr<const Packet> packet, Ptr<Ip> ip, uint32_t interface);

    /**
     * @brief A fragment has come in at a host.
     * @param node the host
     * @param ip what it says of itself
     * @param bytes what is behind the IP header
     */
    void OnFragment(uint32_t node, const IpView& ip, std::span<const uint8_t> bytes);

    /**
     * @brief Count a whole packet.
     * @param node the host where it came in
     * @param ports what it says
     * @param bytes its length, IP headers included, [B]
     * @param payload behind the headers of UDP or TCP, [B]
     */
    void Count(uint32_t node, const PortView& ports, uint32_t bytes, uint32_t payload);

    /**
     * @brief Find the flow of a packet.
     * @param node the host
     * @param source port it came from
     * @param destination port it goes to
     * @return the flow's number; that of no flow when it is nobody's
     */
    std::size_t Find(uint32_t node, uint16_t source, uint16_t destination) const;

    std::vector<Flow> m_flows;                                    //!< the flows
    std::vector<Account> m_accounts;                              //!< what came of them
    std::set<uint32_t> m_nodes;                                   //!< hosts listened to
    std::map<std::pair<uint32_t, uint16_t>, std::size_t> m_ports; //!< flow by host and port
    std::map<FragmentKey, Datagram> m_datagrams;                  //!< of which fragments came
};

} // namespace ns3::lfn

#endif // LFN_FLOW_COUNTER_H
