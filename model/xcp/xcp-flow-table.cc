// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-flow-table.h"

#include "ns3/lfn-big-endian.h"
#include "ns3/ns3-access.h"

#include <algorithm>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t LEAST_SWEEP = 64; //!< fewer newcomers than this are not worth a sweep

/**
 * @brief Check whether a connection needs not be remembered any more.
 * @param flow the connection
 * @return true when it is over
 */
bool
IsOver(const XcpFlow& flow)
{
    // A socket has precedence over packets, which may be forged.
    if (!flow.socket)
    {
        return flow.teardown.IsOver();
    }
    const auto state = ns3access::GetState(*flow.socket);
    return flow.socket->GetReferenceCount() == 1 || state == TcpSocket::CLOSED ||
           state == TcpSocket::TIME_WAIT;
}

} // namespace

XcpFlowKey::XcpFlowKey(Ipv4Address local, Ipv4Address peer, uint16_t localPort, uint16_t peerPort)
    : m_words{0xffff, local.Get(), peer.Get(), 0, uint64_t{localPort} << 16 | peerPort}
{
}

XcpFlowKey::XcpFlowKey(const Ipv6Address& local,
                       const Ipv6Address& peer,
                       uint16_t localPort,
                       uint16_t peerPort)
{
    std::array<uint8_t, 32> bytes;
    local.GetBytes(bytes.data());
    peer.GetBytes(bytes.data() + 16);
    m_words = {ReadBigEndian<uint64_t>(bytes, 0),
               ReadBigEndian<uint64_t>(bytes, 8),
               ReadBigEndian<uint64_t>(bytes, 16),
               ReadBigEndian<uint64_t>(bytes, 24),
               uint64_t{1} << 32 | uint64_t{localPort} << 16 | peerPort};
}

std::size_t
XcpFlowKey::GetHash() const
{
    uint64_t hash = 0;
    for (const auto word : m_words)
    {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
}

XcpFlow*
XcpFlowTable::Find(const XcpFlowKey& key)
{
    const auto found = m_flows.find(key);
    return found == m_flows.end() ? nullptr : &found->second;
}

XcpFlow&
XcpFlowTable::Obtain(const XcpFlowKey& key, Time now, Time timeout)
{
    if (const auto found = m_flows.find(key); found != m_flows.end())
    {
        return found->second;
    }
    if (m_newcomers >= std::max(LEAST_SWEEP, m_survivors))
    {
        Sweep(now, timeout);
    }
    ++m_newcomers;
    XcpFlow& flow = m_flows[key];
    flow.lastUse = now;
    return flow;
}

void
XcpFlowTable::Erase(const XcpFlowKey& key)
{
    m_flows.erase(key);
}

void
XcpFlowTable::EraseIfOver(const XcpFlowKey& key)
{
    if (const auto found = m_flows.find(key); found != m_flows.end() && IsOver(found->second))
    {
        m_flows.erase(found);
    }
}

void
XcpFlowTable::Tend(Time now, Time timeout)
{
    if (now - m_lastSweep > std::max(timeout, Seconds(1)))
    {
        Sweep(now, timeout);
    }
}

void
XcpFlowTable::Sweep(Time now, Time timeout)
{
    std::erase_if(m_flows, [now, timeout](const auto& entry) {
        const XcpFlow& flow = entry.second;
        return IsOver(flow) || (!flow.socket && now - flow.lastUse > timeout);
    });
    m_newcomers = 0;
    m_survivors = m_flows.size();
    m_lastSweep = now;
}

void
XcpFlowTable::Clear()
{
    m_flows.clear();
}

std::size_t
XcpFlowTable::GetSize() const
{
    return m_flows.size();
}

} // namespace ns3::lfn
