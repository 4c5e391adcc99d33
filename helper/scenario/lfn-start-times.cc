// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-start-times.h"

#include "ns3/application.h"
#include "ns3/node-list.h"
#include "ns3/node.h"

namespace ns3::lfn
{

void
StartTimes::Begin()
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        m_own.push_back((*node)->GetNApplications());
    }
}

void
StartTimes::Move(Time delay) const
{
    for (uint32_t i = 0; delay.IsStrictlyPositive() && i < NodeList::GetNNodes(); ++i)
    {
        const auto node = NodeList::GetNode(i);
        for (auto k = i < m_own.size() ? m_own[i] : 0; k < node->GetNApplications(); ++k)
        {
            const auto application = node->GetApplication(k);
            TimeValue from;
            TimeValue to;
            application->GetAttribute("StartTime", from);
            application->GetAttribute("StopTime", to);
            application->SetStartTime(from.Get() + delay);
            if (to.Get().IsStrictlyPositive())
            {
                application->SetStopTime(to.Get() + delay);
            }
        }
    }
}

} // namespace ns3::lfn
