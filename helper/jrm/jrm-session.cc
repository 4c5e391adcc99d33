// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-session.h"

#include "jrm-helper.h"

#include "ns3/double.h"
#include "ns3/ipv4.h"
#include "ns3/lfn-end-checks.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr uint32_t FIRST_GROUP = 0xEF010001; //!< 239.1.0.1, as a number
constexpr int64_t CHECK_INTERVAL_MS = 100;   //!< how often the end is looked for

} // namespace

JrmSession::JrmSession(const Shape& shape)
    : m_shape(shape),
      m_messageCounters(shape.senders)
{
}

std::optional<std::string>
JrmSession::Install(const TransportTopology& path)
{
    const auto hosts = PickHosts(path);
    if (hosts.GetN() < m_shape.senders + m_shape.receivers)
    {
        return "it names " + std::to_string(hosts.GetN()) +
               " hosts: lower --senders or --receivers, or name more";
    }
    const auto settings = CreateObject<JrmPeer>()->GetReceiverSettings();
    if (auto error = InstallTree(hosts))
    {
        return error;
    }
    JrmHelper helper;
    for (uint32_t i = 0; i < m_shape.groups; ++i)
    {
        helper.AddGroup(GetGroup(i));
    }
    m_peers = helper.AddPeers(hosts);
    for (uint32_t i = 0; i < m_peers.size(); ++i)
    {
        m_peers[i]->AssignStreams(RandomStreams::Flow(i));
        m_peers[i]->SetReceive(MakeCallback(&JrmSession::OnMessage, this));
    }
    DoubleValue rate;
    for (uint32_t i = 0; i < m_shape.senders; ++i)
    {
        m_sources.push_back(helper.AddSource(m_peers[i]));
        m_sources[i]->GetAttribute("MessageRate", rate);
        const auto share = m_shape.spread ? static_cast<double>(i) / m_shape.senders : 0.0;
        m_sources[i]->SetStartTime(Time::FromDouble(share / rate.Get(), Time::S));
    }
    UintegerValue number;
    m_sources[0]->GetAttribute("MessageSize", number);
    m_messageSize = number.Get();
    m_sources[0]->GetAttribute("Messages", number);
    m_messages = number.Get();
    if (m_messages > 0)
    {
        m_silence = settings.recvTimeout + settings.nackTimeout + path.GetLongestRtt();
        Simulator::Schedule(MilliSeconds(CHECK_INTERVAL_MS), &JrmSession::CheckForEnd, this);
    }
    return std::nullopt;
}

NodeContainer
JrmSession::PickHosts(const TransportTopology& path) const
{
    NodeContainer hosts;
    const auto pick = [&](const NodeContainer& from, uint32_t until) {
        for (auto node = from.Begin(); node != from.End() && hosts.GetN() < until; ++node)
        {
            if (!hosts.Contains((*node)->GetId()))
            {
                hosts.Add(*node);
            }
        }
    };
    const auto all = m_shape.senders + m_shape.receivers;
    pick(path.GetSenders(), m_shape.senders);
    pick(path.GetReceivers(), all);
    pick(path.GetSenders(), all);
    return hosts;
}

std::optional<std::string>
JrmSession::InstallTree(const NodeContainer& hosts) const
{
    NodeContainer nodes; // routers first: the tree's beginning has many links
    const auto all = NodeContainer::GetGlobal();
    for (auto node = all.Begin(); node != all.End(); ++node)
    {
        if ((*node)->GetObject<Ipv4>() && !hosts.Contains((*node)->GetId()))
        {
            nodes.Add(*node);
        }
    }
    nodes.Add(hosts);
    for (uint32_t i = 0; i < m_shape.groups; ++i)
    {
        if (auto error = MulticastTree::Install(nodes, GetGroup(i)))
        {
            return error;
        }
    }
    return std::nullopt;
}

Address
JrmSession::GetGroup(uint32_t index) const
{
    return m_shape.ipv6 ? Address(JrmHelper::MakeIpv6Group(index))
                        : Address(Ipv4Address(FIRST_GROUP + index));
}

void
JrmSession::Sample(RunRecorder& recorder, Time end, Time interval)
{
    for (std::size_t i = 0; i < m_messageCounters.size(); ++i)
    {
        auto& messageCounters = m_messageCounters[i];
        const auto messages = messageCounters.complete -
                              std::exchange(messageCounters.sampled, messageCounters.complete);
        const auto flow = static_cast<int64_t>(i);
        recorder.Sample(end,
                        flow,
                        "goodput_bps",
                        8 * static_cast<double>(messages * m_messageSize) / interval.GetSeconds());
        recorder.Sample(end,
                        flow,
                        "data_packets",
                        static_cast<double>(m_peers[i]->GetReport().dataPackets));
    }
}

void
JrmSession::Watch(FlowMonitoring& monitoring) const
{
    for (uint32_t i = 0; i < m_shape.senders; ++i)
    {
        NodeContainer others;
        for (const auto& peer : m_peers)
        {
            if (peer != m_peers[i])
            {
                others.Add(peer->GetNode());
            }
        }
        UintegerValue port;
        m_peers[i]->GetAttribute("Port", port);
        monitoring.Watch(i, m_peers[i]->GetNode(), others, static_cast<uint16_t>(port.Get()));
    }
}

void
JrmSession::AddRows(RunRecorder& recorder) const
{
    for (uint32_t i = 0; i < m_shape.senders; ++i)
    {
        AddRow(recorder, i);
    }
}

void
JrmSession::AddRow(RunRecorder& recorder, uint32_t index) const
{
    using R = RunRecorder;
    const auto& peer = *m_peers[index];
    const auto& sent = peer.GetSent();
    const auto& messageCounters = m_messageCounters[index];
    const auto messages = m_sources[index]->GetSent();
    const auto receivers = m_peers.size() - 1;
    auto report = peer.GetReport();
    JrmReceiverCore::Counters counters;
    std::size_t peakHolders = 0;
    uint64_t received = 0;
    for (const auto& other : m_peers)
    {
        const auto more = other->GetReceiver().GetCounters(index + 1);
        counters.nacks += more.nacks;
        counters.lost += more.lost;
        counters.duplicates += more.duplicates;
        counters.suppressed += more.suppressed;
        counters.answers += more.answers;
        peakHolders = std::max(peakHolders, other->GetReceiver().GetPeakHolders());
        received += other->GetReceived();
        if (report.failure.empty())
        {
            report.failure = other->GetReport().failure;
        }
    }
    report.deliveredBytes = messageCounters.complete * m_messageSize;
    report.lostBytes = counters.lost * m_messageSize;
    report.lastDelivery = messageCounters.last;
    report.receivers = static_cast<uint32_t>(receivers);
    const auto probing = sent.probes + counters.answers;
    report.controlPackets = counters.nacks + sent.heartbeats + probing;
    report.finish = Simulator::Now();
    report.completed = m_messages > 0 && messages == m_messages &&
                       messageCounters.complete == messages * receivers && report.failure.empty();
    const bool isEndless =
        m_messages == 0 || (messages == m_messages &&
                            messageCounters.complete + counters.lost >= messages * receivers);
    const auto all = sent.msgPackets + counters.nacks + sent.nackResponses;
    const auto ratio = [](uint64_t part, uint64_t whole) {
        return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    };
    const auto mean =
        messageCounters.complete > 0
            ? messageCounters.latencies / static_cast<int64_t>(messageCounters.complete)
            : Time(0);
    recorder.AddFlow(
        index,
        report,
        {{"messages_sent", R::Print(messages)},
         {"messages_complete", R::Print(messageCounters.complete)},
         {"msg_packets", R::Print(sent.msgPackets)},
         {"nack_requests", R::Print(counters.nacks)},
         {"nack_responses", R::Print(sent.nackResponses)},
         {"transmissions_per_message", R::Print(ratio(all, messages))},
         {"messages_lost", R::Print(counters.lost)},
         {"window_messages_complete", R::Print(ratio(messageCounters.window, receivers))},
         {"window_s", R::Print(std::max(report.finish - m_shape.warmup, Time(0)))},
         {"mean_latency_s", R::Print(mean)},
         {"max_latency_s", R::Print(messageCounters.longest)},
         {"duplicates", R::Print(counters.duplicates)},
         {"suppressed", R::Print(counters.suppressed)},
         {"heartbeats", R::Print(sent.heartbeats)},
         {"grtt_packets", R::Print(probing)},
         {"grtt_s", R::Print(peer.GetGrtt(GetGroup(0)).value_or(Time(0)))},
         {"peak_kept", R::Print(uint64_t{m_sources[index]->GetPeakKept()})},
         {"peak_holders", R::Print(uint64_t{peakHolders})},
         {"datagrams_received", R::Print(received)},
         {"failure", report.failure}},
        isEndless);
}

void
JrmSession::OnMessage(const JrmReceiverCore::Delivery& message)
{
    const auto sender = message.id.participant - 1;
    if (sender >= m_sources.size())
    {
        return;
    }
    const auto sent = m_sources[sender]->GetSendTime(message.id);
    if (!sent)
    {
        return;
    }
    const Time now = Simulator::Now();
    auto& messageCounters = m_messageCounters[sender];
    ++messageCounters.complete;
    messageCounters.window += now >= m_shape.warmup ? 1 : 0;
    messageCounters.latencies += now - *sent;
    messageCounters.longest = std::max(messageCounters.longest, now - *sent);
    messageCounters.last = now;
}

void
JrmSession::CheckForEnd()
{
    const Time now = Simulator::Now();
    bool isQuiet =
        std::ranges::all_of(m_sources, [](const auto& source) { return source->IsDone(); });
    uint64_t received = 0;
    for (const auto& peer : m_peers)
    {
        isQuiet = isQuiet && peer->IsQuiet();
        received += peer->GetReceived();
    }
    if (!isQuiet || !m_wasQuiet || received != m_received)
    {
        m_wasQuiet = isQuiet;
        m_received = received;
        m_quietSince = now;
    }
    else if (now - m_quietSince >= m_silence)
    {
        Simulator::Stop();
        return;
    }
    Time last;
    for (const auto& source : m_sources)
    {
        TimeValue start;
        source->GetAttribute("StartTime", start);
        last = std::max(last, start.Get());
    }
    const Time next = GetNextCheck(now, MilliSeconds(CHECK_INTERVAL_MS), last);
    Simulator::Schedule(next - now, &JrmSession::CheckForEnd, this);
}

} // namespace ns3::lfn
