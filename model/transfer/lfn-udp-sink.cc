// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-udp-sink.h"

#include "lfn-pattern-payload.h"
#include "lfn-udp-endpoint.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("UdpSink");
NS_OBJECT_ENSURE_REGISTERED(UdpSink);

TypeId
UdpSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::UdpSink")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<UdpSink>()
            .AddAttribute("Local",
                          "Address to listen on, with or without a port; unset for every IPv4 and "
                          "IPv6 address of the node.",
                          AddressValue(),
                          MakeAddressAccessor(&UdpSink::m_local),
                          MakeAddressChecker())
            .AddAttribute("Port",
                          "Port to listen on, unless Local brings one.",
                          UintegerValue(9),
                          MakeUintegerAccessor(&UdpSink::m_port),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("MoveData",
                          "Whether the bytes go on to the application (app_perf) or are forgotten "
                          "once read (iperf).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdpSink::m_moveData),
                          MakeBooleanChecker())
            .AddAttribute("CheckContent",
                          "Refuse datagrams that do not hold a UdpSource's pattern.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdpSink::m_checkContent),
                          MakeBooleanChecker())
            .AddAttribute("HostCost",
                          "What a datagram costs the receiving host; leave it unset for nothing.",
                          PointerValue(),
                          MakePointerAccessor(&UdpSink::m_hostCost),
                          MakePointerChecker<HostCost>());
    return tid;
}

UdpSink::UdpSink()
{
    m_report.protocol = "udp";
}

void
UdpSink::DoDispose()
{
    NS_LOG_FUNCTION(this);
    TransferApplication::DoDispose();
    if (m_queue)
    {
        m_queue->Dispose();
        m_queue = nullptr;
    }
    m_hostCost = nullptr;
}

void
UdpSink::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    UdpEndpoint::Close(m_sockets);
    if (m_queue)
    {
        m_queue->Clear();
    }
}

bool
UdpSink::IsEndless() const
{
    return true;
}

void
UdpSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_queue = CreateObject<HostQueue>();
    m_queue->SetCost(m_hostCost);
    m_queue->SetServiceTime(MakeCallback(&UdpSink::GetServiceTime, this));
    m_queue->SetDeliver(MakeCallback(&UdpSink::Deliver, this));
    const auto received = MakeCallback(&UdpSink::HandleRead, this);
    const auto failure = UdpEndpoint::Listen(GetNode(), m_local, m_port, received, m_sockets);
    if (!failure.empty())
    {
        Fail(failure);
    }
}

void
UdpSink::HandleRead(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Address from;
    while (!IsFinished())
    {
        const auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            return;
        }
        Begin();
        m_rxTrace(packet);
        ++m_report.dataPackets;
        m_report.offeredBytes += packet->GetSize();
        if (!m_queue->Arrive(packet, from))
        {
            NS_LOG_LOGIC("the host's buffer has no room for "
                         << packet->GetSize() << " B, it holds " << m_queue->GetWaitingBytes()
                         << " B");
            m_report.lostBytes += packet->GetSize();
            DropPacket(packet, DropReason::BUFFER_FULL);
        }
    }
}

Time
UdpSink::GetServiceTime(Ptr<const Packet> packet) const
{
    if (!m_hostCost)
    {
        return Time(0); // taken away while datagrams were waiting
    }
    const uint32_t bytes = packet->GetSize();
    const Time read = m_hostCost->GetReadTime(bytes);
    return m_moveData ? read + m_hostCost->GetMoveTime(bytes) : read;
}

void
UdpSink::Deliver(Ptr<Packet> packet, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << packet << packet->GetSize());
    if (m_checkContent && !PatternPayload::IsIntact(packet))
    {
        m_report.lostBytes += packet->GetSize();
        DropPacket(packet, DropReason::CORRUPT);
        return;
    }
    m_report.deliveredBytes += packet->GetSize();
    m_report.lastDelivery = Simulator::Now();
    m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
}

} // namespace ns3::lfn
