// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-udp-sink.h"

#include "lfn-pattern-payload.h"
#include "lfn-udp-endpoint.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
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
            .AddTraceSource("Delivered",
                            "A datagram is delivered: the host is done with it.",
                            MakeTraceSourceAccessor(&UdpSink::m_deliveredTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

UdpSink::UdpSink()
{
    m_report.protocol = "udp";
}

void
UdpSink::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    UdpEndpoint::Close(m_sockets);
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
    StartHost(MakeCallback(&UdpSink::GetWork, this), MakeCallback(&UdpSink::Deliver, this));
    const auto received = MakeCallback(&UdpSink::OnReadable, this);
    const auto failure = UdpEndpoint::Listen(GetNode(), m_local, m_port, received, m_sockets);
    if (!failure.empty())
    {
        Fail(failure);
    }
}

void
UdpSink::OnReadable(Ptr<Socket> socket)
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
        if (!m_host)
        {
            Deliver(packet, from);
        }
        else if (!m_host->Arrive(packet, from))
        {
            NS_LOG_LOGIC("the host's buffer has no room for "
                         << packet->GetSize() << " B, it holds " << m_host->GetWaitingBytes()
                         << " B");
            m_report.lostBytes += packet->GetSize();
            DropPacket(packet, DropReason::BUFFER_FULL);
        }
    }
}

HostWork
UdpSink::GetWork(Ptr<const Packet> packet)
{
    return m_hostCost->GetWork(packet->GetSize(), m_moveData);
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
    m_deliveredTrace(packet);
    m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
}

} // namespace ns3::lfn
