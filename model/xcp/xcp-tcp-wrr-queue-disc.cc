// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-tcp-wrr-queue-disc.h"

#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpTcpWrrQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(XcpTcpWrrQueueDisc);

TypeId
XcpTcpWrrQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpTcpWrrQueueDisc")
            .SetParent<XcpPort>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpTcpWrrQueueDisc>()
            .AddAttribute("Weights",
                          "Whether the weights stay (ns-2) or follow the windows of both kinds of "
                          "flows (SIGCOMM paper).",
                          EnumValue(FIXED),
                          MakeEnumAccessor<WeightLaw>(&XcpTcpWrrQueueDisc::m_law),
                          MakeEnumChecker(FIXED, "Fixed", TFRC, "Tfrc"))
            .AddAttribute("XcpWeight",
                          "XCP's part of the link at first.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&XcpTcpWrrQueueDisc::m_firstWeight),
                          MakeDoubleChecker<double>(0.001, 0.999))
            .AddAttribute("SmallestWeight",
                          "No weight that moves falls below this.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&XcpTcpWrrQueueDisc::m_smallestWeight),
                          MakeDoubleChecker<double>(0.001, 0.5))
            .AddAttribute("Kappa",
                          "kappa: largest step of the weights in a control interval.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&XcpTcpWrrQueueDisc::m_kappa),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DropRateWeight",
                          "Weight of a packet in the smoothed drop rate of the other queue.",
                          DoubleValue(0.001),
                          MakeDoubleAccessor(&XcpTcpWrrQueueDisc::m_dropRateWeight),
                          MakeDoubleChecker<double>(0, 1))
            .AddTraceSource("XcpWeight",
                            "XCP's part of the link.",
                            MakeTraceSourceAccessor(&XcpTcpWrrQueueDisc::m_weight),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("RestDropRate",
                            "Smoothed drop rate of the other queue.",
                            MakeTraceSourceAccessor(&XcpTcpWrrQueueDisc::m_dropRate),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("XcpWindow",
                            "Mean window of the XCP flows by their headers, in the last control "
                            "interval that had any, [packets].",
                            MakeTraceSourceAccessor(&XcpTcpWrrQueueDisc::m_window),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

XcpTcpWrrQueueDisc::XcpTcpWrrQueueDisc()
    : XcpPort(QueueDiscSizePolicy::MULTIPLE_QUEUES),
      m_scheduler(2)
{
}

double
XcpTcpWrrQueueDisc::GetXcpWeight() const
{
    return m_weight;
}

void
XcpTcpWrrQueueDisc::SetXcpWeight(double weight)
{
    m_weight = weight;
    m_scheduler.SetWeight(XCP_QUEUE, weight);
    m_scheduler.SetWeight(REST_QUEUE, 1 - weight);
}

double
XcpTcpWrrQueueDisc::GetTfrcWindow(double dropRate)
{
    if (!(dropRate > 0))
    {
        return std::numeric_limits<double>::infinity();
    }
    const double p = std::min(dropRate, 1.0);
    return 1 / (std::sqrt(2 * p / 3) + 12 * std::sqrt(3 * p / 8) * p * (1 + 32 * p * p));
}

void
XcpTcpWrrQueueDisc::MakeQueue()
{
    // The limits are kept here: those of the queues only must not be in the way.
    const QueueSize boundless(GetMaxSize().GetUnit(), std::numeric_limits<uint32_t>::max());
    AddInternalQueue(
        CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>("MaxSize",
                                                                 QueueSizeValue(boundless)));
}

std::size_t
XcpTcpWrrQueueDisc::GetWantedQueues() const
{
    return 2;
}

void
XcpTcpWrrQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    SetXcpWeight(m_firstWeight);
    XcpPort::InitializeParams();
}

double
XcpTcpWrrQueueDisc::GetRuledBytes() const
{
    const auto queue = GetInternalQueue(XCP_QUEUE);
    return GetLinkBytes(queue->GetNBytes(), queue->GetNPackets());
}

double
XcpTcpWrrQueueDisc::GetRuledCapacity(double capacity) const
{
    return std::max(m_weight.Get() * capacity, capacity - m_restRate);
}

bool
XcpTcpWrrQueueDisc::IsFull(const Ptr<QueueDiscItem>& item, std::size_t queue) const
{
    const QueueSize whole = GetMaxSize();
    if (GetCurrentSize() + item > whole)
    {
        return true;
    }
    // With any weights one packet fits.
    if (GetInternalQueue(queue)->IsEmpty())
    {
        return false;
    }
    const double weight = queue == XCP_QUEUE ? m_weight : 1 - m_weight;
    const auto part = static_cast<uint32_t>(std::lround(weight * whole.GetValue()));
    return GetInternalQueue(queue)->GetCurrentSize() + item > QueueSize(whole.GetUnit(), part);
}

void
XcpTcpWrrQueueDisc::OnWindow(const XcpHeader& header)
{
    if (header.x > 0 && header.rtt > 0)
    {
        m_sumX += header.x;
        m_sumRtt += header.rtt;
    }
}

bool
XcpTcpWrrQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    NS_LOG_FUNCTION(this << item);
    const XcpPacketView view = Look(*item);
    const bool isXcp =
        view.kind == XcpPacketKind::XCP_DATA || view.kind == XcpPacketKind::XCP_OTHER;
    const std::size_t queue = isXcp ? XCP_QUEUE : REST_QUEUE;
    const bool isFull = IsFull(item, queue);
    if (isXcp)
    {
        CountArrival(view, GetLinkBytes(*item));
        if (view.kind == XcpPacketKind::XCP_DATA)
        {
            OnWindow(view.header);
        }
    }
    else
    {
        CountForeign(view, GetLinkBytes(*item));
        ++m_restPackets;
        m_dropRate += m_dropRateWeight * ((isFull ? 1 : 0) - m_dropRate);
    }
    if (isFull)
    {
        NS_LOG_LOGIC("queue " << queue << " full: all " << GetCurrentSize() << " of "
                              << GetMaxSize() << ", weight of XCP " << m_weight);
        DropBeforeEnqueue(item, LIMIT_EXCEEDED_DROP);
        return false;
    }
    return GetInternalQueue(queue)->Enqueue(item);
}

ClassSchedulerCore::ClassSet
XcpTcpWrrQueueDisc::GetReady() const
{
    return (GetInternalQueue(XCP_QUEUE)->IsEmpty() ? 0 : 1 << XCP_QUEUE) |
           (GetInternalQueue(REST_QUEUE)->IsEmpty() ? 0 : 1 << REST_QUEUE);
}

Ptr<QueueDiscItem>
XcpTcpWrrQueueDisc::DoDequeue()
{
    NS_LOG_FUNCTION(this);
    const auto queue = m_scheduler.Choose(GetReady());
    if (!queue)
    {
        return nullptr;
    }
    Ptr<QueueDiscItem> item = GetInternalQueue(*queue)->Dequeue();
    const uint32_t bytes = GetLinkBytes(*item);
    m_scheduler.OnSent(*queue, bytes, GetReady());
    if (*queue == XCP_QUEUE)
    {
        CountDeparture(*item, bytes);
    }
    else
    {
        m_restBytes += bytes;
    }
    return item;
}

Ptr<const QueueDiscItem>
XcpTcpWrrQueueDisc::DoPeek()
{
    const auto queue = m_scheduler.Choose(GetReady());
    return queue ? GetInternalQueue(*queue)->Peek() : nullptr;
}

void
XcpTcpWrrQueueDisc::OnControlStart()
{
    m_restBytes = 0;
    m_restPackets = 0;
    m_sumX = 0;
    m_sumRtt = 0;
}

void
XcpTcpWrrQueueDisc::OnControlEnd(Time length)
{
    NS_LOG_FUNCTION(this << length);
    m_restRate = static_cast<double>(m_restBytes) / length.GetSeconds();
    if (m_sumX > 0)
    {
        // A flow sends 1/X packets a second: weighted by X, each flow counts alike.
        m_window = m_sumRtt / m_sumX;
    }
    if (m_law == TFRC)
    {
        MoveWeights();
    }
    OnControlStart();
}

bool
XcpTcpWrrQueueDisc::IsSteady() const
{
    return true; // weights move with packets alone
}

void
XcpTcpWrrQueueDisc::MoveWeights()
{
    // Only where both kinds are there is anything to compare.
    if (!(m_sumX > 0) || m_restPackets == 0)
    {
        return;
    }
    const double xcpWindow = m_window;
    const double tcpWindow = GetTfrcWindow(m_dropRate);
    // 1 when nothing is dropped: TCP does not need what it has.
    const double step =
        std::isinf(tcpWindow) ? 1.0 : (tcpWindow - xcpWindow) / (tcpWindow + xcpWindow);
    SetXcpWeight(
        std::clamp(m_weight.Get() + m_kappa * step, m_smallestWeight, 1 - m_smallestWeight));
    NS_LOG_LOGIC("windows: XCP " << xcpWindow << ", TCP " << tcpWindow << ", drop rate "
                                 << m_dropRate << "; weight of XCP " << m_weight);
}

} // namespace ns3::lfn
