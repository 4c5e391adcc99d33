// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-receiver.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/uinteger.h"

// What can be set of a receiver and asked about it.

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(VrpReceiver);

TypeId
VrpReceiver::GetTypeId()
{
    using Settings = VrpBlockTable::Settings;
    using Rules = VrpIncomingFrame::Rules;
    using Limits = VrpReceiveWindow::Limits;
    constexpr auto SETTINGS = &VrpReceiver::m_settings;
    constexpr auto RULES = &Settings::rules;
    constexpr auto LIMITS = &Rules::limits;
    static TypeId tid =
        TypeId("ns3::lfn::VrpReceiver")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<VrpReceiver>()
            .AddAttribute("Local",
                          "Address to listen on, with or without a port; unset for every address.",
                          AddressValue(),
                          MakeAddressAccessor(&VrpReceiver::m_local),
                          MakeAddressChecker())
            .AddAttribute("Port",
                          "UDP port, unless Local has one.",
                          UintegerValue(7667),
                          MakeUintegerAccessor(&VrpReceiver::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute(
                "MaxIncomingFrames",
                "Frames of one sender that may be coming at once; the rest is refused (section "
                "3.1).",
                UintegerValue(64),
                MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::maxIncoming),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxBlocks",
                          "Blocks of all senders; where all are in use, the frame that was "
                          "delivered first makes room, or the new one is refused (VRP-D24).",
                          UintegerValue(1024),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::maxBlocks),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Algorithm",
                "Who judges losses: the improved (2.3.4) or original (2.2.2) algorithm.",
                EnumValue(VrpIncomingFrame::Algorithm::ANTICIPATING),
                MakeFieldAccessor<EnumValue<VrpIncomingFrame::Algorithm>>(SETTINGS,
                                                                          RULES,
                                                                          &Rules::algorithm),
                MakeEnumChecker(VrpIncomingFrame::Algorithm::ANTICIPATING,
                                "Anticipating",
                                VrpIncomingFrame::Algorithm::BASIC,
                                "Basic"))
            .AddAttribute(
                "HistoryWindow",
                "window_size, the packets over which losses are counted (2.3.4).",
                UintegerValue(64),
                MakeFieldAccessor<UintegerValue>(SETTINGS, RULES, LIMITS, &Limits::historyWindow),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "LossRounding",
                "How the loss rate becomes a number of packets (VRP-C3).",
                EnumValue(VrpLossRounding::FLOOR),
                MakeFieldAccessor<EnumValue<VrpLossRounding>>(SETTINGS, RULES, &Rules::rounding),
                MakeEnumChecker(VrpLossRounding::FLOOR,
                                "Floor",
                                VrpLossRounding::NEAREST,
                                "Nearest"))
            .AddAttribute(
                "ShortFrameScaling",
                "Apply the loss rate to frames shorter than HistoryWindow (VRP-C4).",
                BooleanValue(false),
                MakeFieldAccessor<BooleanValue>(SETTINGS, RULES, &Rules::shortFrameScaling),
                MakeBooleanChecker())
            .AddAttribute("DefaultMaxLossRate",
                          "Loss rate of frames whose sender gives none, 0 to 1.",
                          DoubleValue(0),
                          MakeFieldAccessor<DoubleValue>(SETTINGS, RULES, &Rules::defaultLossRate),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DefaultMaxBurst",
                          "Longest accepted loss when the sender gives none, B; -1: no limit.",
                          IntegerValue(-1),
                          MakeFieldAccessor<IntegerValue>(SETTINGS, RULES, &Rules::defaultBurst),
                          MakeIntegerChecker<int64_t>(-1))
            .AddAttribute(
                "AckAcceptedLoss",
                "Acknowledge accepted losses by SINGLE_ACK (VRP-C6).",
                BooleanValue(true),
                MakeFieldAccessor<BooleanValue>(SETTINGS, RULES, LIMITS, &Limits::ackAcceptedLoss),
                MakeBooleanChecker())
            .AddAttribute(
                "AckRepeats",
                "Acknowledge by SINGLE_ACK also what was demanded and what arrives twice.",
                BooleanValue(true),
                MakeFieldAccessor<BooleanValue>(SETTINGS, RULES, LIMITS, &Limits::ackRepeats),
                MakeBooleanChecker())
            .AddAttribute(
                "TakeLateLoss",
                "Take the data of an accepted loss that comes after all (VRP-C2).",
                BooleanValue(true),
                MakeFieldAccessor<BooleanValue>(SETTINGS, RULES, LIMITS, &Limits::takeLateLoss),
                MakeBooleanChecker())
            .AddAttribute(
                "NackWholeGap",
                "Basic algorithm: demand every packet of a gap that is too large, as in "
                "figure 6, not only the one that is awaited (VRP-D13).",
                BooleanValue(true),
                MakeFieldAccessor<BooleanValue>(SETTINGS, RULES, LIMITS, &Limits::nackWholeGap),
                MakeBooleanChecker())
            .AddAttribute(
                "AnswerRepeatedHeader",
                "Answer a frame header that comes again; the report discards it (VRP-C7).",
                BooleanValue(true),
                MakeBooleanAccessor(&VrpReceiver::m_answerRepeatedHeader),
                MakeBooleanChecker())
            .AddAttribute(
                "MaxGap",
                "Refuse packets further ahead of next_exp; a window at least (VRP-D7).",
                UintegerValue(4096),
                MakeFieldAccessor<UintegerValue>(SETTINGS, RULES, LIMITS, &Limits::maxGap),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxControlSize",
                          "Largest control packet, in bytes; longer answers are split.",
                          UintegerValue(1472),
                          MakeUintegerAccessor(&VrpReceiver::m_maxControlSize),
                          MakeUintegerChecker<uint32_t>(64, 65507))
            .AddAttribute("FrameTimeout",
                          "Life timeout of a frame of which nothing comes (section 2.4.3).",
                          TimeValue(Seconds(5)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::frameTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("RememberTime",
                          "How long a delivered frame is known after its block is gone (VRP-C18).",
                          TimeValue(Seconds(10)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::rememberTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxFrameSize",
                          "Refuse larger frames, in bytes.",
                          UintegerValue(1U << 30),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::maxFrameSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KeepData",
                          "Keep the bytes of frames for delivery; else only sizes are known.",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(SETTINGS, RULES, &Rules::keepData),
                          MakeBooleanChecker())
            .AddAttribute("FreeEarly",
                          "Free a block when its frame is delivered (section 5, future work).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpReceiver::m_freeEarly),
                          MakeBooleanChecker())
            .AddAttribute("CheckContent",
                          "Compare every byte with the pattern that VrpFrameSource sends.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpReceiver::m_checkContent),
                          MakeBooleanChecker())
            .AddTraceSource("FrameReceived",
                            "A frame is delivered.",
                            MakeTraceSourceAccessor(&VrpReceiver::m_frameTrace),
                            "ns3::lfn::VrpReceiver::FrameTracedCallback");
    return tid;
}

VrpPeerTotals
VrpReceiver::GetPeerTotals(const Address& peer) const
{
    const auto* found = m_table.FindPeer(peer);
    return found ? found->totals : VrpPeerTotals{};
}

std::size_t
VrpReceiver::GetBlocks() const
{
    return m_table.GetBlocks();
}

uint64_t
VrpReceiver::GetBlockBytes() const
{
    return m_table.GetBytes();
}

uint64_t
VrpReceiver::GetPeakBlockBytes() const
{
    return m_table.GetPeakBytes();
}

bool
VrpReceiver::IsEndless() const
{
    return true; // a receiver ends when it is stopped
}

} // namespace ns3::lfn
