// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-transport.h"

#include "jrm-helper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/jrm-header.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("JrmTransport");
NS_OBJECT_ENSURE_REGISTERED(JrmTransport);

namespace
{

constexpr uint32_t FIRST_GROUP = 0xefff0001; //!< 239.255.0.1, the group of flow 0
constexpr double LEAST_RATE = 1e-6;          //!< of JrmMessageSource, messages/s
constexpr double MOST_RATE = 1e9;            //!< of JrmMessageSource, messages/s
constexpr int64_t SILENCE_S = 5;             //!< without a delivery, that ends a flow, [s]

/**
 * @brief Get the default of a participant's Attribute, which is kept there alone.
 * @param name the Attribute
 * @return its value
 */
Ptr<const AttributeValue>
GetPeerDefault(const std::string& name)
{
    TypeId::AttributeInformation about;
    JrmPeer::GetTypeId().LookupAttributeByName(name, &about);
    return about.originalInitialValue;
}

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
                          "Idle time after which the sender reports its newest message; without it "
                          "the loss of the last one stays unknown.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&JrmTransport::m_heartbeat),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Adaptive",
                "Timers that adapt, as JrmPeer's do unless configured otherwise; else they "
                "stay as they suit the path.",
                *GetPeerDefault("Adaptive"),
                MakeBooleanAccessor(&JrmTransport::m_adaptive),
                MakeBooleanChecker())
            .AddAttribute("Grtt",
                          "nackTimeout follows the RTT that is measured, as JrmPeer's does "
                          "unless configured otherwise.",
                          *GetPeerDefault("Grtt"),
                          MakeBooleanAccessor(&JrmTransport::m_grtt),
                          MakeBooleanChecker());
    return tid;
}

TransportTraits
JrmTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what =
        "messages at the flow's rate to a group of its own; timers that suit the path at first";
    traits.surplus = "packets retransmitted, heartbeats, probes, and messages given up or not "
                     "complete";
    traits.headerBytes = JrmHeader::SIZE;
    traits.usesSendRate = true;
    traits.takesObjects = true;
    traits.isMulticast = true;
    return traits;
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

void
JrmTransport::RecordObjects(ObjectLog& objects, Ptr<JrmMessageSource> source, Ptr<JrmPeer> receiver)
{
    receiver->TraceConnectWithoutContext(
        "MessageReceived",
        Callback<void, const JrmReceiverCore::Delivery&>(
            [source, &objects](const JrmReceiverCore::Delivery& message) {
                if (const auto sent = source->GetSendTime(message.id))
                {
                    objects.OnArrived(Simulator::Now(), *sent);
                }
            }));
}

std::optional<std::string>
JrmTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    const bool isIpv6 = Ipv6Address::IsMatchingType(flow.receiverAddress);
    const auto group = isIpv6 ? Address(JrmHelper::MakeIpv6Group(flow.index))
                              : Address(Ipv4Address(FIRST_GROUP + flow.index));
    if (const auto error = MulticastTree::Install(FindNodes(flow), group))
    {
        return "jrm: " + *error;
    }
    JrmHelper helper;
    helper.AddGroup(group);
    helper.SetAttribute("Port", UintegerValue(flow.port));
    NodeContainer hosts;
    hosts.Add(flow.sender);
    hosts.Add(flow.receiver);
    const auto peers = helper.AddPeers(hosts);
    if (peers.empty())
    {
        return "jrm: a host has no static routing";
    }
    const auto source = helper.AddSource(peers[0]);
    ends = {.source = peers[0], .sink = peers[1], .feeder = source};
    ends.packetSize = SuggestNumber(ends.sink, "PacketSize", flow.packetSize);
    const UintegerValue messageSize(uint64_t{m_messagePackets} * ends.packetSize);
    HandOn("MessagePackets", source, "MessageSize", messageSize);
    if (flow.objects)
    {
        const auto bytes = flow.objects->GetSettings().bytes;
        const auto most = uint64_t{JrmHeader::MAX_PACKETS} * ends.packetSize;
        if (bytes > most)
        {
            return "jrm sends an object as a message of at most " + std::to_string(most) +
                   " B: lower --objectSize";
        }
        source->SetAttribute("MessageSize", UintegerValue(bytes));
        RecordObjects(*flow.objects, source, peers[1]);
    }
    const auto size = GetNumber(source, "MessageSize");
    const double rate = flow.objects
                            ? flow.objects->GetSettings().rate
                            : static_cast<double>(flow.sendRate.GetBitRate()) / (8.0 * size);
    if (rate < LEAST_RATE || rate > MOST_RATE)
    {
        return "jrm sends 0.000001 to 1000000000 messages/s: change --sendRate or --packetSize";
    }
    Suggest(source, "Messages", UintegerValue(flow.bytes > 0 ? (flow.bytes - 1) / size + 1 : 0));
    Suggest(source, "MessageRate", DoubleValue(rate));
    // A response has the time of an RTT and of a message.
    const auto message = Time::FromDouble(1 / rate, Time::S);
    const Time nackTimeout = std::max(MilliSeconds(50), 2 * flow.rtt + message);
    NS_LOG_DEBUG(rate << " messages/s of " << size << " B, NackTimeout "
                      << nackTimeout.As(Time::MS));
    for (const auto& peer : peers)
    {
        Suggest(peer, "PacketSize", UintegerValue(flow.packetSize));
        Suggest(peer, "RecvTimeout", TimeValue(std::max(MilliSeconds(20), message)));
        Suggest(peer, "NackTimeout", TimeValue(nackTimeout));
        HandOn(peer, "Adaptive");
        HandOn(peer, "Grtt");
        HandOn(peer, "Heartbeat");
        // Both are there from the first message on: without it its loss would stay unknown.
        Suggest(peer, "FromBeginning", BooleanValue(true));
        Suggest(peer, "CheckContent", BooleanValue(flow.checkContent));
    }
    const auto repair = peers[0]->GetReceiverSettings().GetLongestRepair();
    for (std::size_t i = 0; i < peers.size(); ++i)
    {
        Suggest(peers[i], "SendTimeout", TimeValue(repair + flow.rtt + Seconds(1)));
        peers[i]->AssignStreams(flow.stream + 100 * static_cast<int64_t>(i));
    }
    ends.source->SetStartTime(flow.start);
    source->SetStartTime(flow.start);
    HandOnTos(ends);
    return std::nullopt;
}

bool
JrmTransport::IsDelivered(const TransportEnds& ends)
{
    const auto source = DynamicCast<JrmMessageSource>(ends.feeder);
    const uint64_t offered = ends.source->GetReport().offeredBytes;
    return source->IsDone() && offered > 0 && ends.sink->GetReport().deliveredBytes >= offered;
}

bool
JrmTransport::IsDone(const TransportEnds& ends) const
{
    if (ends.source->IsFinished() || IsDelivered(ends))
    {
        return true;
    }
    const Time silence = Simulator::Now() - ends.sink->GetReport().lastDelivery;
    return DynamicCast<JrmMessageSource>(ends.feeder)->IsDone() &&
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

FlowCounter::Bounds
JrmTransport::GetBounds(const TransportFlow& /* flow */, const TransportEnds& ends) const
{
    // Heartbeats go to the same port.
    const auto& sent = ends.source->GetReport();
    FlowCounter::Bounds bounds;
    bounds.headerBytes = GetTraits().headerBytes;
    bounds.surplusPackets = sent.controlPackets;
    bounds.surplusBytes = (sent.retransmittedPackets + sent.controlPackets) * ends.packetSize +
                          ends.sink->GetReport().lostBytes +
                          DynamicCast<JrmPeer>(ends.source)->GetSent().parities * JrmParity::SIZE;
    const uint64_t delivered = ends.sink->GetReport().deliveredBytes;
    if (!IsDelivered(ends) && sent.offeredBytes > delivered)
    {
        bounds.surplusBytes += sent.offeredBytes - delivered;
    }
    return bounds;
}

} // namespace ns3::lfn
