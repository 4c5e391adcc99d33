// SPDX-License-Identifier: GPL-2.0-only

// The shortest UDT program: two nodes, one link with some loss, one transfer of 50 MB.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-flags.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/udt-helper.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    lfn::Flags("udt-example", "Fifty megabytes by UDT over a link that loses packets.")
        .Parse(argc, argv);
    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("10ms"));
    const auto devices = link.Install(nodes);
    const auto loss = CreateObject<RateErrorModel>();
    loss->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
    loss->SetAttribute("ErrorRate", DoubleValue(0.0001));
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    lfn::UdtHelper udt;
    udt.SetSourceAttribute("Bytes", UintegerValue(50'000'000));
    const auto transfer = udt.Install(nodes.Get(0), nodes.Get(1), addresses.GetAddress(1));

    Simulator::Run();
    const auto& report = transfer.source->GetReport();
    std::cout << (report.completed ? "completed in " : "failed after ")
              << (report.finish - report.start).As(Time::S) << ", " << report.retransmittedPackets
              << " packets retransmitted, "
              << 8e-6 * static_cast<double>(report.deliveredBytes) /
                     (report.finish - report.start).GetSeconds()
              << " Mb/s " << report.failure << std::endl;
    Simulator::Destroy();
    return report.completed ? 0 : 1;
}
