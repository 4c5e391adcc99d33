// SPDX-License-Identifier: GPL-2.0-only

#include "fec-helper.h"

#include "ns3/lfn-udp-endpoint.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

FecHelper::FecHelper()
    : m_source("ns3::lfn::FecUdpSource"),
      m_sink("ns3::lfn::FecUdpSink")
{
}

void
FecHelper::SetSourceAttribute(const std::string& name, const AttributeValue& value)
{
    m_source.Set(name, value);
}

void
FecHelper::SetSinkAttribute(const std::string& name, const AttributeValue& value)
{
    m_sink.Set(name, value);
}

void
FecHelper::SetPorts(uint16_t port, uint16_t parityPort)
{
    m_port = port;
    for (auto* factory : {&m_source, &m_sink})
    {
        factory->Set("ParityPort", UintegerValue(parityPort));
    }
}

FecHelper::Transfer
FecHelper::Install(Ptr<Node> sendingNode,
                   Ptr<Node> receivingNode,
                   const Address& receiverAddress) const
{
    Transfer transfer{m_source.Create<FecUdpSource>(), m_sink.Create<FecUdpSink>()};
    const auto remote = UdpEndpoint::WithPort(receiverAddress, m_port);
    transfer.source->SetAttribute("Remote", AddressValue(remote));
    transfer.sink->SetAttribute("Port", UintegerValue(m_port));
    sendingNode->AddApplication(transfer.source);
    receivingNode->AddApplication(transfer.sink);
    return transfer;
}

} // namespace ns3::lfn
