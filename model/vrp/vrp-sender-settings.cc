// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-sender.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

// What can be set of a sender and asked about it.

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(VrpSender);

TypeId
VrpSender::GetTypeId()
{
    using Settings = VrpSenderCore::Settings;
    constexpr auto SETTINGS = &VrpSender::m_settings;
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
            .AddAttribute("FitMtu",
                          "Lower PacketSize to what one IP packet of the sender's own link holds, "
                          "so that IP fragments nothing there (VRP-C16).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpSender::m_fitMtu),
                          MakeBooleanChecker())
            .AddAttribute("WindowSize",
                          "Packets of a frame under way, a power of two (section 2.5.3).",
                          UintegerValue(64),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::windowSize),
                          MakeUintegerChecker<uint32_t>(1, 32768))
            .AddAttribute("WindowPolicy",
                          "What limits a sender: WindowSize alone, or besides TFRC's rate (RFC "
                          "5348), which gives way to TCP (4.3, future work; VRP-D25).",
                          EnumValue(WindowPolicy::FIXED),
                          MakeEnumAccessor<WindowPolicy>(&VrpSender::m_windowPolicy),
                          MakeEnumChecker(WindowPolicy::FIXED, "Fixed", WindowPolicy::TFRC, "Tfrc"))
            .AddAttribute("CountUnacked",
                          "WindowSize limits unacknowledged packets, not their span (VRP-C11).",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(SETTINGS, &Settings::countUnacked),
                          MakeBooleanChecker())
            .AddAttribute("MaxLossRate",
                          "Accepted loss of frames without their own, 0 to 1; -1: the receiver's.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&VrpSender::m_maxLossRate),
                          MakeDoubleChecker<double>(-1, 1))
            .AddAttribute(
                "MinLossRate",
                "Low end of an interval up to MaxLossRate, by load (4.3); negative: none.",
                DoubleValue(-1),
                MakeDoubleAccessor(&VrpSender::m_minLossRate),
                MakeDoubleChecker<double>(-1, 1))
            .AddAttribute(
                "FullLoadRatio",
                "Round-trip time, over the smallest one, from which on MaxLossRate holds.",
                DoubleValue(2),
                MakeDoubleAccessor(&VrpSender::m_fullLoadRatio),
                MakeDoubleChecker<double>(1))
            .AddAttribute("MaxBurst",
                          "Longest accepted loss of frames without their own, B; -1: as receiver.",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&VrpSender::m_maxBurst),
                          MakeIntegerChecker<int64_t>(-1))
            .AddAttribute("PingTimeout",
                          "Timeout of a PING (section 2.5.1 gives none).",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&VrpSender::m_pingTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("PingTries",
                          "PINGs after which the receiver is given up; with 10 % loss both ways "
                          "one sender in "
                          "35000 is given up by mistake (VRP-D16).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&VrpSender::m_pingTries),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PadPing",
                          "Make a PING as large as a data packet (section 3.1, PADDING).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VrpSender::m_padPing),
                          MakeBooleanChecker())
            .AddAttribute("FrameTimeout",
                          "Life timeout of a frame of which nothing new is received (2.4.3).",
                          TimeValue(Seconds(5)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::frameTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute(
                "LifeTries",
                "No doubling lifts the timeout above FrameTimeout over this, so that a "
                "loss is retransmitted so often before a frame is given up; 0: MaxRto alone "
                "(VRP-D23).",
                UintegerValue(8),
                MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::lifeTries),
                MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("MaxHeaderSize",
                          "Largest frame header packet, in bytes; 0 for that of a data packet.",
                          UintegerValue(0),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::maxHeaderSize),
                          MakeUintegerChecker<uint32_t>(0, 65507))
            .AddAttribute("CombineSmall",
                          "Header and data in one packet where they fit (5, future work).",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(SETTINGS, &Settings::combineSmall),
                          MakeBooleanChecker())
            .AddAttribute("StrictErrors",
                          "An ACK or NACK outside the window ends the frame (3.2.1; VRP-C9).",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(SETTINGS, &Settings::strictErrors),
                          MakeBooleanChecker())
            .AddAttribute("CloseOnDispose",
                          "Send FRAME_CLOSE for the last frames when the sender ends (VRP-C17).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpSender::m_closeOnDispose),
                          MakeBooleanChecker())
            .AddAttribute("InterfaceRate",
                          "Rate of the host's own interface, for which sends wait; 0: no limit.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&VrpSender::m_interfaceRate),
                          MakeDataRateChecker())
            .AddAttribute("RttEstimator",
                          "The adaptive timeout.",
                          StringValue("ns3::lfn::VrpRttEstimator"),
                          MakePointerAccessor(&VrpSender::m_timeout),
                          MakePointerChecker<VrpRttEstimator>())
            .AddTraceSource("Rtt",
                            "Something came or a timer expired: RTT and timeout as they are now.",
                            MakeTraceSourceAccessor(&VrpSender::m_rttTrace),
                            "ns3::lfn::VrpSender::RttTracedCallback")
            .AddTraceSource("FrameEnded",
                            "A frame has ended, well or not.",
                            MakeTraceSourceAccessor(&VrpSender::m_frameTrace),
                            "ns3::lfn::VrpSender::FrameTracedCallback");
    return tid;
}

VrpSender::State
VrpSender::GetState() const
{
    return m_state;
}

uint64_t
VrpSender::GetFrames() const
{
    return m_core.GetEnded();
}

uint64_t
VrpSender::GetFailedFrames() const
{
    return m_core.GetFailed();
}

VrpOutgoingFrame::Counters
VrpSender::GetTotals() const
{
    return m_core.GetTotals();
}

double
VrpSender::GetAllowedRate() const
{
    return m_rate ? 8 * m_rate->GetRate() : 0;
}

double
VrpSender::GetLossEventRate() const
{
    return m_rate ? m_rate->GetLossEventRate() : 0;
}

TransferApplication::Window
VrpSender::GetWindow() const
{
    const auto estimator = GetEstimator();
    const bool isKnown = estimator && estimator->GetNSamples() > 0;
    Window window;
    if (isKnown)
    {
        window.rtt = estimator->GetEstimate();
    }
    return window;
}

Ptr<const VrpRttEstimator>
VrpSender::GetEstimator() const
{
    return m_timeout;
}

uint32_t
VrpSender::GetPacketSize() const
{
    return m_dataSize;
}

double
VrpSender::GetLossRate() const
{
    const double load = m_timeout ? m_timeout->GetLoad() : 1;
    return m_minLossRate < 0
               ? m_maxLossRate
               : VrpLossRules::ChooseRate(m_minLossRate, m_maxLossRate, load, m_fullLoadRatio);
}

uint16_t
VrpSender::GetLocalPort() const
{
    return m_boundPort;
}

bool
VrpSender::IsEndless() const
{
    return m_frames.empty() && !m_finishing;
}

} // namespace ns3::lfn
