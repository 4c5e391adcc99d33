// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-control-channel.h"

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(RbudpControlChannel);

TypeId
RbudpControlChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::RbudpControlChannel").SetParent<Object>().SetGroupName("Lfn");
    return tid;
}

void
RbudpControlChannel::SetCallbacks(ReceiveCallback receive, ClosedCallback closed)
{
    m_receive = receive;
    m_closed = closed;
}

void
RbudpControlChannel::DoDispose()
{
    ClearCallbacks();
    Object::DoDispose();
}

void
RbudpControlChannel::NotifyReceived(std::span<const uint8_t> bytes)
{
    if (!m_receive.IsNull())
    {
        m_receive(bytes);
    }
}

void
RbudpControlChannel::NotifyClosed(const std::string& error)
{
    const auto closed = m_closed;
    ClearCallbacks();
    if (!closed.IsNull())
    {
        closed(error);
    }
}

void
RbudpControlChannel::ClearCallbacks()
{
    m_receive = ReceiveCallback();
    m_closed = ClosedCallback();
}

} // namespace ns3::lfn
