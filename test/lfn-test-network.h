// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_NETWORK_H
#define LFN_TEST_NETWORK_H

#include "lfn-test-bytes.h"

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"
#include "ns3/lfn-ip-packet-filter.h"
#include "ns3/lfn-link-addresses.h"
#include "ns3/lfn-point-to-point-link.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

/**
 * @file
 * @ingroup lfn
 * Networks that a test can disturb: the link between two hosts, and what it does to packets.
 */

namespace ns3::lfn::tests
{

/** @brief Destroys the simulator behind a test and restores the random seed. */
class TestSimulation
{
  public:
    TestSimulation() = default;

    /**
     * @brief A simulation with seed 1.
     * @param run RngRun
     */
    explicit TestSimulation(uint64_t run)
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(run);
    }

    ~TestSimulation()
    {
        Simulator::Destroy();
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

    TestSimulation(const TestSimulation&) = delete;
    TestSimulation& operator=(const TestSimulation&) = delete;

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
    uint32_t m_seed{RngSeedManager::GetSeed()}; //!< before the test
    uint64_t m_run{RngSeedManager::GetRun()};   //!< before the test
};

/** @brief What becomes of a packet. */
enum class TestFate
{
    PASS,  //!< it arrives
    LOSE,  //!< it does not
    TWICE, //!< it arrives, and a copy later
    LATE,  //!< it arrives later
};

/**
 * @brief Have a frame arrive at a device now, but after this event and unseen by its error model.
 * @param device where
 * @param frame with its PPP header
 * @param delay after this time
 */
inline void
Arrive(Ptr<NetDevice> device, Ptr<const Packet> frame, Time delay = Time(0))
{
    const auto arrive = [device, frame] {
        const auto link = DynamicCast<PointToPointNetDevice>(device);
        PointerValue model;
        link->GetAttribute("ReceiveErrorModel", model);
        link->SetReceiveErrorModel(nullptr);
        link->Receive(frame->Copy());
        link->SetAttribute("ReceiveErrorModel", model);
    };
    Simulator::ScheduleWithContext(device->GetNode()->GetId(), delay, arrive);
}

/**
 * @brief Decide what becomes of all that arrives at a device.
 * @param device the device
 * @param judge decides about a packet with its PPP header
 * @param later how long a packet or its copy is held; read when one is
 */
inline void
Disturb(Ptr<NetDevice> device,
        const std::function<TestFate(Ptr<const Packet> frame)>& judge,
        const Time& later)
{
    const auto model = CreateObject<ScriptedErrorModel>();
    model->DropAll();
    const auto isLost = [device, judge, &later](Ptr<const Packet> frame) {
        const auto fate = judge(frame);
        if (fate == TestFate::TWICE || fate == TestFate::LATE)
        {
            Arrive(device, frame->Copy(), later);
        }
        return fate == TestFate::LOSE || fate == TestFate::LATE;
    };
    model->SetFilter(ScriptedErrorModel::Filter(isLost));
    device->SetAttribute("ReceiveErrorModel", PointerValue(model));
}

/**
 * @brief Read the header that follows the IP header of a frame.
 * @param frame with its PPP header
 * @param protocol number of the protocol
 * @param header the header
 * @return what follows it; null when there is none, or in a fragment other than the first
 */
template <typename H>
Ptr<Packet>
OpenFrame(Ptr<const Packet> frame, uint8_t protocol, H& header)
{
    const auto packet = frame->Copy();
    PppHeader ppp;
    packet->RemoveHeader(ppp);
    Ipv4Header ip;
    Ipv6Header ipv6;
    const bool isIpv4 = ppp.GetProtocol() == 0x0021;
    isIpv4 ? packet->RemoveHeader(ip) : packet->RemoveHeader(ipv6);
    if ((isIpv4 ? ip.GetProtocol() : ipv6.GetNextHeader()) != protocol ||
        (isIpv4 && ip.GetFragmentOffset() != 0))
    {
        return nullptr;
    }
    packet->RemoveHeader(header);
    return packet;
}

/**
 * @brief Get the UDP datagram of a frame.
 * @param frame with its PPP header
 * @param udp the header
 * @return as of OpenFrame()
 */
inline Ptr<Packet>
OpenDatagram(Ptr<const Packet> frame, UdpHeader& udp)
{
    return OpenFrame(frame, 17, udp);
}

/**
 * @brief Make an IP packet with its PPP header.
 * @param from source
 * @param to destination, of the same family
 * @param protocol what follows
 * @param payload it
 * @return the packet as it arrives at a device
 */
inline Ptr<Packet>
MakeFrame(const Address& from, const Address& to, uint8_t protocol, Ptr<const Packet> payload)
{
    const auto packet = payload->Copy();
    const auto size = static_cast<uint16_t>(packet->GetSize());
    PppHeader ppp;
    if (Ipv4Address::IsMatchingType(from))
    {
        Ipv4Header ip;
        ip.SetSource(Ipv4Address::ConvertFrom(from));
        ip.SetDestination(Ipv4Address::ConvertFrom(to));
        ip.SetProtocol(protocol);
        ip.SetTtl(64);
        ip.SetPayloadSize(size);
        packet->AddHeader(ip);
        ppp.SetProtocol(0x0021);
    }
    else
    {
        Ipv6Header ip;
        ip.SetSource(Ipv6Address::ConvertFrom(from));
        ip.SetDestination(Ipv6Address::ConvertFrom(to));
        ip.SetNextHeader(protocol);
        ip.SetHopLimit(64);
        ip.SetPayloadLength(size);
        packet->AddHeader(ip);
        ppp.SetProtocol(0x0057);
    }
    packet->AddHeader(ppp);
    return packet;
}

/**
 * @brief Put a UDP header in front of a payload.
 * @param from source port
 * @param to destination port
 * @param payload what follows
 * @return both
 */
inline Ptr<Packet>
AddUdpHeader(uint16_t from, uint16_t to, Ptr<const Packet> payload)
{
    const auto packet = payload->Copy();
    UdpHeader udp;
    udp.SetSourcePort(from);
    udp.SetDestinationPort(to);
    packet->AddHeader(udp);
    return packet;
}

/**
 * @brief Make a UDP datagram with any addresses, and with its PPP header.
 * @param from source
 * @param to destination
 * @param payload what it holds
 * @return the packet as it arrives at a device
 */
inline Ptr<Packet>
MakeDatagram(const InetSocketAddress& from, const InetSocketAddress& to, Ptr<const Packet> payload)
{
    const auto datagram = AddUdpHeader(from.GetPort(), to.GetPort(), payload);
    return MakeFrame(from.GetIpv4(), to.GetIpv4(), 17, datagram);
}

/// The same over IPv6.
inline Ptr<Packet>
MakeDatagram(const Inet6SocketAddress& from,
             const Inet6SocketAddress& to,
             Ptr<const Packet> payload)
{
    const auto datagram = AddUdpHeader(from.GetPort(), to.GetPort(), payload);
    return MakeFrame(from.GetIpv6(), to.GetIpv6(), 17, datagram);
}

/** @brief What a link is like. */
struct TestLink
{
    std::string rate{"100Mbps"}; //!< in both directions; 80 ns a byte
    Time delay{MilliSeconds(5)}; //!< one way
    bool ipv6{false};            //!< IPv6 instead of IPv4
    uint16_t mtu{1500};          //!< largest IP packet, B
    uint32_t queue{100'000};     //!< in front of each device, packets
};

/**
 * @brief Two hosts on a link without queue discs.
 *
 * Node 0 sends, node 1 receives; data go in direction 0. One network lives at a time.
 */
class TestNetwork : public TestSimulation
{
  public:
    /** @brief A host in addition to the two. */
    struct Host
    {
        Ptr<Node> node;    //!< the host
        Address address;   //!< its address
        Address neighbour; //!< address of the node that it is linked to, on the same link
    };

    /** @brief Says whether a packet with its PPP header is lost. */
    using Loss = std::function<bool(int direction, Ptr<const Packet> packet)>;

    NodeContainer nodes{2};           //!< sender, receiver
    NetDeviceContainer devices;       //!< of each
    std::array<Address, 2> addresses; //!< of each
    Time replayDelay;                 //!< for TestFate::TWICE and TestFate::LATE
    Loss loss;                        //!< what gets lost; may be null, may be changed at any time

    /**
     * @brief A network.
     * @param link what its links are like
     */
    explicit TestNetwork(const TestLink& link = {})
        : m_link(link)
    {
        InternetStackHelper().Install(nodes);
        devices = Connect(nodes.Get(0), nodes.Get(1), link.mtu);
        addresses = Number(devices);
        for (const int direction : {0, 1})
        {
            Disturb(
                GetDevice(direction),
                [this, direction](Ptr<const Packet> frame) { return Judge(direction, frame); },
                replayDelay);
        }
    }

    virtual ~TestNetwork() = default;

    /**
     * @brief Link another host to one of the two.
     * @param to 0 for the sender, 1 for the receiver
     * @param mtu of the new link
     * @return the host
     */
    Host AddHost(uint32_t to = 1, uint16_t mtu = 1500)
    {
        const auto node = CreateObject<Node>();
        InternetStackHelper().Install(node);
        const auto [neighbour, address] = Number(Connect(nodes.Get(to), node, mtu));
        if (m_link.ipv6)
        {
            nodes.Get(to)->GetObject<Ipv6>()->SetAttribute("IpForward", BooleanValue(true));
            const auto other = nodes.Get(1 - to)->GetObject<Ipv6>();
            const auto gateway = Ipv6Address::ConvertFrom(addresses.at(to));
            Ipv6StaticRoutingHelper().GetStaticRouting(other)->SetDefaultRoute(gateway, 1);
        }
        return {node, address, neighbour};
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
     * @brief Lose packet number k of a protocol in a direction.
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
     * @brief Lose packets by a script.
     * @param node the host that receives them
     * @param script their numbers
     * @return the error model, still without a filter
     */
    Ptr<ScriptedErrorModel> Lose(uint32_t node, const std::string& script) const
    {
        auto model = CreateObjectWithAttributes<ScriptedErrorModel>("Drop", StringValue(script));
        Lose(node, model);
        return model;
    }

    /**
     * @brief Lose packets by any error model.
     * @param node the host that receives them
     * @param model the model
     */
    void Lose(uint32_t node, Ptr<ErrorModel> model) const
    {
        devices.Get(node)->SetAttribute("ReceiveErrorModel", PointerValue(model));
    }

    /**
     * @brief Get a host's socket address.
     * @param node its index
     * @param port port
     * @return the address
     */
    Address GetEnd(uint32_t node, uint16_t port) const
    {
        return m_link.ipv6
                   ? Address(Inet6SocketAddress(Ipv6Address::ConvertFrom(addresses[node]), port))
                   : Address(InetSocketAddress(Ipv4Address::ConvertFrom(addresses[node]), port));
    }

  protected:
    /**
     * @brief Decide about a packet.
     * @param direction 0 is that of the data
     * @param frame with its PPP header
     * @return what becomes of it
     */
    virtual TestFate Judge(int direction, Ptr<const Packet> frame)
    {
        return loss && loss(direction, frame) ? TestFate::LOSE : TestFate::PASS;
    }

  private:
    /// Link two nodes.
    NetDeviceContainer Connect(Ptr<Node> one, Ptr<Node> other, uint16_t mtu) const
    {
        const auto channel = CreateObject<PointToPointChannel>();
        channel->SetAttribute("Delay", TimeValue(m_link.delay));
        return InstallLink(one,
                           other,
                           {DataRate(m_link.rate), {QueueSizeUnit::PACKETS, m_link.queue}, mtu},
                           channel);
    }

    /// Give a link its addresses; behind the first one its first node is a router.
    std::array<Address, 2> Number(const NetDeviceContainer& link)
    {
        const auto number = std::to_string(m_networks++);
        std::array<Address, 2> ends;
        if (m_link.ipv6)
        {
            const Ipv6Address network(("2001:db8:" + number + "::").c_str());
            auto interfaces = Ipv6AddressHelper(network, Ipv6Prefix(64)).Assign(link);
            if (m_networks > 1)
            {
                interfaces.SetForwarding(0, true);
                interfaces.SetDefaultRouteInAllNodes(0);
            }
            ends = {interfaces.GetAddress(0, 1), interfaces.GetAddress(1, 1)};
        }
        else
        {
            const Ipv4Address network(("10.0." + number + ".0").c_str());
            const auto interfaces = Ipv4AddressHelper(network, "255.255.255.0").Assign(link);
            ends = {interfaces.GetAddress(0), interfaces.GetAddress(1)};
        }
        RemoveQueueDiscs(link);
        return ends;
    }

    TestLink m_link;        //!< what the links are like
    uint32_t m_networks{0}; //!< in use
};

/**
 * @brief Have a socket listen.
 * @param listener the socket
 * @param at its address and port
 * @param accept called with each connection
 */
inline void
Listen(Ptr<Socket> listener, const Address& at, const std::function<void(Ptr<Socket>)>& accept)
{
    listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                Callback<void, Ptr<Socket>, const Address&>(
                                    [accept](Ptr<Socket> fork, const Address&) { accept(fork); }));
    listener->Bind(at);
    listener->Listen();
}

/**
 * @brief Have a socket read what arrives.
 * @param socket the socket
 * @param read called with the length of each packet; may be null
 */
inline void
Receive(Ptr<Socket> socket, const std::function<void(uint32_t bytes)>& read = nullptr)
{
    socket->SetRecvCallback(Callback<void, Ptr<Socket>>([read](Ptr<Socket> from) {
        while (const auto packet = from->Recv())
        {
            if (read)
            {
                read(packet->GetSize());
            }
        }
    }));
}

/** @brief Counts how applications ended. */
struct TestEnd
{
    uint32_t completed{0}; //!< calls of Completed
    uint32_t failed{0};    //!< calls of Failed
    TransferReport report; //!< what the last call said

    /**
     * @brief Listen to an application.
     * @param application a sender or a receiver
     */
    void Watch(Ptr<TransferApplication> application)
    {
        const auto count = [this](uint32_t& calls) {
            return Callback<void, const TransferReport&>(
                [this, &calls](const TransferReport& ended) {
                    ++calls;
                    report = ended;
                });
        };
        application->TraceConnectWithoutContext("Completed", count(completed));
        application->TraceConnectWithoutContext("Failed", count(failed));
    }
};

} // namespace ns3::lfn::tests

#endif // LFN_TEST_NETWORK_H
