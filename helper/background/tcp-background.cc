// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-background.h"

#include "ns3/baseline-helper.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TcpBackground");
NS_OBJECT_ENSURE_REGISTERED(TcpBackground);

TypeId
TcpBackground::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::TcpBackground")
                            .SetParent<Background>()
                            .SetGroupName("Lfn")
                            .AddConstructor<TcpBackground>()
                            .AddAttribute("Flows",
                                          "Number of flows.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&TcpBackground::m_flows),
                                          MakeUintegerChecker<uint32_t>(1, MOST_FLOWS))
                            .AddAttribute("Congestion",
                                          "TypeId of a TcpCongestionOps; empty for the node's own.",
                                          StringValue(""),
                                          MakeStringAccessor(&TcpBackground::m_congestion),
                                          MakeStringChecker());
    return tid;
}

std::string
TcpBackground::Describe() const
{
    return "TCP flows without end, from senders to receivers";
}

std::optional<std::string>
TcpBackground::Check() const
{
    const auto remedy = CheckTcpCongestion(m_congestion);
    return remedy ? std::optional("Congestion: " + *remedy) : std::nullopt;
}

uint32_t
TcpBackground::GetFlows() const
{
    return m_flows;
}

std::string
TcpBackground::GetCongestion() const
{
    return m_congestion;
}

void
TcpBackground::Add(Ptr<const TransferApplication> sink)
{
    m_sinks.push_back(sink);
}

std::optional<std::string>
TcpBackground::Install(const BackgroundPlace& place)
{
    NS_LOG_FUNCTION(this << m_flows << m_congestion);
    constexpr uint32_t WINDOW = 8U << 20; // B
    if (m_flows > BackgroundPlace::PORTS)
    {
        return "make Flows at most " + std::to_string(BackgroundPlace::PORTS);
    }
    BaselineHelper helper("Tcp");
    helper.SetSourceAttribute("SndBufSize", UintegerValue(WINDOW));
    helper.SetSinkAttribute("RcvBufSize", UintegerValue(WINDOW));
    helper.SetAttribute("Congestion", StringValue(m_congestion));
    for (uint32_t i = 0; i < m_flows; ++i)
    {
        const auto& pair = place.forward[i % place.forward.size()];
        const auto port = static_cast<uint16_t>(place.port + i);
        helper.SetSourceAttribute("SegmentSize", UintegerValue(pair.segment));
        const auto [source, sink] =
            helper.Install(pair.from, pair.to, UdpEndpoint::WithPort(pair.toAddress, port));
        source->AssignStreams(place.stream + BackgroundPlace::OWN_STREAMS + i);
        source->SetStartTime(place.start);
        Add(sink);
    }
    return std::nullopt;
}

std::vector<BackgroundRow>
TcpBackground::GetRows() const
{
    BackgroundRow row;
    row.direction = "forward";
    row.flows = m_sinks.size();
    for (const auto& sink : m_sinks)
    {
        row.deliveredBytes += sink->GetReport().deliveredBytes;
    }
    row.offeredBytes = row.deliveredBytes;
    return {row};
}

} // namespace ns3::lfn
