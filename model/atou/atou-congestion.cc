// SPDX-License-Identifier: GPL-2.0-only
#include "atou-congestion.h"

#include <utility>

namespace ns3::lfn
{

void
AtouCongestion::Start(AtouState& /* state */)
{
}

void
AtouCongestion::Observe(const AtouState& /* state */, const AtouAck& /* ack */)
{
}

void
AtouCongestion::OnEpoch(const AtouState& /* state */, const AtouEpoch& /* epoch */)
{
}

void
AtouCongestion::EndRecovery(AtouState& /* state */)
{
}

void
AtouCongestion::Resume()
{
}

void
AtouCongestion::OnOptions(const AtouOptions& /* options */)
{
}

double
AtouCongestion::GetDelta() const
{
    return 0;
}

void
AtouCongestion::CountInto(AtouStatistics& /* statistics */) const
{
}

void
AtouCongestion::SetObserver(std::function<void(const AtouEvent&)> observer)
{
    m_observer = std::move(observer);
}

void
AtouCongestion::Report(const AtouEvent& event) const
{
    if (m_observer)
    {
        m_observer(event);
    }
}

} // namespace ns3::lfn
