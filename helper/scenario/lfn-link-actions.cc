// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-link-actions.h"

#include "lfn-random-streams.h"

#include "ns3/channel.h"
#include "ns3/lfn-delivery-channel.h"
#include "ns3/lfn-receiving-loss.h"
#include "ns3/lfn-wording.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/xcp-port.h"

#include <algorithm>
#include <set>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("LinkActions");

namespace
{

/** What to say where a node has no internet stack. */
const std::string NO_STACK =
    "the node at the link's end has no internet stack to lose packets in front of: install one";

/** @brief List the devices that send. */
std::vector<Ptr<NetDevice>>
ListSending(const std::vector<TransportTopology::Link>& links)
{
    std::vector<Ptr<NetDevice>> devices;
    devices.reserve(links.size());
    for (const auto& [from, to] : links)
    {
        devices.push_back(from);
    }
    return devices;
}

/** @brief Resume the timers of XCP's ports at devices. */
void
ResumePorts(const std::vector<Ptr<NetDevice>>& devices)
{
    for (const auto& device : devices)
    {
        const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
        const auto disc = control ? control->GetRootQueueDiscOnDevice(device) : nullptr;
        if (const auto port = DynamicCast<XcpPort>(disc))
        {
            port->ResumeTimers();
        }
    }
}

} // namespace

LinkActions::LinkActions(const TransportTopology& topology)
    : m_topology(topology)
{
}

std::vector<TransportTopology::Link>
LinkActions::Find(const LinkName& link) const
{
    std::vector<TransportTopology::Link> links;
    for (const auto& [from, to] : m_topology.FindLinks(link.name))
    {
        if (link.direction != LinkDirection::REVERSE)
        {
            links.emplace_back(from, to);
        }
        if (link.direction != LinkDirection::FORWARD)
        {
            links.emplace_back(to, from);
        }
    }
    return links;
}

std::optional<std::string>
LinkActions::Schedule(const LinkChange& change, bool now)
{
    NS_LOG_FUNCTION(this << change.time << change.link.name << now);
    const auto links = Find(change.link);
    if (links.empty())
    {
        return "there is no link " + Printable(change.link.name, 40) +
               ": give bottleneck for all bottlenecks, bottleneck0 for the first of them, or in a "
               "network of nodes with names <node>-<node>";
    }
    Action action;
    std::optional<std::string> complaint;
    switch (change.what)
    {
    case LinkChange::What::RATE:
        complaint = MakeRate(links, change.rate, action);
        break;
    case LinkChange::What::DELAY:
        complaint = MakeDelay(links, change.delay, action);
        break;
    case LinkChange::What::LOSS:
        complaint = MakeLoss(links, change.loss, action);
        break;
    case LinkChange::What::STATE:
        complaint = MakeState(links, change.isUp, action);
        break;
    }
    if (!complaint && now)
    {
        action();
    }
    else if (!complaint)
    {
        Simulator::Schedule(change.time - Simulator::Now(), action);
    }
    return complaint;
}

std::optional<std::string>
LinkActions::MakeRate(const std::vector<TransportTopology::Link>& links,
                      DataRate rate,
                      Action& action)
{
    const auto devices = ListSending(links);
    for (const auto& device : devices)
    {
        DataRateValue own;
        if (!device->GetAttributeFailSafe("DataRate", own))
        {
            return "the link's device has no rate of its own to change: take a topology with "
                   "point-to-point links there";
        }
        if (DeliveryChannel::GetTrace(device))
        {
            return "the link sends by its trace: leave the rate or the trace out";
        }
    }
    action = [devices, rate] {
        NS_LOG_INFO("the rate of " << devices.size() << " devices becomes " << rate);
        ResumePorts(devices); // of all, before any rate changes
        for (const auto& device : devices)
        {
            device->SetAttribute("DataRate", DataRateValue(rate));
        }
    };
    return std::nullopt;
}

std::optional<std::string>
LinkActions::MakeDelay(const std::vector<TransportTopology::Link>& links,
                       Time delay,
                       Action& action)
{
    std::set<Ptr<Channel>> channels;
    for (const auto& [from, to] : links)
    {
        const auto channel = from->GetChannel();
        TimeValue own;
        if (!from->IsPointToPoint() || !channel || !channel->GetAttributeFailSafe("Delay", own))
        {
            return "the link has no delay of its own to change: take a topology with "
                   "point-to-point links there";
        }
        channels.insert(channel);
    }
    action = [channels, delay] {
        NS_LOG_INFO("the delay of " << channels.size() << " links becomes " << delay.As(Time::MS));
        for (const auto& channel : channels)
        {
            channel->SetAttribute("Delay", TimeValue(delay));
        }
    };
    return std::nullopt;
}

std::optional<std::string>
LinkActions::MakeLoss(const std::vector<TransportTopology::Link>& links,
                      double probability,
                      Action& action)
{
    std::vector<Ptr<RateErrorModel>> models;
    for (const auto& [from, to] : links)
    {
        auto& model = m_losses[PeekPointer(to)];
        if (!model)
        {
            model = CreateObject<RateErrorModel>();
            model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            model->SetRate(0);
            model->AssignStreams(
                RandomStreams::ScheduledLoss(static_cast<uint32_t>(m_losses.size()) - 1));
            if (!AddLoss(to, model))
            {
                return NO_STACK;
            }
        }
        models.push_back(model);
    }
    action = [models, probability] {
        NS_LOG_INFO("the loss of " << models.size() << " devices becomes " << probability);
        for (const auto& model : models)
        {
            model->SetRate(probability);
        }
    };
    return std::nullopt;
}

std::optional<std::string>
LinkActions::MakeState(const std::vector<TransportTopology::Link>& links, bool isUp, Action& action)
{
    std::set<Ptr<LinkOutage>> outages; // several links may end at a device
    for (const auto& [from, to] : links)
    {
        auto& outage = m_outages[PeekPointer(to)];
        outage = outage ? outage : LinkOutage::Install(from, to);
        if (!outage)
        {
            return NO_STACK;
        }
        outages.insert(outage);
    }
    action = [outages, isUp] {
        for (const auto& outage : outages)
        {
            isUp ? outage->GoUp() : outage->GoDown();
        }
    };
    return std::nullopt;
}

std::optional<std::string>
LinkActions::Deliver(const LinkName& link, const DeliveryTrace& trace)
{
    NS_LOG_FUNCTION(this << link.name);
    const auto links = Find(link);
    if (links.empty())
    {
        return "there is no link " + Printable(link.name, 40) +
               ": give <file>:bottleneck for all bottlenecks, <file>:bottleneck0 for the first of "
               "them, or in a network of nodes with names <file>:<node>-<node>";
    }
    for (const auto& device : ListSending(links))
    {
        const auto sending = DynamicCast<PointToPointNetDevice>(device);
        if (sending && DeliveryChannel::GetTrace(sending))
        {
            return "link " + Printable(link.name, 40) +
                   " has two traces in a direction: give one for each, such as "
                   "a.trace:bottleneck:forward,b.trace:bottleneck:reverse";
        }
        if (!sending || !DeliveryChannel::Install(sending, trace))
        {
            return "only point-to-point links send by a trace: take a topology with such";
        }
    }
    return std::nullopt;
}

} // namespace ns3::lfn
