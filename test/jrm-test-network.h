// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_TEST_NETWORK_H
#define JRM_TEST_NETWORK_H

#include "lfn-test-network.h"

#include "ns3/jrm-peer.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-star-topology.h"

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
 * @brief Make a datagram.
 * @param header the header
 * @param body what follows
 * @return the datagram
 */
inline Ptr<Packet>
Make(const JrmHeader& header, const Bytes& body = {})
{
    const auto datagram = ToPacket(body);
    datagram->AddHeader(header);
    return datagram;
}

/**
 * @ingroup lfn-jrm
 * @brief Hosts around a hub, each on a link of 100 Mb/s without queue discs, and JRM on them.
 *
 * Every delivery is compared with what was sent, byte by byte, and counted. One network lives at a
 * time.
 */
class JrmTestNetwork : public TestSimulation
{
  public:
    static constexpr uint16_t PORT = 9100;        //!< of the session
    static constexpr uint32_t PACKET_SIZE = 1024; //!< PacketSize, B

    using Fate = TestFate; //!< of a datagram

    NodeContainer hosts;                         //!< around the hub
    std::map<std::string, std::string> settings; //!< Attributes of the participants to come
    std::vector<Ipv4Address> groups;             //!< that there are
    std::vector<Ptr<JrmPeer>> peers;             //!< in the order of AddPeer()
    std::map<JrmMessageId, uint32_t> sent;       //!< lengths of the messages sent, B
    std::vector<std::map<JrmMessageId, uint32_t>> delivered; //!< how often, by peer
    std::string wrong;     //!< the first delivery that was not as sent
    Time lastDelivery;     //!< of all
    Time replayDelay;      //!< for Fate::TWICE and Fate::LATE
    bool strangers{false}; //!< what nobody sent may be delivered, too
    bool spoofed{false};   //!< what is delivered is not compared

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
    explicit JrmTestNetwork(uint32_t size, uint32_t groupCount = 1, Time delay = MicroSeconds(250))
        : TestSimulation(1)
    {
        const auto star = CreateObject<StarTopology>();
        star->SetAttribute("Hosts", UintegerValue(size));
        star->SetAttribute("Senders", UintegerValue(size));
        star->SetAttribute("Rtt", TimeValue(delay * 4));
        star->SetAttribute("Queue", StringValue("100000p"));
        star->Build();
        hosts = star->GetSenders();
        for (uint32_t i = 0; i < size; ++i)
        {
            addresses.push_back(star->GetSenderAddress(i));
            const auto [toHost, atHost] = star->GetBottlenecks().at(i);
            m_hostDevices.Add(atHost);
            Watch(i, atHost, true);
            Watch(i, toHost, false);
        }
        const auto hub = star->GetBottlenecks().front().first->GetNode();
        for (uint32_t i = 0; i < groupCount; ++i)
        {
            groups.emplace_back(Ipv4Address("224.1.1.1").Get() + i);
            MulticastTree::Install(NodeContainer(hosts, hub), groups.back());
        }
        settings = {{"SendTimeout", "2s"}, {"KeepData", "true"}, {"CheckContent", "true"}};
    }

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
                return entry.first.participant != host + 1 && !delivered[to].contains(entry.first);
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
            if (!peers[i]->IsFinished() && (receiver.GetHolders() > 0 || receiver.GetDeadline() ||
                                            sender.GetKept() > 0 || sender.GetDeadline()))
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
        Arrive(m_hostDevices.Get(host), MakeDatagram(from, to, datagram));
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
            PatternPayload::Fill(GetOffset(id, packet), std::span(expected).subspan(at, size));
        }
        const bool isKnown = found != sent.end() && found->second == message.length;
        const bool isWhole = message.data == expected && message.end == Simulator::Now() &&
                             message.begin <= message.end;
        const bool isOwn = spoofed || (strangers && found == sent.end());
        if (wrong.empty() && !isOwn && (times > 1 || !isWhole || !isKnown))
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
     * @brief Have the judge decide about what arrives at a device.
     * @param host on whose link it is
     * @param device the device
     * @param down whether it is the host's
     */
    void Watch(uint32_t host, Ptr<NetDevice> device, bool down)
    {
        const auto decide = [this, host, down](Ptr<const Packet> frame) {
            JrmTestSight sight{host, down, {}, {}, 0};
            UdpHeader udp;
            const auto packet = judge ? OpenDatagram(frame, udp) : nullptr;
            if (!packet || packet->RemoveHeader(sight.header) == 0)
            {
                return Fate::PASS;
            }
            sight.bytes = packet->GetSize();
            if (sight.Is(JrmType::NACK_REQ))
            {
                sight.asked = JrmNackList::Read(ToBytes(packet)).value_or(std::vector<uint16_t>());
            }
            return judge(sight);
        };
        Disturb(device, decide, replayDelay);
    }

    NetDeviceContainer m_hostDevices; //!< the hosts'
};

} // namespace ns3::lfn::tests

#endif // JRM_TEST_NETWORK_H
