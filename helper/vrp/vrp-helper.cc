// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-helper.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/lfn-attribute-kind.h"
#include "ns3/lfn-rtt-timers.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

VrpHelper::VrpHelper()
    : m_sender("ns3::lfn::VrpSender"),
      m_receiver("ns3::lfn::VrpReceiver"),
      m_source("ns3::lfn::VrpFrameSource")
{
    const auto port = GetAttribute("ns3::lfn::VrpReceiver::Port").initialValue;
    m_port = static_cast<uint16_t>(DynamicCast<const UintegerValue>(port)->Get());
}

void
VrpHelper::SetSenderAttribute(const std::string& name, const AttributeValue& value)
{
    m_sender.Set(name, value);
}

void
VrpHelper::SetReceiverAttribute(const std::string& name, const AttributeValue& value)
{
    m_receiver.Set(name, value);
}

void
VrpHelper::SetSourceAttribute(const std::string& name, const AttributeValue& value)
{
    m_source.Set(name, value);
}

void
VrpHelper::SetPort(uint16_t port)
{
    m_port = port;
    m_receiver.Set("Port", UintegerValue(port));
}

uint16_t
VrpHelper::GetPort() const
{
    return m_port;
}

Ptr<VrpReceiver>
VrpHelper::InstallReceiver(Ptr<Node> node) const
{
    const auto receiver = m_receiver.Create<VrpReceiver>();
    node->AddApplication(receiver);
    return receiver;
}

Ptr<VrpSender>
VrpHelper::InstallSender(Ptr<Node> node, const Address& receiver) const
{
    const auto sender = m_sender.Create<VrpSender>();
    const bool hasPort =
        InetSocketAddress::IsMatchingType(receiver) || Inet6SocketAddress::IsMatchingType(receiver);
    sender->SetAttribute(
        "Remote",
        AddressValue(hasPort ? receiver : UdpEndpoint::WithPort(receiver, m_port)));
    node->AddApplication(sender);
    return sender;
}

Ptr<VrpFrameSource>
VrpHelper::InstallSource(Ptr<VrpSender> sender) const
{
    const auto source = m_source.Create<VrpFrameSource>();
    source->SetAttribute("Sender", PointerValue(sender));
    sender->GetNode()->AddApplication(source);
    return source;
}

VrpHelper::Transfer
VrpHelper::Install(Ptr<Node> node, Ptr<VrpReceiver> receiver, const Address& address) const
{
    const auto sender = InstallSender(node, address);
    return {sender, InstallSource(sender), receiver};
}

void
VrpHelper::FollowRtt(const Transfer& transfer, Time rtt)
{
    lfn::FollowRtt(transfer.sender, "PingTimeout", rtt, 2);
    lfn::FollowRtt(transfer.sender, "FrameTimeout", rtt, 10);
    lfn::FollowRtt(transfer.receiver, "FrameTimeout", rtt, 10);
    lfn::FollowRtt(transfer.receiver, "RememberTime", rtt, 20);
    PointerValue estimator;
    transfer.sender->GetAttribute("RttEstimator", estimator);
    // One that a flag makes has the values of the flag.
    if (estimator.GetObject() && !HasOwnDefault(transfer.sender, "RttEstimator"))
    {
        lfn::FollowRtt(estimator.GetObject(), "MaxRto", rtt, 3); // the first timeout
    }
}

} // namespace ns3::lfn
