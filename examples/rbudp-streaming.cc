// SPDX-License-Identifier: GPL-2.0-only

// Streaming of equal objects over RBUDP: He et al., "Quanta", FGCS 2003, section 4.3. Objects are
// gathered into blocks; a block takes S / B_send + RTT, so equation (11) reports the send rate that
// keeps up with the objects.
//
//   rbudp-streaming                        (the paper's example, 288 Mb/s)
//   rbudp-streaming --sendRate=280Mbps     (falls behind)

#include "ns3/core-module.h"
#include "ns3/lfn-scenario.h"
#include "ns3/network-module.h"
#include "ns3/rbudp-helper.h"

using namespace ns3;
using namespace ns3::lfn;

namespace
{

const std::string STREAM = "ns3::lfn::RbudpObjectStream::";
const std::string SENDER = "ns3::lfn::RbudpSender::";

/// What the command line asks for that is no Attribute.
struct Request
{
    Time streamTime{Seconds(60)}; //!< how long objects come
    std::string control{"ideal"}; //!< tcp or ideal
};

/// What the blocks took.
struct Blocks
{
    uint64_t count{0};      //!< blocks delivered
    Time sum;               //!< of their times at the sender
    Time longest;           //!< of them
    Time firstLatency;      //!< of the first block's first object
    Time lastLatency;       //!< of the last full block's first object
    uint64_t fullBlocks{0}; //!< blocks of N_obj objects
    uint64_t waiting{0};    //!< objects not delivered when the last one came
};

/// Declare the flags and columns.
void
Declare(Scenario& scenario, Request& request)
{
    auto& flags = scenario.GetFlags();
    // What equation (11) asks for.
    Config::SetDefault(SENDER + "SendRate", DataRateValue(DataRate("288Mbps")));
    flags.SizeAttribute("objectSize", {STREAM + "ObjectSize"}, "size of an object, S_obj");
    flags.Attribute("objectRate", {STREAM + "ObjectRate"}, "objects a second, B_obj");
    flags.Attribute("maxDelay", {STREAM + "MaxDelay"}, "delay that gathering objects may add, D");
    flags.Duration("streamTime", "how long objects come", request.streamTime, NanoSeconds(1));
    flags.Attribute("sendRate", {SENDER + "SendRate"}, "rate of user bits in a blast, B_send");
    flags.SizeAttribute("packetSize", {SENDER + "PayloadSize"}, "user bytes per datagram");
    flags.Attribute("pacingQuantum",
                    {SENDER + "PacingQuantum"},
                    "interval between datagrams is truncated to a multiple; 0 = ideal clock");
    flags.Choice("control",
                 "control channel: TCP, or the analytical model's",
                 request.control,
                 {"tcp", "ideal"});

    scenario.Column("blocks", "blocks of objects that were completed");
    scenario.Column("objects_per_block", "N_obj, by equation (9)");
    scenario.Column("objects_offered", "objects that came up");
    scenario.Column("objects_delivered", "of those, in blocks that arrived in full");
    scenario.Column("objects_waiting_at_end", "not delivered when the last object came");
    scenario.Column("block_period_s", "N_obj / B_obj [s]");
    scenario.Column("mean_block_time_s", "from a block's first datagram to its full bitmap [s]");
    scenario.Column("max_block_time_s", "the longest of these [s]");
    scenario.Column("max_object_latency_s", "from availability to the arrival of its block [s]");
    scenario.Column("latency_growth_s",
                    "a block later than the one before; above 0: falls behind [s]");
    scenario.Column("equation_11_bps", "least sending rate, by equation (11) [bit/s]");
    scenario.Column("blasts", "passes over the data of all blocks");
    scenario.Column("control_bytes", "messages, both directions [B]");
    scenario.Column("failure", "why, when completed is 0");
    scenario.Metric("goodput_bps", "user bits delivered in the interval, over its length [bit/s]");
    scenario.Metric("backlog_blocks", "blocks that wait for the sender");
}

/// Refuse what cannot be.
void
CheckTogether(const Flags& flags, uint64_t objectsPerBlock)
{
    const auto mtu = flags.Get<UintegerValue>("mtu");
    const auto packetSize = RbudpHelper::GetPacketSize(flags);
    const uint32_t headers = (flags.GetText("ipVersion") == "6" ? 48 : 28) + RbudpDataHeader::SIZE;
    flags.RefuseIf(flags.Get<DataRateValue>("sendRate").GetBitRate() == 0,
                   "sendRate",
                   "give a positive rate, such as 288Mbps");
    if (packetSize + headers > mtu)
    {
        flags.Refuse("packetSize",
                     "make it at most " + std::to_string(mtu - headers) +
                         " or set --mtu=" + std::to_string(packetSize + headers));
    }
    const auto objectSize = flags.Get<UintegerValue>("objectSize");
    if (objectsPerBlock > UINT64_MAX / objectSize ||
        RbudpAnnouncement{objectsPerBlock * objectSize, packetSize, 0}.GetDatagrams() >
            RbudpAnnouncement::MAX_DATAGRAMS)
    {
        flags.Refuse("maxDelay", "a block has too many datagrams: shorten it");
    }
}

/// Equation (11): S_obj * B_obj / (1 - RTT / D), in bit/s; 0 when D does not exceed the RTT.
double
GetEquation11(const Flags& flags, Time rtt)
{
    const auto size = flags.Get<UintegerValue>("objectSize");
    const auto delay = flags.Get<TimeValue>("maxDelay");
    const double share = 1 - rtt.GetSeconds() / delay.GetSeconds();
    return share > 0 ? 8 * size * flags.Get<DoubleValue>("objectRate") / share : 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("rbudp-streaming",
                      "Objects streamed over RBUDP in blocks (He et al., Quanta, FGCS 2003, "
                      "section 4.3).",
                      {.stopsRun = true});
    Request request;
    Declare(scenario, request);
    scenario.Parse(argc, argv);
    const auto& flags = scenario.GetFlags();
    const auto objectRate = flags.Get<DoubleValue>("objectRate");
    const auto objectsPerBlock =
        RbudpObjectStream::GetObjectsPerBlock(objectRate, flags.Get<TimeValue>("maxDelay"));
    const UintegerValue packetSize(RbudpHelper::GetPacketSize(flags));
    flags.Imply(SENDER + "PayloadSize", packetSize);
    CheckTogether(flags, objectsPerBlock);
    const auto path = scenario.BuildTopology();
    scenario.CheckPair(0, 0);

    RbudpHelper helper;
    if (request.control == "ideal")
    {
        helper.UseIdealControl(path->GetRtt() / 2, flags.Get<DataRateValue>("sendRate"));
    }
    const auto transfer = helper.Install(path->GetSenders().Get(0),
                                         path->GetSenderEnd(),
                                         path->GetReceivers().Get(0),
                                         path->GetReceiverEnd());
    RbudpHelper::FollowRtt(transfer, path->GetRtt());
    const auto stream = RbudpHelper::InstallStream(transfer);
    // The objects begin when the connection stands, not in its set-up.
    const Time begin = 2 * path->GetRtt();
    stream->SetStartTime(begin);
    stream->SetStopTime(begin + request.streamTime);

    Blocks blocks;
    auto onPayload = [&blocks](const RbudpPayloadReport& report) {
        const Time taken = report.finish - report.start;
        blocks.count++;
        blocks.sum += taken;
        blocks.longest = std::max(blocks.longest, taken);
    };
    auto onBlock = [&blocks, objectsPerBlock](uint64_t index, uint64_t objects, Time latency) {
        blocks.firstLatency = index == 0 ? latency : blocks.firstLatency;
        if (objects == objectsPerBlock)
        {
            blocks.lastLatency = latency;
            blocks.fullBlocks++;
        }
    };
    transfer.source->TraceConnectWithoutContext(
        "PayloadCompleted",
        Callback<void, const RbudpPayloadReport&>(onPayload));
    stream->TraceConnectWithoutContext("BlockDelivered",
                                       Callback<void, uint64_t, uint64_t, Time>(onBlock));
    Simulator::Schedule(scenario.GetStart() + begin + request.streamTime - Time(1), [&] {
        const auto came = static_cast<uint64_t>(
            std::floor(request.streamTime.GetSeconds() * objectRate * (1 - 1e-12)));
        blocks.waiting = came - std::min(came, stream->GetObjectsDelivered());
    });
    transfer.sink->TraceConnectWithoutContext(
        "Completed",
        Callback<void, const TransferReport&>([](const TransferReport&) { Simulator::Stop(); }));
    scenario.GetSeries().SampleGoodput(0, transfer.sink);
    UintegerValue port;
    transfer.sink->GetAttribute("UdpPort", port);
    scenario.GetMonitoring().Watch(0,
                                   transfer.source->GetNode(),
                                   transfer.sink->GetNode(),
                                   static_cast<uint16_t>(port.Get()));
    scenario.GetSeries().EachInterval([&](Time end, Time /* interval */) {
        const auto backlog = static_cast<double>(transfer.source->GetBacklog());
        scenario.GetRecorder().Sample(end, 0, "backlog_blocks", backlog);
    });
    scenario.Run();

    auto report = transfer.source->GetReport();
    report.MergeReceiver(transfer.sink->GetReport());
    report.variant = "streaming";
    const Time period = Seconds(static_cast<double>(objectsPerBlock) / objectRate);
    const auto later = blocks.fullBlocks > 1 ? (blocks.lastLatency - blocks.firstLatency) /
                                                   static_cast<int64_t>(blocks.fullBlocks - 1)
                                             : Time(0);
    using R = RunRecorder;
    scenario.GetRecorder().AddFlow(
        0,
        report,
        {{"blocks", R::Print(blocks.count)},
         {"objects_per_block", R::Print(objectsPerBlock)},
         {"objects_offered", R::Print(stream->GetObjectsOffered())},
         {"objects_delivered", R::Print(stream->GetObjectsDelivered())},
         {"objects_waiting_at_end", R::Print(blocks.waiting)},
         {"block_period_s", R::Print(period)},
         {"mean_block_time_s",
          blocks.count > 0 ? R::Print(blocks.sum / static_cast<int64_t>(blocks.count)) : ""},
         {"max_block_time_s", R::Print(blocks.longest)},
         {"max_object_latency_s", R::Print(stream->GetMaxLatency())},
         {"latency_growth_s", R::Print(later)},
         {"equation_11_bps", R::Print(GetEquation11(flags, path->GetRtt()))},
         {"blasts", R::Print(uint64_t{transfer.source->GetTotals().blasts})},
         {"control_bytes", R::Print(transfer.source->GetControlBytes())},
         {"failure", report.failure}});
    return scenario.Finish();
}
