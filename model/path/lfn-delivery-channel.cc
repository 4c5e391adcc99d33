// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-delivery-channel.h"

#include "ns3/data-rate.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("DeliveryChannel");
NS_OBJECT_ENSURE_REGISTERED(DeliveryChannel);

TypeId
DeliveryChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::DeliveryChannel")
                            .SetParent<PointToPointChannel>()
                            .SetGroupName("Lfn")
                            .AddConstructor<DeliveryChannel>()
                            .AddAttribute("Channel",
                                          "The channel whose place it takes.",
                                          TypeId::ATTR_GET,
                                          PointerValue(),
                                          MakePointerAccessor(&DeliveryChannel::m_channel),
                                          MakePointerChecker<PointToPointChannel>());
    return tid;
}

DeliveryChannel::DeliveryChannel() = default;

void
DeliveryChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_channel = nullptr;
    PointToPointChannel::DoDispose();
}

bool
DeliveryChannel::Install(Ptr<PointToPointNetDevice> device, const DeliveryTrace& trace)
{
    NS_LOG_FUNCTION(device);
    auto channel = DynamicCast<DeliveryChannel>(device->GetChannel());
    if (!channel)
    {
        const auto present = DynamicCast<PointToPointChannel>(device->GetChannel());
        if (!present || present->GetNDevices() != 2)
        {
            return false;
        }
        channel = CreateObject<DeliveryChannel>();
        channel->m_channel = present;
        TimeValue delay;
        present->GetAttribute("Delay", delay);
        channel->SetAttribute("Delay", delay);
        channel->m_channelDelay = delay.Get();
        for (std::size_t i = 0; i < 2; ++i)
        {
            present->GetPointToPointDevice(i)->Attach(channel);
        }
    }
    const std::size_t direction = channel->GetSource(0) == device ? 0 : 1;
    const bool isNew = !channel->m_directions[direction].schedule;
    channel->m_directions[direction].schedule.emplace(trace);
    device->SetDataRate(trace.GetMeanRate());
    if (isNew)
    {
        // The device holds its channel as long as it sends.
        device->TraceConnectWithoutContext(
            "PhyTxBegin",
            Callback<void, Ptr<const Packet>>(
                [channel = PeekPointer(channel), direction](Ptr<const Packet> packet) {
                    channel->OnTransmit(direction, packet);
                }));
    }
    return true;
}

const DeliveryTrace*
DeliveryChannel::GetTrace(Ptr<const NetDevice> device)
{
    const auto channel = DynamicCast<DeliveryChannel>(device->GetChannel());
    if (!channel)
    {
        return nullptr;
    }
    const auto& schedule = channel->m_directions[channel->GetSource(0) == device ? 0 : 1].schedule;
    return schedule ? &schedule->GetTrace() : nullptr;
}

void
DeliveryChannel::OnTransmit(std::size_t direction, Ptr<const Packet> packet)
{
    auto& [schedule, wait] = m_directions[direction];
    const Time now = Simulator::Now();
    const auto bytes = packet->GetSize();
    const auto header = PppHeader().GetSerializedSize();
    wait = schedule->Take(now, bytes - header + DeliveryTrace::HEADER) - now;
    NS_LOG_DEBUG("a packet of " << bytes << " B in direction " << direction << " leaves in "
                                << wait.As(Time::MS));
    // The device is free again after the transmission time and the gap.
    const auto device = GetSource(static_cast<uint32_t>(direction));
    DataRateValue rate;
    device->GetAttribute("DataRate", rate);
    device->SetInterframeGap(wait - rate.Get().CalculateBytesTxTime(bytes));
}

bool
DeliveryChannel::TransmitStart(Ptr<const Packet> packet,
                               Ptr<PointToPointNetDevice> source,
                               Time txTime)
{
    NS_LOG_FUNCTION(this << packet << source << txTime);
    const auto& direction = m_directions[source == GetSource(0) ? 0 : 1];
    const Time leaves = direction.schedule ? direction.wait : txTime;
    // Delay is the attribute of this channel: what it differs by is part of the sending.
    return m_channel->TransmitStart(packet, source, leaves + GetDelay() - m_channelDelay);
}

} // namespace ns3::lfn
