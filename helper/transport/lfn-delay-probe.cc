// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-delay-probe.h"

#include "lfn-flow-counter.h"

#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tag.h"

#include <optional>
#include <span>
#include <type_traits>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("DelayProbe");

namespace
{

/** @brief When a packet left its host, and the flow that it belongs to. */
class DelayTag : public Tag
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lfn::DelayTag")
                                .SetParent<Tag>()
                                .SetGroupName("Lfn")
                                .AddConstructor<DelayTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return sizeof(uint32_t) + sizeof(uint64_t);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU32(flow);
        buffer.WriteU64(static_cast<uint64_t>(sent.GetTimeStep()));
    }

    void Deserialize(TagBuffer buffer) override
    {
        flow = buffer.ReadU32();
        sent = TimeStep(buffer.ReadU64());
    }

    void Print(std::ostream& os) const override
    {
        os << "flow " << flow << " sent at " << sent.As(Time::S);
    }

    uint32_t flow{0}; //!< number of the flow
    Time sent;        //!< when it left its host
};

/** @brief Read the newest tag: bytes that an application sends on still have those before. */
std::optional<DelayTag>
ReadTag(Ptr<const Packet> packet)
{
    std::optional<DelayTag> newest;
    auto tags = packet->GetByteTagIterator();
    while (tags.HasNext())
    {
        const auto item = tags.Next();
        if (item.GetTypeId() == DelayTag::GetTypeId())
        {
            newest.emplace();
            item.GetTag(*newest);
        }
    }
    return newest;
}

} // namespace

std::size_t
DelayProbe::Watch(Ptr<Node> sender, const NodeContainer& receivers, uint16_t port)
{
    NS_LOG_FUNCTION(this << sender << port);
    const std::size_t index = m_flows.size();
    Flow flow;
    for (auto node = receivers.Begin(); node != receivers.End(); ++node)
    {
        flow.receivers.insert((*node)->GetId());
        Listen(*node);
    }
    m_flows.push_back(std::move(flow));
    auto& waiting = m_routes[{sender->GetId(), port}];
    waiting.insert(waiting.begin(), index);
    Listen(sender);
    return index;
}

const DelayStatistics&
DelayProbe::Get(std::size_t flow) const
{
    return m_flows.at(flow).delays;
}

void
DelayProbe::Listen(Ptr<Node> node)
{
    const uint32_t id = node->GetId();
    if (!m_nodes.insert(id).second)
    {
        return;
    }
    const auto listen = [&]<typename L3, typename Header>() {
        if (const auto ip = node->GetObject<L3>())
        {
            ip->TraceConnectWithoutContext(
                "SendOutgoing",
                MakeCallback(&DelayProbe::OnSent<Header>, this).Bind(id));
            ip->TraceConnectWithoutContext(
                "LocalDeliver",
                MakeCallback(&DelayProbe::OnDelivered<Header>, this).Bind(id));
        }
    };
    listen.template operator()<Ipv4L3Protocol, Ipv4Header>();
    listen.template operator()<Ipv6L3Protocol, Ipv6Header>();
}

const std::size_t*
DelayProbe::Find(const Route& route, uint16_t source)
{
    const auto known = m_sources.find({route, source});
    if (known != m_sources.end())
    {
        return &known->second;
    }
    const auto found = m_routes.find(route);
    if (found == m_routes.end())
    {
        return nullptr;
    }
    auto& waiting = found->second;
    const auto index = waiting.back();
    if (waiting.size() > 1) // the last one also takes connections that its transport opens later
    {
        waiting.pop_back();
    }
    return &m_sources.emplace(std::pair(route, source), index).first->second;
}

template <typename Header>
void
DelayProbe::OnSent(uint32_t node,
                   const Header& ip,
                   Ptr<const Packet> payload,
                   uint32_t /* interface */)
{
    uint8_t protocol = 0;
    if constexpr (std::is_same_v<Header, Ipv4Header>)
    {
        protocol = ip.GetProtocol();
    }
    else
    {
        protocol = ip.GetNextHeader();
    }
    std::array<uint8_t, FlowCounter::MOST_HEADERS> buffer{};
    const auto size = payload->CopyData(buffer.data(), buffer.size());
    const auto transport =
        FlowCounter::ReadTransport(protocol, std::span<const uint8_t>(buffer).first(size));
    if (!transport || payload->GetSize() <= transport->header)
    {
        return;
    }
    if (const auto* flow = Find({node, transport->ports.destination}, transport->ports.source))
    {
        DelayTag tag;
        tag.flow = static_cast<uint32_t>(*flow);
        tag.sent = Simulator::Now();
        payload->AddByteTag(tag);
    }
}

template <typename Header>
void
DelayProbe::OnDelivered(uint32_t node,
                        const Header& /* ip */,
                        Ptr<const Packet> payload,
                        uint32_t /* interface */)
{
    const auto tag = ReadTag(payload);
    if (tag && tag->flow < m_flows.size() && m_flows[tag->flow].receivers.contains(node))
    {
        const Time delay = Simulator::Now() - tag->sent;
        NS_LOG_DEBUG("flow " << tag->flow << ": a packet took " << delay.As(Time::MS));
        m_flows[tag->flow].delays.Add(delay);
    }
}

} // namespace ns3::lfn
