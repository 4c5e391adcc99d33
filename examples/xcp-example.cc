// SPDX-License-Identifier: GPL-2.0-only

// The shortest XCP program: a sender, a router that sets its sending rate, a receiver.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/xcp-helper.h"
#include "ns3/xcp-socket-factory.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    lfn::Flags("xcp-example", "A hundred megabytes by XCP through one router.").Parse(argc, argv);
    NodeContainer nodes(3);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetChannelAttribute("Delay", StringValue("1ms"));
    const auto access = link.Install(nodes.Get(0), nodes.Get(1));
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("49ms"));
    const auto bottleneck = link.Install(nodes.Get(1), nodes.Get(2));
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    addresses.Assign(access);
    addresses.NewNetwork();
    const auto ends = addresses.Assign(bottleneck);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    // The shim at both hosts, and the controller where the router sends into the slow link.
    lfn::XcpHelper xcp;
    xcp.SetAttribute("MaxSize", StringValue("1000p"));
    xcp.InstallPort(bottleneck.Get(0));
    lfn::XcpHelper::Install(NodeContainer(nodes.Get(0), nodes.Get(2)));

    constexpr uint16_t port = 5000;
    const auto factory = TypeIdValue(lfn::XcpSocketFactory::GetTypeId());
    const auto source = CreateObject<lfn::TcpSource>();
    source->SetAttribute("SocketFactory", factory);
    source->SetAttribute("Remote", AddressValue(InetSocketAddress(ends.GetAddress(1), port)));
    source->SetAttribute("Bytes", UintegerValue(100'000'000));
    nodes.Get(0)->AddApplication(source);
    const auto sink = CreateObject<lfn::TcpSink>();
    sink->SetAttribute("SocketFactory", factory);
    sink->SetAttribute("Port", UintegerValue(port));
    // A window of more than the path holds, 1.25 MB.
    sink->SetAttribute("RcvBufSize", UintegerValue(4'000'000));
    source->SetAttribute("SndBufSize", UintegerValue(4'000'000));
    nodes.Get(2)->AddApplication(sink);

    Simulator::Stop(Seconds(60));
    Simulator::Run();
    const auto& report = source->GetReport();
    std::cout << (report.completed ? "completed in " : "failed after ")
              << (report.GetEnd() - report.applicationStart).As(Time::S) << ", "
              << report.retransmittedPackets << " packets retransmitted, "
              << 1e-6 * report.GoodputBps() << " Mb/s " << report.failure << std::endl;
    Simulator::Destroy();
    return report.completed ? 0 : 1;
}
