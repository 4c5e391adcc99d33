// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/xcp-l4-protocol.h"
#include "ns3/xcp-port-monitor.h"
#include "ns3/xcp-queue-disc.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What a run shows. */
struct Result
{
    std::vector<double> capacity; //!< before and after the change, [B/s]
    double queue{0};              //!< persistent queue in the end, [B]
    double inputRate{0};          //!< in the end, [B/s]
    uint32_t came{0};             //!< packets at the other end
    bool isOrdered{true};         //!< in the order of sending
};

/// A link at 8 Mb/s, at 16 Mb/s after 0.5 s; 2000 packets per second for one second.
Result
RunOnce(const std::string& deviceQueue, bool counts, uint32_t overhead, double rtt = 0.1)
{
    Result result;
    NodeContainer nodes;
    nodes.Create(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("8Mbps"));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(deviceQueue));
    const auto devices = link.Install(nodes);
    const auto control = CreateObject<TrafficControlLayer>();
    nodes.Get(0)->AggregateObject(control);
    const auto disc = CreateObject<XcpQueueDisc>();
    disc->SetAttribute("CountDeviceQueue", BooleanValue(counts));
    disc->SetAttribute("OverheadBytes", UintegerValue(overhead));
    control->SetRootQueueDiscOnDevice(devices.Get(0), disc);
    uint32_t last = 0;
    ConnectTrace(devices.Get(1), "PhyRxEnd", [&result, &last](Ptr<const Packet> packet) {
        // PPP and IPv4, then source port of TCP behind the congestion header.
        std::array<uint8_t, 44> bytes;
        packet->CopyData(bytes.data(), bytes.size());
        const uint32_t port = bytes[42] << 8 | bytes[43];
        result.isOrdered = result.isOrdered && port == last;
        last = port + 1;
        ++result.came;
    });
    for (uint16_t i = 0; i < 2000; ++i)
    {
        // 938 bytes, 940 with PPP: 15 Mb/s.
        Simulator::Schedule(MicroSeconds(500) * i, [control, device = devices.Get(0), i, rtt] {
            control->Send(
                device,
                MakeXcpItem({.xcp = MakeXcpHeader(1e-3, rtt), .payload = 878, .port = i}));
        });
    }
    for (const double at : {0.4, 0.7})
    {
        Simulator::Schedule(Seconds(at),
                            [&result, disc] { result.capacity.push_back(disc->GetCapacity()); });
    }
    Simulator::Schedule(Seconds(0.5), [device = devices.Get(0)] {
        device->SetAttribute("DataRate", StringValue("16Mbps"));
    });
    Simulator::Schedule(Seconds(0.45), [&result, disc] {
        const auto& account = disc->GetController()->GetAccount();
        result.queue = account.persistentQueue;
        result.inputRate = account.inputRate;
    });
    Pass(Seconds(2));
    Simulator::Destroy();
    return result;
}

/** @brief A port on a real device: its rate, its queue, its overhead. */
LFN_CASE(XcpDevicePortTestCase)
{
    const auto plain = RunOnce("1p", true, 0);
    NS_TEST_ASSERT_MSG_EQ(plain.capacity.size(), 2, "asked twice");
    NS_TEST_EXPECT_MSG_EQ(plain.capacity[0], 1e6, "the device's rate, B/s");
    NS_TEST_EXPECT_MSG_EQ(plain.capacity[1], 2e6, "its rate after the change");
    NS_TEST_EXPECT_MSG_EQ(plain.isOrdered, true, "order");
    NS_TEST_EXPECT_MSG_EQ_TOL(plain.inputRate, 938 * 2000, 938 * 20, "y, IP bytes");
    const auto ppp = RunOnce("1p", true, 2);
    NS_TEST_EXPECT_MSG_EQ_TOL(ppp.inputRate / plain.inputRate, 940 / 938.0, 1e-9, "PPP");
    NS_TEST_EXPECT_MSG_EQ(ppp.came, plain.came, "overhead counts and does nothing");

    // The same backlog, of which 400 packets wait in the device: seen only if counted. A short
    // RTT makes queue intervals of 2 ms, in which the backlog grows by two packets.
    const auto whole = RunOnce("1p", true, 2, 1e-3);
    const auto hidden = RunOnce("400p", false, 2, 1e-3);
    const auto counted = RunOnce("400p", true, 2, 1e-3);
    NS_TEST_EXPECT_MSG_EQ(hidden.isOrdered, true, "order");
    NS_TEST_EXPECT_MSG_EQ_TOL(counted.queue - whole.queue, 0, 3 * 940, "what waits in all");
    NS_TEST_EXPECT_MSG_EQ_TOL(counted.queue - hidden.queue, 400 * 940, 3 * 940, "hidden");
}

LFN_CASE(XcpMonitoredPortTestCase)
{
    // A link, and a monitor of a disc on it that has room for one packet, which is there.
    const auto watch = [&](const Ptr<QueueDisc>& disc) {
        NodeContainer nodes(2);
        const auto devices = PointToPointHelper().Install(nodes);
        auto monitor = std::make_unique<XcpPortMonitor>(devices.Get(0), disc);
        disc->Initialize();
        NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(MakeXcpItem({})), true, "room");
        return monitor;
    };
    // Losses of XCP's and of other packets.
    const auto expect =
        [&](const XcpPortMonitor& monitor, uint64_t xcp, uint64_t rest, const std::string& what) {
            NS_TEST_EXPECT_MSG_EQ(monitor.GetLosses(true).tail, xcp, "XCP's losses, " << what);
            NS_TEST_EXPECT_MSG_EQ(monitor.GetLosses(false).tail, rest, "other losses, " << what);
        };
    const XcpTestPort disc("1p");
    const auto monitor = watch(disc);
    for (const bool ipv6 : {false, true})
    {
        disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(), .ipv6 = ipv6}));
        disc->Enqueue(MakeXcpItem({.ipv6 = ipv6}));
    }
    disc->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader(), .fragmentOffset = 800}));
    expect(*monitor, 3, 2, "right behind the IP header");
    disc->Enqueue(MakeExtended(0, {253, 0, 1, 4, 0, 0, 0, 0}));
    disc->Enqueue(MakeExtended(0, {60, 0, 1, 4, 0, 0, 0, 0, 253, 0, 1, 4, 0, 0, 0, 0}));
    disc->Enqueue(MakeExtended(44, {253, 0, 0, 1, 0, 0, 0, 9}));
    disc->Enqueue(MakeExtended(44, {253, 0, 1, 0, 0, 0, 0, 9})); // a later fragment
    expect(*monitor, 7, 2, "behind extension headers");
    disc->Enqueue(MakeExtended(0, {6, 0, 1, 4, 0, 0, 0, 0}));
    disc->Enqueue(MakeExtended(44, {6, 0, 1, 0, 0, 0, 0, 9}));
    expect(*monitor, 7, 4, "no XCP behind extension headers");

    // A disc that has no number: that of the hosts.
    Config::SetDefault("ns3::lfn::XcpL4Protocol::HeaderProtocol", UintegerValue(254));
    const auto fifo = CreateObject<FifoQueueDisc>();
    fifo->SetMaxSize(QueueSize("1p"));
    const auto other = watch(fifo);
    Config::SetDefault("ns3::lfn::XcpL4Protocol::HeaderProtocol", UintegerValue(253));
    fifo->Enqueue(MakeXcpItem({.protocol = 254}));
    fifo->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
    expect(*other, 1, 1, "of number 254");
    fifo->Dispose();
}

/// A link of 1000 B/s, with or without a disc in front of its queue.
struct Link
{
    explicit Link(bool hasDisc)
    {
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("8kbps"));
        link.SetQueue("ns3::DropTailQueue<Packet>",
                      "MaxSize",
                      StringValue(hasDisc ? "1p" : "100p"));
        device = link.Install(nodes).Get(0);
        control = CreateObject<TrafficControlLayer>();
        nodes.Get(0)->AggregateObject(control);
        if (hasDisc)
        {
            disc = CreateObject<FifoQueueDisc>();
            control->SetRootQueueDiscOnDevice(device, disc);
        }
        monitor = std::make_unique<XcpPortMonitor>(device, disc);
    }

    /// Send packets at a time; sizes are those on the link, PPP's two bytes included.
    void Send(double at, const std::vector<uint32_t>& sizes)
    {
        Simulator::Schedule(Seconds(at) - Simulator::Now(), [this, sizes] {
            for (const auto size : sizes)
            {
                control->Send(device, MakeXcpItem({.payload = size - 42}));
            }
        });
    }

    Ptr<NetDevice> device;                   //!< that sends
    Ptr<TrafficControlLayer> control;        //!< in front of it
    Ptr<QueueDisc> disc;                     //!< or null
    std::unique_ptr<XcpPortMonitor> monitor; //!< of both
};

LFN_CASE(XcpMeanQueueTestCase)
{
    // The means from the last call to a time, from packet seconds and byte seconds.
    const auto expect = [&](Link& link,
                            double until,
                            double packets,
                            double bytes,
                            const std::string& what) {
        const Time length = Seconds(until) - Simulator::Now();
        Pass(length);
        const auto means = link.monitor->Take();
        const double seconds = length.GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(means.queuePackets, packets / seconds, 1e-9, "packets, " << what);
        NS_TEST_EXPECT_MSG_EQ_TOL(means.queueBytes, bytes / seconds, 1e-9, "bytes, " << what);
    };
    {
        // Packets of 1, 0.5 and 0.25 s.
        Link link(false);
        link.Send(0, {1000, 500, 250});
        expect(link, 2, 2 * 1 + 1 * 0.5, 750 * 1 + 250 * 0.5, "device only");
        NS_TEST_EXPECT_MSG_EQ(link.monitor->TakePeak(), 2, "longest queue");
        NS_TEST_EXPECT_MSG_EQ(link.monitor->TakePeak(), 0, "nothing waits");
        link.Send(2.5, {500});
        expect(link, 4, 0, 0, "a packet that need not wait");
        link.Send(4, {1000, 500, 250});
        expect(link, 4.5, 2 * 0.5, 750 * 0.5, "until a packet is being sent");
        XcpPortMonitor late(link.device, nullptr);
        expect(link, 6, 2 * 0.5 + 1 * 0.5, 750 * 0.5 + 250 * 0.5, "from there on");
        const auto bytes = late.Take().queueBytes;
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes, 500 / 1.5, 1e-9, "a monitor that came late");
        Simulator::Destroy();
    }
    {
        // The device's queue takes the second packet, the disc, which sees no PPP, the others.
        Link link(true);
        link.Send(0, {1000, 500, 250, 125});
        expect(link,
               2,
               3 * 1 + 2 * 0.5 + 1 * 0.25,
               (500 + 248 + 123) * 1 + (250 + 123) * 0.5 + 125 * 0.25,
               "disc and device");
        NS_TEST_EXPECT_MSG_EQ(link.monitor->TakePeak(), 3, "longest queue");
        link.Send(2.5, {500});
        expect(link, 4, 0, 0, "a packet that need not wait");
        Simulator::Destroy();
    }
}

/** @brief The output port of an XCP router on a device, and its monitor. */
const Suite g_suite("lfn-xcp-monitor", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new XcpDevicePortTestCase("a point-to-point device with flow control"));
    suite.Add(new XcpMonitoredPortTestCase(
        "losses by class, over IPv4 and behind IPv6's extension headers"));
    suite.Add(new XcpMeanQueueTestCase("mean queues of windows, exactly, with and without a disc"));
});

} // namespace
