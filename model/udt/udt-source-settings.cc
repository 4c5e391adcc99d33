// SPDX-License-Identifier: GPL-2.0-only
#include "udt-header.h"
#include "udt-source.h"
#include "udt-timer-attributes.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/uinteger.h"

// What can be set of a source and asked about it.

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(UdtSource);

namespace
{

constexpr uint64_t MOST_BYTES = 1ULL << 62; // packets are counted in 63 bits
constexpr uint32_t MOST_PACKETS = 1U << 28; // well below half of the sequence numbers
constexpr uint32_t MOST_MSS = 65535;        // of an IP packet

/**
 * @brief Add the rules on how far and when the rate decreases.
 * @param rules adds Attributes of the source
 */
void
AddDecreaseRules(UdtRuleAttributes<UdtSource>& rules)
{
    using Native = UdtNativeControl::Settings;
    using DecRandomSource = UdtNativeControl::DecRandomSource;
    constexpr auto CONTROL = &UdtSettings::control;
    rules
        .Add<DoubleValue>("Decrease",
                          "A decrease multiplies the sending period by this.",
                          "1.125, 1.125, 1.125, 1.03",
                          MakeDoubleChecker<double>(1, 100),
                          CONTROL,
                          &Native::decrease)
        .Add<DoubleValue>("NakWeight",
                          "Weight of the last period in the average number of NAKs per period.",
                          "0.125, 0.125, 0.125, 0.03",
                          MakeDoubleChecker<double>(0, 1),
                          CONTROL,
                          &Native::nakWeight)
        .Add<DoubleValue>("LossRateCap",
                          "The link's capacity counts up to this many times the rate at the last "
                          "loss; 0 for no limit.",
                          "0, 0, 0, 2",
                          MakeDoubleChecker<double>(0, 1e6),
                          CONTROL,
                          &Native::lossRateCap)
        .Add<DoubleValue>("LossTolerance",
                          "A NAK decreases the rate only when the lost packets are at least this "
                          "share of those in flight (RTT over sending period).",
                          "0, 0, 0, 0.02",
                          MakeDoubleChecker<double>(0, 1),
                          CONTROL,
                          &Native::lossTolerance)
        .Add<BooleanValue>("SlowStartLoss",
                           "The NAK that ends slow start may decrease the rate.",
                           "false, false, false, true",
                           MakeBooleanChecker(),
                           CONTROL,
                           &Native::slowStartLoss)
        .Add<EnumValue<DecRandomSource>>(
            "DecRandomSource",
            "Which NAKs decrease the rate: by a Hash of a sequence number, or by random numbers "
            "(Stream).",
            "Hash, Hash, Hash, Stream",
            MakeEnumChecker(DecRandomSource::HASH, "Hash", DecRandomSource::STREAM, "Stream"),
            CONTROL,
            &Native::decRandomSource);
}

/**
 * @brief Add the rules of the sender that SRT changed.
 * @param rules adds Attributes of the source
 */
void
AddSenderRules(UdtRuleAttributes<UdtSource>& rules)
{
    using Settings = UdtSenderCore::Settings;
    constexpr auto SENDER = &UdtSettings::sender;
    rules
        .Add<BooleanValue>("NakEndsWait",
                           "A NAK sends the next packet at once; otherwise it only wakes a source "
                           "that has stopped.",
                           "true, true, true, false",
                           MakeBooleanChecker(),
                           SENDER,
                           &Settings::nakEndsWait)
        .Add<BooleanValue>("LightAckFrees",
                           "A light ACK frees the send buffer and wakes a source that has stopped.",
                           "false, false, false, true",
                           MakeBooleanChecker(),
                           SENDER,
                           &Settings::lightAckFrees)
        .Add<BooleanValue>("CatchUp",
                           "Departures follow earlier after a late one, and later after a packet "
                           "pair, so that the mean rate is kept.",
                           "false, false, false, true",
                           MakeBooleanChecker(),
                           SENDER,
                           &Settings::catchUp)
        .Add<TimeValue>("PacingGranularity",
                        "The time between two departures is the sending period, rounded down to a "
                        "multiple; 0 keeps it exact.",
                        "0, 0, 0, 1 us",
                        MakeTimeChecker(Time(0)),
                        SENDER,
                        &Settings::pacingGranularity)
        .Add<BooleanValue>("ZeroRates",
                           "Rates of 0 in an ACK, which stand for unknown, are averaged.",
                           "false, false, false, true",
                           MakeBooleanChecker(),
                           SENDER,
                           &Settings::zeroRates)
        .Add<TimeValue>("Ack2Interval",
                        "Least time between two ACK2; 0 answers each full ACK.",
                        "0, 0, 0, Syn",
                        MakeTimeChecker(Time(0)),
                        SENDER,
                        &Settings::ack2Interval)
        .Add<BooleanValue>("AckTimer",
                           "What is not acknowledged is retransmitted n (RTT + 4 RTTVar + 2 Syn) + "
                           "Syn after the last ACK, n = 1, 2 and so on; otherwise when the EXP "
                           "timer expires.",
                           "false, false, false, true",
                           MakeBooleanChecker(),
                           SENDER,
                           &Settings::ackTimer);
}

} // namespace

TypeId
UdtSource::GetTypeId()
{
    using Settings = UdtSenderCore::Settings;
    using Native = UdtNativeControl::Settings;
    using SetUp = UdtConnector::Settings;
    constexpr auto SETTINGS = &UdtSource::m_settings;
    constexpr auto NATIVE = &UdtSource::m_native;
    constexpr auto SET_UP = &UdtSource::m_setUp;
    const auto addRules = [](TypeId tid) {
        using SlowStartEnd = UdtNativeControl::SlowStartEnd;
        constexpr auto CONTROL = &UdtSettings::control;
        constexpr auto SENDER = &UdtSettings::sender;
        UdtRuleAttributes<UdtSource> rules(tid, &UdtSource::m_rules, &UdtSource::GetSettings);
        AddUdtTimerAttributes(rules, SENDER);
        rules
            .Add<TimeValue>("PeriodGranularity",
                            "A decrease rounds the sending period up to a multiple; 0 keeps it "
                            "exact.",
                            "1 us, 0, 0, 1 us",
                            MakeTimeChecker(Time(0)),
                            CONTROL,
                            &Native::periodGranularity)
            .Add<DoubleValue>("MinimumIncrease",
                              "Least increase of the rate, packets per Syn; 0 for 1/Mss.",
                              "0.01, 0, 0, 0",
                              MakeDoubleChecker<double>(0, 1e6),
                              CONTROL,
                              &Native::minimumIncrease)
            .Add<BooleanValue>(
                "Freeze",
                "Send nothing for Syn after the first NAK of a period of congestion.",
                "false, true, false, false",
                MakeBooleanChecker(),
                CONTROL,
                &Native::freeze)
            .Add<BooleanValue>("DecreaseOnFirst",
                               "The first NAK of a period of congestion decreases the rate.",
                               "true, false, true, true",
                               MakeBooleanChecker(),
                               CONTROL,
                               &Native::decreaseOnFirst)
            .Add<BooleanValue>("CapCapacity",
                               "After a decrease at most a ninth of the link's capacity counts as "
                               "free.",
                               "true, true, false, true",
                               MakeBooleanChecker(),
                               CONTROL,
                               &Native::capCapacity)
            .Add<EnumValue<SlowStartEnd>>(
                "SlowStartEnd",
                "Slow start ends, besides at a loss, when the window exceeds the sink's (Window), "
                "at the first ACK with a rate (FirstAck), or at the first one with a capacity, "
                "then with a period far too small (FirstCapacity).",
                "Window, FirstCapacity, FirstAck, Window",
                MakeEnumChecker(SlowStartEnd::WINDOW,
                                "Window",
                                SlowStartEnd::FIRST_ACK,
                                "FirstAck",
                                SlowStartEnd::FIRST_CAPACITY,
                                "FirstCapacity"),
                CONTROL,
                &Native::slowStartEnd)
            .Add<UintegerValue>("NakOffset",
                                "Added to the average number of NAKs per period of congestion, and "
                                "to the number of NAKs from one decrease to the next.",
                                "0, 1, 0, 0",
                                MakeUintegerChecker<uint32_t>(0, 1),
                                CONTROL,
                                &Native::nakOffset)
            .Add<BooleanValue>("SourceWindow",
                               "The source has a window, of the arrival rate; otherwise the sink's "
                               "alone counts.",
                               "true, false, true, true",
                               MakeBooleanChecker(),
                               CONTROL,
                               &Native::hasWindow)
            .Add<DoubleValue>("LeastGapShare",
                              "The sending period is at least this share of the least time between "
                              "two departures so far.",
                              "0, 0.9, 0, 0",
                              MakeDoubleChecker<double>(0, 1),
                              CONTROL,
                              &Native::leastGapShare)
            .Add<UintegerValue>("FirstWindow",
                                "Flow window until the first ACK, packets; 0 for the one that the "
                                "sink offers.",
                                "0, 16, 16, 0",
                                MakeUintegerChecker<uint32_t>(0, MOST_PACKETS),
                                SENDER,
                                &Settings::firstWindow)
            .Add<BooleanValue>("SmoothRtt",
                               "Smooth the sink's estimate of the round-trip time again.",
                               "true, false, false, false",
                               MakeBooleanChecker(),
                               SENDER,
                               &Settings::smoothRtt)
            .Add<BooleanValue>("Interruptible",
                               "A full ACK ends the wait for the next departure, and nothing does "
                               "while the host is busy.",
                               "false, true, false, false",
                               MakeBooleanChecker(),
                               SENDER,
                               &Settings::interruptible)
            .Add<BooleanValue>("NakAddsFirst",
                               "A NAK retransmits the first packet that is not acknowledged, too.",
                               "false, true, false, false",
                               MakeBooleanChecker(),
                               SENDER,
                               &Settings::nakAddsFirst);
        AddDecreaseRules(rules);
        AddSenderRules(rules);
        return tid;
    };
    static TypeId tid = addRules(
        TypeId("ns3::lfn::UdtSource")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<UdtSource>()
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
                MakeFieldAccessor<EnumValue<UdtVariant>>(&UdtSource::m_rules, &UdtRules::variant),
                MakeUdtVariantChecker())
            .AddAttribute("Remote",
                          "IPv4 or IPv6 socket address of the sink.",
                          AddressValue(),
                          MakeAddressAccessor(&UdtSource::m_remote),
                          MakeAddressChecker())
            .AddAttribute("LocalPort",
                          "UDP port to bind to, which sources and the sink of a node may share; 0 "
                          "for any.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&UdtSource::m_localPort),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Rendezvous",
                          "Both ends connect (UDT-14): the sink's Peer is this source's address "
                          "with LocalPort, which no other end that takes requests may have.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdtSource::m_meets),
                          MakeBooleanChecker())
            .AddAttribute("Bytes",
                          "User bytes to send; 0 sends until stopped.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&UdtSource::m_bytes),
                          MakeUintegerChecker<uint64_t>(0, MOST_BYTES))
            .AddAttribute("Mss",
                          "Size of a full packet with the headers of IP and UDP, B; the smaller of "
                          "both ends' counts.",
                          UintegerValue(1500),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::mss),
                          MakeUintegerChecker<uint32_t>(UDT_LEAST_MSS, MOST_MSS))
            .AddAttribute("AllowFragmentation",
                          "Send packets larger than the link's MTU, in fragments.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdtSource::m_allowFragmentation),
                          MakeBooleanChecker())
            .AddAttribute("SendBuffer",
                          "Most packets that are sent and not acknowledged.",
                          UintegerValue(8192),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::sendBuffer),
                          MakeUintegerChecker<uint32_t>(2, MOST_PACKETS))
            .AddAttribute("WriteSize",
                          "Bytes that the application writes at a time, B; 0 for 100 full packets. "
                          "The last packet of a write may be short, and is acknowledged at once.",
                          UintegerValue(0),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::writeSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "Messages",
                "Send messages of WriteSize bytes (a socket of type DGRAM), not a stream. "
                "Needs a sink with Messages.",
                BooleanValue(false),
                MakeBooleanAccessor(&UdtSource::m_messages),
                MakeBooleanChecker())
            .AddAttribute("InOrder",
                          "With Messages: a message is delivered after all earlier ones only.",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(SETTINGS, &Settings::isInOrder),
                          MakeBooleanChecker())
            .AddAttribute("TimeToLive",
                          "With Messages: what would be retransmitted after this time is given up, "
                          "with its whole message; 0: never.",
                          TimeValue(Time(0)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::timeToLive),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxRate",
                          "Most bits per second of packets of Mss bytes; 0 for no limit.",
                          UintegerValue(0),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::maxRate),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("StrictErrors",
                          "Fail at a report about packets never sent, as UDT4 does; otherwise it "
                          "is dropped.",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(SETTINGS, &Settings::strictErrors),
                          MakeBooleanChecker())
            .AddAttribute("ConnectTimeout",
                          "Fail without an answer of the sink after this time.",
                          TimeValue(Seconds(3)),
                          MakeFieldAccessor<TimeValue>(SET_UP, &SetUp::timeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RequestInterval",
                          "Time between two requests for a connection.",
                          TimeValue(MilliSeconds(250)),
                          MakeFieldAccessor<TimeValue>(SET_UP, &SetUp::repeat),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("Syn",
                          "SYN, the interval of the rate control.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&UdtSource::m_syn),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("Congestion",
                          "Congestion control: Native, UDT's own, or Blast, a constant rate.",
                          EnumValue(Congestion::NATIVE),
                          MakeEnumAccessor<Congestion>(&UdtSource::m_congestion),
                          MakeEnumChecker(Congestion::NATIVE, "Native", Congestion::BLAST, "Blast"))
            .AddAttribute("BlastRate",
                          "Rate of user bits with Congestion=Blast.",
                          DataRateValue(DataRate("600Mbps")),
                          MakeDataRateAccessor(&UdtSource::m_blastRate),
                          MakeDataRateChecker())
            .AddAttribute("WindowRtts",
                          "Round-trip times of data that the source's window holds; 2 leave room "
                          "for a gap.",
                          DoubleValue(1),
                          MakeFieldAccessor<DoubleValue>(NATIVE, &Native::windowRtts),
                          MakeDoubleChecker<double>(0, 1e3))
            .AddAttribute("CheckContent",
                          "Send a pattern that the sink can check.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UdtSource::m_checkContent),
                          MakeBooleanChecker())
            .AddTraceSource("Control",
                            "A control packet is sent or has arrived.",
                            MakeTraceSourceAccessor(&UdtSource::m_controlTrace),
                            "ns3::lfn::UdtSource::ControlTracedCallback")
            .AddTraceSource("CongestionWindow",
                            "The congestion window, packets.",
                            MakeTraceSourceAccessor(&UdtSource::m_window),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("SendingPeriod",
                            "The time between two packets, us.",
                            MakeTraceSourceAccessor(&UdtSource::m_period),
                            "ns3::TracedValueCallback::Double"));
    return tid;
}

UdtSource::UdtSource()
    : m_initial(CreateObject<UniformRandomVariable>()),
      m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "udt";
}

int64_t
UdtSource::AssignStreams(int64_t stream)
{
    m_initial->SetStream(stream);
    m_random->SetStream(stream + 1);
    return 2;
}

UdtSettings
UdtSource::GetSettings() const
{
    UdtSettings settings;
    settings.sender = m_settings;
    settings.sender.expiration.syn = m_syn;
    settings.sender.messages = m_messages;
    settings.sender.isInOrder = m_messages && m_settings.isInOrder;
    settings.sender.timeToLive = m_messages ? m_settings.timeToLive : Time(0);
    settings.receiver.syn = m_syn;
    settings.control = m_native;
    settings.control.syn = m_syn;
    m_rules.Apply(settings);
    return settings;
}

TransferApplication::Window
UdtSource::GetWindow() const
{
    Window window;
    if (m_connected)
    {
        window.cwnd = m_core.GetControl()->GetWindow() * m_settings.payloadSize;
        window.rtt = MicroSeconds(m_core.GetPath().rttUs);
    }
    return window;
}

const UdtSenderCore&
UdtSource::GetCore() const
{
    return m_core;
}

uint32_t
UdtSource::GetPayloadSize() const
{
    return m_settings.payloadSize;
}

Time
UdtSource::GetPeriod() const
{
    return m_connected ? MicroSeconds(1) * m_core.GetControl()->GetPeriod() : Time(0);
}

uint64_t
UdtSource::GetControlBytes() const
{
    return m_controlBytes;
}

std::optional<Time>
UdtSource::GetConnected() const
{
    return m_connected;
}

} // namespace ns3::lfn
