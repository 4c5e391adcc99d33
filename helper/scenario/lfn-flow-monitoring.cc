// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-flow-monitoring.h"

#include <utility>

namespace ns3::lfn
{

FlowMonitoring::FlowMonitoring(RunRecorder& recorder, Series& series)
    : m_recorder(recorder),
      m_series(series)
{
}

void
FlowMonitoring::Declare(Flags& flags)
{
    flags.Switch("monitor",
                 "measure delay and jitter of data packets; with --seriesInterval also sample "
                 "congestion windows and round-trip times",
                 m_wanted);
}

bool
FlowMonitoring::IsWanted() const
{
    return m_wanted;
}

void
FlowMonitoring::Describe(Flags& flags)
{
    flags.Columns("More columns of summary.csv with --monitor; empty if no packet arrived:\n"
                  "  delay_mean_s  mean delay of data packets, host to host [s]\n"
                  "  delay_p95_s  its 95th percentile, at most 0.1 % off [s]\n"
                  "  delay_p99_s  its 99th percentile, at most 0.1 % off [s]\n"
                  "  delay_max_s  the longest [s]\n"
                  "  jitter_s  mean absolute deviation from the mean of 100 packets [s]");
    flags.Columns("More metrics of series.csv with --monitor:\n"
                  "  delay_s  mean delay of the packets that arrived in the interval [s]\n"
                  "  jitter_s  jitter of the last 100 packets [s]\n"
                  "  cwnd_bytes, ssthresh_bytes, rtt_s  of senders that have them [B, B, s]");
}

void
FlowMonitoring::AddColumns()
{
    if (m_wanted)
    {
        m_recorder.AddColumns(
            {"delay_mean_s", "delay_p95_s", "delay_p99_s", "delay_max_s", "jitter_s"},
            [this](uint32_t flow) { return GetFields(flow); });
    }
}

void
FlowMonitoring::Watch(uint32_t flow,
                      Ptr<Node> sender,
                      const NodeContainer& receivers,
                      uint16_t port)
{
    if (!m_wanted)
    {
        return;
    }
    const auto number = m_probe.Watch(sender, receivers, port);
    m_numbers[flow] = number;
    m_series.EachInterval(
        [this, flow, number, sampled = uint64_t{0}, sum = Time(0)](Time end,
                                                                   Time /* interval */) mutable {
            const auto& delays = m_probe.Get(number);
            const auto count = delays.GetCount() - std::exchange(sampled, delays.GetCount());
            const Time added = delays.GetSum() - std::exchange(sum, delays.GetSum());
            if (count > 0)
            {
                const double mean = added.GetSeconds() / static_cast<double>(count);
                m_recorder.Sample(end, flow, "delay_s", mean);
                m_recorder.Sample(end, flow, "jitter_s", delays.GetRecentJitter());
            }
        });
}

void
FlowMonitoring::SampleWindow(uint32_t flow, Ptr<const TransferApplication> sender)
{
    if (!m_wanted)
    {
        return;
    }
    m_series.EachInterval([this, flow, sender](Time end, Time /* interval */) {
        const auto window = sender->GetWindow();
        const auto sample = [&](const char* metric, const std::optional<double>& value) {
            if (value)
            {
                m_recorder.Sample(end, flow, metric, *value);
            }
        };
        sample("cwnd_bytes", window.cwnd);
        sample("ssthresh_bytes", window.ssthresh);
        sample("rtt_s", window.rtt ? std::optional(window.rtt->GetSeconds()) : std::nullopt);
    });
}

RunRecorder::Fields
FlowMonitoring::GetFields(uint32_t flow) const
{
    const auto found = m_numbers.find(flow);
    if (found == m_numbers.end() || m_probe.Get(found->second).GetCount() == 0)
    {
        return {};
    }
    using R = RunRecorder;
    const auto& delays = m_probe.Get(found->second);
    return {{"delay_mean_s", R::Print(delays.GetMean())},
            {"delay_p95_s", R::Print(delays.GetQuantile(0.95))},
            {"delay_p99_s", R::Print(delays.GetQuantile(0.99))},
            {"delay_max_s", R::Print(delays.GetMax())},
            {"jitter_s", R::Print(delays.GetJitter())}};
}

} // namespace ns3::lfn
