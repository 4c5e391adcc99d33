// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-transfer-application.h"

#include "ns3/lfn-tos.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <numeric>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("TransferApplication");
NS_OBJECT_ENSURE_REGISTERED(TransferApplication);

TypeId
TransferApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::TransferApplication")
            .SetParent<Application>()
            .SetGroupName("Lfn")
            .AddAttribute(
                "Tos",
                "Type of service of the packets that this end sends: all 8 bits of IPv4's "
                "TOS byte or IPv6's traffic class, or a DSCP such as EF. TCP sets the two ECN bits "
                "itself.",
                UintegerValue(0),
                MakeUintegerAccessor(&TransferApplication::m_tos),
                MakeTosChecker())
            .AddAttribute("HostCost",
                          "What a packet costs the host that sends or receives it; nothing when it "
                          "is not set. Each application has a processor and a disk of its own.",
                          PointerValue(),
                          MakePointerAccessor(&TransferApplication::m_hostCost),
                          MakePointerChecker<HostCost>())
            .AddTraceSource("Tx",
                            "A data packet is handed to a socket.",
                            MakeTraceSourceAccessor(&TransferApplication::m_txTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Rx",
                            "A data packet comes from a socket.",
                            MakeTraceSourceAccessor(&TransferApplication::m_rxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Drop",
                            "A packet is thrown away at this endpoint, with the reason.",
                            MakeTraceSourceAccessor(&TransferApplication::m_dropTrace),
                            "ns3::lfn::TransferApplication::DropTracedCallback")
            .AddTraceSource("Progress",
                            "User bytes delivered and user bytes offered, as counted by this side.",
                            MakeTraceSourceAccessor(&TransferApplication::m_progressTrace),
                            "ns3::lfn::TransferApplication::ProgressTracedCallback")
            .AddTraceSource("Completed",
                            "The transfer has ended well, with its report.",
                            MakeTraceSourceAccessor(&TransferApplication::m_completedTrace),
                            "ns3::lfn::TransferApplication::ReportTracedCallback")
            .AddTraceSource("Failed",
                            "The transfer has ended badly, with its report.",
                            MakeTraceSourceAccessor(&TransferApplication::m_failedTrace),
                            "ns3::lfn::TransferApplication::ReportTracedCallback");
    return tid;
}

const TransferReport&
TransferApplication::GetReport() const
{
    if (!m_receiver)
    {
        return m_report;
    }
    m_joined = m_report;
    m_joined.MergeReceiver(m_receiver->GetReport());
    return m_joined;
}

void
TransferApplication::SetReceiver(Ptr<const TransferApplication> receiver)
{
    NS_LOG_FUNCTION(this << receiver);
    m_receiver = receiver;
}

bool
TransferApplication::Offer(uint64_t /* bytes */)
{
    return false;
}

void
TransferApplication::Finish()
{
}

bool
TransferApplication::AcceptOffer(uint64_t bytes, uint64_t& size)
{
    const bool isFirst = size == 0 && m_report.offeredBytes == 0;
    if (bytes == 0 || bytes > UINT64_MAX - size || m_finished || (!m_isOpen && !isFirst))
    {
        NS_LOG_LOGIC(m_report.protocol << ": an offer of " << bytes << " B is refused");
        return false;
    }
    m_isOpen = true;
    size += bytes;
    m_report.offeredBytes = size;
    return true;
}

TransferApplication::Window
TransferApplication::GetWindow() const
{
    return {};
}

uint64_t
TransferApplication::GetDrops(DropReason reason) const
{
    const auto index = static_cast<size_t>(reason);
    return index < m_drops.size() ? m_drops[index] : 0;
}

uint64_t
TransferApplication::GetTotalDrops() const
{
    return std::accumulate(m_drops.begin(), m_drops.end(), uint64_t{0});
}

bool
TransferApplication::IsFinished() const
{
    return m_finished;
}

bool
TransferApplication::IsHostBusy() const
{
    return m_host && !m_host->IsIdle();
}

std::optional<Time>
TransferApplication::GetLastWrite() const
{
    return m_host ? m_host->GetLastWrite() : std::nullopt;
}

void
TransferApplication::StartHost(HostQueue::GetWork getWork, HostQueue::Deliver deliver)
{
    if (!m_hostCost)
    {
        return;
    }
    m_host = CreateObject<HostQueue>();
    m_host->SetCost(m_hostCost);
    m_host->SetWork(getWork);
    m_host->SetDeliver(deliver);
}

void
TransferApplication::DropPacket(Ptr<const Packet> packet, DropReason reason)
{
    const auto index = static_cast<size_t>(reason);
    if (index < m_drops.size())
    {
        ++m_drops[index];
    }
    NS_LOG_LOGIC(m_report.protocol << ": a packet of " << packet->GetSize()
                                   << " B is dropped: " << reason);
    m_dropTrace(packet, reason);
}

void
TransferApplication::Begin()
{
    if (!m_report.started)
    {
        m_report.started = true;
        m_report.start = Simulator::Now();
        NS_LOG_INFO(m_report.protocol << ": the transfer starts");
    }
}

bool
TransferApplication::End()
{
    if (m_finished)
    {
        return false;
    }
    m_finished = true;
    m_report.finish = Simulator::Now();
    return true;
}

void
TransferApplication::Complete()
{
    if (!End())
    {
        return;
    }
    m_report.completed = true;
    NS_LOG_INFO(m_report.protocol << ": the transfer is complete after "
                                  << (m_report.finish - m_report.start).As(Time::S));
    m_completedTrace(m_report);
    Release();
}

void
TransferApplication::Fail(const std::string& reason)
{
    if (!End())
    {
        return;
    }
    m_report.failure = reason;
    NS_LOG_WARN(m_report.protocol << ": the transfer has failed: " << reason);
    m_failedTrace(m_report);
    Release();
}

bool
TransferApplication::IsEndless() const
{
    return false;
}

void
TransferApplication::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_report.applicationStart = Simulator::Now() + m_startTime;
    Application::DoInitialize();
}

void
TransferApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (!IsEndless())
    {
        Fail("stopped");
        return;
    }
    if (End())
    {
        Release();
    }
}

void
TransferApplication::Release()
{
    if (m_host)
    {
        m_host->Clear();
    }
    CancelEvents();
}

void
TransferApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    // A disposed application neither completes nor fails: any host that listened may be gone
    // already.
    m_finished = true;
    m_beingDisposed = true;
    Release();
    if (m_host)
    {
        m_host->Dispose();
    }
    m_receiver = nullptr;
    Application::DoDispose();
}

bool
TransferApplication::IsBeingDisposed() const
{
    return m_beingDisposed;
}

} // namespace ns3::lfn
