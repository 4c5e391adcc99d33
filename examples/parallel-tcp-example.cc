// SPDX-License-Identifier: GPL-2.0-only

// The shortest parallel TCP program: two nodes, one link with a long delay, one transfer of 20 MB.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-flags.h"
#include "ns3/network-module.h"
#include "ns3/parallel-tcp-helper.h"
#include "ns3/point-to-point-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    lfn::Flags("parallel-tcp-example", "Twenty megabytes over eight TCP connections.")
        .Parse(argc, argv);
    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("55ms"));
    const auto devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    lfn::ParallelTcpHelper parallel;
    parallel.SetSourceAttribute("Bytes", UintegerValue(20'000'000));
    parallel.SetSourceAttribute("Streams", UintegerValue(8));
    parallel.SetSinkAttribute("RcvBufSize", UintegerValue(65536));
    const auto transfer = parallel.Install(nodes.Get(0), nodes.Get(1), addresses.GetAddress(1));

    Simulator::Run();
    const auto& report = transfer.source->GetReport();
    std::cout << (report.completed ? "completed in " : "failed after ")
              << (report.GetEnd() - report.applicationStart).As(Time::S) << ", " << report.variant
              << " connections, " << 1e-6 * report.GoodputBps() << " Mb/s " << report.failure
              << std::endl;
    Simulator::Destroy();
    return report.completed ? 0 : 1;
}
