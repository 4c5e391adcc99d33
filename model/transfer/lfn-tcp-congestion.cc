// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tcp-congestion.h"

#include "lfn-wording.h"

#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/tcp-bbr.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cctype>

namespace ns3::lfn
{

std::vector<std::string>
ListTcpCongestion()
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.IsChildOf(TcpCongestionOps::GetTypeId()) && type.HasConstructor() &&
            !type.GetName().starts_with("ns3::lfn::"))
        {
            names.push_back(type.GetName());
        }
    }
    std::ranges::sort(names);
    return names;
}

std::optional<std::string>
FindTcpCongestion(const std::string& word)
{
    const auto isSame = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    };
    for (const auto& name : ListTcpCongestion())
    {
        for (const std::string prefix : {"", "ns3::", "ns3::Tcp"})
        {
            if (std::ranges::equal(prefix + word, name, isSame))
            {
                return name;
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string>
CheckTcpCongestion(const std::string& name)
{
    const auto names = ListTcpCongestion();
    if (name.empty() || std::ranges::find(names, name) != names.end())
    {
        return std::nullopt;
    }
    const auto meant = FindTcpCongestion(name);
    return meant ? "write " + *meant : "give one of " + Join(names);
}

bool
UseTcpCongestion(Ptr<Socket> socket, const std::string& name, int64_t stream)
{
    if (name.empty())
    {
        return true;
    }
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    if (!tcp || CheckTcpCongestion(name))
    {
        return false;
    }
    const auto control = ObjectFactory(name).Create<TcpCongestionOps>();
    const auto bbr = DynamicCast<TcpBbr>(control);
    if (bbr && stream >= 0)
    {
        bbr->SetStream(static_cast<uint32_t>(stream)); // the only one that draws lots
    }
    tcp->SetCongestionControlAlgorithm(control);
    return true;
}

std::string
GetTcpCongestion(const Application& sender)
{
    StringValue own;
    sender.GetAttribute("Congestion", own);
    const auto tcp = sender.GetNode()->GetObject<TcpL4Protocol>();
    if (!own.Get().empty() || !tcp)
    {
        return own.Get();
    }
    TypeIdValue type;
    tcp->GetAttribute("SocketType", type);
    return type.Get().GetName();
}

} // namespace ns3::lfn
