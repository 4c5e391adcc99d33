// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-sender.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/lfn-field-accessor.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

// What can be set of a sender and asked about it.

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(RbudpSender);

TypeId
RbudpSender::GetTypeId()
{
    using Settings = RbudpSenderCore::Settings;
    constexpr auto SETTINGS = &RbudpSender::m_settings;
    static TypeId tid =
        TypeId("ns3::lfn::RbudpSender")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<RbudpSender>()
            .AddAttribute("SendRate",
                          "B_send, rate of payload bits in a blast, bit/s (section 4.1).",
                          DataRateValue(DataRate("600Mbps")),
                          MakeFieldAccessor<DataRateValue>(SETTINGS, &Settings::sendRate),
                          MakeDataRateChecker())
            .AddAttribute("PayloadSize",
                          "S_packet, user bytes per datagram, B (section 4.1). 1450 B explains the "
                          "paper's rates of 611, 682 and 725 Mb/s.",
                          UintegerValue(1450),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::payloadSize),
                          MakeUintegerChecker<uint32_t>(1, RbudpAnnouncement::MAX_PAYLOAD_SIZE))
            .AddAttribute("PacingQuantum",
                          "Granularity to which the interval between datagrams is truncated; 0 "
                          "for an ideal clock, 1 us as in the published tools.",
                          TimeValue(Time(0)),
                          MakeFieldAccessor<TimeValue>(SETTINGS, &Settings::pacingQuantum),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Bytes",
                          "S_total, the payload that is sent when the receiver has connected, B; "
                          "0 to hand payloads over with SendPayload().",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RbudpSender::m_bytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("BlockSize",
                          "Split Bytes into payloads of this size, B; 0 for one payload. The "
                          "published streaming tool used 64 MiB.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RbudpSender::m_blockSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MaxRounds",
                          "Fail when a payload is incomplete after this number of blasts.",
                          UintegerValue(1000),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::maxRounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("NoProgressRounds",
                          "Fail after this number of consecutive blasts that brought nothing new.",
                          UintegerValue(10),
                          MakeFieldAccessor<UintegerValue>(SETTINGS, &Settings::noProgressRounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "RateAdapt",
                "Send rate after a lossy first blast: kept (the paper), or times 1 - "
                "loss - 0.05 (disabled code of the published tools).",
                EnumValue(RbudpSenderCore::RateAdapt::NONE),
                MakeFieldAccessor<EnumValue<RbudpSenderCore::RateAdapt>>(SETTINGS,
                                                                         &Settings::rateAdapt),
                MakeEnumChecker(RbudpSenderCore::RateAdapt::NONE,
                                "None",
                                RbudpSenderCore::RateAdapt::LOSS_BASED,
                                "Loss"))
            .AddAttribute("UdpPort",
                          "UDP port of both ends, unless PeerUdpPort says otherwise.",
                          UintegerValue(38000),
                          MakeUintegerAccessor(&RbudpSender::m_udpPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("ControlPort",
                          "TCP port on which the sender awaits its receiver.",
                          UintegerValue(38001),
                          MakeUintegerAccessor(&RbudpSender::m_controlPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Ipv6",
                          "Await the receiver on IPv6 instead of IPv4.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RbudpSender::m_ipv6),
                          MakeBooleanChecker())
            .AddAttribute("Remote",
                          "Where datagrams go (an address, the port is UdpPort); unset for the "
                          "host that connects. IdealControl needs it.",
                          AddressValue(),
                          MakeAddressAccessor(&RbudpSender::m_remote),
                          MakeAddressChecker())
            .AddAttribute("SocketBuffer",
                          "Send and receive buffer of every socket, B.",
                          UintegerValue(8 << 20),
                          MakeUintegerAccessor(&RbudpSender::m_socketBuffer),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ControlTimeout",
                          "Fail when the receiver does not connect, or an acknowledgement does "
                          "not arrive, for so long.",
                          TimeValue(Seconds(100)),
                          MakeTimeAccessor(&RbudpSender::m_controlTimeout),
                          MakeTimeChecker(Time(1)))
            .AddAttribute("IdealControl",
                          "Control channel of the analytical model, shared with the receiver; "
                          "null for TCP.",
                          PointerValue(),
                          MakePointerAccessor(&RbudpSender::m_idealControl),
                          MakePointerChecker<RbudpIdealControl>())
            .AddAttribute("TcpControl",
                          "The control connection over TCP; null with IdealControl.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&RbudpSender::GetTcpControl),
                          MakePointerChecker<RbudpTcpControl>())
            .AddAttribute("CheckContent",
                          "Send a pattern that the receiver can check, instead of zeros.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RbudpSender::m_checkContent),
                          MakeBooleanChecker())
            .AddAttribute("AllowFragmentation",
                          "Send datagrams that are larger than the MTU of their link.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RbudpSender::m_allowFragmentation),
                          MakeBooleanChecker())
            .AddAttribute("FileName",
                          "Wait until the receiver asks for this name, as the published file tool "
                          "does; empty to send at once.",
                          StringValue(""),
                          MakeStringAccessor(&RbudpSender::m_fileName),
                          MakeStringChecker())
            .AddAttribute("Wire",
                          "How messages are laid out: as this module's, or as the published tools "
                          "usend and urecv lay them out on little-endian hosts, which announce "
                          "nothing and send one payload.",
                          EnumValue(RbudpWire::LFN),
                          MakeEnumAccessor<RbudpWire>(&RbudpSender::m_wire),
                          MakeEnumChecker(RbudpWire::LFN, "Lfn", RbudpWire::TOOLS, "Tools"))
            .AddAttribute("PeerUdpPort",
                          "UDP port of the receiver; 0: that of this end. The published tools have "
                          "two, one apart.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RbudpSender::m_peerUdpPort),
                          MakeUintegerChecker<uint16_t>())
            .AddTraceSource("PayloadCompleted",
                            "A payload has been acknowledged in full.",
                            MakeTraceSourceAccessor(&RbudpSender::m_payloadTrace),
                            "ns3::lfn::RbudpSender::PayloadTracedCallback")
            .AddTraceSource("Message",
                            "A control message leaves or arrives.",
                            MakeTraceSourceAccessor(&RbudpSender::m_messageTrace),
                            "ns3::lfn::RbudpMessageTracedCallback");
    return tid;
}

std::size_t
RbudpSender::GetBacklog() const
{
    return m_payloads.size();
}

uint64_t
RbudpSender::GetControlBytes() const
{
    return m_controlBytes;
}

Ptr<RbudpTcpControl>
RbudpSender::GetTcpControl() const
{
    return m_idealControl ? nullptr : m_tcpControl;
}

bool
RbudpSender::IsEndless() const
{
    return m_bytes == 0 && !m_finishing;
}

} // namespace ns3::lfn
