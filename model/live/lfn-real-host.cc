// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-real-host.h"

#include "lfn-live-packet.h"
#include "lfn-real-host-routing.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/realtime-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <unistd.h>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RealHost");
NS_OBJECT_ENSURE_REGISTERED(RealHost);

/** @brief Reads packets off a descriptor. */
class RealHost::Reader : public FdReader
{
    FdReader::Data DoRead() override
    {
        const auto length = read(m_fd, m_bytes.data(), m_bytes.size());
        if (length < 0)
        {
            const bool goesOn = errno == EAGAIN || errno == EINTR;
            return {nullptr, goesOn ? -1 : 0}; // 0 ends the thread: the device is gone
        }
        return {m_bytes.data(), length};
    }

    std::array<uint8_t, 65536> m_bytes; //!< More than an IP packet can have.
};

TypeId
RealHost::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::RealHost")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddConstructor<RealHost>()
            .AddAttribute("Device",
                          "Name of the tun device, of 15 characters at most.",
                          StringValue("lfn0"),
                          MakeStringAccessor(&RealHost::m_device),
                          MakeStringChecker())
            .AddAttribute("Namespace",
                          "Network namespace in which the device is made, as of 'ip netns'; empty "
                          "for that of the program.",
                          StringValue(""),
                          MakeStringAccessor(&RealHost::m_networkNamespace),
                          MakeStringChecker())
            .AddAttribute("OwnAddress",
                          "The kernel gets the address of the end whose place is taken. Without "
                          "it, it only gets routes, and may forward to hosts further away.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RealHost::m_ownAddress),
                          MakeBooleanChecker())
            .AddAttribute("Queue",
                          "Packets that may wait in the kernel's device until they are read.",
                          UintegerValue(10000),
                          MakeUintegerAccessor(&RealHost::m_queue),
                          MakeUintegerChecker<uint32_t>(1, 1'000'000))
            .AddAttribute("Backlog",
                          "Packets that may wait for a simulation that is late; more are lost.",
                          UintegerValue(100'000),
                          MakeUintegerAccessor(&RealHost::m_backlog),
                          MakeUintegerChecker<uint32_t>(1, 10'000'000))
            .AddAttribute("Silence",
                          "A run ends when its simulated transfers have ended, or a real host has "
                          "begun one, and the real hosts have sent nothing for so long.",
                          TimeValue(Seconds(3)),
                          MakeTimeAccessor(&RealHost::m_silence),
                          MakeTimeChecker(TimeStep(1), Days(365)))
            .AddTraceSource("FromHost",
                            "A packet of the real host enters the simulation.",
                            MakeTraceSourceAccessor(&RealHost::m_fromHostTrace),
                            "ns3::lfn::RealHost::PacketTracedCallback")
            .AddTraceSource("ToHost",
                            "A packet is handed to the real host.",
                            MakeTraceSourceAccessor(&RealHost::m_toHostTrace),
                            "ns3::lfn::RealHost::PacketTracedCallback");
    return tid;
}

RealHost::RealHost() = default;
RealHost::~RealHost() = default;

void
RealHost::UseRealTime()
{
    NS_LOG_FUNCTION_NOARGS();
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(RealtimeSimulatorImpl::GetTypeId().GetName()));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    if (!DynamicCast<RealtimeSimulatorImpl>(Simulator::GetImplementation()))
    {
        Simulator::Destroy();
    }
}

std::optional<std::string>
RealHost::TakePlace(Ptr<Node> node, Ipv4Address address, const std::vector<Ipv4Address>& others)
{
    NS_LOG_FUNCTION(this << node << address << others.size());
    m_ipv4 = node->GetObject<Ipv4>();
    const auto interface = m_ipv4 ? m_ipv4->GetInterfaceForAddress(address) : -1;
    if (interface < 0)
    {
        return "the node has no interface with the address whose place is to be taken";
    }
    Tun::Settings settings;
    settings.device = m_device;
    settings.networkNamespace = m_networkNamespace;
    if (m_ownAddress)
    {
        settings.own = address;
    }
    settings.behind = others;
    settings.mtu = m_ipv4->GetNetDevice(interface)->GetMtu();
    settings.queue = m_queue;
    if (auto trouble = m_tun.Open(settings))
    {
        return trouble;
    }
    m_nodeId = node->GetId();
    // Not yet: helpers add routes to what they find there.
    Simulator::ScheduleWithContext(m_nodeId, Time(0), &RealHost::TakeOverRouting, this);
    m_reader = Create<Reader>();
    m_reader->Start(m_tun.GetDescriptor(), MakeCallback(&RealHost::OnRead, this));
    NS_LOG_INFO("device " << m_device << " takes the place of " << address << ", MTU "
                          << settings.mtu);
    return std::nullopt;
}

void
RealHost::TakeOverRouting()
{
    NS_LOG_FUNCTION(this);
    if (m_ipv4)
    {
        const auto routing = CreateObject<RealHostRouting>();
        routing->Set(m_ipv4->GetRoutingProtocol(), MakeCallback(&RealHost::HandToHost, this));
        m_ipv4->SetRoutingProtocol(routing);
    }
}

std::string
RealHost::GetDevice() const
{
    return m_device;
}

const RealHost::Counters&
RealHost::GetCounters() const
{
    return m_counters;
}

std::optional<Time>
RealHost::GetLastArrival() const
{
    return m_lastArrival;
}

Time
RealHost::GetSilence() const
{
    return m_silence;
}

void
RealHost::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_reader)
    {
        m_reader->Stop();
        m_reader = nullptr;
    }
    m_tun.Close();
    m_ipv4 = nullptr;
    Object::DoDispose();
}

void
RealHost::OnRead(uint8_t* bytes, ssize_t length)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_pending.size() >= m_backlog)
        {
            m_overflow++;
            return;
        }
        m_pending.emplace_back(bytes, bytes + length);
    }
    // Bare pointers only: ns-3's counts of references are not made for threads.
    Simulator::ScheduleWithContext(m_nodeId, Time(0), MakeEvent(&RealHost::SendIntoNetwork, this));
}

void
RealHost::SendIntoNetwork()
{
    NS_LOG_FUNCTION(this);
    std::vector<uint8_t> bytes;
    {
        const std::scoped_lock lock(m_mutex);
        if (m_pending.empty())
        {
            return;
        }
        bytes = std::move(m_pending.front());
        m_pending.pop_front();
        m_counters.overflow = m_overflow;
    }
    if (!m_ipv4)
    {
        return;
    }
    const auto kind = InspectLivePacket(bytes);
    m_counters.foreign += kind == LivePacket::FOREIGN;
    m_counters.unsound += kind == LivePacket::UNSOUND;
    NS_LOG_DEBUG("the host sends " << bytes.size() << " B, sound " << (kind == LivePacket::SOUND));
    if (kind != LivePacket::SOUND)
    {
        return;
    }
    MakeTcpReadable(bytes);
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    Ipv4Header header;
    packet->PeekHeader(header);
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    const auto route = m_ipv4->GetRoutingProtocol()->RouteOutput(packet, header, nullptr, error);
    if (!route)
    {
        NS_LOG_LOGIC("no route to " << header.GetDestination());
        m_counters.foreign++;
        return;
    }
    m_counters.fromHost++;
    m_lastArrival = Simulator::Now();
    m_fromHostTrace(packet->Copy());
    packet->RemoveHeader(header);
    m_ipv4->SendWithHeader(packet, header, route);
}

void
RealHost::HandToHost(Ptr<const Packet> packet, const Ipv4Header& header)
{
    NS_LOG_FUNCTION(this << packet << header);
    auto whole = packet->Copy();
    auto checked = header;
    checked.EnableChecksum();
    whole->AddHeader(checked);
    std::vector<uint8_t> bytes(whole->GetSize());
    whole->CopyData(bytes.data(), whole->GetSize());
    if (!m_tun.Write(bytes))
    {
        m_counters.refused++;
        NS_LOG_WARN("the device takes no packet of " << bytes.size() << " B");
        return;
    }
    m_counters.toHost++;
    if (const auto clock = DynamicCast<RealtimeSimulatorImpl>(Simulator::GetImplementation()))
    {
        m_counters.latest = std::max(m_counters.latest, clock->RealtimeNow() - Simulator::Now());
    }
    m_toHostTrace(whole);
}

} // namespace ns3::lfn
