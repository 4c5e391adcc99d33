// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_TEST_NETWORK_H
#define JRM_TEST_NETWORK_H

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/jrm-peer.h"
#include "ns3/lfn-pattern-payload.h"
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
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-jrm
 * ns3::lfn::tests::JrmTestNetwork: a session around a hub that a test can disturb.
 */

namespace ns3::lfn::tests
{

/** @brief What a test sees of a datagram. */
struct JrmTestSight
{
    uint32_t host{0};            //!< on whose link it is
    bool down{false};            //!< from the hub to the host, or the other way
    JrmHeader header;            //!< its header
    std::vector<uint16_t> asked; //!< PSNs of a NACK request
    uint32_t bytes{0};           //!< what follows the header, B

    /**
     * @brief Tell whether it is a packet of a message, and which one.
     * @param type its kind
     * @return true when it is of that kind
     */
    bool Is(JrmType type) const
    {
        return header.GetType() == type;
    }
};

/**
 * @ingroup lfn-jrm
 * @brief Hosts around a hub, each on a link of 100 Mb/s without queue discs, and JRM on them.
 *
 * Every delivery is compared with what was sent, byte by byte, and counted. One network lives at a
 * time: it destroys the simulator behind it and restores the random seed.
 */
class JrmTestNetwork
{
  public:
    static constexpr uint16_t PORT = 9100;        //!< of the session
    static constexpr uint32_t PACKET_SIZE = 1024; //!< PacketSize, B

    /** @brief What becomes of a datagram. */
    enum class Fate
    {
        PASS,  //!< it arrives
        LOSE,  //!< it does not
        TWICE, //!< it arrives, and a copy after replayDelay
        LATE,  //!< it arrives after replayDelay
    };

    NodeContainer hosts;                         //!< around the hub
    std::map<std::string, std::string> settings; //!< Attributes of the participants to come
    std::vector<Ipv4Address> groups;             //!< that there are
    std::vector<Ptr<JrmPeer>> peers;             //!< in the order of AddPeer()
    std::map<JrmMessageId, uint32_t> sent;       //!< lengths of the messages sent, B
    std::vector<std::map<JrmMessageId, uint32_t>> delivered; //!< how often, by peer
    std::string wrong;                           //!< the first delivery that was not as sent
    Time lastDelivery;                           //!< of all
    Time replayDelay;                            //!< for Fate::TWICE and Fate::LATE
    bool strangers{false}; //!< messages that nobody sent may be delivered, too

    /** @brief Decides about JRM datagrams on the links. May be null. */
    std::function<Fate(const JrmTestSight& sight)> judge;
    /** @brief Called after a delivery. May be null. */
    std::function<void(std::size_t peer, const JrmReceiverCore::Delivery& message)> onDelivery;

    /**
     * @brief A network.
     * @param size hosts
     * @param groupCount multicast groups, routed to all hosts
     * @param delay of a link, one way
     */
    explicit JrmTestNetwork(uint32_t size,
                            uint32_t groupCount = 1,
                            Time delay = MicroSeconds(250))
        : m_seed(RngSeedManager::GetSeed()),
          m_run(RngSeedManager::GetRun())
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        hosts.Create(size);
        const auto hub = CreateObject<Node>();
        InternetStackHelper().Install(hosts);
        InternetStackHelper().Install(hub);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetChannelAttribute("Delay", TimeValue(delay));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
        Ipv4AddressHelper numbering("10.0.0.0", "255.255.255.252");
        for (uint32_t i = 0; i < size; ++i)
        {
            const auto devices = link.Install(hosts.Get(i), hub);
            const auto interfaces = numbering.Assign(devices);
            numbering.NewNetwork();
            TrafficControlHelper().Uninstall(devices);
            Ipv4StaticRoutingHelper routing;
            routing.SetDefaultMulticastRoute(hosts.Get(i), devices.Get(0));
            routing.GetStaticRouting(hosts.Get(i)->GetObject<Ipv4>())
                ->SetDefaultRoute(interfaces.GetAddress(1), 1);
            addresses.push_back(interfaces.GetAddress(0));
            m_hubDevices.Add(devices.Get(1));
            m_hostDevices.Add(devices.Get(0));
            Disturb(i, devices.Get(0), true);
            Disturb(i, devices.Get(1), false);
        }
        for (uint32_t i = 0; i < groupCount; ++i)
        {
            groups.emplace_back(Ipv4Address("224.1.1.1").Get() + i);
            Route(hub, groups.back());
        }
        settings = {{"SendTimeout", "2s"}, {"KeepData", "true"}, {"CheckContent", "true"}};
    }

    ~JrmTestNetwork()
    {
        Simulator::Destroy();
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

    JrmTestNetwork(const JrmTestNetwork&) = delete;
    JrmTestNetwork& operator=(const JrmTestNetwork&) = delete;

    /**
     * @brief Add a participant: now when the simulation runs.
     * @param host where
     * @param start when it starts, from now
     * @param member says by their numbers which groups it joins; all when it is not given
     * @return its index; its number is that of the host, from 1
     */
    std::size_t AddPeer(uint32_t host, Time start = Time(0), std::set<uint32_t> member = {})
    {
        const auto index = peers.size();
        const auto peer = CreateObject<JrmPeer>();
        peer->SetAttribute("Participant", UintegerValue(host + 1));
        peer->SetAttribute("PacketSize", UintegerValue(PACKET_SIZE));
        for (const auto& [name, value] : settings)
        {
            peer->SetAttribute(name, StringValue(value));
        }
        for (uint32_t i = 0; i < groups.size(); ++i)
        {
            if (member.empty() || member.contains(i))
            {
                peer->Join(groups[i]);
            }
        }
        peer->AssignStreams(static_cast<int64_t>(10 + 10 * index));
        peer->SetStartTime(start);
        peer->SetReceive(Callback<void, const JrmReceiverCore::Delivery&>(
            [this, index](const JrmReceiverCore::Delivery& message) { Check(index, message); }));
        delivered.emplace_back();
        peers.push_back(peer);
        hosts.Get(host)->AddApplication(peer);
        return index;
    }

    /** @brief Add a participant on every host. */
    void AddPeers()
    {
        for (uint32_t i = 0; i < hosts.GetN(); ++i)
        {
            AddPeer(i);
        }
    }

    /**
     * @brief Send a message now.
     * @param peer index of the participant
     * @param bytes its length
     * @param group index of its group
     * @return its identity, or nothing when it was refused
     */
    std::optional<JrmMessageId> Send(std::size_t peer, uint32_t bytes, uint32_t group = 0)
    {
        const auto id = peers[peer]->SendMessage(groups[group], bytes);
        if (id)
        {
            sent[*id] = bytes;
        }
        return id;
    }

    /**
     * @brief Send messages at regular times.
     * @param peer index of the participant
     * @param messages how many
     * @param bytes length of each
     * @param begin when the first one is sent
     * @param interval between two
     * @param group index of the group
     */
    void SendMany(std::size_t peer,
                  uint32_t messages,
                  uint32_t bytes,
                  Time begin = MilliSeconds(1),
                  Time interval = MilliSeconds(33),
                  uint32_t group = 0)
    {
        for (uint32_t i = 0; i < messages; ++i)
        {
            Simulator::Schedule(begin + interval * static_cast<int64_t>(i),
                                [this, peer, bytes, group]() { Send(peer, bytes, group); });
        }
    }

    /**
     * @brief Count the messages of a participant that another one got.
     * @param to index of the receiver
     * @param from host of the sender
     * @return messages
     */
    std::size_t Count(std::size_t to, uint32_t from) const
    {
        return static_cast<std::size_t>(
            std::count_if(delivered[to].begin(), delivered[to].end(), [from](const auto& entry) {
                return entry.first.participant == from + 1;
            }));
    }

    /**
     * @brief Look for messages that a participant did not get, from others.
     * @param to index of the receiver
     * @param host where it is
     * @return how many
     */
    std::size_t CountMissing(std::size_t to, uint32_t host) const
    {
        return static_cast<std::size_t>(
            std::count_if(sent.begin(), sent.end(), [this, to, host](const auto& entry) {
                return entry.first.participant != host + 1 &&
                       !delivered[to].contains(entry.first);
            }));
    }

    /**
     * @brief Run for a while; in the last second nothing may happen.
     * @param limit how long
     * @return what is not as it should be at the end; empty when nothing is left anywhere
     */
    std::string Run(Time limit)
    {
        uint64_t traffic = 0;
        Simulator::Schedule(limit - Seconds(1), [this, &traffic]() { traffic = CountTraffic(); });
        Simulator::Stop(limit);
        Simulator::Run();
        if (!wrong.empty())
        {
            return wrong;
        }
        for (std::size_t i = 0; i < peers.size(); ++i)
        {
            const auto& receiver = peers[i]->GetReceiver();
            const auto& sender = peers[i]->GetSender();
            const auto who = "peer " + std::to_string(i) + ": ";
            if (!peers[i]->GetReport().failure.empty())
            {
                return who + peers[i]->GetReport().failure;
            }
            if (!peers[i]->IsFinished() &&
                (receiver.GetHolders() > 0 || receiver.GetDeadline() || sender.GetKept() > 0 ||
                 sender.GetDeadline()))
            {
                return who + std::to_string(receiver.GetHolders()) + " holders and " +
                       std::to_string(sender.GetKept()) + " messages kept are left";
            }
        }
        return traffic == CountTraffic() ? "" : "it is not quiet";
    }

    /**
     * @brief Count the datagrams sent by all.
     * @return their number
     */
    uint64_t CountTraffic() const
    {
        uint64_t traffic = 0;
        for (const auto& peer : peers)
        {
            traffic += peer->GetReport().dataPackets + peer->GetReport().controlPackets;
        }
        return traffic;
    }

    /**
     * @brief Have a datagram arrive at a host, with whatever addresses.
     * @param host where it arrives
     * @param from source
     * @param to destination
     * @param datagram what it holds
     */
    void Inject(uint32_t host,
                const InetSocketAddress& from,
                const InetSocketAddress& to,
                Ptr<const Packet> datagram)
    {
        const auto packet = datagram->Copy();
        UdpHeader udp;
        udp.SetSourcePort(from.GetPort());
        udp.SetDestinationPort(to.GetPort());
        packet->AddHeader(udp);
        Ipv4Header ip;
        ip.SetSource(from.GetIpv4());
        ip.SetDestination(to.GetIpv4());
        ip.SetProtocol(17);
        ip.SetTtl(64);
        ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
        packet->AddHeader(ip);
        PppHeader ppp;
        ppp.SetProtocol(0x0021);
        packet->AddHeader(ppp);
        Replay(DynamicCast<PointToPointNetDevice>(m_hostDevices.Get(host)), packet);
    }

    /**
     * @brief Get the place of a packet's bytes in the pattern.
     * @param id the message
     * @param packet PSN
     * @return offset, B
     */
    static uint64_t GetOffset(const JrmMessageId& id, uint32_t packet)
    {
        const uint32_t place = id.message + id.participant * 0x9e3779b1U + id.group;
        return place * 0x100000000ULL + uint64_t{packet - 1} * PACKET_SIZE;
    }

    /**
     * @brief Make a packet of a message as a participant does.
     * @param type MSG or NACK_RESP
     * @param id the message
     * @param packet PSN
     * @param length of the message, B
     * @return the datagram
     */
    static Ptr<Packet> MakeData(JrmType type,
                                const JrmMessageId& id,
                                uint16_t packet,
                                uint32_t length)
    {
        const uint32_t bytes = std::min(PACKET_SIZE, length - (packet - 1U) * PACKET_SIZE);
        const auto datagram = PatternPayload::MakePacket(GetOffset(id, packet), bytes);
        datagram->AddHeader(JrmHeader(type, id, packet, length));
        return datagram;
    }

    std::vector<Ipv4Address> addresses; //!< of the hosts

  private:
    /**
     * @brief Compare a delivery with what was sent.
     * @param peer index of the receiver
     * @param message the delivery
     */
    void Check(std::size_t peer, const JrmReceiverCore::Delivery& message)
    {
        const auto& id = message.id;
        const auto found = sent.find(id);
        const auto times = ++delivered[peer][id];
        lastDelivery = Simulator::Now();
        std::vector<uint8_t> expected(message.length);
        for (uint32_t at = 0, packet = 1; at < message.length; at += PACKET_SIZE, ++packet)
        {
            const auto size = std::min(PACKET_SIZE, message.length - at);
            PatternPayload::Fill(GetOffset(id, packet),
                                 std::span(expected).subspan(at, size));
        }
        const bool isKnown = found != sent.end() && found->second == message.length;
        const bool isWhole = message.data == expected && message.end == Simulator::Now() &&
                             message.begin <= message.end;
        if (wrong.empty() && (times > 1 || !isWhole || !(isKnown || strangers)))
        {
            wrong = "peer " + std::to_string(peer) + ", message " + std::to_string(id.message) +
                    " of " + std::to_string(id.participant) +
                    (times > 1 ? ": delivered twice"
                     : isKnown ? ": not as it was sent"
                               : ": nobody sent it");
        }
        if (onDelivery)
        {
            onDelivery(peer, message);
        }
    }

    /**
     * @brief Route a group through the hub.
     * @param hub the hub
     * @param group the group
     */
    void Route(Ptr<Node> hub, Ipv4Address group) const
    {
        for (uint32_t i = 0; i < m_hubDevices.GetN(); ++i)
        {
            NetDeviceContainer others;
            for (uint32_t j = 0; j < m_hubDevices.GetN(); ++j)
            {
                if (j != i)
                {
                    others.Add(m_hubDevices.Get(j));
                }
            }
            Ipv4StaticRoutingHelper().AddMulticastRoute(hub,
                                                        Ipv4Address::GetAny(),
                                                        group,
                                                        m_hubDevices.Get(i),
                                                        others);
        }
    }

    /**
     * @brief Have the judge decide about what arrives at a device.
     * @param host on whose link it is
     * @param device the device
     * @param down whether it is the host's
     */
    void Disturb(uint32_t host, Ptr<NetDevice> device, bool down)
    {
        const auto model = CreateObject<ScriptedErrorModel>();
        const auto link = DynamicCast<PointToPointNetDevice>(device);
        model->DropAll();
        model->SetFilter(ScriptedErrorModel::Filter([this, host, link, down](
                                                        Ptr<const Packet> packet) {
            return IsLost(host, link, down, packet);
        }));
        device->SetAttribute("ReceiveErrorModel", PointerValue(model));
    }

    /**
     * @brief Decide about a datagram.
     * @param host on whose link it is
     * @param device where it arrives
     * @param down whether that is the host's
     * @param frame with its PPP header
     * @return true when it does not arrive now
     */
    bool IsLost(uint32_t host,
                Ptr<PointToPointNetDevice> device,
                bool down,
                Ptr<const Packet> frame)
    {
        if (m_isReplay || !judge)
        {
            return false;
        }
        const auto packet = frame->Copy();
        PppHeader ppp;
        Ipv4Header ip;
        UdpHeader udp;
        JrmTestSight sight{host, down, {}, {}, 0};
        packet->RemoveHeader(ppp);
        packet->RemoveHeader(ip);
        if (ip.GetProtocol() != 17 || ip.GetFragmentOffset() != 0)
        {
            return false;
        }
        packet->RemoveHeader(udp);
        if (packet->RemoveHeader(sight.header) == 0)
        {
            return false;
        }
        sight.bytes = packet->GetSize();
        if (sight.Is(JrmType::NACK_REQ))
        {
            std::vector<uint8_t> bytes(sight.bytes);
            packet->CopyData(bytes.data(), sight.bytes);
            sight.asked = JrmNackList::Read(bytes).value_or(std::vector<uint16_t>());
        }
        const auto fate = judge(sight);
        if (fate == Fate::TWICE || fate == Fate::LATE)
        {
            Simulator::Schedule(replayDelay, [this, device, copy = frame->Copy()]() {
                Replay(device, copy);
            });
        }
        return fate == Fate::LOSE || fate == Fate::LATE;
    }

    /**
     * @brief Have a frame arrive that nobody judges.
     * @param device where
     * @param frame with its PPP header
     */
    void Replay(Ptr<PointToPointNetDevice> device, Ptr<Packet> frame)
    {
        Simulator::ScheduleWithContext(device->GetNode()->GetId(), Time(0), [this, device, frame] {
            m_isReplay = true;
            device->Receive(frame);
            m_isReplay = false;
        });
    }

    NetDeviceContainer m_hubDevices;  //!< the hub's, one a host
    NetDeviceContainer m_hostDevices; //!< the hosts'
    bool m_isReplay{false};           //!< what arrives was held back, is a copy, or is forged
    uint32_t m_seed;                  //!< before the test
    uint64_t m_run;                   //!< before the test
};

} // namespace ns3::lfn::tests

#endif // JRM_TEST_NETWORK_H
