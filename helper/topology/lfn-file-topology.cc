// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-file-topology.h"

#include "ns3/enum.h"
#include "ns3/lfn-strict-checkers.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("FileTopology");
NS_OBJECT_ENSURE_REGISTERED(FileTopology);

TypeId
FileTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::FileTopology")
            .SetParent<NetworkTopology>()
            .SetGroupName("Lfn")
            .AddConstructor<FileTopology>()
            .AddAttribute("File",
                          "CSV file of the network: lines node,<name>,<role>,<rank> and "
                          "link,<a>,<b>,<rate>,<delay>,<queue>,<loss>,bottleneck,<jitter>,"
                          "<policer>.",
                          StringValue(""),
                          MakeStringAccessor(&FileTopology::m_file),
                          MakeStringChecker())
            .AddAttribute("Metric",
                          "What is short where ways differ: Hops, or Delay.",
                          EnumValue(TopologyRoutes::Metric::HOPS),
                          MakeEnumAccessor<TopologyRoutes::Metric>(&FileTopology::m_metric),
                          MakeEnumChecker(TopologyRoutes::Metric::HOPS,
                                          "Hops",
                                          TopologyRoutes::Metric::DELAY,
                                          "Delay"))
            .AddAttribute(
                "Queue",
                "Largest size of the drop-tail queue in front of the devices of a link "
                "for which the file gives none, in packets, bytes, or as a multiple of the "
                "device's rate times the longest RTT of a pair, such as 0.5BDP.",
                QueueLimitValue(QueueSize(QueueSizeUnit::PACKETS, 10000)),
                MakeQueueLimitAccessor(&FileTopology::m_queue),
                MakePositiveQueueLimitChecker())
            .AddAttribute("Mtu",
                          "Largest IP packet that the links carry (bytes).",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&FileTopology::m_mtu),
                          MakeUintegerChecker<uint16_t>(68));
    return tid;
}

std::optional<std::string>
FileTopology::Check() const
{
    if (m_file.empty())
    {
        return "File: name the CSV file of the network, [File=network.csv]";
    }
    return NetworkTopology::Check();
}

void
FileTopology::Describe() const
{
    NS_LOG_FUNCTION(this << m_file);
    if (const auto complaint = ReadTopologyFile(m_file, m_network))
    {
        Refuse(*complaint);
    }
}

} // namespace ns3::lfn
