// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-helper.h"

#include "ns3/lfn-attribute-kind.h"
#include "ns3/lfn-rtt-timers.h"
#include "ns3/pointer.h"

namespace ns3::lfn
{

VrpHelper::VrpHelper()
    : m_frameSource("ns3::lfn::VrpFrameSource")
{
}

void
VrpHelper::SetFrameSourceAttribute(const std::string& name, const AttributeValue& value)
{
    m_frameSource.Set(name, value);
}

Ptr<VrpFrameSource>
VrpHelper::AddFrameSource(Ptr<VrpSender> sender) const
{
    const auto source = m_frameSource.Create<VrpFrameSource>();
    source->SetAttribute("Sender", PointerValue(sender));
    sender->GetNode()->AddApplication(source);
    return source;
}

ApplicationContainer
VrpHelper::Install(const NodeContainer& nodes) const
{
    ApplicationContainer all;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto sender = MakeSource();
        (*node)->AddApplication(sender);
        all.Add(sender);
        all.Add(AddFrameSource(sender));
    }
    return all;
}

VrpHelper::Transfer
VrpHelper::Install(Ptr<Node> node, Ptr<VrpReceiver> sink, const Address& remote) const
{
    const auto sender = AddSource(node, remote);
    return {sender, AddFrameSource(sender), sink};
}

VrpHelper::Transfer
VrpHelper::Install(Ptr<Node> sendingNode, Ptr<Node> receivingNode, const Address& remote) const
{
    const auto sink = AddSink(receivingNode);
    const auto transfer = Install(sendingNode, sink, remote);
    Pair(transfer.source, sink, remote);
    return transfer;
}

void
VrpHelper::FollowRtt(const Transfer& transfer, Time rtt)
{
    lfn::FollowRtt(transfer.source, "PingTimeout", rtt, 2);
    lfn::FollowRtt(transfer.source, "FrameTimeout", rtt, 10);
    lfn::FollowRtt(transfer.sink, "FrameTimeout", rtt, 10);
    lfn::FollowRtt(transfer.sink, "RememberTime", rtt, 20);
    PointerValue estimator;
    transfer.source->GetAttribute("RttEstimator", estimator);
    // One that a flag makes has the values of the flag.
    if (estimator.GetObject() && !HasOwnDefault(transfer.source, "RttEstimator"))
    {
        lfn::FollowRtt(estimator.GetObject(), "MaxRto", rtt, 3); // the first timeout
    }
}

} // namespace ns3::lfn
