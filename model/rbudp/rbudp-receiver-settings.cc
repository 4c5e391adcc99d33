// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-receiver.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

// What can be set of a receiver and asked about it.

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(RbudpReceiver);

TypeId
RbudpReceiver::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::RbudpReceiver")
            .SetParent<TransferApplication>()
            .SetGroupName("Lfn")
            .AddConstructor<RbudpReceiver>()
            .AddAttribute("Remote",
                          "Address of the sender; the ports are ControlPort and UdpPort.",
                          AddressValue(),
                          MakeAddressAccessor(&RbudpReceiver::m_remote),
                          MakeAddressChecker())
            .AddAttribute("ControlPort",
                          "TCP port on which the sender awaits its receiver.",
                          UintegerValue(38001),
                          MakeUintegerAccessor(&RbudpReceiver::m_controlPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("UdpPort",
                          "UDP port of both ends, unless PeerUdpPort says otherwise.",
                          UintegerValue(38000),
                          MakeUintegerAccessor(&RbudpReceiver::m_udpPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("SocketBuffer",
                          "Send and receive buffer of every socket, B.",
                          UintegerValue(8 << 20),
                          MakeUintegerAccessor(&RbudpReceiver::m_socketBuffer),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ConnectTimeout",
                          "How long to try to connect to the sender (5 s in the published tools).",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&RbudpReceiver::m_connectTimeout),
                          MakeTimeChecker(Time(1)))
            .AddAttribute("ControlTimeout",
                          "Fail when nothing at all arrives from the sender for so long.",
                          TimeValue(Seconds(100)),
                          MakeTimeAccessor(&RbudpReceiver::m_controlTimeout),
                          MakeTimeChecker(Time(1)))
            .AddAttribute("Receiver",
                          "How data get to the application (section 4): read and moved; read to "
                          "their predicted place; or never moved.",
                          EnumValue(Model::NAIVE),
                          MakeEnumAccessor<Model>(&RbudpReceiver::m_model),
                          MakeEnumChecker(Model::NAIVE,
                                          "Naive",
                                          Model::SCATTER_GATHER,
                                          "ScatterGather",
                                          Model::FAKE,
                                          "Fake"))
            .AddAttribute("ScatterGatherGain",
                          "Time of a datagram that is read and moved, over the time of one that "
                          "is read to the right place (about 1.1 in section 4).",
                          DoubleValue(1.1),
                          MakeDoubleAccessor(&RbudpReceiver::m_scatterGatherGain),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("IdealControl",
                          "Control channel of the analytical model, shared with the sender; null "
                          "for TCP.",
                          PointerValue(),
                          MakePointerAccessor(&RbudpReceiver::m_idealControl),
                          MakePointerChecker<RbudpIdealControl>())
            .AddAttribute("TcpControl",
                          "The control connection over TCP; null with IdealControl.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&RbudpReceiver::GetTcpControl),
                          MakePointerChecker<RbudpTcpControl>())
            .AddAttribute("CheckContent",
                          "Check every datagram against the pattern that a sender with the same "
                          "setting sends; the transfer fails at the first difference.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RbudpReceiver::m_checkContent),
                          MakeBooleanChecker())
            .AddAttribute("MaxDatagrams",
                          "Refuse payloads of more datagrams; the arrivals takes a bit each.",
                          UintegerValue(1 << 30),
                          MakeUintegerAccessor(&RbudpReceiver::m_maxDatagrams),
                          MakeUintegerChecker<uint64_t>(1, RbudpAnnouncement::MAX_DATAGRAMS))
            .AddAttribute("FileName",
                          "Ask for this name, as the published file tool does; empty to take "
                          "what arrives.",
                          StringValue(""),
                          MakeStringAccessor(&RbudpReceiver::m_fileName),
                          MakeStringChecker())
            .AddAttribute("Wire",
                          "How messages are laid out: as this module's, or as the published tools "
                          "usend and urecv lay them out on little-endian hosts, which announce "
                          "nothing and send one payload.",
                          EnumValue(RbudpWire::LFN),
                          MakeEnumAccessor<RbudpWire>(&RbudpReceiver::m_wire),
                          MakeEnumChecker(RbudpWire::LFN, "Lfn", RbudpWire::TOOLS, "Tools"))
            .AddAttribute("PeerUdpPort",
                          "UDP port of the sender; 0: that of this end. The published tools have "
                          "two, one apart.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RbudpReceiver::m_peerUdpPort),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Bytes",
                          "Payload to expect when Wire is Tools, the same at both ends, B.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RbudpReceiver::m_bytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("PayloadSize",
                          "User bytes per datagram of that payload, B.",
                          UintegerValue(1450),
                          MakeUintegerAccessor(&RbudpReceiver::m_payloadSize),
                          MakeUintegerChecker<uint32_t>(1, RbudpAnnouncement::MAX_PAYLOAD_SIZE))
            .AddTraceSource("PayloadReceived",
                            "The last missing datagram of a payload has arrived.",
                            MakeTraceSourceAccessor(&RbudpReceiver::m_payloadTrace),
                            "ns3::lfn::RbudpReceiver::PayloadTracedCallback")
            .AddTraceSource("Message",
                            "A control message leaves or arrives.",
                            MakeTraceSourceAccessor(&RbudpReceiver::m_messageTrace),
                            "ns3::lfn::RbudpMessageTracedCallback");
    return tid;
}

uint64_t
RbudpReceiver::GetDuplicates() const
{
    return m_duplicates + m_core.GetCounters().duplicatePackets;
}

uint64_t
RbudpReceiver::GetUnpredicted() const
{
    return m_unpredicted + m_core.GetCounters().unpredictedPackets;
}

uint64_t
RbudpReceiver::GetHeld() const
{
    return m_heldPackets;
}

Ptr<RbudpTcpControl>
RbudpReceiver::GetTcpControl() const
{
    return m_idealControl ? nullptr : m_tcpControl;
}

bool
RbudpReceiver::IsEndless() const
{
    return true; // a receiver ends when it is stopped, if not before
}

} // namespace ns3::lfn
