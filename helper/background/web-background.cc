// SPDX-License-Identifier: GPL-2.0-only

#include "web-background.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/lfn-size-laws.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-transfer-helper.h"
#include "ns3/lfn-values.h"
#include "ns3/lfn-web-source.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("WebBackground");
NS_OBJECT_ENSURE_REGISTERED(WebBackground);

TypeId
WebBackground::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::WebBackground")
            .SetParent<LoadBackground>()
            .SetGroupName("Lfn")
            .AddConstructor<WebBackground>()
            .AddAttribute("Sizes",
                          "Distribution of the flows' sizes: pareto, cut off at LargestSize, or "
                          "lognormal.",
                          EnumValue(PARETO),
                          MakeEnumAccessor<Sizes>(&WebBackground::m_sizes),
                          MakeEnumChecker(PARETO, "pareto", LOGNORMAL, "lognormal"))
            .AddAttribute("MeanSize",
                          "Mean size of a flow in user bytes.",
                          DoubleValue(30e3),
                          MakeDoubleAccessor(&WebBackground::m_meanSize),
                          MakeDoubleChecker<double>(1, 1e9))
            .AddAttribute("Shape",
                          "Exponent of the Pareto distribution, above 1.",
                          DoubleValue(1.2),
                          MakeDoubleAccessor(&WebBackground::m_shape),
                          MakeDoubleChecker<double>(1.01, 100))
            .AddAttribute("LargestSize",
                          "Largest size of the Pareto distribution in user bytes.",
                          DoubleValue(10e6),
                          MakeDoubleAccessor(&WebBackground::m_largestSize),
                          MakeDoubleChecker<double>(1, 1e12))
            .AddAttribute("Sigma",
                          "Standard deviation of the sizes' natural logarithm, lognormal.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&WebBackground::m_sigma),
                          MakeDoubleChecker<double>(0, 5))
            .AddAttribute("Congestion",
                          "TypeId of a TcpCongestionOps; empty for the node's own.",
                          StringValue(""),
                          MakeStringAccessor(&WebBackground::m_congestion),
                          MakeStringChecker());
    return tid;
}

std::string
WebBackground::Describe() const
{
    return "short TCP flows, a Poisson process, with Pareto or log-normal sizes";
}

std::optional<std::string>
WebBackground::Check() const
{
    if (m_sizes == PARETO && m_meanSize >= m_largestSize)
    {
        return "make MeanSize smaller than LargestSize";
    }
    const auto remedy = CheckTcpCongestion(m_congestion);
    return remedy ? std::optional("Congestion: " + *remedy) : LoadBackground::Check();
}

std::string
WebBackground::MakeSizes() const
{
    const auto print = [](double value) { return values::PrintNumber(value); };
    return m_sizes == PARETO
               ? "ns3::ParetoRandomVariable[Scale=" +
                     print(GetParetoScale(m_meanSize, m_shape, m_largestSize)) +
                     "|Shape=" + print(m_shape) + "|Bound=" + print(m_largestSize) + "]"
               : "ns3::LogNormalRandomVariable[Mu=" + print(GetLogNormalMu(m_meanSize, m_sigma)) +
                     "|Sigma=" + print(m_sigma) + "]";
}

void
WebBackground::InstallPairs(const std::string& direction,
                            const std::vector<BackgroundPair>& pairs,
                            double rate,
                            Time start)
{
    NS_LOG_FUNCTION(this << direction << rate);
    m_rows.push_back(std::make_unique<SizeClassRows>(direction));
    auto* rows = m_rows.back().get();
    TransferHelper<WebSource, TcpSink> helper;
    helper.SetSourceAttribute("Size", StringValue(MakeSizes()));
    helper.SetSourceAttribute("Interval",
                              StringValue("ns3::ExponentialRandomVariable[Mean=" +
                                          values::PrintNumber(8 * m_meanSize / rate) + "]"));
    helper.SetAttribute("Congestion", StringValue(m_congestion));
    for (const auto& pair : pairs)
    {
        helper.SetPort(pair.port);
        const auto sink = helper.AddSink(pair.to);
        const auto source = helper.AddSource(pair.from, pair.toAddress);
        source->SetAttribute("SegmentSize", UintegerValue(pair.segment));
        UintegerValue buffer;
        source->GetAttribute("SndBufSize", buffer);
        sink->SetAttribute("RcvBufSize", buffer);
        source->AssignStreams(pair.stream);
        source->SetStartTime(start);
        sink->TraceConnectWithoutContext("ConnectionEnded",
                                         MakeCallback(&WebSource::OnDelivered, source));
        source->TraceConnectWithoutContext(
            "FlowStarted",
            Callback<void, uint64_t>([rows](uint64_t bytes) { rows->Begin(bytes); }));
        source->TraceConnectWithoutContext(
            "FlowEnded",
            Callback<void, uint64_t, Time, bool>(
                [rows](uint64_t bytes, Time duration, bool isComplete) {
                    if (isComplete)
                    {
                        rows->Complete(bytes, duration);
                    }
                }));
    }
}

std::vector<BackgroundRow>
WebBackground::GetRows() const
{
    std::vector<BackgroundRow> all;
    for (const auto& rows : m_rows)
    {
        all.insert(all.end(), rows->Get().begin(), rows->Get().end());
    }
    return all;
}

} // namespace ns3::lfn
