// SPDX-License-Identifier: GPL-2.0-only
#include "atou-meter.h"

#include "ns3/atou-client.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

AtouMeter::AtouMeter(Ptr<TransferApplication> sender, double full)
    : m_full(full)
{
    const bool isAtou = DynamicCast<AtouClient>(sender) != nullptr;
    if (!isAtou)
    {
        UintegerValue bytes;
        sender->GetAttribute("SegmentSize", bytes);
        m_segmentBytes = static_cast<double>(bytes.Get());
    }
    sender->TraceConnectWithoutContext(
        "CongestionWindow",
        isAtou ? CallbackBase(MakeCallback(&AtouMeter::OnSegments, this))
               : MakeCallback(&AtouMeter::OnBytes, this));
    sender->TraceConnectWithoutContext("RTT", MakeCallback(&AtouMeter::OnRtt, this));
}

double
AtouMeter::GetWindow() const
{
    return m_window;
}

double
AtouMeter::GetMean(Time until) const
{
    const double end = until.GetSeconds();
    return end > 0 ? (m_integral + m_window * (end - m_since)) / end : m_window;
}

double
AtouMeter::GetLargest() const
{
    return m_largest;
}

double
AtouMeter::GetFullAt() const
{
    return m_fullAt;
}

Time
AtouMeter::GetRtt() const
{
    return m_rtt;
}

void
AtouMeter::OnSegments(double /* before */, double now)
{
    const double time = Simulator::Now().GetSeconds();
    m_integral += m_window * (time - m_since);
    m_since = time;
    m_window = std::min(now, m_full);
    m_largest = std::max(m_largest, m_window);
    if (m_fullAt < 0 && m_window >= m_full)
    {
        m_fullAt = time;
    }
}

void
AtouMeter::OnBytes(uint32_t /* before */, uint32_t now)
{
    OnSegments(m_window, now / m_segmentBytes);
}

void
AtouMeter::OnRtt(Time /* before */, Time now)
{
    m_rtt = now;
}

} // namespace ns3::lfn
