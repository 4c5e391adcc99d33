// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-run-end.h"

#include "ns3/callback.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <memory>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RunEnd");

RunEnd::RunEnd(const LiveEnds& live)
    : m_live(live)
{
}

void
RunEnd::StopAfter(Ptr<TransferApplication> application)
{
    if (m_live.IsReal(application->GetNode()))
    {
        return; // its silence reports the end
    }
    m_running++;
    m_hadRunning = true;
    for (const auto* end : {"Completed", "Failed"})
    {
        application->TraceConnectWithoutContext(end, MakeCallback(&RunEnd::OnEnd, this));
    }
}

void
RunEnd::StopAfter(Ptr<TransferApplication> source, Ptr<TransferApplication> sink)
{
    if (m_live.IsReal(source->GetNode()) || m_live.IsReal(sink->GetNode()))
    {
        StopAfter(source);
        return;
    }
    m_running++;
    m_hadRunning = true;
    source->TraceConnectWithoutContext("Failed", MakeCallback(&RunEnd::OnEnd, this));
    // Plain pointers, since an application must not keep itself; the nodes keep both.
    source->TraceConnectWithoutContext(
        "Completed",
        Callback<void, const TransferReport&>(
            [this, from = PeekPointer(source), to = PeekPointer(sink)](const TransferReport&) {
                AwaitDelivery(from, to);
            }));
}

void
RunEnd::AwaitDelivery(const TransferApplication* source, TransferApplication* sink)
{
    const auto check = [this, source, sink, hasEnded = std::make_shared<bool>(false)] {
        auto report = source->GetReport();
        report.MergeReceiver(sink->GetReport());
        if (!*hasEnded && (report.completed || sink->IsFinished()))
        {
            *hasEnded = true;
            OnEnd(report);
        }
        return *hasEnded;
    };
    if (check())
    {
        return;
    }
    sink->TraceConnectWithoutContext(
        "Progress",
        Callback<void, uint64_t, uint64_t>([check](uint64_t, uint64_t) { check(); }));
    sink->TraceConnectWithoutContext("Drop",
                                     Callback<void, Ptr<const Packet>, DropReason>(
                                         [check](Ptr<const Packet>, DropReason) { check(); }));
    sink->TraceConnectWithoutContext(
        "Failed",
        Callback<void, const TransferReport&>([check](const TransferReport&) { check(); }));
}

void
RunEnd::OnEnd(const TransferReport& /* report */)
{
    m_lastEnd = Simulator::Now();
    NS_LOG_INFO("a transfer has ended, still running " << m_running - 1);
    // A real host may still wait for the last packets.
    if (--m_running == 0 && m_live.GetHosts().empty())
    {
        Simulator::Stop();
    }
}

void
RunEnd::Begin()
{
    if (!m_live.GetHosts().empty())
    {
        Simulator::ScheduleNow(&RunEnd::WatchSilence, this);
    }
}

uint32_t
RunEnd::GetRunning() const
{
    return m_running;
}

void
RunEnd::WatchSilence()
{
    if (m_running == 0 && m_live.AreSilent(m_lastEnd) && (m_hadRunning || m_live.HasBegun()))
    {
        Simulator::Stop();
    }
    Simulator::Schedule(MilliSeconds(100), &RunEnd::WatchSilence, this);
}

} // namespace ns3::lfn
