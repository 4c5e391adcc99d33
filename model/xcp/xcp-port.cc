// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-port.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpPort");
NS_OBJECT_ENSURE_REGISTERED(XcpPort);

TypeId
XcpPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpPort")
            .SetParent<QueueDisc>()
            .SetGroupName("Lfn")
            .AddAttribute("MaxSize",
                          "Size of the buffer; never 0.",
                          QueueSizeValue(QueueSize("1000p")),
                          MakeQueueSizeAccessor(&QueueDisc::SetMaxSize, &QueueDisc::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("Bandwidth",
                          "C: capacity of the link; 0: the DataRate of the device, looked up at "
                          "every control interval.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&XcpPort::SetBandwidth, &XcpPort::GetBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("OverheadBytes",
                          "What the link adds to every IP packet; 2 with PPP.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&XcpPort::m_overheadBytes),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("CountDeviceQueue",
                          "What waits in the device's own queue counts as queue.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&XcpPort::m_countDeviceQueue),
                          MakeBooleanChecker())
            .AddAttribute("ProtocolNumber",
                          "IP protocol number of the congestion header: 253 or 254, those for "
                          "experiments (RFC 3692), as all others are or may be somebody's.",
                          UintegerValue(253),
                          MakeUintegerAccessor(&XcpPort::m_protocol),
                          MakeUintegerChecker<uint8_t>(253, 254))
            .AddAttribute("TimerJitter",
                          "Both timers start at random within the first interval (ns-2), so that "
                          "routers do not march in step.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&XcpPort::m_timerJitter),
                          MakeBooleanChecker())
            .AddAttribute("FlowId",
                          "What makes packets those of one flow: their addresses, ports and "
                          "protocol, or their addresses alone (NRED).",
                          EnumValue(XcpFlowId::ADDRESSES_AND_PORTS),
                          MakeEnumAccessor<XcpFlowId>(&XcpPort::m_flowId),
                          MakeEnumChecker(XcpFlowId::ADDRESSES_AND_PORTS,
                                          "AddressesAndPorts",
                                          XcpFlowId::ADDRESSES,
                                          "Addresses"))
            .AddAttribute("Controller",
                          "XCP's arithmetic.",
                          StringValue("ns3::lfn::XcpController"),
                          MakePointerAccessor(&XcpPort::m_controller),
                          MakePointerChecker<XcpController>())
            .AddTraceSource(
                "InputRate",
                "y: all traffic of the last control interval that the controller rules, "
                "which is that of XCP's queue alone in XcpTcpWrrQueueDisc, [B/s].",
                MakeTraceSourceAccessor(&XcpPort::m_inputRate),
                "ns3::TracedValueCallback::Double")
            .AddTraceSource("XcpRate",
                            "Data of XCP flows in the last control interval, [B/s].",
                            MakeTraceSourceAccessor(&XcpPort::m_xcpRate),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("E2eRate",
                            "Data of other flows in the last control interval, [B/s].",
                            MakeTraceSourceAccessor(&XcpPort::m_e2eRate),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("PersistentQueue",
                            "Q: least queue of the last queue interval, [B].",
                            MakeTraceSourceAccessor(&XcpPort::m_persistentQueue),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("ControlInterval",
                            "Length of the control interval that begins.",
                            MakeTraceSourceAccessor(&XcpPort::m_controlInterval),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("MalformedHeader",
                            "A packet whose congestion header cannot be read is forwarded as it "
                            "is.",
                            MakeTraceSourceAccessor(&XcpPort::m_malformed),
                            "ns3::QueueDiscItem::TracedCallback");
    return tid;
}

XcpPort::XcpPort(QueueDiscSizePolicy policy)
    : QueueDisc(policy),
      m_random(CreateObject<UniformRandomVariable>())
{
}

void
XcpPort::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_controlTimer.Cancel();
    m_queueTimer.Cancel();
    m_controller = nullptr;
    m_device = nullptr;
    m_deviceQueue = nullptr;
    QueueDisc::DoDispose();
}

Ptr<XcpController>
XcpPort::GetController() const
{
    return m_controller;
}

int64_t
XcpPort::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    return 1;
}

uint64_t
XcpPort::GetMalformedHeaders() const
{
    return m_malformedHeaders;
}

double
XcpPort::GetCapacity() const
{
    DataRate rate = m_bandwidth;
    if (rate.GetBitRate() == 0 && m_device)
    {
        rate = ReportedLink::GetRate(m_device).value_or(rate);
    }
    return static_cast<double>(rate.GetBitRate()) / 8;
}

void
XcpPort::SetDevice(Ptr<NetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    m_device = device;
}

void
XcpPort::SetBandwidth(DataRate bandwidth)
{
    ResumeTimers();
    m_bandwidth = bandwidth;
}

DataRate
XcpPort::GetBandwidth() const
{
    return m_bandwidth;
}

std::optional<std::string>
XcpPort::FindDefect()
{
    FindDevice();
    const std::string name = GetInstanceTypeId().GetName();
    if (!m_controller)
    {
        return name + ": there is no controller: set Controller to an ns3::lfn::XcpController";
    }
    if (GetCapacity() <= 0)
    {
        return name +
               ": the device does not report its rate: set Bandwidth to the rate of the link";
    }
    if (GetNQueueDiscClasses() > 0 || GetNPacketFilters() > 0)
    {
        return name + ": takes neither classes nor packet filters: remove them";
    }
    if (GetNInternalQueues() > GetWantedQueues())
    {
        return name + ": has " + std::to_string(GetNInternalQueues()) +
               " internal queues: add none, it makes its own";
    }
    return std::nullopt;
}

void
XcpPort::FindDevice()
{
    if (const auto interface = GetNetDeviceQueueInterface())
    {
        m_device = interface->GetObject<NetDevice>();
    }
    m_deviceQueue = m_device ? ReportedLink::GetQueue(m_device) : nullptr;
}

bool
XcpPort::CheckConfig()
{
    const auto fault = FindDefect();
    if (fault)
    {
        // Where ns-3 has no assertions it goes on, which should not be in silence.
        std::clog << *fault << std::endl;
    }
    return !fault;
}

void
XcpPort::InitializeParams()
{
    NS_LOG_INFO("capacity " << GetCapacity() << " B/s, overhead per packet " << m_overheadBytes
                            << " B");
    if (!m_controller)
    {
        m_controller = CreateObject<XcpController>();
    }
    while (GetNInternalQueues() < GetWantedQueues())
    {
        MakeQueue();
    }
    const Time first = m_controller->Start();
    m_controlInterval = first;
    if (m_timerJitter)
    {
        m_controlTimer =
            Simulator::Schedule(first * m_random->GetValue(), &XcpPort::StartController, this);
        m_queueTimer =
            Simulator::Schedule(first * m_random->GetValue(), &XcpPort::OnQueueTimeout, this);
        return;
    }
    StartController();
    m_queueTimer = Simulator::Schedule(first, &XcpPort::OnQueueTimeout, this);
}

void
XcpPort::StartController()
{
    NS_LOG_FUNCTION(this);
    // Again: what came before the jittered start belongs to no interval.
    m_xcpBytes = 0;
    m_e2eBytes = 0;
    OnControlStart();
    StartControlInterval(m_controller->Start());
}

void
XcpPort::StartControlInterval(Time length)
{
    m_controlStart = Simulator::Now();
    m_controlEnd = m_controlStart + length;
    m_controlDue = m_controlEnd;
    m_firstRtt.reset();
    m_controlTimer = Simulator::Schedule(length, &XcpPort::OnControlTimeout, this);
}

void
XcpPort::HastenControlTimeout()
{
    const auto rtts = m_controller->GetFirstRtts();
    if (!rtts || m_controlEnd.IsZero())
    {
        return;
    }
    const Time now = Simulator::Now();
    if (!m_firstRtt)
    {
        m_firstRtt = now;
    }
    // Not at once: an interval has a length.
    const Time due = std::min(std::max(*m_firstRtt + *rtts, now + TimeStep(1)), m_controlEnd);
    if (due != m_controlDue)
    {
        NS_LOG_LOGIC("the first RTTs are known: the interval ends at "
                     << due.As(Time::S) << ", not at " << m_controlEnd.As(Time::S));
        m_controlTimer.Cancel();
        m_controlDue = due;
        m_controlTimer = Simulator::Schedule(due - now, &XcpPort::OnControlTimeout, this);
    }
}

void
XcpPort::OnControlTimeout()
{
    NS_LOG_FUNCTION(this);
    const double capacity = GetCapacity();
    const bool isEarly = m_controlDue < m_controlEnd;
    const Time ended = isEarly ? m_controlDue - m_controlStart : m_controlInterval.Get();
    OnControlEnd(ended);
    if (isEarly)
    {
        m_controller->CutInterval(ended);
    }
    const Time next = m_controller->OnControlTimeout(GetRuledCapacity(capacity));
    StartControlInterval(next);

    const double seconds = ended.GetSeconds();
    m_inputRate = m_controller->GetAccount().inputRate;
    m_xcpRate = static_cast<double>(m_xcpBytes) / seconds;
    m_e2eRate = static_cast<double>(m_e2eBytes) / seconds;
    NS_LOG_DEBUG("interval of " << ended.As(Time::MS) << ": XCP " << m_xcpRate
                                << " B/s, end-to-end " << m_e2eRate << " B/s, input " << m_inputRate
                                << " B/s, capacity " << capacity << " B/s");
    m_xcpBytes = 0;
    m_e2eBytes = 0;
    OnControlInterval(ended, capacity);
    m_controlInterval = next;
    if (isEarly)
    {
        // The queue's interval was as long.
        m_queueTimer.Cancel();
        OnQueueTimeout();
    }
    if (!m_hasTraffic && GetBacklog() == 0 && m_controller->IsSteady() && IsSteady())
    {
        SuspendTimers();
    }
    m_hasTraffic = GetNPackets() > 0;
}

void
XcpPort::SuspendTimers()
{
    m_isSuspended = true;
    m_controlTimer.Cancel();
    m_queueDue = TimeStep(m_queueTimer.GetTs());
    m_queueTimer.Cancel();
    OnSuspend();
}

uint64_t
XcpPort::SuspendedTimer::Skip()
{
    const Time late = Simulator::Now() - due;
    if (!late.IsStrictlyPositive())
    {
        return 0;
    }
    const int64_t ended = Div(late - TimeStep(1), interval) + 1;
    due += ended * interval;
    return static_cast<uint64_t>(ended);
}

void
XcpPort::ResumeTimers()
{
    if (!std::exchange(m_isSuspended, false))
    {
        return;
    }
    // In steady state either call changes nothing but what follows from a new capacity.
    const double capacity = GetRuledCapacity(GetCapacity());
    SuspendedTimer control{&m_controlTimer,
                           Ptr<EventImpl>(MakeEvent(&XcpPort::OnControlTimeout, this), false),
                           m_controlEnd,
                           m_controlInterval};
    SuspendedTimer queue{&m_queueTimer,
                         Ptr<EventImpl>(MakeEvent(&XcpPort::OnQueueTimeout, this), false),
                         m_queueDue,
                         m_controller->OnQueueTimeout(0, capacity)};
    const uint64_t intervals = control.Skip();
    if (intervals > 0)
    {
        m_controller->OnControlTimeout(capacity);
        m_controlStart = control.due - control.interval;
        m_controlEnd = control.due;
        m_controlDue = control.due;
    }
    queue.Skip();
    auto timers = OnResume(intervals);
    timers.insert(timers.begin(), {control, queue});
    // Of timers that expire at the same instant the one that began first comes first.
    std::ranges::stable_sort(timers, {}, [](const auto& timer) {
        return timer.due - timer.interval;
    });
    for (const auto& timer : timers)
    {
        *timer.timer = Simulator::Schedule(timer.due - Simulator::Now(), timer.event);
    }
}

bool
XcpPort::IsSteady() const
{
    return false;
}

void
XcpPort::OnSuspend()
{
}

std::vector<XcpPort::SuspendedTimer>
XcpPort::OnResume(uint64_t /* intervals */)
{
    return {};
}

void
XcpPort::OnQueueTimeout()
{
    NS_LOG_FUNCTION(this);
    const Time next = m_controller->OnQueueTimeout(GetBacklog(), GetRuledCapacity(GetCapacity()));
    m_queueTimer = Simulator::Schedule(next, &XcpPort::OnQueueTimeout, this);
    m_persistentQueue = m_controller->GetAccount().persistentQueue;
    NS_LOG_DEBUG("persistent queue " << m_persistentQueue << " B, backlog " << GetBacklog()
                                     << " B, next sample in " << next.As(Time::MS));
}

double
XcpPort::GetRuledCapacity(double capacity) const
{
    return capacity;
}

void
XcpPort::OnControlStart()
{
}

void
XcpPort::OnControlEnd(Time /* length */)
{
}

void
XcpPort::OnControlInterval(Time /* length */, double /* capacity */)
{
}

double
XcpPort::GetBacklog() const
{
    double bytes = GetRuledBytes();
    if (m_countDeviceQueue && m_deviceQueue)
    {
        bytes += m_deviceQueue->GetNBytes();
    }
    return bytes;
}

uint32_t
XcpPort::GetLinkBytes(const QueueDiscItem& item) const
{
    return item.GetSize() + m_overheadBytes;
}

double
XcpPort::GetLinkBytes(uint32_t bytes, uint32_t packets) const
{
    return bytes + static_cast<double>(m_overheadBytes) * packets;
}

XcpPacketView
XcpPort::Look(const QueueDiscItem& item)
{
    ResumeTimers();
    m_hasTraffic = true;
    XcpPacketView view = XcpPacketView::Look(item, m_protocol, m_flowId);
    if (view.isMalformed)
    {
        ++m_malformedHeaders;
        NS_LOG_LOGIC("a congestion header is malformed, packet of " << item.GetSize() << " B");
        m_malformed(&item);
    }
    return view;
}

bool
XcpPort::IsE2eData(const QueueDiscItem& item) const
{
    return XcpPacketView::Look(item, m_protocol).kind == XcpPacketKind::E2E_DATA;
}

void
XcpPort::CountArrival(const XcpPacketView& view, uint32_t bytes)
{
    if (view.kind == XcpPacketKind::XCP_DATA)
    {
        m_xcpBytes += bytes;
        m_controller->OnArrival(bytes,
                                {view.header.x, view.header.rtt, view.header.deltaThroughput});
        HastenControlTimeout();
    }
    else
    {
        CountForeign(view, bytes);
        m_controller->OnArrival(bytes);
    }
    if (m_controller->SamplesAtArrival())
    {
        m_controller->SampleAtArrival(GetBacklog());
    }
}

void
XcpPort::CountForeign(const XcpPacketView& view, uint32_t bytes)
{
    m_e2eBytes += view.kind == XcpPacketKind::E2E_DATA ? bytes : 0;
}

void
XcpPort::CountDeparture(const QueueDiscItem& item, uint32_t bytes)
{
    if (!m_controller->SamplesAtArrival())
    {
        m_controller->SampleAtDeparture(GetBacklog());
    }
    XcpHeader header;
    uint32_t at = 0;
    if (!XcpPacketView::ReadHeader(item, m_protocol, header, at))
    {
        return;
    }
    const double delta =
        m_controller->OnDeparture(bytes, {header.x, header.rtt, header.deltaThroughput});
    if (delta != header.deltaThroughput)
    {
        NS_LOG_LOGIC("feedback " << header.deltaThroughput << " B/s is lowered to " << delta
                                 << " B/s");
        header.deltaThroughput = delta;
        XcpPacketView::WriteHeader(item, header, at);
    }
}

} // namespace ns3::lfn
