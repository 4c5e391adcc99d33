// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-network-flags.h"

#include "ns3/lfn-attribute-check.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

namespace ns3::lfn
{

NetworkFlags::NetworkFlags(Flags& flags)
    : m_flags(flags),
      m_losses(flags),
      m_links(flags),
      m_queueDisc(flags),
      m_background(flags)
{
}

PathLosses&
NetworkFlags::GetLosses()
{
    return m_losses;
}

LinkSchedule&
NetworkFlags::GetLinks()
{
    return m_links;
}

BackgroundTraffic&
NetworkFlags::GetBackground()
{
    return m_background;
}

Ptr<TransportTopology>
NetworkFlags::GetAsked() const
{
    return m_asked;
}

void
NetworkFlags::DeclarePathFlag(const std::vector<std::string>& topologies,
                              const std::string& name,
                              const std::string& attribute,
                              const std::string& help)
{
    std::vector<std::string> attributes;
    for (const auto& topology : topologies)
    {
        TypeId::AttributeInformation about;
        if (TypeId::LookupByName(topology).LookupAttributeByName(attribute, &about))
        {
            attributes.push_back(topology + "::" + attribute);
        }
    }
    m_flags.Attribute(name, attributes, help, attribute == "Mtu");
}

void
NetworkFlags::Declare(const std::vector<std::string>& topologies,
                      bool hasLinkFlags,
                      bool hasQueueDisc)
{
    if (hasLinkFlags)
    {
        DeclarePathFlag(topologies, "linkRate", "LinkRate", "rate of the link");
        DeclarePathFlag(topologies,
                        "rtt",
                        "Rtt",
                        "round-trip time of propagation, twice the link's delay");
        DeclarePathFlag(topologies,
                        "queue",
                        "Queue",
                        "drop-tail queue in front of the sending device");
    }
    if (hasQueueDisc)
    {
        m_queueDisc.Declare();
    }
    m_losses.Declare();
    m_links.Declare();
    m_background.Declare();
    DeclarePathFlag(topologies, "mtu", "Mtu", "largest IP packet of the link");
    m_flags.Text("topology",
                 "network instead of one link, such as "
                 "ns3::lfn::PointToPointTopology[LinkRate=100Mbps|Rtt=20ms]",
                 m_topologyText);
}

std::optional<std::string>
NetworkFlags::Check(Time duration)
{
    if (auto error = m_topologyText.empty() ? std::nullopt : MakeTopology())
    {
        return error;
    }
    if (auto error = m_losses.Check())
    {
        return error;
    }
    return m_links.Check(duration);
}

std::optional<std::string>
NetworkFlags::MakeTopology()
{
    ObjectFactory factory;
    if (const auto remedy = MakeFactory(m_topologyText, TransportTopology::GetTypeId(), factory))
    {
        return m_flags.Complaint("topology", *remedy);
    }
    m_asked = factory.Create<TransportTopology>();
    if (const auto remedy = m_asked->Check())
    {
        return m_flags.Complaint("topology", *remedy);
    }
    for (const auto& given : m_flags.GetGiven())
    {
        const auto owner = TypeId::LookupByName(given.name.substr(0, given.name.rfind("::")));
        if (given.argument != given.name && owner.IsChildOf(TransportTopology::GetTypeId()))
        {
            return m_flags.Complaint(given.argument,
                                     "--topology describes the path, leave this flag away or set "
                                     "the topology's own attribute");
        }
    }
    return std::nullopt;
}

void
NetworkFlags::Install(const TransportTopology& topology)
{
    m_links.Install(topology); // first: a trace gives a device its rate
    m_queueDisc.Install(topology);
    m_losses.Install(topology);
}

void
NetworkFlags::RefuseReplaced()
{
    m_queueDisc.RefuseReplaced();
}

} // namespace ns3::lfn
