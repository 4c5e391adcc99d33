// SPDX-License-Identifier: GPL-2.0-only

#include "http-background.h"

#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/three-gpp-http-client.h"
#include "ns3/three-gpp-http-server.h"
#include "ns3/three-gpp-http-variables.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("HttpBackground");
NS_OBJECT_ENSURE_REGISTERED(HttpBackground);

TypeId
HttpBackground::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::HttpBackground")
            .SetParent<Background>()
            .SetGroupName("Lfn")
            .AddConstructor<HttpBackground>()
            .AddAttribute("Clients",
                          "Number of clients, on the receivers; servers are on the senders.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&HttpBackground::m_clients),
                          MakeUintegerChecker<uint32_t>(1, 10000));
    return tid;
}

std::string
HttpBackground::Describe() const
{
    return "pages of the Web, ns3::ThreeGppHttpClient and ThreeGppHttpServer";
}

std::optional<std::string>
HttpBackground::Install(const BackgroundPlace& place)
{
    NS_LOG_FUNCTION(this << m_clients);
    const auto variables = [](Ptr<Application> application, int64_t stream) {
        const auto own = CreateObject<ThreeGppHttpVariables>();
        own->AssignStreams(stream);
        application->SetAttribute("Variables", PointerValue(own));
    };
    for (const auto& pair : place.forward)
    {
        const auto server = CreateObject<ThreeGppHttpServer>();
        server->SetAttribute("Local",
                             AddressValue(UdpEndpoint::WithPort(pair.fromAddress, pair.port)));
        variables(server, pair.stream);
        pair.from->AddApplication(server);
        server->SetStartTime(Time(0));
    }
    for (uint32_t i = 0; i < m_clients; ++i)
    {
        const auto& pair = place.forward[i % place.forward.size()];
        const auto client = CreateObject<ThreeGppHttpClient>();
        client->SetAttribute("Remote",
                             AddressValue(UdpEndpoint::WithPort(pair.fromAddress, pair.port)));
        constexpr int64_t VARIABLES = 20; // more than ThreeGppHttpVariables has streams
        variables(client, place.stream + BackgroundPlace::OWN_STREAMS + VARIABLES * i);
        pair.to->AddApplication(client);
        client->SetStartTime(place.start + MilliSeconds(1)); // the servers listen
        client->TraceConnectWithoutContext(
            "TxMainObjectRequest",
            Callback<void, Ptr<const Packet>>([this](auto) { m_requests++; }));
        client->TraceConnectWithoutContext(
            "RxPage",
            Callback<void, Ptr<const ThreeGppHttpClient>, const Time&, uint32_t, uint32_t>(
                [this](auto, const Time& duration, uint32_t, uint32_t bytes) {
                    m_pages.Begin(bytes);
                    m_pages.Complete(bytes, duration);
                }));
    }
    return std::nullopt;
}

std::vector<BackgroundRow>
HttpBackground::GetRows() const
{
    auto rows = m_pages.Get();
    rows.front().flows = m_requests;
    return rows;
}

} // namespace ns3::lfn
