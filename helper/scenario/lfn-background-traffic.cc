// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-background-traffic.h"

#include "lfn-random-streams.h"

#include "ns3/lfn-reported-link.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr uint16_t FIRST_PORT = 40000;                      //!< of the first kind
constexpr uint32_t MOST_KINDS = 9;                          //!< whose ports are not ephemeral
constexpr uint32_t MOST_PAIRS = BackgroundPlace::PORTS / 2; //!< of a direction
constexpr int64_t PAIR_STREAMS = 100;                       //!< of a pair
constexpr uint32_t TCP_HEADERS = 52;                        //!< IPv4 and TCP with time stamps, B
constexpr uint32_t IPV6_LONGER = 20;                        //!< than IPv4's is its header, B

/** @brief Get the largest IP packet that two hosts and the bottlenecks carry. */
uint32_t
GetMtu(const TransportTopology& topology, const BackgroundPair& pair)
{
    uint32_t mtu = UINT16_MAX;
    for (const auto& node : {pair.from, pair.to})
    {
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            mtu = std::min<uint32_t>(mtu, node->GetDevice(i)->GetMtu());
        }
    }
    for (const auto& link : topology.GetBottlenecks())
    {
        mtu = std::min<uint32_t>(mtu, link.first->GetMtu());
    }
    return mtu;
}

/** @brief List the pairs of hosts from senders to receivers, without ports and streams. */
std::vector<BackgroundPair>
ListPairs(const TransportTopology& topology)
{
    const auto& senders = topology.GetSenders();
    const auto& receivers = topology.GetReceivers();
    const auto count = std::min(std::max(senders.GetN(), receivers.GetN()), MOST_PAIRS);
    std::vector<BackgroundPair> pairs;
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto from = i % senders.GetN();
        auto to = i % receivers.GetN();
        for (uint32_t k = 0; k < receivers.GetN() && receivers.Get(to) == senders.Get(from); ++k)
        {
            to = (to + 1) % receivers.GetN();
        }
        BackgroundPair pair{senders.Get(from),
                            topology.GetSenderEnd(from),
                            receivers.Get(to),
                            topology.GetReceiverEnd(to)};
        if (pair.from != pair.to)
        {
            const auto headers = TCP_HEADERS + (topology.UsesIpv6() ? IPV6_LONGER : 0);
            pair.segment = std::max(GetMtu(topology, pair), headers + 1) - headers;
            pairs.push_back(pair);
        }
    }
    return pairs;
}

/** @brief Find where a kind of traffic goes. */
BackgroundPlace
FindPlace(const TransportTopology& topology, uint32_t kind, Time start)
{
    BackgroundPlace place;
    place.start = start;
    place.port = static_cast<uint16_t>(FIRST_PORT + BackgroundPlace::PORTS * kind);
    place.stream = RandomStreams::Background(kind);
    if (!topology.GetBottlenecks().empty())
    {
        const auto device = topology.GetBottlenecks().front().first;
        place.bottleneck = ReportedLink::GetRate(device).value_or(DataRate(0));
    }
    uint32_t number = 0;
    for (auto& pair : ListPairs(topology))
    {
        for (auto* pairs : {&place.forward, &place.reverse})
        {
            pair.port = static_cast<uint16_t>(place.port + number);
            pair.stream = place.stream + PAIR_STREAMS * number;
            number++;
            pairs->push_back(pair);
            std::swap(pair.from, pair.to);
            std::swap(pair.fromAddress, pair.toAddress);
        }
    }
    return place;
}

} // namespace

BackgroundTraffic::BackgroundTraffic(Flags& flags)
    : m_flags(flags)
{
}

void
BackgroundTraffic::Declare()
{
    m_flags.Text("background", "cross traffic", m_text, [this](const std::string& text) {
        auto remedy = Background::GetFamily().Read(text, m_kinds);
        return !remedy && m_kinds.size() > MOST_KINDS
                   ? "name " + std::to_string(MOST_KINDS) + " kinds at most"
                   : remedy;
    });
    m_flags.Explain("background", [] {
        return "cross traffic: comma list of " + Join(Background::GetFamily().GetNames()) +
               " or TypeIds, each with [Attribute=value|Attribute=value]";
    });
    m_flags.Columns([] {
        const auto& family = Background::GetFamily();
        std::string kinds;
        for (const auto& type : family.List())
        {
            const auto kind = ObjectFactory(type.GetName()).Create<Background>();
            kinds += "\n  " + family.GetName(type) + "  " + kind->Describe();
        }
        return "Kinds of --background:" + kinds;
    });
    m_flags.Columns([] {
        return "Columns of background.csv, with --background:" + DescribeBackgroundColumns();
    });
}

const std::vector<Ptr<Background>>&
BackgroundTraffic::Get() const
{
    return m_kinds;
}

std::vector<Ptr<TcpBackground>>
BackgroundTraffic::TakeTcp()
{
    m_hasTakenTcp = true;
    std::vector<Ptr<TcpBackground>> taken;
    for (const auto& kind : m_kinds)
    {
        if (const auto tcp = DynamicCast<TcpBackground>(kind))
        {
            taken.insert(taken.end(), tcp->GetFlows(), tcp);
        }
    }
    return taken;
}

void
BackgroundTraffic::Install(const TransportTopology& topology, Time start) const
{
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
    {
        if (m_hasTakenTcp && DynamicCast<TcpBackground>(m_kinds[i]))
        {
            continue;
        }
        const auto place = FindPlace(topology, static_cast<uint32_t>(i), start);
        m_flags.RefuseIf(place.forward.empty(),
                         "topology",
                         "it has no receiver but the sender itself");
        const auto remedy = m_kinds[i]->Install(place);
        const auto name = Background::GetFamily().GetName(m_kinds[i]->GetInstanceTypeId());
        m_flags.RefuseIf(remedy.has_value(), "background", name + ": " + remedy.value_or(""));
    }
}

std::string
BackgroundTraffic::Print() const
{
    std::string text;
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
    {
        text +=
            PrintBackgroundRows(i,
                                Background::GetFamily().GetName(m_kinds[i]->GetInstanceTypeId()),
                                m_kinds[i]->GetRows());
    }
    return text.empty() ? text : PrintBackgroundHeader() + text;
}

} // namespace ns3::lfn
