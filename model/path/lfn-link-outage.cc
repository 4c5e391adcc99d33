// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-link-outage.h"

#include "lfn-receiving-loss.h"

#include "ns3/callback.h"
#include "ns3/log.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("LinkOutage");
NS_OBJECT_ENSURE_REGISTERED(LinkOutage);

TypeId
LinkOutage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::LinkOutage")
                            .SetParent<ErrorModel>()
                            .SetGroupName("Lfn")
                            .AddConstructor<LinkOutage>();
    return tid;
}

LinkOutage::LinkOutage() = default;

Ptr<LinkOutage>
LinkOutage::Install(Ptr<NetDevice> from, Ptr<NetDevice> to)
{
    NS_LOG_FUNCTION(from << to);
    const auto outage = CreateObject<LinkOutage>();
    if (!AddLoss(to, outage))
    {
        return nullptr;
    }
    if (to->IsPointToPoint())
    {
        from->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&LinkOutage::OnSent, outage));
    }
    return outage;
}

void
LinkOutage::GoDown()
{
    NS_LOG_INFO("the link goes down, packets in flight " << m_inFlight);
    m_isDown = true;
}

void
LinkOutage::GoUp()
{
    NS_LOG_INFO("the link comes up, packets in flight, lost all " << m_inFlight);
    if (m_isDown)
    {
        m_isDown = false;
        m_condemned = m_inFlight;
    }
}

void
LinkOutage::OnSent(Ptr<const Packet> /* packet */)
{
    m_inFlight++;
}

bool
LinkOutage::DoCorrupt(Ptr<Packet> packet)
{
    m_inFlight -= m_inFlight > 0 ? 1 : 0;
    const bool isCondemned = m_condemned > 0;
    m_condemned -= isCondemned ? 1 : 0;
    const bool isLost = m_isDown || isCondemned;
    NS_LOG_DEBUG("packet " << packet << " of " << packet->GetSize() << " B: lost " << isLost);
    return isLost;
}

void
LinkOutage::DoReset()
{
    NS_LOG_FUNCTION(this);
    m_isDown = false;
    m_condemned = 0;
}

} // namespace ns3::lfn
