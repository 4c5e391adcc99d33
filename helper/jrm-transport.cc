// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-transport.h"

#include "jrm-helper.h"
#include "lfn-multicast-tree.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/jrm-header.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(JrmTransport);

namespace
{

constexpr uint32_t FIRST_GROUP = 0xefff0001; //!< 239.255.0.1, the group of flow 0
constexpr double LEAST_RATE = 1e-6;          //!< of JrmMessageSource, messages/s
constexpr double MOST_RATE = 1e9;            //!< of JrmMessageSource, messages/s
constexpr int64_t SILENCE_S = 5;             //!< without a delivery, that ends a flow, [s]

} // namespace

TypeId
JrmTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::JrmTransport")
            .SetParent<Transport>()
            .SetGroupName("Lfn")
            .AddConstructor<JrmTransport>()
            .AddAttribute("MessagePackets",
                          "Packets a message.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&JrmTransport::m_messagePackets),
                          MakeUintegerChecker<uint32_t>(1, JrmHeader::MAX_PACKETS))
            .AddAttribute("Heartbeat",
                          "Idle time after which the sender tells its newest message; without it "
                          "the loss of the last one stays unknown.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&JrmTransport::m_heartbeat),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
JrmTransport::DoDispose()
{
    m_sources.clear();
    Transport::DoDispose();
}

NodeContainer
JrmTransport::FindNodes(const TransportFlow& flow)
{
    NodeContainer nodes;
    const auto all = NodeContainer::GetGlobal();
    for (auto node = all.Begin(); node != all.End(); ++node)
    {
        const auto ipv4 = (*node)->GetObject<Ipv4>();
        constexpr uint32_t LOOPBACK_AND_ONE = 2;
        if (ipv4 && ipv4->GetNInterfaces() > LOOPBACK_AND_ONE && *node != flow.sender &&
            *node != flow.receiver)
        {
            nodes.Add(*node);
        }
    }
    nodes.Add(flow.sender);
    nodes.Add(flow.receiver);
    return nodes;
}

std::optional<std::string>
JrmTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    const Ipv4Address group(FIRST_GROUP + flow.index);
    if (const auto error = MulticastTree::Install(FindNodes(flow), group))
    {
        return "jrm: " + *error;
    }
    if (!MulticastTree::CanSend(flow.sender, group))
    {
        return "jrm: the sender of flow " + std::to_string(flow.index) +
               " is a router: put it on a host with one link";
    }
    const uint64_t size = uint64_t{m_messagePackets} * flow.packetSize;
    const uint64_t messages = flow.bytes > 0 ? (flow.bytes - 1) / size + 1 : 0;
    const double rate = static_cast<double>(flow.sendRate.GetBitRate()) / (8.0 * size);
    if (rate < LEAST_RATE || rate > MOST_RATE)
    {
        return "jrm sends 0.000001 to 1000000000 messages/s: change --sendRate or --packetSize";
    }
    // A response has the time of a round trip and of a message.
    const auto message = Time::FromDouble(1 / rate, Time::S);
    const Time nackTimeout = std::max(MilliSeconds(50), 2 * flow.rtt + message);
    JrmHelper helper;
    helper.AddGroup(group);
    helper.SetAttribute("Port", UintegerValue(flow.port));
    helper.SetAttribute("PacketSize", UintegerValue(flow.packetSize));
    helper.SetAttribute("RecvTimeout", TimeValue(std::max(MilliSeconds(20), message)));
    helper.SetAttribute("NackTimeout", TimeValue(nackTimeout));
    helper.SetAttribute("Adaptive", BooleanValue(false));
    helper.SetAttribute("Heartbeat", TimeValue(m_heartbeat));
    helper.SetAttribute("CheckContent", BooleanValue(flow.checkContent));
    helper.SetSourceAttribute("Messages", UintegerValue(messages));
    helper.SetSourceAttribute("MessageRate", DoubleValue(rate));
    helper.SetSourceAttribute("MessageSize", UintegerValue(size));
    NodeContainer hosts;
    hosts.Add(flow.sender);
    hosts.Add(flow.receiver);
    const auto peers = helper.Install(hosts);
    if (peers.empty())
    {
        return "jrm: a host has no static routing";
    }
    const auto repair = peers[0]->GetReceiverSettings().GetLongestRepair();
    for (std::size_t i = 0; i < peers.size(); ++i)
    {
        peers[i]->SetAttribute("SendTimeout", TimeValue(repair + flow.rtt + Seconds(1)));
        peers[i]->AssignStreams(flow.stream + 100 * static_cast<int64_t>(i));
    }
    ends = {peers[0], peers[1]};
    ends.source->SetStartTime(flow.start);
    const auto source = helper.InstallSource(peers[0]);
    source->SetStartTime(flow.start);
    m_sources[ends.source] = source;
    return std::nullopt;
}

bool
JrmTransport::IsDelivered(const TransportEnds& ends) const
{
    const auto source = m_sources.find(ends.source);
    const uint64_t offered = ends.source->GetReport().offeredBytes;
    return source != m_sources.end() && source->second->IsDone() && offered > 0 &&
           ends.sink->GetReport().deliveredBytes >= offered;
}

bool
JrmTransport::IsDone(const TransportEnds& ends) const
{
    if (ends.source->IsFinished() || IsDelivered(ends))
    {
        return true;
    }
    const auto source = m_sources.find(ends.source);
    const Time silence = Simulator::Now() - ends.sink->GetReport().lastDelivery;
    return source != m_sources.end() && source->second->IsDone() &&
           DynamicCast<JrmPeer>(ends.sink)->IsQuiet() && silence > Seconds(SILENCE_S);
}

TransferReport
JrmTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    report.controlPackets += ends.sink->GetReport().controlPackets;
    if (!ends.source->IsFinished())
    {
        report.completed = IsDelivered(ends);
        report.finish = report.completed ? report.lastDelivery : Simulator::Now();
    }
    return report;
}

FlowWitness::Bounds
JrmTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    // Heartbeats go to the same port.
    const auto& sent = ends.source->GetReport();
    FlowWitness::Bounds bounds;
    bounds.headerBytes = JrmHeader::SIZE;
    bounds.surplusPackets = sent.controlPackets;
    bounds.surplusBytes = (sent.retransmittedPackets + sent.controlPackets) * flow.packetSize +
                          ends.sink->GetReport().lostBytes;
    const uint64_t delivered = ends.sink->GetReport().deliveredBytes;
    if (!IsDelivered(ends) && sent.offeredBytes > delivered)
    {
        bounds.surplusBytes += sent.offeredBytes - delivered;
    }
    return bounds;
}

} // namespace ns3::lfn
