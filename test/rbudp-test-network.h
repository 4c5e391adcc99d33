// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_TEST_NETWORK_H
#define RBUDP_TEST_NETWORK_H

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-ip-packet-filter.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-transfer-report.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/rbudp-helper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

/**
 * @file
 * @ingroup lfn-rbudp
 * ns3::lfn::tests::RbudpTestNetwork: whole stacks on a link that a test can disturb.
 */

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-rbudp
 * @brief Counts how an application ended.
 */
struct RbudpTestEnd
{
    uint32_t completed{0}; //!< calls of Completed
    uint32_t failed{0};    //!< calls of Failed
    TransferReport report; //!< what the call said

    /**
     * @brief Listen to an application.
     * @param application a sender or a receiver
     */
    void Watch(Ptr<TransferApplication> application)
    {
        application->TraceConnectWithoutContext(
            "Completed",
            Callback<void, const TransferReport&>([this](const TransferReport& ended) {
                ++completed;
                report = ended;
            }));
        application->TraceConnectWithoutContext(
            "Failed",
            Callback<void, const TransferReport&>([this](const TransferReport& ended) {
                ++failed;
                report = ended;
            }));
    }
};

/**
 * @ingroup lfn-rbudp
 * @brief Two hosts on a point-to-point link without queue discs, and a transfer between them.
 *
 * Node 0 sends, node 1 receives. One network lives at a time: it destroys the simulator behind
 * it and restores the random seed.
 */
class RbudpTestNetwork
{
  public:
    /** @brief What the link is like. */
    struct Link
    {
        std::string rate{"1Gbps"};   //!< in both directions
        Time delay{MilliSeconds(5)}; //!< one way
        uint16_t mtu{1500};          //!< largest IP packet, B
        bool ipv6{false};            //!< IPv6 instead of IPv4
    };

    /** @brief Says whether a packet with its PPP header is lost; direction 0 is that of the data.
     */
    using Loss = std::function<bool(int direction, Ptr<const Packet> packet)>;

    NodeContainer nodes;              //!< sender, receiver
    NetDeviceContainer devices;       //!< of each
    std::array<Address, 2> addresses; //!< of each
    RbudpHelper helper;               //!< makes the transfer; content is checked
    RbudpHelper::Transfer transfer;   //!< the ends, after Install()
    RbudpTestEnd sender;              //!< how the sender ended
    RbudpTestEnd receiver;            //!< how the receiver ended
    Loss loss;                        //!< what gets lost; may be changed at any time
    bool ipv6{false};                 //!< which IP

    /** @brief A third node. */
    struct Third
    {
        Ptr<Node> node;    //!< the node
        Address address;   //!< its address
        Address neighbour; //!< address of the node that it is linked to, on the same link
    };

    /** @brief A network with the usual link. */
    RbudpTestNetwork()
        : RbudpTestNetwork(Link())
    {
    }

    /**
     * @brief A network.
     * @param link what its link is like
     */
    explicit RbudpTestNetwork(const Link& link)
        : ipv6(link.ipv6),
          m_seed(RngSeedManager::GetSeed()),
          m_run(RngSeedManager::GetRun())
    {
        nodes.Create(2);
        PointToPointHelper pointToPoint;
        pointToPoint.SetDeviceAttribute("DataRate", StringValue(link.rate));
        pointToPoint.SetDeviceAttribute("Mtu", UintegerValue(link.mtu));
        pointToPoint.SetChannelAttribute("Delay", TimeValue(link.delay));
        pointToPoint.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
        devices = pointToPoint.Install(nodes);
        InternetStackHelper().Install(nodes);
        if (ipv6)
        {
            Ipv6AddressHelper numbering("2001:db8::", Ipv6Prefix(64));
            const auto interfaces = numbering.Assign(devices);
            addresses = {interfaces.GetAddress(0, 1), interfaces.GetAddress(1, 1)};
        }
        else
        {
            Ipv4AddressHelper numbering("10.0.0.0", "255.255.255.0");
            const auto interfaces = numbering.Assign(devices);
            addresses = {interfaces.GetAddress(0), interfaces.GetAddress(1)};
        }
        TrafficControlHelper().Uninstall(devices);
        for (const int direction : {0, 1})
        {
            const auto model = CreateObject<ScriptedErrorModel>();
            model->DropAll();
            model->SetFilter(
                ScriptedErrorModel::Filter([this, direction](Ptr<const Packet> packet) {
                    return loss && loss(direction, packet);
                }));
            // The data arrive at the device of node 1.
            devices.Get(1 - direction)->SetAttribute("ReceiveErrorModel", PointerValue(model));
        }
        helper.SetSenderAttribute("CheckContent", BooleanValue(true));
        helper.SetReceiverAttribute("CheckContent", BooleanValue(true));
    }

    ~RbudpTestNetwork()
    {
        Simulator::Destroy();
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

    RbudpTestNetwork(const RbudpTestNetwork&) = delete;
    RbudpTestNetwork& operator=(const RbudpTestNetwork&) = delete;

    /**
     * @brief Link a third node to one of the two.
     * @param to 0 for the sender, 1 for the receiver
     * @param mtu of the new link
     * @return the node; with IPv6 it is reached through the other one
     */
    Third AddNode(uint32_t to, uint16_t mtu)
    {
        const auto node = CreateObject<Node>();
        PointToPointHelper pointToPoint;
        pointToPoint.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
        pointToPoint.SetDeviceAttribute("Mtu", UintegerValue(mtu));
        pointToPoint.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
        const auto link = pointToPoint.Install(nodes.Get(to), node);
        InternetStackHelper().Install(node);
        Third third{node, Address(), Address()};
        if (ipv6)
        {
            Ipv6AddressHelper numbering("2001:db8:1::", Ipv6Prefix(64));
            auto interfaces = numbering.Assign(link);
            interfaces.SetForwarding(0, true);
            interfaces.SetDefaultRouteInAllNodes(0);
            third.neighbour = interfaces.GetAddress(0, 1);
            third.address = interfaces.GetAddress(1, 1);
            const auto toRouter = nodes.Get(1 - to)->GetObject<Ipv6>();
            Ipv6StaticRoutingHelper().GetStaticRouting(toRouter)->SetDefaultRoute(
                Ipv6Address::ConvertFrom(addresses.at(to)),
                1);
            nodes.Get(to)->GetObject<Ipv6>()->SetForwarding(1, true);
        }
        else
        {
            Ipv4AddressHelper numbering("10.0.1.0", "255.255.255.0");
            const auto interfaces = numbering.Assign(link);
            third.neighbour = interfaces.GetAddress(0);
            third.address = interfaces.GetAddress(1);
        }
        TrafficControlHelper().Uninstall(link);
        return third;
    }

    /**
     * @brief Install the transfer, to be started at GetStart().
     * @param bytes of the payload; 0 to hand payloads over
     * @param sendRate B_send
     * @param third where the receiver goes; node 1 when it is not given
     */
    void Install(uint64_t bytes, const std::string& sendRate = "600Mbps", const Third& third = {})
    {
        helper.SetSenderAttribute("Bytes", UintegerValue(bytes));
        helper.SetSenderAttribute("SendRate", StringValue(sendRate));
        transfer = helper.Install(nodes.Get(0),
                                  addresses[0],
                                  third.node ? third.node : nodes.Get(1),
                                  third.node ? third.address : addresses[1]);
        transfer.sender->SetStartTime(GetStart());
        transfer.receiver->SetStartTime(GetStart());
        sender.Watch(transfer.sender);
        receiver.Watch(transfer.receiver);
    }

    /**
     * @brief When transfers start: IPv6 addresses have to be checked first.
     * @return time of the simulation
     */
    Time GetStart() const
    {
        return ipv6 ? Seconds(3) : Seconds(0);
    }

    /**
     * @brief Run the simulation to its end.
     * @param limit but no longer than this
     */
    void Run(Time limit = Seconds(1000))
    {
        Simulator::Stop(limit);
        Simulator::Run();
    }

    /**
     * @brief Lose packets number k in a direction that are of a protocol.
     * @param direction 0 is that of the data
     * @param protocol 6 for TCP, 17 for UDP
     * @param k from 1
     */
    void LoseOne(int direction, uint8_t protocol, uint64_t k)
    {
        loss = [=, seen = uint64_t{0}](int towards, Ptr<const Packet> packet) mutable {
            return towards == direction && IpPacketFilter{protocol}.Matches(packet) && ++seen == k;
        };
    }

    /**
     * @brief Lose everything for a while.
     * @param from when the link goes down
     * @param until when it comes back
     */
    void Cut(Time from, Time until)
    {
        loss = [=](int, Ptr<const Packet>) {
            return Simulator::Now() >= from && Simulator::Now() < until;
        };
    }

    /**
     * @brief Ask for a good end on both sides.
     * @param bytes that were to be delivered
     * @return true when both completed, once, and everything was delivered byte by byte
     */
    bool IsDelivered(uint64_t bytes) const
    {
        return sender.completed == 1 && sender.failed == 0 && receiver.completed == 1 &&
               receiver.failed == 0 && receiver.report.deliveredBytes == bytes &&
               sender.report.offeredBytes == bytes;
    }

    /**
     * @brief Describe how both sides ended.
     * @return for a test's message
     */
    std::string Describe() const
    {
        const auto describe = [](const RbudpTestEnd& end) {
            return std::to_string(end.completed) + " completed, " + std::to_string(end.failed) +
                   " failed '" + end.report.failure + "' at " +
                   std::to_string(end.report.finish.GetSeconds()) + " s with " +
                   std::to_string(end.report.deliveredBytes) + " of " +
                   std::to_string(end.report.offeredBytes) + " B";
        };
        return "sender " + describe(sender) + "; receiver " + describe(receiver);
    }

  private:
    uint32_t m_seed; //!< before the test
    uint64_t m_run;  //!< before the test
};

} // namespace ns3::lfn::tests

#endif // RBUDP_TEST_NETWORK_H
