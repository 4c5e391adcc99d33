// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/application-container.h"
#include "ns3/atou-helper.h"
#include "ns3/baseline-helper.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/fec-helper.h"
#include "ns3/jrm-helper.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/long-fat-tcp-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/parallel-tcp-helper.h"
#include "ns3/rbudp-helper.h"
#include "ns3/string.h"
#include "ns3/udt-helper.h"
#include "ns3/uinteger.h"
#include "ns3/vrp-helper.h"
#include "ns3/xcp-helper.h"
#include "ns3/xcp-socket-factory.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

/**
 * @file
 * @ingroup lfn
 * The forms of ns-3 that the helpers have, and the type of service on the wire.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint64_t BYTES = 100'000;                    //!< to send
constexpr int64_t STREAM = 1000;                       //!< the first random stream
constexpr std::array<uint8_t, 2> TOS{0xb8, 0x20};      //!< of sources and of sinks
constexpr std::array<uint16_t, 2> PPP{0x0021, 0x0057}; //!< protocol numbers of IPv4, IPv6

/** @brief What a helper has installed. */
struct Installed
{
    ApplicationContainer sources; //!< on node 0
    ApplicationContainer sinks;   //!< on node 1
    int64_t streams{0};           //!< that AssignStreams() has used
};

/// Installs a transport by its helper.
using Installer = std::function<Installed(TestNetwork& network, bool ipv6)>;

/// Get the TOS byte or traffic class of a frame; nothing when it has no data of a transport.
std::optional<uint8_t>
GetTos(Ptr<const Packet> frame)
{
    const auto packet = frame->Copy();
    PppHeader ppp;
    packet->RemoveHeader(ppp);
    constexpr uint8_t IGMP = 2; // IPv4's ICMP is below, and IPv6's is 58
    constexpr uint8_t ICMPV6 = 58;
    if (ppp.GetProtocol() == PPP[0])
    {
        Ipv4Header ip;
        packet->RemoveHeader(ip);
        return ip.GetProtocol() > IGMP ? std::optional(ip.GetTos()) : std::nullopt;
    }
    Ipv6Header ip;
    packet->RemoveHeader(ip);
    const bool isControl = ip.GetNextHeader() == ICMPV6 || ip.GetNextHeader() == 0;
    return isControl ? std::nullopt : std::optional(ip.GetTrafficClass());
}

/** @brief A transport installed in ns-3's forms delivers, with its type of service on the wire. */
LFN_CASE_OF(HelperTestCase, Installer install, int64_t streams, bool ipv6)
{
    TestNetwork network({"10Mbps", MilliSeconds(5), ipv6});
    std::array<std::set<uint8_t>, 2> seen; // by direction
    network.loss = [&seen](int direction, Ptr<const Packet> frame) {
        if (const auto tos = GetTos(frame))
        {
            seen.at(static_cast<std::size_t>(direction)).insert(*tos);
        }
        return false;
    };
    const auto ends = install(network, ipv6);
    NS_TEST_EXPECT_MSG_EQ(ends.streams, streams, "streams used");
    NS_TEST_ASSERT_MSG_GT(ends.sources.GetN(), 0, "sources");
    NS_TEST_ASSERT_MSG_EQ(ends.sinks.GetN(), 1, "one sink");
    NS_TEST_EXPECT_MSG_EQ(ends.sources.Get(0)->GetNode(), network.nodes.Get(0), "its node");
    NS_TEST_EXPECT_MSG_EQ(ends.sinks.Get(0)->GetNode(), network.nodes.Get(1), "its node");
    auto sources = ends.sources;
    auto sinks = ends.sinks;
    sources.Start(network.GetStart());
    sinks.Start(network.GetStart());
    TestNetwork::Run(Seconds(20));
    const auto sink = DynamicCast<TransferApplication>(ends.sinks.Get(0));
    NS_TEST_EXPECT_MSG_GT_OR_EQ(sink->GetReport().deliveredBytes, BYTES, "every byte");
    NS_TEST_EXPECT_MSG_EQ((seen[0] == std::set<uint8_t>{TOS[0]}), true, "of the source");
    seen[1].insert(TOS[1]); // some sinks send nothing
    NS_TEST_EXPECT_MSG_EQ((seen[1] == std::set<uint8_t>{TOS[1]}), true, "of the sink");
}

/// Install both ends by the forms that all helpers have.
template <typename Helper>
Installed
InstallEnds(Helper helper, const TestNetwork& network, uint16_t port)
{
    helper.SetSourceAttribute("Remote", AddressValue(network.GetEnd(1, port)));
    helper.SetSourceAttribute("Tos", UintegerValue(TOS[0]));
    helper.SetSinkAttribute("Tos", UintegerValue(TOS[1]));
    Installed ends{helper.Install(network.nodes.Get(0)), helper.InstallSink(network.nodes.Get(1))};
    ends.streams = helper.AssignStreams(network.nodes, STREAM);
    return ends;
}

/// Install TCP, UDP or, with another factory of sockets, XCP.
Installed
InstallBaseline(const TestNetwork& network, const std::string& protocol, TypeId factory = {})
{
    BaselineHelper helper(protocol);
    helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
    if (protocol == "Udp")
    {
        helper.SetSourceAttribute("SendRate", StringValue("5Mbps"));
    }
    if (factory != TypeId())
    {
        helper.SetAttribute("SocketFactory", TypeIdValue(factory));
    }
    return InstallEnds(helper, network, helper.GetPort());
}

/// Install RBUDP.
Installed
InstallRbudp(const TestNetwork& network, bool ipv6)
{
    RbudpHelper helper;
    helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
    helper.SetSourceAttribute("SendRate", StringValue("5Mbps"));
    helper.SetSourceAttribute("Ipv6", BooleanValue(ipv6));
    helper.SetAttribute("PayloadSize", UintegerValue(1400));
    helper.SetSinkAttribute("Remote", AddressValue(network.addresses[0]));
    return InstallEnds(helper, network, 0);
}

/// Install JRM.
Installed
InstallJrm(const TestNetwork& network, bool ipv6)
{
    JrmHelper helper;
    helper.AddGroup(ipv6 ? Address(JrmHelper::MakeIpv6Group(0))
                         : Address(Ipv4Address("239.1.0.1")));
    Installed ends;
    helper.SetAttribute("Tos", UintegerValue(TOS[0]));
    ends.sources = helper.Install(network.nodes.Get(0));
    helper.SetAttribute("Tos", UintegerValue(TOS[1]));
    ends.sinks = helper.Install(network.nodes.Get(1));
    ends.streams = JrmHelper::AssignStreams(network.nodes, STREAM);
    helper.SetSourceAttribute("Messages", UintegerValue(100));
    helper.SetSourceAttribute("MessageSize", UintegerValue(BYTES / 100));
    const auto peer = DynamicCast<JrmPeer>(ends.sources.Get(0));
    ends.sources.Add(helper.AddSource(peer));
    return ends;
}

/** @brief ns-3's own applications have the module's TCP by its factory. */
LFN_CASE(LongFatTcpHelperTestCase)
{
    TestNetwork network({"10Mbps", MilliSeconds(5), false});
    const LongFatTcpHelper stack;
    stack.Install(network.nodes);
    stack.Install(network.nodes.Get(0)); // twice does no harm
    const std::string factory = "ns3::lfn::LongFatTcpSocketFactory";
    const auto remote = network.GetEnd(1, 9);
    BulkSendHelper bulk(factory, remote);
    bulk.SetAttribute("MaxBytes", UintegerValue(BYTES));
    bulk.Install(network.nodes.Get(0));
    const auto sinks = PacketSinkHelper(factory, remote).Install(network.nodes.Get(1));
    TestNetwork::Run(Seconds(20));
    const auto sink = DynamicCast<PacketSink>(sinks.Get(0));
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), BYTES, "every byte");
}

/** @brief Devices become ports of XCP, those of nodes without traffic control do not. */
LFN_CASE(XcpHelperTestCase)
{
    TestNetwork network({"10Mbps", MilliSeconds(5), false});
    auto devices = network.devices;
    const auto bare = CreateObject<PointToPointNetDevice>();
    CreateObject<Node>()->AddDevice(bare);
    devices.Add(bare);
    XcpHelper helper;
    helper.SetAttribute("OverheadBytes", UintegerValue(7));
    const auto discs = helper.Install(devices);
    NS_TEST_ASSERT_MSG_EQ(discs.GetN(), 2, "a disc per port");
    UintegerValue overhead;
    discs.Get(1)->GetAttribute("OverheadBytes", overhead);
    NS_TEST_EXPECT_MSG_EQ(overhead.Get(), 7, "with its Attribute");
}

/** @brief Several nodes at once, each with its own application, and a port for all. */
LFN_CASE(ManyNodesTestCase)
{
    TestNetwork network({"10Mbps", MilliSeconds(5), false});
    ParallelTcpHelper helper;
    helper.SetPort(4000);
    helper.SetAttribute("CheckContent", BooleanValue(true));
    const auto sinks = helper.InstallSink(network.nodes);
    NS_TEST_ASSERT_MSG_EQ(sinks.GetN(), 2, "a sink per node");
    const auto transfer = helper.Install(network.nodes.Get(0), network.nodes.Get(1), {});
    NS_TEST_EXPECT_MSG_EQ(helper.AssignStreams(network.nodes, STREAM), 4, "one per connection");
    BooleanValue isChecked;
    UintegerValue port;
    for (const auto& sink : {sinks.Get(0), sinks.Get(1), Ptr<Application>(transfer.sink)})
    {
        sink->GetAttribute("CheckContent", isChecked);
        sink->GetAttribute("Port", port);
        NS_TEST_EXPECT_MSG_EQ(isChecked.Get(), true, "an Attribute of both ends");
        NS_TEST_EXPECT_MSG_EQ(port.Get(), 4000, "the port of all");
    }
    transfer.source->GetAttribute("CheckContent", isChecked);
    NS_TEST_EXPECT_MSG_EQ(isChecked.Get(), true, "an Attribute of both ends");
    VrpHelper vrp;
    NS_TEST_EXPECT_MSG_EQ(vrp.Install(network.nodes).GetN(), 4, "senders with their frames");
}

/** @brief ECN works with any DSCP (TCP-D38): data are ECT, handshakes and ACKs are not. */
LFN_CASE_OF(TosAndEcnTestCase, bool ipv6, bool isNs3)
{
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    Config::SetDefault("ns3::lfn::LongFatTcpSocket::Ns3Faults", BooleanValue(isNs3));
    TestNetwork network({"10Mbps", MilliSeconds(5), ipv6});
    std::array<std::set<uint8_t>, 2> seen; // by direction
    network.loss = [&seen](int direction, Ptr<const Packet> frame) {
        if (const auto tos = GetTos(frame))
        {
            seen.at(static_cast<std::size_t>(direction)).insert(*tos);
        }
        return false;
    };
    BaselineHelper helper("Tcp");
    helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
    helper.SetAttribute("Tos", UintegerValue(0xbb)); // the two bits are TCP's
    const auto ends =
        helper.Install(network.nodes.Get(0), network.nodes.Get(1), network.addresses[1]);
    ends.source->SetStartTime(network.GetStart());
    TestNetwork::Run(Seconds(20));
    NS_TEST_EXPECT_MSG_EQ(ends.sink->GetReport().deliveredBytes, BYTES, "every byte");
    std::set<uint8_t> expected{0xb8, 0xba};
    if (isNs3)
    {
        expected.erase(0xba);
    }
    NS_TEST_EXPECT_MSG_EQ((seen[0] == expected), true, "SYN and data");
    NS_TEST_EXPECT_MSG_EQ((seen[1] == std::set<uint8_t>{0xb8}), true, "ACKs");
}

/** @brief Both ends of a pair have one port, however it is given. */
class PortsTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        Check(BaselineHelper("Tcp"));
        Check(BaselineHelper("Udp"));
        Check(ParallelTcpHelper());
        Check(FecHelper());
        Check(UdtHelper());
        Check(VrpHelper());
    }

    /// Install a pair in each way.
    template <typename Helper>
    void Check(Helper helper)
    {
        const TestNetwork network({"10Mbps", MilliSeconds(5), false});
        const auto check = [&](const Address& remote, uint16_t expected) {
            const auto ends = helper.Install(network.nodes.Get(0), network.nodes.Get(1), remote);
            UintegerValue port;
            AddressValue to;
            ends.sink->GetAttribute("Port", port);
            ends.source->GetAttribute("Remote", to);
            NS_TEST_EXPECT_MSG_EQ(port.Get(), expected, "the sink's");
            NS_TEST_EXPECT_MSG_EQ(UdpEndpoint::GetPort(to.Get()).value(), expected, "the source's");
        };
        check(network.addresses[1], helper.GetPort());
        check(network.GetEnd(1, 9000), 9000);
        helper.SetSinkAttribute("Port", UintegerValue(77));
        check(network.addresses[1], 77);
        helper.SetPort(78);
        check(network.addresses[1], 78);
        check(network.GetEnd(1, 9001), 9001);
    }
};

/// Suite of the helpers.
const Suite g_suite("lfn-helpers", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const auto add = [&suite](const std::string& name, int64_t streams, const Installer& install) {
        for (const bool ipv6 : {false, true})
        {
            suite.Add(
                new HelperTestCase(name + (ipv6 ? " over IPv6" : ""), install, streams, ipv6));
        }
    };
    add("tcp", 1, [](const auto& network, bool) { return InstallBaseline(network, "Tcp"); });
    add("udp", 0, [](const auto& network, bool) { return InstallBaseline(network, "Udp"); });
    add("xcp", 1, [](const auto& network, bool) {
        XcpHelper::Install(network.nodes);
        return InstallBaseline(network, "Tcp", XcpSocketFactory::GetTypeId());
    });
    add("fec-udp", 1, [](const auto& network, bool) {
        FecHelper helper;
        helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
        helper.SetSourceAttribute("SendRate", StringValue("5Mbps"));
        return InstallEnds(helper, network, helper.GetPort());
    });
    add("parallel-tcp", 4, [](const auto& network, bool) {
        ParallelTcpHelper helper;
        helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
        helper.SetSourceAttribute("ChunkSize", UintegerValue(10'000));
        return InstallEnds(helper, network, helper.GetPort());
    });
    add("rbudp", 0, InstallRbudp);
    add("vrp", 1, [](const auto& network, bool) {
        VrpHelper helper;
        helper.SetFrameSourceAttribute("Bytes", UintegerValue(BYTES));
        return InstallEnds(helper, network, helper.GetPort());
    });
    add("atou", 1, [](const auto& network, bool) {
        AtouHelper helper;
        helper.ReadOptions("rcvrwin 100; maxpkts 80");
        return InstallEnds(helper, network, helper.GetOptions()->port);
    });
    add("udt", 3, [](const auto& network, bool) {
        UdtHelper helper;
        helper.SetSourceAttribute("Bytes", UintegerValue(BYTES));
        return InstallEnds(helper, network, helper.GetPort());
    });
    add("jrm", 6, InstallJrm);
    suite.Add(new LongFatTcpHelperTestCase("sockets for ns-3's applications"));
    suite.Add(new XcpHelperTestCase("ports of XCP"));
    suite.Add(new ManyNodesTestCase("several nodes at once"));
    suite.Add(new PortsTestCase("a port for both ends"));
    for (const bool ipv6 : {false, true})
    {
        const std::string version = ipv6 ? "IPv6" : "IPv4";
        suite.Add(new TosAndEcnTestCase("ECN and a DSCP, " + version, ipv6, false));
        suite.Add(new TosAndEcnTestCase("the same as ns-3, " + version, ipv6, true));
    }
});

} // namespace
