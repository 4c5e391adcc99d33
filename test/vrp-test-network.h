// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_NETWORK_H
#define VRP_TEST_NETWORK_H

#include "vrp-test-ledger.h"
#include "vrp-test-sight.h"

#include "ns3/boolean.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"
#include "ns3/vrp-helper.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

/**
 * @file
 * @ingroup lfn-vrp
 * ns3::lfn::tests::VrpTestNetwork: whole stacks on a link that a test can disturb.
 */

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief Two hosts on a point-to-point link without queue discs, and VRP on both.
 *
 * Node 0 sends, node 1 receives; data go in direction 0. One network lives at a time: it destroys
 * the simulator behind it and restores the random seed.
 */
class VrpTestNetwork : public VrpTestLedger
{
  public:
    static constexpr uint16_t PORT = 7667; //!< the receivers'

    /** @brief What the links are like. */
    struct Link
    {
        std::string rate{"100Mbps"}; //!< in both directions; 80 ns a byte
        Time delay{MilliSeconds(5)}; //!< one way
        uint16_t mtu{1500};          //!< largest IP packet, B
        bool ipv6{false};            //!< IPv6 instead of IPv4
    };

    /** @brief What becomes of a packet. */
    enum class Fate
    {
        PASS,  //!< it arrives
        LOSE,  //!< it does not
        TWICE, //!< it arrives, and a copy after replayDelay
        LATE,  //!< it arrives after replayDelay
    };

    /** @brief A host beside the two. */
    struct Host
    {
        Ptr<Node> node;    //!< the host
        Address own;       //!< its address
        Address neighbour; //!< the receiving host's address on the same link
    };

    NodeContainer nodes;              //!< sender, receiver
    NetDeviceContainer devices;       //!< of each
    std::array<Address, 2> addresses; //!< of each
    VrpHelper helper;                 //!< makes the ends; data are kept
    Ptr<VrpReceiver> receiver;        //!< the receiver, after Install()
    Time replayDelay;                 //!< for Fate::TWICE and Fate::LATE

    /** @brief Decides about VRP packets; not asked about fragments but the first. May be null. */
    std::function<Fate(int direction, const VrpTestSight& sight)> judge;
    /** @brief Decides about any packet, which comes with its PPP header. May be null. */
    std::function<bool(int direction, Ptr<const Packet> packet)> loss;

    /** @brief A network with the usual link. */
    VrpTestNetwork()
        : VrpTestNetwork(Link())
    {
    }

    /**
     * @brief A network.
     * @param link what its links are like
     */
    explicit VrpTestNetwork(const Link& link)
        : m_link(link),
          m_seed(RngSeedManager::GetSeed()),
          m_run(RngSeedManager::GetRun())
    {
        nodes.Create(2);
        InternetStackHelper().Install(nodes);
        devices = Connect(nodes.Get(0), nodes.Get(1));
        if (link.ipv6)
        {
            Ipv6AddressHelper numbering("2001:db8::", Ipv6Prefix(64));
            const auto interfaces = numbering.Assign(devices);
            addresses = {interfaces.GetAddress(0, 1), interfaces.GetAddress(1, 1)};
            TrafficControlHelper().Uninstall(devices);
        }
        else
        {
            addresses = Number(devices);
        }
        for (const int direction : {0, 1})
        {
            const auto model = CreateObject<ScriptedErrorModel>();
            model->DropAll();
            model->SetFilter(ScriptedErrorModel::Filter(
                [this, direction](Ptr<const Packet> packet) { return IsLost(direction, packet); }));
            GetDevice(direction)->SetAttribute("ReceiveErrorModel", PointerValue(model));
        }
        helper.SetSenderAttribute("PacketSize", UintegerValue(PACKET));
        helper.SetReceiverAttribute("KeepData", BooleanValue(true));
    }

    ~VrpTestNetwork()
    {
        Simulator::Destroy();
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

    VrpTestNetwork(const VrpTestNetwork&) = delete;
    VrpTestNetwork& operator=(const VrpTestNetwork&) = delete;

    /** @brief Install both ends, to be started at GetStart(). */
    void Install()
    {
        receiver = AddReceiver(GetStart());
        sender = AddSender(GetStart());
    }

    /**
     * @brief Link another host to the receiving one (IPv4).
     * @return the host
     */
    Host AddHost()
    {
        const auto node = CreateObject<Node>();
        InternetStackHelper().Install(node);
        const auto link = Number(Connect(node, nodes.Get(1)));
        return {node, link[0], link[1]};
    }

    /**
     * @brief Install a sender.
     * @param start when it starts
     * @param host where; the sending host when it is not given
     * @return the sender
     */
    Ptr<VrpSender> AddSender(Time start, const Host& host = {})
    {
        const auto added = host.node ? helper.InstallSender(host.node, host.neighbour)
                                     : helper.InstallSender(nodes.Get(0), Address(addresses[1]));
        added->SetStartTime(start);
        m_homes[added] = host.node ? host.own : addresses[0];
        return added;
    }

    /**
     * @brief Install a receiver on the receiving host.
     * @param start when it starts
     * @return the receiver, whose deliveries are recorded
     */
    Ptr<VrpReceiver> AddReceiver(Time start)
    {
        const auto added = helper.InstallReceiver(nodes.Get(1));
        added->SetStartTime(start);
        Watch(added);
        return added;
    }

    /**
     * @brief Use another PacketSize from now on; holes are not counted in packets then.
     * @param bytes the size
     */
    void SetPacketSize(uint32_t bytes)
    {
        helper.SetSenderAttribute("PacketSize", UintegerValue(bytes));
        m_otherPacketSize = true;
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
     * @brief Get the device at the end of a direction.
     * @param direction 0 is that of the data
     * @return the device
     */
    Ptr<PointToPointNetDevice> GetDevice(int direction) const
    {
        return DynamicCast<PointToPointNetDevice>(
            devices.Get(static_cast<uint32_t>(1 - direction)));
    }

    /**
     * @brief When the ends start: IPv6 addresses have to be checked first.
     * @return time of the simulation
     */
    Time GetStart() const
    {
        return m_link.ipv6 ? Seconds(3) : Seconds(0);
    }

    /**
     * @brief Run the simulation to its end.
     * @param limit but no longer than this
     */
    static void Run(Time limit = Seconds(1000))
    {
        Simulator::Stop(limit);
        Simulator::Run();
    }

  private:
    /**
     * @brief Link two nodes.
     * @param one a node
     * @param other a node
     * @return their devices
     */
    NetDeviceContainer Connect(Ptr<Node> one, Ptr<Node> other) const
    {
        PointToPointHelper pointToPoint;
        pointToPoint.SetDeviceAttribute("DataRate", StringValue(m_link.rate));
        pointToPoint.SetDeviceAttribute("Mtu", UintegerValue(m_link.mtu));
        pointToPoint.SetChannelAttribute("Delay", TimeValue(m_link.delay));
        pointToPoint.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
        return pointToPoint.Install(one, other);
    }

    /**
     * @brief Give a link its IPv4 addresses.
     * @param link its devices
     * @return their addresses
     */
    std::array<Address, 2> Number(const NetDeviceContainer& link)
    {
        const auto network = "10.0." + std::to_string(m_networks++) + ".0";
        Ipv4AddressHelper numbering(Ipv4Address(network.c_str()), "255.255.255.0");
        const auto interfaces = numbering.Assign(link);
        TrafficControlHelper().Uninstall(link);
        return {interfaces.GetAddress(0), interfaces.GetAddress(1)};
    }

    /**
     * @brief Decide about a packet.
     * @param direction 0 is that of the data
     * @param packet with its PPP header
     * @return true when it does not arrive now
     */
    bool IsLost(int direction, Ptr<const Packet> packet)
    {
        if (m_isReplay)
        {
            return false;
        }
        if (loss && loss(direction, packet))
        {
            return true;
        }
        const auto sight = judge ? VrpTestSight::Of(packet, PORT) : std::nullopt;
        const auto fate = sight ? judge(direction, *sight) : Fate::PASS;
        if (fate == Fate::TWICE || fate == Fate::LATE)
        {
            Simulator::Schedule(replayDelay,
                                [this, device = GetDevice(direction), copy = packet->Copy()] {
                                    m_isReplay = true;
                                    device->Receive(copy);
                                    m_isReplay = false;
                                });
        }
        return fate == Fate::LOSE || fate == Fate::LATE;
    }

    Link m_link;            //!< what the links are like
    uint32_t m_networks{0}; //!< IPv4 networks in use
    bool m_isReplay{false}; //!< the packet was held back or is a copy
    uint32_t m_seed;        //!< before the test
    uint64_t m_run;         //!< before the test
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_NETWORK_H
