// SPDX-License-Identifier: GPL-2.0-only

#include "udp-transport.h"

#include "ns3/boolean.h"
#include "ns3/log.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("UdpTransport");
NS_OBJECT_ENSURE_REGISTERED(UdpTransport);

TypeId
UdpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::UdpTransport")
                            .SetParent<ApplicationTransport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<UdpTransport>();
    return tid;
}

UdpTransport::UdpTransport()
    : ApplicationTransport("ns3::lfn::UdpSource", "ns3::lfn::UdpSink")
{
    NS_LOG_FUNCTION(this);
}

TransportTraits
UdpTransport::GetTraits() const
{
    auto traits = ApplicationTransport::GetTraits();
    traits.what = "datagrams at the flow's rate";
    traits.surplus = "what the sink lost within its host: 0";
    return traits;
}

std::optional<std::string>
UdpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    const auto error = ApplicationTransport::Install(flow, ends);
    if (!error)
    {
        // Whatever the receiving host costs, the data go to the application, as those of others.
        Suggest(ends.sink, "MoveData", BooleanValue(true));
    }
    return error;
}

} // namespace ns3::lfn
