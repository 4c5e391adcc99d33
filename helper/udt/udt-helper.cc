// SPDX-License-Identifier: GPL-2.0-only

#include "udt-helper.h"

#include "ns3/boolean.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/lfn-rtt-timers.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

uint32_t
UdtHelper::GetMss(uint32_t payloadSize, const Address& remote)
{
    constexpr uint32_t IPV6 = 48; // with UDP's header
    const bool isIpv6 =
        Ipv6Address::IsMatchingType(remote) || Inet6SocketAddress::IsMatchingType(remote);
    return payloadSize + UDT_HEADER_SIZE + (isIpv6 ? IPV6 : UDT_IPV4_HEADERS);
}

void
UdtHelper::SetWindow(uint32_t packets)
{
    SetSourceAttribute("SendBuffer", UintegerValue(packets));
    SetSinkAttribute("ReceiveBuffer", UintegerValue(packets));
    SetSinkAttribute("FlightFlag", UintegerValue(packets));
}

void
UdtHelper::Meet(const Transfer& transfer, const Address& from)
{
    transfer.source->SetAttribute("Rendezvous", BooleanValue(true));
    transfer.source->SetAttribute("LocalPort",
                                  UintegerValue(UdpEndpoint::GetPort(from).value_or(0)));
    transfer.sink->SetAttribute("Peer", AddressValue(from));
}

void
UdtHelper::FollowRtt(const Transfer& transfer, Time rtt)
{
    lfn::FollowRtt(transfer.source, "ConnectTimeout", rtt, 4);
    lfn::FollowRtt(transfer.source, "DeadTime", rtt, 2);
    lfn::FollowRtt(transfer.sink, "DeadTime", rtt, 2);
    for (const auto& end : {Ptr<Object>(transfer.source), Ptr<Object>(transfer.sink)})
    {
        TimeValue patience;
        end->GetAttribute("Patience", patience);
        if (patience.Get().IsStrictlyPositive()) // 0: no such limit
        {
            lfn::FollowRtt(end, "Patience", rtt, 2);
        }
    }
}

} // namespace ns3::lfn
