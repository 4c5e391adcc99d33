// SPDX-License-Identifier: GPL-2.0-only

// The shortest FEC program: two nodes, one link with some loss, one transfer of 10 MB.

#include "ns3/core-module.h"
#include "ns3/fec-helper.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-flags.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    lfn::Flags("fec-example", "Ten megabytes by FEC over a link that loses packets.")
        .Parse(argc, argv);
    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("55ms"));
    const auto devices = link.Install(nodes);
    const auto loss = CreateObject<RateErrorModel>();
    loss->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
    loss->SetAttribute("ErrorRate", DoubleValue(0.019));
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    lfn::FecHelper fec;
    fec.SetSourceAttribute("Bytes", UintegerValue(10'000'000));
    fec.SetSourceAttribute("SendRate", StringValue("50Mbps"));
    fec.SetSourceAttribute("BlockPackets", UintegerValue(2));
    const auto transfer = fec.Install(nodes.Get(0), nodes.Get(1), addresses.GetAddress(1));

    Simulator::Run();
    const auto& report = transfer.source->GetReport();
    const auto& received = transfer.sink->GetReport();
    std::cout << (report.completed ? "completed in " : "failed after ")
              << (report.GetEnd() - report.applicationStart).As(Time::S) << ", "
              << transfer.sink->GetCounters().recovered << " datagrams made good, "
              << report.offeredBytes - received.deliveredBytes << " B of " << report.offeredBytes
              << " lost " << report.failure << std::endl;
    Simulator::Destroy();
    return report.completed ? 0 : 1;
}
