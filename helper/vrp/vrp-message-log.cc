// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-message-log.h"

#include "ns3/lfn-ip-packet-filter.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

std::optional<VrpHeader>
VrpMessageLog::Peek(Ptr<const Packet> frame, uint16_t port)
{
    const auto packet = OpenDatagram(frame);
    UdpHeader udp;
    VrpHeader header;
    if (!packet || packet->GetSize() < udp.GetSerializedSize() + VrpHeader::SIZE)
    {
        return std::nullopt;
    }
    packet->RemoveHeader(udp);
    if (udp.GetDestinationPort() != port || packet->RemoveHeader(header) == 0)
    {
        return std::nullopt;
    }
    return header;
}

VrpMessageLog::VrpMessageLog(RunRecorder& recorder,
                             const VrpHelper::Transfer& transfer,
                             Ptr<NetDevice> arriving)
    : m_recorder(recorder)
{
    UintegerValue port;
    transfer.sink->GetAttribute("Port", port);
    m_port = static_cast<uint16_t>(port.Get());
    const auto connect = [this](auto application, const std::string& node) {
        for (const auto& [trace, event] : {std::pair("Tx", "tx"), std::pair("Rx", "rx")})
        {
            application->TraceConnectWithoutContext(
                trace,
                MakeCallback(&VrpMessageLog::OnPacket, this).Bind(node, std::string(event)));
        }
    };
    connect(transfer.source, "sender");
    connect(transfer.sink, "receiver");
    if (DynamicCast<PointToPointNetDevice>(arriving)) // whose frames Peek() can read
    {
        arriving->TraceConnectWithoutContext("PhyRxDrop",
                                             MakeCallback(&VrpMessageLog::OnLost, this));
    }
}

void
VrpMessageLog::OnPacket(std::string node, std::string event, Ptr<const Packet> packet)
{
    const auto copy = packet->Copy();
    VrpHeader header;
    if (copy->RemoveHeader(header) == 0)
    {
        return;
    }
    const auto log = [&](const char* what, uint64_t round, uint64_t sequence) {
        m_recorder
            .Message(Simulator::Now(), 0, node, event, what, round, sequence, copy->GetSize());
    };
    if (!header.control)
    {
        log("data", GetRound(header.frame), header.packet);
        return;
    }
    std::vector<uint8_t> bytes(copy->GetSize());
    copy->CopyData(bytes.data(), copy->GetSize());
    const auto control = VrpControl::Read(bytes);
    if (!control)
    {
        return;
    }
    for (const auto& tag : control->tags)
    {
        switch (tag.code)
        {
        case VrpTagCode::PADDING:
            break;
        case VrpTagCode::PING:
        case VrpTagCode::PONG:
            log(ToString(tag.code), 0, 0); // of no frame
            break;
        case VrpTagCode::FRAME_CREATE:
        case VrpTagCode::FRAME_OK:
        case VrpTagCode::FRAME_REFUSED:
        case VrpTagCode::FRAME_CLOSE:
        case VrpTagCode::MISSING_HDR:
            log(ToString(tag.code), GetRound(tag.frame), 0);
            break;
        default:
            log(ToString(tag.code), GetRound(header.frame), tag.packet);
            break;
        }
    }
    if (copy->GetSize() > control->size)
    {
        log("data", GetRound(header.frame), 0);
    }
}

void
VrpMessageLog::OnLost(Ptr<const Packet> frame)
{
    const auto header = Peek(frame, m_port);
    if (header && !header->control)
    {
        m_recorder.Message(Simulator::Now(),
                           0,
                           "receiver",
                           "drop",
                           "data",
                           GetRound(header->frame),
                           header->packet,
                           frame->GetSize());
    }
}

uint64_t
VrpMessageLog::GetRound(uint16_t number)
{
    return m_rounds.emplace(number, m_rounds.size()).first->second;
}

} // namespace ns3::lfn
