// SPDX-License-Identifier: GPL-2.0-only

// The shortest atou program: two nodes, one link with some loss, ten seconds of TCP over UDP with
// options as the original's configuration file has them.

#include "ns3/atou-helper.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-flags.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    lfn::Flags("atou-example", "Ten seconds of atou over a link that loses packets.")
        .Parse(argc, argv);
    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("40ms"));
    const auto devices = link.Install(nodes);
    const auto loss = CreateObject<RateErrorModel>();
    loss->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
    loss->SetAttribute("ErrorRate", DoubleValue(0.0001));
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    lfn::AtouHelper atou;
    // Floyd's growth of long windows, for as long as 10 s.
    if (const auto mistake = atou.ReadOptions("rcvrwin 1000; floyd 1; maxtime 10"))
    {
        std::cerr << *mistake << std::endl;
        return 1;
    }
    const auto transfer = atou.Install(nodes.Get(0), nodes.Get(1), addresses.GetAddress(1));

    Simulator::Run();
    const auto& report = transfer.source->GetReport();
    std::cout << (report.completed ? "completed in " : "failed after ")
              << (report.GetEnd() - report.applicationStart).As(Time::S) << ", "
              << 1e-6 * transfer.sink->GetReport().deliveredBytes << " MB, "
              << report.retransmittedPackets << " packets retransmitted, "
              << 1e-6 * report.GoodputBps() << " Mb/s " << report.failure << std::endl;
    Simulator::Destroy();
    return report.completed ? 0 : 1;
}
