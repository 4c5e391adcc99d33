// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TEST_NETWORK_H
#define ATOU_TEST_NETWORK_H

#include "ns3/atou-header.h"
#include "ns3/atou-helper.h"
#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-header.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-atou
 * ns3::lfn::tests::AtouTestNetwork: whole stacks on a link that a test can disturb.
 */

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-atou
 * @brief Two hosts on a point-to-point link without queue discs: node 0 sends, node 1 receives.
 *
 * One network lives at a time: it destroys the simulator behind it and restores the random seed.
 */
class AtouTestNetwork
{
  public:
    using Bytes = std::vector<uint8_t>; //!< a datagram's payload

    static constexpr uint16_t PORT = 7890;        //!< the server's
    static constexpr uint16_t CLIENT_PORT = 4000; //!< the client's

    /// What the link is like.
    struct Link
    {
        std::string rate{"100Mbps"};  //!< in both directions
        Time delay{MilliSeconds(10)}; //!< one way
        bool ipv6{false};             //!< IPv6 instead of IPv4
    };

    /// Says whether a packet with its PPP header is lost; direction 0 is that of the data.
    using Loss = std::function<bool(int direction, Ptr<const Packet> packet)>;

    NodeContainer nodes;              //!< client, server
    NetDeviceContainer devices;       //!< of each
    std::array<Address, 2> addresses; //!< of each
    AtouHelper helper;                //!< makes both ends; content is checked
    Ptr<AtouClient> client;           //!< after Install()
    Ptr<AtouServer> server;           //!< after Install()
    Loss loss;                        //!< what gets lost; may be changed at any time

    /// A network with the usual link.
    AtouTestNetwork()
        : AtouTestNetwork(Link())
    {
    }

    /// A network.
    explicit AtouTestNetwork(const Link& link)
        : m_link(link),
          m_seed(RngSeedManager::GetSeed()),
          m_run(RngSeedManager::GetRun())
    {
        nodes.Create(2);
        PointToPointHelper pointToPoint;
        pointToPoint.SetDeviceAttribute("DataRate", StringValue(link.rate));
        pointToPoint.SetChannelAttribute("Delay", TimeValue(link.delay));
        pointToPoint.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
        devices = pointToPoint.Install(nodes);
        InternetStackHelper().Install(nodes);
        if (link.ipv6)
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
            GetDevice(direction)->SetAttribute("ReceiveErrorModel", PointerValue(model));
        }
        helper.SetClientAttribute("CheckContent", BooleanValue(true));
        helper.SetServerAttribute("CheckContent", BooleanValue(true));
    }

    ~AtouTestNetwork()
    {
        Simulator::Destroy();
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

    AtouTestNetwork(const AtouTestNetwork&) = delete;
    AtouTestNetwork& operator=(const AtouTestNetwork&) = delete;

    /// Install both ends with options in atou's own words; the server sends SACK blocks if asked.
    void Install(const std::string& words, bool sack = false)
    {
        helper.ReadOptions(words);
        helper.SetServerAttribute("Sack", BooleanValue(sack));
        helper.SetClientAttribute("LocalPort", UintegerValue(CLIENT_PORT));
        server = helper.InstallServer(nodes.Get(1));
        client = helper.InstallClient(nodes.Get(0), addresses[1]);
        server->SetStartTime(GetStart());
        client->SetStartTime(GetStart());
    }

    /// When the ends start: IPv6 addresses have to be checked first.
    Time GetStart() const
    {
        return m_link.ipv6 ? Seconds(3) : Seconds(0);
    }

    /// Run the simulation to its end, but no longer than a limit.
    static void Run(Time limit = Seconds(1000))
    {
        Simulator::Stop(limit);
        Simulator::Run();
    }

    /// Lose everything for a while.
    void Cut(Time from, Time until)
    {
        loss = [=](int, Ptr<const Packet>) {
            return Simulator::Now() >= from && Simulator::Now() < until;
        };
    }

    /// What is wrong with the transfer, which should have completed; empty when nothing is.
    std::string Verify() const
    {
        return Verify(client, server);
    }

    /// What is wrong with a transfer, which should have completed; empty when nothing is.
    static std::string Verify(Ptr<AtouClient> client, Ptr<AtouServer> server)
    {
        const auto& sent = client->GetReport();
        const auto& received = server->GetReport();
        const bool isWhole = sent.deliveredBytes == sent.offeredBytes && sent.offeredBytes > 0 &&
                             received.deliveredBytes == sent.offeredBytes;
        if (sent.completed && sent.failure.empty() && received.failure.empty() && isWhole)
        {
            return "";
        }
        return "client '" + sent.failure + "' at " + std::to_string(sent.finish.GetSeconds()) +
               " s with " + std::to_string(sent.deliveredBytes) + " of " +
               std::to_string(sent.offeredBytes) + " B; server '" + received.failure + "' with " +
               std::to_string(received.deliveredBytes) + " B";
    }

    /// Get the device at the end of a direction; 0 is that of the data.
    Ptr<PointToPointNetDevice> GetDevice(int direction) const
    {
        return DynamicCast<PointToPointNetDevice>(
            devices.Get(static_cast<uint32_t>(1 - direction)));
    }

    /// Get the UDP payload of a packet that is no fragment but the first; empty for none.
    Bytes GetPayload(Ptr<const Packet> packet) const
    {
        const auto copy = packet->Copy();
        PppHeader ppp;
        copy->RemoveHeader(ppp);
        uint8_t protocol = 0;
        if (m_link.ipv6)
        {
            Ipv6Header ip;
            copy->RemoveHeader(ip);
            protocol = ip.GetNextHeader();
        }
        else
        {
            Ipv4Header ip;
            copy->RemoveHeader(ip);
            protocol = ip.GetFragmentOffset() == 0 ? ip.GetProtocol() : 0;
        }
        if (protocol != 17)
        {
            return {};
        }
        UdpHeader udp;
        copy->RemoveHeader(udp);
        Bytes bytes(copy->GetSize());
        copy->CopyData(bytes.data(), copy->GetSize());
        return bytes;
    }

    /// Get the segment number of a data packet, or the next segment of an ACK; 0 for none.
    uint32_t GetNumber(Ptr<const Packet> packet) const
    {
        const auto bytes = GetPayload(packet);
        uint32_t number = 0;
        for (std::size_t i = 8; i < 12 && bytes.size() >= 12; ++i)
        {
            number = (number << 8U) + bytes[i];
        }
        return number;
    }

    /// Put a datagram on the wire (IPv4): it arrives now, but after this event.
    void Inject(int direction, const InetSocketAddress& from, const Bytes& message) const
    {
        const auto packet = Create<Packet>(message.data(), static_cast<uint32_t>(message.size()));
        UdpHeader udp;
        udp.SetSourcePort(from.GetPort());
        udp.SetDestinationPort(direction == 0 ? PORT : CLIENT_PORT);
        packet->AddHeader(udp);
        Ipv4Header ip;
        ip.SetSource(from.GetIpv4());
        ip.SetDestination(
            Ipv4Address::ConvertFrom(addresses.at(static_cast<std::size_t>(1 - direction))));
        ip.SetProtocol(17);
        ip.SetTtl(64);
        ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
        packet->AddHeader(ip);
        PppHeader ppp;
        ppp.SetProtocol(0x0021);
        packet->AddHeader(ppp);
        const auto device = GetDevice(direction);
        Simulator::ScheduleWithContext(device->GetNode()->GetId(), Time(0), [device, packet] {
            device->Receive(packet);
        });
    }

    /// Get the address of the end that sends in a direction (IPv4).
    InetSocketAddress GetEnd(int direction) const
    {
        return {Ipv4Address::ConvertFrom(addresses.at(static_cast<std::size_t>(direction))),
                direction == 0 ? CLIENT_PORT : PORT};
    }

    /// Write a header and a rest as bytes.
    template <typename H>
    static Bytes Write(const H& header, uint32_t rest)
    {
        const auto packet = Create<Packet>(rest);
        packet->AddHeader(header);
        Bytes bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        return bytes;
    }

  private:
    Link m_link;     //!< what the link is like
    uint32_t m_seed; //!< before the test
    uint64_t m_run;  //!< before the test
};

} // namespace ns3::lfn::tests

#endif // ATOU_TEST_NETWORK_H
