// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-routers.h"

#include "xcp-helper.h"
#include "xcp-mechanism.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/double.h"
#include "ns3/lfn-queue-disc-flag.h"
#include "ns3/lfn-random-streams.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr double LEAST_PACKETS = 10; //!< in a bottleneck's buffer, on paths as short as a LAN
constexpr uint32_t LEAST_BUFFER = 256 * 1024; //!< of a socket, [B]
constexpr double ALL_BUFFERS = 1e9;           //!< of all sockets that send, about, [B]

/** @brief Get the rate of a device [bit/s]; 0 when it has none. */
double
GetRate(Ptr<NetDevice> device)
{
    const auto rate = ReportedLink::GetRate(device);
    return rate ? static_cast<double>(rate->GetBitRate()) : 0;
}

/** @brief Get the device at the other end of a link; null when there are none or several. */
Ptr<NetDevice>
GetPeer(Ptr<NetDevice> device)
{
    const auto channel = device->GetChannel();
    if (!channel || channel->GetNDevices() != 2)
    {
        return nullptr;
    }
    return channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
}

} // namespace

XcpRouters::XcpRouters(const Flags& flags,
                       const XcpExperimentSettings& settings,
                       Ptr<TransportTopology> topology,
                       DataRate laterRate)
    : m_flags(flags),
      m_settings(settings),
      m_laterRate(laterRate),
      m_topology(topology)
{
}

std::vector<Ptr<NetDevice>>
XcpRouters::ListDevices(const TransportTopology& topology)
{
    std::vector<Ptr<NetDevice>> devices;
    for (const auto& [from, to] : topology.GetBottlenecks())
    {
        if (std::ranges::find(devices, from) == devices.end())
        {
            devices.push_back(from);
        }
    }
    return devices;
}

std::vector<Ptr<QueueDisc>>
XcpRouters::Install()
{
    m_flags.RefuseIf(m_topology->GetBottlenecks().empty(),
                     "topology",
                     "this topology names no bottleneck");
    if (m_settings.ecn)
    {
        for (const auto* name : {"UseEcn", "Mark"})
        {
            m_flags.Imply(m_settings.disc.GetTypeId(), name, BooleanValue(true));
        }
    }
    std::vector<Ptr<QueueDisc>> discs;
    for (const auto& from : ListDevices(*m_topology))
    {
        discs.push_back(InstallPort(from));
        XcpHelper::AssignStreams(NetDeviceContainer(from),
                                 RandomStreams::Port(static_cast<uint32_t>(discs.size()) - 1));
    }
    if (m_settings.xcpAccess)
    {
        InstallAccessPorts();
    }
    ImplySocketBuffers();
    return discs;
}

Ptr<QueueDisc>
XcpRouters::InstallPort(Ptr<NetDevice> device)
{
    // What is given for all ports is the rate where a device reports none.
    DataRateValue given(DataRate(0));
    m_settings.disc.Create<QueueDisc>()->GetAttributeFailSafe("Bandwidth", given);
    const auto reported = GetRate(device);
    const auto rate = reported > 0 ? reported : static_cast<double>(given.Get().GetBitRate());
    m_flags.RefuseIf(rate == 0,
                     "topology",
                     "a bottleneck's device reports no rate: give it with "
                     "--ns3::lfn::XcpPort::Bandwidth, such as 20Mbps");
    const auto disc = QueueDiscFlag::InstallAt(m_flags, m_settings.disc, device, GetBuffer(rate));
    QueueSizeValue size(GetBuffer(rate));
    disc->GetAttributeFailSafe("MaxSize", size);
    m_rate = std::max(m_rate, rate);
    const bool isBytes = size.Get().GetUnit() == QueueSizeUnit::BYTES;
    m_queued += 1.0 * size.Get().GetValue() * (isBytes ? 1 : GetWireSize());
    if (m_settings.HasMechanism())
    {
        disc->SetAttribute("Fairness", PointerValue(MakeFairness()));
    }
    return disc;
}

void
XcpRouters::InstallAccessPorts() const
{
    const auto& bottlenecks = m_topology->GetBottlenecks();
    m_flags.Imply("ns3::lfn::XcpPort::MaxSize", QueueSizeValue(QueueSize("10000p")));
    const XcpHelper helper;
    int64_t stream = ACCESS_STREAM;
    for (const bool isSender : {true, false})
    {
        const auto hosts = isSender ? m_topology->GetSenders() : m_topology->GetReceivers();
        for (auto host = hosts.Begin(); host != hosts.End(); ++host)
        {
            for (uint32_t i = 0; i < (*host)->GetNDevices(); ++i)
            {
                const auto own = (*host)->GetDevice(i);
                const auto device = isSender ? own : GetPeer(own);
                const auto isBottleneck = std::ranges::any_of(bottlenecks, [&](const auto& link) {
                    return link.first == device;
                });
                if (device && GetRate(device) > 0 && !isBottleneck)
                {
                    helper.InstallPort(device);
                    stream += XcpHelper::AssignStreams(NetDeviceContainer(device), stream);
                }
            }
        }
    }
}

void
XcpRouters::ImplySocketBuffers() const
{
    const auto rate = std::max(m_rate, static_cast<double>(m_laterRate.GetBitRate()));
    // The largest window before the first loss is twice what the path holds.
    const double wanted = 4 * (rate / 8 * m_topology->GetLongestRtt().GetSeconds() + m_queued);
    const double most =
        std::min<double>(LongFatTcpSocket::MAX_BUFFER, ALL_BUFFERS / m_settings.GetFlows());
    const UintegerValue buffer(
        static_cast<uint32_t>(std::max<double>(std::min(wanted, most), LEAST_BUFFER)));
    m_flags.Imply("ns3::lfn::TcpSource::SndBufSize", buffer);
    m_flags.Imply("ns3::lfn::TcpSink::RcvBufSize", buffer);
}

QueueSize
XcpRouters::GetBuffer(double rate) const
{
    if (m_flags.IsSet("queue"))
    {
        return m_settings.queue;
    }
    const double bytes = m_settings.bufferBdp * rate / 8 * m_topology->GetLongestRtt().GetSeconds();
    const double least = m_flags.IsSet("bufferBdp") ? 1 : LEAST_PACKETS;
    return {QueueSizeUnit::PACKETS,
            static_cast<uint32_t>(std::clamp(bytes / GetWireSize(), least, 1e9))};
}

uint32_t
XcpRouters::GetWireSize() const
{
    const auto bytes = static_cast<uint32_t>(m_flags.Get<UintegerValue>("packetSize"));
    return bytes + (m_topology->UsesIpv6() ? 60 : 40);
}

Ptr<XcpTcpFairness>
XcpRouters::MakeFairness() const
{
    const std::string prefix = "ns3::lfn::Xcp";
    const std::string estimator = m_settings.estimator == "sred"    ? "SredEstimator"
                                  : m_settings.estimator == "bloom" ? "BloomEstimator"
                                                                    : "ExactEstimator";
    const auto mechanism = m_settings.mechanism == "adaptive" ? XcpMechanism::ADAPTIVE
                           : m_settings.mechanism == "gated"  ? XcpMechanism::GATED
                                                              : XcpMechanism::PERSISTENT;
    if (mechanism == XcpMechanism::ADAPTIVE)
    {
        m_flags.Imply(prefix + "SredEstimator::CompareWhileFilling", BooleanValue(true));
        m_flags.Imply(prefix + "SredEstimator::RateVariation", DoubleValue(XCP_RENO_VARIATION));
    }
    return MakeXcpFairness(mechanism, TypeId::LookupByName(prefix + estimator));
}

} // namespace ns3::lfn
