// SPDX-License-Identifier: GPL-2.0-only

#include "rbudp-message-log.h"

#include "ns3/enum.h"
#include "ns3/lfn-ip-packet-filter.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/udp-header.h"

namespace ns3::lfn
{

RbudpMessageLog::RbudpMessageLog(RunRecorder& recorder,
                                 const RbudpHelper::Transfer& transfer,
                                 Ptr<NetDevice> arriving)
    : m_recorder(recorder)
{
    const auto connect = [](auto object, const char* trace, const auto& callback) {
        object->TraceConnectWithoutContext(trace, callback);
    };
    EnumValue<RbudpWire> wire;
    transfer.source->GetAttribute("Wire", wire);
    m_wire = wire.Get();
    connect(transfer.source, "Tx", MakeCallback(&RbudpMessageLog::OnData, this).Bind(true));
    connect(transfer.sink, "Rx", MakeCallback(&RbudpMessageLog::OnData, this).Bind(false));
    connect(transfer.source,
            "Message",
            MakeCallback(&RbudpMessageLog::OnMessage, this).Bind(std::string("sender")));
    connect(transfer.sink,
            "Message",
            MakeCallback(&RbudpMessageLog::OnMessage, this).Bind(std::string("receiver")));
    if (DynamicCast<PointToPointNetDevice>(arriving)) // whose frames OnLost() can read
    {
        connect(arriving, "PhyRxDrop", MakeCallback(&RbudpMessageLog::OnLost, this));
    }
}

void
RbudpMessageLog::OnData(bool sent, Ptr<const Packet> packet)
{
    RbudpDataHeader header;
    if (packet->PeekHeader(header) == RbudpDataHeader::SIZE)
    {
        m_recorder.Message(Simulator::Now(),
                           0,
                           sent ? "sender" : "receiver",
                           sent ? "tx" : "rx",
                           "data",
                           sent ? m_sendRound : m_receiveRound,
                           RbudpNumber(header.sequence, m_wire),
                           packet->GetSize() - RbudpDataHeader::SIZE);
    }
}

void
RbudpMessageLog::OnMessage(std::string node,
                           RbudpMessageKind kind,
                           bool sent,
                           uint32_t round,
                           uint64_t bytes)
{
    m_recorder
        .Message(Simulator::Now(), 0, node, sent ? "tx" : "rx", ToString(kind), round, 0, bytes);
    if (kind == RbudpMessageKind::DONE)
    {
        (sent ? m_sendRound : m_receiveRound) = round + 1;
    }
}

void
RbudpMessageLog::OnLost(Ptr<const Packet> frame)
{
    const auto packet = OpenDatagram(frame);
    UdpHeader udp;
    RbudpDataHeader header;
    // A real host may send what is shorter, or in fragments.
    if (packet && packet->GetSize() >= udp.GetSerializedSize() + RbudpDataHeader::SIZE)
    {
        packet->RemoveHeader(udp);
        packet->RemoveHeader(header);
        m_recorder.Message(Simulator::Now(),
                           0,
                           "receiver",
                           "drop",
                           "data",
                           m_receiveRound,
                           RbudpNumber(header.sequence, m_wire),
                           packet->GetSize());
    }
}

} // namespace ns3::lfn
