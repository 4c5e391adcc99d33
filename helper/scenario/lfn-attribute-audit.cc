// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-attribute-audit.h"

#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <algorithm>

namespace ns3::lfn
{

AttributeAudit::AttributeAudit(Flags& flags, RunRecorder& recorder)
    : m_flags(flags),
      m_recorder(recorder)
{
}

void
AttributeAudit::Declare()
{
    m_flags.Switch("attributes",
                   "write attributes.csv, the value of every attribute of what is installed",
                   m_isWanted);
    m_recorder.AddTexts({"attributes.csv"});
}

void
AttributeAudit::AddObject(const std::string& path, Ptr<Object> object)
{
    m_objects.push_back({path, object});
}

void
AttributeAudit::CollectAbsent()
{
    m_isPart = true;
}

const InstalledObjects::Absent&
AttributeAudit::GetAbsent() const
{
    return m_absent;
}

void
AttributeAudit::Begin()
{
    const auto given = m_flags.GetGiven();
    if (m_isWanted || !given.empty())
    {
        Look(InstalledObjects::Moment::BUILT);
    }
    // What ns-3 makes later, such as sockets, can be asked only then.
    const auto isLater = [](const auto& attribute) {
        const auto owner = attribute.name.substr(0, attribute.name.rfind("::"));
        return !owner.starts_with("ns3::lfn::") ||
               TypeId::LookupByName(owner).IsChildOf(Socket::GetTypeId());
    };
    if (!m_isWanted && std::ranges::none_of(given, isLater))
    {
        return;
    }
    const auto starts = InstalledObjects::ListStarts();
    for (const auto& start : starts)
    {
        Simulator::Schedule(start - Simulator::Now() + TimeStep(1),
                            &AttributeAudit::Look,
                            this,
                            start == *starts.rbegin() ? InstalledObjects::Moment::STARTED
                                                      : InstalledObjects::Moment::STARTING);
    }
}

void
AttributeAudit::Clear()
{
    m_objects.clear();
}

void
AttributeAudit::Look(InstalledObjects::Moment moment)
{
    const InstalledObjects installed(m_objects);
    if (const auto ignored = installed.FindIgnored(m_flags, moment, m_isPart ? &m_absent : nullptr))
    {
        m_flags.Refuse(ignored->first, ignored->second);
    }
    if (m_isWanted && installed.GetEntries().size() > m_listed)
    {
        m_listed = installed.GetEntries().size();
        m_recorder.SetText("attributes.csv", installed.List());
    }
}

} // namespace ns3::lfn
