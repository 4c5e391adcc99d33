// SPDX-License-Identifier: GPL-2.0-only

#include "vrp-transport.h"

#include "vrp-helper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"
#include "ns3/vrp-header.h"

#include <algorithm>
#include <bit>

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(VrpTransport);

TypeId
VrpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::VrpTransport")
                            .SetParent<Transport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<VrpTransport>()
                            .AddAttribute("MaxLossRate",
                                          "Accepted loss, a fraction.",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&VrpTransport::m_maxLossRate),
                                          MakeDoubleChecker<double>(0, 1))
                            .AddAttribute("FrameSize",
                                          "Size of a frame, B.",
                                          UintegerValue(1'000'000),
                                          MakeUintegerAccessor(&VrpTransport::m_frameSize),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("ConcurrentFrames",
                                          "Frames under way at a time.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&VrpTransport::m_concurrent),
                                          MakeUintegerChecker<uint32_t>(1, 64));
    return tid;
}

std::optional<std::string>
VrpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    constexpr double MOST_WINDOW = 32768; // packets, VRP's limit
    const double onTheWay = flow.rtt.GetSeconds() *
                            static_cast<double>(flow.sendRate.GetBitRate()) /
                            (8.0 * flow.packetSize);
    const auto window =
        std::bit_ceil(static_cast<uint32_t>(std::clamp(2 * onTheWay, 64.0, MOST_WINDOW)));
    VrpHelper helper;
    helper.SetPort(flow.port);
    helper.SetSenderAttribute("PacketSize", UintegerValue(flow.packetSize));
    helper.SetSenderAttribute("WindowSize", UintegerValue(window));
    helper.SetSenderAttribute("MaxLossRate", DoubleValue(m_maxLossRate));
    helper.SetSenderAttribute("InterfaceRate", DataRateValue(flow.sendRate));
    helper.SetReceiverAttribute("MaxGap", UintegerValue(std::max(4096U, window)));
    helper.SetReceiverAttribute("CheckContent", BooleanValue(flow.checkContent));
    helper.SetSourceAttribute("Bytes", UintegerValue(flow.bytes));
    helper.SetSourceAttribute("FrameSize", UintegerValue(m_frameSize));
    helper.SetSourceAttribute("ConcurrentFrames", UintegerValue(m_concurrent));
    helper.SetSourceAttribute("CheckContent", BooleanValue(flow.checkContent));
    ends.sink = helper.InstallReceiver(flow.receiver);
    const auto sender =
        helper.InstallSender(flow.sender, InetSocketAddress(flow.receiverAddress, flow.port));
    sender->AssignStreams(flow.stream);
    ends.source = sender;
    sender->SetStartTime(flow.start);
    helper.InstallSource(sender)->SetStartTime(flow.start);
    return std::nullopt;
}

TransferReport
VrpTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    report.controlPackets += ends.sink->GetReport().controlPackets;
    return report;
}

FlowWitness::Bounds
VrpTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    // Opening and closing of frames, and pings, go to the same port.
    const auto& sent = ends.source->GetReport();
    FlowWitness::Bounds bounds;
    bounds.headerBytes = VrpHeader::SIZE;
    bounds.surplusPackets = sent.controlPackets;
    bounds.surplusBytes = (sent.retransmittedPackets + sent.controlPackets) * flow.packetSize;
    if (!sent.completed)
    {
        bounds.surplusBytes += uint64_t{m_frameSize} * m_concurrent; // of frames under way
    }
    return bounds;
}

} // namespace ns3::lfn
