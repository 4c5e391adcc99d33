// SPDX-License-Identifier: GPL-2.0-only

#include "fec-udp-source.h"

#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("FecUdpSource");
NS_OBJECT_ENSURE_REGISTERED(FecUdpSource);

TypeId
FecUdpSource::GetTypeId()
{
    static TypeId tid =
        AddAttributes(TypeId("ns3::lfn::FecUdpSource")
                          .SetParent<TransferApplication>()
                          .SetGroupName("Lfn")
                          .AddConstructor<FecUdpSource>(),
                      "10Mbps",
                      1448,
                      MAX_DATAGRAM - FecParityHeader::SIZE)
            .AddAttribute("ParityPort",
                          "Port of the parity at the sink.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&FecUdpSource::m_parityPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("BlockPackets",
                          "Datagrams of data to one of parity (k; Quanta, section 2: 1 to N, "
                          "typically 2 or 3).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FecUdpSource::m_blockPackets),
                          MakeUintegerChecker<uint32_t>(1, FecDataHeader::MAX_COUNT))
            .AddAttribute("Parities",
                          "Parity datagrams of a block (m); as many losses of a block are made "
                          "good. 1: the XOR (Quanta, section 3.2); more: a Reed-Solomon code.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FecUdpSource::m_parities),
                          MakeUintegerChecker<uint32_t>(1, FecDataHeader::MAX_PARITIES))
            .AddAttribute("Interleave",
                          "Blocks whose datagrams are sent in turns (d): a burst of d * m losses "
                          "costs none of them more than m. At most half of the sink's BlockWindow.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FecUdpSource::m_interleave),
                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

FecUdpSource::FecUdpSource()
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_report.protocol = "fec-udp";
}

int64_t
FecUdpSource::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    return 1;
}

void
FecUdpSource::CancelEvents()
{
    NS_LOG_FUNCTION(this);
    UdpSource::CancelEvents();
    if (m_parity)
    {
        m_parity->Close();
        m_parity = nullptr;
    }
}

bool
FecUdpSource::Prepare()
{
    NS_LOG_FUNCTION(this);
    m_parity = OpenSocket(UdpEndpoint::WithPort(m_remote, m_parityPort));
    if (!m_parity)
    {
        return false;
    }
    const uint64_t packets = IsEndless() || m_isOpen ? 0 : (m_bytes - 1) / m_packetSize + 1;
    const uint32_t session = m_random->GetInteger(0, UINT32_MAX);
    m_core = FecSenderCore(m_blockPackets, packets, session, m_parities, m_interleave);
    m_report.variant = std::to_string(m_blockPackets);
    if (m_parities > 1)
    {
        m_report.variant += "+" + std::to_string(m_parities);
    }
    return true;
}

Ptr<Packet>
FecUdpSource::MakeDatagram(Ptr<Packet> payload)
{
    const auto header = m_core.GetNext().Write();
    const auto datagram = Create<Packet>(header.data(), header.size());
    datagram->AddAtEnd(payload);
    return datagram;
}

void
FecUdpSource::OnSent(Ptr<const Packet> payload)
{
    std::vector<uint8_t> bytes(payload->GetSize());
    payload->CopyData(bytes.data(), payload->GetSize());
    if (m_core.Add(bytes))
    {
        for (auto left = m_core.GetParities(); left > 0; --left)
        {
            SendParity();
        }
    }
}

void
FecUdpSource::SendParity()
{
    const auto parity = m_core.TakeParity();
    NS_LOG_LOGIC("a block ends: parity of " << parity.payload.size() << " B");
    const auto header = parity.header.Write();
    const auto datagram = Create<Packet>(header.data(), header.size());
    // Of zeros, as all packets are without CheckContent, ns-3 stores only how many they are.
    datagram->AddAtEnd(m_checkContent ? Create<Packet>(parity.payload.data(), parity.payload.size())
                                      : Create<Packet>(parity.payload.size()));
    // It goes at once; what is next waits for the host.
    m_gate.Admit(Simulator::Now(), Simulator::Now(), static_cast<uint32_t>(parity.payload.size()));
    if (m_parity->Send(datagram) < 0)
    {
        NS_LOG_WARN("send call failed with error " << m_parity->GetErrno());
    }
    ++m_report.controlPackets;
}

} // namespace ns3::lfn
