// SPDX-License-Identifier: GPL-2.0-only

// The shortest RBUDP program: two nodes, one link with some loss, one transfer of 10 MB.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-flags.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/rbudp-helper.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    lfn::Flags("rbudp-example", "Ten megabytes by RBUDP over a link that loses packets.")
        .Parse(argc, argv);
    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetChannelAttribute("Delay", StringValue("50ms"));
    const auto devices = link.Install(nodes);
    const auto loss = CreateObject<RateErrorModel>();
    loss->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
    loss->SetAttribute("ErrorRate", DoubleValue(0.01));
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    lfn::RbudpHelper rbudp;
    rbudp.SetSourceAttribute("Bytes", UintegerValue(10'000'000));
    rbudp.SetSourceAttribute("SendRate", StringValue("600Mbps"));
    const auto transfer =
        rbudp.Install(nodes.Get(0), addresses.GetAddress(0), nodes.Get(1), addresses.GetAddress(1));

    Simulator::Run();
    auto report = transfer.source->GetReport();
    report.MergeReceiver(transfer.sink->GetReport());
    std::cout << (report.completed ? "completed in " : "failed after ")
              << (report.GetEnd() - report.applicationStart).As(Time::S) << ", "
              << transfer.source->GetTotals().blasts << " blasts, " << 1e-6 * report.GoodputBps()
              << " Mb/s " << report.failure << std::endl;
    Simulator::Destroy();
    return report.completed ? 0 : 1;
}
