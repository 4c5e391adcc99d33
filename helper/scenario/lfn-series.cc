// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-series.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::lfn
{

Series::Series(RunRecorder& recorder)
    : m_recorder(recorder)
{
}

void
Series::Declare(Flags& flags)
{
    flags.Duration("seriesInterval", "interval of series.csv; 0: no series", m_interval);
}

bool
Series::IsWanted() const
{
    return m_interval.IsStrictlyPositive();
}

void
Series::Watch(Ptr<NetDevice> device)
{
    m_monitor.emplace(device);
}

void
Series::EachInterval(std::function<void(Time end, Time interval)> sampler)
{
    m_samplers.push_back(std::move(sampler));
}

void
Series::SampleGoodput(uint32_t flow, Ptr<const TransferApplication> receiver)
{
    EachInterval([this, flow, receiver, sampled = uint64_t{0}](Time end, Time interval) mutable {
        const auto delivered = receiver->GetReport().deliveredBytes;
        const auto bytes = delivered - std::exchange(sampled, delivered);
        m_recorder.Sample(end,
                          flow,
                          "goodput_bps",
                          8 * static_cast<double>(bytes) / interval.GetSeconds());
    });
}

void
Series::Begin()
{
    m_last = Simulator::Now();
    if (IsWanted())
    {
        Simulator::Schedule(m_interval, &Series::Tick, this);
    }
}

void
Series::End()
{
    if (IsWanted() && Simulator::Now() > m_last)
    {
        Sample();
    }
}

void
Series::Clear()
{
    m_monitor.reset();
}

void
Series::Sample()
{
    const Time now = Simulator::Now();
    const Time interval = now - m_last;
    m_last = now;
    if (m_monitor)
    {
        if (const auto packets = m_monitor->GetQueuePackets())
        {
            m_recorder.Sample(now, -1, "queue_packets", *packets);
        }
        if (const auto utilisation = m_monitor->TakeUtilisation())
        {
            m_recorder.Sample(now, -1, "utilisation", *utilisation);
        }
    }
    for (const auto& sampler : m_samplers)
    {
        sampler(now, interval);
    }
}

void
Series::Tick()
{
    Sample();
    // When nothing else is left to do, neither is there anything left to look at.
    if (!Simulator::IsFinished())
    {
        Simulator::Schedule(m_interval, &Series::Tick, this);
    }
}

} // namespace ns3::lfn
