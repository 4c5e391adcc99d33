// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_TEST_NETWORK_H
#define JRM_TEST_NETWORK_H

#include "lfn-test-network.h"

#include "ns3/jrm-peer.h"
#include "ns3/lfn-erasure-code.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-star-topology.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::lfn::tests
{

using Fate = TestFate;                                                     //!< of a datagram
using JrmSettings = std::map<std::string, std::string>;                    //!< Attributes as texts
inline constexpr uint16_t JRM_PORT = 9100;                                 //!< of the session
inline constexpr uint32_t PACKET = 1024;                                   //!< PacketSize, B
inline const InetSocketAddress UNKNOWN_HOST{Ipv4Address("10.9.9.9"), 666}; //!< nobody's address

/** @brief Suppression and aggregation on. */
inline const JrmSettings CALM{{"MaxBackoff", "20ms"}, {"GroupSize", "3"}, {"Aggregation", "5ms"}};

/** @brief What a test sees of a datagram. */
struct JrmTestSight
{
    uint32_t host{0};            //!< on whose link it is
    bool down{false};            //!< from the hub to the host, or the other way
    JrmHeader header;            //!< its header
    std::vector<uint16_t> asked; //!< PSNs of a NACK request

    /// Whether it is of a kind.
    bool Is(JrmType type) const
    {
        return header.type == type;
    }
};

/// A datagram of a header and what follows it.
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
    bool isIpv6{false};                    //!< IPv6 instead of IPv4; tests name hosts by IPv4's
    NodeContainer hosts;                   //!< around the hub
    JrmSettings settings;                  //!< Attributes of the participants to come
    std::vector<Ipv4Address> groups;       //!< that there are
    std::vector<Ptr<JrmPeer>> peers;       //!< in the order of AddPeer()
    std::map<JrmMessageId, uint32_t> sent; //!< lengths of the messages sent, B
    std::vector<std::map<JrmMessageId, uint32_t>> delivered; //!< how often, by peer
    std::string wrong;        //!< the first delivery that was not as sent
    Time lastDelivery;        //!< of all
    Time replayDelay;         //!< for Fate::TWICE and Fate::LATE
    bool unknownHosts{false}; //!< what nobody sent may be delivered, too
    bool spoofed{false};      //!< what is delivered is not compared

    /** @brief Decides about JRM datagrams on the links. May be null. */
    std::function<Fate(const JrmTestSight& sight)> judge;
    /** @brief Called after a delivery. May be null. */
    std::function<void(std::size_t peer, const JrmReceiverCore::Delivery& message)> onDelivery;

    /// Hosts, and multicast groups that are routed to all of them; the delay is that of a link, one
    /// way.
    explicit JrmTestNetwork(uint32_t size,
                            uint32_t groupCount = 1,
                            Time delay = MicroSeconds(250),
                            bool ipv6 = false)
        : TestSimulation(1),
          isIpv6(ipv6)
    {
        const auto star = CreateObject<StarTopology>();
        star->SetAttribute("Hosts", UintegerValue(size));
        star->SetAttribute("Senders", UintegerValue(size));
        star->SetAttribute("Rtt", TimeValue(delay * 4));
        star->SetAttribute("Queue", StringValue("100000p"));
        star->SetAttribute("Ipv6", BooleanValue(isIpv6));
        star->Build();
        hosts = star->GetSenders();
        for (uint32_t i = 0; i < size; ++i)
        {
            addresses.push_back(star->GetSenderAddress(i));
            m_ipv6[addresses.back()] = star->GetSenderIpv6Address(i);
            const auto [toHost, atHost] = star->GetBottlenecks().at(i);
            m_hostDevices.Add(atHost);
            Watch(i, atHost, true);
            Watch(i, toHost, false);
        }
        const auto hub = star->GetBottlenecks().front().first->GetNode();
        for (uint32_t i = 0; i < groupCount; ++i)
        {
            groups.emplace_back(Ipv4Address("224.1.1.1").Get() + i);
            MulticastTree::Install(NodeContainer(hosts, hub), ToGroup(groups.back()));
        }
        settings = {{"SendTimeout", "2s"},
                    {"KeepData", "true"},
                    {"CheckContent", "true"},
                    {"Grtt", "false"}}; // suites count datagrams; lfn-jrm-grtt has the option
    }

    /// Add a participant: now when the simulation runs, to start so long from now. It joins the
    /// groups of these numbers, or all. Returns its index; its number is that of the host, from 1.
    std::size_t AddPeer(uint32_t host, Time start = Time(0), std::set<uint32_t> member = {})
    {
        const auto index = peers.size();
        const auto peer = CreateObject<JrmPeer>();
        peer->SetAttribute("Participant", UintegerValue(host + 1));
        peer->SetAttribute("PacketSize", UintegerValue(PACKET));
        for (const auto& [name, value] : settings)
        {
            peer->SetAttribute(name, StringValue(value));
        }
        for (uint32_t i = 0; i < groups.size(); ++i)
        {
            if (member.empty() || member.contains(i))
            {
                peer->Join(ToGroup(groups[i]));
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

    /// Send a message now, from a participant to a group by their indices; nothing when refused.
    std::optional<JrmMessageId> Send(std::size_t peer, uint32_t bytes, uint32_t group = 0)
    {
        const auto id = peers[peer]->SendMessage(ToGroup(groups[group]), bytes);
        if (id)
        {
            sent[*id] = bytes;
        }
        return id;
    }

    /// Send a number of messages of a length to a group at regular times, from a participant by its
    /// index.
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

    /// Count the messages that a participant got from a host.
    std::size_t Count(std::size_t to, uint32_t from) const
    {
        return static_cast<std::size_t>(
            std::count_if(delivered[to].begin(), delivered[to].end(), [from](const auto& entry) {
                return entry.first.participant == from + 1;
            }));
    }

    /// Count the messages of others that a participant, which is on a host, did not get.
    std::size_t CountMissing(std::size_t to, uint32_t host) const
    {
        return static_cast<std::size_t>(
            std::count_if(sent.begin(), sent.end(), [this, to, host](const auto& entry) {
                return entry.first.participant != host + 1 && !delivered[to].contains(entry.first);
            }));
    }

    /// Run for a while; in the last second nothing may happen. Returns what is not as it should be
    /// at the end; empty when nothing is left anywhere.
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

    /// Count the datagrams sent by all.
    uint64_t CountTraffic() const
    {
        uint64_t traffic = 0;
        for (const auto& peer : peers)
        {
            traffic += peer->GetReport().dataPackets + peer->GetReport().controlPackets;
        }
        return traffic;
    }

    /// Have a datagram arrive at a host; without a destination it is for the first group.
    void Inject(uint32_t host,
                const InetSocketAddress& from,
                Ptr<const Packet> datagram,
                std::optional<Ipv4Address> to = {})
    {
        const auto destination = to.value_or(groups[0]);
        const auto frame = isIpv6 ? MakeDatagram({ToIpv6(from.GetIpv4()), from.GetPort()},
                                                 {ToIpv6(destination), JRM_PORT},
                                                 datagram)
                                  : MakeDatagram(from, {destination, JRM_PORT}, datagram);
        Arrive(m_hostDevices.Get(host), frame);
    }

    /// The address of a group as participants use it; tests name it by IPv4's, its number.
    Address ToGroup(Ipv4Address group) const
    {
        return isIpv6 ? Address(ToIpv6(group)) : Address(group);
    }

    /// The address of IPv6 that stands for one of IPv4: a host's, a group's or nobody's.
    Ipv6Address ToIpv6(Ipv4Address address) const
    {
        const auto host = m_ipv6.find(address);
        if (host != m_ipv6.end())
        {
            return host->second;
        }
        std::array<uint8_t, 16> bytes{};
        bytes[0] = address.IsMulticast() ? 0xff : 0xfd;
        bytes[1] = address.IsMulticast() ? 0x15 : 0;
        bytes[2] = address.IsMulticast() ? 0 : 0xff;
        address.Serialize(&bytes[12]);
        return Ipv6Address(bytes.data());
    }

    /// The place of a packet's bytes in the pattern, B.
    static uint64_t GetOffset(const JrmMessageId& id, uint32_t packet)
    {
        const uint32_t place = id.message + id.participant * 0x9e3779b1U + id.group;
        return place * 0x100000000ULL + uint64_t{packet - 1} * PACKET;
    }

    /// Make a packet of a message of length bytes, MSG or NACK_RESP, as a participant does.
    static Ptr<Packet> MakeData(JrmType type,
                                const JrmMessageId& id,
                                uint16_t packet,
                                uint32_t length)
    {
        const uint32_t bytes = std::min(PACKET, length - (packet - 1U) * PACKET);
        const auto datagram = PatternPayload::MakePacket(GetOffset(id, packet), bytes);
        datagram->AddHeader(JrmHeader(type, id, packet, length));
        return datagram;
    }

    /// Make a parity of a message of length bytes, as a participant does.
    static Ptr<Packet> MakeParity(const JrmMessageId& id,
                                  uint16_t first,
                                  uint32_t length,
                                  const JrmParity& parity)
    {
        std::vector<Bytes> block;
        for (uint32_t packet = first; block.size() < parity.block && (packet - 1) * PACKET < length;
             ++packet)
        {
            block.emplace_back(std::min(PACKET, length - (packet - 1) * PACKET));
            PatternPayload::Fill(GetOffset(id, packet), block.back());
        }
        auto body = parity.Write();
        const auto bytes = ErasureCode::MakeParity(block, parity.index);
        body.insert(body.end(), bytes.begin(), bytes.end());
        return Make({JrmType::PARITY, id, first, length}, body);
    }

    std::vector<Ipv4Address> addresses; //!< of the hosts

  private:
    /// Compare a delivery with what was sent.
    void Check(std::size_t peer, const JrmReceiverCore::Delivery& message)
    {
        const auto& id = message.id;
        const auto found = sent.find(id);
        const auto times = ++delivered[peer][id];
        lastDelivery = Simulator::Now();
        std::vector<uint8_t> expected(message.length);
        for (uint32_t at = 0, packet = 1; at < message.length; at += PACKET, ++packet)
        {
            const auto size = std::min(PACKET, message.length - at);
            PatternPayload::Fill(GetOffset(id, packet), std::span(expected).subspan(at, size));
        }
        const bool isKnown = found != sent.end() && found->second == message.length;
        const bool isWhole = message.data == expected && message.end == Simulator::Now() &&
                             message.begin <= message.end;
        const bool isOwn = spoofed || (unknownHosts && found == sent.end());
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

    /// Have the judge decide about what arrives at a device of a host's link, its own or the hub's.
    void Watch(uint32_t host, Ptr<NetDevice> device, bool down)
    {
        const auto decide = [this, host, down](Ptr<const Packet> frame) {
            JrmTestSight sight{host, down, {}, {}};
            UdpHeader udp;
            const auto packet = judge ? OpenDatagram(frame, udp) : nullptr;
            if (!packet || packet->RemoveHeader(sight.header) == 0)
            {
                return Fate::PASS;
            }
            if (sight.Is(JrmType::NACK_REQ))
            {
                sight.asked = JrmNackList::Read(ToBytes(packet)).value_or(std::vector<uint16_t>());
            }
            return judge(sight);
        };
        Disturb(device, decide, replayDelay);
    }

    NetDeviceContainer m_hostDevices;          //!< the hosts'
    std::map<Ipv4Address, Ipv6Address> m_ipv6; //!< of the hosts
};

} // namespace ns3::lfn::tests

#endif // JRM_TEST_NETWORK_H
