// SPDX-License-Identifier: GPL-2.0-only

// Stop and wait over UDP: a packet, its acknowledgement, the next packet.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/lfn-module.h"
#include "ns3/network-module.h"

using namespace ns3;
using namespace ns3::lfn;

/** @brief Sends a packet until it is acknowledged, then the next. */
class WaitSource : public TransferApplication
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("WaitSource")
                                .SetParent<TransferApplication>()
                                .AddConstructor<WaitSource>()
                                .AddAttribute("Remote",
                                              "Address and port of the sink.",
                                              AddressValue(),
                                              MakeAddressAccessor(&WaitSource::m_remote),
                                              MakeAddressChecker())
                                .AddAttribute("Bytes",
                                              "User bytes to send.",
                                              UintegerValue(1'000'000),
                                              MakeUintegerAccessor(&WaitSource::m_bytes),
                                              MakeUintegerChecker<uint64_t>(1))
                                .AddAttribute("PacketSize",
                                              "User bytes per packet.",
                                              UintegerValue(1400),
                                              MakeUintegerAccessor(&WaitSource::m_packetSize),
                                              MakeUintegerChecker<uint32_t>(1, 65000))
                                .AddAttribute("Timeout",
                                              "Time without acknowledgement until retransmission.",
                                              TimeValue(Seconds(1)),
                                              MakeTimeAccessor(&WaitSource::m_timeout),
                                              MakeTimeChecker(MilliSeconds(1)));
        return tid;
    }

  private:
    void StartApplication() override
    {
        m_socket = UdpEndpoint::Open(GetNode(), m_remote, 0, 131072);
        if (!m_socket)
        {
            return Fail("the socket cannot be opened");
        }
        m_socket->SetRecvCallback(MakeCallback(&WaitSource::OnAck, this));
        m_report.offeredBytes = m_bytes;
        Begin();
        Send();
    }

    void CancelEvents() override
    {
        m_timer.Cancel();
        UdpEndpoint::Close(m_socket);
    }

    void Send()
    {
        const auto size = std::min<uint64_t>(m_packetSize, m_bytes - m_report.deliveredBytes);
        const auto packet = Create<Packet>(static_cast<uint32_t>(size));
        SeqTsHeader header;
        header.SetSeq(m_number);
        packet->AddHeader(header);
        ++m_report.dataPackets;
        m_socket->Send(packet);
        m_timer = Simulator::Schedule(m_timeout, &WaitSource::OnTimeout, this);
    }

    void OnTimeout()
    {
        ++m_report.retransmittedPackets;
        Send();
    }

    void OnAck(Ptr<Socket> socket)
    {
        const auto packet = socket->Recv();
        SeqTsHeader header;
        if (!packet || packet->GetSize() != header.GetSerializedSize())
        {
            return;
        }
        packet->RemoveHeader(header);
        if (header.GetSeq() != m_number)
        {
            return;
        }
        m_timer.Cancel();
        ++m_number;
        m_report.deliveredBytes = std::min(m_bytes, m_report.deliveredBytes + m_packetSize);
        m_report.lastDelivery = Simulator::Now();
        m_report.deliveredBytes == m_bytes ? Complete() : Send();
    }

    Address m_remote;         //!< Attribute Remote.
    uint64_t m_bytes{0};      //!< Attribute Bytes.
    uint32_t m_packetSize{0}; //!< Attribute PacketSize.
    Time m_timeout;           //!< Attribute Timeout.
    Ptr<Socket> m_socket;     //!< To the sink.
    EventId m_timer;          //!< Of the packet under way.
    uint32_t m_number{0};     //!< Of the packet under way.
};

NS_OBJECT_ENSURE_REGISTERED(WaitSource);

/** @brief Delivers the packets in their order, and acknowledges each by its number. */
class WaitSink : public TransferApplication
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("WaitSink")
                                .SetParent<TransferApplication>()
                                .AddConstructor<WaitSink>()
                                .AddAttribute("Port",
                                              "Port to receive at.",
                                              UintegerValue(9),
                                              MakeUintegerAccessor(&WaitSink::m_port),
                                              MakeUintegerChecker<uint16_t>(1));
        return tid;
    }

  private:
    void StartApplication() override
    {
        const auto receive = MakeCallback(&WaitSink::OnPacket, this);
        const auto failure = UdpEndpoint::Listen(GetNode(), {}, m_port, receive, m_sockets);
        if (!failure.empty())
        {
            Fail(failure);
        }
    }

    void CancelEvents() override
    {
        UdpEndpoint::Close(m_sockets);
    }

    bool IsEndless() const override
    {
        return true;
    }

    void OnPacket(Ptr<Socket> socket)
    {
        Address from;
        const auto packet = socket->RecvFrom(from);
        SeqTsHeader header;
        if (!packet || packet->GetSize() <= header.GetSerializedSize())
        {
            return;
        }
        packet->RemoveHeader(header);
        Begin();
        ++m_report.dataPackets;
        if (header.GetSeq() == m_next)
        {
            ++m_next;
            m_report.deliveredBytes += packet->GetSize();
            m_report.lastDelivery = Simulator::Now();
        }
        const auto ack = Create<Packet>();
        ack->AddHeader(header);
        socket->SendTo(ack, 0, from);
    }

    uint16_t m_port{0};                 //!< Attribute Port.
    std::vector<Ptr<Socket>> m_sockets; //!< Of IPv4 and IPv6.
    uint32_t m_next{0};                 //!< Number of the packet to deliver next.
};

NS_OBJECT_ENSURE_REGISTERED(WaitSink);

// The transport begins here.
/** @brief The transport "WaitTransport". */
class WaitTransport : public ApplicationTransport
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("WaitTransport")
                                .SetParent<ApplicationTransport>()
                                .AddConstructor<WaitTransport>();
        return tid;
    }

    WaitTransport()
        : ApplicationTransport("WaitSource", "WaitSink", SeqTsHeader().GetSerializedSize())
    {
    }
};

NS_OBJECT_ENSURE_REGISTERED(WaitTransport);
