// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-control-channel.h"

#include "ns3/log.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RbudpControlChannel");
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
    NS_LOG_FUNCTION(this);
    m_receive = receive;
    m_closed = closed;
}

void
RbudpControlChannel::End(bool isBeingDisposed)
{
    if (isBeingDisposed)
    {
        Dispose(); // the node's devices may be gone: no FIN any more
    }
    else
    {
        Close();
    }
}

void
RbudpControlChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    ClearCallbacks();
    Object::DoDispose();
}

void
RbudpControlChannel::NotifyReceived(std::span<const uint8_t> bytes)
{
    NS_LOG_FUNCTION(this << bytes.size());
    if (!m_receive.IsNull())
    {
        m_receive(bytes);
    }
}

void
RbudpControlChannel::NotifyClosed(const std::string& error)
{
    NS_LOG_FUNCTION(this << error);
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
