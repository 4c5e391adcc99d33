// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-sender.h"

#include "ns3/lfn-make-socket.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <bit>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("VrpSender");

namespace
{

constexpr uint32_t BUFFER_BYTES = 1U << 20; //!< of the socket, whose datagrams are read at once

} // namespace

VrpSender::VrpSender()
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "vrp";
}

bool
VrpSender::Offer(uint64_t bytes)
{
    VrpFrame frame;
    frame.bytes = static_cast<uint32_t>(bytes);
    return bytes > 0 && frame.bytes == bytes && SendFrame(frame);
}

bool
VrpSender::SendFrame(const VrpFrame& frame, FrameCallback done)
{
    NS_LOG_FUNCTION(this << frame.bytes);
    if (IsFinished() || m_finishing || (frame.data && frame.data->GetSize() != frame.bytes))
    {
        NS_LOG_LOGIC("a frame of " << frame.bytes << " B is refused: finished " << IsFinished()
                                   << ", finishing " << m_finishing);
        return false;
    }
    Prepare();
    auto tolerance = frame.tolerance;
    if (const double rate = GetLossRate(); !tolerance.maxLossRate && rate >= 0)
    {
        tolerance.maxLossRate = rate;
    }
    if (!tolerance.maxBurst && m_maxBurst >= 0)
    {
        tolerance.maxBurst = static_cast<uint64_t>(m_maxBurst);
    }
    const auto number = m_core.Create(frame.bytes, tolerance);
    if (!number)
    {
        return false;
    }
    auto& entry = m_frames[*number];
    entry.content = frame;
    entry.place = m_report.offeredBytes;
    entry.done = done;
    entry.report.number = *number;
    entry.report.bytes = frame.bytes;
    entry.report.start = Simulator::Now();
    entry.report.lossRate = tolerance.maxLossRate.value_or(-1);
    const auto& header = m_core.GetFrame(*number).header;
    entry.report.criticalPackets = header.criticalPackets;
    entry.report.mergedPackets = header.mergedPackets;
    NS_LOG_INFO("frame " << *number << " of " << frame.bytes << " B: loss rate "
                         << tolerance.maxLossRate.value_or(-1) << ", critical packets "
                         << header.criticalPackets);
    m_report.offeredBytes += frame.bytes;
    Begin();
    SchedulePump();
    return true;
}

void
VrpSender::Finish()
{
    NS_LOG_FUNCTION(this);
    m_finishing = true;
    SchedulePump();
}

int64_t
VrpSender::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    return 1;
}

void
VrpSender::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished())
    {
        return;
    }
    if (!std::has_single_bit(m_settings.windowSize) || m_minLossRate > m_maxLossRate)
    {
        FailAll("WindowSize is no power of two, or MinLossRate is above MaxLossRate");
        return;
    }
    Prepare();
    m_gate = HostSendGate(m_hostCost);
    m_gate.SetInterfaceRate(m_interfaceRate);
    m_socket = UdpEndpoint::Open(GetNode(), m_remote, m_localPort, BUFFER_BYTES);
    SetTos(m_socket, m_tos);
    if (!m_socket)
    {
        FailAll("Remote is no IPv4 or IPv6 socket address, or LocalPort is in use");
        return;
    }
    m_boundPort = UdpEndpoint::GetLocalPort(m_socket);
    m_socket->SetRecvCallback(MakeCallback(&VrpSender::OnDatagrams, this));
    SendPing();
}

void
VrpSender::Prepare()
{
    if (m_prepared)
    {
        return;
    }
    m_prepared = true;
    if (!m_timeout) // set to null
    {
        m_timeout = CreateObject<VrpRttEstimator>();
    }
    m_dataSize = m_packetSize;
    if (const auto mtu = m_fitMtu ? UdpEndpoint::FindMtu(GetNode(), m_remote) : std::nullopt)
    {
        const auto headers = UdpEndpoint::GetHeaderBytes(m_remote) + VrpHeader::SIZE;
        m_dataSize = std::min(m_dataSize, std::max(*mtu, headers + 1) - headers);
    }
    NS_LOG_DEBUG("data bytes per packet: " << m_dataSize << ", PacketSize is " << m_packetSize);
    auto settings = m_settings;
    settings.packetSize = static_cast<uint16_t>(m_dataSize);
    settings.firstNumber =
        static_cast<uint16_t>(m_random->GetInteger(0, VrpHeader::FRAME_NUMBERS - 1));
    if (m_windowPolicy == WindowPolicy::TFRC)
    {
        m_rate = std::make_shared<VrpRateControl>();
    }
    m_core.Start(settings, m_timeout, m_rate);
}

void
VrpSender::SendPing()
{
    NS_LOG_FUNCTION(this);
    if (m_ping.GetTries() >= m_pingTries)
    {
        FailAll("the receiver answered none of " + std::to_string(m_pingTries) +
                " PINGs (PingTries)");
        return;
    }
    NS_LOG_LOGIC("PING " << m_ping.GetTries() + 1 << " of " << m_pingTries
                         << ", the next one follows in " << m_pingTimeout.As(Time::MS));
    m_pingTimer = Simulator::Schedule(m_pingTimeout, &VrpSender::SendPing, this);
    SendControl(m_ping.Make(Simulator::Now(), m_padPing ? m_dataSize : 0));
}

void
VrpSender::SendControl(std::span<const VrpTag> tags)
{
    ++m_report.controlPackets;
    Send(VrpControl::MakePacket(0, tags));
}

void
VrpSender::OnDatagrams(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Address from;
    while (!IsFinished())
    {
        const auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            break;
        }
        if (from != m_remote) // ns-3's connected UDP sockets take datagrams from anyone
        {
            DropPacket(packet, DropReason::UNKNOWN_PEER);
            continue;
        }
        m_rxTrace(packet);
        VrpHeader header;
        if (packet->RemoveHeader(header) == 0)
        {
            DropPacket(packet, DropReason::MALFORMED);
            continue;
        }
        if (!header.control)
        {
            DropPacket(packet, DropReason::UNEXPECTED);
            continue;
        }
        const auto control = VrpControl::Read(packet);
        if (!control)
        {
            DropPacket(packet, DropReason::MALFORMED);
        }
        else if (!OnTags(header.frame, control->tags))
        {
            DropPacket(packet, DropReason::UNEXPECTED);
        }
    }
    if (!IsFinished())
    {
        Pump();
    }
}

bool
VrpSender::OnTags(uint16_t number, std::span<const VrpTag> tags)
{
    NS_LOG_FUNCTION(this << number << tags.size());
    bool useful = m_core.OnTags(number, tags, Simulator::Now());
    for (const auto& tag : tags)
    {
        const auto rtt =
            tag.code == VrpTagCode::PONG ? m_ping.OnPong(tag, Simulator::Now()) : std::nullopt;
        useful = useful || rtt;
        if (rtt && m_state == State::INIT) // a later echo is of no use, but no fault either
        {
            m_timeout->Measurement(*rtt);
            m_pingTimer.Cancel();
            m_state = State::OK;
            NS_LOG_INFO("the receiver has answered, RTT " << rtt->As(Time::MS));
            if (m_rate)
            {
                m_rate->Start(m_dataSize + VrpHeader::SIZE, *rtt, Simulator::Now());
            }
        }
    }
    if (m_rate && m_state == State::OK)
    {
        m_rate->OnFeedback(m_timeout->GetSmoothed(), Simulator::Now());
    }
    NS_LOG_DEBUG("frame " << number << ", tags " << tags.size() << ": useful " << useful << ", RTT "
                          << m_timeout->GetEstimate().As(Time::MS) << ", timeout "
                          << m_timeout->GetTimeout().As(Time::MS));
    m_rttTrace(m_timeout->GetEstimate(), m_timeout->GetTimeout());
    return useful;
}

void
VrpSender::SchedulePump()
{
    if (!m_pumpEvent.IsPending() && !IsFinished())
    {
        m_pumpEvent = Simulator::ScheduleNow(&VrpSender::Pump, this);
    }
}

void
VrpSender::Pump()
{
    NS_LOG_FUNCTION(this);
    while (m_state != State::INIT && !m_held && !IsFinished())
    {
        const auto turn = m_core.Next(Simulator::Now());
        if (!turn)
        {
            break;
        }
        switch (turn->kind)
        {
        case VrpSenderCore::Turn::Kind::SEND:
            SendStep(turn->number, turn->step);
            break;
        case VrpSenderCore::Turn::Kind::WAIT:
            SetTimer(turn->number);
            break;
        case VrpSenderCore::Turn::Kind::END:
            EndFrame(turn->number);
            break;
        }
    }
    EndWhenDone();
}

void
VrpSender::SendStep(uint16_t number, const VrpOutgoingFrame::Step& step)
{
    NS_LOG_FUNCTION(this << number << step.packet << step.header << step.repeat);
    const auto& frame = m_core.GetFrame(number);
    StorageCore::Range stored;
    const auto makeData = [&](uint32_t index) {
        const auto& header = frame.core->GetHeader();
        const auto& entry = m_frames.at(number);
        const uint32_t offset = index * header.packetSize;
        stored = {entry.place + offset, header.GetPacketBytes(index)};
        return entry.content.MakeData(number, offset, stored.bytes);
    };
    Ptr<Packet> packet;
    if (step.header)
    {
        const auto& bytes = frame.header.bytes;
        packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        if (frame.header.carriesData)
        {
            packet->AddAtEnd(makeData(0));
            ++m_report.dataPackets;
            m_report.retransmittedPackets += step.repeat ? 1 : 0;
        }
        else
        {
            ++m_report.controlPackets;
        }
        packet->AddHeader(VrpHeader::Control(number));
    }
    else
    {
        packet = makeData(step.packet);
        packet->AddHeader(VrpHeader::Data(number, step.packet));
        ++m_report.dataPackets;
        m_report.retransmittedPackets += step.repeat ? 1 : 0;
    }
    if (step.repeat)
    {
        NS_LOG_LOGIC("frame " << number << " retransmits "
                              << (step.header ? "its header" : "packet ") << step.packet
                              << ", timeout " << m_timeout->GetTimeout().As(Time::MS));
    }
    const Time now = Simulator::Now();
    const Time wanted = m_rate ? m_rate->Depart(packet->GetSize(), now) : now;
    const Time leaves = m_gate.Admit(now, wanted, packet->GetSize(), stored);
    if (leaves == now)
    {
        Send(packet);
        return;
    }
    NS_LOG_LOGIC("a packet of " << packet->GetSize() << " B is held back for "
                                << (leaves - now).As(Time::MS));
    if (m_rate) // the rate, or the gate
    {
        m_rate->HeldBack(now);
    }
    m_held = packet;
    m_heldTurn = {VrpSenderCore::Turn::Kind::SEND, number, step};
    m_heldEvent = Simulator::Schedule(leaves - now, &VrpSender::SendHeld, this);
}

void
VrpSender::SendHeld()
{
    NS_LOG_FUNCTION(this);
    Send(m_held);
    m_held = nullptr;
    if (m_rate) // which may have held it for long
    {
        m_core.MarkLeft(m_heldTurn.number, m_heldTurn.step, Simulator::Now());
    }
    Pump();
}

void
VrpSender::Send(Ptr<Packet> packet)
{
    m_txTrace(packet);
    // What the host cannot send now (no route, link down) is as good as lost.
    m_socket->Send(packet);
}

void
VrpSender::SetTimer(uint16_t number)
{
    auto& frame = m_frames.at(number);
    const Time deadline = m_core.GetFrame(number).core->GetDeadline();
    if (frame.timer.IsPending() && frame.timerTime <= deadline)
    {
        return; // it finds itself early and is set again
    }
    frame.timer.Cancel();
    const Time now = Simulator::Now();
    frame.timerTime = std::max(deadline, now);
    frame.timer = Simulator::Schedule(frame.timerTime - now, &VrpSender::OnTimer, this, number);
}

void
VrpSender::OnTimer(uint16_t number)
{
    NS_LOG_FUNCTION(this << number);
    NS_LOG_LOGIC("a timer of frame " << number << " has expired, timeout "
                                     << m_timeout->GetTimeout().As(Time::MS));
    m_core.MakeReady(number);
    Pump();
    m_rttTrace(m_timeout->GetEstimate(), m_timeout->GetTimeout());
}

void
VrpSender::EndFrame(uint16_t number)
{
    const auto ended = m_core.TakeOut(number);
    auto frame = std::move(m_frames.at(number));
    m_frames.erase(number);
    frame.timer.Cancel();
    auto& report = frame.report;
    report.finish = Simulator::Now();
    report.counters = ended.core->GetCounters();
    report.state = ended.core->GetState();
    report.failure = ended.core->GetFailure();
    if (report.state == VrpFrameState::DONE)
    {
        m_report.deliveredBytes += report.bytes;
        m_report.lastDelivery = report.finish;
        m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
    }
    NS_LOG_INFO("frame " << number << " ends: " << ToString(report.state) << " after "
                         << (report.finish - report.start).As(Time::MS) << ", data packets "
                         << report.counters.dataPackets << ", NACKs " << report.counters.nacks
                         << ", timeouts " << report.counters.timeouts << ", accepted losses "
                         << report.counters.acceptedLosses);
    m_frameTrace(report);
    if (!frame.done.IsNull())
    {
        frame.done(report);
    }
}

void
VrpSender::EndWhenDone()
{
    if (!m_finishing || !m_frames.empty() || IsFinished() || m_state == State::FAILED)
    {
        return;
    }
    if (m_core.GetFailed() == 0)
    {
        Complete();
        return;
    }
    Fail(m_core.GetFailure());
}

void
VrpSender::FailAll(const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    m_state = State::FAILED;
    m_finishing = true; // no frame may follow
    m_core.Abort(reason);
    m_held = nullptr;
    m_heldEvent.Cancel();
    Pump();
    Fail(reason);
}

void
VrpSender::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    m_pingTimer.Cancel();
    m_pumpEvent.Cancel();
    m_heldEvent.Cancel();
    for (auto& [number, frame] : m_frames)
    {
        frame.timer.Cancel();
    }
    if (m_state != State::FAILED)
    {
        m_state = State::CLOSED;
    }
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        const auto room = std::max(m_dataSize, VrpHeaderPacket::MIN_SIZE) - 1;
        for (auto tags = m_core.TakeCloses(room); m_closeOnDispose && !tags.empty();)
        {
            SendControl(tags);
            tags = m_core.TakeCloses(room);
        }
        UdpEndpoint::Close(m_socket);
    }
}

} // namespace ns3::lfn
