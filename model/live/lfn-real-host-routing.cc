// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-real-host-routing.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/net-device.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RealHostRouting");
NS_OBJECT_ENSURE_REGISTERED(RealHostRouting);

TypeId
RealHostRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::RealHostRouting")
                            .SetParent<Ipv4ListRouting>()
                            .SetGroupName("Lfn")
                            .AddConstructor<RealHostRouting>();
    return tid;
}

void
RealHostRouting::Set(Ptr<Ipv4RoutingProtocol> inner, Deliver deliver)
{
    NS_LOG_FUNCTION(this << inner);
    m_inner = inner;
    AddRoutingProtocol(inner, 0);
    m_deliver = deliver;
}

void
RealHostRouting::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_inner = nullptr;
    m_deliver.Nullify();
    m_ipv4 = nullptr;
    Ipv4ListRouting::DoDispose();
}

bool
RealHostRouting::RouteInput(Ptr<const Packet> p,
                            const Ipv4Header& header,
                            Ptr<const NetDevice> idev,
                            const UnicastForwardCallback& ucb,
                            const MulticastForwardCallback& mcb,
                            const LocalDeliverCallback& lcb,
                            const ErrorCallback& ecb)
{
    if (m_ipv4->GetInterfaceForAddress(header.GetDestination()) >= 0)
    {
        NS_LOG_LOGIC("a packet of " << p->GetSize() << " B for " << header.GetDestination()
                                    << " goes to the real host");
        m_deliver(p, header);
        return true;
    }
    return m_inner->RouteInput(p, header, idev, ucb, mcb, lcb, ecb);
}

void
RealHostRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    NS_LOG_FUNCTION(this << ipv4);
    m_ipv4 = ipv4; // the inner one has it already
}

void
RealHostRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const
{
    m_inner->PrintRoutingTable(stream, unit);
}

} // namespace ns3::lfn
