// SPDX-License-Identifier: GPL-2.0-only

#include "parallel-tcp-helper.h"

#include "ns3/lfn-udp-endpoint.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

ParallelTcpHelper::ParallelTcpHelper()
    : m_source("ns3::lfn::ParallelTcpSource"),
      m_sink("ns3::lfn::ParallelTcpSink")
{
}

void
ParallelTcpHelper::SetSourceAttribute(const std::string& name, const AttributeValue& value)
{
    m_source.Set(name, value);
}

void
ParallelTcpHelper::SetSinkAttribute(const std::string& name, const AttributeValue& value)
{
    m_sink.Set(name, value);
}

void
ParallelTcpHelper::SetPort(uint16_t port)
{
    m_port = port;
}

ParallelTcpHelper::Transfer
ParallelTcpHelper::Install(Ptr<Node> sendingNode,
                           Ptr<Node> receivingNode,
                           const Address& receiverAddress) const
{
    Transfer transfer{m_source.Create<ParallelTcpSource>(), m_sink.Create<ParallelTcpSink>()};
    const auto remote = UdpEndpoint::WithPort(receiverAddress, m_port);
    transfer.source->SetAttribute("Remote", AddressValue(remote));
    transfer.sink->SetAttribute("Port", UintegerValue(m_port));
    sendingNode->AddApplication(transfer.source);
    receivingNode->AddApplication(transfer.sink);
    return transfer;
}

} // namespace ns3::lfn
