// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-path-losses.h"

#include "lfn-random-streams.h"

#include "ns3/lfn-gilbert-elliott-error-model.h"
#include "ns3/lfn-receiving-loss.h"
#include "ns3/net-device.h"

#include <set>
#include <stdexcept>

namespace ns3::lfn
{

namespace
{

constexpr double MOST_BURST = 1e6; //!< packets

} // namespace

PathLosses::PathLosses(Flags& flags)
    : m_flags(flags)
{
}

void
PathLosses::Declare()
{
    m_flags.Fraction("lossRate",
                     "probability that an IP packet is lost at a bottleneck, data direction only",
                     m_rate);
    m_flags.Number("lossBurst",
                   "mean length of a burst of these losses (packets), by "
                   "GilbertElliottErrorModel; 0: losses are independent",
                   m_burst,
                   0,
                   MOST_BURST);
    m_flags.Switch("reverseLoss", "lose packets of the reverse path as well", m_bothWays);
}

std::optional<std::string>
PathLosses::Check() const
{
    if (m_burst > 0 && m_rate == 0)
    {
        return m_flags.Complaint("lossBurst", "give --lossRate as well, their share");
    }
    if (m_burst > 0 && !MakeModel(0))
    {
        return m_flags.Complaint("lossBurst",
                                 "give 1 at least, and a --lossRate that such bursts can make: "
                                 "less than the share of packets lost in the bad state, as "
                                 "GoodToBad is 1 at most");
    }
    return std::nullopt;
}

Ptr<ErrorModel>
PathLosses::MakeModel(int64_t stream) const
{
    if (m_burst > 0)
    {
        const auto model = CreateObject<GilbertElliottErrorModel>();
        model->AssignStreams(stream);
        return model->SetMean(m_rate, m_burst) ? model : nullptr;
    }
    const auto model = CreateObject<RateErrorModel>();
    model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(m_rate);
    model->AssignStreams(stream);
    return model;
}

void
PathLosses::Install(const TransportTopology& topology)
{
    m_topology = &topology;
    if (m_rate == 0)
    {
        return;
    }
    const auto& bottlenecks = m_topology->GetBottlenecks();
    m_flags.RefuseIf(bottlenecks.empty(),
                     "lossRate",
                     "this topology names no bottleneck to lose packets at");
    std::set<Ptr<NetDevice>> lossy; // each once, though several links may end there
    std::set<Ptr<NetDevice>> lossyBack;
    for (uint32_t i = 0; i < bottlenecks.size(); ++i)
    {
        if (lossy.insert(bottlenecks[i].second).second)
        {
            AddData(MakeModel(RandomStreams::Loss(i)), i);
        }
        if (m_bothWays && lossyBack.insert(bottlenecks[i].first).second)
        {
            AddReverse(MakeModel(RandomStreams::ReverseLoss(i)), i);
        }
    }
}

const TransportTopology::Link&
PathLosses::GetBottleneck(uint32_t index) const
{
    if (!m_topology)
    {
        throw std::logic_error("losses are added before the topology is built: build it first");
    }
    const auto& bottlenecks = m_topology->GetBottlenecks();
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
PathLosses::AddData(Ptr<ErrorModel> model, uint32_t bottleneck)
{
    Add(GetBottleneck(bottleneck).second, model);
}

void
PathLosses::AddReverse(Ptr<ErrorModel> model, uint32_t bottleneck)
{
    Add(GetBottleneck(bottleneck).first, model);
}

void
PathLosses::Add(Ptr<NetDevice> device, Ptr<ErrorModel> model) const
{
    if (!AddLoss(device, model))
    {
        m_flags.Refuse("topology",
                       "the node of the bottleneck's receiving device has no internet stack to "
                       "lose packets in front of: install one");
    }
}

} // namespace ns3::lfn
