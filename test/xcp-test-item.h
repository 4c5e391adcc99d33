// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TEST_ITEM_H
#define XCP_TEST_ITEM_H

#include "lfn-test-bytes.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/queue-item.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/udp-header.h"
#include "ns3/xcp-drop-law.h"
#include "ns3/xcp-exact-estimator.h"
#include "ns3/xcp-header.h"
#include "ns3/xcp-queue-disc.h"

#include <cstdint>
#include <optional>
#include <string>

/**
 * @file
 * @ingroup lfn-xcp
 * Packets as a router's queue disc gets them.
 */

namespace ns3::lfn::tests
{

/** @brief A packet to be made. */
struct XcpTestPacket
{
    std::optional<XcpHeader> xcp{}; //!< congestion header
    uint8_t protocol{6};            //!< TCP or UDP; any other: bare bytes
    uint32_t payload{1000};         //!< user data, [B]
    uint16_t port{1000};            //!< source port
    bool ipv6{false};               //!< IPv6, and not IPv4
    uint8_t tos{0};                 //!< TOS byte or traffic class; 2: ECN-capable
    uint16_t fragmentOffset{0};     //!< in IPv4, [B]
};

/// Make a standard congestion header: inter-packet time and RTT in s, what is asked for in B/s.
inline XcpHeader
MakeXcpHeader(double x = 1e-3, double rtt = 0.1, double delta = 1e8)
{
    XcpHeader header;
    header.x = x;
    header.rtt = rtt;
    header.deltaThroughput = delta;
    header.reverseFeedback = 77;
    return header;
}

/// Make the headers that stand behind the IP header, and the data.
inline Ptr<Packet>
MakeXcpPacket(const XcpTestPacket& wanted)
{
    auto packet = Create<Packet>(wanted.payload);
    if (wanted.protocol == 6)
    {
        TcpHeader tcp;
        tcp.SetSourcePort(wanted.port);
        tcp.SetDestinationPort(80);
        packet->AddHeader(tcp);
    }
    else if (wanted.protocol == 17)
    {
        UdpHeader udp;
        udp.SetSourcePort(wanted.port);
        udp.SetDestinationPort(80);
        packet->AddHeader(udp);
    }
    if (wanted.xcp)
    {
        packet->AddHeader(*wanted.xcp);
    }
    return packet;
}

/// Put a packet, which is what stands behind the IP header, into an item.
inline Ptr<QueueDiscItem>
MakeXcpItem(Ptr<Packet> packet, const XcpTestPacket& wanted)
{
    const uint8_t protocol = wanted.xcp ? 253 : wanted.protocol;
    const Address hop = Mac48Address("00:00:00:00:00:02");
    if (wanted.ipv6)
    {
        Ipv6Header ip;
        ip.SetSource("2001::1");
        ip.SetDestination("2001::2");
        ip.SetNextHeader(protocol);
        ip.SetTrafficClass(wanted.tos);
        ip.SetPayloadLength(static_cast<uint16_t>(packet->GetSize()));
        return Create<Ipv6QueueDiscItem>(packet, hop, 0x86DD, ip);
    }
    Ipv4Header ip;
    ip.SetSource("10.0.0.1");
    ip.SetDestination("10.0.0.2");
    ip.SetProtocol(protocol);
    ip.SetTos(wanted.tos);
    ip.SetFragmentOffset(wanted.fragmentOffset);
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    return Create<Ipv4QueueDiscItem>(packet, hop, 0x0800, ip);
}

/// Make a packet in an item.
inline Ptr<QueueDiscItem>
MakeXcpItem(const XcpTestPacket& wanted)
{
    return MakeXcpItem(MakeXcpPacket(wanted), wanted);
}

/// Make an IPv6 packet with extension headers in front.
inline Ptr<QueueDiscItem>
MakeExtended(uint8_t first,
             const Bytes& bytes,
             const XcpTestPacket& rest = {.xcp = MakeXcpHeader()})
{
    const auto packet = ToPacket(bytes);
    packet->AddAtEnd(MakeXcpPacket(rest));
    return MakeXcpItem(packet, {.protocol = first, .ipv6 = true});
}

/// Read the congestion header of a packet.
inline XcpHeader
PeekXcpHeader(const Ptr<const QueueDiscItem>& item)
{
    XcpHeader header;
    item->GetPacket()->PeekHeader(header);
    return header;
}

/** @brief Drops a fixed share of the packets of end-to-end flows, of any kind. */
class XcpTestFixedLaw : public XcpDropLaw
{
  public:
    double probability{0}; //!< of a drop

    Decision Decide(const Observation& /* observation */) override
    {
        return {probability, true};
    }

    Decision Rest() override
    {
        return {};
    }
};

/// Make a fairness mechanism with exact counts of flows.
inline Ptr<XcpTcpFairness>
MakeExactFairness()
{
    const auto fairness = CreateObject<XcpTcpFairness>();
    for (const auto* name : {"XcpEstimator", "E2eEstimator"})
    {
        fairness->SetAttribute(name, PointerValue(CreateObject<XcpExactEstimator>()));
    }
    return fairness;
}

/** @brief An output port that a test feeds; it and the simulation end with the test. */
template <typename T = XcpQueueDisc>
class XcpTestPort : public Ptr<T>
{
  public:
    /// A port on a link of a rate, with a buffer.
    explicit XcpTestPort(const std::string& size = "1000p", const std::string& rate = "80Mbps")
        : Ptr<T>(CreateObject<T>())
    {
        (*this)->SetAttribute("Bandwidth", StringValue(rate));
        (*this)->SetAttribute("MaxSize", StringValue(size));
    }

    ~XcpTestPort()
    {
        (*this)->Dispose();
        Simulator::Destroy();
    }

    XcpTestPort(const XcpTestPort&) = delete;
    XcpTestPort& operator=(const XcpTestPort&) = delete;
};

/// Pass simulated time.
inline void
Pass(Time time)
{
    Simulator::Stop(time);
    Simulator::Run();
}

} // namespace ns3::lfn::tests

#endif // XCP_TEST_ITEM_H
