// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-object-log.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ObjectFeeder");
NS_OBJECT_ENSURE_REGISTERED(ObjectFeeder);

ObjectLog::ObjectLog(const Settings& settings)
    : m_settings(settings)
{
}

const ObjectLog::Settings&
ObjectLog::GetSettings() const
{
    return m_settings;
}

Time
ObjectLog::GetTime(uint64_t object) const
{
    return m_settings.begin +
           Time::FromDouble(static_cast<double>(object) / m_settings.rate, Time::S);
}

uint64_t
ObjectLog::GetAvailable(Time now) const
{
    if (now < m_settings.begin)
    {
        return 0;
    }
    const double intervals = (now - m_settings.begin).GetSeconds() * m_settings.rate;
    const auto all = static_cast<uint64_t>(std::floor(intervals * (1 + 1e-12))) + 1;
    return m_settings.objects > 0 ? std::min(all, m_settings.objects) : all;
}

DataRate
ObjectLog::GetRate(uint64_t bytes, double share) const
{
    constexpr int BITS = 8;
    constexpr double MOST = 1e18; // [bit/s]
    const double rate = BITS * static_cast<double>(bytes) * m_settings.rate / share;
    return DataRate(static_cast<uint64_t>(std::min(rate, MOST)) + 1);
}

void
ObjectLog::OnDelivered(Time now, uint64_t offset, uint64_t bytes)
{
    while (bytes > 0)
    {
        const uint64_t object = offset / m_settings.bytes;
        const uint64_t within = std::min(bytes, m_settings.bytes - offset % m_settings.bytes);
        const auto missing = m_missing.try_emplace(object, m_settings.bytes).first;
        missing->second -= std::min(missing->second, within);
        if (missing->second == 0)
        {
            m_missing.erase(missing);
            OnArrived(now, GetTime(object));
        }
        offset += within;
        bytes -= within;
    }
}

void
ObjectLog::OnArrived(Time now, Time available)
{
    const Time delay = now - available;
    m_delays.Add(delay);
    m_late += m_settings.deadline.IsStrictlyPositive() && delay > m_settings.deadline ? 1 : 0;
}

const DelayStatistics&
ObjectLog::GetDelays() const
{
    return m_delays;
}

uint64_t
ObjectLog::GetLate() const
{
    return m_late;
}

TypeId
ObjectFeeder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::ObjectFeeder")
                            .SetParent<Application>()
                            .SetGroupName("Lfn")
                            .AddConstructor<ObjectFeeder>();
    return tid;
}

bool
ObjectFeeder::Feed(const ObjectLog& log, Ptr<TransferApplication> sender, uint64_t block)
{
    NS_LOG_FUNCTION(this << sender << block);
    m_log = &log;
    m_sender = sender;
    m_block = block;
    if (block > 1)
    {
        return true;
    }
    m_offered = 1;
    return sender->Offer(log.GetSettings().bytes);
}

void
ObjectFeeder::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_sender)
    {
        ScheduleNext();
    }
}

uint64_t
ObjectFeeder::GetNextObjects() const
{
    const auto all = m_log->GetSettings().objects;
    return all > 0 ? std::min(m_block, all - m_offered) : m_block;
}

void
ObjectFeeder::ScheduleNext()
{
    const auto next = GetNextObjects();
    if (next == 0)
    {
        NS_LOG_INFO("all " << m_offered << " objects are offered");
        m_sender->Finish();
        return;
    }
    const Time wait = m_log->GetTime(m_offered + next - 1) - Simulator::Now();
    m_next = Simulator::Schedule(std::max(Time(0), wait), &ObjectFeeder::OfferNext, this);
}

void
ObjectFeeder::OfferNext()
{
    const auto next = GetNextObjects();
    NS_LOG_DEBUG(next << " objects from " << m_offered << " on");
    if (m_sender->Offer(next * m_log->GetSettings().bytes))
    {
        m_offered += next;
        ScheduleNext();
    }
}

void
ObjectFeeder::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
}

void
ObjectFeeder::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    m_sender = nullptr;
    Application::DoDispose();
}

} // namespace ns3::lfn
