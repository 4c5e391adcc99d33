// SPDX-License-Identifier: GPL-2.0-only

// The shortest VRP program: two nodes, one lossy link. One sender sends a frame of bytes with a
// loss tolerance of its own, another one 1 MB of which only the size matters.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-flags.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/vrp-helper.h"

#include <iostream>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint8_t LETTER = 'x'; //!< every byte of the first sender's frame

/// The sender's side: what the network did to a frame.
void
OnSent(const lfn::VrpFrameReport& report)
{
    std::cout << "sent frame of " << report.bytes << " B: " << lfn::ToString(report.state) << " in "
              << (report.finish - report.start).As(Time::MS) << ", " << report.counters.dataPackets
              << " data packets, " << report.counters.nacks << " demanded again, "
              << report.counters.timeouts << " timeouts, " << report.counters.acceptedLosses
              << " losses accepted " << report.failure << std::endl;
}

/// The receiver's side: a frame comes in full size, with nulls where it was lost.
void
OnReceived(const lfn::VrpReceivedFrame& frame)
{
    if (frame.lost.empty())
    {
        return;
    }
    std::cout << "received frame of " << frame.bytes << " B, lost:";
    for (const auto& gap : frame.lost)
    {
        std::cout << " " << gap.offset << " to " << gap.offset + gap.size - 1;
    }
    if (frame.data && frame.data->front() == LETTER)
    {
        std::cout << "; byte " << frame.lost[0].offset << " is "
                  << int{frame.data->at(frame.lost[0].offset)};
    }
    std::cout << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    lfn::Flags("vrp-example", "Frames by VRP over a link that loses packets.").Parse(argc, argv);
    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    link.SetChannelAttribute("Delay", StringValue("30ms"));
    const auto devices = link.Install(nodes);
    const auto loss = CreateObject<RateErrorModel>();
    loss->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
    loss->SetAttribute("ErrorRate", DoubleValue(0.05));
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    lfn::VrpHelper vrp;
    vrp.SetSinkAttribute("KeepData", BooleanValue(true));
    const auto receiver = vrp.AddSink(nodes.Get(1));
    receiver->SetReceive(MakeCallback(&OnReceived));

    // Bytes: a frame that may lose a quarter, at most 4 kB in a row, and never its first kB.
    const std::vector<uint8_t> bytes(102400, LETTER);
    lfn::VrpFrame frame;
    frame.bytes = static_cast<uint32_t>(bytes.size());
    frame.data = Create<Packet>(bytes.data(), frame.bytes);
    frame.tolerance.maxLossRate = 0.25;
    frame.tolerance.maxBurst = 4096;
    frame.tolerance.critical.push_back({0, 1024});
    const auto sender = vrp.AddSource(nodes.Get(0), addresses.GetAddress(1));
    sender->SendFrame(frame, MakeCallback(&OnSent));
    sender->Finish();

    // Sizes only: 1 MB in frames of 100 kB, each of which may lose 10 %.
    vrp.SetSourceAttribute("MaxLossRate", DoubleValue(0.1));
    vrp.SetFrameSourceAttribute("Bytes", UintegerValue(1'024'000));
    const auto bulk = vrp.AddSource(nodes.Get(0), addresses.GetAddress(1));
    vrp.AddFrameSource(bulk);

    Simulator::Run();
    const auto& report = bulk->GetReport();
    std::cout << "bulk: " << bulk->GetFrames() << " frames, "
              << (report.completed ? "completed in " : "failed after ")
              << (report.GetEnd() - report.applicationStart).As(Time::S) << " " << report.failure
              << std::endl;
    const bool done = sender->GetReport().completed && report.completed;
    Simulator::Destroy();
    return done ? 0 : 1;
}
