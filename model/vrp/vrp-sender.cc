// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-sender.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/integer.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("VrpSender");
NS_OBJECT_ENSURE_REGISTERED(VrpSender);

namespace
{

/// Add up what happened to frames.
void
Add(VrpOutgoingFrame::Counters& sum, const VrpOutgoingFrame::Counters& one)
{
    sum.headers += one.headers;
    sum.dataPackets += one.dataPackets;
    sum.nacks += one.nacks;
    sum.timeouts += one.timeouts;
    sum.ignoredAcks += one.ignoredAcks;
    sum.ignoredNacks += one.ignoredNacks;
    sum.acceptedLosses += one.acceptedLosses;
    sum.resends += one.resends;
}

constexpr uint32_t BUFFER_BYTES = 1U << 20; //!< of the socket, whose datagrams are read at once

} // namespace

TypeId
VrpSender::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::VrpSender")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<VrpSender>()
            .AddAttribute("Remote",
                          "IPv4 or IPv6 socket address of the receiver.",
                          AddressValue(),
                          MakeAddressAccessor(&VrpSender::m_remote),
                          MakeAddressChecker())
            .AddAttribute("LocalPort",
                          "UDP port to send from; 0 for any.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&VrpSender::m_localPort),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("PacketSize",
                          "Data bytes of a packet (section 2.5.2).",
                          UintegerValue(2048),
                          MakeUintegerAccessor(&VrpSender::m_packetSize),
                          MakeUintegerChecker<uint32_t>(1, VrpFrameHeader::MAX_PACKET_SIZE))
            .AddAttribute("WindowSize",
                          "Packets of a frame that may be under way: a power of two (section "
                          "2.5.3).",
                          UintegerValue(64),
                          MakeUintegerAccessor(&VrpSender::m_windowSize),
                          MakeUintegerChecker<uint32_t>(1, 32768))
            .AddAttribute("MaxLossRate",
                          "Accepted loss of a frame that brings none of its own, 0 to 1; negative "
                          "leaves it to the receiver.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&VrpSender::m_maxLossRate),
                          MakeDoubleChecker<double>(-1, 1))
            .AddAttribute("MinLossRate",
                          "Low end of an interval of accepted loss whose high end is MaxLossRate, "
                          "chosen by the load (section 4.3, future work); negative for none.",
                          DoubleValue(-1),
                          MakeDoubleAccessor(&VrpSender::m_minLossRate),
                          MakeDoubleChecker<double>(-1, 1))
            .AddAttribute("FullLoadRatio",
                          "Round-trip time, in units of the smallest one, from which on "
                          "MaxLossRate is chosen.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&VrpSender::m_fullLoadRatio),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("MaxBurst",
                          "Longest accepted loss of a frame that brings none of its own, in bytes; "
                          "-1 leaves it to the receiver.",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&VrpSender::m_maxBurst),
                          MakeIntegerChecker<int64_t>(-1))
            .AddAttribute("PingTimeout",
                          "Timeout of a PING (section 2.5.1 gives none).",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&VrpSender::m_pingTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("PingTries",
                          "PINGs after which the receiver is given up.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&VrpSender::m_pingTries),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PadPing",
                          "Make a PING as large as a data packet (section 3.1, PADDING).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VrpSender::m_padPing),
                          MakeBooleanChecker())
            .AddAttribute("FrameTimeout",
                          "Life timeout: a frame of which nothing new is heard fails (section "
                          "2.4.3).",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&VrpSender::m_frameTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("MaxHeaderSize",
                          "Largest frame header packet, in bytes; 0 for that of a data packet.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&VrpSender::m_maxHeaderSize),
                          MakeUintegerChecker<uint32_t>(0, 65507))
            .AddAttribute("CombineSmall",
                          "Send header and data of a frame in one packet when they fit (section 5, "
                          "future work).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpSender::m_combineSmall),
                          MakeBooleanChecker())
            .AddAttribute("StrictErrors",
                          "An ACK or NACK outside the window is an error of the frame, literally "
                          "(section 3.2.1; VRP-C9).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpSender::m_strictErrors),
                          MakeBooleanChecker())
            .AddAttribute("CloseOnDispose",
                          "Send FRAME_CLOSE for the last frames when the sender ends (VRP-C17).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpSender::m_closeOnDispose),
                          MakeBooleanChecker())
            .AddAttribute("HostCost",
                          "What a packet costs this host; nothing when it is not set.",
                          PointerValue(),
                          MakePointerAccessor(&VrpSender::m_hostCost),
                          MakePointerChecker<HostCost>())
            .AddAttribute("RttEstimator",
                          "The adaptive timeout; one with default Attributes when it is not set.",
                          PointerValue(),
                          MakePointerAccessor(&VrpSender::m_timeout),
                          MakePointerChecker<VrpRttEstimator>())
            .AddTraceSource("RoundTrip",
                            "Something came or a timer expired: RTT and timeout as they are now.",
                            MakeTraceSourceAccessor(&VrpSender::m_roundTripTrace),
                            "ns3::lfn::VrpSender::RoundTripTracedCallback")
            .AddTraceSource("FrameEnded",
                            "A frame has ended, well or not.",
                            MakeTraceSourceAccessor(&VrpSender::m_frameTrace),
                            "ns3::lfn::VrpSender::FrameTracedCallback");
    return tid;
}

VrpSender::VrpSender()
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "vrp";
}

VrpSender::~VrpSender() = default;

bool
VrpSender::SendFrame(const VrpFrame& frame, FrameCallback done)
{
    if (IsFinished() || m_finishing || (frame.data && frame.data->GetSize() != frame.bytes))
    {
        return false;
    }
    const auto number = FindNumber();
    if (!number)
    {
        return false;
    }
    if (!m_timeout)
    {
        m_timeout = CreateObject<VrpRttEstimator>();
    }
    auto tolerance = frame.tolerance;
    if (const double rate = GetLossRate(); !tolerance.maxLossRate && rate >= 0)
    {
        tolerance.maxLossRate = rate;
    }
    if (!tolerance.maxBurst && m_maxBurst >= 0)
    {
        tolerance.maxBurst = static_cast<uint64_t>(m_maxBurst);
    }
    auto entry = std::make_unique<Frame>();
    entry->content = frame;
    entry->done = done;
    VrpOutgoingFrame::Settings settings;
    settings.header.number = *number;
    settings.header.dataSize = frame.bytes;
    settings.header.packetSize = static_cast<uint16_t>(m_packetSize);
    entry->header = VrpHeaderPacket::Pack(settings.header,
                                          tolerance,
                                          m_maxHeaderSize > 0 ? m_maxHeaderSize
                                                              : m_packetSize + VrpHeader::SIZE,
                                          m_combineSmall,
                                          m_unclosed);
    settings.windowSize = m_windowSize;
    settings.frameTimeout = m_frameTimeout;
    settings.strictErrors = m_strictErrors;
    settings.dataWithHeader = entry->header.carriesData;
    entry->core = std::make_unique<VrpOutgoingFrame>(settings, m_timeout);
    entry->report.number = *number;
    entry->report.bytes = frame.bytes;
    entry->report.start = Simulator::Now();
    entry->report.lossRate = tolerance.maxLossRate.value_or(-1);
    entry->report.criticalPackets = entry->header.criticalPackets;
    entry->report.mergedPackets = entry->header.mergedPackets;
    m_report.offeredBytes += frame.bytes;
    Begin();
    MakeReady(*m_frames.emplace(*number, std::move(entry)).first->second);
    SchedulePump();
    return true;
}

void
VrpSender::Finish()
{
    m_finishing = true;
    SchedulePump();
}

VrpSender::State
VrpSender::GetState() const
{
    return m_state;
}

std::size_t
VrpSender::GetFramesUnderWay() const
{
    return m_frames.size();
}

uint64_t
VrpSender::GetFrames() const
{
    return m_endedFrames;
}

uint64_t
VrpSender::GetFailedFrames() const
{
    return m_failedFrames;
}

VrpOutgoingFrame::Counters
VrpSender::GetTotals() const
{
    auto totals = m_totals;
    for (const auto& [number, frame] : m_frames)
    {
        Add(totals, frame->core->GetCounters());
    }
    return totals;
}

Ptr<const VrpRttEstimator>
VrpSender::GetEstimator() const
{
    return m_timeout;
}

double
VrpSender::GetLossRate() const
{
    if (m_minLossRate < 0)
    {
        return m_maxLossRate;
    }
    const double smallest = m_timeout ? m_timeout->GetSmallest().GetSeconds() : 0;
    if (smallest <= 0)
    {
        return m_minLossRate;
    }
    const double excess = m_timeout->GetSmoothed().GetSeconds() / smallest - 1;
    const double range = m_fullLoadRatio - 1;
    const double load = range > 0 ? std::clamp(excess / range, 0.0, 1.0) : (excess > 0 ? 1.0 : 0.0);
    return m_minLossRate + load * (m_maxLossRate - m_minLossRate);
}

uint16_t
VrpSender::GetLocalPort() const
{
    return m_boundPort;
}

int64_t
VrpSender::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
VrpSender::IsEndless() const
{
    return m_frames.empty() && !m_finishing;
}

void
VrpSender::StartApplication()
{
    if (IsFinished())
    {
        return;
    }
    if ((m_windowSize & (m_windowSize - 1)) != 0)
    {
        FailAll("WindowSize " + std::to_string(m_windowSize) + " is no power of two");
        return;
    }
    if (m_minLossRate > m_maxLossRate)
    {
        FailAll("MinLossRate is above MaxLossRate");
        return;
    }
    if (!m_timeout)
    {
        m_timeout = CreateObject<VrpRttEstimator>();
    }
    m_gate = HostSendGate(m_hostCost);
    m_socket = UdpEndpoint::Open(GetNode(), m_remote, m_localPort, BUFFER_BYTES);
    if (!m_socket)
    {
        FailAll("Remote is no IPv4 or IPv6 socket address, or LocalPort is in use");
        return;
    }
    Address local;
    m_socket->GetSockName(local);
    m_boundPort = InetSocketAddress::IsMatchingType(local)
                      ? InetSocketAddress::ConvertFrom(local).GetPort()
                      : Inet6SocketAddress::ConvertFrom(local).GetPort();
    m_socket->SetRecvCallback(MakeCallback(&VrpSender::OnDatagrams, this));
    SendPing();
}

void
VrpSender::SendPing()
{
    if (m_ping.GetTries() >= m_pingTries)
    {
        FailAll("the receiver answered none of " + std::to_string(m_pingTries) + " PINGs");
        return;
    }
    const auto tags = m_ping.Make(Simulator::Now(), m_padPing ? m_packetSize : 0);
    const auto bytes = VrpControl::Write(tags);
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    packet->AddHeader(VrpHeader::Control(0));
    ++m_report.controlPackets;
    m_pingTimer = Simulator::Schedule(m_pingTimeout, &VrpSender::SendPing, this);
    Send(packet);
}

void
VrpSender::OnDatagrams(Ptr<Socket> socket)
{
    while (!IsFinished())
    {
        const auto packet = socket->Recv();
        if (!packet)
        {
            break;
        }
        m_rxTrace(packet);
        VrpHeader header;
        if (packet->RemoveHeader(header) == 0)
        {
            DropPacket(packet, DropReason::MALFORMED);
            continue;
        }
        if (!header.IsControl())
        {
            DropPacket(packet, DropReason::UNEXPECTED);
            continue;
        }
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        const auto control = VrpControl::Read(bytes);
        if (!control)
        {
            DropPacket(packet, DropReason::MALFORMED);
        }
        else if (!TakeTags(header.GetFrame(), control->tags))
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
VrpSender::TakeTags(uint16_t number, std::span<const VrpTag> tags)
{
    // Only the last SINGLE_ACK is for a packet that came; those before are for accepted losses.
    const VrpTag* lastSingle = nullptr;
    for (const auto& tag : tags)
    {
        lastSingle = tag.code == VrpTagCode::SINGLE_ACK ? &tag : lastSingle;
    }
    bool useful = false;
    for (const auto& tag : tags)
    {
        auto target = number;
        switch (tag.code)
        {
        case VrpTagCode::PONG:
            useful = TakePong(tag) || useful;
            continue;
        case VrpTagCode::FRAME_OK:
        case VrpTagCode::FRAME_REFUSED:
        case VrpTagCode::MISSING_HDR:
            target = tag.frame;
            break;
        case VrpTagCode::ACK:
        case VrpTagCode::SINGLE_ACK:
        case VrpTagCode::NACK:
            break;
        default:
            continue; // sent in the wrong direction (VRP-08)
        }
        const auto found = m_frames.find(target);
        if (found != m_frames.end())
        {
            useful = true;
            TakeFrameTag(*found->second, tag, &tag != lastSingle);
        }
    }
    m_roundTripTrace(m_timeout->GetEstimate(), m_timeout->GetTimeout());
    return useful;
}

void
VrpSender::TakeFrameTag(Frame& frame, const VrpTag& tag, bool accepted)
{
    const Time now = Simulator::Now();
    auto& core = *frame.core;
    switch (tag.code)
    {
    case VrpTagCode::FRAME_OK:
        core.TakeFrameOk(now);
        frame.header.closes.clear(); // the receiver has them
        break;
    case VrpTagCode::FRAME_REFUSED:
        core.TakeRefused();
        break;
    case VrpTagCode::MISSING_HDR:
        core.TakeMissingHeader();
        break;
    case VrpTagCode::ACK:
        core.TakeAck(tag.packet, now);
        break;
    case VrpTagCode::SINGLE_ACK:
        core.TakeSingleAck(tag.packet, accepted, now);
        break;
    default:
        core.TakeNack(tag.packet, now);
        break;
    }
    MakeReady(frame);
}

bool
VrpSender::TakePong(const VrpTag& tag)
{
    const auto roundTrip = m_ping.Take(tag, Simulator::Now());
    if (roundTrip && m_state == State::INIT) // a later echo is of no use, but no fault either
    {
        m_timeout->Measurement(*roundTrip);
        m_pingTimer.Cancel();
        m_state = State::OK;
    }
    return roundTrip.has_value();
}

void
VrpSender::MakeReady(Frame& frame)
{
    if (!frame.ready)
    {
        frame.ready = true;
        m_ready.push_back(frame.report.number);
    }
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
    while (m_state == State::OK && !m_ready.empty() && !m_held && !IsFinished())
    {
        const auto number = m_ready.front();
        m_ready.pop_front();
        const auto found = m_frames.find(number);
        if (found == m_frames.end())
        {
            continue;
        }
        auto& frame = *found->second;
        frame.ready = false;
        if (const auto step = frame.core->Next(Simulator::Now()))
        {
            MakeReady(frame);
            SendStep(frame, *step);
        }
        else if (frame.core->IsEnded())
        {
            EndFrame(number);
        }
        else
        {
            SetTimer(frame);
        }
    }
    EndWhenDone();
}

void
VrpSender::SendStep(Frame& frame, const VrpOutgoingFrame::Step& step)
{
    const auto& header = frame.core->GetHeader();
    Ptr<Packet> packet;
    if (step.header)
    {
        const auto& bytes = frame.header.bytes;
        packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        if (frame.header.carriesData)
        {
            packet->AddAtEnd(MakeData(frame, 0));
            ++m_report.dataPackets;
            m_report.retransmittedPackets += step.repeat ? 1 : 0;
        }
        else
        {
            ++m_report.controlPackets;
        }
        packet->AddHeader(VrpHeader::Control(header.number));
    }
    else
    {
        packet = MakeData(frame, step.packet);
        packet->AddHeader(VrpHeader::Data(header.number, step.packet));
        ++m_report.dataPackets;
        m_report.retransmittedPackets += step.repeat ? 1 : 0;
    }
    const Time now = Simulator::Now();
    const Time leaves = m_gate.Admit(now, now, packet->GetSize());
    if (leaves == now)
    {
        Send(packet);
        return;
    }
    m_held = packet;
    m_heldEvent = Simulator::Schedule(leaves - now, &VrpSender::SendHeld, this);
}

Ptr<Packet>
VrpSender::MakeData(const Frame& frame, uint32_t index)
{
    const auto& header = frame.core->GetHeader();
    const auto bytes = header.GetPacketBytes(index);
    const auto offset = uint64_t{index} * header.packetSize;
    const auto& content = frame.content;
    if (content.data)
    {
        return content.data->CreateFragment(static_cast<uint32_t>(offset), bytes);
    }
    return content.makeData.IsNull()
               ? Create<Packet>(bytes)
               : content.makeData((uint64_t{header.number} << 32) + offset, bytes);
}

void
VrpSender::SendHeld()
{
    Send(m_held);
    m_held = nullptr;
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
VrpSender::SetTimer(Frame& frame)
{
    const Time deadline = frame.core->GetDeadline();
    if (frame.timer.IsPending() && frame.timerTime <= deadline)
    {
        return; // it finds itself early and is set anew
    }
    frame.timer.Cancel();
    const Time now = Simulator::Now();
    frame.timerTime = std::max(deadline, now);
    frame.timer =
        Simulator::Schedule(frame.timerTime - now, &VrpSender::OnTimer, this, frame.report.number);
}

void
VrpSender::OnTimer(uint16_t number)
{
    MakeReady(*m_frames.at(number));
    Pump();
    m_roundTripTrace(m_timeout->GetEstimate(), m_timeout->GetTimeout());
}

void
VrpSender::EndFrame(uint16_t number)
{
    const auto frame = std::move(m_frames.at(number));
    m_frames.erase(number);
    frame->timer.Cancel();
    auto& report = frame->report;
    report.finish = Simulator::Now();
    report.counters = frame->core->GetCounters();
    report.state = frame->core->GetState();
    report.failure = frame->core->GetFailure();
    Add(m_totals, report.counters);
    ++m_endedFrames;
    // VRP-17; an incomplete block of a failed frame is freed as well.
    for (const auto close : frame->header.closes)
    {
        m_unclosed.push_back(close); // their header never arrived
    }
    if (report.state != VrpFrameState::REFUSED)
    {
        m_unclosed.push_back(number);
    }
    if (report.state == VrpFrameState::DONE)
    {
        m_report.deliveredBytes += report.bytes;
        m_report.lastDelivery = report.finish;
        m_progressTrace(m_report.deliveredBytes, m_report.offeredBytes);
    }
    else if (m_failedFrames++ == 0)
    {
        m_firstFailure = "frame " + std::to_string(number) + ": " + report.failure;
    }
    m_frameTrace(report);
    if (!frame->done.IsNull())
    {
        frame->done(report);
    }
}

void
VrpSender::EndWhenDone()
{
    if (!m_finishing || !m_frames.empty() || IsFinished())
    {
        return;
    }
    if (m_failedFrames == 0)
    {
        Complete();
        return;
    }
    Fail(std::to_string(m_failedFrames) + " of " + std::to_string(m_endedFrames) +
         " frames failed; " + m_firstFailure);
}

void
VrpSender::FailAll(const std::string& reason)
{
    m_state = State::FAILED;
    m_finishing = true; // no frame may follow
    while (!m_frames.empty() && !IsFinished())
    {
        const auto oldest = m_frames.begin()->first;
        m_frames.at(oldest)->core->Abort(reason);
        EndFrame(oldest);
    }
    Fail(reason);
}

std::optional<uint16_t>
VrpSender::FindNumber()
{
    if (!m_nextNumber)
    {
        m_nextNumber = static_cast<uint16_t>(m_random->GetInteger(0, VrpHeader::FRAME_NUMBERS - 1));
    }
    for (uint32_t tries = 0; tries < VrpHeader::FRAME_NUMBERS; ++tries)
    {
        const auto number = *m_nextNumber;
        m_nextNumber = static_cast<uint16_t>((number + 1) % VrpHeader::FRAME_NUMBERS);
        if (!m_frames.contains(number) &&
            std::find(m_unclosed.begin(), m_unclosed.end(), number) == m_unclosed.end())
        {
            return number;
        }
    }
    return std::nullopt;
}

void
VrpSender::SendCloses()
{
    const auto room = std::max(m_packetSize, VrpHeaderPacket::MIN_SIZE) - 1;
    while (!m_unclosed.empty())
    {
        std::vector<VrpTag> tags;
        for (uint32_t size = 0; !m_unclosed.empty(); m_unclosed.pop_front())
        {
            tags.push_back(VrpTag::OfFrame(VrpTagCode::FRAME_CLOSE, m_unclosed.front()));
            size += tags.back().GetSize();
            if (size > room)
            {
                tags.pop_back();
                break;
            }
        }
        const auto bytes = VrpControl::Write(tags);
        const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        packet->AddHeader(VrpHeader::Control(0));
        ++m_report.controlPackets;
        Send(packet);
    }
}

void
VrpSender::CancelEvents()
{
    m_pingTimer.Cancel();
    m_pumpEvent.Cancel();
    m_heldEvent.Cancel();
    for (const auto& [number, frame] : m_frames)
    {
        frame->timer.Cancel();
    }
    if (m_state != State::FAILED)
    {
        m_state = State::CLOSED;
    }
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        if (m_closeOnDispose)
        {
            SendCloses();
        }
        m_socket->Close();
        m_socket = nullptr;
    }
}

} // namespace ns3::lfn
