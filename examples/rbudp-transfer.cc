// SPDX-License-Identifier: GPL-2.0-only

// One bulk transfer over a long fat network: RBUDP as in He et al., "Quanta", FGCS 2003, section
// 4, or one of the baselines it is measured against (UDP as iperf and app_perf send it, TCP).
//
//   rbudp-transfer --bytes=450MB --sendRate=611Mbps --lossRate=0.01
//   rbudp-transfer --receiverHost=livelock --sendRate=828.6Mbps --control=ideal
//   rbudp-transfer --protocol=udp --receiver=fake --receiverHost=constant   (the iperf line)

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-scenario.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/lfn-udp-sink.h"
#include "ns3/lfn-udp-source.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/rbudp-helper.h"

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint16_t UDP_PORT = 38000;     //!< of the data
constexpr uint16_t CONTROL_PORT = 38001; //!< of the control connection, and of the TCP baseline

/// What the command line asks for.
struct Request
{
    std::string protocol{"rbudp"};    //!< rbudp, udp or tcp
    uint64_t bytes{450'000'000};      //!< S_total
    DataRate sendRate{600'000'000};   //!< B_send
    uint32_t packetSize{1450};        //!< S_packet
    Time pacingQuantum;               //!< granularity of the interval
    std::string control{"tcp"};       //!< tcp or ideal
    std::string receiver{"naive"};    //!< naive, scatter-gather or fake
    std::string receiverHost{"none"}; //!< profile
    std::string senderHost{"none"};   //!< profile
    std::string rateAdapt{"none"};    //!< none or loss
    uint64_t blockSize{0};            //!< split the payload
    uint32_t maxRounds{1000};         //!< blasts at most
    uint32_t noProgressRounds{10};    //!< useless blasts at most
    bool checkContent{false};         //!< send and check a pattern
    std::vector<uint64_t> dropData;   //!< data packets to lose, from 1
};

/// Declare the flags.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    flags.Choice("protocol", "what sends", request.protocol, {"rbudp", "udp", "tcp"});
    flags.Bytes("bytes", "user bytes to send", request.bytes);
    flags.Rate("sendRate", "rate of user bits in a blast", request.sendRate);
    flags.Bytes("packetSize", "user bytes a datagram", request.packetSize, 1, 65503);
    flags.Duration("pacingQuantum",
                   "interval between datagrams is truncated to a multiple; 0 = ideal clock, 1us = "
                   "the published tools",
                   request.pacingQuantum);
    flags.Choice("control",
                 "control channel: TCP, or the analytical model's",
                 request.control,
                 {"tcp", "ideal"});
    flags.Choice("receiver",
                 "how data reach the application; with --protocol=udp, fake is iperf and naive is "
                 "app_perf",
                 request.receiver,
                 {"naive", "scatter-gather", "fake"});
    scenario.DeclareHost("receiverHost", "speed of the receiving host", request.receiverHost);
    scenario.DeclareHost("senderHost", "speed of the sending host", request.senderHost);
    flags.Choice("rateAdapt",
                 "send rate after a lossy first blast",
                 request.rateAdapt,
                 {"none", "loss"});
    flags.Bytes("blockSize",
                "split the data into payloads of this size; 0 = one payload",
                request.blockSize,
                0);
    flags.Count("maxRounds", "give up after so many blasts", request.maxRounds, 1);
    flags.Count("noProgressRounds",
                "give up after so many blasts in a row that bring nothing",
                request.noProgressRounds,
                1);
    flags.Switch("checkContent", "send a pattern and check every byte", request.checkContent);
    flags.CountList("dropData", "lose these data packets, counted from 1", request.dropData);
    flags.Columns("Own columns of summary.csv: blasts (first one included), "
                  "first_blast_packets, residual_packets_first_blast (missing after the first "
                  "blast), control_bytes (messages, both directions), host_drops (datagrams that "
                  "found the receiving host's buffer full), duplicate_packets, "
                  "unpredicted_packets (not the datagram expected next; with a receiver host), "
                  "failure (why, when completed is 0).");
    scenario.GetRecorder().AddColumns({"blasts",
                                       "first_blast_packets",
                                       "residual_packets_first_blast",
                                       "control_bytes",
                                       "host_drops",
                                       "duplicate_packets",
                                       "unpredicted_packets",
                                       "failure"});
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, const Request& request, uint32_t mtu)
{
    const auto rbudp = request.protocol == "rbudp";
    for (const auto* flag : {"control", "rateAdapt", "blockSize", "maxRounds", "noProgressRounds"})
    {
        if (!rbudp && flags.IsSet(flag))
        {
            flags.Refuse(flag, "goes with --protocol=rbudp only");
        }
    }
    for (const auto* flag : {"sendRate", "pacingQuantum", "senderHost", "receiver", "dropData"})
    {
        if (request.protocol == "tcp" && flags.IsSet(flag))
        {
            flags.Refuse(flag, "goes with --protocol=rbudp or udp only");
        }
    }
    if (!rbudp && request.receiver == "scatter-gather")
    {
        flags.Refuse("receiver", "scatter-gather goes with --protocol=rbudp only");
    }
    const auto headers = 28 + (rbudp ? RbudpDataHeader::SIZE : 0);
    if (request.protocol != "tcp" && request.packetSize + headers > mtu)
    {
        flags.Refuse("packetSize",
                     "make it at most " + std::to_string(mtu - headers) +
                         " or set --mtu=" + std::to_string(request.packetSize + headers));
    }
    if (rbudp && request.blockSize == 0 &&
        RbudpAnnouncement{request.bytes, request.packetSize, 0}.GetDatagrams() >
            RbudpAnnouncement::MAX_DATAGRAMS)
    {
        flags.Refuse("bytes", "more datagrams than sequence numbers: set --blockSize=1GB");
    }
}

/// Write the messages of a transfer for a sequence chart.
class MessageLog
{
  public:
    /// Listen to both ends and to what the link loses.
    MessageLog(RunRecorder& recorder,
               const RbudpHelper::Transfer& transfer,
               Ptr<NetDevice> arriving)
        : m_recorder(recorder)
    {
        auto connect = [](auto object, const char* trace, const auto& callback) {
            object->TraceConnectWithoutContext(trace, callback);
        };
        connect(transfer.sender, "Tx", MakeCallback(&MessageLog::OnData, this).Bind(true));
        connect(transfer.receiver, "Rx", MakeCallback(&MessageLog::OnData, this).Bind(false));
        connect(transfer.sender,
                "Message",
                MakeCallback(&MessageLog::OnMessage, this).Bind(std::string("sender")));
        connect(transfer.receiver,
                "Message",
                MakeCallback(&MessageLog::OnMessage, this).Bind(std::string("receiver")));
        if (DynamicCast<PointToPointNetDevice>(arriving)) // whose frames OnLost() can read
        {
            connect(arriving, "PhyRxDrop", MakeCallback(&MessageLog::OnLost, this));
        }
    }

  private:
    /// A datagram leaves the sender or is read by the receiver.
    void OnData(bool sent, Ptr<const Packet> packet)
    {
        RbudpDataHeader header;
        if (packet->PeekHeader(header) == RbudpDataHeader::SIZE)
        {
            m_recorder.Message(Simulator::Now(),
                               0,
                               sent ? "sender" : "receiver",
                               sent ? "tx" : "rx",
                               "data",
                               sent ? m_sendRound : m_receiveRound,
                               header.GetSequence(),
                               packet->GetSize() - RbudpDataHeader::SIZE);
        }
    }

    /// A control message leaves or arrives.
    void OnMessage(std::string node,
                   RbudpMessageKind kind,
                   bool sent,
                   uint32_t round,
                   uint64_t bytes)
    {
        m_recorder.Message(Simulator::Now(),
                           0,
                           node,
                           sent ? "tx" : "rx",
                           ToString(kind),
                           round,
                           0,
                           bytes);
        if (kind == RbudpMessageKind::DONE)
        {
            (sent ? m_sendRound : m_receiveRound) = round + 1;
        }
    }

    /// The link loses a frame.
    void OnLost(Ptr<const Packet> frame)
    {
        const auto packet = frame->Copy();
        PppHeader ppp;
        Ipv4Header ip;
        UdpHeader udp;
        RbudpDataHeader header;
        packet->RemoveHeader(ppp);
        packet->RemoveHeader(ip);
        if (ip.GetProtocol() == UdpL4Protocol::PROT_NUMBER)
        {
            packet->RemoveHeader(udp);
            packet->RemoveHeader(header);
            m_recorder.Message(Simulator::Now(),
                               0,
                               "receiver",
                               "drop",
                               "data",
                               m_receiveRound,
                               header.GetSequence(),
                               packet->GetSize());
        }
    }

    RunRecorder& m_recorder;    //!< takes the messages
    uint32_t m_sendRound{0};    //!< blast that the sender is in
    uint32_t m_receiveRound{0}; //!< blast that the receiver is in
};

/// Install RBUDP.
RbudpHelper::Transfer
InstallRbudp(const Request& request, const TransportTopology& path)
{
    const std::map<std::string, std::string> models{{"naive", "Naive"},
                                                    {"scatter-gather", "ScatterGather"},
                                                    {"fake", "Fake"}};
    RbudpHelper helper;
    helper.SetPorts(UDP_PORT, CONTROL_PORT);
    helper.SetSenderAttribute("Bytes", UintegerValue(request.bytes));
    helper.SetSenderAttribute("BlockSize", UintegerValue(request.blockSize));
    helper.SetSenderAttribute("SendRate", DataRateValue(request.sendRate));
    helper.SetSenderAttribute("PayloadSize", UintegerValue(request.packetSize));
    helper.SetSenderAttribute("PacingQuantum", TimeValue(request.pacingQuantum));
    helper.SetSenderAttribute("MaxRounds", UintegerValue(request.maxRounds));
    helper.SetSenderAttribute("NoProgressRounds", UintegerValue(request.noProgressRounds));
    helper.SetSenderAttribute("RateAdapt",
                              StringValue(request.rateAdapt == "loss" ? "LossBased" : "None"));
    helper.SetSenderAttribute("CheckContent", BooleanValue(request.checkContent));
    helper.SetReceiverAttribute("Receiver", StringValue(models.at(request.receiver)));
    helper.SetReceiverAttribute("CheckContent", BooleanValue(request.checkContent));
    if (request.control == "ideal")
    {
        helper.UseIdealControl(path.GetRtt() / 2, request.sendRate);
    }
    const auto transfer = helper.Install(path.GetSenders().Get(0),
                                         path.GetSenderAddress(),
                                         path.GetReceivers().Get(0),
                                         path.GetReceiverAddress());
    HostCost::SetProfile(transfer.sender, request.senderHost);
    HostCost::SetProfile(transfer.receiver, request.receiverHost);
    return transfer;
}

/// Install a baseline: UDP without resends, or TCP.
std::pair<Ptr<TransferApplication>, Ptr<TransferApplication>>
InstallBaseline(const Request& request, const TransportTopology& path)
{
    const bool udp = request.protocol == "udp";
    const auto port = udp ? UDP_PORT : CONTROL_PORT;
    const std::string kind = udp ? "ns3::lfn::Udp" : "ns3::lfn::Tcp";
    const auto source = ObjectFactory(kind + "Source").Create<TransferApplication>();
    const auto sink = ObjectFactory(kind + "Sink").Create<TransferApplication>();
    source->SetAttribute("Remote",
                         AddressValue(InetSocketAddress(path.GetReceiverAddress(), port)));
    source->SetAttribute("Bytes", UintegerValue(request.bytes));
    source->SetAttribute("CheckContent", BooleanValue(request.checkContent));
    sink->SetAttribute("Port", UintegerValue(port));
    sink->SetAttribute("CheckContent", BooleanValue(request.checkContent));
    if (udp)
    {
        source->SetAttribute("SendRate", DataRateValue(request.sendRate));
        source->SetAttribute("PacketSize", UintegerValue(request.packetSize));
        source->SetAttribute("PacingQuantum", TimeValue(request.pacingQuantum));
        sink->SetAttribute("MoveData", BooleanValue(request.receiver != "fake"));
    }
    else
    {
        source->SetAttribute("SegmentSize", UintegerValue(std::min(request.packetSize, 1448U)));
    }
    HostCost::SetProfile(sink, request.receiverHost);
    if (udp) // TCP's sender is not modelled as a slow host
    {
        HostCost::SetProfile(source, request.senderHost);
    }
    path.GetSenders().Get(0)->AddApplication(source);
    path.GetReceivers().Get(0)->AddApplication(sink);
    return {source, sink};
}

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("rbudp-transfer",
                      "A bulk transfer by RBUDP (He et al., Quanta, FGCS 2003, section 4), or by "
                      "UDP or TCP for comparison.");
    Request request;
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    CheckTogether(scenario.GetFlags(), request, scenario.GetPath().mtu);
    const auto path = scenario.BuildTopology();
    scenario.CheckPair(0, 0);
    auto& recorder = scenario.GetRecorder();

    if (!request.dropData.empty())
    {
        const auto script = CreateObject<ScriptedErrorModel>();
        IpPacketFilter data;
        data.ipProtocol = UdpL4Protocol::PROT_NUMBER;
        data.destinationPort = UDP_PORT;
        script->SetFilter(data);
        for (const auto k : request.dropData)
        {
            script->Drop(k);
        }
        scenario.AddDataLoss(script);
    }

    RbudpHelper::Transfer rbudp;
    Ptr<TransferApplication> source;
    Ptr<TransferApplication> sink;
    std::unique_ptr<MessageLog> log;
    if (request.protocol == "rbudp")
    {
        rbudp = InstallRbudp(request, *path);
        source = rbudp.sender;
        sink = rbudp.receiver;
        scenario.StopAfter(sink);
        if (recorder.HasMessages())
        {
            log = std::make_unique<MessageLog>(recorder, rbudp, path->GetBottlenecks()[0].second);
        }
    }
    else
    {
        std::tie(source, sink) = InstallBaseline(request, *path);
    }
    if (request.protocol != "udp") // whose datagrams are still under way when its sender ends
    {
        scenario.StopAfter(source);
    }
    uint64_t sampled = 0;
    scenario.EachInterval([&](Time end, Time interval) {
        const auto delivered = sink->GetReport().deliveredBytes;
        recorder.Sample(end,
                        0,
                        "goodput_bps",
                        8 * static_cast<double>(delivered - sampled) / interval.GetSeconds());
        sampled = delivered;
    });
    scenario.Run();

    auto report = source->GetReport();
    report.TakeReceiverSide(sink->GetReport());
    report.variant = request.protocol == "tcp" ? "" : request.receiver;
    const auto totals = rbudp.sender ? rbudp.sender->GetTotals() : RbudpSenderCore::Counters{};
    using R = RunRecorder;
    recorder.AddFlow(
        0,
        report,
        {{"blasts", R::Print(uint64_t{totals.blasts})},
         {"first_blast_packets", R::Print(totals.firstBlastPackets)},
         {"residual_packets_first_blast", R::Print(totals.residualPacketsFirstBlast)},
         {"control_bytes", R::Print(rbudp.sender ? rbudp.sender->GetControlBytes() : 0)},
         {"host_drops", R::Print(sink->GetDrops(DropReason::BUFFER_FULL))},
         {"duplicate_packets", R::Print(rbudp.receiver ? rbudp.receiver->GetDuplicates() : 0)},
         {"unpredicted_packets", R::Print(rbudp.receiver ? rbudp.receiver->GetUnpredicted() : 0)},
         {"failure", report.failure}});
    return scenario.Finish();
}
