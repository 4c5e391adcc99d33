// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-queue-disc.h"

#include "ns3/boolean.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(XcpQueueDisc);

TypeId
XcpQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpQueueDisc")
            .SetParent<XcpPort>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpQueueDisc>()
            .AddAttribute("Fairness",
                          "The XCP-TCP fairness mechanism; null: none.",
                          PointerValue(),
                          MakePointerAccessor(&XcpQueueDisc::m_fairness),
                          MakePointerChecker<XcpTcpFairness>())
            .AddAttribute("FairnessInterval",
                          "T: the mechanism adapts this often; 0: at every control interval.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&XcpQueueDisc::m_fairnessInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Mark",
                          "Where the mechanism would drop a packet of an ECN-capable flow, mark "
                          "it.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&XcpQueueDisc::m_mark),
                          MakeBooleanChecker())
            .AddTraceSource("XcpFlows",
                            "N: XCP flows as the mechanism estimates.",
                            MakeTraceSourceAccessor(&XcpQueueDisc::m_xcpFlows),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("TcpFlows",
                            "M: flows of other transports as the mechanism estimates.",
                            MakeTraceSourceAccessor(&XcpQueueDisc::m_tcpFlows),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("TcpRtt",
                            "Mean RTT of TCP by its handshakes, without the queue here, as "
                            "the mechanism measures it; 0: unknown, [s].",
                            MakeTraceSourceAccessor(&XcpQueueDisc::m_tcpRtt),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("DropProbability",
                            "p: drop probability, whether it is applied or not.",
                            MakeTraceSourceAccessor(&XcpQueueDisc::m_dropProbability),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

XcpQueueDisc::XcpQueueDisc()
    : XcpPort(QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE)
{
}

void
XcpQueueDisc::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_fairnessTimer.Cancel();
    m_fairness = nullptr;
    XcpPort::DoDispose();
}

Ptr<XcpTcpFairness>
XcpQueueDisc::GetFairness() const
{
    return m_fairness;
}

std::optional<std::string>
XcpQueueDisc::FindDefect()
{
    if (m_fairness && !m_fairness->Serve(this))
    {
        return GetInstanceTypeId().GetName() +
               ": its mechanism serves another port: give every port a Fairness of its own";
    }
    if (m_fairness && m_fairness->SharesEstimator())
    {
        return GetInstanceTypeId().GetName() +
               ": one estimator counts both classes: give the mechanism's XcpEstimator and "
               "E2eEstimator an object each";
    }
    return XcpPort::FindDefect();
}

bool
XcpQueueDisc::CheckConfig()
{
    const bool isFine = XcpPort::CheckConfig();
    if (!isFine)
    {
        // Where ns-3 goes on all the same, the mechanism may be another port's.
        m_fairness = nullptr;
    }
    return isFine;
}

int64_t
XcpQueueDisc::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    const int64_t used = XcpPort::AssignStreams(stream);
    return used + (m_fairness ? m_fairness->AssignStreams(stream + used) : 0);
}

void
XcpQueueDisc::MakeQueue()
{
    AddInternalQueue(
        CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>("MaxSize",
                                                                 QueueSizeValue(GetMaxSize())));
}

std::size_t
XcpQueueDisc::GetWantedQueues() const
{
    return 1;
}

void
XcpQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    XcpPort::InitializeParams();
    if (m_fairness)
    {
        m_fairness->Initialize();
        if (m_fairnessInterval > Time(0))
        {
            m_fairnessTimer =
                Simulator::Schedule(m_fairnessInterval, &XcpQueueDisc::OnFairnessTimeout, this);
        }
    }
}

double
XcpQueueDisc::GetRuledBytes() const
{
    return GetLinkBytes(GetNBytes(), GetNPackets());
}

bool
XcpQueueDisc::IsRefused(const Ptr<QueueDiscItem>& item, const XcpPacketView& view, uint32_t bytes)
{
    using TrafficClass = XcpTcpFairness::TrafficClass;
    const bool isXcp = view.kind == XcpPacketKind::XCP_DATA;
    if (!isXcp && view.kind != XcpPacketKind::E2E_DATA)
    {
        return false;
    }
    const auto trafficClass = isXcp ? TrafficClass::XCP : TrafficClass::E2E;
    if (!m_fairness->OnArrival(trafficClass, view.flow, bytes))
    {
        return false;
    }
    if (m_mark && Mark(item, FAIRNESS_MARK))
    {
        m_fairness->OnMarked(trafficClass, bytes);
        return false;
    }
    return true;
}

void
XcpQueueDisc::OnTailDrop(const XcpPacketView& view)
{
    if (m_fairness && view.kind == XcpPacketKind::XCP_DATA)
    {
        m_fairness->OnTailDrop(XcpTcpFairness::TrafficClass::XCP);
    }
    else if (m_fairness && view.kind == XcpPacketKind::E2E_DATA)
    {
        m_fairness->OnTailDrop(XcpTcpFairness::TrafficClass::E2E);
    }
}

bool
XcpQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    NS_LOG_FUNCTION(this << item);
    const XcpPacketView view = Look(*item);
    const uint32_t bytes = GetLinkBytes(*item);
    if (m_fairness && view.isSyn)
    {
        const double capacity = GetCapacity();
        const double wait = capacity > 0.0 ? GetBacklog() / capacity : 0.0;
        m_fairness->OnTcpSyn(view.connection, Simulator::Now(), wait);
    }
    else if (m_fairness && view.connection != 0)
    {
        const bool isData = view.kind == XcpPacketKind::E2E_DATA;
        m_fairness->OnTcp(view.connection, isData, Simulator::Now(), GetBacklog());
    }
    if (m_fairness && IsRefused(item, view, bytes))
    {
        NS_LOG_LOGIC("the mechanism for fairness drops a packet of " << bytes << " B");
        DropBeforeEnqueue(item, FAIRNESS_DROP);
        return false;
    }
    CountArrival(view, bytes);
    if (GetCurrentSize() + item > GetMaxSize())
    {
        NS_LOG_LOGIC("queue full: " << GetCurrentSize() << " of " << GetMaxSize());
        OnTailDrop(view);
        DropBeforeEnqueue(item, LIMIT_EXCEEDED_DROP);
        return false;
    }
    return GetInternalQueue(0)->Enqueue(item);
}

Ptr<QueueDiscItem>
XcpQueueDisc::DoDequeue()
{
    NS_LOG_FUNCTION(this);
    Ptr<QueueDiscItem> item = GetInternalQueue(0)->Dequeue();
    if (item)
    {
        const uint32_t bytes = GetLinkBytes(*item);
        CountDeparture(*item, bytes);
        if (m_fairness)
        {
            m_fairness->OnDeparture(bytes, m_fairness->MeasuresDepartures() && IsE2eData(*item));
        }
    }
    return item;
}

Ptr<const QueueDiscItem>
XcpQueueDisc::DoPeek()
{
    // The default would take the packet out, long before it leaves.
    return GetInternalQueue(0)->Peek();
}

void
XcpQueueDisc::OnControlStart()
{
    if (m_fairness && m_fairnessInterval.IsZero())
    {
        m_fairness->BeginInterval();
    }
}

void
XcpQueueDisc::OnControlInterval(Time length, double capacity)
{
    if (m_fairness && m_fairnessInterval.IsZero())
    {
        Adapt(length, capacity);
    }
}

bool
XcpQueueDisc::IsSteady() const
{
    return !m_fairness || m_fairness->IsSteady();
}

void
XcpQueueDisc::OnSuspend()
{
    if (m_fairnessTimer.IsPending())
    {
        m_fairnessDue = TimeStep(m_fairnessTimer.GetTs());
        m_fairnessTimer.Cancel();
    }
}

std::vector<XcpPort::SuspendedTimer>
XcpQueueDisc::OnResume(uint64_t intervals)
{
    if (!m_fairness)
    {
        return {};
    }
    if (m_fairnessInterval.IsZero())
    {
        m_fairness->SkipIntervals(intervals);
        return {};
    }
    SuspendedTimer timer{&m_fairnessTimer,
                         Ptr<EventImpl>(MakeEvent(&XcpQueueDisc::OnFairnessTimeout, this), false),
                         m_fairnessDue,
                         m_fairnessInterval};
    m_fairness->SkipIntervals(timer.Skip());
    return {timer};
}

void
XcpQueueDisc::OnFairnessTimeout()
{
    NS_LOG_FUNCTION(this);
    Adapt(m_fairnessInterval, GetCapacity());
    m_fairnessTimer =
        Simulator::Schedule(m_fairnessInterval, &XcpQueueDisc::OnFairnessTimeout, this);
}

void
XcpQueueDisc::Adapt(Time length, double capacity)
{
    // Not the controller's d: the flows' RTTs stay what they are while they wait.
    m_fairness->OnInterval(length, capacity, GetController()->GetAccount().knownRtt);
    const auto& account = m_fairness->GetAccount();
    NS_LOG_DEBUG("XCP flows " << account.xcpFlows << ", TCP flows " << account.e2eFlows
                              << ", RTT of TCP " << account.e2eRtt << " s, drop probability "
                              << account.dropProbability);
    m_xcpFlows = account.xcpFlows;
    m_tcpFlows = account.e2eFlows;
    m_tcpRtt = account.e2eRtt;
    m_dropProbability = account.dropProbability;
}

} // namespace ns3::lfn
