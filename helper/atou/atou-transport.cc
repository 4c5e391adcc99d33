// SPDX-License-Identifier: GPL-2.0-only

#include "atou-transport.h"

#include "atou-helper.h"

#include "ns3/atou-header.h"
#include "ns3/atou-tcp-congestion.h"
#include "ns3/boolean.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("AtouTransport");
NS_OBJECT_ENSURE_REGISTERED(AtouTransport);

namespace
{

constexpr uint32_t MOST_WINDOW = 10'000'000; //!< of AtouOptions, segments

} // namespace

TypeId
AtouTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::AtouTransport")
            .SetParent<Transport>()
            .SetGroupName("Lfn")
            .AddConstructor<AtouTransport>()
            .AddAttribute("Congestion",
                          "native, or the TypeId of a TcpCongestionOps.",
                          StringValue(AtouClient::NATIVE),
                          MakeStringAccessor(&AtouTransport::m_congestion),
                          MakeStringChecker())
            .AddAttribute("Options",
                          "Options of atou, \"keyword value; keyword value\"; mss, rcvrwin, "
                          "maxpkts, maxtime and port are the flow's.",
                          StringValue("sack 1"),
                          MakeStringAccessor(&AtouTransport::m_options),
                          MakeStringChecker());
    return tid;
}

TransportTraits
AtouTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = "whole segments; any congestion control of ns-3 that needs nothing but ACKs";
    traits.headerBytes = AtouDataHeader::SIZE;
    return traits;
}

std::optional<std::string>
AtouTransport::Check() const
{
    if (const auto trouble = AtouHelper().ReadOptions(m_options))
    {
        return "Options: " + *trouble;
    }
    if (m_congestion == AtouClient::NATIVE)
    {
        return std::nullopt;
    }
    const auto remedy = CheckTcpCongestion(m_congestion);
    if (remedy || m_congestion.empty())
    {
        return "Congestion: give native, or " +
               remedy.value_or("a TcpCongestionOps, such as ns3::TcpCubic");
    }
    const auto trouble = AtouTcpCongestion::Check(TypeId::LookupByName(m_congestion));
    return trouble ? std::optional("Congestion: " + *trouble) : std::nullopt;
}

std::optional<std::string>
AtouTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    AtouHelper helper;
    if (const auto trouble = helper.ReadOptions(m_options))
    {
        return "atou: Options: " + *trouble;
    }
    const auto options = helper.GetOptions();
    options->port = flow.port;
    const auto mss = SuggestNumber(options, "Mss", flow.packetSize + AtouDataHeader::SIZE);
    const auto packetSize = static_cast<uint32_t>(mss - AtouDataHeader::SIZE);
    const auto window = std::clamp(flow.windowBytes / packetSize, 10U, MOST_WINDOW);
    Suggest(options, "RcvWin", UintegerValue(window));
    const uint64_t segments = flow.bytes > 0 ? (flow.bytes - 1) / packetSize + 1 : 0;
    if (segments >= AtouOptions::INFINITE)
    {
        return "atou counts segments in 31 bits: lower --bytes";
    }
    Suggest(options, "MaxPkts", UintegerValue(segments > 0 ? segments + 1 : 0));
    Suggest(options, "MaxTime", TimeValue(Time(0)));
    options->Settle();
    NS_LOG_DEBUG("window " << window << " segments of " << packetSize << " B, MaxPkts "
                           << segments);
    const auto server = helper.AddSink(flow.receiver);
    const auto client = helper.AddSource(flow.sender, flow.receiverAddress);
    helper.FollowRtt(client, flow.rtt);
    Suggest(server, "Sack", BooleanValue(options->sack));
    Suggest(server, "CheckContent", BooleanValue(flow.checkContent));
    Suggest(client, "CheckContent", BooleanValue(flow.checkContent));
    HandOn(client, "Congestion");
    server->AssignStreams(flow.stream);
    client->SetStartTime(flow.start);
    ends = {.source = client, .sink = server};
    ends.packetSize = packetSize;
    HandOnTos(ends);
    return std::nullopt;
}

TransferReport
AtouTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    report.controlPackets = ends.sink->GetReport().controlPackets;
    return report;
}

FlowCounter::Bounds
AtouTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    return bounds;
}

} // namespace ns3::lfn
