// SPDX-License-Identifier: GPL-2.0-only
#include "atou-helper.h"

#include "ns3/atou-config.h"
#include "ns3/lfn-rtt-timers.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::lfn
{

AtouHelper::AtouHelper()
    : m_options(CreateObject<AtouOptions>())
{
}

std::optional<std::string>
AtouHelper::ReadConfig(const std::string& path)
{
    return Read([&]() { return AtouConfig::ReadFile(path, *m_options); });
}

std::optional<std::string>
AtouHelper::ReadOptions(const std::string& text)
{
    return Read([&]() { return AtouConfig::ReadText(text, *m_options); });
}

std::optional<std::string>
AtouHelper::Read(const std::function<std::optional<std::string>()>& read)
{
    const Time before = std::exchange(m_options->timeout, Time(-1)); // none that can be read
    const auto trouble = read();
    if (m_options->timeout.IsNegative())
    {
        m_options->timeout = before;
    }
    else
    {
        m_hasTimeout = true;
    }
    return trouble;
}

void
AtouHelper::FollowRtt(Ptr<AtouClient> client, Time rtt) const
{
    PointerValue options;
    client->GetAttribute("Options", options);
    if (!m_hasTimeout)
    {
        lfn::FollowRtt(options.GetObject(),
                       "Timeout",
                       rtt,
                       2,
                       Hours(AtouOptions::MOST_TIMER_HOURS));
    }
}

Ptr<AtouOptions>
AtouHelper::GetOptions() const
{
    return m_options;
}

Ptr<AtouClient>
AtouHelper::MakeSource() const
{
    const auto client = EndsHelper::MakeSource();
    client->SetAttribute("Options", PointerValue(CopyObject(m_options)));
    return client;
}

Ptr<AtouServer>
AtouHelper::MakeSink() const
{
    const auto server = EndsHelper::MakeSink();
    server->SetAttribute("Port", UintegerValue(m_options->port));
    return server;
}

Ptr<AtouServer>
AtouHelper::AddSink(Ptr<Node> node, uint16_t index) const
{
    const auto server = MakeSink();
    server->SetAttribute("Port", UintegerValue(m_options->port + index));
    node->AddApplication(server);
    return server;
}

Ptr<AtouClient>
AtouHelper::AddSource(Ptr<Node> node, const Address& server, uint16_t index) const
{
    const auto client = MakeSource();
    const auto port = static_cast<uint16_t>(m_options->port + index);
    client->SetAttribute("Remote", AddressValue(UdpEndpoint::WithPort(server, port)));
    node->AddApplication(client);
    return client;
}

AtouHelper::Transfer
AtouHelper::Install(Ptr<Node> sendingNode,
                    Ptr<Node> receivingNode,
                    const Address& address,
                    uint16_t index) const
{
    const auto server = AddSink(receivingNode, index);
    return {AddSource(sendingNode, address, index), server};
}

Ptr<ScriptedErrorModel>
AtouHelper::MakeDropScript(const std::vector<Time>& times,
                           const std::vector<uint64_t>& numbers) const
{
    const auto script = CreateObject<ScriptedErrorModel>();
    const auto smallest = m_options->mss / 2; // ACKs and the like are smaller
    script->SetFilter([smallest](Ptr<const Packet> frame) { return frame->GetSize() > smallest; });
    for (const auto k : numbers)
    {
        script->Drop(k);
    }
    for (const auto& time : times)
    {
        Simulator::Schedule(time, [script]() { script->Drop(script->GetMatched() + 1); });
    }
    return script;
}

} // namespace ns3::lfn
