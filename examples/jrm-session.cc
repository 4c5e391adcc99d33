// SPDX-License-Identifier: GPL-2.0-only

// A session of many senders and many receivers over IP multicast: JRM as in K. Stuer et al.,
// "Overhead of reliable multicast", ICCS 2003, with the errors before every send of its
// experiments (section 4).
//
//   jrm-session --errorRate=0.3 --messagePackets=10
//   jrm-session --senders=20 --receivers=0 --heartbeat=100ms --checkContent
//   jrm-session --receivers=50 --receiverErrorRate=0.1 --aggregation=20ms --suppression=100ms

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/jrm-helper.h"
#include "ns3/jrm-message-source.h"
#include "ns3/jrm-peer.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-multicast-tree.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-star-topology.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <iostream>
#include <utility>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint32_t FIRST_GROUP = 0xEF010001;  //!< 239.1.0.1, as a number
constexpr uint32_t MOST_ATTEMPTS = 1'000'000; //!< of NACK requests
constexpr double MISSED_IN_A_ROW = 10;        //!< messages until a loss shows, at most
constexpr uint64_t LOOK_INTERVAL_MS = 100;    //!< how often the end is looked for
constexpr double LONGEST_DAYS = 3650;         //!< of any time, as for all flags

/// What the command line asks for.
struct Request
{
    uint32_t senders{1};                //!< participants that send, and receive
    uint32_t receivers{1};              //!< participants that only receive
    uint32_t groups{1};                 //!< all participants are in all of them
    uint64_t messages{1000};            //!< of a sender
    double messageRate{30};             //!< of a sender, 1/s
    uint32_t messagePackets{1};         //!< of a message
    uint32_t packetSize{1024};          //!< user bytes
    double errorRate{0};                //!< before every send
    bool errorOnNack{true};             //!< NACK requests are lost, too
    double receiverErrorRate{0};        //!< at every arrival
    Time recvTimeout{MilliSeconds(20)}; //!< wait for further packets
    Time nackTimeout{MilliSeconds(50)}; //!< wait for a response
    Time sendTimeout;                   //!< life of a message at its sender; 0: derived
    bool adaptive{false};               //!< timeouts adapt
    double nackBackoff{2};              //!< factor of nackTimeout
    uint32_t maxNackAttempts{10};       //!< then a message is lost
    bool gapNackAllPackets{false};      //!< J-C6
    bool createHolderOnGap{true};       //!< J-C7
    bool completeImmediately{true};     //!< J-C8
    Time suppression;                   //!< longest random wait; 0: off
    uint32_t groupSize{0};              //!< that it reckons with
    Time aggregation;                   //!< of requests; 0: off
    Time heartbeat;                     //!< first idle time; 0: off
    DataRate bucketRate{0};             //!< 0: no limit
    uint32_t bucketDepth{0};            //!< B
    bool bucketCountsRepairs{false};    //!< responses go through it
    Time warmup;                        //!< window columns begin here
    bool checkContent{false};           //!< send and check a pattern
    bool spread{true};                  //!< senders do not begin together
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    flags.Count("senders", "participants that send, and receive", request.senders, 1, 500);
    flags.Count("receivers", "participants that only receive", request.receivers, 0, 500);
    flags.Count("groups",
                "multicast groups, with all participants in each; a sender goes round",
                request.groups,
                1,
                100);
    flags.Count("messages", "messages a sender; 0 sends until --duration", request.messages);
    flags.Number("messageRate", "messages a second and sender", request.messageRate, 1e-6, 1e6);
    flags.Count("messagePackets",
                "packets a message",
                request.messagePackets,
                1,
                JrmHeader::MAX_PACKETS);
    flags.Bytes("packetSize", "user bytes a datagram", request.packetSize, 1, 65487);
    flags.Fraction("errorRate",
                   "probability that a datagram is discarded before it is sent",
                   request.errorRate);
    flags.Switch("errorOnNack",
                 "NACK requests are lost, too, by --errorRate and --receiverErrorRate",
                 request.errorOnNack);
    flags.Fraction("receiverErrorRate",
                   "probability that a participant loses a datagram that arrives",
                   request.receiverErrorRate);
    flags.Duration("recvTimeout",
                   "wait for further packets of a message",
                   request.recvTimeout,
                   TimeStep(1));
    flags.Duration("nackTimeout",
                   "wait for the response to a NACK request",
                   request.nackTimeout,
                   TimeStep(1));
    flags.Duration("sendTimeout",
                   "a message is kept so long after the last request for it; 0: longer than it can "
                   "be asked for",
                   request.sendTimeout);
    flags.Switch("adaptive", "the three timeouts adapt (section 2)", request.adaptive);
    flags.Number("nackBackoff",
                 "factor of nackTimeout after an unanswered request",
                 request.nackBackoff,
                 1,
                 1000);
    flags.Count("maxNackAttempts",
                "unanswered requests after which a message is given up",
                request.maxNackAttempts,
                1,
                MOST_ATTEMPTS);
    flags.Switch("gapNackAllPackets",
                 "ask for all packets of a missing message, not for the first",
                 request.gapNackAllPackets);
    flags.Switch("createHolderOnGap",
                 "ask for a missing message again when no response comes",
                 request.createHolderOnGap);
    flags.Switch("completeImmediately",
                 "deliver a message when it is complete, not when its timer ends",
                 request.completeImmediately);
    flags.Duration("suppression",
                   "longest random wait before a NACK request to the group; 0: at once, to the "
                   "sender",
                   request.suppression);
    flags.Count("groupSize",
                "receivers that suppression reckons with; all participants unless given",
                request.groupSize,
                1);
    flags.Duration("aggregation",
                   "gather requests so long before answering; 0: answer each at once",
                   request.aggregation);
    flags.Duration("heartbeat",
                   "idle time after which a sender tells its newest message, doubling; 0: never",
                   request.heartbeat);
    flags.Rate("bucketRate",
               "rate of the leaky bucket of message packets, headers included; no limit unless "
               "given",
               request.bucketRate);
    flags.Bytes("bucketDepth", "bytes that it lets pass at once", request.bucketDepth, 0);
    flags.Switch("bucketCountsRepairs",
                 "NACK responses go through the bucket, too",
                 request.bucketCountsRepairs);
    flags.Duration("warmup",
                   "messages complete before this time do not count in the window columns",
                   request.warmup);
    flags.Switch("checkContent", "send a pattern and check every byte", request.checkContent);
    flags.Switch("spread",
                 "spread the senders' first messages over one interval; else all at once",
                 request.spread);
    flags.Columns(
        "Own columns of summary.csv, a row a sender: messages_sent, messages_complete (all "
        "receivers), msg_packets, nack_requests (of all receivers for this sender's messages), "
        "nack_responses, transmissions_per_message (the three over messages_sent), messages_lost "
        "(given up, all receivers), window_messages_complete (complete after --warmup, mean of "
        "the receivers), window_s, mean_latency_s, max_latency_s (from the send call to "
        "completion), "
        "duplicates (packets that came in vain), suppressed (NACK requests), heartbeats, peak_kept "
        "(messages retained), peak_holders (incomplete messages of the worst participant), "
        "failure. delivered_bytes sums over the receivers; completed is 1 when every message "
        "reached all of them.");
    scenario.GetRecorder().AddColumns({"messages_sent",
                                       "messages_complete",
                                       "msg_packets",
                                       "nack_requests",
                                       "nack_responses",
                                       "transmissions_per_message",
                                       "messages_lost",
                                       "window_messages_complete",
                                       "window_s",
                                       "mean_latency_s",
                                       "max_latency_s",
                                       "duplicates",
                                       "suppressed",
                                       "heartbeats",
                                       "peak_kept",
                                       "peak_holders",
                                       "failure"});
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request, Time duration)
{
    if (request.senders + request.receivers < 2)
    {
        flags.Refuse("receivers", "give a second participant");
    }
    if (request.messages == 0 && duration.IsZero())
    {
        flags.Refuse("messages", "give --duration as well, for senders without end");
    }
    if (duration.IsStrictlyPositive() && request.warmup >= duration)
    {
        flags.Refuse("warmup", "make it shorter than --duration");
    }
    const double last = static_cast<double>(request.messages) / request.messageRate;
    if (last > Days(LONGEST_DAYS).GetSeconds())
    {
        flags.Refuse("messages", "make them take less than ten years at --messageRate");
    }
    if (flags.IsSet("groupSize") && request.suppression.IsZero())
    {
        flags.Refuse("groupSize", "goes with --suppression only");
    }
    for (const auto* flag : {"bucketDepth", "bucketCountsRepairs"})
    {
        if (flags.IsSet(flag) && request.bucketRate.GetBitRate() == 0)
        {
            flags.Refuse(flag, "goes with --bucketRate only");
        }
    }
}

/// Make a helper as the flags say.
JrmHelper
MakeHelper(const Request& request)
{
    JrmHelper helper;
    for (uint32_t i = 0; i < request.groups; ++i)
    {
        helper.AddGroup(Ipv4Address(FIRST_GROUP + i));
    }
    const auto participants = request.senders + request.receivers;
    helper.SetAttribute("PacketSize", UintegerValue(request.packetSize));
    helper.SetAttribute("ErrorRate", DoubleValue(request.errorRate));
    helper.SetAttribute("ErrorOnNack", BooleanValue(request.errorOnNack));
    helper.SetAttribute("ReceiveErrorRate", DoubleValue(request.receiverErrorRate));
    helper.SetAttribute("RecvTimeout", TimeValue(request.recvTimeout));
    helper.SetAttribute("NackTimeout", TimeValue(request.nackTimeout));
    helper.SetAttribute("Adaptive", BooleanValue(request.adaptive));
    helper.SetAttribute("NackBackoff", DoubleValue(request.nackBackoff));
    helper.SetAttribute("MaxNackAttempts", UintegerValue(request.maxNackAttempts));
    helper.SetAttribute("GapNackAllPackets", BooleanValue(request.gapNackAllPackets));
    helper.SetAttribute("CreateHolderOnGap", BooleanValue(request.createHolderOnGap));
    helper.SetAttribute("CompleteImmediately", BooleanValue(request.completeImmediately));
    helper.SetAttribute("MaxBackoff", TimeValue(request.suppression));
    helper.SetAttribute("GroupSize",
                        UintegerValue(request.groupSize > 0 ? request.groupSize : participants));
    helper.SetAttribute("Aggregation", TimeValue(request.aggregation));
    helper.SetAttribute("Heartbeat", TimeValue(request.heartbeat));
    helper.SetAttribute("BucketRate", DataRateValue(request.bucketRate));
    helper.SetAttribute("BucketDepth", UintegerValue(request.bucketDepth));
    helper.SetAttribute("BucketCountsRepairs", BooleanValue(request.bucketCountsRepairs));
    helper.SetAttribute("CheckContent", BooleanValue(request.checkContent));
    helper.SetSourceAttribute("Messages", UintegerValue(request.messages));
    helper.SetSourceAttribute("MessageRate", DoubleValue(request.messageRate));
    helper.SetSourceAttribute("MessageSize",
                              UintegerValue(request.messagePackets * request.packetSize));
    return helper;
}

/// Make the network of more than two participants; two have a link.
Ptr<TransportTopology>
MakeStandardTopology(const Request& request)
{
    const auto participants = request.senders + request.receivers;
    if (participants == 2)
    {
        return nullptr;
    }
    const auto star = CreateObject<StarTopology>();
    star->SetAttribute("Hosts", UintegerValue(participants));
    star->SetAttribute("Senders", UintegerValue(request.senders));
    return star;
}

/// What became of one sender's messages at all receivers.
struct Tally
{
    uint64_t complete{0}; //!< messages
    uint64_t window{0};   //!< of those, after the warm-up
    Time latencies;       //!< their sum
    Time longest;         //!< the longest
    Time last;            //!< when the last one was complete
};

/// The participants and what they did.
class Session
{
  public:
    /// Install participants and sources.
    Session(const Flags& flags, const Request& request, const TransportTopology& path)
        : m_request(request),
          m_tallies(request.senders)
    {
        auto helper = MakeHelper(request);
        const auto hosts = PickHosts(flags, path);
        InstallTree(flags, hosts);
        m_peers = helper.Install(hosts);
        const auto repair = m_peers[0]->GetReceiverSettings().GetLongestRepair();
        Time rtt;
        for (uint32_t i = 0; i < path.GetReceivers().GetN(); ++i)
        {
            rtt = std::max(rtt, path.GetRtt(i));
        }
        m_silence = request.recvTimeout + request.nackTimeout + rtt;
        auto keep = request.sendTimeout;
        if (keep.IsZero())
        {
            const auto unseen = Time::FromDouble(MISSED_IN_A_ROW / request.messageRate, Time::S);
            keep = repair + rtt + unseen;
        }
        else if (keep <= repair)
        {
            std::cerr << flags.GetProgram() << ": "
                      << flags.Complaint("sendTimeout",
                                         "a message may be asked for longer than this, for " +
                                             RunRecorder::Print(repair) + " s")
                      << std::endl;
        }
        if (keep > Days(LONGEST_DAYS))
        {
            flags.Refuse("maxNackAttempts",
                         "a message would be asked for for years: lower it or --nackBackoff");
        }
        for (uint32_t i = 0; i < m_peers.size(); ++i)
        {
            m_peers[i]->SetAttribute("SendTimeout", TimeValue(keep));
            m_peers[i]->AssignStreams(Scenario::FlowStream(i));
            m_peers[i]->SetReceive(MakeCallback(&Session::OnMessage, this));
        }
        for (uint32_t i = 0; i < request.senders; ++i)
        {
            m_sources.push_back(helper.InstallSource(m_peers[i]));
            const auto share = request.spread ? static_cast<double>(i) / request.senders : 0.0;
            m_sources[i]->SetStartTime(Time::FromDouble(share / request.messageRate, Time::S));
        }
        if (request.messages > 0)
        {
            Simulator::Schedule(MilliSeconds(LOOK_INTERVAL_MS), &Session::LookForEnd, this);
        }
    }

    /// Sample what every sender did in an interval.
    void Sample(RunRecorder& recorder, Time end, Time interval)
    {
        m_sampled.resize(m_tallies.size());
        for (std::size_t i = 0; i < m_tallies.size(); ++i)
        {
            const auto messages =
                m_tallies[i].complete - std::exchange(m_sampled[i], m_tallies[i].complete);
            const auto flow = static_cast<int64_t>(i);
            recorder.Sample(end,
                            flow,
                            "goodput_bps",
                            8 * static_cast<double>(messages * GetMessageSize()) /
                                interval.GetSeconds());
            recorder.Sample(end,
                            flow,
                            "data_packets",
                            static_cast<double>(m_peers[i]->GetReport().dataPackets));
        }
    }

    /// Write the row of a sender.
    void AddRow(RunRecorder& recorder, uint32_t index) const
    {
        using R = RunRecorder;
        const auto& peer = *m_peers[index];
        const auto& sent = peer.GetSent();
        const auto& tally = m_tallies[index];
        const auto messages = m_sources[index]->GetSent();
        const auto receivers = m_peers.size() - 1;
        auto report = peer.GetReport();
        JrmReceiverCore::Counters counters;
        std::size_t peakHolders = 0;
        for (const auto& other : m_peers)
        {
            const auto more = other->GetReceiver().GetCounters(index + 1);
            counters.nacks += more.nacks;
            counters.lost += more.lost;
            counters.duplicates += more.duplicates;
            counters.suppressed += more.suppressed;
            peakHolders = std::max(peakHolders, other->GetReceiver().GetPeakHolders());
            if (report.failure.empty())
            {
                report.failure = other->GetReport().failure;
            }
        }
        report.deliveredBytes = tally.complete * GetMessageSize();
        report.lostBytes = counters.lost * GetMessageSize();
        report.lastDelivery = tally.last;
        report.controlPackets = counters.nacks + sent.heartbeats;
        report.finish = Simulator::Now();
        report.completed = m_request.messages > 0 && messages == m_request.messages &&
                           tally.complete == messages * receivers && report.failure.empty();
        const auto all = sent.msgPackets + counters.nacks + sent.nackResponses;
        const auto ratio = [](uint64_t part, uint64_t whole) {
            return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
        };
        const auto mean =
            tally.complete > 0 ? tally.latencies / static_cast<int64_t>(tally.complete) : Time(0);
        recorder.AddFlow(
            index,
            report,
            {{"messages_sent", R::Print(messages)},
             {"messages_complete", R::Print(tally.complete)},
             {"msg_packets", R::Print(sent.msgPackets)},
             {"nack_requests", R::Print(counters.nacks)},
             {"nack_responses", R::Print(sent.nackResponses)},
             {"transmissions_per_message", R::Print(ratio(all, messages))},
             {"messages_lost", R::Print(counters.lost)},
             {"window_messages_complete", R::Print(ratio(tally.window, receivers))},
             {"window_s", R::Print(std::max(report.finish - m_request.warmup, Time(0)))},
             {"mean_latency_s", R::Print(mean)},
             {"max_latency_s", R::Print(tally.longest)},
             {"duplicates", R::Print(counters.duplicates)},
             {"suppressed", R::Print(counters.suppressed)},
             {"heartbeats", R::Print(sent.heartbeats)},
             {"peak_kept", R::Print(uint64_t{m_sources[index]->GetPeakKept()})},
             {"peak_holders", R::Print(uint64_t{peakHolders})},
             {"failure", report.failure}});
    }

  private:
    /// Pick the hosts of the participants, the senders first.
    NodeContainer PickHosts(const Flags& flags, const TransportTopology& path) const
    {
        NodeContainer hosts;
        const auto pick = [&](const NodeContainer& from, uint32_t until) {
            for (auto node = from.Begin(); node != from.End() && hosts.GetN() < until; ++node)
            {
                if (!hosts.Contains((*node)->GetId()))
                {
                    hosts.Add(*node);
                }
            }
        };
        const auto all = m_request.senders + m_request.receivers;
        pick(path.GetSenders(), m_request.senders);
        pick(path.GetReceivers(), all);
        pick(path.GetSenders(), all);
        if (hosts.GetN() < all)
        {
            flags.Refuse("topology",
                         "it names " + std::to_string(hosts.GetN()) +
                             " hosts: lower --senders or --receivers, or name more");
        }
        return hosts;
    }

    /// Set the routes of the groups.
    void InstallTree(const Flags& flags, const NodeContainer& hosts) const
    {
        NodeContainer nodes; // routers first: the tree's beginning has many links
        const auto all = NodeContainer::GetGlobal();
        for (auto node = all.Begin(); node != all.End(); ++node)
        {
            if ((*node)->GetObject<Ipv4>() && !hosts.Contains((*node)->GetId()))
            {
                nodes.Add(*node);
            }
        }
        nodes.Add(hosts);
        for (uint32_t i = 0; i < m_request.groups; ++i)
        {
            if (const auto error = MulticastTree::Install(nodes, Ipv4Address(FIRST_GROUP + i)))
            {
                flags.Refuse("topology", *error);
            }
        }
        // With suppression receivers tell the group as well.
        const auto sending = m_request.suppression.IsZero() ? m_request.senders : hosts.GetN();
        for (uint32_t i = 0; i < sending; ++i)
        {
            if (!MulticastTree::CanSend(hosts.Get(i), Ipv4Address(FIRST_GROUP)))
            {
                flags.Refuse("topology",
                             "participant " + std::to_string(i) +
                                 " is a router: put it on a host with one link");
            }
        }
    }

    /// Get the size of a message, B.
    uint64_t GetMessageSize() const
    {
        return uint64_t{m_request.messagePackets} * m_request.packetSize;
    }

    /// A participant has a whole message.
    void OnMessage(const JrmReceiverCore::Delivery& message)
    {
        const auto sender = message.id.participant - 1;
        if (sender >= m_sources.size())
        {
            return;
        }
        const auto sent = m_sources[sender]->GetSendTime(message.id);
        if (!sent)
        {
            return;
        }
        const Time now = Simulator::Now();
        auto& tally = m_tallies[sender];
        ++tally.complete;
        tally.window += now >= m_request.warmup ? 1 : 0;
        tally.latencies += now - *sent;
        tally.longest = std::max(tally.longest, now - *sent);
        tally.last = now;
    }

    /// Stop when all was sent and nothing has come for a while.
    void LookForEnd()
    {
        const Time now = Simulator::Now();
        uint64_t received = 0;
        bool isQuiet = true;
        for (const auto& source : m_sources)
        {
            isQuiet = isQuiet && source->IsDone();
        }
        for (const auto& peer : m_peers)
        {
            isQuiet = isQuiet && peer->IsQuiet();
            received += peer->GetReceived();
        }
        if (!isQuiet || !m_wasQuiet || received != m_received)
        {
            m_wasQuiet = isQuiet;
            m_received = received;
            m_quietSince = now;
        }
        else if (now - m_quietSince >= m_silence)
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(MilliSeconds(LOOK_INTERVAL_MS), &Session::LookForEnd, this);
    }

    const Request& m_request;                     //!< what was asked for
    std::vector<Ptr<JrmPeer>> m_peers;            //!< participants, the senders first
    std::vector<Ptr<JrmMessageSource>> m_sources; //!< one a sender
    std::vector<Tally> m_tallies;                 //!< one a sender
    std::vector<uint64_t> m_sampled;              //!< messages complete at the last sample
    Time m_silence;                               //!< that proves the end
    bool m_wasQuiet{false};                       //!< at the last look
    Time m_quietSince;                            //!< nothing has happened since
    uint64_t m_received{0};                       //!< datagrams that had come then
};

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("jrm-session",
                      "Messages of many senders to many receivers by JRM (K. Stuer et al., ICCS "
                      "2003): NACKs over IP multicast, with errors before every send.");
    Request request;
    scenario.GetPath().linkRate = DataRate("100Mbps");
    scenario.GetPath().rtt = MicroSeconds(200);
    scenario.OmitMessageLog(); // here --messages is a number
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    CheckTogether(scenario.GetFlags(), request, scenario.GetDuration());
    const auto path = scenario.BuildTopology(MakeStandardTopology(request));
    auto& recorder = scenario.GetRecorder();
    Session session(scenario.GetFlags(), request, *path);
    scenario.EachInterval(
        [&](Time end, Time interval) { session.Sample(recorder, end, interval); });
    scenario.Run();
    for (uint32_t i = 0; i < request.senders; ++i)
    {
        session.AddRow(recorder, i);
    }
    return scenario.Finish();
}
