// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-teardown.h"

#include "ns3/tcp-header.h"

namespace ns3::lfn
{

void
XcpTeardown::OnSend(const TcpView& tcp, uint32_t payload)
{
    OnPacket(tcp, payload, m_own, m_peer);
}

void
XcpTeardown::OnReceive(const TcpView& tcp, uint32_t payload)
{
    OnPacket(tcp, payload, m_peer, m_own);
}

bool
XcpTeardown::IsEnding() const
{
    return m_peer.end.has_value() || m_isReset;
}

bool
XcpTeardown::IsOver() const
{
    return (m_own.isAcknowledged && m_peer.isAcknowledged) || m_isReset;
}

void
XcpTeardown::OnPacket(const TcpView& tcp, uint32_t payload, Side& from, Side& to)
{
    if ((tcp.flags & TcpHeader::RST) != 0)
    {
        m_isReset = true;
        return;
    }
    if ((tcp.flags & TcpHeader::FIN) != 0)
    {
        from.end = SequenceNumber32(tcp.sequence) + payload + 1;
    }
    if ((tcp.flags & TcpHeader::ACK) != 0 && to.end && SequenceNumber32(tcp.ack) >= *to.end)
    {
        to.isAcknowledged = true;
    }
}

} // namespace ns3::lfn
