// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-link-schedule.h"

#include "ns3/channel.h"
#include "ns3/lfn-device-bounds.h"
#include "ns3/lfn-values.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::lfn
{

namespace
{

/** @brief Get the propagation delay of a link; 0 where its channel has none. */
Time
GetDelay(Ptr<NetDevice> device)
{
    TimeValue delay(Time(0));
    const auto channel = device->GetChannel();
    return channel && channel->GetAttributeFailSafe("Delay", delay) ? delay.Get() : Time(0);
}

} // namespace

LinkSchedule::LinkSchedule(Flags& flags)
    : m_flags(flags)
{
}

void
LinkSchedule::Declare()
{
    m_flags.Text("linkSchedule",
                 "CSV file of changes of links: lines time_s,link,what,value with what = rate, "
                 "delay, loss or state, such as 2.5,bottleneck,rate,50Mbps or "
                 "4,bottleneck:forward,state,down",
                 m_file,
                 [this](const std::string& text) {
                     return text.empty() ? std::nullopt : ReadLinkSchedule(text, m_changes);
                 });
    m_flags.Text(
        "linkTrace",
        "links that send by traces of delivery opportunities, as Mahimahi's: comma list of "
        "<file>, <file>:<link> or <file>:<link>:<direction>, such as "
        "up.trace:bottleneck:forward",
        m_traceText,
        [this](const std::string& text) {
            return text.empty() ? std::nullopt : ReadLinkTraces(text, m_traces);
        });
}

std::optional<std::string>
LinkSchedule::Check(Time duration) const
{
    for (const auto& change : m_changes)
    {
        const auto where = "line " + std::to_string(change.line) + ": ";
        if (duration.IsStrictlyPositive() && change.time >= duration)
        {
            return m_flags.Complaint("linkSchedule",
                                     where +
                                         "this is not before the run's end: make the time less "
                                         "than --duration=" +
                                         values::PrintTime(duration) + ", or that longer");
        }
        if (change.what == LinkChange::What::LOSS && m_flags.IsSet("lossRate"))
        {
            return m_flags.Complaint("lossRate",
                                     "the file of --linkSchedule gives losses as well: leave this "
                                     "flag out, and begin the file with 0,bottleneck,loss,0.01");
        }
    }
    return std::nullopt;
}

void
LinkSchedule::Install(const TransportTopology& topology)
{
    m_topology = &topology;
    m_actions = std::make_unique<LinkActions>(topology);
    for (const auto& trace : m_traces)
    {
        m_flags.RefuseIf("linkTrace", m_actions->Deliver(trace.link, *trace.trace));
    }
    std::map<const NetDevice*, Time> longer; // of links, the propagation delay
    for (const auto& change : m_changes)
    {
        if (change.what == LinkChange::What::DELAY)
        {
            for (const auto& [from, to] : topology.FindLinks(change.link.name))
            {
                auto& extra = longer[PeekPointer(from)];
                extra = std::max(extra, change.delay - GetDelay(from));
            }
        }
    }
    for (const auto& [device, extra] : longer)
    {
        m_extraRtt += 2 * extra;
    }
    for (const auto& change : m_changes)
    {
        if (const auto complaint = m_actions->Schedule(change, change.time.IsZero()))
        {
            m_flags.Refuse("linkSchedule",
                           "line " + std::to_string(change.line) + ": " + *complaint);
        }
    }
}

std::optional<std::string>
LinkSchedule::Add(const LinkChange& change)
{
    auto complaint = m_actions->Schedule(change);
    if (!complaint)
    {
        m_changes.push_back(change);
    }
    return complaint;
}

DataRate
LinkSchedule::GetHighestRate() const
{
    DataRate highest(0);
    for (const auto& change : m_changes)
    {
        highest = std::max(highest, change.rate);
    }
    return highest;
}

Time
LinkSchedule::GetExtraRtt() const
{
    return m_extraRtt;
}

Time
LinkSchedule::GetLongestHold() const
{
    std::map<const NetDevice*, Time> holds; // at devices
    const auto add = [&holds](const NetDevice* device, Time hold) {
        holds[device] = std::max(holds[device], hold);
    };
    for (const auto& change : m_changes)
    {
        if (change.what != LinkChange::What::RATE)
        {
            continue;
        }
        for (const auto& [from, to] : m_topology->FindLinks(change.link.name))
        {
            const double bits = 8 * (MostQueuedBytes(from, from->GetMtu()) + from->GetMtu());
            const auto seconds = bits / static_cast<double>(change.rate.GetBitRate());
            add(PeekPointer(from), Time::FromDouble(seconds, Time::S));
        }
    }
    for (const auto& trace : m_traces)
    {
        for (const auto& [from, to] : m_topology->FindLinks(trace.link.name))
        {
            const uint32_t packet = from->GetMtu() + DeliveryTrace::HEADER;
            add(PeekPointer(from),
                trace.trace->GetLongestWait(MostQueuedBytes(from, packet) + packet));
        }
    }
    Time sum = m_extraRtt / 2;
    for (const auto& [device, hold] : holds)
    {
        sum += hold;
    }
    return sum;
}

} // namespace ns3::lfn
