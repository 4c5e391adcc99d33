// SPDX-License-Identifier: GPL-2.0-only

// Yardsticks of `./waf bench` over the path that the scenario programs use: a bare pair of UDP
// sockets with datagrams as large as VRP's, a window of them under way and one small reply to each;
// or bare sockets that send datagrams as large as JRM's to a group, and no reply. ns-3's own
// applications are in lfn-bench-peers.cc. And atou's cores without any network,
// to see what an acknowledgement costs them at windows of different size; or the estimators of
// XCP's flow counts without one, to see what a packet costs them among few flows and many.

#include "ns3/atou-native-congestion.h"
#include "ns3/atou-receiver-core.h"
#include "ns3/atou-sender-core.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/jrm-header.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-star-topology.h"
#include "ns3/network-module.h"
#include "ns3/vrp-header.h"
#include "ns3/xcp-flow-count-estimator.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint16_t PORT = 38000; //!< of the receiver

/// When the last datagram or reply came in; the end of the run may be a report of progress.
Time g_last;

/// What the command line asks for.
struct Request
{
    std::string baseline{"echo"};  //!< echo, multicast, atou-cores or xcp-estimator
    uint64_t bytes{450'000'000};   //!< user bytes
    uint32_t packetSize{1450};     //!< user bytes per datagram
    uint32_t windowSize{64};       //!< datagrams under way
    uint32_t replySize{17};        //!< bytes of a reply
    uint32_t senders{1};           //!< hosts that send to the group, and receive
    uint32_t receivers{1};         //!< hosts that only receive
    uint32_t messages{1000};       //!< of a sender
    double messageRate{30};        //!< of a sender, 1/s
    uint32_t messagePackets{1};    //!< datagrams of a message
    uint32_t loseEvery{0};         //!< of the segments' first sendings
    std::string estimator{"sred"}; //!< of a flow count
    uint32_t flows{1000};          //!< that send in random order
};

/// A pair of sockets: every reply lets the next datagram go.
class Echo
{
  public:
    /// Open both sockets and send the first window.
    Echo(const TransportTopology& path, const Request& request, uint64_t packets)
        : m_size(request.packetSize + VrpHeader::SIZE),
          m_replySize(request.replySize),
          m_waiting(packets)
    {
        const auto type = UdpSocketFactory::GetTypeId();
        m_receiver = Socket::CreateSocket(path.GetReceivers().Get(0), type);
        m_receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_receiver->SetRecvCallback(MakeCallback(&Echo::OnData, this));
        m_sender = Socket::CreateSocket(path.GetSenders().Get(0), type);
        m_sender->Bind();
        m_sender->Connect(InetSocketAddress(path.GetReceiverAddress(), PORT));
        m_sender->SetRecvCallback(MakeCallback(&Echo::OnReply, this));
        for (uint32_t i = 0; i < request.windowSize; ++i)
        {
            Simulator::ScheduleNow(&Echo::SendNext, this);
        }
    }

    /// Get the number of datagrams that arrived.
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    /// Send a datagram if there is one left.
    void SendNext()
    {
        if (m_waiting > 0)
        {
            m_waiting--;
            m_sender->Send(Create<Packet>(m_size));
        }
    }

    /// Answer datagrams.
    void OnData(Ptr<Socket> socket)
    {
        Address from;
        while (socket->RecvFrom(from))
        {
            m_received++;
            g_last = Simulator::Now();
            socket->SendTo(Create<Packet>(m_replySize), 0, from);
        }
    }

    /// Take replies.
    void OnReply(Ptr<Socket> socket)
    {
        while (socket->Recv())
        {
            g_last = Simulator::Now();
            SendNext();
        }
    }

    Ptr<Socket> m_receiver; //!< answers
    Ptr<Socket> m_sender;   //!< sends
    uint32_t m_size;        //!< bytes of a datagram
    uint32_t m_replySize;   //!< bytes of a reply
    uint64_t m_waiting;     //!< datagrams not sent yet
    uint64_t m_received{0}; //!< datagrams that arrived
};

/// A socket per host: the senders' messages go to a group, and all others take them.
class Group
{
  public:
    /// Set the routes, open the sockets, and have each sender begin at its time, as jrm-session.
    Group(const TransportTopology& path, const Request& request)
        : m_request(request),
          m_sent(request.senders)
    {
        NodeContainer hosts(path.GetSenders());
        for (const auto& others : {path.GetReceivers(), NodeContainer::GetGlobal()})
        {
            for (auto node = others.Begin(); node != others.End(); ++node)
            {
                if (!hosts.Contains((*node)->GetId()))
                {
                    hosts.Add(*node);
                }
            }
        }
        MulticastTree::Install(hosts, Ipv4Address(GROUP));
        for (uint32_t i = 0; i < request.senders + request.receivers && i < hosts.GetN(); ++i)
        {
            const auto socket = Socket::CreateSocket(hosts.Get(i), UdpSocketFactory::GetTypeId());
            socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
            socket->SetRecvCallback(MakeCallback(&Group::OnData, this));
            m_sockets.push_back(socket);
        }
        for (uint32_t i = 0; i < std::min<std::size_t>(request.senders, m_sockets.size()); ++i)
        {
            Simulator::Schedule(GetTime(i), &Group::SendMessage, this, i);
        }
    }

    /// Get the number of datagrams that arrived, at all hosts.
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    static constexpr const char* GROUP = "239.1.0.1"; //!< group

    /// Get the time of a sender's next message.
    Time GetTime(uint32_t sender) const
    {
        const auto share = static_cast<double>(sender) / m_request.senders;
        return Time::FromDouble((m_sent[sender] + share) / m_request.messageRate, Time::S);
    }

    /// Send a message and wait for the time of the next.
    void SendMessage(uint32_t sender)
    {
        for (uint32_t i = 0; i < m_request.messagePackets; ++i)
        {
            m_sockets[sender]->SendTo(Create<Packet>(m_request.packetSize + JrmHeader::SIZE),
                                      0,
                                      InetSocketAddress(Ipv4Address(GROUP), PORT));
        }
        if (++m_sent[sender] < m_request.messages)
        {
            Simulator::Schedule(GetTime(sender) - Simulator::Now(),
                                &Group::SendMessage,
                                this,
                                sender);
        }
    }

    /// Take datagrams.
    void OnData(Ptr<Socket> socket)
    {
        Address from;
        while (socket->RecvFrom(from))
        {
            m_received++;
            g_last = Simulator::Now();
        }
    }

    const Request& m_request;           //!< what was asked for
    std::vector<Ptr<Socket>> m_sockets; //!< one a host, the senders first
    std::vector<uint32_t> m_sent;       //!< messages, by sender
    uint64_t m_received{0};             //!< datagrams that arrived
};

/// atou's two cores: what the one sends comes to the other in turn, at a steady rate.
class Cores
{
  public:
    /// Begin at once with a full window, which losses do not cut.
    explicit Cores(const Request& request)
        : m_loseEvery(request.loseEvery)
    {
        m_options->Settle();
        // Within a run: until the first one ns-3 keeps a register of all Time objects.
        Simulator::ScheduleNow(&Cores::Run, this);
    }

    /// Get the number of segments that arrived.
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    /// Run the whole transfer.
    void Run()
    {
        const Time rtt = MilliSeconds(100);
        const Time step = rtt / m_options->rcvrWin;
        Time now;
        AtouReceiverCore::Settings settings;
        settings.sack = m_options->sack;
        m_receiver.Start(settings);
        AtouState full;
        full.cwnd = m_options->rcvrWin;
        full.ssthresh = m_options->rcvrWin;
        m_sender.Start(m_options, std::make_unique<AtouNativeCongestion>(*m_options), now, full);
        while (m_sender.GetStatus() == AtouSenderCore::Status::RUNNING)
        {
            while (const auto transmission = m_sender.NextSegment())
            {
                m_path.push_back(*transmission);
            }
            if (m_path.empty())
            {
                now = m_sender.GetDeadline().value_or(now);
                m_sender.Expire(now);
                continue;
            }
            now += step;
            Arrive(m_path.front(), now, rtt);
            m_path.pop_front();
        }
    }

    /// Have a segment arrive, or be lost, and its acknowledgement return.
    void Arrive(const AtouSenderCore::Transmission& transmission, Time now, Time rtt)
    {
        const auto segment = transmission.segment;
        if (m_loseEvery > 0 && segment % m_loseEvery == 0 && !transmission.isRepeated)
        {
            return;
        }
        m_received += m_receiver.OnSegment(segment, 0, now) ? 1 : 0;
        while (const auto ack = m_receiver.NextAck())
        {
            m_sender.OnAck({ack->next, ack->blocks, rtt, now});
        }
    }

    Ptr<AtouOptions> m_options{CreateObject<AtouOptions>()}; //!< of the sender
    AtouSenderCore m_sender;                                 //!< sends
    AtouReceiverCore m_receiver;                             //!< acknowledges
    std::deque<AtouSenderCore::Transmission> m_path;         //!< under way
    uint32_t m_loseEvery;                                    //!< of first sendings; 0: none
    uint64_t m_received{0};                                  //!< segments that arrived
};

/// An estimator of a flow count, without a network.
class Estimate
{
  public:
    /// Begin at once.
    Estimate(const Request& request, uint64_t packets)
        : m_estimator(ObjectFactory(request.estimator == "sred"    ? "ns3::lfn::XcpSredEstimator"
                                    : request.estimator == "bloom" ? "ns3::lfn::XcpBloomEstimator"
                                                                   : "ns3::lfn::XcpExactEstimator")
                          .Create<XcpFlowCountEstimator>()),
          m_flows(request.flows),
          m_packets(packets)
    {
        Simulator::ScheduleNow(&Estimate::Run, this);
    }

    /// Get the number of packets that the estimator saw.
    uint64_t GetReceived() const
    {
        return m_seen;
    }

  private:
    /// Show it all packets; an interval has a tenth of a second of 100 Mb/s.
    void Run()
    {
        constexpr uint64_t interval = 1250;
        constexpr uint64_t golden = 0x9E3779B97F4A7C15;
        uint64_t state = 1;
        while (m_seen < m_packets)
        {
            state = state * 6364136223846793005 + 1442695040888963407;
            m_estimator->See(((state >> 33) % m_flows + 1) * golden);
            if (++m_seen % interval == 0)
            {
                m_estimator->EndInterval();
            }
        }
    }

    Ptr<XcpFlowCountEstimator> m_estimator; //!< counts
    uint32_t m_flows;                       //!< that there are
    uint64_t m_packets;                     //!< to be shown
    uint64_t m_seen{0};                     //!< shown
};

} // namespace

int
main(int argc, char* argv[])
{
    // One path for all: a group of more than two stands around a router.
    const std::vector<std::string> networks{"ns3::lfn::PointToPointTopology",
                                            "ns3::lfn::StarTopology"};
    Scenario scenario("lfn-bench-baseline",
                      "Bare UDP sockets on the path of the "
                      "scenario programs; or atou's cores or XCP's flow counts without a path.",
                      {.topologies = networks, .messageLog = false}); // here --messages is a number
    Request request;
    auto& flags = scenario.GetFlags();
    flags.Choice("baseline",
                 "what runs: sockets with a reply to each datagram, "
                 "sockets of a group, atou's cores, or an estimator of XCP's flow counts",
                 request.baseline,
                 {"echo", "multicast", "atou-cores", "xcp-estimator"});
    // atou counts datagrams with 31 bits, and they may be as small as 12 bytes.
    flags.Bytes("bytes",
                "user bytes to send (not multicast)",
                request.bytes,
                1,
                uint64_t{12} * (std::numeric_limits<int32_t>::max() - 1));
    flags.Bytes("packetSize", "user bytes per datagram", request.packetSize, 12, 65487);
    flags.Count("windowSize",
                "datagrams under way (echo, atou-cores)",
                request.windowSize,
                1,
                10'000'000);
    flags.Bytes("replySize", "bytes of a reply (echo)", request.replySize, 1, 65507);
    flags.Count("senders", "hosts that send, and receive (multicast)", request.senders, 1, 500);
    flags.Count("receivers", "hosts that only receive (multicast)", request.receivers, 0, 500);
    flags.Count("messages", "messages a sender (multicast)", request.messages, 1);
    flags.Number("messageRate",
                 "messages per second and sender (multicast)",
                 request.messageRate,
                 1e-6,
                 1e6);
    flags.Count("messagePackets",
                "datagrams of a message (multicast)",
                request.messagePackets,
                1,
                JrmHeader::MAX_PACKETS);
    flags.Count("loseEvery",
                "lose the first sending of every such segment, and recover by SACK; 0 = none "
                "(atou-cores)",
                request.loseEvery);
    flags.Choice("estimator",
                 "what counts the flows (xcp-estimator)",
                 request.estimator,
                 {"sred", "bloom", "exact"});
    flags.Count("flows", "that send in random order (xcp-estimator)", request.flows, 1);
    Config::SetDefault(networks[1] + "::LinkRate", DataRateValue(DataRate("1Gbps")));
    Config::SetDefault(networks[1] + "::Rtt", TimeValue(MilliSeconds(100)));
    scenario.Parse(argc, argv);
    const auto isGroup = request.baseline == "multicast";
    const auto hosts = request.senders + request.receivers;
    Ptr<StarTopology> star;
    if (isGroup && hosts > 2)
    {
        flags.Imply("ns3::lfn::StarTopology::Hosts", UintegerValue(hosts));
        flags.Imply("ns3::lfn::StarTopology::Senders", UintegerValue(request.senders));
        star = CreateObject<StarTopology>();
    }
    const auto path = scenario.BuildTopology(star);

    auto packets = (request.bytes + request.packetSize - 1) / request.packetSize;
    auto due = packets; // to arrive
    std::unique_ptr<Echo> echo;
    std::unique_ptr<Group> group;
    std::unique_ptr<Cores> cores;
    std::unique_ptr<Estimate> estimate;
    if (isGroup)
    {
        group = std::make_unique<Group>(*path, request);
        packets = uint64_t{request.senders} * request.messages * request.messagePackets;
        due = packets * (hosts - 1);
        request.bytes = packets * request.packetSize;
    }
    else if (request.baseline == "atou-cores")
    {
        const std::string options = "ns3::lfn::AtouOptions::";
        flags.Imply(options + "RcvWin", UintegerValue(request.windowSize));
        flags.Imply(options + "MaxPkts", UintegerValue(packets + 1));
        flags.Imply(options + "MaxTime", TimeValue(Time(0)));
        flags.Imply(options + "Multiplier", DoubleValue(1));
        flags.Imply(options + "Sack", BooleanValue(request.loseEvery > 0));
        cores = std::make_unique<Cores>(request);
    }
    else if (request.baseline == "xcp-estimator")
    {
        estimate = std::make_unique<Estimate>(request, packets);
    }
    else
    {
        echo = std::make_unique<Echo>(*path, request, packets);
    }
    scenario.Run();

    TransferReport report;
    report.protocol = "udp";
    report.variant = request.baseline;
    report.finish = g_last;
    report.dataPackets = packets;
    report.offeredBytes = request.bytes;
    const auto received = group      ? group->GetReceived()
                          : cores    ? cores->GetReceived()
                          : estimate ? estimate->GetReceived()
                                     : echo->GetReceived();
    // A group's hosts deliver each on its own; the last datagram of a pair may be short.
    report.deliveredBytes =
        received == due && !group ? request.bytes : received * request.packetSize;
    report.lostBytes = group ? 0 : request.bytes - report.deliveredBytes;
    report.lastDelivery = g_last;
    report.receivers = group ? std::max(request.senders + request.receivers - 1, 1U) : 1;
    report.started = true;
    report.completed = received == due;
    scenario.GetRecorder().AddFlow(0, report);
    return scenario.Finish();
}
