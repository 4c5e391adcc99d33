// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-sender.h"

#include "rbudp-header.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RbudpSender");

namespace
{

/**
 * @brief Add what a payload took to a sum.
 * @param sum the sum
 * @param work what the payload took
 */
void
Add(RbudpSenderCore::Counters& sum, const RbudpSenderCore::Counters& work)
{
    sum.blasts += work.blasts;
    sum.dataPackets += work.dataPackets;
    sum.retransmittedPackets += work.retransmittedPackets;
    sum.firstBlastPackets += work.firstBlastPackets;
    sum.residualPacketsFirstBlast += work.residualPacketsFirstBlast;
    sum.acknowledgedBytes += work.acknowledgedBytes;
}

} // namespace

RbudpSender::RbudpSender()
    : m_tcpControl(CreateObject<RbudpTcpControl>())
{
    m_report.protocol = "rbudp";
}

bool
RbudpSender::SendPayload(uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    const RbudpAnnouncement announcement{bytes, m_settings.payloadSize, 0};
    const bool isSecond = m_wire == RbudpWire::TOOLS && m_report.offeredBytes > 0;
    if (IsFinished() || m_finishing || bytes == 0 || isSecond ||
        announcement.GetDatagrams() > RbudpAnnouncement::MAX_DATAGRAMS)
    {
        NS_LOG_LOGIC("a payload of " << bytes << " B is refused: finished " << IsFinished()
                                     << ", finishing " << m_finishing << ", datagrams "
                                     << announcement.GetDatagrams());
        return false;
    }
    m_payloads.push_back(bytes);
    m_report.offeredBytes += bytes;
    if (m_payloads.size() == 1)
    {
        StartNextPayload();
    }
    return true;
}

bool
RbudpSender::Offer(uint64_t bytes)
{
    return SendPayload(bytes);
}

void
RbudpSender::Finish()
{
    NS_LOG_FUNCTION(this);
    m_finishing = true;
    if (m_payloads.empty())
    {
        StartNextPayload();
    }
}

void
RbudpSender::SetPayloadSource(PayloadSource source)
{
    NS_LOG_FUNCTION(this);
    m_source = source;
}

RbudpSenderCore::Counters
RbudpSender::GetTotals() const
{
    auto totals = m_totals;
    const auto state = m_core.GetState();
    if (state != RbudpSenderCore::State::IDLE && state != RbudpSenderCore::State::COMPLETE)
    {
        Add(totals, m_core.GetCounters());
    }
    return totals;
}

void
RbudpSender::DoDispose()
{
    NS_LOG_FUNCTION(this);
    TransferApplication::DoDispose();
    m_tcpControl->Dispose();
}

void
RbudpSender::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    if (m_settings.sendRate.GetBitRate() == 0)
    {
        Fail("SendRate is 0: give a rate above 0 bit/s");
        return;
    }
    m_gate = HostSendGate(m_hostCost);
    if (m_checkContent && m_source.IsNull())
    {
        m_source = MakeCallback(&PatternPayload::MakePacket);
    }
    const bool isSplit = m_blockSize > 0 && m_blockSize < m_bytes;
    if (m_wire == RbudpWire::TOOLS && (isSplit || !m_fileName.empty()))
    {
        Fail("Wire is Tools, which have one payload without a name: set BlockSize to 0, no "
             "FileName");
        return;
    }
    if (m_bytes > 0)
    {
        const uint64_t block = m_blockSize > 0 ? m_blockSize : m_bytes;
        for (uint64_t sent = 0; sent < m_bytes; sent += block)
        {
            if (!SendPayload(std::min(block, m_bytes - sent)))
            {
                Fail("Bytes is too large for datagrams of PayloadSize: set BlockSize");
                return;
            }
        }
        m_finishing = true;
    }
    RestartControlTimer();
    OpenControl();
}

void
RbudpSender::OpenControl()
{
    auto connected = MakeCallback(&RbudpSender::OnConnected, this);
    const auto tcp = GetTcpControl();
    if (m_idealControl && m_remote.IsInvalid())
    {
        Fail("Remote is not set, which IdealControl needs");
        return;
    }
    m_control =
        tcp ? Ptr<RbudpControlChannel>(tcp) : m_idealControl->JoinSender(connected.Bind(m_remote));
    m_control->SetCallbacks(MakeCallback(&RbudpSender::OnControl, this),
                            MakeCallback(&RbudpSender::OnControlClosed, this));
    const Address any = m_ipv6 ? Address(Ipv6Address::GetAny()) : Address(Ipv4Address::GetAny());
    if (tcp)
    {
        tcp->SetTos(m_tos);
    }
    if (tcp && !tcp->Listen(GetNode(),
                            UdpEndpoint::WithPort(any, m_controlPort),
                            m_socketBuffer,
                            connected))
    {
        Fail("TCP port " + std::to_string(m_controlPort) + " is in use: set ControlPort");
    }
}

void
RbudpSender::OnConnected(const Address& peer)
{
    NS_LOG_FUNCTION(this << peer);
    if (IsFinished())
    {
        return;
    }
    m_controlTimer.Cancel();
    m_peer = UdpEndpoint::WithPort(m_remote.IsInvalid() ? peer : m_remote,
                                   m_peerUdpPort > 0 ? m_peerUdpPort : m_udpPort);
    m_udp = UdpEndpoint::Open(GetNode(), m_peer, m_udpPort, m_socketBuffer);
    SetTos(m_udp, m_tos);
    if (!m_udp)
    {
        Fail("UDP port " + std::to_string(m_udpPort) + " is in use: set UdpPort");
        return;
    }
    m_udp->ShutdownRecv(); // nothing but control messages comes back
    if (const auto problem = CheckMtu(); !problem.empty())
    {
        Fail(problem);
        return;
    }
    NS_LOG_INFO("the receiver is connected, datagrams go to " << m_peer);
    if (m_fileName.empty())
    {
        m_ready = true;
        StartNextPayload();
    }
    else
    {
        RestartControlTimer();
    }
}

std::string
RbudpSender::CheckMtu() const
{
    if (m_allowFragmentation)
    {
        return "";
    }
    const auto mtu = UdpEndpoint::FindMtu(GetNode(), m_peer);
    const auto needed =
        m_settings.payloadSize + RbudpDataHeader::SIZE + UdpEndpoint::GetHeaderBytes(m_peer);
    if (mtu && needed > *mtu)
    {
        return "PayloadSize " + std::to_string(m_settings.payloadSize) + " B needs an MTU of " +
               std::to_string(needed) + " B and the link has " + std::to_string(*mtu) +
               " B: lower it, or set AllowFragmentation";
    }
    return "";
}

void
RbudpSender::StartNextPayload()
{
    const auto state = m_core.GetState();
    const bool isBusy =
        state == RbudpSenderCore::State::BLASTING || state == RbudpSenderCore::State::AWAITING_ACK;
    // Busy when the user has handed over the next payload from within PayloadCompleted.
    if (!m_ready || isBusy || IsFinished())
    {
        return;
    }
    if (m_payloads.empty())
    {
        if (m_finishing)
        {
            Complete();
        }
        return;
    }
    // ns-3's TCP lets a segment go one time step after Send(): the first datagram stays behind it.
    const Time blastStart = Simulator::Now() + TimeStep(2);
    const auto announcement = m_core.Start(m_settings, m_payloads.front(), blastStart);
    if (!announcement)
    {
        Fail("a payload of " + std::to_string(m_payloads.front()) + " B cannot be started");
        return;
    }
    NS_LOG_INFO("A: payload " << m_payloadIndex << " of " << m_payloads.front()
                              << " B starts, blast 1 of " << announcement->GetDatagrams()
                              << " datagrams at " << m_core.GetSendRate());
    Begin();
    m_payloadStart = Simulator::Now();
    if (m_wire == RbudpWire::LFN)
    {
        SendControl(RbudpMessageKind::SIZE, announcement->Write());
    }
    ScheduleNext();
}

void
RbudpSender::ScheduleNext()
{
    const Time now = Simulator::Now();
    m_due = m_core.Next();
    if (m_due)
    {
        const StorageCore::Range content{m_sentBefore + m_due->offset, m_due->bytes};
        const Time leaves = m_gate.Admit(now, m_due->time, m_due->bytes, content);
        m_sendEvent = Simulator::Schedule(leaves - now, &RbudpSender::SendDatagram, this);
    }
    else
    {
        // The tools write DONE right behind the last datagram. The ideal channel has no queue, and
        // DONE would overtake it there; its model counts a whole interval for every datagram.
        const Time leaves = m_gate.Admit(now, m_idealControl ? m_core.GetBlastEnd() : now, 0);
        m_sendEvent = Simulator::Schedule(leaves - now, &RbudpSender::EndBlast, this);
    }
}

void
RbudpSender::SendDatagram()
{
    NS_LOG_FUNCTION(this << m_due->sequence << m_due->bytes);
    const auto packet = m_source.IsNull() ? Create<Packet>(m_due->bytes)
                                          : m_source(m_sentBefore + m_due->offset, m_due->bytes);
    packet->AddHeader(RbudpDataHeader(RbudpNumber(m_due->sequence, m_wire)));
    m_report.dataPackets++;
    m_report.retransmittedPackets += m_core.GetCounters().blasts > 1 ? 1 : 0;
    m_txTrace(packet);
    // A datagram that the host cannot send now (no route, link down) is as good as lost.
    m_udp->Send(packet);
    ScheduleNext();
}

void
RbudpSender::EndBlast()
{
    if (const auto done = m_core.EndBlast())
    {
        NS_LOG_INFO("B: blast " << m_core.GetCounters().blasts << " has been sent, "
                                << m_core.GetCounters().dataPackets
                                << " datagrams in all; C: DONE of round " << done->round);
        RestartControlTimer();
        SendControl(RbudpMessageKind::DONE, done->Write(m_wire));
    }
}

void
RbudpSender::SendControl(RbudpMessageKind kind, std::span<const uint8_t> bytes)
{
    NS_LOG_DEBUG(kind << " of " << bytes.size() << " B is sent");
    m_report.controlPackets++;
    m_controlBytes += bytes.size();
    m_messageTrace(kind, true, std::max(m_core.GetCounters().blasts, 1U) - 1, bytes.size());
    m_control->Send(bytes);
}

void
RbudpSender::OnControl(std::span<const uint8_t> bytes)
{
    NS_LOG_FUNCTION(this << bytes.size());
    m_inbox.insert(m_inbox.end(), bytes.begin(), bytes.end());
    while (!m_inbox.empty() && !IsFinished())
    {
        const bool awaitsAck = m_core.GetState() == RbudpSenderCore::State::AWAITING_ACK;
        const bool awaitsRequest = !m_ready && !m_fileName.empty();
        if (!awaitsAck && !awaitsRequest)
        {
            DropPacket(Create<Packet>(m_inbox.data(), static_cast<uint32_t>(m_inbox.size())),
                       DropReason::UNEXPECTED);
            Fail("the receiver sent a control message out of turn");
            return;
        }
        const auto size = awaitsAck ? m_core.GetAckSize() : uint64_t{RbudpFileRequest::SIZE};
        if (m_inbox.size() < size)
        {
            return;
        }
        const std::vector<uint8_t> message(m_inbox.begin(),
                                           m_inbox.begin() + static_cast<std::ptrdiff_t>(size));
        m_inbox.erase(m_inbox.begin(), m_inbox.begin() + static_cast<std::ptrdiff_t>(size));
        m_report.controlPackets++;
        m_controlBytes += size;
        m_controlTimer.Cancel();
        if (awaitsAck)
        {
            OnAck(message);
        }
        else
        {
            OnFileRequest(message);
        }
    }
}

void
RbudpSender::OnFileRequest(std::span<const uint8_t> message)
{
    NS_LOG_FUNCTION(this << message.size());
    m_messageTrace(RbudpMessageKind::REQUEST, false, 0, message.size());
    const auto request = RbudpFileRequest::Read(message);
    if (!request)
    {
        DropPacket(Create<Packet>(message.data(), static_cast<uint32_t>(message.size())),
                   DropReason::MALFORMED);
        Fail("the file request is malformed");
        return;
    }
    if (request->name != m_fileName)
    {
        NS_LOG_LOGIC("the receiver requests " << request->name << ", FileName is " << m_fileName);
        SendControl(RbudpMessageKind::SIZE,
                    RbudpAnnouncement{0, m_settings.payloadSize, 0}.Write());
        Fail("the receiver asked for a file that is not here");
        return;
    }
    m_ready = true;
    StartNextPayload();
}

void
RbudpSender::OnAck(std::span<const uint8_t> message)
{
    NS_LOG_FUNCTION(this << message.size());
    m_messageTrace(RbudpMessageKind::ACK, false, m_core.GetCounters().blasts - 1, message.size());
    const auto blast = m_core.GetCounters().blasts;
    const auto state = m_core.OnAck(message, Simulator::Now());
    const auto& work = m_core.GetCounters();
    const uint64_t acknowledged = m_sentBefore + work.acknowledgedBytes;
    NS_LOG_LOGIC("D: bitmap after blast " << blast << ": missing " << m_core.GetMissing() << " of "
                                          << work.firstBlastPackets << " datagrams, acknowledged "
                                          << work.acknowledgedBytes << " B");
    if (acknowledged > m_report.deliveredBytes)
    {
        m_report.deliveredBytes = acknowledged;
        m_report.lastDelivery = Simulator::Now();
    }
    m_progressTrace(acknowledged, m_report.offeredBytes);
    if (state == RbudpSenderCore::State::BLASTING)
    {
        NS_LOG_INFO("A: blast " << work.blasts << " retransmits " << m_core.GetMissing() << " of "
                                << work.firstBlastPackets << " datagrams at "
                                << m_core.GetSendRate());
        ScheduleNext();
        return;
    }
    if (state == RbudpSenderCore::State::FAILED)
    {
        if (!RbudpAck::Read(message, work.firstBlastPackets))
        {
            DropPacket(Create<Packet>(message.data(), static_cast<uint32_t>(message.size())),
                       DropReason::MALFORMED);
        }
        Fail(m_core.GetFailure());
        return;
    }
    NS_LOG_INFO("payload " << m_payloadIndex << " is complete after " << work.blasts
                           << " blasts and " << (Simulator::Now() - m_payloadStart).As(Time::S)
                           << ", retransmitted datagrams: " << work.retransmittedPackets);
    const RbudpPayloadReport report{m_payloadIndex,
                                    m_payloads.front(),
                                    m_payloadStart,
                                    Simulator::Now(),
                                    work};
    m_sentBefore += m_payloads.front();
    m_payloads.pop_front();
    m_payloadIndex++;
    Add(m_totals, work);
    m_payloadTrace(report);
    StartNextPayload();
}

void
RbudpSender::OnControlClosed(const std::string& error)
{
    NS_LOG_FUNCTION(this << error);
    Fail(error.empty() ? "the receiver closed the control connection" : error);
}

void
RbudpSender::OnControlTimeout()
{
    NS_LOG_FUNCTION(this);
    Fail(m_ready ? "no acknowledgement within ControlTimeout"
                 : "no receiver connected within ControlTimeout");
}

void
RbudpSender::RestartControlTimer()
{
    m_controlTimer.Cancel();
    m_controlTimer = Simulator::Schedule(m_controlTimeout, &RbudpSender::OnControlTimeout, this);
}

void
RbudpSender::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_sendEvent.Cancel();
    m_controlTimer.Cancel();
    if (m_control)
    {
        m_control->End(IsBeingDisposed());
        m_control = nullptr;
    }
    UdpEndpoint::Close(m_udp);
}

} // namespace ns3::lfn
