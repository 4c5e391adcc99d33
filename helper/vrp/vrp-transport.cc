// SPDX-License-Identifier: GPL-2.0-only

#include "vrp-transport.h"

#include "vrp-helper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/vrp-header-packet.h"
#include "ns3/vrp-header.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("VrpTransport");
NS_OBJECT_ENSURE_REGISTERED(VrpTransport);

TypeId
VrpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::VrpTransport")
                            .SetParent<Transport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<VrpTransport>()
                            .AddAttribute("MaxLossRate",
                                          "Accepted loss, a fraction.",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&VrpTransport::m_maxLossRate),
                                          MakeDoubleChecker<double>(0, 1))
                            .AddAttribute("FrameSize",
                                          "Size of a frame, B.",
                                          UintegerValue(1'000'000),
                                          MakeUintegerAccessor(&VrpTransport::m_frameSize),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("ConcurrentFrames",
                                          "Frames under way at a time.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&VrpTransport::m_concurrent),
                                          MakeUintegerChecker<uint32_t>(1, 64));
    return tid;
}

TransportTraits
VrpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "frames one after the other, paced by the flow's rate; the window holds twice "
                  "what is under way at that rate";
    traits.surplus =
        "packets retransmitted, and control packets of the sender, which go to the same port";
    traits.headerBytes = VrpHeader::SIZE;
    traits.isReliable = m_maxLossRate == 0;
    traits.usesSendRate = true;
    traits.takesObjects = true;
    return traits;
}

void
VrpTransport::RecordObjects(ObjectLog& objects, Ptr<VrpSender> sender, Ptr<VrpReceiver> receiver)
{
    // Numbers of frames are used again, so each is looked up when its sender has it back.
    const auto arrived = std::make_shared<std::map<uint16_t, Time>>();
    receiver->TraceConnectWithoutContext(
        "FrameReceived",
        Callback<void, const VrpReceivedFrame&>([arrived](const VrpReceivedFrame& frame) {
            if (frame.GetLostBytes() == 0)
            {
                (*arrived)[frame.number] = Simulator::Now();
            }
        }));
    sender->TraceConnectWithoutContext(
        "FrameEnded",
        Callback<void, const VrpFrameReport&>([arrived, &objects](const VrpFrameReport& report) {
            const auto found = arrived->find(report.number);
            if (found != arrived->end())
            {
                objects.OnArrived(found->second, report.start);
                arrived->erase(found);
            }
        }));
}

std::optional<std::string>
VrpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    VrpHelper helper;
    helper.SetPort(flow.port);
    const auto [sender, source, receiver] =
        helper.Install(flow.sender, helper.AddSink(flow.receiver), flow.receiverAddress);
    ends = {.source = sender, .sink = receiver, .feeder = source};
    ends.packetSize = SuggestNumber(sender, "PacketSize", flow.packetSize);
    constexpr double MOST_WINDOW = 32768; // packets, VRP's limit
    const double onTheWay = flow.rtt.GetSeconds() *
                            static_cast<double>(flow.sendRate.GetBitRate()) /
                            (8.0 * ends.packetSize);
    const auto window =
        std::bit_ceil(static_cast<uint32_t>(std::clamp(2 * onTheWay, 64.0, MOST_WINDOW)));
    const auto gap = std::max<uint64_t>(4096, SuggestNumber(sender, "WindowSize", window));
    NS_LOG_DEBUG("the window has " << window << " packets, " << onTheWay << " are in flight");
    HandOn(sender, "MaxLossRate");
    VrpHelper::FollowRtt({sender, source, receiver}, flow.rtt);
    Suggest(sender, "InterfaceRate", DataRateValue(flow.sendRate));
    Suggest(receiver, "MaxGap", UintegerValue(gap));
    Suggest(receiver, "CheckContent", BooleanValue(flow.checkContent));
    Suggest(source, "Bytes", UintegerValue(flow.bytes));
    HandOn(source, "FrameSize");
    HandOn(source, "ConcurrentFrames");
    Suggest(source, "CheckContent", BooleanValue(flow.checkContent));
    if (auto* objects = flow.objects)
    {
        const auto& settings = objects->GetSettings();
        if (settings.bytes > UINT32_MAX)
        {
            return "vrp sends an object as a frame of less than 4 GiB: lower --objectSize";
        }
        source->SetAttribute("FrameSize", UintegerValue(settings.bytes));
        source->SetAttribute("FrameInterval",
                             TimeValue(Time::FromDouble(1 / settings.rate, Time::S)));
        RecordObjects(*objects, sender, receiver);
    }
    sender->AssignStreams(flow.stream);
    sender->SetStartTime(flow.start);
    source->SetStartTime(flow.start);
    HandOnTos(ends);
    return std::nullopt;
}

TransferReport
VrpTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    report.controlPackets += ends.sink->GetReport().controlPackets;
    return report;
}

FlowCounter::Bounds
VrpTransport::GetBounds(const TransportFlow& /* flow */, const TransportEnds& ends) const
{
    // Opening and closing of frames, and pings, go to the same port. They may be larger than data.
    const auto& sent = ends.source->GetReport();
    FlowCounter::Bounds bounds;
    bounds.headerBytes = GetTraits().headerBytes;
    bounds.surplusPackets = sent.controlPackets;
    const uint64_t control = std::max(ends.packetSize, VrpHeaderPacket::MIN_SIZE);
    bounds.surplusBytes =
        sent.retransmittedPackets * ends.packetSize + sent.controlPackets * control;
    if (!sent.completed)
    {
        bounds.surplusBytes += GetNumber(ends.feeder, "FrameSize") *
                               GetNumber(ends.feeder, "ConcurrentFrames"); // of those under way
    }
    return bounds;
}

} // namespace ns3::lfn
