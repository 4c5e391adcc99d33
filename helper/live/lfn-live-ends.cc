// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-live-ends.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t MOST_NAME = 15; //!< Of a device, in characters.

/** @brief Check whether the kernel takes a name for a device or a namespace. */
bool
IsName(const std::string& name)
{
    const auto isGood = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               c == '-' || c == '_' || c == '.';
    };
    return !name.empty() && name != "." && name != ".." && std::ranges::all_of(name, isGood);
}

/** @brief Read one end; nothing when it is invalid. */
std::optional<LiveEnds::End>
ReadEnd(std::string text)
{
    LiveEnds::End end;
    if (const auto at = text.find('@'); at != std::string::npos)
    {
        end.networkNamespace = text.substr(at + 1);
        text.erase(at);
        if (!IsName(end.networkNamespace))
        {
            return std::nullopt;
        }
    }
    if (const auto at = text.find('='); at != std::string::npos)
    {
        end.device = text.substr(at + 1);
        text.erase(at);
        if (!IsName(end.device) || end.device.size() > MOST_NAME)
        {
            return std::nullopt;
        }
    }
    const std::string word = text.starts_with("sender") ? "sender" : "receiver";
    if (!text.starts_with(word))
    {
        return std::nullopt;
    }
    const auto* first = text.data() + word.size();
    const auto* last = text.data() + text.size();
    if (first != last)
    {
        const auto [rest, error] = std::from_chars(first, last, end.index);
        if (error != std::errc() || rest != last)
        {
            return std::nullopt;
        }
    }
    end.isSender = word == "sender";
    if (end.device.empty())
    {
        end.device = word + std::to_string(end.index);
        if (end.device.size() > MOST_NAME)
        {
            return std::nullopt;
        }
    }
    return end;
}

} // namespace

std::optional<std::string>
LiveEnds::Read(const std::string& text, std::vector<End>& ends)
{
    ends.clear();
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');)
    {
        const auto end = ReadEnd(item);
        if (!end)
        {
            return "give sender or receiver, with an index, a device of 15 characters at most and "
                   "a network namespace if wanted, such as receiver or sender1=tun0@left";
        }
        for (const auto& other : ends)
        {
            if (other.isSender == end->isSender && other.index == end->index)
            {
                return "name each end once";
            }
            if (other.device == end->device && other.networkNamespace == end->networkNamespace)
            {
                return "give each end a device of its own";
            }
        }
        ends.push_back(*end);
    }
    return std::nullopt;
}

std::optional<std::string>
LiveEnds::TakePlaces(const std::vector<End>& ends, const TransportTopology& topology)
{
    const auto& senders = topology.GetSenders();
    const auto& receivers = topology.GetReceivers();
    for (const auto& end : ends)
    {
        const auto& nodes = end.isSender ? senders : receivers;
        if (end.index >= nodes.GetN())
        {
            return "this topology has " + std::to_string(nodes.GetN()) +
                   (end.isSender ? " senders" : " receivers") + ", give a lower index";
        }
        if (IsReal(nodes.Get(end.index)))
        {
            return "two of the ends are one node, name it once";
        }
        const auto address = [&](bool isSender, uint32_t i) {
            return isSender ? topology.GetSenderAddress(i) : topology.GetReceiverAddress(i);
        };
        const auto own = address(end.isSender, end.index);
        std::vector<Ipv4Address> others;
        for (const bool isSender : {true, false})
        {
            for (uint32_t i = 0; i < (isSender ? senders : receivers).GetN(); ++i)
            {
                // What is behind another device is not behind this one.
                const auto other = address(isSender, i);
                const bool isFar = isSender != end.isSender && other != own;
                if (isFar && std::ranges::find(others, other) == others.end())
                {
                    others.push_back(other);
                }
            }
        }
        const auto host = CreateObject<RealHost>();
        host->SetAttribute("Device", StringValue(end.device));
        host->SetAttribute("Namespace", StringValue(end.networkNamespace));
        if (auto trouble = host->TakePlace(nodes.Get(end.index), own, others))
        {
            return trouble;
        }
        m_ends.push_back(end);
        m_hosts.push_back(host);
        m_nodes.push_back(nodes.Get(end.index));
    }
    return std::nullopt;
}

const std::vector<Ptr<RealHost>>&
LiveEnds::GetHosts() const
{
    return m_hosts;
}

bool
LiveEnds::IsReal(Ptr<const Node> node) const
{
    return std::ranges::any_of(m_nodes, [&node](const auto& own) { return own == node; });
}

TransferReport
LiveEnds::JoinReports(const TransferApplication& source, const TransferApplication& sink) const
{
    if (IsReal(source.GetNode()))
    {
        auto report = sink.GetReport();
        if (report.started && !report.completed && report.failure.empty())
        {
            report.completed = true;
            report.finish = report.lastDelivery;
        }
        report.applicationStart = report.start; // when the real host began is not known
        return report;
    }
    auto report = source.GetReport();
    if (!IsReal(sink.GetNode()))
    {
        report.MergeReceiver(sink.GetReport());
    }
    else if (report.completed)
    {
        report.deliveredBytes = report.offeredBytes - report.lostBytes;
        if (report.lastDelivery.IsZero())
        {
            report.lastDelivery = report.finish;
        }
    }
    return report;
}

uint32_t
LiveEnds::HoldApplications(Time end) const
{
    uint32_t held = 0;
    for (const auto& node : m_nodes)
    {
        for (uint32_t i = 0; i < node->GetNApplications(); ++i, ++held)
        {
            node->GetApplication(i)->SetStartTime(2 * end);
        }
    }
    return held;
}

bool
LiveEnds::HasBegun() const
{
    for (std::size_t i = 0; i < m_ends.size(); ++i)
    {
        if (m_ends[i].isSender && m_hosts[i]->GetLastArrival())
        {
            return true;
        }
    }
    return false;
}

bool
LiveEnds::AreSilent(Time since) const
{
    for (std::size_t i = 0; i < m_hosts.size(); ++i)
    {
        const auto last = m_hosts[i]->GetLastArrival();
        const bool isAwaited = !last && m_nodes[i]->GetNApplications() == 0;
        const Time quiet = Simulator::Now() - std::max(since, last.value_or(since));
        if (isAwaited || quiet < m_hosts[i]->GetSilence())
        {
            return false;
        }
    }
    return true;
}

std::vector<std::string>
LiveEnds::Describe() const
{
    std::vector<std::string> lines;
    for (const auto& host : m_hosts)
    {
        const auto& passed = host->GetCounters();
        std::ostringstream line;
        line << "device " << host->GetDevice() << ": " << passed.fromHost << " packets in, "
             << passed.toHost << " out, at most " << passed.latest.As(Time::MS) << " late";
        const auto add = [&line](uint64_t packets, const char* what) {
            if (packets > 0)
            {
                line << ", " << packets << " " << what;
            }
        };
        add(passed.foreign, "not for this network");
        add(passed.unsound, "malformed");
        add(passed.overflow, "lost since the simulation was late");
        add(passed.refused, "that the device did not take");
        lines.push_back(line.str());
    }
    return lines;
}

void
LiveEnds::Close()
{
    for (const auto& host : m_hosts)
    {
        host->Dispose();
    }
    m_hosts.clear();
    m_nodes.clear();
    m_ends.clear();
}

} // namespace ns3::lfn
