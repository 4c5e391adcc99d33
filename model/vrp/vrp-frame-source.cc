// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-frame-source.h"

#include "ns3/boolean.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("VrpFrameSource");
NS_OBJECT_ENSURE_REGISTERED(VrpFrameSource);

Time
VrpFrameSource::Durations::GetMean() const
{
    return frames > 0 ? sum / static_cast<int64_t>(frames) : Time(0);
}

TypeId
VrpFrameSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::VrpFrameSource")
            .SetParent<Application>()
            .SetGroupName("Lfn")
            .AddConstructor<VrpFrameSource>()
            .AddAttribute("Sender",
                          "The VrpSender that sends the frames, on the same node.",
                          PointerValue(),
                          MakePointerAccessor(&VrpFrameSource::m_sender),
                          MakePointerChecker<VrpSender>())
            .AddAttribute(
                "Bytes",
                "User bytes to send in frames, after which the sender is instructed to finish; "
                "0 sends until stopped.",
                UintegerValue(0),
                MakeUintegerAccessor(&VrpFrameSource::m_bytes),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("FrameSize",
                          "Size of a frame in bytes (section 4.2.2: 100 kB).",
                          UintegerValue(102400),
                          MakeUintegerAccessor(&VrpFrameSource::m_frameSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ConcurrentFrames",
                          "Frames under way at a time, unless FrameInterval is set.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&VrpFrameSource::m_concurrentFrames),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "FrameInterval",
                "Time from one frame to the next, whether it is delivered or not; 0 sends "
                "the next one when one ends.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&VrpFrameSource::m_frameInterval),
                MakeTimeChecker(Time(0)))
            .AddAttribute("CriticalBytes",
                          "First bytes of every frame, which must not be lost.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&VrpFrameSource::m_criticalBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ProbeSize",
                          "Size of a probe frame in bytes; 0 for no probes.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&VrpFrameSource::m_probeSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ProbeInterval",
                          "Time from one probe to the next; the first one is sent after one.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&VrpFrameSource::m_probeInterval),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("CheckContent",
                          "Send a pattern that a VrpReceiver with CheckContent compares.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&VrpFrameSource::m_checkContent),
                          MakeBooleanChecker());
    return tid;
}

VrpFrameSource::VrpFrameSource() = default;

const VrpFrameSource::Durations&
VrpFrameSource::GetFrames() const
{
    return m_frames;
}

const VrpFrameSource::Durations&
VrpFrameSource::GetProbes() const
{
    return m_probes;
}

double
VrpFrameSource::GetMeanLossRate() const
{
    return m_ended > 0 ? m_lossRates / static_cast<double>(m_ended) : 0;
}

Time
VrpFrameSource::GetMeanRtt() const
{
    return m_ended > 0 ? m_rtts / static_cast<int64_t>(m_ended) : Time(0);
}

void
VrpFrameSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_sender)
    {
        return;
    }
    if (m_probeSize > 0)
    {
        m_nextProbe = Simulator::Schedule(m_probeInterval, &VrpFrameSource::SendProbe, this);
    }
    const auto first = m_frameInterval.IsZero() ? m_concurrentFrames : 1;
    for (uint32_t i = 0; i < first; ++i)
    {
        SendNext();
    }
}

void
VrpFrameSource::SendNext()
{
    NS_LOG_FUNCTION(this);
    if (m_bytes > 0 && m_offered >= m_bytes)
    {
        if (m_underWay == 0)
        {
            NS_LOG_INFO("all " << m_ended << " frames have ended");
            m_nextProbe.Cancel();
            m_sender->Finish();
        }
        return;
    }
    const uint64_t left = m_bytes > 0 ? m_bytes - m_offered : m_frameSize;
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(m_frameSize, left));
    NS_LOG_DEBUG("the next frame has " << bytes << " B, under way " << m_underWay << ", offered "
                                       << m_offered << " of " << m_bytes << " B");
    if (m_sender->SendFrame(MakeFrame(bytes), MakeCallback(&VrpFrameSource::OnFrame, this)))
    {
        m_offered += bytes;
        ++m_underWay;
    }
    if (m_frameInterval.IsStrictlyPositive() && !m_sender->IsFinished())
    {
        m_nextFrame = Simulator::Schedule(m_frameInterval, &VrpFrameSource::SendNext, this);
    }
}

void
VrpFrameSource::SendProbe()
{
    NS_LOG_FUNCTION(this);
    m_sender->SendFrame(MakeFrame(m_probeSize), MakeCallback(&VrpFrameSource::OnProbe, this));
    m_nextProbe = Simulator::Schedule(m_probeInterval, &VrpFrameSource::SendProbe, this);
}

VrpFrame
VrpFrameSource::MakeFrame(uint32_t bytes) const
{
    VrpFrame frame;
    frame.bytes = bytes;
    if (m_checkContent)
    {
        frame.makeData = MakeCallback(&PatternPayload::MakePacket);
    }
    if (m_criticalBytes > 0)
    {
        frame.tolerance.critical.push_back({0, m_criticalBytes});
    }
    return frame;
}

void
VrpFrameSource::OnFrame(const VrpFrameReport& report)
{
    NS_LOG_FUNCTION(this << report.number << report.bytes);
    --m_underWay;
    ++m_ended;
    m_lossRates += std::max(report.lossRate, 0.0);
    m_rtts += m_sender->GetEstimator()->GetSmoothed();
    if (report.state == VrpFrameState::DONE)
    {
        const Time duration = report.finish - report.start;
        ++m_frames.frames;
        m_frames.sum += duration;
        m_frames.longest = std::max(m_frames.longest, duration);
    }
    if (m_frameInterval.IsZero() || (m_bytes > 0 && m_offered >= m_bytes))
    {
        SendNext();
    }
}

void
VrpFrameSource::OnProbe(const VrpFrameReport& report)
{
    NS_LOG_FUNCTION(this << report.number);
    if (report.state == VrpFrameState::DONE)
    {
        const Time duration = report.finish - report.start;
        ++m_probes.frames;
        m_probes.sum += duration;
        m_probes.longest = std::max(m_probes.longest, duration);
    }
}

void
VrpFrameSource::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_nextFrame.Cancel();
    m_nextProbe.Cancel();
}

void
VrpFrameSource::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StopApplication();
    m_sender = nullptr;
    Application::DoDispose();
}

} // namespace ns3::lfn
