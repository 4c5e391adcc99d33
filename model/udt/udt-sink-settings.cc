// SPDX-License-Identifier: GPL-2.0-only
#include "udt-header.h"
#include "udt-sink.h"
#include "udt-timer-attributes.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

// What can be set of a sink and asked about it.

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(UdtSink);

namespace
{

constexpr uint32_t MOST_PACKETS = 1U << 28; // well below half of the sequence numbers
constexpr uint32_t MOST_MSS = 65535;        // of an IP packet

/** @brief Add up counters. */
void
Add(UdtReceiverCore::Counters& sum, const UdtReceiverCore::Counters& more)
{
    sum.acks += more.acks;
    sum.shortAcks += more.shortAcks;
    sum.lightAcks += more.lightAcks;
    sum.naks += more.naks;
    sum.lost += more.lost;
    sum.keepAlives += more.keepAlives;
    sum.drops += more.drops;
}

} // namespace

TypeId
UdtSink::GetTypeId()
{
    using Settings = UdtReceiverCore::Settings;
    constexpr auto SETTINGS = &UdtSink::m_settings;
    const auto addRules = [](TypeId tid) {
        constexpr auto RECEIVER = &UdtSettings::receiver;
        UdtRuleAttributes<UdtSink> rules(tid, &UdtSink::m_rules, &UdtSink::GetSettings);
        AddUdtTimerAttributes(rules, RECEIVER);
        rules
            .Add<UintegerValue>("LightAckPackets",
                                "Packets to a light acknowledgement; 0 for none.",
                                "64, 0, 64, 64",
                                MakeUintegerChecker<uint32_t>(),
                                RECEIVER,
                                &Settings::lightAckPackets)
            .Add<BooleanValue>("RepeatNak",
                               "Report losses again and again.",
                               "false, true, true, false",
                               MakeBooleanChecker(),
                               RECEIVER,
                               &Settings::repeatNak)
            .Add<TimeValue>("NakMinimum",
                            "Least time between two such reports.",
                            "300 ms, Syn, Syn, 300 ms",
                            MakeTimeChecker(MicroSeconds(1)),
                            RECEIVER,
                            &Settings::nakMinimum)
            .Add<BooleanValue>("NakPerLoss",
                               "With RepeatNak: report each loss k RTTs after its last report, "
                               "with k = 2, 3, ..., in reports 4 RTT + RTTVar + Syn apart; "
                               "otherwise all losses, when none was found, recovered or reported "
                               "for RTT + 4 RTTVar.",
                               "false, false, true",
                               MakeBooleanChecker(),
                               RECEIVER,
                               &Settings::nakPerLoss)
            .Add<UintegerValue>("ProbeWindow",
                                "Packet pairs that the link's capacity is the median of.",
                                "64, 16, 16, 64",
                                MakeUintegerChecker<uint32_t>(2, 1 << 16),
                                RECEIVER,
                                &Settings::probeWindow)
            .Add<EnumValue<UdtFilter>>(
                "EstimateFilter",
                "How intervals become a rate: by the median of the ring without its last place "
                "(Udt4), by the exact median (Exact), or by the larger one of the two intervals in "
                "the middle and without rounding (Srt).",
                "Udt4, Exact, Exact, Srt",
                MakeEnumChecker(UdtFilter::UDT4,
                                "Udt4",
                                UdtFilter::EXACT,
                                "Exact",
                                UdtFilter::SRT,
                                "Srt"),
                RECEIVER,
                &Settings::filter)
            .Add<BooleanValue>("StrictPairs",
                               "Only consecutive packets with new numbers are a packet pair, and "
                               "the interval is scaled to a full packet.",
                               "false, false, false, true",
                               MakeBooleanChecker(),
                               RECEIVER,
                               &Settings::strictPairs)
            .Add<BooleanValue>("RttFromFirst",
                               "The first sample replaces the initial round-trip time of 100 ms.",
                               "false, false, false, true",
                               MakeBooleanChecker(),
                               RECEIVER,
                               &Settings::rttFromFirst)
            .Add<UintegerValue>("AckRepeatRtts",
                                "Round-trip times after which an ACK is repeated; 0 for RTT + 4 "
                                "RTTVar.",
                                "0, 0, 2, 0",
                                MakeUintegerChecker<uint32_t>(0, 1000),
                                RECEIVER,
                                &Settings::ackRepeatRtts)
            .Add<BooleanValue>("RatesInEveryAck",
                               "ACKs less than Syn apart have the rates, too.",
                               "false, true, false, false",
                               MakeBooleanChecker(),
                               RECEIVER,
                               &Settings::ratesInEveryAck)
            .Add<BooleanValue>("FlowControl",
                               "The offered window follows the arrival rate, up to FlightFlag.",
                               "false, true, false, false",
                               MakeBooleanChecker(),
                               RECEIVER,
                               &Settings::flowControl);
        return tid;
    };
    static TypeId tid = addRules(
        TypeId("ns3::lfn::UdtSink")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<UdtSink>()
            .AddAttribute("DeadCount",
                          "The peer is dead after more expirations in a row than this, and "
                          "DeadTime.",
                          UintegerValue(16),
                          MakeFieldAccessor<UintegerValue>(SETTINGS,
                                                           &Settings::expiration,
                                                           &UdtExpiration::Settings::deadCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "Variant",
                "Where the rules come from that are unset: the program UDT4, the program "
                "UDT3 of 2006, the draft, or SRT in file mode. Both ends should have the same.",
                EnumValue(UdtVariant::UDT4),
                MakeFieldAccessor<EnumValue<UdtVariant>>(&UdtSink::m_rules, &UdtRules::variant),
                MakeUdtVariantChecker())
            .AddAttribute("Local",
                          "Address to listen on, with or without a port; unset for every IPv4 and "
                          "IPv6 address of the node.",
                          AddressValue(),
                          MakeAddressAccessor(&UdtSink::m_local),
                          MakeAddressChecker())
            .AddAttribute("Port",
                          "UDP port to listen on, unless Local brings one. Sources of the node may "
                          "share it.",
                          UintegerValue(9000),
                          MakeUintegerAccessor(&UdtSink::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Peer",
                          "Socket address of a source whose Rendezvous is set: both ends connect "
                          "(UDT-14), and no other source is taken; unset to listen.",
                          AddressValue(),
                          MakeAddressAccessor(&UdtSink::m_peer),
                          MakeAddressChecker())
            .AddAttribute("Mss",
                          "Largest packet with the headers of IP and UDP, B; the smaller of both "
                          "ends' counts.",
                          UintegerValue(MOST_MSS),
                          MakeUintegerAccessor(&UdtSink::m_mss),
                          MakeUintegerChecker<uint32_t>(UDT_LEAST_MSS, MOST_MSS))
            .AddAttribute("ReceiveBuffer",
                          "Receive buffer of a connection, packets.",
                          UintegerValue(8192),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::buffer),
                          MakeUintegerChecker<uint32_t>(2, MOST_PACKETS))
            .AddAttribute("FlightFlag",
                          "Largest flow window that is offered, packets (FC); ReceiveBuffer when "
                          "that is smaller.",
                          UintegerValue(25600),
                          MakeUintegerAccessor(&UdtSink::m_flightFlag),
                          MakeUintegerChecker<uint32_t>(32, MOST_PACKETS))
            .AddAttribute("Messages",
                          "Receive messages (a socket of type DGRAM), not streams. Sources of the "
                          "other type are refused.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdtSink::m_messages),
                          MakeBooleanChecker())
            .AddAttribute("MaxConnections",
                          "More connections at a time than this are refused.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&UdtSink::m_maxConnections),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Syn",
                          "SYN, the period of acknowledgements.",
                          TimeValue(MilliSeconds(10)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::syn),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("ArrivalWindow",
                          "Intervals between arrivals that the arrival rate is the median of.",
                          UintegerValue(16),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::arrivalWindow),
                          MakeUintegerChecker<uint32_t>(2, 1 << 16))
            .AddAttribute("ClockGranularity",
                          "Granularity of the clock of arrivals; 0 for an exact one.",
                          TimeValue(MicroSeconds(1)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::clockGranularity),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CheckContent",
                          "Compare what is delivered with the pattern that the source sends.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdtSink::m_checkContent),
                          MakeBooleanChecker())
            .AddTraceSource("Delivered",
                            "User bytes are delivered to the application, in order.",
                            MakeTraceSourceAccessor(&UdtSink::m_deliveredTrace),
                            "ns3::lfn::UdtSink::DeliveredTracedCallback")
            .AddTraceSource("Message",
                            "A message is delivered to the application.",
                            MakeTraceSourceAccessor(&UdtSink::m_messageTrace),
                            "ns3::lfn::UdtSink::MessageTracedCallback")
            .AddTraceSource("Control",
                            "A control packet is sent or has arrived.",
                            MakeTraceSourceAccessor(&UdtSink::m_controlTrace),
                            "ns3::lfn::UdtSink::ControlTracedCallback"));
    return tid;
}

UdtSink::UdtSink()
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "udt";
}

int64_t
UdtSink::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

UdtSettings
UdtSink::GetSettings() const
{
    UdtSettings settings;
    settings.receiver = m_settings;
    settings.receiver.buffer = std::min(m_settings.buffer, m_flightFlag);
    settings.receiver.largestWindow = m_flightFlag;
    settings.receiver.expiration.syn = m_settings.syn;
    m_rules.Apply(settings);
    return settings;
}

UdtReceiverCore::Counters
UdtSink::GetCounters() const
{
    auto sum = m_closed;
    for (const auto& [id, connection] : m_connections)
    {
        Add(sum, connection->core.GetCounters());
    }
    return sum;
}

uint64_t
UdtSink::CountUndelivered(const Connection& connection)
{
    return connection.buffer.GetBytes() + connection.messages.GetBytes() +
           connection.messages.GetDiscarded();
}

std::size_t
UdtSink::GetConnections() const
{
    return m_connections.size();
}

uint64_t
UdtSink::GetUndelivered() const
{
    uint64_t bytes = m_abandoned;
    for (const auto& [id, connection] : m_connections)
    {
        bytes += CountUndelivered(*connection);
    }
    return bytes;
}

void
UdtSink::Close(Connection& connection)
{
    connection.checkEvent.Cancel();
    m_abandoned += CountUndelivered(connection);
    Add(m_closed, connection.core.GetCounters());
    if (const auto port = FindPort(connection.peer))
    {
        port->Remove(connection.id);
    }
    m_connections.erase(connection.id);
}

} // namespace ns3::lfn
