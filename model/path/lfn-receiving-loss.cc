// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-receiving-loss.h"

#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ReceivingLoss");
NS_OBJECT_ENSURE_REGISTERED(ReceivingLoss);

namespace
{

constexpr uint16_t IPV4_ETHERTYPE = 0x0800; //!< RFC 894
constexpr uint16_t ARP_ETHERTYPE = 0x0806;  //!< RFC 826
constexpr uint16_t IPV6_ETHERTYPE = 0x86dd; //!< RFC 2464

/**
 * @brief Check whether a node's internet stack takes a packet of a device.
 * @tparam T Ipv4 or Ipv6
 */
template <typename T>
bool
HasInterface(Ptr<NetDevice> device)
{
    const auto ip = device->GetNode()->GetObject<T>();
    return ip && ip->GetInterfaceForDevice(device) >= 0;
}

} // namespace

TypeId
ReceivingLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::ReceivingLoss")
                            .SetParent<Object>()
                            .SetGroupName("Lfn")
                            .AddConstructor<ReceivingLoss>()
                            .AddAttribute("Models",
                                          "What loses packets.",
                                          TypeId::ATTR_GET,
                                          PointerValue(),
                                          MakePointerAccessor(&ReceivingLoss::m_models),
                                          MakePointerChecker<ErrorModelList>());
    return tid;
}

ReceivingLoss::ReceivingLoss()
    : m_models(CreateObject<ErrorModelList>())
{
}

void
ReceivingLoss::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_models = nullptr;
    Object::DoDispose();
}

bool
ReceivingLoss::AddTo(Ptr<NetDevice> device, Ptr<ErrorModel> model)
{
    NS_LOG_FUNCTION(device << model);
    auto loss = device->GetObject<ReceivingLoss>();
    if (!loss)
    {
        if (!device->GetNode()->GetObject<TrafficControlLayer>())
        {
            return false;
        }
        loss = CreateObject<ReceivingLoss>();
        device->AggregateObject(loss);
        device->SetReceiveCallback(MakeCallback(&ReceivingLoss::Receive, PeekPointer(loss)));
    }
    loss->m_models->Add(model);
    return true;
}

bool
ReceivingLoss::Receive(Ptr<NetDevice> device,
                       Ptr<const Packet> packet,
                       uint16_t protocol,
                       const Address& from)
{
    const bool isIpv4 = protocol == IPV4_ETHERTYPE;
    const bool isIpv6 = protocol == IPV6_ETHERTYPE;
    const bool isArp = protocol == ARP_ETHERTYPE;
    if ((isIpv4 || isIpv6) && m_models && m_models->IsCorrupt(packet->Copy()))
    {
        NS_LOG_LOGIC("a packet of " << packet->GetSize() << " B from " << from << " is lost");
        return true;
    }
    // ns-3 ends the program over a protocol that nobody there takes.
    if (((isIpv4 || isArp) && HasInterface<Ipv4>(device)) || (isIpv6 && HasInterface<Ipv6>(device)))
    {
        device->GetNode()->GetObject<TrafficControlLayer>()->Receive(device,
                                                                     packet,
                                                                     protocol,
                                                                     from,
                                                                     device->GetAddress(),
                                                                     NetDevice::PACKET_HOST);
    }
    return true;
}

bool
AddLoss(Ptr<NetDevice> device, Ptr<ErrorModel> model)
{
    // The error model of a shared medium would see others' frames, and those of ARP.
    const bool isAlone = device->IsPointToPoint();
    NS_LOG_LOGIC("packets are lost by " << model << " at " << device
                                        << ", at the device itself: " << isAlone);
    return (isAlone && ErrorModelList::AddTo(device, model)) || ReceivingLoss::AddTo(device, model);
}

} // namespace ns3::lfn
