// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_DEVICE_DISPATCH_H
#define LFN_DEVICE_DISPATCH_H

#include "ns3/arp-l3-protocol.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/traffic-control-layer.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Hands what a node's devices receive to IP.
 *
 * Node and TrafficControlLayer have a handler per device and protocol, and go through all of them
 * for each packet. This object puts a handler per protocol in the place of those of the node.
 *
 * Aggregate it to a node, before its devices get interfaces. HashedRouting calls it.
 */
class DeviceDispatch : public Object
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Take the place of the handlers of all interfaces that have come since the last call.
     *
     * All at once: of equal handlers a node removes the first, of whichever device. One call per
     * interface keeps the time of that short.
     */
    void TakeInterfaces();

  protected:
    void DoDispose() override;

  private:
    /** @brief What has an interface on a device. */
    struct Uses
    {
        bool ipv4{false}; //!< IPv4 and ARP.
        bool ipv6{false}; //!< IPv6.
    };

    using Use = bool Uses::*; //!< one of them

    /** @brief Take the place of the handlers of an IP version. */
    template <typename Ip>
    void Take(Ptr<Ip> ip, Use use, uint32_t& taken, int handlers);

    /** @brief Hand on a packet; a Node::ProtocolHandler. */
    void Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from,
                 const Address& to,
                 NetDevice::PacketType type);

    Ptr<TrafficControlLayer> m_control; //!< The node's.
    Ptr<Ipv4L3Protocol> m_ipv4;         //!< The node's.
    Ptr<Ipv6L3Protocol> m_ipv6;         //!< The node's; null for none.
    std::vector<Uses> m_uses;           //!< By the device's number.
    uint32_t m_ipv4Taken{0};            //!< Interfaces of IPv4 seen.
    uint32_t m_ipv6Taken{0};            //!< Interfaces of IPv6 seen.
};

} // namespace ns3::lfn

#endif // LFN_DEVICE_DISPATCH_H
