// SPDX-License-Identifier: GPL-2.0-only
#include "udt-header.h"
#include "udt-source.h"
#include "udt-timer-attributes.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
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
    static TypeId tid =
        AddUdtTimerAttributes(TypeId("ns3::lfn::UdtSource")
                                  .SetParent<TransferApplication>()
                                  .SetGroupName("Lfn")
                                  .AddConstructor<UdtSource>(),
                              SETTINGS)
            .AddAttribute("Remote",
                          "IPv4 or IPv6 socket address of the sink.",
                          AddressValue(),
                          MakeAddressAccessor(&UdtSource::m_remote),
                          MakeAddressChecker())
            .AddAttribute("LocalPort",
                          "UDP port to bind to; 0 for any.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&UdtSource::m_localPort),
                          MakeUintegerChecker<uint16_t>())
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
            .AddAttribute("PeriodGranularity",
                          "A decrease rounds the sending period up to a multiple; 0 keeps it "
                          "exact.",
                          TimeValue(MicroSeconds(1)),
                          MakeFieldAccessor<TimeValue>(NATIVE, &Native::periodGranularity),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinimumIncrease",
                          "Least increase of the rate, packets per Syn; 0 for 1/Mss.",
                          DoubleValue(0.01),
                          MakeFieldAccessor<DoubleValue>(NATIVE, &Native::minimumIncrease),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("Freeze",
                          "Send nothing for Syn after the first NAK of a period of congestion.",
                          BooleanValue(false),
                          MakeFieldAccessor<BooleanValue>(NATIVE, &Native::freeze),
                          MakeBooleanChecker())
            .AddAttribute("DecreaseOnFirst",
                          "The first NAK of a period of congestion decreases the rate.",
                          BooleanValue(true),
                          MakeFieldAccessor<BooleanValue>(NATIVE, &Native::decreaseOnFirst),
                          MakeBooleanChecker())
            .AddAttribute("CapCapacity",
                          "After a decrease at most a ninth of the link's capacity counts as free.",
                          BooleanValue(true),
                          MakeFieldAccessor<BooleanValue>(NATIVE, &Native::capCapacity),
                          MakeBooleanChecker())
            .AddAttribute(
                "SlowStartEnd",
                "Slow start ends, besides at a loss, when the window exceeds the "
                "sink's (Window), or at the first ACK with a rate (FirstAck).",
                EnumValue(UdtNativeControl::SlowStartEnd::WINDOW),
                MakeFieldAccessor<EnumValue<UdtNativeControl::SlowStartEnd>>(NATIVE,
                                                                             &Native::slowStartEnd),
                MakeEnumChecker(UdtNativeControl::SlowStartEnd::WINDOW,
                                "Window",
                                UdtNativeControl::SlowStartEnd::FIRST_ACK,
                                "FirstAck"))
            .AddAttribute("DecRandomSource",
                          "Which NAKs decrease the rate: by a Hash of a sequence number, as in "
                          "UDT4, or by random numbers (Stream).",
                          EnumValue(UdtNativeControl::DecRandomSource::HASH),
                          MakeFieldAccessor<EnumValue<UdtNativeControl::DecRandomSource>>(
                              NATIVE,
                              &Native::decRandomSource),
                          MakeEnumChecker(UdtNativeControl::DecRandomSource::HASH,
                                          "Hash",
                                          UdtNativeControl::DecRandomSource::STREAM,
                                          "Stream"))
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
                            "ns3::TracedValueCallback::Double");
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
