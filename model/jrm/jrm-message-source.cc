// SPDX-License-Identifier: GPL-2.0-only
#include "jrm-message-source.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("JrmMessageSource");
NS_OBJECT_ENSURE_REGISTERED(JrmMessageSource);

TypeId
JrmMessageSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::JrmMessageSource")
            .SetParent<Application>()
            .SetGroupName("Lfn")
            .AddConstructor<JrmMessageSource>()
            .AddAttribute("Peer",
                          "The JrmPeer that sends the messages, on the same node.",
                          PointerValue(),
                          MakePointerAccessor(&JrmMessageSource::m_peer),
                          MakePointerChecker<JrmPeer>())
            .AddAttribute("Messages",
                          "Messages to send; 0 sends until stopped.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&JrmMessageSource::m_messages),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MessageRate",
                          "Messages per second (section 4: 30).",
                          DoubleValue(30),
                          MakeDoubleAccessor(&JrmMessageSource::m_messageRate),
                          MakeDoubleChecker<double>(1e-6, 1e9))
            .AddAttribute("MessageSize",
                          "Size of a message in bytes (section 4: 1 KB, or ten times as much).",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&JrmMessageSource::m_size),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

JrmMessageSource::JrmMessageSource() = default;

uint64_t
JrmMessageSource::GetSent() const
{
    return m_sent;
}

bool
JrmMessageSource::IsDone() const
{
    return m_done || (m_peer && m_peer->IsFinished());
}

std::optional<Time>
JrmMessageSource::GetSendTime(const JrmMessageId& id) const
{
    const auto group = std::ranges::lower_bound(m_groups, id.group, {}, [](const auto& some) {
        return JrmPeer::GetGroupNumber(some).value_or(0);
    });
    if (!m_first || id.participant != m_first->participant || group == m_groups.end() ||
        JrmPeer::GetGroupNumber(*group) != id.group)
    {
        return std::nullopt;
    }
    // Numbers begin alike in all groups, and wrap.
    const uint32_t round = id.message - m_first->message;
    const auto k = uint64_t{round} * m_groups.size() +
                   static_cast<uint64_t>(std::distance(m_groups.begin(), group));
    return k < m_sent ? std::optional(GetTime(k)) : std::nullopt;
}

std::size_t
JrmMessageSource::GetPeakKept() const
{
    return m_peakKept;
}

Time
JrmMessageSource::GetTime(uint64_t k) const
{
    return m_start + Time::FromDouble(static_cast<double>(k) / m_messageRate, Time::S);
}

void
JrmMessageSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_peer || m_first)
    {
        return;
    }
    m_groups = m_peer->GetGroups();
    m_start = Simulator::Now();
    if (m_groups.empty())
    {
        m_done = true;
        return;
    }
    NS_LOG_INFO("sends " << m_messages << " messages of " << m_size << " B to " << m_groups.size()
                         << " groups, " << m_messageRate << " per second");
    SendNext();
}

void
JrmMessageSource::SendNext()
{
    NS_LOG_FUNCTION(this);
    const auto id = m_peer->SendMessage(m_groups[m_sent % m_groups.size()], m_size);
    if (!id)
    {
        NS_LOG_LOGIC("the participant takes no message after " << m_sent);
        m_done = true; // the participant was stopped, has failed, or cannot send this size
        return;
    }
    if (!m_first)
    {
        m_first = id;
    }
    m_peakKept = std::max(m_peakKept, m_peer->GetSender().GetKept());
    ++m_sent;
    NS_LOG_DEBUG("message " << m_sent << " of " << m_messages);
    m_done = m_sent == m_messages;
    if (!m_done)
    {
        m_next = Simulator::Schedule(GetTime(m_sent) - Simulator::Now(),
                                     &JrmMessageSource::SendNext,
                                     this);
    }
}

void
JrmMessageSource::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    m_done = true;
}

void
JrmMessageSource::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    m_peer = nullptr;
    Application::DoDispose();
}

} // namespace ns3::lfn
