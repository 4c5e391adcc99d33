// SPDX-License-Identifier: GPL-2.0-only

#include "rbudp-transport.h"

#include "rbudp-helper.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/lfn-values.h"
#include "ns3/log.h"
#include "ns3/rbudp-header.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RbudpTransport");
NS_OBJECT_ENSURE_REGISTERED(RbudpTransport);

TypeId
RbudpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::RbudpTransport")
                            .SetParent<Transport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<RbudpTransport>()
                            .AddAttribute("MaxDelay",
                                          "Objects that become available in this time make a "
                                          "block (D, section 4.3); 0: half of the deadline, or "
                                          "0.5 s without one.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&RbudpTransport::m_maxDelay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

TransportTraits
RbudpTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "blasts at the flow's rate, the control channel over ns-3's TCP";
    traits.headerBytes = RbudpDataHeader::SIZE;
    traits.usesSendRate = true;
    traits.takesObjects = true;
    return traits;
}

std::optional<std::string>
RbudpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    RbudpHelper helper;
    helper.SetPorts(flow.port, flow.port + 1);
    const auto [sender, receiver] =
        helper.Install(flow.sender, flow.senderAddress, flow.receiver, flow.receiverAddress);
    if (SuggestNumber(sender, "Bytes", flow.bytes) == 0 && !flow.objects)
    {
        return "rbudp needs the size of its payload: give --bytes above 0";
    }
    Suggest(sender, "SendRate", DataRateValue(flow.sendRate));
    Suggest(sender, "CheckContent", BooleanValue(flow.checkContent));
    Suggest(receiver, "CheckContent", BooleanValue(flow.checkContent));
    RbudpHelper::FollowRtt({sender, receiver}, flow.rtt);
    ends = {.source = sender, .sink = receiver};
    ends.packetSize = SuggestNumber(sender, "PayloadSize", flow.packetSize);
    if (flow.objects)
    {
        if (const auto remedy = CarryObjects(flow, ends))
        {
            return remedy;
        }
    }
    // The receiver opens the control connection: both start together.
    sender->SetStartTime(flow.start);
    receiver->SetStartTime(flow.start);
    HandOnTos(ends);
    return std::nullopt;
}

std::optional<std::string>
RbudpTransport::CarryObjects(const TransportFlow& flow, TransportEnds& ends) const
{
    auto* objects = flow.objects;
    const auto& settings = objects->GetSettings();
    constexpr int64_t WITHOUT_DEADLINE_MS = 500; // the paper's example
    Time delay = m_maxDelay;
    if (delay.IsZero())
    {
        delay = settings.deadline.IsStrictlyPositive() ? settings.deadline / 2
                                                       : MilliSeconds(WITHOUT_DEADLINE_MS);
    }
    const auto block = RbudpObjectStream::GetObjectsPerBlock(settings.rate, delay);
    // D of whole objects; a single object does not wait for others.
    double period = static_cast<double>(block) / settings.rate;
    if (block == 1 && settings.deadline.IsStrictlyPositive())
    {
        period = std::min(period, settings.deadline.GetSeconds());
    }
    const double share = 1 - flow.rtt.GetSeconds() / period;
    const bool isOne = settings.objects > 0 && settings.objects <= block;
    if (share <= 0 && !isOne)
    {
        return "rbudp sends a block of objects per round-trip time at most: lower --objectRate, "
               "or make MaxDelay, or half of --deadline, more than " +
               values::PrintTime(flow.rtt);
    }
    const auto most = settings.objects > 0 ? std::min(block, settings.objects) : block;
    if (settings.bytes > UINT64_MAX / most ||
        RbudpAnnouncement{most * settings.bytes, ends.packetSize, 0}.GetDatagrams() >
            RbudpAnnouncement::MAX_DATAGRAMS)
    {
        return "rbudp: a block of objects has too many datagrams: lower --objectSize";
    }
    EnumValue<RbudpWire> wire;
    ends.source->GetAttribute("Wire", wire);
    if (wire.Get() == RbudpWire::TOOLS && !isOne)
    {
        return "rbudp: Wire=Tools has one payload, and the objects make more: leave it";
    }
    NS_LOG_INFO("blocks of " << block << " objects of " << settings.bytes << " B");
    if (!isOne)
    {
        Suggest(ends.source, "SendRate", DataRateValue(objects->GetRate(settings.bytes, share)));
    }
    FeedObjects(flow, ends, most);
    ends.sink->TraceConnectWithoutContext(
        "PayloadReceived",
        Callback<void, uint64_t, uint64_t>(
            [objects, before = uint64_t{0}](uint64_t, uint64_t bytes) mutable {
                objects->OnDelivered(Simulator::Now(), before, bytes);
                before += bytes;
            }));
    return std::nullopt;
}

FlowCounter::Bounds
RbudpTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    return bounds;
}

} // namespace ns3::lfn
