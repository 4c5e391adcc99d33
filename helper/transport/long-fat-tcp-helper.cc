// SPDX-License-Identifier: GPL-2.0-only

#include "long-fat-tcp-helper.h"

#include "ns3/long-fat-tcp-socket-factory.h"

namespace ns3::lfn
{

void
LongFatTcpHelper::Install(const NodeContainer& nodes) const
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        LongFatTcpSocketFactory::Install(*node);
    }
}

} // namespace ns3::lfn
