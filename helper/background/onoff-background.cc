// SPDX-License-Identifier: GPL-2.0-only

#include "onoff-background.h"

#include "ns3/lfn-udp-endpoint.h"
#include "ns3/lfn-values.h"
#include "ns3/log.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("OnoffBackground");
NS_OBJECT_ENSURE_REGISTERED(OnoffBackground);

TypeId
OnoffBackground::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::OnoffBackground")
                            .SetParent<LoadBackground>()
                            .SetGroupName("Lfn")
                            .AddConstructor<OnoffBackground>()
                            .AddAttribute("OnTime",
                                          "Mean length of a burst.",
                                          TimeValue(MilliSeconds(500)),
                                          MakeTimeAccessor(&OnoffBackground::m_on),
                                          MakeTimeChecker(MicroSeconds(1)))
                            .AddAttribute("OffTime",
                                          "Mean time between two bursts; 0 for none.",
                                          TimeValue(MilliSeconds(500)),
                                          MakeTimeAccessor(&OnoffBackground::m_off),
                                          MakeTimeChecker(Time(0)))
                            .AddAttribute("PacketSize",
                                          "User bytes of a datagram.",
                                          UintegerValue(1400),
                                          MakeUintegerAccessor(&OnoffBackground::m_packetSize),
                                          MakeUintegerChecker<uint32_t>(1, 65000));
    return tid;
}

std::string
OnoffBackground::Describe() const
{
    return "UDP in bursts, ns3::OnOffApplication with exponential times";
}

std::optional<std::string>
OnoffBackground::Check() const
{
    return LoadBackground::Check();
}

void
OnoffBackground::InstallPairs(const std::string& direction,
                              const std::vector<BackgroundPair>& pairs,
                              double rate,
                              Time start)
{
    NS_LOG_FUNCTION(this << direction << rate);
    m_rows.push_back(std::make_unique<BackgroundRow>());
    auto* row = m_rows.back().get();
    row->direction = direction;
    row->flows = pairs.size();
    const double peak = rate * (m_on + m_off).GetSeconds() / m_on.GetSeconds();
    const auto print = [](Time mean) {
        return mean.IsZero() ? std::string("ns3::ConstantRandomVariable[Constant=0]")
                             : "ns3::ExponentialRandomVariable[Mean=" +
                                   values::PrintNumber(mean.GetSeconds()) + "]";
    };
    for (const auto& pair : pairs)
    {
        const auto remote = UdpEndpoint::WithPort(pair.toAddress, pair.port);
        OnOffHelper source("ns3::UdpSocketFactory", remote);
        source.SetConstantRate(DataRate(static_cast<uint64_t>(peak)), m_packetSize);
        source.SetAttribute("OnTime", StringValue(print(m_on)));
        source.SetAttribute("OffTime", StringValue(print(m_off)));
        const auto from = source.Install(pair.from).Get(0);
        const auto to = PacketSinkHelper("ns3::UdpSocketFactory", remote).Install(pair.to).Get(0);
        from->AssignStreams(pair.stream);
        from->SetStartTime(start);
        from->TraceConnectWithoutContext("Tx",
                                         Callback<void, Ptr<const Packet>>([row](auto packet) {
                                             row->offeredBytes += packet->GetSize();
                                         }));
        to->TraceConnectWithoutContext(
            "Rx",
            Callback<void, Ptr<const Packet>, const Address&>(
                [row](auto packet, const auto&) { row->deliveredBytes += packet->GetSize(); }));
    }
}

std::vector<BackgroundRow>
OnoffBackground::GetRows() const
{
    std::vector<BackgroundRow> all;
    all.reserve(m_rows.size());
    for (const auto& row : m_rows)
    {
        all.push_back(*row);
    }
    return all;
}

} // namespace ns3::lfn
