// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flow-probe.h"

#include "ns3/config.h"
#include "ns3/log.h"
#include "ns3/tag.h"

#include <string>
#include <type_traits>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(TransportFlowProbe);

NS_LOG_COMPONENT_DEFINE("TransportFlowProbe");

namespace
{

/** @brief Says at every place which packet this is; bytes keep it in all headers. */
class FlowTag : public Tag
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lfn::FlowTag")
                                .SetParent<Tag>()
                                .SetGroupName("Lfn")
                                .AddConstructor<FlowTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 3 * sizeof(uint32_t);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU32(flow);
        buffer.WriteU32(packet);
        buffer.WriteU32(bytes);
    }

    void Deserialize(TagBuffer buffer) override
    {
        flow = buffer.ReadU32();
        packet = buffer.ReadU32();
        bytes = buffer.ReadU32();
    }

    void Print(std::ostream& os) const override
    {
        os << "flow " << flow << " packet " << packet << " bytes " << bytes;
    }

    uint32_t flow{0};   //!< number of the flow
    uint32_t packet{0}; //!< number of the packet
    uint32_t bytes{0};  //!< size, IP header included [B]
};

} // namespace

TypeId
TransportFlowProbe::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::TransportFlowProbe").SetParent<FlowProbe>().SetGroupName("Lfn");
    return tid;
}

TransportFlowProbe::TransportFlowProbe(Ptr<FlowMonitor> monitor,
                                       Ptr<TransportFlowClassifier> classifier,
                                       Ptr<Node> node)
    : FlowProbe(monitor),
      m_classifier(classifier),
      m_node(node)
{
    using Self = TransportFlowProbe;
    const auto listen = [this]<typename Header, typename L3, typename Ip>() {
        if (const auto ip = m_node->GetObject<L3>())
        {
            const auto connect = [&ip](const char* trace, const auto& callback) {
                ip->TraceConnectWithoutContext(trace, callback);
            };
            connect("SendOutgoing", MakeCallback(&Self::OnSent<Header>, this));
            connect("UnicastForward", MakeCallback(&Self::OnForwarded<Header>, this));
            connect("LocalDeliver", MakeCallback(&Self::OnDelivered<Header>, this));
            connect("Drop", MakeCallback(&Self::OnIpDrop<L3, Header, Ip>, this));
        }
    };
    listen.template operator()<Ipv4Header, Ipv4L3Protocol, Ipv4>();
    listen.template operator()<Ipv6Header, Ipv6L3Protocol, Ipv6>();
    // Where there are none, nothing is connected.
    const std::string path = "/NodeList/" + std::to_string(node->GetId());
    Config::ConnectWithoutContextFailSafe(path +
                                              "/$ns3::TrafficControlLayer/RootQueueDiscList/*/Drop",
                                          MakeCallback(&Self::OnQueueDiscDrop, this));
    Config::ConnectWithoutContextFailSafe(path + "/DeviceList/*/TxQueue/Drop",
                                          MakeCallback(&Self::OnQueueDrop, this));
    Config::ConnectWithoutContextFailSafe(path + "/DeviceList/*/PhyRxDrop",
                                          MakeCallback(&Self::OnLinkDrop, this));
}

void
TransportFlowProbe::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_classifier = nullptr;
    m_node = nullptr;
    FlowProbe::DoDispose();
}

std::optional<TransportFlowProbe::Known>
TransportFlowProbe::Find(Ptr<const Packet> packet)
{
    // Bytes that are sent on by an application still have the tag of their first way: the newest
    // one counts, which comes last.
    std::optional<Known> known;
    auto tags = packet->GetByteTagIterator();
    while (tags.HasNext())
    {
        const auto item = tags.Next();
        if (item.GetTypeId() == FlowTag::GetTypeId())
        {
            FlowTag tag;
            item.GetTag(tag);
            known = Known{tag.flow, tag.packet, tag.bytes};
        }
    }
    return known;
}

template <typename Header>
void
TransportFlowProbe::OnSent(const Header& ip, Ptr<const Packet> payload, uint32_t /* interface */)
{
    if (!m_classifier)
    {
        return;
    }
    if (const auto numbers = m_classifier->Classify(ip, payload))
    {
        FlowTag tag;
        tag.flow = numbers->first;
        tag.packet = numbers->second;
        tag.bytes = payload->GetSize() + ip.GetSerializedSize();
        NS_LOG_DEBUG("flow " << tag.flow << ", packet " << tag.packet << ", " << tag.bytes << " B");
        payload->AddByteTag(tag);
        m_flowMonitor->ReportFirstTx(this, tag.flow, tag.packet, tag.bytes);
    }
}

template <typename Header>
void
TransportFlowProbe::OnForwarded(const Header& ip,
                                Ptr<const Packet> payload,
                                uint32_t /* interface */)
{
    const auto known = Find(payload);
    if (m_classifier && known && m_classifier->IsBetween(known->flow, ip))
    {
        m_flowMonitor->ReportForwarding(this, known->flow, known->packet, known->bytes);
    }
}

template <typename Header>
void
TransportFlowProbe::OnDelivered(const Header& ip,
                                Ptr<const Packet> payload,
                                uint32_t /* interface */)
{
    const auto known = Find(payload);
    // IP of a router delivers what goes to a group as well, though nobody there is of it.
    if (m_classifier && known && m_classifier->IsBetween(known->flow, ip) &&
        (m_node->GetNApplications() > 0 || !m_classifier->IsMulticast(known->flow)))
    {
        m_flowMonitor->ReportLastRx(this, known->flow, known->packet, known->bytes);
    }
}

template <typename L3, typename Header, typename Ip>
void
TransportFlowProbe::OnIpDrop(const Header& /* ip */,
                             Ptr<const Packet> payload,
                             typename L3::DropReason reason,
                             Ptr<Ip> /* protocol */,
                             uint32_t /* interface */)
{
    if constexpr (std::is_same_v<L3, Ipv4L3Protocol>)
    {
        if (reason == L3::DROP_BAD_CHECKSUM)
        {
            return Drop(payload, BAD_CHECKSUM);
        }
    }
    switch (reason)
    {
    case L3::DROP_NO_ROUTE:
        return Drop(payload, NO_ROUTE);
    case L3::DROP_TTL_EXPIRED:
        return Drop(payload, TTL_EXPIRED);
    case L3::DROP_INTERFACE_DOWN:
        return Drop(payload, INTERFACE_DOWN);
    case L3::DROP_ROUTE_ERROR:
        return Drop(payload, ROUTE_ERROR);
    case L3::DROP_FRAGMENT_TIMEOUT:
        return Drop(payload, FRAGMENT_TIMEOUT);
    default:
        return Drop(payload, OTHER);
    }
}

void
TransportFlowProbe::OnQueueDrop(Ptr<const Packet> packet)
{
    Drop(packet, QUEUE);
}

void
TransportFlowProbe::OnQueueDiscDrop(Ptr<const QueueDiscItem> item)
{
    Drop(item->GetPacket(), QUEUE_DISC);
}

void
TransportFlowProbe::OnLinkDrop(Ptr<const Packet> packet)
{
    Drop(packet, LINK);
}

void
TransportFlowProbe::Drop(Ptr<const Packet> packet, Reason reason)
{
    const auto known = Find(packet);
    if (m_classifier && known && !m_classifier->IsMulticast(known->flow))
    {
        NS_LOG_LOGIC("flow " << known->flow << " loses packet " << known->packet << ", reason "
                             << reason);
        m_flowMonitor->ReportDrop(this, known->flow, known->packet, known->bytes, reason);
    }
}

} // namespace ns3::lfn
