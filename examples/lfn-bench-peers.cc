// SPDX-License-Identifier: GPL-2.0-only

// What ns-3 costs as it ships: its own applications on hosts at the two ends of a chain of routers,
// with nothing of lfn but the reader of the command line. `./waf bench` compares the transports
// with it. The chains are those of lfn's topologies: no router (a link), two (a dumbbell), four (a
// parking lot of three hops).
//
//   lfn-bench-peers --application=bulk --routers=2 --bytes=10000000

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-flags.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>

using namespace ns3;

namespace
{

constexpr uint16_t PORT = 38000; //!< of the receiver

/// What the command line asks for.
struct Request
{
    std::string application{"bulk"};      //!< bulk, udp or onoff
    uint32_t routers{0};                  //!< between the hosts
    bool ipv6{false};                     //!< instead of IPv4
    uint64_t bytes{10'000'000};           //!< user bytes
    uint32_t packetSize{1400};            //!< user bytes per packet
    DataRate rate{90'000'000};            //!< of user bits; not bulk
    std::string outputDir{"bench-peers"}; //!< folder of summary.csv
};

/// Connect the hosts by a chain and return the receiver's address.
Address
Build(const NodeContainer& nodes, const Request& request)
{
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper ipv4("10.1.0.0", "255.255.255.0");
    Ipv6AddressHelper ipv6("2001:1::", Ipv6Prefix(64));
    Ipv6InterfaceContainer interfaces;
    Address receiver;
    const auto links = nodes.GetN() - 1;
    for (uint32_t i = 0; i < links; ++i)
    {
        const bool isAccess = links > 1 && (i == 0 || i == links - 1);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(isAccess ? "500Mbps" : "100Mbps"));
        link.SetChannelAttribute("Delay", TimeValue(MilliSeconds(10) / links));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000p"));
        const auto devices = link.Install(nodes.Get(i), nodes.Get(i + 1));
        if (request.ipv6)
        {
            auto ends = ipv6.Assign(devices);
            ipv6.NewNetwork();
            ends.SetForwarding(0, true);
            ends.SetForwarding(1, true);
            receiver = Inet6SocketAddress(ends.GetAddress(1, 1), PORT);
            interfaces.Add(ends);
        }
        else
        {
            const auto ends = ipv4.Assign(devices);
            ipv4.NewNetwork();
            receiver = InetSocketAddress(ends.GetAddress(1), PORT);
        }
    }
    if (!request.ipv6)
    {
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        return receiver;
    }
    Ipv6StaticRoutingHelper helper;
    for (uint32_t i = 0; i < links; ++i)
    {
        // Each node's last interface leads to the right, its first to the left.
        const auto left = nodes.Get(i)->GetObject<Ipv6>();
        helper.GetStaticRouting(left)->SetDefaultRoute(interfaces.GetAddress(2 * i + 1, 0),
                                                       left->GetNInterfaces() - 1);
        if (i > 0)
        {
            const auto right = nodes.Get(i + 1)->GetObject<Ipv6>();
            helper.GetStaticRouting(right)->AddNetworkRouteTo(Ipv6Address("2001:1::"),
                                                              Ipv6Prefix(64),
                                                              interfaces.GetAddress(2 * i, 0),
                                                              1);
        }
    }
    return receiver;
}

/// Install the application at both ends; the receiver's is returned.
Ptr<Application>
Install(const NodeContainer& nodes, const Address& receiver, const Request& request)
{
    const auto sender = nodes.Get(0);
    const auto sink = nodes.Get(nodes.GetN() - 1);
    const auto isBulk = request.application == "bulk";
    const std::string factory = isBulk ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory";
    if (request.application == "udp")
    {
        UdpClientHelper client(receiver);
        const auto packets = (request.bytes + request.packetSize - 1) / request.packetSize;
        client.SetAttribute("MaxPackets", UintegerValue(packets));
        client.SetAttribute("Interval",
                            TimeValue(request.rate.CalculateBytesTxTime(request.packetSize)));
        client.SetAttribute("PacketSize", UintegerValue(request.packetSize));
        client.Install(sender);
        return UdpServerHelper(PORT).Install(sink).Get(0);
    }
    if (isBulk)
    {
        BulkSendHelper bulk(factory, receiver);
        bulk.SetAttribute("MaxBytes", UintegerValue(request.bytes));
        bulk.SetAttribute("SendSize", UintegerValue(request.packetSize));
        bulk.Install(sender);
    }
    else
    {
        OnOffHelper onOff(factory, receiver);
        onOff.SetConstantRate(request.rate, request.packetSize);
        onOff.SetAttribute("MaxBytes", UintegerValue(request.bytes));
        onOff.Install(sender);
    }
    const Address any = request.ipv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT))
                                     : Address(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    return PacketSinkHelper(factory, any).Install(sink).Get(0);
}

} // namespace

int
main(int argc, char* argv[])
{
    Request request;
    lfn::Flags flags("lfn-bench-peers", "ns-3's own applications over a chain of routers.");
    flags.Choice("application",
                 "BulkSend, UdpClient or OnOff of ns-3",
                 request.application,
                 {"bulk", "udp", "onoff"});
    flags.Count("routers", "routers between the two hosts", request.routers, 0, 200);
    flags.Switch("ipv6", "IPv6 instead of IPv4", request.ipv6);
    // UdpClient counts packets with 32 bits, and takes at least 12 bytes.
    flags.Bytes("bytes",
                "user bytes",
                request.bytes,
                1,
                uint64_t{12} * std::numeric_limits<uint32_t>::max());
    flags.Bytes("packetSize", "user bytes per packet", request.packetSize, 12, 65487);
    flags.Rate("rate", "rate of user bits, not bulk", request.rate);
    flags.Text("outputDir", "folder of summary.csv", request.outputDir);
    flags.Parse(argc, argv);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(request.packetSize));

    NodeContainer nodes;
    nodes.Create(request.routers + 2);
    const auto application = Install(nodes, Build(nodes, request), request);
    Simulator::Run();
    const auto server = DynamicCast<UdpServer>(application);
    const auto delivered = server ? server->GetReceived() * request.packetSize
                                  : DynamicCast<PacketSink>(application)->GetTotalRx();
    Simulator::Destroy();

    std::error_code error;
    std::filesystem::create_directories(request.outputDir, error);
    std::ofstream file(request.outputDir + "/summary.csv");
    file << "delivered_bytes\n" << delivered << "\n";
    if (!file.flush())
    {
        std::cerr << "lfn-bench-peers: --outputDir=" << request.outputDir
                  << ": cannot write, name a folder that can be written to\n";
        return 1;
    }
    return 0;
}
