// SPDX-License-Identifier: GPL-2.0-only

#include "baseline-helper.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

BaselineHelper::BaselineHelper(const std::string& protocol)
    : m_source("ns3::lfn::" + protocol + "Source"),
      m_sink("ns3::lfn::" + protocol + "Sink")
{
}

void
BaselineHelper::SetSourceAttribute(const std::string& name, const AttributeValue& value)
{
    m_source.Set(name, value);
}

void
BaselineHelper::SetSinkAttribute(const std::string& name, const AttributeValue& value)
{
    m_sink.Set(name, value);
}

BaselineHelper::Transfer
BaselineHelper::Install(Ptr<Node> sendingNode, Ptr<Node> receivingNode, const Address& remote) const
{
    const Transfer transfer{m_source.Create<TransferApplication>(),
                            m_sink.Create<TransferApplication>()};
    const auto port = Inet6SocketAddress::IsMatchingType(remote)
                          ? Inet6SocketAddress::ConvertFrom(remote).GetPort()
                          : InetSocketAddress::ConvertFrom(remote).GetPort();
    transfer.source->SetAttribute("Remote", AddressValue(remote));
    transfer.sink->SetAttribute("Port", UintegerValue(port));
    sendingNode->AddApplication(transfer.source);
    receivingNode->AddApplication(transfer.sink);
    return transfer;
}

} // namespace ns3::lfn
