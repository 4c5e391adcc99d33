// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-peer.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>

// What can be set of a participant and asked about it, and how the settings get to its halves.

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(JrmPeer);

TypeId
JrmPeer::GetTypeId()
{
    using Receiving = JrmReceiverCore::Settings;
    using Sending = JrmSenderCore::Settings;
    constexpr auto RECEIVING = &JrmPeer::m_receiving;
    constexpr auto SENDING = &JrmPeer::m_sending;
    constexpr auto LIMITS = &Receiving::limits;
    constexpr auto REPAIRS = &Sending::repairs;
    constexpr auto ADAPT = &Receiving::adapt;
    using Rules = JrmAdaptiveTimeout::Rules;
    static TypeId tid =
        TypeId("ns3::lfn::JrmPeer")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<JrmPeer>()
            .AddAttribute("Participant",
                          "VRN, the number of this participant; no other one may have it.",
                          UintegerValue(1),
                          MakeFieldAccessor<UintegerValue>(SENDING, &Sending::participant),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Port",
                          "UDP port of the session, the same at all participants.",
                          UintegerValue(9100),
                          MakeUintegerAccessor(&JrmPeer::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("PacketSize",
                          "Data bytes of a packet, the same at all participants (section 2: 1 "
                          "KB; JRM-D2).",
                          UintegerValue(1024),
                          MakeFieldAccessor<UintegerValue>(RECEIVING, &Receiving::packetSize),
                          MakeUintegerChecker<uint32_t>(1, 65487))
            .AddAttribute("RecvTimeout",
                          "recvTimeout: wait for further packets of a message (section 2).",
                          TimeValue(MilliSeconds(20)),
                          MakeFieldAccessor<TimeValue>(RECEIVING, &Receiving::recvTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("NackTimeout",
                          "nackTimeout: wait for the response to a NACK request (section 2).",
                          TimeValue(MilliSeconds(50)),
                          MakeFieldAccessor<TimeValue>(RECEIVING, &Receiving::nackTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("SendTimeout",
                          "sendTimeout: a message is kept this long after the last request for it; "
                          "longer than a receiver asks for it in all (J-C15).",
                          TimeValue(Seconds(25)),
                          MakeFieldAccessor<TimeValue>(SENDING, &Sending::sendTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("SendTimeoutFloor",
                          "sendTimeout does not fall below its first value when it adapts; "
                          "otherwise not below ShortestTimeout, as the other two (JRM-D8).",
                          BooleanValue(true),
                          MakeFieldAccessor<BooleanValue>(SENDING, &Sending::sendTimeoutFloor),
                          MakeBooleanChecker())
            .AddAttribute("Adaptive",
                          "The three timeouts adapt to how often they expire (section 2).",
                          BooleanValue(true),
                          MakeFieldAccessor<BooleanValue>(RECEIVING, ADAPT, &Rules::adaptive),
                          MakeBooleanChecker())
            .AddAttribute("TimeoutIncrease",
                          "Factor of an expiry (JRM-D7).",
                          DoubleValue(1.5),
                          MakeFieldAccessor<DoubleValue>(RECEIVING, ADAPT, &Rules::increase),
                          MakeDoubleChecker<double>(1, 1000))
            .AddAttribute("TimeoutDecrease",
                          "Factor of a reset with much time left (JRM-D7).",
                          DoubleValue(0.9),
                          MakeFieldAccessor<DoubleValue>(RECEIVING, ADAPT, &Rules::decrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ShrinkIfLeft",
                          "Part of a timeout that is a significant amount of time left (section "
                          "2; JRM-D7).",
                          DoubleValue(0.5),
                          MakeFieldAccessor<DoubleValue>(RECEIVING, ADAPT, &Rules::shrinkIfLeft),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ShortestTimeout",
                          "Lower bound of what adapts.",
                          TimeValue(MilliSeconds(5)),
                          MakeFieldAccessor<TimeValue>(RECEIVING, ADAPT, &Rules::shortest),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LongestTimeout",
                          "Upper bound of what adapts, and of the waits between requests.",
                          TimeValue(Seconds(2)),
                          MakeFieldAccessor<TimeValue>(RECEIVING, ADAPT, &Rules::longest),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("NackBackoff",
                          "Factor of nackTimeout after each unanswered request (section 2; "
                          "JRM-D3).",
                          DoubleValue(2),
                          MakeFieldAccessor<DoubleValue>(RECEIVING, &Receiving::nackBackoff),
                          MakeDoubleChecker<double>(1, 1000))
            .AddAttribute("MaxNackAttempts",
                          "Unanswered requests after which a message is lost (section 2: a "
                          "preset maximum).",
                          UintegerValue(10),
                          MakeFieldAccessor<UintegerValue>(RECEIVING, &Receiving::maxNackAttempts),
                          MakeUintegerChecker<uint32_t>(1, 1'000'000))
            .AddAttribute("NackLimit",
                          "Bytes of NACK requests that may go to a host, over those that came of "
                          "it; 0 for no limit (JRM-D18).",
                          DoubleValue(2),
                          MakeFieldAccessor<DoubleValue>(RECEIVING,
                                                         LIMITS,
                                                         &JrmHostBudget::Limits::nackLimit),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("HostShare",
                          "Largest share of one host's streams in the space for streams, messages "
                          "and their bytes (JRM-D18).",
                          DoubleValue(0.5),
                          MakeFieldAccessor<DoubleValue>(RECEIVING,
                                                         LIMITS,
                                                         &JrmHostBudget::Limits::hostShare),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("StreamTimeout",
                          "A participant that is not received in a group for so long is forgotten "
                          "there; 0 for never (JRM-D18).",
                          TimeValue(Seconds(300)),
                          MakeFieldAccessor<TimeValue>(RECEIVING, &Receiving::streamTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GapNackAllPackets",
                          "Ask for all packets of a missing message, not for PSN 1, and answer "
                          "such requests; the same at all participants (J-C6).",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(RECEIVING, &Receiving::gapNackAllPackets),
                          MakeBooleanChecker())
            .AddAttribute("CreateHolderOnGap",
                          "Ask for a missing message again when no response comes (J-C7); "
                          "otherwise nobody gives it up, either: it does not count as lost.",
                          BooleanValue(true),
                          MakeFieldAccessor<BooleanValue>(RECEIVING, &Receiving::createHolderOnGap),
                          MakeBooleanChecker())
            .AddAttribute(
                "CompleteImmediately",
                "Deliver a message when it is complete, not when its timer ends (J-C8).",
                BooleanValue(true),
                MakeFieldAccessor<BooleanValue>(RECEIVING, &Receiving::completeImmediately),
                MakeBooleanChecker())
            .AddAttribute("FromBeginning",
                          "Send how many messages of a stream went before, up to 255 while they "
                          "are kept, and ask for them where a stream is received for the first "
                          "time; the same at all participants (J-C5).",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(RECEIVING, &Receiving::fromBeginning),
                          MakeBooleanChecker())
            .AddAttribute("ReorderWait",
                          "Ask for a message that is found missing only after so long, in which a "
                          "late packet of it may come; with CreateHolderOnGap (JRM-D20).",
                          TimeValue(Time(0)),
                          MakeFieldAccessor<TimeValue>(RECEIVING, &Receiving::reorderWait),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxBackoff",
                          "Suppression: longest random wait before a NACK request, which then "
                          "goes to the group; 0 for no suppression.",
                          TimeValue(Time(0)),
                          MakeFieldAccessor<TimeValue>(RECEIVING, &Receiving::maxBackoff),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GroupSize",
                          "Suppression: receivers that the random wait counts on.",
                          UintegerValue(1000),
                          MakeFieldAccessor<UintegerValue>(RECEIVING, &Receiving::groupSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Aggregation",
                          "Gather requests for so long before answering (RFC 5740); 0 answers "
                          "each at once.",
                          TimeValue(Time(0)),
                          MakeFieldAccessor<TimeValue>(RECEIVING, &Receiving::aggregation),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HoldOff",
                          "A packet does not go again to the same asker for this part of the "
                          "shortest timeout that a receiver may have; 0 for no hold-off "
                          "(JRM-D18).",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&JrmPeer::m_holdOff),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute(
                "RepairLimit",
                "Bytes that may be retransmitted for one host that asks, over those that "
                "were sent; 0 for no limit (JRM-D18).",
                DoubleValue(5),
                MakeFieldAccessor<DoubleValue>(SENDING, REPAIRS, &JrmRepairBudget::Limits::one),
                MakeDoubleChecker<double>(0))
            .AddAttribute(
                "RepairLimitAll",
                "The same for all hosts that ask, together; when half of it is used up, a "
                "packet goes again once for all who ask within RecvTimeout and longer "
                "(JRM-D18).",
                DoubleValue(16),
                MakeFieldAccessor<DoubleValue>(SENDING, REPAIRS, &JrmRepairBudget::Limits::all),
                MakeDoubleChecker<double>(0))
            .AddAttribute("ParityBlock",
                          "Packets per block: requests of those who have it, too, are answered by "
                          "new parities, the largest number that one of them requests; 0: by the "
                          "packets themselves. Use it with Aggregation (JRM-D21).",
                          UintegerValue(0),
                          MakeFieldAccessor<UintegerValue>(RECEIVING, &Receiving::parityBlock),
                          MakeUintegerChecker<uint8_t>(0, 200))
            .AddAttribute("Heartbeat",
                          "Idle time before the newest MSN is reported, doubling up to 64 times; 0 "
                          "never (J-C5).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JrmPeer::m_heartbeat),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Grtt",
                          "Probe the longest RTT to each group that is sent to, answer "
                          "others' probes, and wait for responses of those who send it for "
                          "GrttFactor of it, not for NackTimeout (RFC 5740; JRM-D19).",
                          BooleanValue(true),
                          MakeFieldAccessor<BooleanValue>(RECEIVING, &Receiving::grtt),
                          MakeBooleanChecker())
            .AddAttribute("GrttFactor",
                          "nackTimeout over the RTT that a sender announces; to this "
                          "Aggregation is added (JRM-D19).",
                          DoubleValue(2),
                          MakeFieldAccessor<DoubleValue>(RECEIVING, &Receiving::grttFactor),
                          MakeDoubleChecker<double>(1, 1000))
            .AddAttribute(
                "GrttInterval",
                "Longest time between two probes; the first one is 100 ms if this is "
                "no shorter, and it doubles (JRM-D19).",
                TimeValue(Seconds(10)),
                MakeFieldAccessor<TimeValue>(&JrmPeer::m_probing, &JrmGrtt::Settings::longestWait),
                MakeTimeChecker(TimeStep(1)))
            .AddAttribute("BucketRate",
                          "Rate of the leaky bucket, datagrams with their 20 bytes of header; 0 "
                          "for no limit (section 4).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&JrmPeer::m_bucketRate),
                          MakeDataRateChecker())
            .AddAttribute("BucketDepth",
                          "Bytes that the leaky bucket lets pass at once after an idle time.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&JrmPeer::m_bucketDepth),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BucketCountsRepairs",
                          "NACK responses go through the bucket, too; in the paper they do not "
                          "(section 4; JRM-D11).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&JrmPeer::m_bucketCountsRepairs),
                          MakeBooleanChecker())
            .AddAttribute("CopyWaiting",
                          "A packet that waits in the leaky bucket is retransmitted when it is "
                          "asked for, so that it is sent twice. Off: it comes anyway (JRM-D11).",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(&JrmPeer::m_sending,
                                                          &JrmSenderCore::Settings::copyWaiting),
                          MakeBooleanChecker())
            .AddAttribute("ErrorRate",
                          "e, probability that a datagram is discarded just before the send "
                          "(section 4); it counts as sent.",
                          DoubleValue(0),
                          MakeFieldAccessor<DoubleValue>(&JrmPeer::m_errors, &JrmErrors::sendRate),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "ReceiveErrorRate",
                "Probability that a participant loses a datagram that arrives.",
                DoubleValue(0),
                MakeFieldAccessor<DoubleValue>(&JrmPeer::m_errors, &JrmErrors::receiveRate),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ErrorOnData",
                          "Messages, NACK responses and heartbeats are discarded by ErrorRate "
                          "(J-C1).",
                          BooleanValue(true),
                          MakeFieldAccessor<BooleanValue>(&JrmPeer::m_errors, &JrmErrors::onData),
                          MakeBooleanChecker())
            .AddAttribute("ErrorOnNack",
                          "NACK requests are lost, too, by ErrorRate and ReceiveErrorRate (J-C1).",
                          BooleanValue(true),
                          MakeFieldAccessor<BooleanValue>(&JrmPeer::m_errors, &JrmErrors::onNack),
                          MakeBooleanChecker())
            .AddAttribute("KeepData",
                          "Keep the bytes of messages for delivery.",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(RECEIVING, &Receiving::keepData),
                          MakeBooleanChecker())
            .AddAttribute("CheckContent",
                          "Send a pattern and compare what is received with it.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&JrmPeer::m_checkContent),
                          MakeBooleanChecker())
            .AddTraceSource("MessageReceived",
                            "A message is complete.",
                            MakeTraceSourceAccessor(&JrmPeer::m_messageTrace),
                            "ns3::lfn::JrmPeer::MessageTracedCallback")
            .AddTraceSource("NackSent",
                            "A NACK request is sent, or discarded by ErrorRate.",
                            MakeTraceSourceAccessor(&JrmPeer::m_nackTrace),
                            "ns3::lfn::JrmPeer::NackTracedCallback");
    return tid;
}

std::optional<uint32_t>
JrmPeer::GetGroupNumber(const Address& group)
{
    return JrmGroups::GetNumber(group);
}

std::vector<Address>
JrmPeer::GetGroups() const
{
    return m_groups.GetJoined();
}

const JrmPeer::Sent&
JrmPeer::GetSent() const
{
    return m_sent;
}

std::optional<Time>
JrmPeer::GetGrtt(const Address& group) const
{
    const auto number = GetGroupNumber(group);
    const auto found = number ? m_grtts.find(*number) : m_grtts.end();
    return found == m_grtts.end() ? std::nullopt : found->second.Get();
}

uint64_t
JrmPeer::GetReceived() const
{
    return m_received;
}

HostWork
JrmPeer::GetWork(Ptr<const Packet> packet)
{
    JrmHeader header;
    const bool isRead = packet->PeekHeader(header) > 0;
    const bool isData =
        isRead && (header.type == JrmType::MSG || header.type == JrmType::NACK_RESP);
    return m_hostCost->GetWork(packet->GetSize() - std::min(packet->GetSize(), JrmHeader::SIZE),
                               isData);
}

void
JrmPeer::OnServed(Ptr<Packet> packet, const Address& from)
{
    OnDatagram(packet, from);
    if (!IsFinished())
    {
        SendPending();
    }
}

bool
JrmPeer::IsQuiet() const
{
    const bool isAnnouncing = std::any_of(m_beats.begin(), m_beats.end(), [](const auto& beat) {
        return beat.second.event.IsPending();
    });
    return m_queue.empty() && !IsHostBusy() && !isAnnouncing &&
           (!m_running || m_receiver.GetHolders() == 0);
}

const JrmReceiverCore::Settings&
JrmPeer::GetReceiverSettings() const
{
    return m_receiving;
}

bool
JrmPeer::IsDataKept() const
{
    return m_receiving.keepData || (m_checkContent && m_receiving.parityBlock > 0);
}

const JrmSenderCore&
JrmPeer::GetSender() const
{
    return m_sender;
}

const JrmReceiverCore&
JrmPeer::GetReceiver() const
{
    return m_receiver;
}

bool
JrmPeer::IsEndless() const
{
    return true; // a participant ends when it is stopped
}

void
JrmPeer::StartCores()
{
    auto receiving = m_receiving;
    receiving.keepData = IsDataKept();
    m_receiver.Start(receiving, [random = m_random]() { return random->GetValue(0, 1); });
    auto sending = m_sending;
    static_cast<JrmCommonSettings&>(sending) = m_receiving;
    sending.answerAll = m_receiving.gapNackAllPackets;
    // An honest receiver waits for one of its timeouts before it asks again. By the RTT that
    // it is reported, nackTimeout may become as short as one that adapts.
    const bool isVariable = m_receiving.adapt.adaptive || m_receiving.grtt;
    const Time shortest =
        std::min({m_receiving.recvTimeout,
                  m_receiving.nackTimeout,
                  isVariable ? m_receiving.adapt.shortest : m_receiving.nackTimeout});
    sending.holdOff = JrmCommonSettings::Limit(shortest.ToDouble(Time::S) * m_holdOff);
    sending.spacing = std::min(m_receiving.recvTimeout, m_receiving.nackTimeout);
    // A parity is longer than a packet; of one packet it would be a copy.
    constexpr uint32_t LONGEST = 65487 - JrmParity::SIZE;
    const bool isCoded = m_receiving.parityBlock > 1 && m_receiving.packetSize <= LONGEST;
    sending.parityBlock = isCoded ? m_receiving.parityBlock : uint8_t{0};
    // Random, so that a participant that comes back is not taken for what it was before.
    sending.firstMessage = m_random->GetInteger(0, UINT32_MAX);
    m_sender.Start(sending);
    m_content = JrmMessageContent(m_receiving.packetSize, m_checkContent);
    m_bucket = JrmLeakyBucket(m_bucketRate, m_bucketDepth);
}

} // namespace ns3::lfn
