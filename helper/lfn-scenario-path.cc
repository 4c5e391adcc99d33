// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-path-monitor.h"
#include "lfn-point-to-point-topology.h"
#include "lfn-scenario.h"

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ipv4.h"
#include "ns3/lfn-error-model-list.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

/**
 * @file
 * @ingroup lfn
 * The network of a Scenario: topology, losses and captures.
 */

namespace ns3::lfn
{

Ptr<TransportTopology>
Scenario::BuildTopology(Ptr<TransportTopology> standard)
{
    if (m_topology)
    {
        return m_topology;
    }
    if (m_asked)
    {
        m_topology = m_asked;
    }
    else
    {
        m_topology = standard;
        if (!m_topology)
        {
            m_topology = CreateObject<PointToPointTopology>();
        }
        m_topology->SetAttributeFailSafe("LinkRate", DataRateValue(m_path.linkRate));
        m_topology->SetAttributeFailSafe("Rtt", TimeValue(m_path.rtt));
        m_topology->SetAttributeFailSafe("Queue", QueueSizeValue(m_path.queue));
        m_topology->SetAttributeFailSafe("Mtu", UintegerValue(m_path.mtu));
        m_topology->SetAttributeFailSafe("Jitter", TimeValue(m_path.jitter));
        if (m_path.reorder > 0)
        {
            m_topology->SetAttributeFailSafe("ReorderProbability", DoubleValue(m_path.reorder));
            m_topology->SetAttributeFailSafe("ReorderDisplacement",
                                             UintegerValue(m_path.reorderDisplacement));
        }
        if (m_path.policer.GetBitRate() > 0)
        {
            m_topology->SetAttributeFailSafe("PolicerRate", DataRateValue(m_path.policer));
            m_topology->SetAttributeFailSafe("PolicerBurst", UintegerValue(m_path.policerBurst));
        }
    }
    if (const auto remedy = m_topology->Check())
    {
        m_flags.Refuse("topology", *remedy);
    }
    m_topology->Build();
    if (m_topology->AssignStreams(TOPOLOGY_STREAM) > RANGE)
    {
        m_topology->AssignStreams(MANY_TOPOLOGY_STREAM);
    }
    if (m_topology->GetSenders().GetN() == 0 || m_topology->GetReceivers().GetN() == 0)
    {
        m_flags.Refuse("topology", "this topology names no sender or no receiver");
    }
    CheckNetwork();
    const auto& bottlenecks = m_topology->GetBottlenecks();
    if (m_path.lossRate > 0)
    {
        if (bottlenecks.empty())
        {
            m_flags.Refuse("lossRate", "this topology names no bottleneck to lose packets at");
        }
        for (uint32_t i = 0; i < bottlenecks.size(); ++i)
        {
            const auto makeModel = [this](int64_t stream) {
                auto model = CreateObject<RateErrorModel>();
                model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
                model->SetRate(m_path.lossRate);
                model->AssignStreams(stream);
                return model;
            };
            AddDataLoss(makeModel(LossStream(i)), i);
            if (m_path.lossBothWays)
            {
                AddReverseLoss(makeModel(ReverseLossStream(i)), i);
            }
        }
    }
    if (m_messages && bottlenecks.empty())
    {
        m_flags.Refuse("messages", "this topology names no bottleneck to look for losses at");
    }
    if (m_recorder.HasSeries() && !bottlenecks.empty())
    {
        m_monitor = std::make_unique<PathMonitor>(bottlenecks.front().first);
    }
    return m_topology;
}

void
Scenario::CheckNetwork() const
{
    for (const auto& nodes : {m_topology->GetSenders(), m_topology->GetReceivers()})
    {
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            if (!(*node)->GetObject<Ipv4>())
            {
                m_flags.Refuse("topology", "a sender or receiver has no internet stack");
            }
        }
    }
    for (const auto& [sending, receiving] : m_topology->GetBottlenecks())
    {
        DataRateValue rate;
        if (sending->GetAttributeFailSafe("DataRate", rate) && rate.Get().GetBitRate() == 0)
        {
            m_flags.Refuse("topology", "a bottleneck has the rate 0: give it one above 0");
        }
        if (sending->GetChannel() != receiving->GetChannel())
        {
            m_flags.Refuse("topology", "the two devices of a bottleneck are not on one channel");
        }
    }
    if (IsBackwards())
    {
        m_flags.Refuse("topology",
                       "data cross the first bottleneck only from its receiving device to its "
                       "sending one: name the one that data leave from first");
    }
}

bool
Scenario::IsBackwards() const
{
    if (m_topology->GetBottlenecks().empty())
    {
        return false;
    }
    const auto& [sending, receiving] = m_topology->GetBottlenecks().front();
    const auto pairs = std::min(m_topology->GetSenders().GetN(), m_topology->GetReceivers().GetN());
    bool isBackwards = false;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        const auto way = m_topology->FindWay(i, i);
        if (way && std::ranges::find(*way, sending) != way->end())
        {
            return false;
        }
        isBackwards |= way && std::ranges::find(*way, receiving) != way->end();
    }
    return isBackwards;
}

Ptr<TransportTopology>
Scenario::GetTopology() const
{
    return m_topology;
}

void
Scenario::CheckPair(uint32_t sender, uint32_t receiver) const
{
    if (m_topology->GetSenders().Get(sender) == m_topology->GetReceivers().Get(receiver))
    {
        m_flags.Refuse("topology",
                       "sender " + std::to_string(sender) + " and receiver " +
                           std::to_string(receiver) +
                           " are one node: ask for fewer flows, or name other hosts");
    }
}

const TransportTopology::Link&
Scenario::GetBottleneck(uint32_t index)
{
    const auto& bottlenecks = BuildTopology()->GetBottlenecks();
    if (index >= bottlenecks.size())
    {
        m_flags.Refuse("topology",
                       "packets are to be lost at bottleneck " + std::to_string(index) +
                           ", but this topology names " + std::to_string(bottlenecks.size()) +
                           ": leave such flags away, or name more");
    }
    return bottlenecks[index];
}

void
Scenario::AddDataLoss(Ptr<ErrorModel> model, uint32_t bottleneck)
{
    AddLoss(GetBottleneck(bottleneck).second, model);
}

void
Scenario::AddReverseLoss(Ptr<ErrorModel> model, uint32_t bottleneck)
{
    AddLoss(GetBottleneck(bottleneck).first, model);
}

void
Scenario::AddLoss(Ptr<NetDevice> device, Ptr<ErrorModel> model)
{
    PointerValue value;
    if (!device->GetAttributeFailSafe("ReceiveErrorModel", value))
    {
        m_flags.Refuse("topology", "the bottleneck's device cannot lose packets");
    }
    const auto present = value.Get<ErrorModel>();
    auto list = DynamicCast<ErrorModelList>(present);
    if (list)
    {
        list->Add(model);
        return;
    }
    if (present)
    {
        list = CreateObject<ErrorModelList>();
        list->Add(present);
        list->Add(model);
        model = list;
    }
    device->SetAttribute("ReceiveErrorModel", PointerValue(model));
}

} // namespace ns3::lfn
