// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FLOW_CLASSIFIER_H
#define LFN_FLOW_CLASSIFIER_H

#include "ns3/flow-classifier.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Gives ns-3's FlowMonitor the flow of a packet.
 *
 * A flow is what has the same addresses, IP protocol and ports. ns-3's own classifiers handle UDP
 * and TCP alone, and number the flows of IPv4 and IPv6 each from 1 on; this one finds the ports
 * behind XCP's congestion header as well, and numbers all flows together. Its XML is theirs, so
 * that what reads FlowMonitor's files reads this; an XCP flow has the protocol 253 there.
 */
class TransportFlowClassifier : public FlowClassifier
{
  public:
    /** @brief The number of a flow, and that of a packet in it. */
    using Numbers = std::pair<FlowId, FlowPacketId>;

    /**
     * @brief Number a packet that begins its way; a flow that was not seen before gets a number.
     * @param ip its IPv4 header
     * @param payload what is behind that
     * @return the numbers; nothing for a later fragment, another protocol or too few bytes
     */
    std::optional<Numbers> Classify(const Ipv4Header& ip, Ptr<const Packet> payload);

    /**
     * @brief Number a packet that begins its way; a flow that was not seen before gets a number.
     * @param ip its IPv6 header
     * @param payload what is behind that
     * @return the numbers; nothing for extension headers, another protocol or too few bytes
     */
    std::optional<Numbers> Classify(const Ipv6Header& ip, Ptr<const Packet> payload);

    /** @brief Check whether a flow has the addresses of an IPv4 packet; false for no flow. */
    bool IsBetween(FlowId flow, const Ipv4Header& ip) const;

    /** @brief Check whether a flow has the addresses of an IPv6 packet; false for no flow. */
    bool IsBetween(FlowId flow, const Ipv6Header& ip) const;

    /** @brief Check whether a flow goes to a group; false for no flow. */
    bool IsMulticast(FlowId flow) const;

    void SerializeToXmlStream(std::ostream& os, uint16_t indent) const override;

  private:
    /** @brief An address of IPv4, or of IPv6. */
    using Bytes = std::array<uint8_t, 16>;

    /** @brief What the packets of a flow have in common. */
    struct Flow
    {
        bool isIpv6{false};          //!< the version of IP
        Bytes source{};              //!< address; of IPv4 the first four bytes
        Bytes destination{};         //!< address; of IPv4 the first four bytes
        uint8_t protocol{0};         //!< in the IP header
        uint16_t sourcePort{0};      //!< of UDP or TCP
        uint16_t destinationPort{0}; //!< of UDP or TCP

        /** @brief Compare all fields. */
        auto operator<=>(const Flow& other) const = default;
    };

    /** @brief Make a flow without ports of an IPv4 header. */
    static Flow Addresses(const Ipv4Header& ip);

    /** @brief Make a flow without ports of an IPv6 header. */
    static Flow Addresses(const Ipv6Header& ip);

    /** @brief Check whether a numbered flow has the version and addresses of another one. */
    bool HasAddressesOf(FlowId number, const Flow& flow) const;

    /**
     * @brief Read the ports and number the packet.
     * @param flow all of it but the ports
     * @param payload what is behind the IP header
     * @return the numbers; nothing for another protocol or too few bytes
     */
    std::optional<Numbers> Number(Flow flow, Ptr<const Packet> payload);

    std::map<Flow, FlowId> m_numbers;    //!< by flow
    std::vector<Flow> m_flows;           //!< by number, from 1 on
    std::vector<FlowPacketId> m_packets; //!< seen of each flow, by number, from 1 on
};

} // namespace ns3::lfn

#endif // LFN_FLOW_CLASSIFIER_H
